"""Labels that some programs write as numbers and others as texts."""

import pandas as pd
import pytest

from bayesrank.data.cells import counts_rows, to_texts, unify_labels


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([1, 2], [3, 4], [[1, 2], [3, 4]]),
        (["1", "x"], ["2", "y"], [["1", "x"], ["2", "y"]]),
        ([1, 2], ["2", "y"], [["1", "2"], ["2", "y"]]),
        ([1.0, 2.5], ["1", "y"], [["1", "2.5"], ["1", "y"]]),
        ([1, "x"], [1, 2], [["1", "x"], ["1", "2"]]),
        (
            [10**20, "x"],
            [1e20, 2],
            [["100000000000000000000", "x"], ["100000000000000000000", "2"]],
        ),
    ],
)
def test_texts_in_one_column_make_texts_of_all(left, right, expected):
    frame = unify_labels(pd.DataFrame({"a": left, "b": right, "c": [1, 2]}), ["a", "b"])
    assert [frame["a"].tolist(), frame["b"].tolist()] == expected
    assert frame["c"].tolist() == [1, 2]


def test_columns_that_are_not_there_are_left_to_others():
    frame = pd.DataFrame({"a": [1, 2]})
    assert unify_labels(frame, ["a", "b"]).equals(frame)


def test_missing_cells_stay_missing():
    frame = to_texts(pd.DataFrame({"a": [1, None], "b": ["x", None]}), ["a", "b"])
    assert frame["a"].tolist()[0] == "1" and frame["b"].tolist()[0] == "x"
    assert frame.isna().to_numpy().tolist() == [[False, False], [True, True]]


@pytest.mark.parametrize(
    ("cells", "counts"),
    [(["0", "1"], True), (["1", "2"], True), (["1", "3"], False), (["0", None], False)],
)
def test_a_column_without_a_name_may_number_the_rows(cells, counts):
    frame = pd.DataFrame({"Unnamed: 0": cells, "x": cells})
    assert counts_rows(frame, "Unnamed: 0") == counts and not counts_rows(frame, "x")
