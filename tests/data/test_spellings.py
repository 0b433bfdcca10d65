"""Names that are one name in several spellings."""

import unicodedata

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.text import at_the_terminal

COMPOSED = unicodedata.normalize("NFC", "Málaga")
DECOMPOSED = unicodedata.normalize("NFD", "Málaga")
NAMES = [("SANTOS", "Santos"), ("a b", "a  b "), (COMPOSED, DECOMPOSED)]


@pytest.mark.parametrize("names", NAMES, ids=["capitals", "spaces", "accents"])
def test_comparisons(names):
    one, other = names
    rows = [[one, "x", one], [one, "x", "tie"], ["x", other, other]]
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome"])
    with pytest.warns(
        UserWarning, match="differ in capitals, spaces or the coding of accents .*fold_names=True"
    ):
        assert len(br.Comparisons.from_frame(frame).items) == 3
    data = br.Comparisons.from_frame(frame, fold_names=True)
    assert data.items == sorted([one, "x"]) and data.counts.sum() == 3
    table = pd.DataFrame({"left": [one, other], "right": "x", "wins": [1, 2], "losses": [0, 1]})
    with pytest.warns(UserWarning, match="differ in capitals"):
        br.Comparisons.from_counts(table)
    assert br.Comparisons.from_counts(table, fold_names=True).counts.tolist() == [[3, 1, 0]]


@pytest.mark.parametrize("names", NAMES, ids=["capitals", "spaces", "accents"])
def test_rankings(names):
    one, other = names
    rows = [[1, one, 1, 5], [1, "x", 2, 4], [2, "x", 1, 5], [2, other, 2, 3]]
    frame = pd.DataFrame(rows, columns=["group", "item", "rank", "stars"])
    with pytest.warns(UserWarning, match="differ in capitals"):
        assert len(br.Rankings.from_frame(frame).items) == 3
    assert len(br.Rankings.from_frame(frame, fold_names=True).items) == 2
    columns = {"agent": "group", "rating": "stars"}
    assert len(br.Rankings.from_ratings(frame, fold_names=True, **columns).items) == 2


def test_the_winner_may_be_spelled_in_another_way(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("home,away,winner\nSANTOS,x,Santos\nx,SANTOS,x\n")
    with at_the_terminal(), pytest.raises(ValueError, match="Unknown outcome in `winner`: Santos"):
        br.read(path)
    assert br.read(path, fold_names=True).counts.tolist() == [[1, 0, 0], [1, 0, 0]]


def test_names_that_are_not_texts_or_not_alike_are_left_alone(recwarn):
    frame = pd.DataFrame({"left": [1, 2], "right": [2, 3], "outcome": [1, -1]})
    assert br.Comparisons.from_frame(frame, fold_names=True).items == [1, 2, 3]
    frame = pd.DataFrame({"left": ["a", "b"], "right": ["b", "c"], "outcome": [1, -1]})
    br.Comparisons.from_frame(frame)
    assert not recwarn.list
