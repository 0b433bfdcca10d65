"""Who is compared with whom: at random, everybody equally often, or as somebody says.

A design is a table of positions of items, one row for each comparison or ranking and one column for
each slot; -1 is no item.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import narwhals as nw
import numpy as np

from bayesrank.data.columns import collect
from bayesrank.data.labels import is_missing, map_positions
from bayesrank.text import listing

__all__ = ["DESIGNS", "even_sets", "given_sets", "random_sets"]


def random_sets(items: int, size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return sets of items that are drawn at random, in random order."""
    if size > 2:
        return np.array([rng.choice(items, size, replace=False) for _ in range(n)])
    left = rng.integers(0, items, n)
    return np.stack([left, (left + rng.integers(1, items, n)) % items], axis=1)


def even_sets(items: int, size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return sets in which all items occur equally often, and meet each other as evenly as may be.

    Pairs are a round robin: all meet once, then once again with the sides exchanged, and so on.
    """
    return _round_robin(items, n, rng) if size == 2 else _least_seen(items, size, n, rng)


def _round_robin(items: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return all pairs in turn, by the circle method: in each round everybody is in one pair."""
    seats = items + items % 2  # who meets the empty seat, the last one, rests in this round
    wheel = seats - 1
    turn, step = np.meshgrid(np.arange(wheel), np.arange(seats // 2), indexing="ij")
    left, right = (turn + step) % wheel, (turn - step) % wheel
    right[:, 0] = wheel  # in the middle of the wheel
    # It would always be on the same side, and so would those who meet in rounds of one parity.
    swap = (step == 0) & (turn % 2 == 1)
    pairs = np.stack([np.where(swap, right, left), np.where(swap, left, right)], axis=-1)
    pairs = pairs[(pairs < items).all(axis=-1)]
    pairs = rng.permutation(items)[pairs]
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return both[np.arange(n) % len(both)]


def _least_seen(items: int, size: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return sets that take the items seen least, of these the ones that met each other least."""
    seen, met = np.zeros(items), np.zeros((items, items))
    sets = np.empty((n, size), dtype=np.int64)
    for row in sets:
        left = np.ones(items, dtype=bool)
        for slot in range(size):
            often = met[:, row[:slot]].sum(axis=1)
            order = np.lexsort((rng.random(items), often, seen, ~left))
            row[slot] = order[0]
            left[row[slot]] = False
        seen[row] += 1.0
        met[np.ix_(row, row)] += 1.0
    return sets


DESIGNS: dict[str, Callable[..., np.ndarray]] = {"random": random_sets, "round-robin": even_sets}


def given_sets(design: Any, items: list[Any], *, pairs: bool) -> np.ndarray:
    """Return sets of items that somebody names, one row each.

    Parameters
    ----------
    design : data frame, array or list
        Of pairs, a frame has columns "left" and "right", or two columns. Of sets, a frame has a
        column "items" of lists or tuples, or columns "left" and "right", or a column for each slot.
        Arrays and lists have one row for each set.
    items : list
        Labels that may occur.
    pairs : bool
        Whether each set is a pair.
    """
    place = map_positions(items)
    rows = [_labels(k, row) for k, row in enumerate(_rows(design, pairs))]
    if not rows:
        raise ValueError("`design` is empty: at least one row is needed.")
    for k, row in enumerate(rows):
        unknown = [x for x in row if not (isinstance(x, Hashable) and x in place)]
        if unknown:
            raise ValueError(
                f"`design` has labels in row {k} that are no items: {listing(unknown)}; items are "
                f"{listing(items)} (the first row is 0)."
            )
        if (pairs and len(row) != 2) or len(row) < 2 or len(set(row)) < len(row):
            rule = "two different items" if pairs else "at least two items, each once"
            raise ValueError(
                f"`design` must have {rule} in each row; row {k} has "
                f"{listing(row) or 'none'} (the first row is 0)."
            )
    sets = np.full((len(rows), max(map(len, rows))), -1, dtype=np.int64)
    for known, row in zip(sets, rows, strict=True):
        known[: len(row)] = [place[label] for label in row]
    return sets


def _rows(design: Any, pairs: bool) -> list[Any]:
    """Return the rows of a frame, an array or a list."""
    try:
        frame = collect(nw.from_native(design))
    except TypeError:
        if isinstance(design, str | bytes | dict) or not isinstance(design, Iterable):
            raise TypeError(
                f"`design` must be {_known()}, a frame or a list of pairs or sets, got {design!r}."
            ) from None
        return list(design)
    if "items" in frame.columns and not pairs:
        return list(frame.get_column("items").to_list())
    names = list(frame.columns)
    if {"left", "right"} <= set(names) or (pairs and len(names) != 2):
        names = ["left", "right"]
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise ValueError(
            '`design` must have the columns "left" and "right", or two columns; it has '
            f"{listing(frame.columns)}."
        )
    columns = [frame.get_column(name).to_list() for name in names]
    return [list(row) for row in zip(*columns, strict=True)]


def _labels(k: int, row: Any) -> list[Any]:
    """Return the labels of one row; empty slots of a set are missing."""
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise TypeError(f"`design` must have a list of labels in each row, row {k} is {row!r}.")
    values = [value.item() if isinstance(value, np.generic) else value for value in row]
    return [value for value in values if not is_missing(value)]


def _known() -> str:
    return ", ".join(f'"{name}"' for name in DESIGNS)
