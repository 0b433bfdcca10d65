"""Numerical extremes, in small: every number is finite, or the reason is named.

The whole sweep, with samplers and up to 100,000 items, is `benchmarks.extremes`.
"""

import pytest

from bayesrank.model.likelihoods import LIKELIHOODS
from benchmarks import extremes

# What takes seconds: many items, large ties, and an optimiser on a plateau.
LEFT_OUT = {*extremes.LONG, "100 items", "ties of 50", "scale 1e6, always one order"}
SMALL = [
    name
    for name, situation in extremes.SITUATIONS.items()
    if "map" in situation.methods and name not in LEFT_OUT
]


def bugs(likelihood, names, method):
    """Return the outcomes that are neither right nor refused, by situation."""
    found = {name: extremes.examine(likelihood, name, method) for name in names}
    return {
        name: outcome[0]
        for name, outcome in found.items()
        if outcome is not None and not outcome[0].startswith(("ok", "refused: "))
    }


@pytest.mark.parametrize("method", ["map", "laplace"])
@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_modes_are_finite_or_refused(likelihood, method):
    assert not bugs(likelihood, SMALL, method)


@pytest.mark.parametrize("likelihood", ["davidson", "glenn-david", "pmop", "davidson-luce"])
def test_draws_are_finite(likelihood):
    names = ("one result", "always one order", "1e6 identical results", "scale 1e-6")
    assert not bugs(likelihood, names, "nuts")


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_the_objective_is_a_number_at_extreme_vectors(likelihood):
    assert not bugs(likelihood, ["extreme vectors"], "objective")


@pytest.mark.parametrize("likelihood", ["davidson", "glenn-david", "plackett-luce", "mpm"])
def test_the_objective_is_a_number_at_extreme_scales(likelihood):
    assert not bugs(likelihood, ["extreme vectors, learned scale"], "objective")
