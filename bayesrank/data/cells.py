"""Cells of tables as people write them: numbers as texts, marks of a missing rank, tied places."""

import logging
import sys

import numpy as np

from bayesrank.text import listing, short

__all__ = [
    "MISSING",
    "blank_marks",
    "counts_rows",
    "to_numbers",
    "to_texts",
    "to_whole_numbers",
    "too_large",
    "unify_labels",
]

# Marks of a rank that is missing, and of somebody who started and has no place.
MISSING = {"", "\\n", "na", "n/a", "nan", "null", "none", "-", "--", "\u2013", "\u2014", "."}
RETIRED = {
    "dnf", "dns", "dsq", "dq", "ret", "retired", "nc", "r", "d", "e", "f", "w", "n", "abd", "wd",
    "dnq", "otl", "cut", "mc", "mdf",
}  # fmt: skip
LARGEST = sys.float_info.max
TIED_PLACE = r"^[Tt=]([0-9]+)$|^([0-9]+)[Tt=]$"  # golf's T2

_log = logging.getLogger("bayesrank.read")


def blank_marks(frame, rank):
    """Return the frame with missing ranks where marks stand for them, and log the marks."""
    import pandas as pd

    if rank not in frame or pd.api.types.is_numeric_dtype(frame[rank]):
        return frame
    texts = frame[rank].astype("string").str.strip()
    marks = texts.str.casefold().isin(MISSING | RETIRED).fillna(False)
    found = texts[marks].value_counts()
    places = texts.str.extract(TIED_PLACE)
    places = places[0].fillna(places[1])
    if places.notna().any():
        frame = frame.assign(**{rank: frame[rank].mask(places.notna().to_numpy(), places)})
    if not len(found):
        return frame
    shown = listing([f"{mark} ({count:,})" for mark, count in found.items()], 12)
    _log.info("missing: %s in column %s", shown, rank)
    return frame.assign(**{rank: frame[rank].mask(marks.to_numpy(dtype=bool))})


def too_large(name, values):
    """Return the error for a column with numbers beyond all floats, which JSON allows."""
    rows = [k for k, value in enumerate(values) if isinstance(value, int) and abs(value) > LARGEST]
    return ValueError(
        f"Column `{short(name)}` holds a number that is too large: row {listing(rows)} (the first "
        "row is 0)."
    )


def to_numbers(frame, columns):
    """Return the frame with columns of texts as numbers, or name the rows that hold no number."""
    import pandas as pd

    for name in columns:
        if name in frame and not pd.api.types.is_numeric_dtype(frame[name]):
            texts = frame[name]
            if frame.attrs.get("decimal") == ",":
                texts = texts.str.replace(",", ".", regex=False)
            try:
                numbers = pd.to_numeric(texts, errors="coerce")
            except OverflowError:
                raise too_large(name, texts) from None
            bad = numbers.isna() & frame[name].notna()
            if bad.any():
                rows = [f"{frame[name][row]!r} in row {row}" for row in frame.index[bad]]
                raise ValueError(
                    f"Column `{short(name)}` must hold numbers: {listing(rows)} "
                    "(the first row is 0)."
                )
            frame = frame.assign(**{name: numbers})
    return frame


def unify_labels(frame, columns):
    """Return the frame with texts in all of some columns if any of them has a text.

    So 76 and "76" are one label, whichever of them a program writes in which row or column.
    """
    columns = [name for name in columns if name in frame]
    found = [_has_texts_and_others(frame[name]) for name in columns]
    if any(texts for texts, _ in found) and any(others for _, others in found):
        return to_texts(frame, columns)
    return frame


def _has_texts_and_others(column):
    """Return whether a column holds texts, and whether it holds numbers or the like."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories.to_series()
    if pd.api.types.is_string_dtype(column):
        return True, False
    if column.dtype != object:
        return False, True
    texts = column.dropna().map(lambda value: isinstance(value, str))
    return bool(texts.any()), not texts.all()


def to_texts(frame, columns):
    """Return the frame with texts in some columns; whole numbers are without a decimal point."""
    import pandas as pd

    for name in columns:
        if name in frame and not pd.api.types.is_string_dtype(frame[name]):
            frame = frame.assign(**{name: frame[name].map(_text, na_action="ignore")})
    return frame


def _text(value):
    # A column of whole numbers becomes one of floats where a cell is empty.
    whole = isinstance(value, (float, np.floating)) and value.is_integer()
    return str(int(value)) if whole else str(value)


def to_whole_numbers(frame, column):
    """Return the frame with whole numbers for texts that all spell one, so that 10 is after 9."""
    import pandas as pd

    if column in frame and pd.api.types.is_string_dtype(frame[column]):
        if frame[column].str.fullmatch("0|[1-9][0-9]{0,17}").eq(True).all():
            return frame.assign(**{column: frame[column].astype("int64")})
    return frame


def counts_rows(frame, column):
    """Return whether a column without a name only numbers the rows, as some programs write it."""
    if not str(column).startswith("Unnamed: "):
        return False
    texts = frame[column].astype("string").fillna("").tolist()
    return texts in ([str(k + first) for k in range(len(frame))] for first in (0, 1))
