"""What the page keeps of categories, agents and features is what the fit says."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.report import panels
from bayesrank.report.page import gather
from tests.judged_votes import EVERYTHING, fit_of_votes, votes_by_judges
from tests.report.fits import made_fit
from tests.report.unpacking import unpacked_numbers


@pytest.fixture(scope="module")
def fit():
    return fit_of_votes(**EVERYTHING)


def same_rankings(page, fit, prob=0.95, tiers="expected"):
    kept = page["categories"]
    for k, name in enumerate(kept["names"]):
        view = fit._overall() if k == 0 else fit.in_category(name)
        table = view.ranking(prob, tiers=tiers).loc[page["items"]]
        columns = page["ranking"] if k == kept["now"] else kept["rankings"][k]
        assert set(columns) >= {"score", "low", "high", "rank", "p_best", "tier", "all_low"}
        for column in ("score", "low", "high", "rank", "rank_low", "rank_high", "p_best", "tier"):
            values = columns[column]
            values = unpacked_numbers(values) if isinstance(values, str) else values
            np.testing.assert_allclose(values, table[column], rtol=1e-6, atol=1e-7)


def test_all_rankings_are_those_of_the_fit(fit):
    page = gather(fit, prob=0.8)
    assert page["categories"]["names"] == ["All categories", "topic 0", "topic 1", "topic 2"]
    assert page["categories"]["now"] == 0 and page["categories"]["rankings"][0] is None
    assert page["categories"]["about"] == fit.about_categories
    assert page["title"] == "Ranking of 6 items"
    assert dict(page["facts"])["Categories"] == "3: “topic 0”, “topic 1” and “topic 2”"
    same_rankings(page, fit, 0.8)
    same_rankings(gather(fit, prob=0.8, tiers="certain"), fit, 0.8, "certain")


def test_all_bars_share_one_range(fit):
    page = gather(fit)
    tables = [fit.ranking(), *(fit.ranking(category=f"topic {k}") for k in range(3))]
    low, high = page["categories"]["range"]
    assert low == pytest.approx(min(table["low"].min() for table in tables))
    assert high == pytest.approx(max(table["high"].max() for table in tables))


def test_the_page_of_one_category_starts_with_it(fit):
    page = gather(fit.in_category("topic 1"))
    assert page["categories"]["now"] == 2 and page["title"] == "Ranking of 6 items in “topic 1”"
    assert page["items"] == fit.ranking(category="topic 1").index.tolist()
    same_rankings(page, fit)


def test_of_many_categories_those_with_the_most_results_are_kept(fit, monkeypatch):
    monkeypatch.setattr(panels, "MOST_CATEGORIES", 1)
    rows = np.bincount(fit.specification.data.category)
    kept = gather(fit)["categories"]
    assert kept["names"] == ["All categories", f"topic {rows.argmax()}"] and kept["left_out"] == 2
    least = f"topic {rows.argmin()}"
    assert least in gather(fit.in_category(least))["categories"]["names"]


def test_a_mode_has_scores_and_ranks_only():
    page = gather(fit_of_votes("map", **EVERYTHING))
    assert set(page["categories"]["rankings"][1]) == {"score", "rank"}
    assert page["judges"]["columns"]["discrimination_low"] == [None] * 5


def test_agents_are_those_of_the_fit(fit):
    page, table = gather(fit, prob=0.8), fit.agents(0.8)
    judges = page["judges"]
    assert judges["names"] == table.index.tolist() and judges["words"] == table["words"].tolist()
    assert judges["effects"] == ["discrimination", "order_effect", "tie_rate"]
    for name, values in judges["columns"].items():
        np.testing.assert_allclose(np.array(values, dtype=float), table[name])
    assert "contrarian" in judges["about"][-1]


def test_of_many_agents_those_with_the_most_votes_are_kept(fit, monkeypatch):
    monkeypatch.setattr(panels, "MOST_AGENTS", 2)
    judges = gather(fit)["judges"]
    assert judges["names"] == fit.agents().index[:2].tolist() and judges["left_out"] == 3


def test_agents_that_are_known_have_a_panel_without_effects():
    judges = gather(fit_of_votes())["judges"]
    assert judges["effects"] == [] and len(judges["names"]) == 5


def test_the_model_says_what_differs(fit):
    page = gather(fit)
    for words in ("discrimination, by which", "to the order effect", "logit of the tie rate",
                  "Each category adds"):  # fmt: skip
        assert words in page["model"]["words"]
    assert (
        "Logarithms of the agents' discriminations: normal with mean 0 and the learned spread, "
        "made to sum to zero." in page["model"]["priors"]
    )
    by_item = fit_of_votes("map", order_effect="by-item", ties="by-item")
    words = gather(by_item)["model"]["words"]
    assert "when it is on the left" in words and "Each of the two items" in words


def test_effects_of_features_are_kept_where_the_fit_has_them(monkeypatch):
    rng = np.random.default_rng(1)
    frame = votes_by_judges().assign(long=rng.normal(size=200), short=rng.normal(size=200))
    data = br.Comparisons.from_frame(frame, features={"length": ("long", "short")})
    fit = br.fit(data, "davidson", method="map", progress=False)
    row = {"per_unit": 0.5, "per_unit_low": np.nan, "words": "adds something"}
    table = pd.DataFrame([row], index=pd.Index(["length"], name="feature"))
    monkeypatch.setattr(br.Fit, "effects", lambda self, prob: table, raising=False)
    assert gather(fit)["effects"] == [
        {"name": "length", "words": "adds something", "per_unit": 0.5, "per_unit_low": None}
    ]
    assert "effects" not in gather(fit_of_votes("map"))


def test_pages_of_other_fits_have_no_panels():
    page = gather(made_fit(["a", "b", "c"]))
    assert not {"categories", "judges", "effects"} & set(page)
    ballots = [list("abc"), list("acb"), list("bac")]
    votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y"])
    assert "judges" not in gather(br.fit(votes, "mpm", method="map", progress=False))
