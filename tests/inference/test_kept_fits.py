"""Files of kept fits: known by all that a fit depends on, and counted if they are whole."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesrank as br
from bayesrank.inference.kept_fits import file_name
from tests.inference.test_many_fits import LAPLACE, same, season
from tests.whole.sources import ROOT

# Written by version 0.1.0.
SAVED = ROOT / "tests" / "results" / "saved" / "davidson.nc"


def name_with(**options):
    return file_name("a", season(1), None, 1, options)


@pytest.mark.parametrize(
    "kind", [np.asarray, pd.DataFrame, pl.DataFrame, lambda x: pa.table({"x": x[:, 1]}), list]
)
def test_a_result_is_known_by_all_numbers_of_its_features(kind):
    one = np.zeros((3000, 2))
    other = one.copy()
    other[1500, 1] = 1e-12  # which nothing prints
    assert name_with(features=kind(one)) == name_with(features=kind(one.copy()))
    assert name_with(features=kind(one)) != name_with(features=kind(other))


def test_a_result_is_known_by_its_options():
    series = pd.Series(0.5, [f"i{k}" for k in range(100)])
    other = series.copy()
    other["i50"] = 30.0
    options = [
        {"1": 0.1, "2": 220.3}, {"1": 0.12, "2": 20.3}, series, other, series.rename(str.upper),
        [[1, 2], [3]], [[1], [2, 3]], {1: 0.5, "1": 0.7}, {1: 0.7, "1": 0.5}, {"\ud800": 1.0},
    ]  # fmt: skip
    names = [name_with(variances=option) for option in options]
    assert len(set(names)) == len(names)
    assert name_with(variances={"b": 1, "a": 2}) == name_with(variances={"a": 2, "b": 1})


def test_what_data_remember_is_no_part_of_them():
    votes = br.Rankings.from_lists([["a", {"b", "c"}], ["b", "a"]])
    before = file_name("a", votes, None, 1, {})
    assert votes.has_ties and "_tied" in vars(votes)
    assert file_name("a", votes, None, 1, {}) == before


@pytest.fixture(scope="module")
def groups():
    return {f"season {k}": season(k) for k in range(4)}


@pytest.fixture(scope="module")
def here(groups):
    return br.fit_many(groups, processes=1, **LAPLACE)


DAMAGES = [
    lambda content: content[: len(content) // 2],
    lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    lambda content: b"",
]


def test_damaged_files_are_set_aside_and_made_again(groups, here, tmp_path):
    br.fit_many(groups, folder=tmp_path, processes=1, **LAPLACE)
    whole, *paths = sorted(tmp_path.iterdir())
    written = whole.stat().st_mtime_ns
    for path, damage in zip(paths, DAMAGES, strict=True):
        path.write_bytes(damage(path.read_bytes()))
    names = ", ".join(f"{path.name}.damaged" for path in paths)
    with pytest.warns(UserWarning, match=f"were set aside as {names}. Their groups") as caught:
        again = br.fit_many(groups, folder=tmp_path, processes=1, **LAPLACE)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert sorted(tmp_path.glob("*.damaged")) == [
        path.with_suffix(".fit.damaged") for path in paths
    ]
    assert whole.stat().st_mtime_ns == written
    same(again, here)
    same(br.fit_many(groups, folder=tmp_path, processes=1, **LAPLACE), here)


def test_netcdf_files_of_older_versions_count(tmp_path):
    old = br.Fit.load(SAVED)
    groups = dict.fromkeys(("whole", "cut", "empty"), old.specification.data)
    options = {"method": "laplace", "draws": 7, "chains": 1}
    paths = {
        key: (tmp_path / file_name(key, data, None, 1, options)).with_suffix(".nc")
        for key, data in groups.items()
    }
    content = SAVED.read_bytes()
    for path, part in zip(paths.values(), (content, content[:3000], b""), strict=True):
        path.write_bytes(part)
    with pytest.warns(UserWarning, match=f"{paths['cut'].name}.damaged, {paths['empty'].name}.dam"):
        fits = br.fit_many(groups, folder=tmp_path, processes=1, seed=1, progress=False, **options)
    np.testing.assert_array_equal(fits["whole"].scores(), old.scores())
    assert fits["cut"].shape == fits["empty"].shape == (1, 7) != old.shape
    endings = [".damaged", ".damaged", ".fit", ".fit", ".nc"]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == endings


def test_labels_that_no_file_can_hold_are_a_failure(groups, tmp_path):
    odd = br.Rankings.from_lists([[1j, 2j], [2j, 1j]])
    fits = br.fit_many({"odd": odd} | groups, folder=tmp_path, processes=1, **LAPLACE)
    assert list(fits) == list(groups)
    assert "texts, numbers, dates or tuples" in fits.failures["odd"]
