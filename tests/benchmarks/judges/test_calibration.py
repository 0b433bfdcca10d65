"""Whether true values are where posteriors say."""

import bayesrank as br
from benchmarks.judges import calibration


def test_designs_have_all_that_terms_need():
    for name, arguments in calibration.TERMS.items():
        data = calibration.design(name in calibration.WITH_FEATURES)
        assert data.counts.sum() == 120 and len(data.agents) == 4 and len(data.categories) == 3
        model = br.Specification(data, "davidson", **arguments)
        assert model.learns_spreads or (name == "features of rows" and "beta" in model.names)
        # Both sides, so that order effects are not those of items.
        assert set(data.left) == set(data.right) == set(range(5))


def test_terms_have_a_verdict(capsys):
    table = calibration.ranks(2, 1, ["ties by agent"], ["laplace"])
    assert table["replicates"].tolist() == [2] and "ties by agent" in capsys.readouterr().out
