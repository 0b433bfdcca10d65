"""Files that end with a seal: their format, their length and a checksum.

A seal is looked at before anything else of a file is, so that a damaged file is refused at once and
in one sentence. It comes last, where neither HDF5 nor zip archives mind it: other programs read the
files as if it were not there.
"""

import hashlib
import os
import re
from os import PathLike
from pathlib import Path
from typing import Any

from bayesrank.data.formats.written_files import replace_file

__all__ = ["FORMAT", "DamagedFile", "is_sealed", "read_sealed", "set_aside", "write_sealed"]

FORMAT = 2  # files of format 1 had no seal
_SEAL = re.compile(rb"\nbayesrank ([0-9]{4}) ([0-9a-f]{16}) ([0-9a-f]{64})\n")
_LENGTH = 98  # bytes of a seal
_PIECE = 1 << 22  # bytes that are read at once


class DamagedFile(ValueError):
    """A file is not as it was written."""

    def __init__(self, path: Any, reason: str) -> None:
        super().__init__(f"'{path}' is damaged: {reason}.")


def write_sealed(path: str | PathLike[str], content: Any) -> None:
    """Write bytes and their seal to a file, whole or not at all."""
    checksum = hashlib.sha256(content).hexdigest()
    seal = f"\nbayesrank {FORMAT:04d} {len(content):016x} {checksum}\n".encode()

    def write(temporary: Path) -> None:
        with temporary.open("wb") as file:
            file.write(content)
            file.write(seal)

    replace_file(path, write)


def is_sealed(path: str | PathLike[str]) -> bool:
    """Return whether a file has a seal, which is then right; refuse one that is not.

    False is for a file without any. Whoever reads it has to know whether that may be.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size - _LENGTH
        file.seek(max(size, 0))
        found = _SEAL.fullmatch(file.read(_LENGTH)) if size >= 0 else None
        if found is None:
            return False
        version, length, checksum = int(found[1]), int(found[2], 16), found[3].decode()
        if version > FORMAT:
            raise ValueError(
                f"'{path}' was written by a newer version of bayesrank, in format {version}; this "
                f"one reads up to {FORMAT}."
            )
        if length != size:
            raise DamagedFile(path, f"it should hold {length:,} bytes, and holds {size:,}")
        digest = hashlib.sha256()
        file.seek(0)
        for start in range(0, size, _PIECE):
            digest.update(file.read(min(_PIECE, size - start)))
    if digest.hexdigest() != checksum:
        raise DamagedFile(path, "its checksum is not that of its content")
    return True


def read_sealed(path: str | PathLike[str]) -> bytes:
    """Return the content of a sealed file; refuse one that is damaged or has no seal."""
    if not is_sealed(path):
        raise DamagedFile(path, "its end is missing or was overwritten")
    return Path(path).read_bytes()[:-_LENGTH]


def set_aside(path: Path) -> str:
    """Give a damaged file another name, which is free; return that."""
    names = [f"{path.name}.damaged", *(f"{path.name}.damaged-{k}" for k in range(2, 100))]
    free = next(name for name in names if not (path.parent / name).exists())
    path.rename(path.parent / free)
    return free
