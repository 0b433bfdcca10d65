"""Excel's workbooks, of which the first sheet is read by openpyxl."""

import logging

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import not_a_table, unify_columns

__all__ = ["EXCEL"]

_log = logging.getLogger("bayesrank.read")


def _read(path, encoding=None):
    """Return the first sheet; texts stay texts and numbers stay numbers."""
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
        raise not_a_table(path, error) from None
    if len(sheets) > 1:
        _log.info("sheet: %s (the first of %d)", sheets[0], len(sheets))
    frame = frame.dropna(how="all").reset_index(drop=True)
    frame.columns = [str(name) for name in frame.columns]
    return unify_columns(frame.infer_objects())


EXCEL = FileFormat("Excel", TABLE, _read, suffixes=(".xlsx", ".xlsm"), is_text=False)
