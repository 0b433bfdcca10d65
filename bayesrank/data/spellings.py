"""Names that are one name in several spellings: SANTOS and Santos, spaces, accents."""

import unicodedata
import warnings
from collections import Counter

import numpy as np

from bayesrank.text import option, short

__all__ = ["fold_spellings", "warn_of_spellings"]

_SHOWN = 10


def _key(label):
    """Return what spellings of one name have in common."""
    text = unicodedata.normalize("NFKC", label).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _groups(labels):
    """Return the spellings of each name that has several, among the labels that are texts."""
    groups = {}
    for label in labels:
        if isinstance(label, str):
            groups.setdefault(_key(label), []).append(label)
    return [spellings for spellings in groups.values() if len(spellings) > 1]


def warn_of_spellings(labels, what="items", *, known=(), remedy=None, stacklevel=6):
    """Warn of different labels that look like one name.

    Parameters
    ----------
    labels : iterable
    what : str
    known : sequence of set
        Labels of which a user was warned before.
    remedy : str, optional
        What to do, by default by an argument of what reads.
    stacklevel : int
    """
    found = [group for group in _groups(labels) if not any(told >= {*group} for told in known)]
    remedy = f"{option('fold_names', True)} makes one of each." if remedy is None else remedy
    if found:
        shown = "; ".join(
            " = ".join(repr(short(spelling)) for spelling in sorted(spellings))
            for spellings in found[:_SHOWN]
        )
        more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        warnings.warn(
            f"Some {what} differ in capitals, spaces or the coding of accents only, and are taken "
            "as different: "
            f"{shown}{more}. {remedy}",
            stacklevel=stacklevel,
        )


def fold_spellings(*columns):
    """Return columns of labels with each name in its most frequent spelling.

    Columns that are None stay None.
    """
    frequency = Counter()
    for column in columns:
        if column is not None:
            frequency.update(label for label in column.tolist() if isinstance(label, str))
    usual = {}
    for spellings in _groups(frequency):
        best = max(sorted(spellings), key=frequency.__getitem__)
        usual |= dict.fromkeys(spellings, best)
    return [column if column is None else _rename(column, usual) for column in columns]


def _rename(column, usual):
    """Return a column with the usual spelling of each label."""
    if not usual:
        return column
    renamed = np.empty(len(column), dtype=object)
    renamed[:] = [usual.get(label, label) for label in column.tolist()]
    return renamed
