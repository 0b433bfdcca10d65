"""Many fits: the same answers wherever they run, and nothing lost where something dies."""

import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil
import pytest

import bayesrank as br
from bayesrank.inference import many_fits
from bayesrank.model.likelihoods import LIKELIHOODS
from tests.inference.processes import alive, wait_until
from tests.whole.sources import ROOT

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
    certain = here.ranking(0.6, tiers="certain").loc["season 4"]
    assert certain.equals(here["season 4"].ranking(0.6, tiers="certain"))


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
    assert len(list(tmp_path.glob("*.fit"))) == len(list(tmp_path.iterdir())) == 5
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


class Endless(br.Comparisons):
    """Whoever unpacks it sleeps."""

    def __reduce__(self):
        return time.sleep, (600,)


def test_a_fit_that_never_ends_stops_nobody(seasons, here):
    one = seasons["season 0"]
    endless = Endless(one.left, one.right, one.counts, one.items)
    fits = br.fit_many({"endless": endless} | seasons, processes=1, seconds=2.5, **LAPLACE)
    assert fits.failures == {"endless": "The fit took longer than 2.5 s and was ended."}
    same(fits, here)


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_a_rehearsal_fits_every_likelihood(likelihood):
    for row in LIKELIHOODS[likelihood].data:
        (fit,) = many_fits._rehearse([(row, likelihood)], {"method": "map"})
        assert fit.specification.likelihood == likelihood


def test_a_rehearsal_is_of_the_models_at_hand(seasons):
    mixed = [*seasons.values(), br.Rankings.from_lists([["a", "b"], [{"a", "b"}, "c"]])]
    prepare = many_fits._rehearsal(mixed, None, {"method": "laplace", "draws": 10_000_000})
    fits = pickle.loads(pickle.dumps(prepare))()
    assert [fit.specification.likelihood for fit in fits] == ["bradley-terry", "davidson-luce"]
    assert {fit.method for fit in fits} == {"laplace"}


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
        ({}, {"seconds": 9, "client": object()}, ValueError, "`seconds` is for local processes: a"),
        ({}, {"seconds": 0}, ValueError, "`seconds` must be a number greater than 0, got 0"),
        ({}, {"seconds": "9"}, ValueError, "`seconds` must be a number greater than 0, got '9'"),
        ({}, {"seconds": np.nan}, ValueError, "`seconds` must be a number greater than 0, got nan"),
    ],
)
def test_refusals(groups, options, error, message):
    with pytest.raises(error, match=message):
        br.fit_many(groups, **options)


def test_many_fits_name_those_that_failed(pudding):
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False, "processes": 1}
    with pytest.warns(UserWarning, match="Do not trust 1 of 1 fits yet: all"):
        fits = br.fit_many({"all": pudding}, "davidson", **few)
    assert fits.doubtful == ["all"]


def test_kept_fits_are_those_that_were_made(seasons, here, tmp_path):
    heard = {}
    fits = br.fit_many(
        seasons, folder=tmp_path, processes=2, on_result=heard.__setitem__, **LAPLACE
    )
    same(fits, here)
    same({key: heard[key] for key in here}, here)
    assert repr(fits) == "ManyFits(8 fits)"


# Many more fits than are waited for.
SCRIPT = """
import sys
import bayesrank as br
from tests.inference.test_many_fits import LAPLACE, season

folder, processes, groups = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
br.fit_many({k: season(k) for k in range(groups)}, folder=folder, processes=processes, **LAPLACE)
"""


def start(folder, processes, groups):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, folder, str(processes), str(groups)], cwd=ROOT, text=True,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("processes", [1, 2])
def test_an_interruption_is_one_error_and_loses_nothing(tmp_path, processes):
    process = start(tmp_path, processes, 5000)
    try:
        while len(list(tmp_path.glob("*.fit"))) < 10:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        workers = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=10)
    finally:
        process.kill()
    wait_until(lambda: not alive(workers))
    paths = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.fit")}
    kept = f"{len(paths):,} of 5,000 fits are kept in '{tmp_path}': the same call goes on"
    assert said.count("Traceback") == 1
    assert f"KeyboardInterrupt: Fitting was interrupted; {kept}" in said.splitlines()[-1]
    assert len(said.splitlines()) < 20
    groups = {k: season(k) for k in range(12)}
    fits = br.fit_many(groups, folder=tmp_path, processes=1, **LAPLACE)
    same(fits, br.fit_many(groups, processes=1, **LAPLACE))
    assert {path: path.stat().st_mtime_ns for path in paths} == paths


def test_an_interruption_without_a_folder(seasons):
    def interrupt(key, fit):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"1 of 8 fits were done. A `folder` would"):
        br.fit_many(seasons, processes=1, on_result=interrupt, **LAPLACE)


def test_two_processes_may_share_a_folder(tmp_path):
    processes = [start(tmp_path, 1, 30) for _ in range(2)]
    for process in processes:
        assert process.communicate(timeout=60) == (None, "")
        assert process.returncode == 0
    groups = {k: season(k) for k in range(30)}
    fits = br.fit_many(groups, folder=tmp_path, processes=1, **LAPLACE)
    assert len(list(tmp_path.iterdir())) == 30
    same(fits, br.fit_many(groups, processes=1, **LAPLACE))


def test_two_threads_may_share_a_folder(seasons, here, tmp_path):
    before = list(warnings.filters)
    options = {"folder": tmp_path, "processes": 1} | LAPLACE
    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(br.fit_many, seasons, **options) for _ in range(3)]
        for one in running:
            same(one.result(), here)
    assert warnings.filters == before
    assert len(list(tmp_path.iterdir())) == len(seasons)


@pytest.fixture
def largest_file():
    """Return a function that lets no file grow beyond a size."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_where_nothing_more_can_be_written(seasons, here, tmp_path, largest_file):
    heard = []

    def fill_the_disk(key, fit):
        heard.append(key)
        if len(heard) == 3:
            largest_file(10)

    options = {"folder": tmp_path, "processes": 1} | LAPLACE
    said = r"season-3-.*\.fit' cannot be written: File too large\. The fits end here: 4 of 8"
    with pytest.warns(UserWarning, match=said) as caught:
        fits = br.fit_many(seasons, on_result=fill_the_disk, **options)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert heard == list(fits) == list(seasons)[:4]  # the last one is in memory
    same(fits, {key: here[key] for key in fits})
    assert list(fits.failures) == list(seasons)[4:]
    assert "Not fitted, since others could not be kept: '" in fits.failures["season 4"]
    assert len(list(tmp_path.iterdir())) == 3
    largest_file(-1)
    same(br.fit_many(seasons, **options), here)


def test_where_other_processes_can_write_nothing(seasons, here, tmp_path, largest_file):
    largest_file(10)
    with pytest.warns(UserWarning, match=r"File too large\. The fits end here: 1 of 8"):
        fits = br.fit_many(seasons, folder=tmp_path, processes=2, **LAPLACE)
    assert len(fits) == 1 and len(fits.failures) == 7
    assert not list(tmp_path.iterdir())
