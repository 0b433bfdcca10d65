"""The Op for compiled functions of rows of data that have no derivative."""

import pytensor.tensor as pt
from pytensor.gradient import DisconnectedType
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.link.numba.dispatch.basic import register_funcify_default_op_cache_key

from bayesrank.distributions.kernel_op import KERNELS_VERSION
from bayesrank.kernels.ballots import draw_preferences
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.samplers import (
    draw_additive,
    draw_geometric,
    interpolate,
    sort_into_blocks,
)

__all__ = ["ArrayOp"]

# Function, types of the inputs, types and dimensions of the outputs. Outputs have the rows (and
# the columns) of the first input.
FUNCTIONS = {
    "draw_additive": (
        draw_additive,
        ("float64", "float64", "bool", "float64", "int64"),
        [("int64", 2)],
    ),
    "draw_geometric": (
        draw_geometric,
        ("float64", "float64", "bool", "float64", "int64"),
        [("int64", 2)],
    ),
    "draw_preferences": (
        draw_preferences,
        ("int64", *["float64"] * 4, *["int64"] * 4),
        [("int64", 2)],
    ),
    "interpolate": (interpolate, ("float64", "float64"), [("float64", 2)]),
    "partition": (partition, ("int64", "bool"), [("uint32", 2), ("int64", 2), ("bool", 1)]),
    "sort_into_blocks": (sort_into_blocks, ("float64", "bool", "int64"), [("int64", 2)]),
}


class ArrayOp(Op):
    """Evaluate a compiled function of arrays whose rows are rankings, or pairs.

    Parameters
    ----------
    function : str
        A name in ``FUNCTIONS``.
    """

    __props__ = ("function",)

    def __init__(self, function):
        self.function = function

    def make_node(self, *inputs):
        _, types, outputs = FUNCTIONS[self.function]
        inputs = [pt.as_tensor(x).astype(kind) for x, kind in zip(inputs, types, strict=True)]
        shape = inputs[0].type.shape
        return Apply(self, inputs, [pt.tensor(dtype=kind, shape=shape[:n]) for kind, n in outputs])

    def perform(self, node, inputs, output_storage):
        results = FUNCTIONS[self.function][0](*inputs)
        results = results if isinstance(results, tuple) else (results,)
        for storage, result in zip(output_storage, results, strict=True):
            storage[0] = result

    def infer_shape(self, *args):
        # PyTensor 2 passes (fgraph, node, shapes), PyTensor 3 (node, shapes).
        shape = args[-1][0]
        return [shape[:n] for _, n in FUNCTIONS[self.function][2]]

    def connection_pattern(self, node):
        return [[False for _ in node.outputs] for _ in node.inputs]

    def pullback(self, inputs, outputs, cotangents):
        return [DisconnectedType()() for _ in inputs]

    L_op = pullback  # the name PyTensor 2 calls, with the same arguments


@register_funcify_default_op_cache_key(ArrayOp)
def numba_funcify_array(op, node, **kwargs):
    """Give the Numba linker the function itself."""
    return FUNCTIONS[op.function][0], KERNELS_VERSION
