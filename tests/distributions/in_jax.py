"""Graphs as functions of JAX, as samplers take them."""

from pytensor.compile import mode
from pytensor.graph.fg import FunctionGraph


def in_jax(inputs, output):
    """Return a graph as a function for JAX to differentiate; it is not compiled."""
    from pytensor.link.jax.dispatch import jax_funcify

    graph = FunctionGraph(inputs, [output], clone=True)
    mode.JAX.optimizer.rewrite(graph)
    function = jax_funcify(graph)
    return lambda *arguments: function(*arguments)[0]
