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

__all__ = ["KERNELS_VERSION", "KernelOp"]


class KernelOp(Op):
    """Evaluate a kernel: log-probability per row, and its partial derivatives beside it.

    The kernel has already computed the derivatives, so the pull-back is a multiplication and
    value and gradient cost one call. Second derivatives are refused.

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
        for i, partial in enumerate(outputs[1:]):
            if any(not isinstance(g.type, DisconnectedType) for g in by_partials):
                # Somebody differentiates the partial derivatives: an error, not a zero.
                gradients[i] = grad_not_implemented(
                    self, i, inputs[i], "Kernels have no second derivatives."
                )
                continue
            rows = by_logp.dimshuffle(0, *["x"] * (partial.type.ndim - 1))
            gradients[i] = rows * partial
            if inputs[i].type.shape[0] == 1:
                gradients[i] = gradients[i].sum(axis=0, keepdims=True)
        return gradients

    L_op = pullback  # the name PyTensor 2 calls, with the same arguments


# PyTensor keeps compiled graphs on disk, with our kernels inlined: the key must change with them.
KERNELS_VERSION = crc32(
    b"".join(path.read_bytes() for path in sorted(Path(kernels.__file__).parent.rglob("*.py")))
)


@register_funcify_default_op_cache_key(KernelOp)
def numba_funcify_kernel(op, node, **kwargs):
    """Give the Numba linker the kernel itself, or what makes rows of its entries."""
    function = KERNELS[op.kernel].function
    return function if is_jitted(function) else compiled()(function), KERNELS_VERSION
