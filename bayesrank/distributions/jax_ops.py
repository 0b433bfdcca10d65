"""The Ops in JAX: formulas where there are, and elsewhere the kernels themselves, called back.

`bayesrank.distributions.jax_link` imports this file when PyTensor prepares a graph for JAX.
"""

import jax
import jax.numpy as jnp
import numpy as np
from pytensor.graph.basic import Constant
from pytensor.link.jax.dispatch import jax_funcify

from bayesrank.distributions import array_op, ballot_op
from bayesrank.distributions.array_op import ArrayOp
from bayesrank.distributions.ballot_op import BallotGradientOp, BallotOp
from bayesrank.distributions.jax_pairs import cumulative, davidson, rao_kupper
from bayesrank.distributions.jax_partitioned import partitioned
from bayesrank.distributions.jax_rankings import partition, prevalences, shares
from bayesrank.distributions.kernel_op import NO_SECOND_DERIVATIVES, KernelOp, KernelTurnOp
from bayesrank.kernels import KERNELS

__all__ = ["FORMULAS"]

# Log-probabilities by row; JAX finds all derivatives.
FORMULAS = {
    "cumulative": cumulative,
    "davidson": davidson,
    "partitioned": partitioned,
    "prevalences": prevalences,
    "rao_kupper": rao_kupper,
    "shares": shares,
}


def require_double():
    """Refuse single precision, in which likelihoods of many rows are noise."""
    if not jax.config.read("jax_enable_x64"):
        raise TypeError(
            "The distributions of bayesrank need double precision: call "
            'jax.config.update("jax_enable_x64", True) before JAX computes anything, and leave '
            'PyTensor\'s floatX at "float64".'
        )


def with_constants(node, function):
    """Return a function of all inputs of a node that knows the constant ones as arrays."""
    known = {i: x.data for i, x in enumerate(node.inputs) if isinstance(x, Constant)}

    def of_inputs(*inputs):
        require_double()
        return function(*(known.get(i, x) for i, x in enumerate(inputs)))

    return of_inputs


def by_row(value, rows, parameters, structure):
    """Return a function that has log-probabilities and partial derivatives, row by row."""
    wide = [jnp.broadcast_to(x, (rows, *x.shape[1:])) for x in parameters]

    def partials(*wide):
        logp, pull = jax.vjp(lambda *wide: value(*wide, *structure), *wide)
        return logp, *pull(jnp.ones_like(logp))

    return partials, wide


def called_back(function, outputs):
    """Return a function that leaves JAX and calls the compiled one, one chain after the other.

    ``outputs`` makes types and shapes of the results from the inputs.
    """

    def evaluate(*inputs):
        fixed = {i: x for i, x in enumerate(inputs) if isinstance(x, np.ndarray)}
        moving = [jnp.asarray(x) for i, x in enumerate(inputs) if i not in fixed]

        def on_host(*moving):
            arrays = iter(moving)
            # Copies: compiled functions are made for arrays that may be written.
            full = [fixed[i] if i in fixed else np.array(next(arrays)) for i in range(len(inputs))]
            results = function(*full)
            return results if isinstance(results, tuple) else (results,)

        shapes = [jax.ShapeDtypeStruct(shape, kind) for shape, kind in outputs(*inputs)]
        return jax.pure_callback(on_host, tuple(shapes), *moving, vmap_method="sequential")

    return evaluate


def not_differentiable(function):
    """Return the function, which refuses to be differentiated by JAX."""
    guarded = jax.custom_jvp(function)

    @guarded.defjvp
    def refuse(primals, tangents):
        raise NotImplementedError(NO_SECOND_DERIVATIVES)

    return guarded


def shapes_of_rows(n_parameters):
    """Return the types of a kernel's results, given its inputs."""

    def outputs(*inputs):
        rows = inputs[0].shape[0]
        parameters = inputs[:n_parameters]
        return [((rows,), "float64"), *(((rows, *x.shape[1:]), "float64") for x in parameters)]

    return outputs


@jax_funcify.register(KernelOp)
def jax_funcify_kernel(op, node, **kwargs):
    """Return the formula of a kernel, or a call of the kernel."""
    n_parameters = KERNELS[op.kernel].n_parameters
    only = getattr(node.tag, "values_only", False)
    value = FORMULAS.get(op.kernel)
    if value is None:
        kernel = called_back(KERNELS[op.kernel].function, shapes_of_rows(n_parameters))
        return with_constants(node, kernel_with_slopes(kernel, n_parameters, only))

    def formula(*inputs):
        parameters, structure = inputs[:n_parameters], inputs[n_parameters:]
        if only:
            return value(*inputs), *[None] * n_parameters
        partials, wide = by_row(value, inputs[0].shape[0], parameters, structure)
        return partials(*wide)

    return with_constants(node, formula)


def kernel_with_slopes(kernel, n_parameters, only):
    """Return a kernel that is called back, with its own derivatives."""

    def with_slopes(*inputs):
        parameters, structure = inputs[:n_parameters], inputs[n_parameters:]
        guarded = not_differentiable(lambda *parameters: tuple(kernel(*parameters, *structure)))
        if not only:
            return guarded(*parameters)

        @jax.custom_jvp
        def value(*parameters):
            return kernel(*parameters, *structure)[0]

        @value.defjvp
        def value_and_slope(primals, tangents):
            logp, *partials = guarded(*primals)
            slope = jnp.zeros_like(logp)
            for by, tangent in zip(partials, tangents, strict=True):
                slope += (by * tangent).reshape((logp.shape[0], -1)).sum(axis=-1)
            return logp, slope

        return value(*parameters), *[None] * n_parameters

    return with_slopes


@jax_funcify.register(KernelTurnOp)
def jax_funcify_turn(op, node, **kwargs):
    """Return the second derivatives along a direction, from the formula's derivatives."""
    n_parameters, value = KERNELS[op.kernel].n_parameters, FORMULAS.get(op.kernel)
    if value is None:

        def shapes(*inputs):
            return [(x.shape, "float64") for x in inputs[-n_parameters:]]

        called = called_back(KERNELS[op.kernel].turn, shapes)
        return with_constants(
            node, lambda *inputs: called(*inputs) if n_parameters > 1 else called(*inputs)[0]
        )

    def turn(*inputs):
        parameters, along = inputs[:n_parameters], inputs[-n_parameters:]
        structure = inputs[n_parameters:-n_parameters]
        partials, wide = by_row(value, inputs[0].shape[0], parameters, structure)
        along = [jnp.asarray(x) for x in along]
        turned = jax.jvp(lambda *wide: partials(*wide)[1:], wide, along)[1]
        return turned if n_parameters > 1 else turned[0]

    return with_constants(node, turn)


@jax_funcify.register(ArrayOp)
def jax_funcify_array(op, node, **kwargs):
    """Return blocks of ranks as a formula; the samplers are called back."""
    if op.function == "partition":
        return with_constants(node, partition)
    function, types, results = array_op.FUNCTIONS[op.function]

    def outputs(*inputs):
        return [(inputs[0].shape[:n], kind) for kind, n in results]

    evaluate = called_back(function, outputs)

    def of_types(*inputs):
        found = evaluate(*(x.astype(kind) for x, kind in zip(inputs, types, strict=True)))
        return found if len(results) > 1 else found[0]

    return with_constants(node, of_types)


@jax_funcify.register(BallotOp)
def jax_funcify_ballots(op, node, **kwargs):
    """Return a call of the kernel, with its own derivatives."""
    value, pull, shared = ballot_op.FUNCTIONS[op.kernel]

    def outputs(*inputs):
        ballots = inputs[shared].shape
        return [(ballots, "float64"), (ballots, "float64"), ((*ballots, 2), "float64")]

    def shapes(by_logp, shares, *inputs):
        return [(x.shape, "float64") for x in inputs[:shared]]

    kernel, gradient = called_back(value, outputs), called_back(pull, shapes)
    only = getattr(node.tag, "values_only", False)

    def ballots(*inputs):
        parameters, structure = inputs[: shared + 1], inputs[shared + 1 :]
        guarded = not_differentiable(lambda *parameters: tuple(kernel(*parameters, *structure)))
        pulled = not_differentiable(
            lambda *given: tuple(gradient(*given, *structure))  # by_logp, shares, parameters
        )
        if not only:
            return guarded(*parameters)

        @jax.custom_vjp
        def logp(*parameters):
            return guarded(*parameters)[0]

        def forth(*parameters):
            logp, by_adherence, shares = guarded(*parameters)
            return logp, (by_adherence, shares, parameters)

        def back(kept, by_logp):
            by_adherence, shares, parameters = kept
            return *pulled(by_logp, shares, *parameters), by_logp * by_adherence

        logp.defvjp(forth, back)
        return logp(*(jnp.asarray(x) for x in parameters)), None, None

    return with_constants(node, ballots)


@jax_funcify.register(BallotGradientOp)
def jax_funcify_ballot_gradients(op, node, **kwargs):
    """Return a call of the gradient function."""
    _, pull, shared = ballot_op.FUNCTIONS[op.kernel]

    def shapes(by_logp, shares, *inputs):
        return [(x.shape, "float64") for x in inputs[:shared]]

    gradient = called_back(pull, shapes)

    def evaluate(by_logp, shares, *inputs):
        parameters, structure = inputs[: shared + 1], inputs[shared + 1 :]
        guarded = not_differentiable(lambda *given: tuple(gradient(*given, *structure)))
        found = guarded(by_logp, shares, *parameters)
        return found if shared > 1 else found[0]

    return with_constants(node, evaluate)
