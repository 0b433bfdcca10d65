"""Reading files: whether there is one, and how to read it again if it comes through a pipe."""

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from bayesrank.text import in_terminal, listing

__all__ = [
    "LARGEST",
    "PipedFile",
    "engine_advice",
    "keep_pipe",
    "require_file",
    "require_size",
    "too_large",
]

# Bytes that a file may hold at most: a small file can be made to fill any memory once it is
# unzipped, and a pipe may never end.
LARGEST = 2**31
PIECE = 1 << 24
# What is opened here goes on where it was left, on some systems also where it is a file.
STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/")


class PipedFile:
    """What came through a pipe, kept in a file; it is called by the name of the pipe.

    Readers use it as the path of a file.
    """

    def __init__(self, given: str | Path, kept: Path) -> None:
        self._given = Path(given)
        self._kept = kept

    @property
    def name(self) -> str:
        return self._given.name

    def open(self, mode: str = "rb") -> IO[Any]:
        return self._kept.open(mode)

    def __fspath__(self) -> str:
        return str(self._kept)

    def __str__(self) -> str:
        return str(self._given)


def require_file(path: Any, datasets: Sequence[str] = ()) -> None:
    """Refuse a path where there is no file that can be read.

    Parameters
    ----------
    path : Path or PipedFile
    datasets : sequence of str
        Names that might have been meant instead of a file.
    """
    try:
        there = os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise FileNotFoundError(_no_file(path, datasets)) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(f"'{path}' is a link that leads back to itself.") from None
        raise OSError(f"'{path}' cannot be read: {error.strerror}.") from None
    if stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(f"'{path}' is a directory; name a file in it.")
    if not os.access(path, os.R_OK):
        raise PermissionError(f"'{path}' may not be read.")


def _no_file(path: Any, datasets: Sequence[str]) -> str:
    if os.path.islink(path):
        return f"'{path}' is a link to '{os.readlink(path)}', where there is no file."
    if not datasets:
        return f"There is no file called '{path}'."
    return (
        f"There is no file or data set called '{path}'. "
        f"The data sets are {listing(list(datasets), 99)}."
    )


def require_size(path: Any) -> None:
    """Refuse a file of too many bytes before any of them is read."""
    if os.stat(path).st_size > LARGEST:
        raise too_large(path, LARGEST)


def too_large(path: Any, most: int) -> ValueError:
    """Return the error that refuses a file of too many bytes."""
    return ValueError(f"'{path}' holds more than {most:,} bytes; {engine_advice()}.")


def engine_advice() -> str:
    """Return what to do with a table that is too large."""
    if in_terminal():
        return "choose or count its rows first, by an engine such as DuckDB"
    return "read it by an engine such as DuckDB and hand over its frame"


@contextmanager
def keep_pipe(path: str | os.PathLike[str]) -> Iterator[Any]:
    """Yield a path that can be opened again and again, whatever it is of.

    What comes through a pipe, or from standard input, which is called "-", is read once and kept
    on the disk meanwhile.
    """
    if isinstance(path, PipedFile):
        yield path
        return
    given, standard = Path(path), str(path) == "-"
    if not standard and not _is_pipe(given):
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="bayesrank-") as folder:
        kept = Path(folder) / "kept"
        source = _standard_input() if standard else _open_pipe(given)
        with source as pipe, kept.open("wb") as file:
            _copy(given, pipe, file)
        yield PipedFile(given, kept)


def _is_pipe(path: Path) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False  # whoever reads it says what is wrong
    if stat.S_ISREG(mode):
        return os.path.abspath(path).startswith(STREAMS)
    return not stat.S_ISDIR(mode)


def _open_pipe(path: Path) -> AbstractContextManager[IO[bytes]]:
    require_file(path)
    return path.open("rb")


def _standard_input() -> AbstractContextManager[IO[bytes]]:
    """Return standard input, which stays open."""
    source = getattr(sys.stdin, "buffer", None)
    if source is None:
        raise ValueError("'-' is standard input, and there is none.")
    return nullcontext(source)


def _copy(path: Path, source: IO[bytes], file: IO[bytes]) -> None:
    """Copy what comes through a pipe into a file."""
    size = 0
    while piece := _next_piece(path, source):
        size += len(piece)
        if size > LARGEST:
            raise too_large(path, LARGEST)
        try:
            file.write(piece)
            file.flush()
        except OSError as error:
            raise OSError(
                f"'{path}' cannot be kept in the folder of temporary files: {error.strerror}."
            ) from None


def _next_piece(path: Path, source: IO[bytes]) -> bytes:
    try:
        return source.read(PIECE)
    except OSError as error:
        raise OSError(f"'{path}' cannot be read: {error.strerror or error}.") from None
