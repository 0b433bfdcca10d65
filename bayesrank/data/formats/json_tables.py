"""JSON, plain or gzipped: an array of objects, or one object per line; each is a row."""

import json
import logging
import re

from bayesrank.data.cells import LARGEST, too_large
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
    is_utf16,
    lines_of,
    plain_name,
    read_bytes,
)

__all__ = ["JSON"]

# What is broken where Python cannot read on, by the beginning of what Python says.
RULES = {
    "Expecting value": "there must be a value",
    "Expecting property name": "there must be a name in double quotation marks",
    "Illegal trailing comma": "there must be no comma after the last value",
    "Expecting ':'": "there must be a colon after a name",
    "Expecting ','": "there must be a comma between two values",
    "Unterminated string": "a text that starts with a quotation mark must end with one",
    "Invalid control character": "in a text, ends of lines and tabs must be written as \\n and \\t",
    "Invalid \\": 'after a backslash there must be one of \\ / " b f n r t, or u and four digits',
    "Extra data": "there must be nothing after the end of the array or object",
}
START = re.compile(r'\s*(?:\[\s*)?\{\s*["}]')  # of an array of objects, or of one object
HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
DIGITS = re.compile(r"[0-9]{1000}")

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
        rows = _parsed(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"'{path}', line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
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
        rule = 'a line must be one object, {"column": value, ...}'
        try:
            row = _parsed(line)
        except json.JSONDecodeError as error:
            row, rule = None, f"{rule}; in column {error.colno} {error.msg}"
        if not isinstance(row, dict):
            raise bad_line(path, number, rule, line)
        rows.append(row)
        columns.update(row)
        if len(columns) > COLUMNS:
            raise too_many_columns(path, number, line)
    return rows


def _parsed(text):
    """Return what a text says, or raise an error that knows the place and says the rule."""
    try:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        rules = (rule for start, rule in RULES.items() if error.msg.startswith(start))
        raise json.JSONDecodeError(next(rules, "there must be JSON"), text, error.pos) from None
    except UnicodeEncodeError:  # no file of text could hold half of a character
        place = _place_of(HALF, text)
        rule = "there must be both halves of a character that takes two escapes"
        raise json.JSONDecodeError(rule, text, place) from None
    except RecursionError:
        raise json.JSONDecodeError("nothing may be nested so deeply", text, 0) from None
    except ValueError:  # Python's limit
        place = _place_of(DIGITS, text)
        raise json.JSONDecodeError("a number must have fewer digits", text, place) from None
    return value


def _place_of(pattern, text):
    match = pattern.search(text)
    return match.start() if match else 0


def _plain_columns(path, rows):
    """Return a frame of rows, without what is nested, such as whole conversations."""
    import pandas as pd

    nested = {n for row in rows for n, v in row.items() if isinstance(v, (dict, list))}
    plain = [{n: v for n, v in row.items() if n not in nested} for row in rows]
    try:
        frame = pd.DataFrame(plain)
    except OverflowError:  # of pandas before 3.1
        for name in dict.fromkeys(name for row in plain for name in row):
            if any(isinstance(row.get(name), int) and abs(row[name]) > LARGEST for row in plain):
                raise too_large(name, [row.get(name) for row in plain]) from None
        raise
    if not len(frame.columns):
        raise not_a_table(path, "all that it holds is nested.")
    if nested:
        _log.info("left out, as it is nested: %s", ", ".join(sorted(nested)))
    return frame


def _is_start(start):
    encoding = "utf-16" if is_utf16(start) else "utf-8-sig"
    return START.match(start.decode(encoding, errors="replace")) is not None


JSON = FileFormat("JSON", TABLE, _read, suffixes=(".jsonl", ".ndjson", ".json"), is_start=_is_start)
