"""Damaged and hostile files: every reader must answer with data or with a sentence.

Small valid files of every format that `bayesrank.read` knows are damaged at random and read. A file
may be accepted, or refused by a `ValueError` or an `OSError` that the package words itself.
Everything else is a finding, and the file is kept:

- bug: another exception, a warning of NumPy's, or data that make no sense;
- foreign: a `ValueError` that Python or a library raised, and nobody put into words;
- wordy: a message of more than 2 000 characters;
- slow: more than five seconds of work;
- memory: more than 1 GB above what the process held before.

    python3 -m benchmarks.fuzz --inputs 100000 --seed 1
    python3 -m benchmarks.fuzz --seconds 60 --only "letor lists"
    python3 -m benchmarks.fuzz --data FOLDER    # the beginnings of real files, too
"""

import gzip
import random
import re
import tempfile
import time
from pathlib import Path

from benchmarks.fuzz.damage import mutated
from benchmarks.fuzz.formats import formats
from benchmarks.fuzz.judging import limited_memory, outcome_of
from benchmarks.fuzz.specials import specials
from benchmarks.fuzz.tally import Tally

__all__ = ["files_of", "fuzz"]


def files_of(found, seed, indices, *, hostile=True):
    """Yield an index, a format and a content for each index; the same for the same seed.

    The first ones are those that are hostile on purpose.
    """
    special = specials() if hostile else {}
    special = [(name, text) for name, texts in special.items() if name in found for text in texts]
    names = [name for name, form in found.items() if form.seeds]
    every = [seed for name in names for seed in found[name].seeds]
    for index in indices:
        if index < len(special):
            name, content = special[index]
            yield index, found[name], content
            continue
        rng = random.Random(f"{seed}/{index}")
        form = found[names[index % len(names)]]
        content = rng.choice(form.seeds)
        other = rng.choice(form.seeds if rng.random() < 0.5 else every)
        if form.zipped and rng.random() < 0.5:
            yield index, form, mutated(rng, gzip.compress(content, mtime=0), other)
            continue
        content = mutated(rng, content, other)
        yield index, form, gzip.compress(content, 1, mtime=0) if form.zipped else content


def fuzz(inputs=300, *, seed=1, seconds=None, only=None, data=None, folder=None, part=(0, 1),
         report=None, start=0, hostile=True):  # fmt: skip
    """Read damaged files in this process; return the `Tally`.

    Parameters
    ----------
    inputs : int
        Number of files, of all parts.
    seed : int
    seconds : float, optional
        Stop after this time.
    only : str, optional
        The name of a format.
    data : path, optional
        A folder of real files.
    folder : path, optional
        Where files of findings are kept.
    part : pair of int
        Read every n-th file, from which on.
    report : callable, optional
        Called with index, format, outcome and error for each file.
    start : int
        Read files from this index on.
    hostile : bool
        Whether to begin with the files that are hostile on purpose.
    """
    found = formats(data)
    if only is not None:
        if only not in found:
            raise ValueError(f"No format is called {only!r}; there are {', '.join(found)}.")
        found = {only: found[only]}
    first, step = part
    indices = range(start + (first - start) % step, inputs, step)
    tally, begin = Tally(), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        _warm_up(found, scratch)
        with limited_memory():
            for index, form, content in files_of(found, seed, indices, hostile=hostile):
                path = scratch / f"input{form.suffix}"
                path.write_bytes(content)
                if report:
                    report(index, form.name, "started", "")
                kind, error = outcome_of(form, path)
                path.unlink()  # to write over a file takes far longer
                if tally.add(form.name, kind, error) and folder is not None:
                    _keep(folder, form, index, kind, content, error)
                if report:
                    report(index, form.name, kind, error)
                if seconds is not None and time.perf_counter() - begin > seconds:
                    break
    return tally


def _warm_up(found, scratch):
    """Read valid files, so that what is imported and compiled once is there before any limit."""
    for form in found.values():
        for seed in form.seeds:
            path = scratch / f"seed{form.suffix}"
            path.write_bytes(gzip.compress(seed) if form.zipped else seed)
            outcome_of(form, path)


def _keep(folder, form, index, kind, content, error):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind}-{re.sub('[^a-z]+', '-', form.name)}-{index}{form.suffix}"
    (folder / name).write_bytes(content)
    (folder / f"{name}.error").write_text(error[:20_000], errors="replace")
