"""Items without a rank: not offered, below with or without a row, and who says so."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesrank as br
from bayesrank import Rankings
from bayesrank.text import at_the_terminal
from tests.data.any_data import ballots

LETTERS = st.sampled_from("abcdefgh")


def long_of(rankings):
    """Return one row per entry; what a ranking does not list has none."""
    return pd.DataFrame(
        [
            (k, label, rank)
            for k, ranking in enumerate(rankings)
            for rank, block in enumerate(ranking, 1)
            for label in block
        ],
        columns=["ranking", "item", "rank"],
    )


def wide_of(rankings, items):
    """Return one row per ranking and one column per item."""
    wide = long_of(rankings).pivot(index="ranking", columns="item", values="rank")
    return wide.reindex(index=range(len(rankings)), columns=items)


@given(ballots(LETTERS), st.sampled_from(["below", "not offered"]))
@pytest.mark.filterwarnings("ignore:The orders of")
def test_all_constructors_of_the_same_ballots_agree_in_every_field(tmp_path_factory, drawn, how):
    _, rankings = drawn
    if how == "not offered":
        rankings = [ranking for ranking in rankings if sum(map(len, ranking)) > 1]
    items = sorted({label for ranking in rankings for block in ranking for label in block})
    if not rankings or len(items) < 2:
        return
    if how == "below" and all(len(items) == 1 for _ in rankings):
        return
    expected = Rankings.from_lists(rankings, unranked=how)
    long, wide = long_of(rankings), wide_of(rankings, items)
    assert Rankings.from_frame(long, "ranking", unranked=how).same_as(expected)
    assert Rankings.from_matrix(wide, unranked=how).same_as(expected)
    listed = wide.stack(future_stack=True).rename("rank").reset_index()
    if how == "below":
        # Rows without a rank say the same as no rows.
        assert Rankings.from_frame(listed, "ranking", unranked="below").same_as(expected)
        assert Rankings.from_frame(listed, "ranking", unranked="rows below").same_as(expected)
    folder = tmp_path_factory.mktemp("files")
    long.to_csv(folder / "long.csv", index=False)
    wide.to_csv(folder / "wide.csv", index=False)
    assert br.read(folder / "long.csv", unranked=how).same_as(expected)
    assert br.read(folder / "wide.csv", wide=True, unranked=how).same_as(expected)
    lines = [",".join("{" + ",".join(_numbers(block, items)) + "}" for block in ranking)
             for ranking in rankings]  # fmt: skip
    names = [f"# ALTERNATIVE NAME {k}: {label}" for k, label in enumerate(items, 1)]
    counts = [f"1: {line}" for line in lines]
    (folder / "1.toi").write_text("\n".join([*names, *counts]) + "\n")
    assert br.read(folder / "1.toi", unranked=how).same_as(expected)


def _numbers(block, items):
    return [str(items.index(label) + 1) for label in block]


@pytest.fixture(scope="module")
def votes():
    """Forty ballots that list three of eight."""
    rng = np.random.default_rng(0)
    utility = np.linspace(1.5, -1.5, 8) + rng.gumbel(size=(40, 8))
    lists = [["abcdefgh"[k] for k in np.argsort(-row)[:3]] for row in utility]
    return lists, long_of([[[label] for label in ballot] for ballot in lists])


def test_who_is_best_depends_on_it(votes):
    lists, frame = votes
    best = {}
    for how in ("below", "not offered"):
        data = Rankings.from_frame(frame, "ranking", unranked=how)
        assert data.same_as(Rankings.from_lists(lists, unranked=how))
        best[how] = br.fit(data, method="laplace", seed=1, progress=False).ranking()["p_best"]["a"]
    assert best["below"] > 0.8 and best["below"] > best["not offered"] + 0.3


def test_instances_have_items_of_their_own():
    rows = [
        ("q", 1, "a", 1),
        ("q", 1, "b", 2),
        ("q", 2, "c", 1),
        ("r", 3, "x", 1),
        ("r", 3, "y", 2),
    ]
    frame = pd.DataFrame(rows, columns=["query", "list", "item", "rank"])
    data = Rankings.from_frame(frame, "list", instance="query", unranked="below")
    assert data.ranks.tolist() == [[1, 2, 0], [1, 0, 0], [1, 2, -1]]


def test_a_note_asks_which_is_meant(votes, tmp_path):
    lists, frame = votes
    question = r"fewer than all items \(at most 3 of 8\).* say unranked=\"below\""
    wide = pd.DataFrame([{label: k + 1 for k, label in enumerate(b)} for b in lists])
    frame.to_csv(tmp_path / "votes.csv", index=False)
    for make in (
        lambda: Rankings.from_frame(frame, "ranking"),
        lambda: Rankings.from_lists(lists),
        lambda: Rankings.from_matrix(wide),
        lambda: br.read(tmp_path / "votes.csv"),
    ):
        with pytest.warns(UserWarning, match=question):
            made = make()
        assert made.same_as(Rankings.from_lists(lists, unranked="not offered"))
    with at_the_terminal(), pytest.warns(UserWarning, match="say --unranked below; --unranked not"):
        br.read(tmp_path / "votes.csv")


def test_a_note_asks_of_ties_at_the_end(recwarn):
    lists = [["a", "b", {"c", "d", "e"}]] * 6
    with pytest.warns(UserWarning, match="In 6 of 6 rankings the last items are tied"):
        Rankings.from_lists(lists)
    recwarn.clear()
    Rankings.from_lists(lists, unranked="not offered")
    Rankings.from_lists([["a", {"b", "c"}, {"d", "e"}]] * 6)  # others are tied as well
    Rankings.from_lists([list("abcde")] * 6)
    assert not recwarn.list


def test_features_of_items_without_a_row_are_not_known():
    rows = [(1, "a", 1, 0.5), (1, "b", 2, 0.1), (2, "b", 1, 0.2), (2, "c", 2, 0.3)]
    frame = pd.DataFrame(rows, columns=["group", "item", "rank", "x"])
    with pytest.raises(ValueError, match=r'2 entries of items without a row.*"rows below"'):
        Rankings.from_frame(frame, features=["x"], unranked="below")
    Rankings.from_frame(frame, features=["x"], unranked="rows below")
    with pytest.raises(ValueError, match='`unranked` must be "not offered" or "below", got'):
        Rankings.from_lists([["a", "b"]], unranked="rows below")
