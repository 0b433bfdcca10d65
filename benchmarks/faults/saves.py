"""Saved fits: on a disk that is full, and damaged in many ways."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import bayesrank as br
from benchmarks.faults.children import (
    CRASHED,
    HUNG,
    LOST,
    RAW,
    REFUSED,
    RIGHT,
    WRONG,
    judged,
    run_child,
    small_disk,
)

__all__ = ["damaged_copies", "damaged_saves", "full_disk"]

# Fill the disk up to so many bytes, by a file or by a limit where there is no disk of its own.
FILL = """
import os, resource, sys
import bayesrank as br

folder, left, mounted = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "True"

def fill():
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (left, resource.RLIM_INFINITY))
        return
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    with open(folder + "/filler", "wb") as file:
        file.write(bytes(max(free - left, 0)))

games = br.load_dataset("pudding")
options = {"method": "laplace", "draws": 1000, "chains": 4, "seed": 1, "progress": False}
"""
SAVE = """
fit = br.fit(games, **options)
path = folder + "/fit.nc"
fit.save(path)
fill()
try:
    fit.save(path)
except OSError as error:
    assert path in str(error) and "Errno" in str(error)
    print("refused")
print("same" if br.Fit.load(path).ranking().equals(fit.ranking()) else "lost")
"""
MANY = """
groups = {k: games for k in range(30)}
options["draws"] = 50
fill()
try:
    fits = br.fit_many(groups, folder=folder + "/fits", seed=1, processes=1, progress=False,
                       **{n: v for n, v in options.items() if n not in ("seed", "progress")})
except OSError as error:
    print("refused")
os.path.exists(folder + "/filler") and os.remove(folder + "/filler")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
fits = br.fit_many(groups, folder=folder + "/fits", seed=1, processes=1, progress=False,
                   **{n: v for n, v in options.items() if n not in ("seed", "progress")})
print("same" if len(fits) == 30 and not fits.failures else "lost")
"""
STORE = """
from bayesrank.inference import nutpie_driver

nutpie_driver.KEEP_SECONDS = 0.2
fill()
try:
    br.fit(br.load_dataset("nascar"), seed=1, draws=3000, chains=2, progress=False,
           store=folder + "/run")
except OSError as error:
    print("refused")
os.path.exists(folder + "/filler") and os.remove(folder + "/filler")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
if os.path.exists(folder + "/run"):
    fit = br.resume(folder + "/run", draws=50, progress=False)
else:
    fit = br.fit(br.load_dataset("nascar"), seed=1, draws=50, chains=2, progress=False,
                 store=folder + "/run")
print("same" if fit.shape == (2, 50) else "lost")
"""
COMMAND = """
fill()
from bayesrank.cli import main
code = main(["rank", "pudding", "--method", "laplace", "--seed", "1", "--save",
             folder + "/fit.nc", "--quiet"])
print("refused" if code == 2 else "", "same", flush=True)
"""


def full_disk(tries, rng):
    """Yield what became of fits that were saved, kept or stored on a full disk."""
    for k in range(tries):
        script, need = ((SAVE, 300_000), (MANY, 100_000), (STORE, 600_000), (COMMAND, 300_000))[
            k % 4
        ]
        with small_disk(4) as (folder, mounted):
            left = int(rng.uniform(0, 1) ** 2 * need)
            child = run_child(FILL + script, folder, left, mounted)
        outcome = judged(child, RIGHT)
        if outcome == RIGHT:
            said = child.out.split()
            outcome = LOST if "same" not in said else REFUSED if "refused" in said else RIGHT
            if script is COMMAND and "rank" not in child.out:
                outcome = LOST  # the ranking itself
        yield outcome, f"left {left}: {child.out[-200:]} {child.err[-500:]}"


def damaged_copies(content, rng, number):
    """Yield copies of a file that went wrong in some way."""
    for k in range(number):
        damaged = bytearray(content)
        place, length = int(rng.integers(len(content))), int(2 ** rng.uniform(0, 14))
        kind = k % 6
        if kind == 0:
            damaged[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            damaged[place : place + length] = bytes(len(damaged[place : place + length]))
        elif kind == 2:
            damaged[place : place + length] = rng.bytes(len(damaged[place : place + length]))
        elif kind == 3:
            del damaged[place:]
        elif kind == 4:
            del damaged[place : place + length]
        else:
            damaged[place:place] = rng.bytes(length)
        yield bytes(damaged)


LOAD = """
import json, sys, time, warnings
from pathlib import Path
import bayesrank as br

warnings.simplefilter("ignore")
folder, first, scores = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
br.Fit.load(folder / "whole.nc")  # what is imported when a file is first read
for path in sorted(folder.glob("*.damaged.nc"))[first:]:
    began = time.monotonic()
    try:
        fit = br.Fit.load(path)
        found = "right" if fit.scores().tolist() == scores else "wrong"
    except ValueError as error:
        own = str(path) in str(error) and len(str(error).splitlines()) == 1
        found = "refused in a sentence" if own else f"error without a sentence {error!r}"
    except Exception as error:
        found = f"error without a sentence {error!r}"
    seconds = time.monotonic() - began
    print(json.dumps(found if seconds < 1.0 else "hung"), flush=True)
"""


def damaged_saves(tries, rng):
    """Yield what became of damaged files that were read."""
    from bayesrank.results.files import save, save_compact

    for write in (save, save_compact):
        fit = br.fit(br.load_dataset("pudding"), method="laplace", draws=10, chains=2, seed=1)
        with TemporaryDirectory() as folder:
            whole = Path(folder, "whole.nc")
            write(fit, whole)
            copies = damaged_copies(whole.read_bytes(), rng, tries // 2)
            for k, content in enumerate(copies):
                Path(folder, f"{k:05d}.damaged.nc").write_bytes(content)
            scores, done = json.dumps(fit.scores().tolist()), 0
            while done < tries // 2:
                child = run_child(LOAD, folder, done, scores, seconds=30 + tries)
                found = [json.loads(line) for line in child.out.splitlines()]
                for one in found:
                    yield (
                        next(o for o in (RIGHT, REFUSED, WRONG, RAW, HUNG) if one.startswith(o)),
                        one,
                    )
                done += len(found)
                if done < tries // 2:  # it died, or slept, over the next one
                    yield (HUNG if child.hung else CRASHED), child.err[-300:]
                    done += 1
    assert np.isfinite(fit.scores()).all()
