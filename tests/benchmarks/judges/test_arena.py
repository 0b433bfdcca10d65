"""How well votes in the arena are described."""

import numpy as np
import pytest

from benchmarks.judges import arena


def test_ties_by_item_describe_no_worse(monkeypatch):
    table = arena.run(quick=True).set_index("model")
    assert table["known"].isna().all()
    assert table["log-loss"]["Davidson, ties by item"] < table["log-loss"]["Davidson"]


def test_the_loss_is_that_of_the_likelihood():
    data, _ = arena.votes(quick=True)
    import bayesrank as br

    fit = br.fit(data, "davidson", method="map", scale=arena.FLAT, progress=False)
    observation = fit.specification.observation
    logp = observation.log_likelihood(fit.values(0)) - observation.log_coefficient
    expected = -logp.sum() / data.counts.sum()
    assert arena.described(data, "davidson") == pytest.approx(expected)
    assert np.isfinite(expected)
