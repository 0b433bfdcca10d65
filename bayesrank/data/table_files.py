"""Files that hold a table: CSV, TSV, JSON-lines and Parquet, plain or gzipped."""

import io
import json
from pathlib import Path

from bayesrank.data.text_files import bad_line, read_bytes, read_lines
from bayesrank.wording import listing

__all__ = ["read_frame"]

JSON = (".jsonl", ".ndjson")
# Of objects that each have names of their own, a table would have as many columns as rows.
COLUMNS = 10_000


def read_frame(path, datasets=()):
    """Return the table of a file, or say in a sentence what is wrong with the file.

    Parameters
    ----------
    path : Path
    datasets : sequence of str
        Names that might have been meant instead of a file.
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
            start = file.read(4096)
    except PermissionError:
        raise PermissionError(f"'{path}' may not be read.") from None
    if not start:
        raise ValueError(f"'{path}' is empty (0 bytes).")
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    if ending in (".parquet", ".pq"):
        return _read_parquet(path)
    if ending in JSON:
        return _read_json_lines(path)
    source = path
    if start[:2] == b"\x1f\x8b":
        content = read_bytes(path)
        source, start = io.BytesIO(content), content[:4096]
    if b"\0" in start:
        raise ValueError(f"'{path}' cannot be read as a table: it is not a text file.")
    return _read_csv(path, source, start, "\t" if ending in (".tsv", ".tab") else ",")


def _read_csv(path, source, start, separator):
    import pandas as pd

    # The first lines may be comments; a '#' further on belongs to somebody's name. Texts stay
    # texts, so that '001' and 'NA' keep their spelling.
    lines = start.splitlines()
    comments = next((k for k, line in enumerate(lines) if not line.startswith(b"#")), 0)
    try:
        return pd.read_csv(
            source,
            sep=separator,
            skiprows=comments,
            skipinitialspace=True,
            dtype=str,
            keep_default_na=False,
            na_values=[""],
        )
    except ValueError as error:  # what pandas raises is a kind of ValueError
        raise _refusal(path, error) from None


def _read_parquet(path):
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except ImportError:
        raise ImportError("Reading Parquet needs PyArrow: python3 -m pip install pyarrow") from None
    except (ValueError, OSError) as error:
        raise _refusal(path, error) from None


def _read_json_lines(path):
    """Return objects, one a line, as rows; texts stay texts and numbers numbers."""
    import pandas as pd

    rows, columns = [], set()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        plain = isinstance(row, dict) and not any(
            isinstance(value, (dict, list)) for value in row.values()
        )
        if not plain:
            rule = 'a line must be one object of texts and numbers, {"column": value, ...}'
            raise bad_line(path, number, rule, line)
        rows.append(row)
        columns.update(row)
        if len(columns) > COLUMNS:
            raise bad_line(path, number, f"there may be {COLUMNS:,} columns at most", line)
    return pd.DataFrame(rows)


def _refusal(path, error):
    reason = (str(error).splitlines() or ["it is damaged"])[0]
    return ValueError(f"'{path}' cannot be read as a table: {reason}")
