"""JSON, plain or gzipped: an array of objects, or one object per line; each is a row."""

import json
import logging

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import (
    COLUMNS,
    not_a_table,
    too_many_columns,
    unify_columns,
)
from bayesrank.data.formats.text_files import (
    bad_line,
    decode_text,
    lines_of,
    plain_name,
    read_bytes,
)

__all__ = ["JSON"]

_log = logging.getLogger("bayesrank.read")


def _read(path, encoding=None):
    """Return the objects of a file as rows; texts stay texts and numbers stay numbers."""
    text = decode_text(path, read_bytes(path), encoding)
    array = plain_name(path).endswith(".json") or text.lstrip().startswith("[")
    rows = _rows_of_array(path, text) if array else _rows_of_lines(path, text)
    return unify_columns(_plain_columns(path, rows))


def _rows_of_array(path, text):
    """Return the objects of an array."""
    try:
        rows = json.loads(text)
        if "\\u" in text:
            _require_whole_characters(rows)
    except (ValueError, RecursionError) as error:
        raise not_a_table(path, error) from None
    if not rows or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise not_a_table(path, 'it must be an array of objects, [{"column": value, ...}, ...].')
    if len({name for row in rows for name in row}) > COLUMNS:
        raise too_many_columns(path, 1, text)
    return rows


def _rows_of_lines(path, text):
    """Return the objects of the lines."""
    rows, columns = [], set()
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "\\u" in line:
                _require_whole_characters(row)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            rule = 'a line must be one object, {"column": value, ...}'
            raise bad_line(path, number, rule, line)
        rows.append(row)
        columns.update(row)
        if len(columns) > COLUMNS:
            raise too_many_columns(path, number, line)
    return rows


def _require_whole_characters(value):
    """Refuse half of a character that takes two escapes: no file of text could hold it."""
    json.dumps(value, ensure_ascii=False).encode()


def _plain_columns(path, rows):
    """Return a frame of rows, without what is nested, such as whole conversations."""
    import pandas as pd

    nested = {n for row in rows for n, v in row.items() if isinstance(v, (dict, list))}
    frame = pd.DataFrame([{n: v for n, v in row.items() if n not in nested} for row in rows])
    if not len(frame.columns):
        raise not_a_table(path, "all that it holds is nested.")
    if nested:
        _log.info("left out, as it is nested: %s", ", ".join(sorted(nested)))
    return frame


JSON = FileFormat("JSON", TABLE, _read, suffixes=(".jsonl", ".ndjson", ".json"))
