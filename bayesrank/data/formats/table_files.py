"""What the formats of tables share: checks of the file, limits, and errors."""

from bayesrank.data.cells import unify_labels
from bayesrank.data.formats.text_files import bad_line

__all__ = [
    "COLUMNS",
    "not_a_table",
    "read_frame",
    "too_many_columns",
    "unify_columns",
]

# Objects that each have names of their own would make a table with as many columns as rows; and
# libraries take time and memory for each column.
COLUMNS = 10_000


def read_frame(path, file_format, encoding=None):
    """Return the table of a file, or say in a sentence what is wrong with the file.

    Parameters
    ----------
    path : Path or PipedFile
    file_format : FileFormat
        One that gives a table.
    encoding : str, optional
        Of text; by default UTF-8, or UTF-16 where the file says so; otherwise Windows' cp1252, with
        a warning.
    """
    with path.open("rb") as file:
        start = file.read(1)
    if not start:
        raise ValueError(f"'{path}' is empty (0 bytes).")
    if encoding is not None and not file_format.is_text:
        raise ValueError(f"`encoding` is for text, and '{path}' is not a text file.")
    return file_format.read(path, encoding)


def unify_columns(frame):
    """Return the frame with texts where a column has texts and numbers: 76 and "76" are one."""
    for name in frame.columns:
        frame = unify_labels(frame, [name])
    return frame


def too_many_columns(path, number, line):
    """Return the error that refuses a table at the line where it has too many columns."""
    return bad_line(path, number, f"there may be {COLUMNS:,} columns at most", line)


def not_a_table(path, reason):
    """Return the error that says why a file is not a table."""
    return ValueError(f"'{path}' cannot be read as a table: {reason}")
