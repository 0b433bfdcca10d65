"""Runs that are stored: interrupted, killed, gone on with."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference import nutpie_driver
from bayesrank.inference.stores import Store
from bayesrank.results.sealed_files import read_sealed, write_sealed

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")
# A run that takes long enough to be stopped in the middle, and writes often.
SCRIPT = """
import sys
import bayesrank as br
from bayesrank.inference import nutpie_driver

nutpie_driver.KEEP_SECONDS = 0.1
games = br.load_dataset("nascar")
print("started", flush=True)
br.fit(
    games, "plackett-luce", seed=1, draws=200_000, chains=2, store=sys.argv[1], progress=False
)
"""


@pytest.fixture
def pudding():
    return br.load_dataset("pudding")


@FEW
def test_a_stored_run_is_the_same_run(pudding, tmp_path):
    options = {"seed": 4, "draws": 200, "chains": 2, "progress": False}
    plain = br.fit(pudding, **options)
    kept = br.fit(pudding, store=tmp_path / "run", **options)
    np.testing.assert_array_equal(plain.scores(), kept.scores())
    again = br.resume(tmp_path / "run")
    np.testing.assert_array_equal(again.scores(), kept.scores())
    assert again.diagnostics().divergences == kept.diagnostics().divergences
    assert again.method == "nuts"
    assert again.specification.data.same_as(pudding)


def drawn(path):
    """Return the draws of a store."""
    return Store.open(path, progress=False).read()


def wait_for_draws(path, process, least=50):
    """Wait until a run has written some draws of each chain."""
    for _ in range(1200):
        assert process.poll() is None, process.communicate()
        if path.exists() and min(drawn(path).lengths) >= least:
            return
        time.sleep(0.1)
    raise AssertionError("No draws were written.")


@FEW
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_what_was_drawn_is_kept(tmp_path, how):
    path = tmp_path / "run.zarr"
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        wait_for_draws(path, process)
        os.kill(process.pid, how)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    if how == signal.SIGINT:
        assert "draws are kept: br.resume(" in said
    have = drawn(path)
    least, most = min(have.lengths), max(have.lengths)
    assert least >= 50
    # A little more than there is, instead of the 200 000.
    wanted = most + 60
    fit = br.resume(path, draws=wanted, progress=False)
    assert fit.shape == (2, wanted)
    points, _ = have.first(least)
    own = br.Fit.from_points(fit.specification, "nuts", points).posterior["score"]
    np.testing.assert_array_equal(fit.posterior["score"][:, :least], own)
    assert fit.diagnostics().divergences == 0
    # The second part is no copy of the first.
    assert len(np.unique(fit.scores(), axis=0)) > 0.9 * 2 * wanted


@FEW
def test_an_interruption_before_the_first_draw(tmp_path):
    path = tmp_path / "run"
    script = SCRIPT.replace("draws=200_000", "draws=100, tune=10_000_000")
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stderr=subprocess.PIPE, text=True
    )
    try:
        for _ in range(1200):
            if path.exists():
                break
            time.sleep(0.1)
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert "0 of 200 draws are kept" in said
    assert "UserWarning" not in said
    store = Store.open(path, progress=False)
    assert store.read().lengths == [0, 0] and store.options.tune == 10_000_000


@FEW
def test_what_is_missing_is_sampled_by_chain(pudding, tmp_path):
    path = tmp_path / "run"
    whole = br.fit(pudding, store=path, seed=2, draws=100, chains=2, progress=False)
    points, stats = drawn(path).first(100)
    for part in path.glob("part-*"):
        part.unlink()
    lengths = (100, 30)  # as if the second chain had only come so far
    Store.open(path, progress=False).append(
        [chain[:n] for chain, n in zip(points, lengths, strict=True)],
        {k: [chain[:n] for chain, n in zip(v, lengths, strict=True)] for k, v in stats.items()},
    )
    fit = br.resume(path, progress=False)
    assert fit.shape == (2, 100)
    np.testing.assert_array_equal(fit.posterior["score"][0], whole.posterior["score"][0])
    np.testing.assert_array_equal(fit.posterior["score"][1, :30], whole.posterior["score"][1, :30])
    assert not np.array_equal(fit.posterior["score"][1, 30:], whole.posterior["score"][1, 30:])


def test_an_existing_store_is_not_overwritten(pudding, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").touch()
    with pytest.raises(ValueError, match=r"`store` is .* which exists: br\.resume"):
        br.fit(pudding, store=tmp_path / "run", progress=False)


def test_numbers_of_numpy_are_numbers(pudding, tmp_path):
    options = {"seed": np.int64(2), "draws": np.int32(20), "chains": 1, "progress": False}
    br.fit(pudding, store=tmp_path / "run", **options)
    assert br.resume(tmp_path / "run").shape == (1, 20)


def test_no_store(tmp_path):
    with pytest.raises(ValueError, match="holds no stored run"):
        br.resume(tmp_path / "nothing")


def test_another_format(pudding, tmp_path):
    path = tmp_path / "run"
    br.fit(pudding, store=path, seed=2, draws=20, chains=1, progress=False)
    run = json.loads(read_sealed(path / "run.json"))
    write_sealed(path / "run.json", json.dumps(run | {"format": 99}).encode())
    with pytest.raises(ValueError, match="format 99"):
        br.resume(path)


@FEW
def test_every_kind_of_objective_is_kept(tmp_path):
    """One that is called through Python, with a chain after the other."""
    games = br.load_dataset("pudding")
    fit = br.fit(
        games, "glenn-david", store=tmp_path / "run", seed=1, draws=60, chains=2, progress=False
    )
    assert fit.shape == (2, 60)
    assert nutpie_driver.KEEP_SECONDS == 5.0


def test_a_full_disk_keeps_what_fits(tmp_path):
    path = tmp_path / "run"
    limit = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
"""
    # A part is longer the longer one waits for it.
    script = limit + SCRIPT.replace("KEEP_SECONDS = 0.1", "KEEP_SECONDS = 4.0")
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert "0 of 400,000 draws are kept: br.resume(" in last
    assert last.endswith("part-00000.npz'")
    assert drawn(path).lengths == [0, 0]
