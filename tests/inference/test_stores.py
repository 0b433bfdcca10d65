"""The folder of a stored run: made whole, added to, damaged, locked."""

import os
import threading
from datetime import date

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference.options import Options
from bayesrank.inference.stores import Store

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")
RUN = {"seed": 3, "draws": 40, "chains": 2, "progress": False}


@pytest.fixture
def model():
    return br.Specification(br.load_dataset("pudding"), "davidson")


@pytest.fixture
def store(model, tmp_path):
    return Store.create(tmp_path / "run", model, Options(draws=40, chains=2))


def some_draws(store, lengths, first=0.0):
    """Append draws that are numbers in a row."""
    size = store.specification.size
    points = [np.full((n, size), first) + np.arange(n)[:, None] for n in lengths]
    store.append(points, {"energy": [chain[:, 0] for chain in points]})


def test_parts_are_put_one_after_the_other(store):
    some_draws(store, (3, 0))
    some_draws(store, (2, 4), 10.0)
    drawn = store.read()
    assert drawn.lengths == [5, 4]
    points, stats = drawn.first(4)
    assert points[:, :, 0].tolist() == [[0, 1, 2, 10], [10, 11, 12, 13]]
    assert stats["energy"].tolist() == points[:, :, 0].tolist()


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_damaged_part_is_set_aside_by_name(store, which):
    for k in range(3):
        some_draws(store, (2, 2), 10.0 * k)
    part = store.path / f"part-{which:05d}.npz"
    part.write_bytes(part.read_bytes()[:-50])
    with pytest.warns(UserWarning, match=rf"set aside as part-{which:05d}\.npz\.damaged\."):
        drawn = store.read()
    assert drawn.lengths == [4, 4] and not part.exists()
    # What comes next never takes the place of what was there.
    some_draws(store, (1, 1), 90.0)
    assert (store.path / "part-00003.npz").exists()
    assert store.read().first(5)[0][0, -1, 0] == 90.0


def test_a_part_that_was_deleted_is_not_the_next_one(store):
    for k in range(3):
        some_draws(store, (2, 2), 10.0 * k)
    (store.path / "part-00000.npz").unlink()
    some_draws(store, (1, 1), 90.0)
    assert store.read().first(5)[0][0, :, 0].tolist() == [10, 11, 20, 21, 90]


@FEW
def test_a_run_with_a_damaged_part_goes_on(tmp_path):
    games, path = br.load_dataset("pudding"), tmp_path / "run"
    br.fit(games, store=path, **RUN)
    part = path / "part-00000.npz"
    part.write_bytes(bytes(part.stat().st_size))
    with pytest.warns(UserWarning, match=r"part-00000\.npz\.damaged"):
        fit = br.resume(path, progress=False)
    assert fit.shape == (2, 40) and np.isfinite(fit.scores()).all()
    assert br.resume(path, progress=False).scores().tolist() == fit.scores().tolist()


@pytest.mark.parametrize("name", ["model.nc", "run.json"])
def test_a_damaged_model_is_named(store, name):
    path = store.path / name
    path.write_bytes(path.read_bytes()[:-10] + bytes(10))
    with pytest.raises(ValueError, match=f"{name}' is damaged"):
        br.resume(store.path)


@FEW
def test_dates_and_numpy_numbers_are_kept(tmp_path):
    days = [date(2024, 1, k) for k in (1, 2, 3)]
    games = br.Rankings.from_lists([days, days[::-1], days[1:]])
    run = RUN | {"target_accept": np.float64(0.9), "seed": np.int64(1)}
    fit = br.fit(games, "plackett-luce", store=tmp_path / "run", **run)
    again = br.resume(tmp_path / "run")
    assert again.specification.data.items == days
    np.testing.assert_array_equal(again.scores(), fit.scores())


def test_what_cannot_be_stored_leaves_nothing(tmp_path):
    games = br.Rankings.from_lists([[1j, 2j], [2j, 1j]])
    with pytest.raises(ValueError, match="texts, numbers, dates or tuples"):
        br.fit(games, "plackett-luce", store=tmp_path / "run", **RUN)
    assert not os.listdir(tmp_path)


def test_a_folder_that_cannot_be_made(model, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        Store.create(tmp_path / "file" / "run", model, Options())
    assert os.listdir(tmp_path) == ["file"]


@FEW
def test_an_empty_folder_may_be_given(tmp_path):
    (tmp_path / "run").mkdir()
    br.fit(br.load_dataset("pudding"), store=tmp_path / "run", **RUN)
    assert br.resume(tmp_path / "run").shape == (2, 40)
    assert os.listdir(tmp_path) == ["run"]


def test_one_at_a_time(store):
    found = []

    def other():
        try:
            br.resume(store.path, progress=False)
        except ValueError as error:
            found.append(str(error))

    with store.locked():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "is being sampled into by another process or thread" in found[0]


@FEW
def test_a_run_may_be_made_longer(tmp_path):
    path = tmp_path / "run"
    fit = br.fit(br.load_dataset("pudding"), store=path, **RUN)
    longer = br.resume(path, draws=60, progress=False)
    assert longer.shape == (2, 60)
    np.testing.assert_array_equal(longer.posterior["score"][:, :40], fit.posterior["score"])
    with pytest.raises(ValueError, match="`draws` must be a whole number from 1 up"):
        br.resume(path, draws=0)
