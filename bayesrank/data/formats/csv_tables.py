"""CSV and TSV, plain or gzipped; all cells stay texts.

Spaces at both ends of a cell are not part of it, unless it is set in quotes: then all is part of it
that is between them.
"""

import codecs
import io
import logging
import re
from collections import Counter
from functools import partial
from itertools import islice

import numpy as np

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import COLUMNS, not_a_table, too_many_columns
from bayesrank.data.formats.text_files import decode_text, is_gzipped, is_utf16, read_bytes
from bayesrank.text import listing

__all__ = ["CSV", "TSV"]

HEAD = 1 << 20  # bytes in which the line of names is looked for
PIECE = 1 << 24
SEPARATOR = re.compile(rb"sep=.")  # Excel's own first line
# What pandas' parser says, in which rows are counted from 1, lines inside of quotes not.
LONGER = re.compile(r"Expected ([0-9]+) fields in line ([0-9]+), saw ([0-9]+)")
LINE_END = re.compile(rb"\r\n|\r|\n")
CLOSED = re.compile(rb'[^"]*+"(?:[^"]++|"")*+"')
HOLE = b"\xff"  # a byte that no text in UTF-8 has

_log = logging.getLogger("bayesrank.read")


def _read(path, encoding=None, separator=","):
    """Return the table of a file."""
    with path.open("rb") as source:
        start = source.read(2)
        if encoding is None and not is_gzipped(start) and not is_utf16(start):
            source.seek(0)
            try:
                return _parse(path, source, separator)
            except UnicodeDecodeError:
                pass  # another encoding, which takes the whole file to find
    content = decode_text(path, read_bytes(path), encoding).encode("utf-8", "surrogatepass")
    with io.BytesIO(content) as source:
        return _parse(path, source, separator)


def _parse(path, source, separator):
    """Return the table of an open file in UTF-8."""
    before, place, head = _line_of_names(path, source.read(HEAD))
    bare = re.sub(rb'"[^"]*"', b"", head)
    if separator == "," and b"," not in bare and (b";" in bare or b"\t" in bare):
        separator = ";" if b";" in bare else "\t"
        _log.info("separator: %s", "; (and decimal commas)" if separator == ";" else "tab")
    if head.count(separator.encode()) >= COLUMNS:
        raise too_many_columns(path, before + 1, head.decode(errors="replace"))
    frame = _cells(path, _stripped(source, place, separator), separator, before)
    names = [f"Unnamed: {k}" if name != name else name for k, name in enumerate(frame.iloc[0])]
    if twice := [f"`{name}`" for name, times in Counter(names).items() if times > 1]:
        raise ValueError(
            f"'{path}', line {before + 1}: each column must have a name of its own, got "
            f"{listing(twice)} more than once."
        )
    frame = frame.iloc[1:].reset_index(drop=True)
    frame.columns = names
    # Spreadsheets write empty rows below the table.
    filled = np.flatnonzero(frame.notna().any(axis=1).to_numpy())
    frame = frame.iloc[: filled[-1] + 1] if filled.size else frame
    frame.attrs["decimal"] = "," if separator == ";" else "."
    return frame


def _cells(path, source, separator, before):
    """Return all cells as texts, the names of the columns in the first row."""
    import pandas as pd

    place = source.tell()
    try:
        # Texts stay texts, so that '001' and 'NA' keep their spelling. The names are read as a row,
        # because below a header pandas takes longer rows for rows that begin with their labels.
        return pd.read_csv(
            source,
            sep=separator,
            header=None,
            skipinitialspace=True,
            dtype=str,
            keep_default_na=False,
            na_values=[""],
        )
    except UnicodeDecodeError:
        raise
    except ValueError as error:  # errors of pandas' parser are of this kind
        source.seek(place)
        raise _bad_cells(path, source.read(), separator, before, str(error)) from None


def _bad_cells(path, content, separator, before, reason):
    """Return the error that says where a table cannot be split into cells, and why."""
    pieces = _split_at_quotes(content, separator)
    whole = b"".join(pieces)
    if match := LONGER.search(reason):
        fields, row, found = (int(number) for number in match.groups())
        pieces[1::2] = [cell[:1] + LINE_END.sub(_spaces, cell[1:]) for cell in pieces[1::2]]
        # Now only rows end: the first begins where the first end of a line is.
        *_, end = islice(LINE_END.finditer(b"".join(pieces)), row)
        line = before + len(LINE_END.findall(whole, 0, end.end()))
        return ValueError(
            f"'{path}', line {line}: a row may have no more fields than there are names of "
            f"columns, {fields}, got {found}."
        )
    if len(pieces) > 1 and not CLOSED.fullmatch(pieces[-2]):
        start = len(whole) - len(pieces[-1]) - len(pieces[-2]) + 1
        line = before + len(LINE_END.findall(whole, 0, start))
        return ValueError(
            f"'{path}', line {line}: a cell that starts with a quotation mark must end with one."
        )
    return not_a_table(path, "its rows cannot be split into cells; are its quotation marks right?")


def _spaces(match):
    return b" " * len(match[0])


def _split_at_quotes(content, separator):
    """Return a content in pieces: every other one is a cell in quotes, with what comes before it.

    What comes before is a separator or the end of a line; the first line gets one, too. The last
    cell may not end.
    """
    cell = rb'([%b\r\n](?:\xef\xbb\xbf)?+ *+"(?:[^"]++|"")*+(?:"|\Z))' % separator.encode()
    return re.split(cell, b"\n" + content)


def _stripped(source, place, separator):
    """Return an open file from a place on, without spaces at the ends of cells.

    Those at their beginnings are left to pandas, and those in quotes are part of a cell.
    """
    source.seek(place)
    content = source.read() if _has_spaces_at_ends(source, separator) else b""
    if not content or HOLE in content:
        source.seek(place)
        return source
    pieces = _split_at_quotes(content, separator)
    # All cells without quotes at once; a hole is where one in quotes was. A cell of spaces only is
    # left to pandas, too.
    ends = rb" (?<![%b\r\n ] ) *+(?=[%b\r\n%b]|\Z)" % (*[separator.encode()] * 2, HOLE)
    # pandas 2.2 cannot tell where rows end with the old Mac's line ends and cells of spaces.
    cells = re.sub(rb"\r(?!\n)", b"\n", HOLE.join(pieces[::2]))
    pieces[::2] = re.sub(ends, b"", cells).split(HOLE)
    return io.BytesIO(b"".join(pieces)[1:])


def _has_spaces_at_ends(source, separator):
    """Return whether any cell of the rest of an open file may end with a space."""
    ends = (b" " + separator.encode(), b" \r", b" \n")
    place, last = source.tell(), b""
    while piece := source.read(PIECE):
        last = last[-1:] + piece
        if found := any(end in last for end in ends):
            break
    else:
        found = last.endswith(b" ")
    source.seek(place)
    return found


def _line_of_names(path, start):
    """Return how many lines and bytes come before the names of the columns, and their line.

    The lines before are comments or empty; a '#' further on is part of a name.
    """
    if b"\0" in start:
        raise not_a_table(path, "it is not a text file.")
    place = 0
    for number, line in enumerate(start.splitlines(keepends=True)):
        text = line.removeprefix(codecs.BOM_UTF8).strip(b" \r\n\x0b\x0c")
        if text.strip() and not text.startswith(b"#") and not SEPARATOR.fullmatch(text):
            return number, place, text
        place += len(line)
    raise not_a_table(path, "no line has names of columns.")


TSV = FileFormat("TSV", TABLE, partial(_read, separator="\t"), suffixes=(".tsv", ".tab"))
CSV = FileFormat("CSV", TABLE, _read, suffixes=(".csv",))
