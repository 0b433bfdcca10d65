"""Text files line by line, plain or gzipped, and errors that name the line."""

import codecs
import gzip
import warnings
import zlib
from pathlib import Path

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
]

# What a file may hold at most once it is unzipped: a small file can be made to fill any memory.
# Tables shrink to a tenth or a thirtieth; files that are made to do harm, to a thousandth.
LARGEST = 2**31
UNZIPPED, TIMES = 2**25, 100


def read_lines(path):
    """Return the lines of a file, or say in a sentence what is wrong with it."""
    content = read_bytes(path)
    if is_utf16(content):
        return lines_of(decode_text(path, content, "utf-16"))
    try:
        return lines_of(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"'{path}', line {number}: the text is not in UTF-8.") from None


def lines_of(text):
    """Return the lines of a text."""
    # Not splitlines, which also splits at characters that may be part of a name.
    return text.removesuffix("\n").split("\n")


def plain_name(path):
    """Return the name of a file in lower case, without ".gz"."""
    return path.name.lower().removesuffix(".gz")


def is_gzipped(content):
    """Return whether a file with these first bytes is gzipped."""
    return content[:2] == b"\x1f\x8b"


def is_utf16(content):
    """Return whether a text says that it is in UTF-16."""
    return content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(path, content, encoding=None):
    """Return the text of a file in a given encoding, or in the one that it seems to have."""
    if encoding is not None:
        try:
            return content.decode(encoding).removeprefix("\ufeff")
        except LookupError:
            raise ValueError(f"`encoding` must be a known one, got {encoding!r}.") from None
        except UnicodeDecodeError as error:
            number = content.count(b"\n", 0, error.start) + 1
            raise ValueError(f"'{path}', line {number}: the text is not in {encoding}.") from None
    if is_utf16(content):
        return decode_text(path, content, "utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
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
        stacklevel=5,
    )
    return text


def read_bytes(path):
    """Return the bytes of a file, unzipped, or say in a sentence what is wrong with it."""
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"There is no file called '{path}'.")
    if path.is_dir():
        raise IsADirectoryError(f"'{path}' is a directory; name a file in it.")
    try:
        with _open(path) as file:
            # Piece by piece: one large read would reserve all of the memory at once.
            pieces, size = [], 0
            while size <= LARGEST and (piece := file.read(1 << 24)):
                pieces.append(piece)
                size += len(piece)
                zipped = isinstance(file, gzip.GzipFile)
                if zipped and size > max(UNZIPPED, TIMES * file.fileobj.tell()):
                    raise ValueError(
                        f"'{path}' holds more than {UNZIPPED:,} bytes once it is unzipped, and "
                        f"{TIMES} times as much as it is long: unzip it first if that is right."
                    )
            content = b"".join(pieces)
    except PermissionError:
        raise PermissionError(f"'{path}' may not be read.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"'{path}' is cut off or damaged: it cannot be unzipped.") from None
    if size > LARGEST:
        raise ValueError(
            f"'{path}' holds more than {LARGEST:,} bytes; read it by an engine such as DuckDB and "
            "hand over its frame."
        )
    if not content.strip():
        raise ValueError(f"'{path}' is empty.")
    return content


def first_line(path):
    """Return the first line that is neither empty nor a comment, or "" if there is none."""
    try:
        with _open(path) as file:
            for line in file.read(1 << 16).splitlines():
                text = line.decode("utf-8-sig", errors="replace").strip()
                if text and not text.startswith("#"):
                    return text
    except (OSError, EOFError, zlib.error):
        pass  # whoever reads the whole file says what is wrong with it
    return ""


def bad_line(path, number, rule, line):
    """Return the error that names a file, a line (the first is 1), a rule and what it says."""
    line = line.strip()
    shown = line if len(line) <= 60 else line[:60] + "..."
    return ValueError(f"'{path}', line {number}: {rule}, got {shown!r}.")


def paths_of(paths):
    """Return a list of paths from one path or several."""
    paths = [Path(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
    if not paths:
        raise ValueError("`paths` is empty: at least one file is needed.")
    return paths


def plain_numbers(labels):
    """Return labels as numbers if all spell whole numbers, so that 10 comes after 9."""
    plain = all(
        len(label) < 19 and label.isascii() and label.isdigit() and str(int(label)) == label
        for label in labels
    )
    return [int(label) for label in labels] if plain else list(labels)


def _open(path):
    with path.open("rb") as file:
        zipped = is_gzipped(file.read(2))
    return gzip.open(path, "rb") if zipped else path.open("rb")
