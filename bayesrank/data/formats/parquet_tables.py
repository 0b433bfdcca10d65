"""Parquet files, which PyArrow reads."""

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import not_a_table
from bayesrank.data.formats.text_files import LARGEST

__all__ = ["PARQUET"]

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
        raise not_a_table(path, error) from None
    if frame is None:
        raise ValueError(
            f"'{path}' holds {about.num_rows:,} rows of {about.num_columns:,} columns, more than "
            f"{CELLS:,} values; read it by an engine such as DuckDB and hand over its frame."
        )
    return frame


PARQUET = FileFormat("Parquet", TABLE, _read, suffixes=(".parquet", ".pq"), is_text=False)
