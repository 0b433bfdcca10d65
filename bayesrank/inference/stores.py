"""The folder of a stored run: the model, the options, and the draws in numbered parts.

``model.nc`` has the model and its data, ``run.json`` the options, ``part-00000.npz`` and those
that follow the draws, in the model's own unconstrained coordinates. The folder is made under
another name and gets its own when it is complete. Every file is written whole and has a seal, and
none is ever written again: a part that turns out to be damaged is set aside by name, and what was
in it is sampled anew.
"""

import io
import json
import os
import re
import secrets
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.inference.options import Options
from bayesrank.results.fit import Fit
from bayesrank.results.sealed_files import (
    DamagedFile,
    is_sealed,
    read_sealed,
    set_aside,
    write_sealed,
)
from bayesrank.text import listing

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["Drawn", "Store"]

_FORMAT = 2
# The options that a run is stored with.
_OPTIONS = ("draws", "tune", "chains", "seed", "sampler", "target_accept")
_PART = re.compile(r"part-([0-9]+)\.npz(\.damaged(-[0-9]+)?)?")
_ASIDE = ".damaged"


class Drawn:
    """Draws of each chain and the sampler's statistics of them, in the order they were made."""

    def __init__(self, chains: int) -> None:
        self.points: list[list[np.ndarray]] = [[] for _ in range(chains)]
        self.stats: list[dict[str, list[np.ndarray]]] = [{} for _ in range(chains)]

    def add(self, chain: int, points: np.ndarray, stats: dict[str, np.ndarray]) -> None:
        """Put draws after those that a chain has."""
        self.points[chain].append(points)
        for name, values in stats.items():
            self.stats[chain].setdefault(name, []).append(values)

    @property
    def lengths(self) -> list[int]:
        """How many draws each chain has."""
        return [sum(len(part) for part in chain) for chain in self.points]

    def first(self, draws: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return so many draws of each chain, and their statistics."""
        points = np.array([np.concatenate(chain)[:draws] for chain in self.points])
        names = set.intersection(*(set(chain) for chain in self.stats))
        return points, {
            name: np.array([np.concatenate(chain[name])[:draws] for chain in self.stats])
            for name in sorted(names)
        }


class Store:
    """A folder with a run.

    Attributes
    ----------
    path : Path
    specification : Specification
    options : Options
    """

    def __init__(self, path: Path, specification: "Specification", options: Options) -> None:
        self.path, self.specification, self.options = path, specification, options

    @classmethod
    def create(cls, path: Path, specification: "Specification", options: Options) -> "Store":
        """Make the folder, complete or not at all."""
        empty = path.is_dir() and not any(path.iterdir())
        if os.path.lexists(path) and not empty:
            raise ValueError(
                f"`store` is {str(path)!r}, which exists: br.resume({str(path)!r}) goes on with a "
                "run, a new one needs another name."
            )
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
        aside = path.absolute().with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        written: dict[str, Any] = {"format": _FORMAT}
        for name in _OPTIONS:
            value = getattr(options, name)
            written[name] = value.item() if isinstance(value, np.generic) else value
        try:
            aside.mkdir()
            nowhere = np.zeros((1, 1, specification.size))
            Fit.from_points(specification, "map", nowhere).save(aside / "model.nc")
            write_sealed(aside / "run.json", json.dumps(written).encode())
            if empty:
                path.rmdir()
            aside.rename(path)
        except OSError as error:
            raise OSError(
                error.errno, f"`store` cannot be made: {error.strerror}", str(path)
            ) from None
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return cls(path, specification, options)

    @classmethod
    def open(cls, path: Path, *, progress: bool) -> "Store":
        """Read the model and the options of a folder."""
        if not (path / "run.json").exists() or not (path / "model.nc").exists():
            raise ValueError(f"{str(path)!r} holds no stored run.")
        found = _options(path / "run.json")
        version = found.pop("format", None)
        if version not in (1, _FORMAT):
            raise ValueError(
                f"{str(path)!r} was written in format {version} of stored runs; this version of "
                f"bayesrank reads up to {_FORMAT}."
            )
        specification = Fit.load(path / "model.nc").specification
        return cls(path, specification, Options(**found, progress=progress))

    @property
    def _parts(self) -> dict[Path, int]:
        """All parts in order, with their numbers, also those that were set aside."""
        found = {path: _PART.fullmatch(path.name) for path in self.path.glob("part-*")}
        numbers = {path: int(match[1]) for path, match in found.items() if match}
        return dict(sorted(numbers.items(), key=lambda part: part[1]))

    def append(self, points: Sequence[np.ndarray], stats: dict[str, Sequence[np.ndarray]]) -> None:
        """Write draws as a part of their own: an array for each chain, which may be empty."""
        number = max(self._parts.values(), default=-1) + 1
        content: dict[str, Any] = {}
        content |= {name: np.concatenate(chains) for name, chains in stats.items()}
        lengths = np.array([len(chain) for chain in points])
        content |= {"points": np.concatenate(points), "lengths": lengths}
        buffer = io.BytesIO()
        np.savez(buffer, **content)
        write_sealed(self.path / f"part-{number:05d}.npz", buffer.getbuffer())

    def read(self) -> Drawn:
        """Return the draws of all parts; set those aside that are damaged."""
        drawn, damaged = Drawn(self.options.chains), []
        for part in self._parts:
            if _ASIDE in part.name:
                continue
            try:
                _add_part(part, drawn, self.specification.size)
            except (KeyError, IndexError, ValueError):
                damaged.append(set_aside(part))
        if damaged:
            warnings.warn(
                f"Parts of {str(self.path)!r} are damaged and were set aside as "
                f"{listing(damaged)}. What was in them is sampled anew.",
                stacklevel=4,
            )
        return drawn

    @property
    def attempts(self) -> int:
        """A number that tells an attempt's random numbers from those of attempts before it."""
        return len(self._parts)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all others from sampling into this folder, until the end or that of the process."""
        with (self.path / "lock").open("ab") as file:
            if not _lock(file):
                raise ValueError(
                    f"{str(self.path)!r} is being sampled into by another process or thread; wait "
                    "for it, or stop it."
                )
            yield


def _options(path: Path) -> dict[str, Any]:
    """Return what a file of options holds; that of format 1 had no seal."""
    content = read_sealed(path) if is_sealed(path) else path.read_bytes()
    try:
        found = json.loads(content)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not set(_OPTIONS) <= set(found):
        raise DamagedFile(path, "it does not hold the options of a run")
    return found


def _add_part(path: Path, drawn: Drawn, size: int) -> None:
    """Add the draws of a file to those of the files before it."""
    sealed = is_sealed(path)
    try:
        with np.load(path, allow_pickle=False) as arrays:
            content = {name: arrays[name] for name in arrays.files}
    except Exception as error:  # of zip archives or NumPy: of any kind
        raise DamagedFile(path, f"it cannot be read ({error})") from None
    if "lengths" in content and not sealed:
        raise DamagedFile(path, "its seal is missing")
    points = content.pop("points")
    if "lengths" not in content:  # format 1: chains by draws, of which the last may be missing
        for chain, values in enumerate(points):
            there = np.isfinite(values).all(axis=1)
            stats = {name: by_chain[chain][there] for name, by_chain in content.items()}
            drawn.add(chain, values[there], stats)
        return
    ends = np.cumsum(content.pop("lengths"))[:-1]
    split = {name: np.split(values, ends) for name, values in content.items()}
    for chain, values in enumerate(np.split(points, ends)):
        if values.shape[1] != size:
            raise DamagedFile(path, "its draws are those of another model")
        drawn.add(chain, values, {name: parts[chain] for name, parts in split.items()})


def _lock(file: Any) -> bool:
    """Return whether a file could be locked; true also where there are no locks."""
    try:
        import fcntl
    except ImportError:  # not on this system
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some file systems have no locks
        return True
    return True
