"""The Ops that put a preference kernel into a PyTensor graph.

All ballots share the scores, so these Ops are not those of other kernels: the gradient by the
scores is made from the factors that come down from the log-probabilities, in a second Op.
"""

import pytensor.tensor as pt
from pytensor.gradient import DisconnectedType
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.link.numba.dispatch.basic import register_funcify_default_op_cache_key

from bayesrank.distributions.kernel_op import KERNELS_VERSION, is_connected, refused
from bayesrank.kernels.mpm import even, even_pull, varied, varied_pull

__all__ = ["BallotGradientOp", "BallotOp"]

# Value and gradient functions, and how many parameters the ballots share.
FUNCTIONS = {"even": (even, even_pull, 1), "varied": (varied, varied_pull, 2)}


class BallotOp(Op):
    """Evaluate a preference kernel: log-probability of each ballot, and what its gradient needs.

    Parameters
    ----------
    kernel : str
        A name in ``FUNCTIONS``.
    """

    __props__ = ("kernel",)

    def __init__(self, kernel):
        self.kernel = kernel

    @property
    def shared(self):
        return FUNCTIONS[self.kernel][2]

    def make_node(self, *inputs):
        parameters = [pt.as_tensor(x).astype("float64") for x in inputs[: self.shared + 1]]
        inputs = [*parameters, *(pt.as_tensor(x) for x in inputs[self.shared + 1 :])]
        shape = parameters[-1].type.shape
        shapes = [shape, shape, (*shape, 2)]
        return Apply(self, inputs, [pt.tensor(dtype="float64", shape=s) for s in shapes])

    def perform(self, node, inputs, output_storage):
        for storage, output in zip(output_storage, FUNCTIONS[self.kernel][0](*inputs), strict=True):
            storage[0] = output

    def infer_shape(self, *args):
        # PyTensor 2 passes (fgraph, node, shapes), PyTensor 3 (node, shapes).
        (ballots,) = args[-1][self.shared]
        return [(ballots,), (ballots,), (ballots, 2)]

    def connection_pattern(self, node):
        return [[i <= self.shared for _ in node.outputs] for i in range(len(node.inputs))]

    def pullback(self, inputs, outputs, cotangents):
        gradients = [DisconnectedType()() for _ in inputs]
        by_logp, *others = cotangents
        if any(is_connected(g) for g in others):
            # Somebody differentiates the derivative: an error, not a zero.
            return refused(self, inputs, self.shared + 1) + gradients[self.shared + 1 :]
        pulled = BallotGradientOp(self.kernel)(by_logp, outputs[2], *inputs)
        gradients[: self.shared] = pulled if isinstance(pulled, list) else [pulled]
        gradients[self.shared] = by_logp * outputs[1]
        return gradients

    L_op = pullback  # the name PyTensor 2 calls, with the same arguments


class BallotGradientOp(Op):
    """The gradient by shared parameters of a sum of ballots, weighted by the first input."""

    __props__ = ("kernel",)

    def __init__(self, kernel):
        self.kernel = kernel

    def make_node(self, by_logp, shares, *inputs):
        shared = FUNCTIONS[self.kernel][2]
        inputs = [pt.as_tensor(by_logp).astype("float64"), shares, *inputs]
        shapes = [x.type.shape for x in inputs[2 : 2 + shared]]
        return Apply(self, inputs, [pt.tensor(dtype="float64", shape=s) for s in shapes])

    def perform(self, node, inputs, output_storage):
        outputs = FUNCTIONS[self.kernel][1](*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for storage, output in zip(output_storage, outputs, strict=True):
            storage[0] = output

    def infer_shape(self, *args):
        return args[-1][2 : 2 + FUNCTIONS[self.kernel][2]]

    def pullback(self, inputs, outputs, cotangents):
        return refused(self, inputs, len(inputs))

    L_op = pullback


@register_funcify_default_op_cache_key(BallotOp)
def numba_funcify_ballots(op, node, **kwargs):
    """Give the Numba linker the kernel itself."""
    return FUNCTIONS[op.kernel][0], KERNELS_VERSION


@register_funcify_default_op_cache_key(BallotGradientOp)
def numba_funcify_ballot_gradients(op, node, **kwargs):
    """Give the Numba linker the gradient function itself."""
    return FUNCTIONS[op.kernel][1], KERNELS_VERSION
