"""Files that hold a table: CSV, TSV, JSON, Excel and Parquet, text also gzipped."""

import codecs
import io
import json
import logging
import re
from collections import Counter
from pathlib import Path

import numpy as np

from bayesrank.data.formats.text_files import (
    LARGEST,
    bad_line,
    decoded,
    is_utf16,
    lines_of,
    read_bytes,
)
from bayesrank.text import listing

__all__ = ["read_frame"]

JSON = (".jsonl", ".ndjson", ".json")
PARQUET, EXCEL = (".parquet", ".pq"), (".xlsx", ".xlsm")
# Of objects that each have names of their own, a table would have as many columns as rows; and
# libraries take time and memory for each column.
COLUMNS = 10_000
CELLS = LARGEST // 8  # values of a Parquet file: equal ones take next to no room in it
HEAD = 1 << 20  # bytes in which the line of names is looked for
SEPARATOR = re.compile(rb"sep=.")  # Excel's own first line
LONGER = re.compile(r"Expected ([0-9]+) fields in line ([0-9]+), saw ([0-9]+)")

_log = logging.getLogger("bayesrank.read")


def read_frame(path, datasets=(), encoding=None):
    """Return the table of a file, or say in a sentence what is wrong with the file.

    Parameters
    ----------
    path : Path
    datasets : sequence of str
        Names that might have been meant instead of a file.
    encoding : str, optional
        Of the text; by default UTF-8 or UTF-16 where the file says so, and otherwise, with a
        warning, Windows' cp1252.
    """
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file or data set called '{path}'. "
            f"The data sets are {listing(list(datasets), 99)}."
        )
    if path.is_dir():
        raise IsADirectoryError(f"'{path}' is a directory; name a file in it.")
    try:
        with path.open("rb") as file:
            start = file.read(HEAD)
    except PermissionError:
        raise PermissionError(f"'{path}' may not be read.") from None
    if not start:
        raise ValueError(f"'{path}' is empty (0 bytes).")
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    for endings, reader in ((PARQUET, _read_parquet), (EXCEL, _read_excel)):
        if ending in endings:
            if encoding is not None:
                raise ValueError(f"`encoding` is for text, and '{path}' is not a text file.")
            return reader(path)
    if ending in JSON:
        text = decoded(path, read_bytes(path), encoding)
        array = ending == ".json" or text.lstrip().startswith("[")
        return (_read_json_array if array else _read_json_lines)(path, text)
    zipped = start[:2] == b"\x1f\x8b"
    separator = "\t" if ending in (".tsv", ".tab") else ","
    if encoding is None and not zipped and not is_utf16(start):
        try:
            with path.open("rb") as source:
                return _read_csv(path, source, separator)
        except UnicodeDecodeError:
            pass  # some other encoding, which is looked for in all that the file holds
    content = decoded(path, read_bytes(path), encoding).encode("utf-8", "surrogatepass")
    with io.BytesIO(content) as source:
        return _read_csv(path, source, separator)


def _read_csv(path, source, separator):
    import pandas as pd

    before, place, head = _line_of_names(path, source.read(HEAD))
    bare = re.sub(rb'"[^"]*"', b"", head)
    if separator == "," and b"," not in bare and (b";" in bare or b"\t" in bare):
        separator = ";" if b";" in bare else "\t"
        _log.info("separator: %s", "; (and decimal commas)" if separator == ";" else "tab")
    if head.count(separator.encode()) >= COLUMNS:
        raise _too_many_columns(path, before + 1, head.decode(errors="replace"))
    source.seek(place)
    try:
        # Texts stay texts, so that '001' and 'NA' keep their spelling. The names are read as a row,
        # because below a header pandas takes longer rows for rows that begin with their labels.
        frame = pd.read_csv(
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
    except ValueError as error:  # what pandas raises is a kind of ValueError
        if match := LONGER.search(str(error)):
            fields, line, found = (int(number) for number in match.groups())
            raise ValueError(
                f"'{path}', line {before + line}: a row may have no more fields than there are "
                f"names of columns, {fields}, got {found}."
            ) from None
        raise _refusal(path, error) from None
    names = [f"Unnamed: {k}" if name != name else name for k, name in enumerate(frame.iloc[0])]
    if twice := [f"`{name}`" for name, times in Counter(names).items() if times > 1]:
        raise ValueError(
            f"'{path}', line {before + 1}: each column must have a name of its own, got "
            f"{listing(twice)} more than once."
        )
    frame = frame.iloc[1:].reset_index(drop=True)
    frame.columns = names
    # Spreadsheets write rows of nothing below the table.
    filled = np.flatnonzero(frame.notna().any(axis=1).to_numpy())
    frame = frame.iloc[: filled[-1] + 1] if filled.size else frame
    frame.attrs["decimal"] = "," if separator == ";" else "."
    return frame


def _line_of_names(path, start):
    """Return how many lines and bytes come before the names of the columns, and their line.

    The lines before are comments or empty; a '#' further on belongs to somebody's name.
    """
    if b"\0" in start:
        raise ValueError(f"'{path}' cannot be read as a table: it is not a text file.")
    place = 0
    for number, line in enumerate(start.splitlines(keepends=True)):
        text = line.removeprefix(codecs.BOM_UTF8).strip(b" \r\n\x0b\x0c")
        if text.strip() and not text.startswith(b"#") and not SEPARATOR.fullmatch(text):
            return number, place, text
        place += len(line)
    raise ValueError(f"'{path}' cannot be read as a table: no line has names of columns.")


def _read_parquet(path):
    import pandas as pd

    try:
        from pyarrow.parquet import read_metadata
    except ImportError:
        raise ImportError("Reading Parquet needs PyArrow: python3 -m pip install pyarrow") from None
    try:
        about = read_metadata(path)
        frame = None
        if about.num_rows * about.num_columns <= CELLS:
            frame = pd.read_parquet(path)
    except Exception as error:  # damaged files make PyArrow and pandas raise errors of all kinds
        raise _refusal(path, error) from None
    if frame is None:
        raise ValueError(
            f"'{path}' holds {about.num_rows:,} rows of {about.num_columns:,} columns, more than "
            f"{CELLS:,} values; read it by an engine such as DuckDB and hand over its frame."
        )
    return frame


def _read_excel(path):
    """Return the first sheet; texts stay texts and numbers numbers."""
    import pandas as pd

    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise ImportError("Reading Excel needs openpyxl: python3 -m pip install openpyxl") from None
    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            sheets = book.sheet_names
            about = {"dtype": object, "keep_default_na": False, "na_values": [""]}
            frame = pd.read_excel(book, sheet_name=sheets[0], **about)
    except Exception as error:  # damaged files make openpyxl and zipfile raise errors of all kinds
        raise _refusal(path, error) from None
    if len(sheets) > 1:
        _log.info("sheet: %s (the first of %d)", sheets[0], len(sheets))
    frame = frame.dropna(how="all").reset_index(drop=True)
    frame.columns = [str(name) for name in frame.columns]
    return _one_kind(frame.infer_objects())


def _one_kind(frame):
    """Return the frame with texts where a column has texts and numbers: 76 and "76" are one."""
    for name in frame.columns:
        values = frame[name].dropna()
        texts = values.map(lambda value: isinstance(value, str))
        if frame[name].dtype == object and texts.any() and not texts.all():
            frame[name] = frame[name].map(_text, na_action="ignore")
    return frame


def _text(value):
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


def _read_json_array(path, text):
    """Return an array of objects as rows."""
    try:
        rows = json.loads(text)
        if "\\u" in text:
            json.dumps(rows, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise _refusal(path, error) from None
    if not rows or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(
            f"'{path}' cannot be read as a table: it must be an array of objects, "
            '[{"column": value, ...}, ...].'
        )
    if len({name for row in rows for name in row}) > COLUMNS:
        raise _too_many_columns(path, 1, text)
    return _one_kind(_plain_columns(path, rows))


def _plain_columns(path, rows):
    """Return a frame of rows, without what is nested, such as whole conversations."""
    import pandas as pd

    nested = {n for row in rows for n, v in row.items() if isinstance(v, (dict, list))}
    frame = pd.DataFrame([{n: v for n, v in row.items() if n not in nested} for row in rows])
    if not len(frame.columns):
        raise ValueError(f"'{path}' cannot be read as a table: all that it holds is nested.")
    if nested:
        _log.info("left out, as it is nested: %s", ", ".join(sorted(nested)))
    return frame


def _read_json_lines(path, text):
    """Return objects, one a line, as rows; texts stay texts and numbers numbers."""
    rows, columns = [], set()
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "\\u" in line:
                # Half of a character that takes two is no text: nothing could write it again.
                json.dumps(row, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            rule = 'a line must be one object, {"column": value, ...}'
            raise bad_line(path, number, rule, line)
        rows.append(row)
        columns.update(row)
        if len(columns) > COLUMNS:
            raise _too_many_columns(path, number, line)
    return _one_kind(_plain_columns(path, rows))


def _too_many_columns(path, number, line):
    return bad_line(path, number, f"there may be {COLUMNS:,} columns at most", line)


def _refusal(path, error):
    reason = (str(error).splitlines() or ["it is damaged"])[0]
    return ValueError(f"'{path}' cannot be read as a table: {reason}")
