"""Many fits: the same answers wherever they run, and nothing lost where something dies."""

import os
import signal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesrank as br
from bayesrank.inference import many_fits

LAPLACE = {"method": "laplace", "draws": 50, "chains": 1, "seed": 3, "progress": False}


def season(seed, items=5, games=6):
    rng = np.random.default_rng(seed)
    score = rng.normal(size=items)
    left, right = np.triu_indices(items, 1)
    wins = rng.binomial(games, 1 / (1 + np.exp(score[right] - score[left])))
    counts = np.stack([wins, games - wins, 0 * wins], axis=1)
    return br.Comparisons(left, right, counts, [f"team {k}" for k in range(items)])


@pytest.fixture(scope="module")
def seasons():
    return {f"season {k}": season(k) for k in range(8)}


@pytest.fixture(scope="module")
def here(seasons):
    return br.fit_many(seasons, processes=1, **LAPLACE)


def same(one, other):
    assert list(one) == list(other)
    for key in one:
        np.testing.assert_array_equal(one[key].scores(), other[key].scores())


def test_here(seasons, here):
    assert list(here) == list(seasons)
    assert here.failures == {}
    assert repr(here) == "ManyFits(8 fits)"
    alone = br.fit(seasons["season 2"], **(LAPLACE | {"seed": many_fits._seed_of(3, "season 2")}))
    np.testing.assert_array_equal(here["season 2"].scores(), alone.scores())
    assert here.ranking().loc["season 4"].equals(here["season 4"].ranking())


def test_in_other_processes(seasons, here):
    same(br.fit_many(seasons, processes=2, **LAPLACE), here)


def test_instances_are_groups():
    lists = [["a", "b", "c"], ["b", "a"], ["x", "y"], ["y", "x", "z"]]
    data = br.Rankings.from_lists(lists, instances=["one", "one", "two", "two"])
    fits = br.fit_many(data, "plackett-luce", processes=1, **LAPLACE)
    assert list(fits) == ["one", "two"]
    assert set(fits["two"].ranking().index) == {"x", "y", "z"}


def test_what_is_done_is_not_done_again(seasons, here, tmp_path, monkeypatch):
    first = br.fit_many(dict(list(seasons.items())[:5]), folder=tmp_path, processes=1, **LAPLACE)
    assert len(list(tmp_path.glob("*.nc"))) == 5
    assert not list(tmp_path.glob("*.part"))
    done = []
    right = many_fits._fit_one

    def counted(*task):
        done.append(task)
        return right(*task)

    monkeypatch.setattr(many_fits, "_fit_one", counted)
    whole = br.fit_many(seasons, folder=tmp_path, processes=1, **LAPLACE)
    assert len(done) == 3
    assert len(first) == 5
    for key in seasons:
        np.testing.assert_allclose(whole[key].scores(), here[key].scores(), rtol=1e-12)
    # Other options, or other data, are another fit.
    br.fit_many(seasons, folder=tmp_path, processes=1, **(LAPLACE | {"draws": 60}))
    assert len(done) == 11
    br.fit_many({"season 0": season(99)}, folder=tmp_path, processes=1, **LAPLACE)
    assert len(done) == 12


@pytest.mark.parametrize("processes", [1, 2])
def test_a_failure_stops_nobody(seasons, processes):
    left, right = np.triu_indices(3, 1)
    ties = br.Comparisons(left, right, np.tile([0, 0, 4], (3, 1)), list("abc"))
    heard = {}
    fits = br.fit_many(
        {"bad": ties} | dict(list(seasons.items())[:2]), processes=processes,
        on_result=lambda key, fit: heard.update({key: fit is None}), **LAPLACE,
    )  # fmt: skip
    assert list(fits) == ["season 0", "season 1"]
    assert "Every comparison is a tie" in fits.failures["bad"]
    assert heard == {"bad": True, "season 0": False, "season 1": False}
    with pytest.raises(KeyError, match="The fit of 'bad' failed: ValueError"):
        fits["bad"]
    assert "1 failed" in repr(fits)


class Deadly(br.Comparisons):
    """Whoever unpacks it dies."""

    def __reduce__(self):
        return os._exit, (1,)


def test_a_process_that_dies_stops_nobody(seasons, here):
    one = seasons["season 0"]
    deadly = Deadly(one.left, one.right, one.counts, one.items)
    fits = br.fit_many({"deadly": deadly} | seasons, processes=2, **LAPLACE)
    assert list(fits) == list(seasons)
    assert fits.failures == {"deadly": "The process died."}
    same(fits, here)


def test_a_worker_of_a_cluster_that_is_killed(seasons, here, tmp_path):
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None,
            local_directory=str(tmp_path), silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        victim = next(iter(client.run(os.getpid).values()))
        heard = []

        def kill_after_three(key, fit):
            heard.append(key)
            if len(heard) == 3:
                os.kill(victim, signal.SIGKILL)

        fits = br.fit_many(seasons, client=client, on_result=kill_after_three, **LAPLACE)
    assert fits.failures == {}
    assert sorted(heard) == sorted(seasons)
    same(fits, here)


@pytest.mark.parametrize(
    ("groups", "options", "error", "message"),
    [
        ({"a": [1, 2]}, {}, TypeError, "`groups` must hold Comparisons or Rankings: a do not"),
        (season(1), {}, ValueError, "or data with instances"),
        ({}, {"processes": 2, "client": object()}, ValueError, "not both"),
    ],
)
def test_refusals(groups, options, error, message):
    with pytest.raises(error, match=message):
        br.fit_many(groups, **options)


def name_with(**options):
    return many_fits._name("a", season(1), None, 1, options)


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


def test_many_fits_name_those_that_failed(pudding):
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False, "processes": 1}
    with pytest.warns(UserWarning, match="Do not trust 1 of 1 fits yet: all"):
        fits = br.fit_many({"all": pudding}, "davidson", **few)
    assert fits.doubtful == ["all"]
