"""Counting combinations of values, against a plain dictionary."""

from collections import Counter

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesrank as br
from bayesrank.data import counting
from bayesrank.data.counting import count_combinations

ROWS = 400
RNG = np.random.default_rng(0)
COLUMNS = {
    "text": np.array(["a", "b", "c", "dd"])[RNG.integers(0, 4, ROWS)],
    "whole": RNG.integers(-3, 4, ROWS),
    "part": RNG.integers(0, 3, ROWS) / 4,
    "flag": RNG.random(ROWS) < 0.3,
}


def frames():
    pandas = pd.DataFrame(COLUMNS)
    polars = pl.DataFrame(COLUMNS)
    yield "pandas", pandas
    yield "objects", pandas.astype(object)
    # Some categories never occur.
    kind = pd.CategoricalDtype(["z", "dd", "c", "b", "a"])
    yield "categories", pandas.astype({"text": kind})
    yield "shuffled index", pandas.set_index(RNG.permutation(ROWS))
    yield "polars", polars
    yield "polars categories", polars.cast({"text": pl.Categorical})
    yield "polars enum", polars.cast({"text": pl.Enum(["z", "dd", "c", "b", "a"])})
    yield "polars lazy", polars.lazy()
    yield "arrow", pa.table(polars.to_arrow())
    yield "arrow dictionary", pa.table(polars.cast({"text": pl.Categorical}).to_arrow())


FRAMES = dict(frames())


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("cells", [4_000_000, 0], ids=["table", "sorted"])
def test_every_combination_is_counted(name, cells, monkeypatch):
    frame = FRAMES[name]
    monkeypatch.setattr(counting, "_CELLS", cells)
    for keys in (["text"], ["flag", "whole"], ["whole", "text", "part", "flag"]):
        table = count_combinations(nw.from_native(frame), keys)
        assert table.columns == [*keys, "total"]
        found = dict(zip(zip(*(table[key].to_list() for key in keys), strict=True),
                         table["total"].to_list(), strict=True))  # fmt: skip
        rows = zip(*(COLUMNS[key].tolist() for key in keys), strict=True)
        assert found == Counter(rows)


@pytest.mark.parametrize("maker", [pd.DataFrame, pl.DataFrame, pa.table])
def test_missing_values_are_kept(maker):
    table = count_combinations(nw.from_native(maker({"text": ["a", None, "a", None]})), ["text"])
    found = dict(zip(table["text"].to_list(), table["total"].to_list(), strict=True))
    assert found.pop("a") == 2 and list(found.values()) == [2]


def test_many_rows_are_counted_in_parts():
    number = np.arange(200_000) % 7
    table = count_combinations(nw.from_native(pd.DataFrame({"number": number})), ["number"])
    assert dict(zip(table["number"].to_list(), table["total"].to_list(), strict=True)) == Counter(
        number.tolist()
    )


def test_more_combinations_than_numbers():
    n = 60_000
    k = np.arange(n)
    table = count_combinations(nw.from_native(pd.DataFrame(dict.fromkeys("abcd", k))), list("abcd"))
    assert len(table) == n
    assert all((table["a"] == table[name]).all() for name in "bcd")


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_categories_of_numbers_are_texts(kind):
    frame = pd.DataFrame({"left": pd.Categorical([1, 2, 1, 3]), "right": ["2", "3", "3", "1"]})
    frame["outcome"] = ["left", "right", "tie", "right"]
    if kind == "arrow":
        codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 2], pa.uint64()), [1, 2, 3])
        frame = pa.table({"left": codes, "right": frame["right"], "outcome": frame["outcome"]})
    assert br.Comparisons.from_frame(frame).items == ["1", "2", "3"]


def test_columns_of_other_types_go_the_engine_s_own_way():
    days = pa.array([1, 2, 1], pa.date32())
    table = count_combinations(
        nw.from_native(pl.DataFrame({"when": pl.Series([1, 2, 1]).cast(pl.Date)})), ["when"]
    )
    assert sorted(table["total"].to_list()) == [1, 2]
    table = count_combinations(nw.from_native(pa.table({"when": days})), ["when"])
    assert sorted(table["total"].to_list()) == [1, 2]
