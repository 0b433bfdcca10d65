"""The rankings at all times, as the page keeps them, are those of the fit."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.report import history
from bayesrank.report.page import gather
from tests.model.moving_data import games_over_time, races_over_time
from tests.report.fits import made_fit, moving_fit
from tests.report.unpacking import PACKED, unpacked, unpacked_numbers

NAMES = ["Ada", "Bo", "Cy", "Di", "Eve", "Flo"]
COLUMNS = ["score", "low", "high", "rank", "rank_low", "rank_high"]


@pytest.fixture(scope="module")
def fit():
    return moving_fit(NAMES)


def as_table(page):
    """Return what is kept as `Fit.history` has it: one row per item and time."""
    past = page["history"]
    names = [*page["items"], *past["others"]]
    rows = np.repeat(np.arange(len(past["times"])), np.diff(past["start"]))
    columns = [column for column in COLUMNS if column in past]
    table = pd.DataFrame({column: unpacked_numbers(past[column]) for column in columns})
    table.insert(0, "item", [names[int(k)] for k in unpacked_numbers(past["item"])])
    table.insert(1, "time", [past["times"][t] for t in rows])
    if past["p_best"] is not None:
        table["p_best"] = unpacked(past["p_best"])
    return table


def expected(fit, prob=0.95, **options):
    table = fit.history(prob=prob, **options)
    if table["time"].dtype.kind == "M":
        table["time"] = table["time"].dt.strftime("%Y-%m-%d")
    else:
        table["time"] = [f"{time:g}" for time in table["time"]]
    return table


def same(found, wanted, columns=COLUMNS):
    found = found.sort_values(["item", "time"], ignore_index=True)
    wanted = wanted.sort_values(["item", "time"], ignore_index=True)
    assert found["item"].tolist() == wanted["item"].tolist()
    assert found["time"].tolist() == wanted["time"].tolist()
    for column in columns:
        np.testing.assert_allclose(found[column], wanted[column], rtol=1e-6, atol=1e-7)
    if "p_best" in found:
        np.testing.assert_allclose(found["p_best"], wanted["p_best"], **PACKED)


def test_all_times_are_those_of_the_fit(fit):
    page = gather(fit, prob=0.8)
    same(as_table(page), expected(fit, prob=0.8))
    past = page["history"]
    assert past["times"] == [f"{year}-01-01" for year in range(2000, 2006)]
    assert past["now"] == 5 and past["of_times"] == 6 and past["of_items"] == 6
    # Rows are in the order of ranks within each time.
    table = as_table(page)
    assert table.groupby("time")["rank"].apply(lambda rank: rank.is_monotonic_increasing).all()


def test_dates_are_numbers_that_javascript_reads(fit):
    past = gather(fit)["history"]
    assert past["dates"] and past["places"][0] == 946_684_800_000
    numbers = br.fit(games_over_time(), scores="walk", method="map")
    past = gather(numbers)["history"]
    assert not past["dates"] and past["places"] == numbers.specification.data.times


def test_items_are_those_of_the_ranking_then_those_who_left(fit):
    page = gather(fit)
    assert sorted(page["items"]) == NAMES[:-1] and page["history"]["others"] == ["Flo"]
    names = [*page["items"], "Flo"]
    since = dict(zip(page["history"]["followed"], page["history"]["since"], strict=True))
    assert {names[k]: t for k, t in since.items()} == dict(
        zip(NAMES, [0, 0, 0, 0, 3, 0], strict=True)
    )


def test_each_time_says_who_is_left_out(fit):
    page = gather(fit)
    about = page["history"]["about"]
    assert about[0] == "At 2000-01-01, 5 items are ranked. 1 item was not seen until later."
    assert about[5] == (
        "At 2005-01-01, 5 items are ranked. Left out, not seen in the year up to 2005-01-01: “Flo”."
    )
    assert page["answer"][-1] == about[5]
    assert page["title"] == "Ranking of 5 items at 2005-01-01"
    assert dict(page["facts"])["Times"].startswith("6 times from 2000-01-01 to 2005-01-01; 30 ")


def test_the_page_is_about_the_time_that_the_fit_is_about(fit):
    page = gather(fit.at("2001-07-01"))
    past = page["history"]
    assert past["times"][past["now"]] == "2001-07-01" and len(past["times"]) == 7
    assert sorted(page["items"]) == [*NAMES[:4], "Flo"]
    table = as_table(page)
    then = fit.ranking(at="2001-07-01")
    own = table[table["time"] == "2001-07-01"].set_index("item")
    assert own.index.tolist() == then.index.tolist() == page["items"]
    np.testing.assert_allclose(own["score"], then["score"], rtol=1e-6)
    later = gather(fit.at("2005-06-01"))
    assert "last results are of 2005-01-01: later rankings are pred" in later["answer"][-1]


def test_the_window_is_that_of_the_fit(fit):
    page = gather(fit.at(window=None))
    assert page["history"]["window"] is None and "Left out" not in page["answer"][-1]
    assert sorted(page["items"]) == NAMES
    wide = gather(fit.at(window=3.0))
    same(as_table(wide), expected(fit, window=3.0))


def test_of_many_times_and_items_some_are_kept(fit, monkeypatch):
    monkeypatch.setattr(history, "MOST_TIMES", 3)
    monkeypatch.setattr(history, "MOST_FOLLOWED", 4)
    page = gather(fit)
    past = page["history"]
    assert past["times"] == ["2000-01-01", "2002-01-01", "2005-01-01"]
    assert (past["of_times"], past["of_items"], len(past["followed"])) == (6, 6, 4)
    assert past["ranked"] == [5, 5, 5]
    table, whole = as_table(page), expected(fit)
    whole = whole[whole["time"].isin(past["times"])]
    best = whole.groupby("item")["rank"].min()
    kept = table["item"].unique()
    assert len(kept) == 4 and best[kept].max() <= best.drop(kept).min()
    # Ranks are still those among all.
    same(table, whole[whole["item"].isin(kept)])


def test_a_mode_has_scores_and_ranks_only():
    fit = moving_fit(NAMES, method="map")
    page = gather(fit)
    past = page["history"]
    assert past["p_best"] is None and "low" not in past and "rank_low" not in past
    same(as_table(page), expected(fit), ["score", "rank"])


def test_rankings_and_scores_that_revert():
    data = races_over_time(rows=30, items=5, times=8)
    fit = br.fit(data, scores="mean-reverting", method="laplace", seed=1, progress=False)
    same(as_table(gather(fit)), expected(fit))


def test_scores_that_stay_have_no_history():
    assert "history" not in gather(made_fit(["a", "b", "c"]))
    assert history.shown_times(made_fit(["a", "b", "c"])) == []
    # With times in the data, but a single score for each item, it is the same.
    still = br.fit(br.load_dataset("bundesliga"), method="map", progress=False)
    assert "history" not in gather(still)


def test_a_single_time_is_no_history():
    games = games_over_time(times=1)
    page = gather(br.fit(games, scores="walk", method="map", progress=False))
    assert "history" not in page and page["answer"][-1].startswith("At ")
