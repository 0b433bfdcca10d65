"""What is known of a file format: its endings, how it is recognised, and what reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["DATA", "TABLE", "FileFormat"]

DATA, TABLE = "data", "table"


@dataclass(frozen=True)
class FileFormat:
    """A file format.

    Attributes
    ----------
    name : str
        What messages call it.
    gives : {DATA, TABLE}
        Whether the file holds comparisons or rankings in a format of its own, or a table, whose
        layout is another question.
    read : callable
        Of data, ``read(path, unranked=None)`` returns `Comparisons` or `Rankings`; of a table,
        ``read(path, encoding=None)`` returns a pandas frame.
    suffixes : tuple of str
        How names of such files end, in lower case; ".gz" may follow.
    recognise : callable, optional
        ``recognise(path, line)`` returns whether the first line, not counting comments and empty
        ones, is that of such a file, whatever its name.
    is_start : callable, optional
        ``is_start(content)`` returns whether a file whose name has no known ending, and which
        starts with these bytes, is such a file.
    is_text : bool
        Whether the file is text, in some encoding.
    """

    name: str
    gives: str
    read: Callable[..., Any]
    suffixes: tuple[Any, ...] = ()
    recognise: Callable[..., Any] | None = None
    is_start: Callable[[bytes], bool] | None = None
    is_text: bool = True
