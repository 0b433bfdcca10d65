"""The Op that puts a kernel of rows into a PyTensor graph."""

from pathlib import Path
from zlib import crc32

import pytensor.tensor as pt
from numba.extending import is_jitted
from pytensor.gradient import DisconnectedType, grad_not_implemented
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.link.numba.dispatch.basic import register_funcify_default_op_cache_key

from bayesrank import kernels
from bayesrank.kernels import KERNELS
from bayesrank.kernels.compiled import compiled

__all__ = [
    "KERNELS_VERSION",
    "NO_SECOND_DERIVATIVES",
    "KernelOp",
    "KernelTurnOp",
    "is_connected",
    "refused",
]

NO_SECOND_DERIVATIVES = (
    "Thurstone, MPM and PMOP with the geometric potential have no second derivatives; pairs, "
    "PlackettLuce, PartitionedPlackettLuce and PMOP with the additive potential have. Sample with "
    'NUTS, or fit the data with br.fit(..., method="laplace"), which takes every model.'
)


class KernelOp(Op):
    """Evaluate a kernel: log-probability per row, and its partial derivatives beside it.

    The kernel has already computed the derivatives, so the pull-back is a multiplication and
    value and gradient cost one call. Second derivatives are those of `KernelTurnOp`, where the
    kernel has them.

    Parameters
    ----------
    kernel : str
        A name in `bayesrank.kernels.KERNELS`.
    """

    __props__ = ("kernel",)

    def __init__(self, kernel):
        self.kernel = kernel

    def make_node(self, *inputs):
        n_parameters = KERNELS[self.kernel].n_parameters
        parameters = [pt.as_tensor(x).astype("float64") for x in inputs[:n_parameters]]
        inputs = [*parameters, *(pt.as_tensor(x) for x in inputs[n_parameters:])]
        rows = parameters[0].type.shape[0]
        shapes = [(rows,), *((rows, *x.type.shape[1:]) for x in parameters)]
        return Apply(self, inputs, [pt.tensor(dtype="float64", shape=s) for s in shapes])

    def perform(self, node, inputs, output_storage):
        outputs = KERNELS[self.kernel].function(*inputs)
        for storage, output in zip(output_storage, outputs, strict=True):
            storage[0] = output

    def infer_shape(self, *args):
        # PyTensor 2 passes (fgraph, node, shapes), PyTensor 3 (node, shapes).
        shapes = args[-1]
        rows = shapes[0][0]
        parameters = shapes[: KERNELS[self.kernel].n_parameters]
        return [(rows,), *((rows, *shape[1:]) for shape in parameters)]

    def connection_pattern(self, node):
        n_parameters = KERNELS[self.kernel].n_parameters
        return [[i < n_parameters for _ in node.outputs] for i in range(len(node.inputs))]

    def pullback(self, inputs, outputs, cotangents):
        gradients = [DisconnectedType()() for _ in inputs]
        by_logp, *by_partials = cotangents
        n_parameters = KERNELS[self.kernel].n_parameters
        bent = None
        if any(is_connected(g) for g in by_partials):
            if KERNELS[self.kernel].turn is None:
                # Somebody differentiates the partial derivatives: an error, not a zero.
                return refused(self, inputs, n_parameters) + gradients[n_parameters:]
            bent = KernelTurnOp(self.kernel)(
                *inputs,
                *(
                    along if is_connected(along) else pt.zeros_like(partial)
                    for along, partial in zip(by_partials, outputs[1:], strict=True)
                ),
                return_list=True,
            )
        for i, partial in enumerate(outputs[1:]):
            terms = [] if bent is None else [bent[i]]
            if is_connected(by_logp):
                terms.append(by_logp.dimshuffle(0, *["x"] * (partial.type.ndim - 1)) * partial)
            if terms:
                gradients[i] = by_shape(sum(terms[1:], terms[0]), inputs[i])
        return gradients

    L_op = pullback  # the name PyTensor 2 calls, with the same arguments


class KernelTurnOp(Op):
    """How a kernel's partial derivatives turn along a direction: its second derivatives.

    The inputs are the kernel's, and then a direction for each parameter, by row. As second
    derivatives are symmetric, this is the pull-back of the partial derivatives.
    """

    __props__ = ("kernel",)

    def __init__(self, kernel):
        self.kernel = kernel

    def make_node(self, *inputs):
        n_parameters = KERNELS[self.kernel].n_parameters
        along = [pt.as_tensor(x).astype("float64") for x in inputs[-n_parameters:]]
        first = KernelOp(self.kernel).make_node(*inputs[:-n_parameters])
        return Apply(self, [*first.inputs, *along], [out.type() for out in first.outputs[1:]])

    def perform(self, node, inputs, output_storage):
        outputs = KERNELS[self.kernel].turn(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for storage, output in zip(output_storage, outputs, strict=True):
            storage[0] = output

    def infer_shape(self, *args):
        # PyTensor 2 passes (fgraph, node, shapes), PyTensor 3 (node, shapes).
        return list(args[-1][-KERNELS[self.kernel].n_parameters :])

    def connection_pattern(self, node):
        n_parameters = KERNELS[self.kernel].n_parameters
        given = len(node.inputs) - n_parameters
        return [[i < n_parameters or i >= given] * n_parameters for i in range(len(node.inputs))]

    def pullback(self, inputs, outputs, cotangents):
        n_parameters = KERNELS[self.kernel].n_parameters
        given = len(inputs) - n_parameters
        gradients = [DisconnectedType()() for _ in inputs]
        gradients[:n_parameters] = [
            grad_not_implemented(self, i, x, "There are no third derivatives.")
            for i, x in enumerate(inputs[:n_parameters])
        ]
        gradients[given:] = KernelTurnOp(self.kernel)(
            *inputs[:given],
            *(
                g if is_connected(g) else pt.zeros_like(x)
                for g, x in zip(cotangents, inputs[given:], strict=True)
            ),
            return_list=True,
        )
        return gradients

    L_op = pullback


def is_connected(cotangent):
    """Return whether anything depends on an output, by what came down to it."""
    return not isinstance(cotangent.type, DisconnectedType)


def by_shape(by_row, parameter):
    """Return derivatives by row as derivatives by a parameter that all rows may share."""
    return by_row.sum(axis=0, keepdims=True) if parameter.type.shape[0] == 1 else by_row


def refused(op, inputs, n_parameters):
    """Return derivatives by the parameters that say, where they are needed, what to do."""
    return [
        grad_not_implemented(op, i, x, NO_SECOND_DERIVATIVES)
        for i, x in enumerate(inputs[:n_parameters])
    ]


# PyTensor keeps compiled graphs on disk, with our kernels inlined: the key must change with them.
KERNELS_VERSION = crc32(
    b"".join(path.read_bytes() for path in sorted(Path(kernels.__file__).parent.rglob("*.py")))
)


@register_funcify_default_op_cache_key(KernelOp)
def numba_funcify_kernel(op, node, **kwargs):
    """Give the Numba linker the kernel itself, or what makes rows of its entries."""
    function = KERNELS[op.kernel].function
    return function if is_jitted(function) else compiled()(function), KERNELS_VERSION


@register_funcify_default_op_cache_key(KernelTurnOp)
def numba_funcify_turn(op, node, **kwargs):
    """Give the Numba linker the second derivatives, or what makes rows of its entries."""
    function = KERNELS[op.kernel].turn
    return function if is_jitted(function) else compiled()(function), KERNELS_VERSION
