"""CSV and TSV, plain or gzipped; all cells stay texts."""

import codecs
import io
import logging
import re
from collections import Counter
from functools import partial

import numpy as np

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import COLUMNS, not_a_table, too_many_columns
from bayesrank.data.formats.text_files import decode_text, is_gzipped, is_utf16, read_bytes
from bayesrank.text import listing

__all__ = ["CSV", "TSV"]

HEAD = 1 << 20  # bytes in which the line of names is looked for
SEPARATOR = re.compile(rb"sep=.")  # Excel's own first line
LONGER = re.compile(r"Expected ([0-9]+) fields in line ([0-9]+), saw ([0-9]+)")

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
    source.seek(place)
    frame = _cells(path, source, separator, before)
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
        if match := LONGER.search(str(error)):
            fields, line, found = (int(number) for number in match.groups())
            raise ValueError(
                f"'{path}', line {before + line}: a row may have no more fields than there are "
                f"names of columns, {fields}, got {found}."
            ) from None
        raise not_a_table(path, error) from None


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
