"""Parquet files, which PyArrow reads."""

import os

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.source_files import LARGEST, engine_advice
from bayesrank.data.formats.table_files import not_a_table

__all__ = ["PARQUET"]

MARK = b"PAR1"
CELLS = LARGEST // 8  # values that a file may hold: equal ones take almost no space in it


def _read(path, encoding=None):
    """Return the table of a file."""
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
        raise not_a_table(path, _reason(path)) from error
    if frame is None:
        raise ValueError(
            f"'{path}' holds {about.num_rows:,} rows of {about.num_columns:,} columns, more than "
            f"{CELLS:,} values; {engine_advice()}."
        )
    return frame


def _reason(path):
    """Return what is wrong with a file that PyArrow did not read."""
    with path.open("rb") as file:
        start = file.read(len(MARK))
        file.seek(-min(len(MARK), file.seek(0, os.SEEK_END)), os.SEEK_END)
        end = file.read()
    if start != MARK:
        return "it is not a Parquet file, which starts with 'PAR1'."
    if end != MARK:
        return "it is cut off: a Parquet file ends with 'PAR1'."
    return "it is damaged, or holds what PyArrow cannot read."


def _is_start(start):
    return start.startswith(MARK)


PARQUET = FileFormat(
    "Parquet", TABLE, _read, suffixes=(".parquet", ".pq"), is_start=_is_start, is_text=False
)
