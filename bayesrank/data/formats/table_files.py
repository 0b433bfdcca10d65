"""What the formats of tables share: checks of the file, limits, and errors."""

from bayesrank.data.formats.text_files import bad_line
from bayesrank.text import listing

__all__ = [
    "COLUMNS",
    "not_a_table",
    "read_frame",
    "require_file",
    "too_many_columns",
    "unify_columns",
]

# Objects that each have names of their own would make a table with as many columns as rows; and
# libraries take time and memory for each column.
COLUMNS = 10_000


def require_file(path, datasets):
    """Refuse a path where there is no file.

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


def read_frame(path, file_format, encoding=None):
    """Return the table of a file, or say in a sentence what is wrong with the file.

    Parameters
    ----------
    path : Path
    file_format : FileFormat
        One that gives a table.
    encoding : str, optional
        Of text; by default UTF-8, or UTF-16 where the file says so; otherwise Windows' cp1252, with
        a warning.
    """
    try:
        with path.open("rb") as file:
            start = file.read(1)
    except PermissionError:
        raise PermissionError(f"'{path}' may not be read.") from None
    if not start:
        raise ValueError(f"'{path}' is empty (0 bytes).")
    if encoding is not None and not file_format.is_text:
        raise ValueError(f"`encoding` is for text, and '{path}' is not a text file.")
    return file_format.read(path, encoding)


def unify_columns(frame):
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


def too_many_columns(path, number, line):
    """Return the error that refuses a table at the line where it has too many columns."""
    return bad_line(path, number, f"there may be {COLUMNS:,} columns at most", line)


def not_a_table(path, reason):
    """Return the error that says why a file is not a table: a text, or the error of a library."""
    if isinstance(reason, Exception):
        reason = (str(reason).splitlines() or ["it is damaged"])[0]
    return ValueError(f"'{path}' cannot be read as a table: {reason}")
