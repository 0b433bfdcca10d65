"""ADVI: its bound, and scales that are learned."""

import numpy as np

import bayesrank as br


def bound(fit):
    """Return the evidence lower bound that ADVI reports."""
    return float(fit.note.rstrip(".").split()[-1])


def test_advi_follows_a_learned_scale(nuts_fit, pudding):
    """Where all scores shrink together, as no normal in the model's own coordinates does."""
    by_default, independent, full = (
        br.fit(pudding, "davidson", method="advi", full_rank=kind, seed=1, progress=False)
        for kind in (None, False, True)
    )
    assert bound(by_default) > max(bound(independent), bound(full)) + 0.2
    right, ours, theirs = (
        fit.parameters().loc["scale", "high"] for fit in (nuts_fit, by_default, full)
    )
    assert abs(np.log(ours / right)) < 0.4 < np.log(right / theirs) + 0.2
    shift = by_default.scores().mean(axis=0) - nuts_fit.scores().mean(axis=0)
    assert np.all(np.abs(shift) < 0.15 * nuts_fit.scores().std(axis=0))


def test_the_bound_is_below_the_evidence_and_near_it():
    """One game between two items, whose evidence is known: one half, by symmetry."""
    game = br.Comparisons([0], [1], [[1, 0, 0]], ["a", "b"])
    for kind in (None, False, True):
        fit = br.fit(
            game, "bradley-terry", method="advi", scale=1.0, full_rank=kind, seed=1, progress=False
        )
        # Of two decimals; a normal comes near this posterior.
        assert np.log(0.5) - 0.02 < bound(fit) <= np.log(0.5) + 0.005


def test_advi_agrees_with_laplace(advi):
    """Within one posterior standard deviation: scores trade against adherences."""
    laplace = br.fit(advi.specification.data, "mpm", method="laplace", scale=1.0, seed=1)
    sd = laplace.scores().std(axis=0)
    assert np.all(np.abs(advi.scores().mean(axis=0) - laplace.scores().mean(axis=0)) < sd)
    one, other = advi.agents().sort_index(), laplace.agents().sort_index()
    assert np.all(np.abs(one["adherence"] - other["adherence"]) < other["sd"])
    assert advi.parameters().empty and "variance" in advi.items()
    for table in (advi.items(), advi.agents(), laplace.items()):
        assert not table.isna().any(axis=None)
