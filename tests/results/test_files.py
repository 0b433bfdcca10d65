"""Fits as files: every field of the data is kept, and all comes back."""

import inspect
import json
import shutil
import subprocess
import sys
import warnings
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank import _compat
from bayesrank.data import Comparisons, Rankings, ranking_slots
from bayesrank.kernels.samplers import draw_geometric
from bayesrank.results import groups
from bayesrank.results.files import save, save_compact
from tests.model.preference_data import DATA
from tests.model.ranked_lists import queries


def test_storage_knows_every_field():
    observed = {"Comparisons": {"counts", "features"}, "Rankings": {"ranks", "features"}}
    for kind in (Comparisons, Rankings):
        name = kind.__name__
        stored = {*groups.FIELDS[name], *groups.LABELS[name]} - set(groups._FEATURES)
        assert set(inspect.signature(kind).parameters) == stored | observed[name]


def test_instances_are_saved_and_loaded(tmp_path):
    lists = [["a", "b", "c"], ["c", "b", "a"], ["b", "a"], ["a", "b"]]
    ranked = Rankings.from_lists(lists, instances=["q", "q", "p", "p"], agents=list("xyxy"))
    pairs = ranked.to_comparisons(by_agent=True, warn=False)
    for data, likelihood in ((ranked, "plackett-luce"), (pairs, "bradley-terry")):
        br.fit(data, likelihood, method="map", scale=1.0).save(tmp_path / "run.nc")
        again = br.Fit.load(tmp_path / "run.nc").specification.data
        assert again.same_as(data) and again.instances == ["p", "q"]
    assert again.derived


def test_saved_fits_keep_the_scale(pudding, tmp_path):
    for method in ("map", "laplace"):
        fit = br.fit(pudding, method=method, seed=1, draws=50, chains=1)
        fit.save(tmp_path / "fit.nc")
        again = br.Fit.load(tmp_path / "fit.nc")
        assert again.specification.learns_scale
        np.testing.assert_array_equal(again.posterior["scale"], fit.posterior["scale"])


def test_saved_rankings_come_back(davidson_luce, tmp_path):
    davidson_luce.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.specification.data.same_as(davidson_luce.specification.data)
    pd.testing.assert_frame_equal(again.ranking(), davidson_luce.ranking())
    pd.testing.assert_frame_equal(again.parameters(), davidson_luce.parameters())
    np.testing.assert_allclose(again.log_likelihood(), davidson_luce.log_likelihood(), rtol=1e-12)


def test_learning_to_rank_with_ties_and_given_features(tmp_path):
    data = queries(2, draw=draw_geometric)
    assert data.has_ties
    given = br.fit(data, "davidson-luce", method="map", features=data.features)
    fit = br.fit(data, "davidson-luce", method="map")
    np.testing.assert_allclose(
        given.parameters()["mean"].to_numpy(), fit.parameters()["mean"].to_numpy(), rtol=1e-5
    )
    assert given.specification.feature_names == ["x1", "x2"]
    given.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.parameters(), given.parameters())


ARGUMENTS = [
    ("comparisons", "one", "map", {"adherence": "learned"}),
    ("comparisons", "several", "laplace", {"adherence": "by-instance"}),
    ("comparisons", "one", "map", {"variances": False, "adherence": {0: 0.1}, "scale": 0.5}),
    ("ratings", "several", "map", {"variances": False, "weight": "effective"}),
    ("ratings", "one", "laplace", {"adherence": 1.0, "weight": 0.25}),
    ("ratings", "several", "map", {"variances": "given", "adherence": "by-instance"}),
    ("ranks", "several", "laplace", {"adherence": "given", "scale": 2.0}),
    ("ranks", "one", "map", {"variances": 0.8, "adherence": "list", "scale": np.inf}),
]


@pytest.mark.parametrize(("data", "instances", "method", "options"), ARGUMENTS, ids=str)
def test_saved_fits_come_back(data, instances, method, options, tmp_path):
    data, options = DATA[data](instances), dict(options)
    some = np.random.default_rng(10).uniform(0.3, 0.9, 50)
    if isinstance(options.get("adherence"), dict) or options.get("adherence") == "given":
        options["adherence"] = dict(zip(data.agents, some.tolist(), strict=False))
    elif options.get("adherence") == "list":
        options["adherence"] = some[: len(data.agents)].tolist()
    if options.get("variances") == "given":
        labels = zip((data.instances[q] for q in data.instance), data.items, strict=True)
        options["variances"] = dict(zip(labels, some.tolist(), strict=False))
    fit = br.fit(data, "mpm", method=method, seed=1, draws=20, chains=2, **options)
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.specification.data.same_as(data) and repr(again) == repr(fit)
    for table in ("ranking", "items", "agents", "parameters"):
        pd.testing.assert_frame_equal(getattr(again, table)(), getattr(fit, table)())
    np.testing.assert_allclose(again.log_likelihood(), fit.log_likelihood(), rtol=1e-12)
    x = np.random.default_rng(11).normal(size=fit.specification.size)
    assert again.specification.objective(x)[0] == fit.specification.objective(x)[0]


def test_saved_approximations_come_back(advi, tmp_path):
    advi.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.items(), advi.items())
    pd.testing.assert_frame_equal(again.agents(), advi.agents())


@pytest.mark.parametrize("options", [{}, {"order_effect": True}, {"features": True}], ids=str)
def test_save_and_load_round_trip(tmp_path, pudding, options):
    if options.get("features"):
        options = {"features": pd.DataFrame({"x": np.arange(6.0)}, index=pudding.items)}
    fit = br.fit(pudding, "davidson", method="laplace", draws=50, chains=2, seed=1, **options)
    fit.log_likelihood()
    fit.save(tmp_path / "run.nc")
    again = br.Fit.load(tmp_path / "run.nc")
    pd.testing.assert_frame_equal(again.ranking(), fit.ranking())
    pd.testing.assert_frame_equal(again.parameters(), fit.parameters())
    pd.testing.assert_frame_equal(again.win_probabilities(), fit.win_probabilities())
    assert again.specification.data.same_as(fit.specification.data)
    assert repr(again) == repr(fit) and again.seed == 1
    assert "log_likelihood" in _compat.group_names(again.idata)
    assert again.model.named_vars_to_dims["score"] == ("item",)


def test_loading_something_else(tmp_path, nuts_fit):
    foreign = _compat.make_idata({"posterior": _compat.to_dataset(nuts_fit.idata, "posterior")})
    foreign.to_netcdf(str(tmp_path / "foreign.nc"), engine="h5netcdf")
    with pytest.raises(ValueError, match="does not hold a fit of bayesrank"):
        br.Fit.load(tmp_path / "foreign.nc")


def test_nuts_fits_are_kept_whole(tmp_path, nuts_fit):
    nuts_fit.save(tmp_path / "run.nc")
    again = br.Fit.load(tmp_path / "run.nc")
    assert again.diagnostics() == nuts_fit.diagnostics()
    pd.testing.assert_frame_equal(again.ranking(), nuts_fit.ranking())


SAVED = Path(__file__).parent / "saved"


@pytest.mark.parametrize("name", sorted(path.stem for path in SAVED.glob("*.nc")))
def test_files_of_version_0_1_are_read(name):
    """Written by 0.1.0 with rankings as matrices; `values.json` has what that version said."""
    expected = json.loads((SAVED / "values.json").read_text())[name]
    fit = br.Fit.load(SAVED / f"{name}.nc")
    assert repr(fit.specification) == expected["repr"]
    for quantity in set(expected["posterior"]) & set(fit.posterior):
        np.testing.assert_array_equal(fit.posterior[quantity], expected["posterior"][quantity])
    assert set(fit.specification.names) <= set(fit.posterior)
    np.testing.assert_allclose(fit.log_likelihood(), expected["log_likelihood"], rtol=1e-10)
    assert len(fit.ranking()) == len(fit.specification.data.items)


def test_runs_that_version_0_1_stored_are_read(tmp_path):
    run = shutil.copytree(SAVED / "run", tmp_path / "run")
    fit = br.resume(run, progress=False)
    assert fit.shape == (1, 5) and fit.seed == 3


def test_rankings_whose_slots_would_not_fit_are_saved_by_entry(tmp_path, monkeypatch):
    lists = [["a", {"b", "c"}, "d"], ["b", "a"], ["d", "c", "a"]]
    data = Rankings.from_lists(lists, weights=[1.0, 2.0, 0.5])
    fit = br.fit(data, "davidson-luce", method="laplace", draws=20, chains=1, seed=1)
    monkeypatch.setattr("bayesrank.data.ranking_slots._MOST_SLOTS", 5)
    with pytest.raises(MemoryError, match="`entry_item`, `entry_rank`, `entry_features`"):
        data.ranks  # noqa: B018
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.specification.data.same_as(data)
    np.testing.assert_array_equal(again.scores(), fit.scores())
    np.testing.assert_allclose(again.log_likelihood(), fit.log_likelihood())


def damaged_copies(content, rng, number):
    """Yield copies of a file that went wrong in some way."""
    for k in range(number):
        damaged = bytearray(content)
        place, length = int(rng.integers(len(content))), int(2 ** rng.uniform(0, 12))
        if k % 5 == 0:
            damaged[place] ^= 1 << int(rng.integers(8))
        elif k % 5 == 1:
            damaged[place : place + length] = bytes(length)
        elif k % 5 == 2:
            damaged[place : place + length] = rng.bytes(length)
        elif k % 5 == 3:
            del damaged[place:]
        else:
            del damaged[place : place + length]
        if bytes(damaged) != content:
            yield bytes(damaged)


@pytest.mark.parametrize("write", [save, save_compact])
def test_damaged_files_are_refused_in_a_sentence(pudding, tmp_path, write):
    path = tmp_path / "fit.nc"
    write(br.fit(pudding, method="laplace", draws=50, chains=2, seed=1), path)
    content, rng = path.read_bytes(), np.random.default_rng(2)
    for damaged in damaged_copies(content, rng, 60):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"fit\.nc' (is damaged|does not hold a fit)") as error:
            br.Fit.load(path)
        assert len(str(error.value).splitlines()) == 1


def test_old_files_that_lost_their_end_or_more(tmp_path):
    content = (SAVED / "davidson.nc").read_bytes()
    path = tmp_path / "fit.nc"
    for damaged in (content[:-1], content + b"x", content[:1000], content[:20]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="is damaged: its first bytes do not fit its length"):
            br.Fit.load(path)


def test_a_file_that_was_changed_after_it_was_saved(pudding, tmp_path):
    """Without its seal it looks like one of the last version."""
    path = tmp_path / "fit.nc"
    br.fit(pudding, method="map").save(path)
    path.write_bytes(path.read_bytes()[:-98])
    with pytest.raises(ValueError, match="it was changed after it was saved"):
        br.Fit.load(path)


def test_a_small_file_that_asks_for_much_memory(tmp_path):
    import h5netcdf

    path = tmp_path / "bomb.nc"
    with h5netcdf.File(path, "w") as file:
        group = file.create_group("constant_data")
        group.dimensions = {"pair": 200_000_000}
        group.create_variable("left", ("pair",), "f8", chunks=(1000,))
    assert path.stat().st_size < 30_000
    with pytest.raises(ValueError, match="bytes cannot hold the 1,600,000,000 it speaks of"):
        br.Fit.load(path)


def test_something_else_altogether(tmp_path):
    path = tmp_path / "fit.nc"
    for content in (b"", b"left,right\na,b\n", bytes(5000)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="does not hold a fit of bayesrank"):
            br.Fit.load(path)


def test_others_read_what_was_saved(pudding, tmp_path):
    """The seal is where netCDF does not look."""
    fit = br.fit(pudding, method="laplace", draws=50, chains=2, seed=1)
    fit.save(tmp_path / "fit.nc")
    found = _compat.arviz().from_netcdf(str(tmp_path / "fit.nc"))
    np.testing.assert_array_equal(found["posterior"]["score"].values, fit.posterior["score"])


@pytest.mark.parametrize("write", [save, save_compact])
def test_labels_of_many_kinds(tmp_path, write):
    days = [date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)]
    times = [datetime(2024, 1, 1, 12, tzinfo=UTC), datetime(2024, 1, 2)]
    for labels in (
        days,
        times,
        [("a", 1), ("b", 2)],
        [1, 2],
        [0.5, 1.5],
        ["1", "2"],
        [True, False],
    ):
        data = Rankings.from_lists([labels, labels[::-1]])
        fit = br.fit(data, method="laplace", draws=20, chains=1, seed=1)
        write(fit, tmp_path / "fit.nc")
        again = br.Fit.load(tmp_path / "fit.nc")
        assert again.specification.data.same_as(data)
        assert list(again.ranking().index) == list(fit.ranking().index)


def test_labels_that_cannot_be_saved(tmp_path):
    data = Rankings.from_lists([[1j, 2j], [2j, 1j]])
    with pytest.raises(ValueError, match="texts, numbers, dates or tuples"):
        br.fit(data, method="map").save(tmp_path / "fit.nc")
    assert not list(tmp_path.iterdir())


def test_saving_on_a_full_disk(tmp_path):
    """In a process of its own, which must live: HDF5 used to take it down."""
    script = """if True:
        import resource, sys
        import bayesrank as br

        fit = br.fit(br.load_dataset("pudding"), method="laplace", seed=1, progress=False)
        fit.save(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))
        try:
            fit.save(sys.argv[1])
        except OSError as error:
            print(error)
        print(br.Fit.load(sys.argv[1]).ranking().equals(fit.ranking()))
    """
    command = [sys.executable, "-c", script, str(tmp_path / "fit.nc")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"[Errno 27] File too large: '{tmp_path / 'fit.nc'}'", "True",
    ]  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["fit.nc"]


@pytest.mark.parametrize("method", ["map", "laplace"])
def test_what_is_known_of_the_rows_is_saved(method, tmp_path):
    rows = pd.DataFrame({"left": list("aabc"), "right": list("bbca"), "wins": [2, 1, 3, 2],
                         "losses": 1, "both_bad": [0, 1, 2, 0.5], "x": [0.5, 1, 2, -1],
                         "topic": ["s", "t", "t", "s"]})  # fmt: skip
    data = Comparisons.from_counts(rows, category="topic", features=["x"])
    features = pd.DataFrame({"z": [1.0, 2.0, 4.0]}, index=list("abc"))  # of items
    for chosen in (None, features, False):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="`features` of items take the place")
            fit = br.fit(data, method=method, seed=1, draws=20, chains=1, features=chosen)
        fit.save(tmp_path / "fit.nc")
        save_compact(fit, tmp_path / "light.fit")
        for name in ("fit.nc", "light.fit"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                again = br.Fit.load(tmp_path / name)
            assert again.specification.data.same_as(data)
            pd.testing.assert_frame_equal(again.parameters(), fit.parameters())
    lists = [["a", "b", "c"], ["c", "b", "a"], ["b", "a"]]
    data = Rankings.from_lists(lists, categories=["s", "t", "s"])
    for limit in (10**8, 1):  # as a table of slots, and entries one after the other
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranking_slots, "_MOST_SLOTS", limit)
            br.fit(data, method=method, seed=1, draws=20, chains=1).save(tmp_path / "fit.nc")
        assert br.Fit.load(tmp_path / "fit.nc").specification.data.same_as(data)
