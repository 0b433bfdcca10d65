"""Fusing search results: the claims on a small simulation, and the pieces by hand."""

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import JudgedDocuments
from models import metasearch
from tests.modes import AS_WRITTEN


def by_hand():
    """Two systems, one topic: a b c, and c a; d is listed by nobody."""
    nan = np.nan
    values = np.array([[1.0, 2.0], [2.0, nan], [3.0, 1.0], [nan, nan]])
    return JudgedDocuments(
        np.zeros(4, dtype=int), ["t"], list("abcd"), values, ["x", "y"],
        relevance=np.array([1, 0, 1, 1]), relevant=np.array([4]),
    )  # fmt: skip


def test_average_precision_by_hand():
    """The order a c b of a relevant, a relevant and another document; four are relevant in all."""
    score = np.array([3.0, 1.0, 2.0, np.nan])
    assert metasearch.precisions(by_hand(), score, 20) == pytest.approx([(1 + 1) / 4])
    assert metasearch.precisions(by_hand(), -score, 2) == pytest.approx([(1 / 2) / 4])


def test_the_study_at_a_small_size(tmp_path, monkeypatch):
    """What the full study finds: how absent documents count matters more than the model."""
    monkeypatch.setattr(metasearch, "data_folder", lambda name: None)
    verdicts, certainty = metasearch.main(
        ["--quick", "--out", str(tmp_path / "out"), "--seed", "1"]
    )
    here = verdicts.set_index(["claim", "preferences"])["here"]
    assert here["SVM above the average input", "absent below"] == "above"
    assert here["probit above Borda", "pairs of listed"] == "below"
    assert (tmp_path / "out" / "metasearch.png").read_bytes().startswith(b"\x89PNG")
    # What the posterior is sure of is right more often, by more than chance: 2 000 pairs and more.
    assert certainty["pairs"].sum() > 2000
    assert certainty["relevant above"].iloc[-1] > certainty["relevant above"].iloc[0] + 0.1
    table = pd.read_csv(tmp_path / "out" / "metasearch.csv", keep_default_na=False)
    many = table[(table["inputs"] == 8) & (table["depth"] == 20)]
    mean = many.groupby(["variant", "method"])["map"].mean()
    for method in ("SVM", "probit"):
        assert mean["absent below", method] > mean["", "average input"]
        assert mean["absent below", method] > mean["pairs of listed", method] + 0.1
        assert abs(mean["absent below", method] - mean["absent below", "Borda"]) < 0.03


def test_the_model_in_pymc_is_the_paper_s():
    """P(i over j) is the normal distribution function of the difference of scores."""
    import pymc as pm
    from scipy.stats import norm

    import bayesrank as br

    data = br.Comparisons.from_counts(
        pd.DataFrame({"left": ["a", "b"], "right": ["b", "c"], "wins": [3, 1], "losses": [1, 2]})
    )
    built = metasearch.model(data)
    pair = br.ThurstonePairs.dist([0.3], [-0.4], scale=np.sqrt(0.5), n=[1])
    found = pm.logp(pair, [[1, 0, 0]]).eval(mode=AS_WRITTEN)
    assert found == pytest.approx(norm.logcdf(0.7), rel=1e-9)
    assert built.named_vars_to_dims["score"] == ("item",)
    assert [v.name for v in built.observed_RVs] == ["counts"]
