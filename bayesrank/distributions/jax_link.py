"""The door to JAX: opened by PyTensor when it prepares a graph for JAX, and by nobody else."""

from pytensor.compile.mode import optdb
from pytensor.graph.rewriting.basic import GraphRewriter

from bayesrank.distributions.ballot_op import BallotOp
from bayesrank.distributions.kernel_op import KernelOp

__all__ = ["PrepareForJAX"]


class PrepareForJAX(GraphRewriter):
    """Register the Ops' JAX forms, and note whose derivatives are JAX's own business.

    This is the first that a package hears of JAX being used: nothing imports it before.
    """

    def add_requirements(self, fgraph):
        pass

    def apply(self, fgraph):
        from bayesrank.distributions import jax_ops  # noqa: F401 (it registers)

        for node in fgraph.apply_nodes:
            if isinstance(node.op, KernelOp | BallotOp):
                # Without derivatives among its outputs JAX may differentiate it once more.
                node.tag.values_only = not any(fgraph.clients[x] for x in node.outputs[1:])


# At the very end, when no node is replaced any more.
optdb.register("bayesrank_jax", PrepareForJAX(), "jax", position=1000.0)
