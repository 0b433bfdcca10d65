"""Excel's workbooks, of which the first sheet is read by openpyxl."""

import logging
import os
import zipfile

from bayesrank.data.formats.file_format import TABLE, FileFormat
from bayesrank.data.formats.table_files import not_a_table, unify_columns
from bayesrank.data.formats.text_files import TIMES, UNZIPPED

__all__ = ["EXCEL"]

ZIPPED = b"PK\x03\x04"  # how a workbook starts
OLD = b"\xd0\xcf\x11\xe0"  # how one in the format before 2007 starts, or one with a password

_log = logging.getLogger("bayesrank.read")


def _read(path, encoding=None):
    """Return the first sheet; texts stay texts and numbers stay numbers."""
    import pandas as pd

    try:
        import openpyxl  # noqa: F401
    except ImportError:
        raise ImportError("Reading Excel needs openpyxl: python3 -m pip install openpyxl") from None
    _require_workbook(path)
    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            sheets = book.sheet_names
            about = {"dtype": object, "keep_default_na": False, "na_values": [""]}
            frame = pd.read_excel(book, sheet_name=sheets[0], **about)
    except Exception as error:  # damaged files make openpyxl and zipfile raise errors of all kinds
        raise not_a_table(path, "it is damaged, or not a workbook of Excel.") from error
    if len(sheets) > 1:
        _log.info("sheet: %s (the first of %d)", sheets[0], len(sheets))
    frame = frame.dropna(how="all").reset_index(drop=True)
    frame.columns = [str(name) for name in frame.columns]
    return unify_columns(frame.infer_objects())


def _require_workbook(path):
    """Refuse what is not a workbook, and one that would fill the memory."""
    with path.open("rb") as file:
        start = file.read(len(OLD))
    if start == OLD:
        raise not_a_table(
            path, "it has a password, or Excel's format before 2007; save it as .xlsx without one."
        )
    try:
        with zipfile.ZipFile(path) as book:
            size = sum(part.file_size for part in book.infolist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        raise not_a_table(path, "it is cut off, or not a workbook of Excel.") from None
    if size > max(UNZIPPED, TIMES * os.stat(path).st_size):
        raise ValueError(
            f"'{path}' holds more than {UNZIPPED:,} bytes once it is unzipped, and {TIMES} times "
            "as much as it is long: save it as CSV if that is right."
        )


def _is_start(start):
    return start.startswith(OLD) or (start.startswith(ZIPPED) and b"[Content_Types].xml" in start)


EXCEL = FileFormat(
    "Excel", TABLE, _read, suffixes=(".xlsx", ".xlsm"), is_start=_is_start, is_text=False
)
