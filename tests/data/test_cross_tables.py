"""Cross tables: who beat whom how often, in files and as matrices."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from tests.data.small_tables import table_of


@pytest.mark.parametrize("first", ["", "team"])
def test_cross_tables(write, first):
    path = write("cross.csv", f"{first},a,b,c\na,-,3,1\nb,2,,4\nc,0,1,\n")
    expected = {("a", "b"): [3, 2, 0], ("a", "c"): [1, 0, 0], ("b", "c"): [4, 1, 0]}
    assert table_of(br.read(path)) == expected
    assert table_of(br.read(path, cross=True)) == expected
    with pytest.raises(ValueError, match=r"`cross` belongs to .* and `left` to"):
        br.read(path, cross=True, left="a")
    with pytest.raises(ValueError, match="`wide` and `cross` are different shapes"):
        br.read(path, cross=True, wide=True)


def test_matrices_of_wins():
    wins = pd.DataFrame([[0, 3], [1, 0]], ["x", "y"], ["x", "y"])
    data = br.Comparisons.from_matrix(wins, ties=[[0, 2], [2, 0]])
    assert table_of(data) == {("x", "y"): [3, 1, 2]}
    assert br.Comparisons.from_matrix(wins.to_numpy(), ["x", "y"]).counts.tolist() == [[3, 1, 0]]
    for bad, message in (
        ([[0, -1], [1, 0]], "must hold counts, got -1 for x against y"),
        ([[0, 1, 2], [1, 0, 2]], r"got shape \(2, 3\)"),
        ([[0, "many"], [1, 0]], "got 'many' for x against y"),
    ):
        with pytest.raises(ValueError, match=message):
            br.Comparisons.from_matrix(bad, ["x", "y"])
    with pytest.raises(ValueError, match="the same in both halves"):
        br.Comparisons.from_matrix(wins, ties=[[0, 2], [1, 0]])
    with pytest.raises(ValueError, match="the same names for its rows"):
        br.Comparisons.from_matrix(wins.set_axis(["x", "z"]))
    with pytest.raises(ValueError, match="`items` must name"):
        br.Comparisons.from_matrix(np.zeros((2, 2)))


def test_points_of_chess_in_a_cross_table(write):
    path = write("chess.csv", "player,A,B,C\nA,,0.5,1\nB,0.5,,0.5\nC,0,0.5,\n")
    assert table_of(br.read(path)) == {
        ("A", "B"): [0, 0, 1], ("A", "C"): [1, 0, 0], ("B", "C"): [0, 0, 1],
    }  # fmt: skip
    with pytest.raises(ValueError, match="must hold whole counts, or points of single games"):
        br.Comparisons.from_matrix([[0, 2.5], [0.5, 0]], ["x", "y"])
    spaced = write("spaces.csv", "team, Ajax ,PSV\nAjax,,2\nPSV ,1,\n")
    assert table_of(br.read(spaced)) == {("Ajax", "PSV"): [2, 1, 0]}
