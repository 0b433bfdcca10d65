"""Text files line by line, plain or gzipped, and errors that name the line."""

import codecs
import gzip
import os
import warnings
import zlib
from contextlib import contextmanager
from pathlib import Path

from bayesrank.data.formats.source_files import (
    LARGEST,
    keep_pipe,
    require_file,
    require_size,
    too_large,
)
from bayesrank.text import option, short

__all__ = [
    "bad_line",
    "decode_text",
    "first_line",
    "is_gzipped",
    "is_utf16",
    "lines_of",
    "paths_of",
    "plain_name",
    "plain_numbers",
    "read_bytes",
    "read_lines",
    "read_start",
]

# Tables shrink to a tenth or a thirtieth when they are zipped; files that are made to do harm, to
# a thousandth.
UNZIPPED, TIMES = 2**25, 100


def read_lines(path):
    """Return the lines of a file, or say in a sentence what is wrong with it."""
    content = read_bytes(path)
    text = _decoded(path, content, "utf-16" if is_utf16(content) else "UTF-8")
    return lines_of(text.removeprefix("\ufeff"))


def lines_of(text):
    """Return the lines of a text."""
    # Not splitlines, which also splits at characters that may be part of a name.
    return text.removesuffix("\n").split("\n")


def plain_name(path):
    """Return the name of a file in lower case, without ".gz"."""
    return Path(str(path)).name.lower().removesuffix(".gz")


def is_gzipped(content):
    """Return whether a file with these first bytes is gzipped."""
    return content[:2] == b"\x1f\x8b"


def is_utf16(content):
    """Return whether a text says that it is in UTF-16."""
    return content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(path, content, encoding=None):
    """Return the text of a file in a given encoding, or in the one that it seems to have."""
    if encoding is not None:
        return _decoded(path, content, encoding).removeprefix("\ufeff")
    if is_utf16(content):
        return _decoded(path, content, "utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = _line_at(content, error.start, "utf-8")
    try:
        if b"\0" in content:
            raise ValueError  # not a text with one byte per letter
        text = content.decode("cp1252")
    except ValueError:
        raise ValueError(
            f"'{path}', line {number}: the text is not in UTF-8; say in which it is by "
            f"{option('encoding', '...')}."
        ) from None
    line = short(text.split("\n")[number - 1].strip())
    warnings.warn(
        f"'{path}' is not in UTF-8 and is read as cp1252 (Windows). If line {number} is not "
        f"{line!r}, say what it is, such as {option('encoding', 'iso8859-2')}.",
        stacklevel=6,
    )
    return text


def _decoded(path, content, encoding):
    """Return a text in an encoding, or name the line that is in another."""
    try:
        return content.decode(encoding)
    except (LookupError, TypeError):
        known = f"{option('encoding', 'utf-8')} or {option('encoding', 'cp1252')}"
        raise ValueError(
            f"`encoding` must be a known one, got {encoding!r}; say for example {known}."
        ) from None
    except UnicodeDecodeError as error:
        number = _line_at(content, error.start, encoding)
        raise ValueError(f"'{path}', line {number}: the text is not in {encoding}.") from None
    except ValueError:  # some encodings do not say where
        raise ValueError(f"'{path}': the text is not in {encoding}.") from None


def _line_at(content, place, encoding):
    """Return the number of the line that a byte is in."""
    # Not by the bytes alone: in UTF-16 what looks like the end of a line may be half a letter.
    return content[:place].decode(encoding, errors="replace").count("\n") + 1


def read_bytes(path):
    """Return the bytes of a file, unzipped, or say in a sentence what is wrong with it."""
    with keep_pipe(path) as kept:
        require_file(kept)
        require_size(kept)
        return _whole_content(kept)


def _whole_content(path):
    try:
        with _open(path) as (file, raw):
            # Piece by piece: one large read would reserve all of the memory at once.
            pieces, size = [], 0
            while size <= LARGEST and (piece := file.read(1 << 24)):
                pieces.append(piece)
                size += len(piece)
                if file is not raw and size > max(UNZIPPED, TIMES * raw.tell()):
                    raise ValueError(
                        f"'{path}' holds more than {UNZIPPED:,} bytes once it is unzipped, and "
                        f"{TIMES} times as much as it is long: unzip it first if that is right."
                    )
            content = b"".join(pieces)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"'{path}' is cut off or damaged: it cannot be unzipped.") from None
    if size > LARGEST:
        raise too_large(path, LARGEST)
    if not content.strip():
        raise ValueError(f"'{path}' is empty.")
    return content


def read_start(path):
    """Return the first bytes of a file, unzipped, or none if they cannot be read."""
    try:
        with _open(path) as (file, _):
            return file.read(1 << 16)
    except (OSError, EOFError, zlib.error):
        return b""  # whoever reads the whole file says what is wrong with it


def first_line(start):
    """Return the first line that is neither empty nor a comment, or "" if there is none."""
    for line in start.splitlines():
        text = line.decode("utf-8-sig", errors="replace").strip()
        if text and not text.startswith("#"):
            return text
    return ""


def bad_line(path, number, rule, line):
    """Return the error that names a file, a line (the first is 1), a rule and what it says."""
    line = line.strip()
    shown = line if len(line) <= 60 else line[:60] + "..."
    return ValueError(f"'{path}', line {number}: {rule}, got {shown!r}.")


def paths_of(paths):
    """Return a list of paths from one path or several."""
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not paths:
        raise ValueError("`paths` is empty: at least one file is needed.")
    return [Path(path) if isinstance(path, str) else path for path in paths]


def plain_numbers(labels):
    """Return labels as numbers if all spell whole numbers, so that 10 comes after 9."""
    plain = all(
        len(label) < 19 and label.isascii() and label.isdigit() and str(int(label)) == label
        for label in labels
    )
    return [int(label) for label in labels] if plain else list(labels)


@contextmanager
def _open(path):
    """Yield an open file that unzips what is zipped, and the file itself; it is opened once."""
    with path.open("rb") as raw:
        if not is_gzipped(raw.peek(2)):
            yield raw, raw
            return
        with gzip.GzipFile(fileobj=raw) as file:
            yield file, raw
