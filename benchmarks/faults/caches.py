"""Compiled code on disk: damaged, with no place to be kept, on a full disk."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.faults.children import RAW, RIGHT, ROOT, WRONG, judged, run_child
from benchmarks.faults.saves import damaged_copies

__all__ = ["damaged_caches", "unwritable_caches"]

FIT = """
import resource, sys
if len(sys.argv) > 1:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
import bayesrank as br
fit = br.fit(br.load_dataset("pudding"), method="map", scale=1.0, progress=False)
print(br.__file__, fit.scores()[0].tolist())
"""


def _package(folder):
    """Copy the package, without compiled code, into a folder."""
    leave_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bayesrank", Path(folder, "bayesrank"), ignore=leave_out)
    return {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def damaged_caches(tries, rng):
    """Yield what became of fits whose compiled code was damaged."""
    with TemporaryDirectory() as folder:
        environment = _package(folder)
        first = run_child(FIT, environment=environment, cwd=folder)
        assert first.out.startswith(folder), first.err
        for k in range(tries):
            files = sorted(Path(folder).rglob("*.nb[ic]"))
            # One file, or all of them at once.
            chosen = files if k % 4 == 3 else [files[int(rng.integers(len(files)))]]
            for path in chosen:
                path.write_bytes(list(damaged_copies(path.read_bytes(), rng, k % 6 + 1))[-1])
            child = run_child(FIT, environment=environment, cwd=folder)
            right = RIGHT if child.out == first.out else WRONG
            yield judged(child, right), child.err[-300:]


def unwritable_caches(tries, rng):
    """Yield what became of fits whose compiled code could not be kept."""
    with TemporaryDirectory() as folder, TemporaryDirectory() as home:
        environment = _package(folder)
        for source in [*Path(folder).rglob("*.py")]:
            (source.parent / "__pycache__").touch()  # a file, in which no folder can be made
        Path(home, ".cache").touch()
        # PyTensor and others find a place of their own.
        environment |= {"HOME": home, "XDG_CACHE_HOME": f"{home}/.cache", "NUMBA_CACHE_DIR": ""}
        for k in range(tries):
            limit = [str(int(rng.uniform(0, 30_000)))] if k % 2 else []
            temporary = Path(home, f"tmp{k}")
            temporary.mkdir()
            child = run_child(
                FIT, *limit, environment=environment | {"TMPDIR": str(temporary)}, cwd=folder
            )
            said = child.err.count("UserWarning") == (2 if limit else 1) and "kept in" in child.err
            yield judged(child, RIGHT if said else RAW), child.err[-500:]
