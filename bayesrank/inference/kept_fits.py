"""Fits of groups that are kept in a folder: their names, and whether they are whole."""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from bayesrank.progress import progress_bar
from bayesrank.results.sealed_files import DamagedFile, is_sealed, set_aside
from bayesrank.text import listing

__all__ = ["file_name", "find_kept"]

_PLAIN = (str, int, float, list, tuple, dict, np.ndarray, type(None))  # no tables


def file_name(
    key: Any, data: Any, likelihood: str | None, seed: int, options: dict[str, Any]
) -> str:
    """Return a file's name that changes with anything that the result depends on."""
    digest = hashlib.sha256()
    about = {"key": key, "likelihood": likelihood, "seed": seed, "options": options}
    for part in _content(about | {"data": _given(data)}):
        digest.update(len(part).to_bytes(8, "big") + part)
    readable = "".join(c if c.isalnum() else "-" for c in str(key))[:40]
    return f"{readable}-{digest.hexdigest()[:16]}.fit"


def _given(data: Any) -> dict[str, Any]:
    """Return what data hold, without what they remember of questions that they were asked."""
    return {
        name: value
        for name, value in vars(data).items()
        if not isinstance(getattr(type(data), name, None), cached_property)
    }


def _content(value: Any) -> Iterator[bytes]:
    """Yield bytes that tell a value from all others; what is printed of a table is only a part."""
    if not isinstance(value, _PLAIN):  # which are most of them
        value = nw.from_native(value, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(value, Mapping):
        yield f"mapping of {len(value)}".encode()
        for name in sorted(value, key=repr):
            yield from _content(name)
            yield from _content(value[name])
    elif isinstance(value, (list, tuple)):
        yield f"{type(value).__name__} of {len(value)}".encode()
        for part in value:
            yield from _content(part)
    elif isinstance(value, (nw.DataFrame, nw.Series)):
        index = nw.maybe_get_index(value)
        yield from _content([] if index is None else list(index))
        columns = [value] if isinstance(value, nw.Series) else value.iter_columns()
        for column in columns:
            yield from _content([column.name, column.to_list()])
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, np.ndarray):
        yield from _content(value.tolist())
    else:
        yield f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")


def find_kept(
    paths: Mapping[Any, Path], load: Callable[[Path], Any], progress: bool
) -> dict[Any, Path]:
    """Return the files of groups that are there and whole; set damaged ones aside, and say so.

    Parameters
    ----------
    paths : mapping of group to path
        Where each group's fit is kept. A netCDF file beside it, as it was kept by an older version,
        counts as well.
    load : callable
        Reads a netCDF file, or raises an error.
    progress : bool
        Whether to show progress.
    """
    kept: dict[Any, Path] = {}
    damaged: list[str] = []
    with progress_bar("looking for kept fits", len(paths), progress) as advance:
        for key, path in paths.items():
            for there in (path, path.with_suffix(".nc")):
                # Or another process, which looks at the same folder, has just set it aside.
                with suppress(FileNotFoundError):
                    if key not in kept and _is_whole(there, load):
                        kept[key] = there
                    elif key not in kept:
                        damaged.append(set_aside(there))
            advance()
    if damaged:
        folder = next(iter(paths.values())).parent
        warnings.warn(
            f"Files in {str(folder)!r} are damaged and were set aside as {listing(damaged)}. "
            "Their groups are fitted again.",
            stacklevel=3,
        )
    return kept


def _is_whole(path: Path, load: Callable[[Path], Any]) -> bool:
    """Return whether a file is as it was written; older versions put no seal to netCDF files."""
    try:
        if is_sealed(path):
            return True
    except DamagedFile:
        return False
    if path.suffix != ".nc":
        return False
    try:
        load(path)
    except ValueError:
        return False
    return True
