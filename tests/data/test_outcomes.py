"""Outcomes in the spellings that people use."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank import Comparisons
from bayesrank.data.outcomes import BOTH_BAD
from bayesrank.text import at_the_terminal
from tests.data.small_tables import changed


def sides(outcomes, **options):
    frame = pd.DataFrame({"left": list("xyz"), "right": list("yzx"), "outcome": outcomes})
    counts = br.Comparisons.from_frame(frame, **options).counts
    return ["LRT"[row.argmax()] for row in counts]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["2-1", "0:0", "1 - 3"], "LTR"),
        (["2\u20131", "10-9", "9-10"], "LLR"),
        (["1-0", "1/2-1/2", "0-1"], "LTR"),
        (["1-0", "\u00bd-\u00bd", "0-1"], "LTR"),
        (["1", "0.5", "0"], "LTR"),
        ([1.0, 0.5, 0.0], "LTR"),
        ([1, 0, -1], "LTR"),
        (["A", "B", "tie"], "LRT"),
        (["a", "b", "-"], "LRT"),
        (["x", "-", "x"], "LTR"),
        (["1", "draw", "0"], "LTR"),
        (["1", "0,5", "0"], "LTR"),
    ],
)
def test_spellings(outcomes, expected):
    assert sides(outcomes) == list(expected)


def test_items_called_by_letters_are_winners_names():
    frame = pd.DataFrame({"left": ["A", "B"], "right": ["B", "A"], "outcome": ["A", "A"]})
    assert br.Comparisons.from_frame(frame).counts.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_a_word_of_ones_own_for_a_tie():
    assert sides(["left", "remis", "right"], tie_value="remis") == list("LTR")
    assert sides(["x", "9", "x"], tie_value=9) == list("LTR")
    assert sides(["1", "X", "0"], tie_value="X") == list("LTR")
    with pytest.raises(ValueError, match='if an empty outcome is a tie, say tie_value=""'):
        sides(["left", None, "right"])
    assert sides(["left", None, "right"], tie_value="") == list("LTR")
    with pytest.raises(ValueError, match=r'remis.* given as tie_value="\.\.\."'):
        sides(["left", "remis", "right"])
    with pytest.raises(ValueError, match="`tie_value` is 'x', but `outcome` never holds it"):
        sides(["left", "left", "right"], tie_value="x")
    with pytest.raises(ValueError, match="holds True and False only"):
        sides([True, False, True], tie_value="x")
    frame = pd.DataFrame({"left": ["x"], "right": ["y"], "a": [1], "b": [2]})
    with pytest.raises(ValueError, match="not for two of scores"):
        br.Comparisons.from_frame(frame, outcome=("a", "b"), tie_value=0)


VOTES = pd.DataFrame(
    {"left": list("xyz"), "right": list("yzx"), "winner": ["left", "tie (bothbad)", "tie"]}
)


@pytest.mark.parametrize("word", sorted(BOTH_BAD))
def test_votes_against_both_are_kept_apart(word):
    frame = VOTES.assign(winner=["left", word.upper(), "tie"])
    with pytest.warns(UserWarning, match=r"1 of them, are kept apart, in `both_bad`") as caught:
        data = Comparisons.from_frame(frame, outcome="winner")
    assert len(caught) == 1 and caught[0].filename == __file__
    assert data.counts.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert data.both_bad.tolist() == [0, 1, 0] and data.both_bad.dtype == np.int64
    with (
        at_the_terminal(),
        pytest.warns(UserWarning, match=r"are kept apart\. .* say --tie-value '"),
    ):
        Comparisons.from_frame(frame, outcome="winner")


@pytest.mark.parametrize(
    "outcomes",
    [["x", "z", "tie"], list("HAD"), ["a", "b", "same"], ["1", "0", "0.5"], ["2-1", "0-1", "1-1"]],
    ids=str,
)
def test_votes_against_both_stand_beside_any_spelling(outcomes):
    left, right = ["x", "y", "p", "x"], ["y", "z", "q", "z"]
    frame = pd.DataFrame({"left": left, "right": right, "outcome": [*outcomes, "both bad"]})
    with pytest.warns(UserWarning, match="kept apart"):
        data = Comparisons.from_frame(frame)
    rows = {data.pair_label(k): (*data.counts[k], data.both_bad[k]) for k in range(4)}
    assert rows == {"x vs y": (1, 0, 0, 0), "y vs z": (0, 1, 0, 0), "p vs q": (0, 0, 1, 0),
                    "x vs z": (0, 0, 0, 1)}  # fmt: skip


def test_votes_against_both_have_weights():
    with pytest.warns(UserWarning, match=r"2\.5 of them"):
        data = Comparisons.from_frame(VOTES.assign(w=[1, 2.5, 1]), outcome="winner", weight="w")
    assert data.both_bad.tolist() == [0, 2.5, 0] and data.counts.dtype == np.int64


def test_ones_zeros_and_votes_against_both_are_asked_about():
    with pytest.warns(UserWarning, match="kept apart"), pytest.warns(match="0 as a tie"):
        assert sides(["1", "0", "bothbad"])[:2] == list("LT")


def test_an_item_that_is_called_like_a_vote_against_both_wins():
    frame = pd.DataFrame({"left": ["bothbad", "x"], "right": ["x", "bothbad"]})
    data = Comparisons.from_frame(frame.assign(outcome=["bothbad", "x"]))
    assert data.both_bad is None and data.counts[:, 0].tolist() == [1, 1]


def test_the_advice_on_votes_against_both_works():
    """As printed, in Python: they are ties then, and nothing is said."""
    with pytest.warns(UserWarning) as caught:
        Comparisons.from_frame(VOTES, outcome="winner")
    advice = eval(f"dict({str(caught[0].message).split(', say ')[1].rstrip('.')})")
    data = Comparisons.from_frame(VOTES, outcome="winner", **advice)
    assert data.counts[:, 2].sum() == 2 and data.both_bad is None


def test_only_votes_against_both_are_refused():
    frame = VOTES.assign(winner=["tie (bothbad)", "both bad", "bothbad"])
    with pytest.raises(ValueError, match=r"`winner` says of every row .* \(both bad, bothbad, tie"):
        Comparisons.from_frame(frame, outcome="winner")


def test_a_game_that_was_not_played_is_no_tie():
    with pytest.raises(ValueError, match="Unknown outcome in `outcome`: -, row 1"):
        sides(["2-1", "-", "0-0"])


def test_a_winner_with_a_space_too_many_is_pointed_at():
    with pytest.raises(ValueError, match=r"row 0 .*fold_names=True makes one of names"):
        sides(["X ", "y", "x"])
    assert sides(["X ", "y", "x"], fold_names=True) == list("LLR")


def test_ones_and_zeros_are_asked_about():
    with pytest.warns(UserWarning, match='If 0 means a loss, say tie_value=""'):
        assert sides(["1", "0", "1"]) == list("LTL")
    assert sides(["1", "0", "1"], tie_value="") == list("LRL")


def test_zero_is_no_tie_where_zero_is_an_item():
    frame = pd.DataFrame({"left": [0, 2, 2], "right": [2, 3, 3], "outcome": [0, 0, 2]})
    with pytest.raises(ValueError, match="Unknown outcome in `outcome`: 0, row 1 "):
        Comparisons.from_frame(frame)


def test_ones_and_zeros_without_minus_ones_are_suspicious():
    with pytest.warns(UserWarning, match="0 as a tie") as caught:
        Comparisons.from_frame(changed(outcome=[1, 0, 1]))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "spelled", ["HDA", "hda", ["home", "draw", "away"], ["Home ", "DRAW", "Away"]]
)
def test_results_of_football(spelled):
    frame = changed(outcome=list(spelled), right=["B", "C", "C"], left=["x", "y", "x"])
    data = Comparisons.from_frame(frame)
    assert data.items == ["B", "C", "x", "y"]
    assert data.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("columns", "unknown"),
    [
        ({"left": ["h", "y", "x"], "right": ["y", "x", "h"], "outcome": list("HDA")}, "A, D, H"),
        ({"left": list("xyx"), "right": list("yxz"), "outcome": list("ADA")}, "A, D"),
        ({"left": list("xyx"), "right": list("yxz"), "outcome": list("HxA")}, "A, H"),
    ],
)
def test_letters_that_may_mean_something_else(columns, unknown):
    """An item is called H; A may be the first of A and B; the winner's name stands beside."""
    with pytest.raises(ValueError, match=f"Unknown outcome in `outcome`: {unknown}, row"):
        Comparisons.from_frame(pd.DataFrame(columns))


def test_letters_that_are_names():
    columns = {"left": list("aha"), "right": list("hda"[:2] + "d"), "outcome": list("aha")}
    assert Comparisons.from_frame(pd.DataFrame(columns)).counts[:, 0].tolist() == [1, 1, 1]


def test_a_name_and_a_word_that_say_the_same():
    columns = {"left": ["left", "left"], "right": ["x", "y"], "outcome": ["left", "tie"]}
    data = Comparisons.from_frame(pd.DataFrame(columns))
    assert data.counts.tolist() == [[1, 0, 0], [0, 0, 1]]
