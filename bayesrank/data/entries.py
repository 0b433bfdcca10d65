"""Rankings in long form, one row an entry: their order, their checks, and their rectangle.

An entry is an item in a ranking, at a level: lower is better, equal is tied, infinity is offered
but unranked. Ranks are levels, and so are ratings with their sign changed.
"""

from dataclasses import dataclass

import numpy as np

from bayesrank.wording import listing

__all__ = ["Entries", "checked_unranked", "checked_weights", "name_places"]


def checked_unranked(unranked):
    """Return whether items without a rank are below the ranked ones."""
    if unranked not in ("not offered", "below"):
        raise ValueError(f'`unranked` must be "not offered" or "below", got {unranked!r}.')
    return unranked == "below"


def checked_weights(weights, rankings):
    """Return the rankings' weights as an array; they are 1 if not given."""
    if weights is None:
        return np.ones(rankings)
    try:
        weights = np.asarray(weights, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`weights` must hold numbers, got {weights!r}.") from None
    if weights.shape != (rankings,):
        raise ValueError(
            f"`weights` must hold one number for each of the {rankings} rankings, "
            f"got shape {weights.shape}."
        )
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
    if bad.size:
        shown = listing([f"{weights[k]:g} at {k}" for k in bad])
        raise ValueError(f"`weights` must be finite and positive: {shown} (the first is 0).")
    return weights


@dataclass
class Entries:
    """Entries sorted by ranking, then level, then item, with what follows from the order.

    Attributes
    ----------
    order : ndarray of int
        Where each sorted entry was in the arrays that came in.
    ranking, item, slot : ndarray of int
        Which ranking, which item, and the position in its ranking.
    level : ndarray of float
    rank : ndarray of int
        Dense ranks (1, 2, 2, 3); 0 is unranked.
    opens : ndarray of bool
        Whether the entry is the first of its block.
    sizes : ndarray of int
        Number of entries of each ranking.
    """

    order: np.ndarray
    ranking: np.ndarray
    item: np.ndarray
    slot: np.ndarray
    level: np.ndarray
    rank: np.ndarray
    opens: np.ndarray
    sizes: np.ndarray

    @classmethod
    def sort(cls, ranking, item, level, rankings):
        """Sort entries of rankings 0, 1, ..., of which there are `rankings`."""
        order = np.lexsort((item, level, ranking))
        ranking, item, level = ranking[order], item[order], level[order]
        sizes = np.bincount(ranking, minlength=rankings)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        slot = np.arange(ranking.size) - first
        opens = slot == 0
        opens[1:] |= level[1:] != level[:-1]
        block = np.cumsum(opens)
        rank = np.where(np.isfinite(level), block - block[first] + 1, 0)
        return cls(order, ranking, item, slot, level, rank, opens, sizes)

    def require_once(self, place, names, items):
        """Refuse an item that is twice in a ranking."""
        key = np.sort(self.ranking * len(items) + self.item)
        twice = np.unique(key[1:][key[1:] == key[:-1]])
        if twice.size:
            shown = [f"{items[k % len(items)]} in {place} {names[k // len(items)]}" for k in twice]
            raise ValueError(f"An item may be in a ranking only once: {listing(shown)}.")

    def require_sense(self, place, names, remedy):
        """Refuse rankings of fewer than two items and rankings that rank nothing."""
        few = np.flatnonzero(self.sizes < 2)
        if few.size:
            raise ValueError(
                "A ranking of one item says nothing, it needs two: "
                f"{name_places(place, names, few)}. {remedy}"
            )
        ranked = np.bincount(self.ranking, self.rank > 0, minlength=self.sizes.size)
        if not ranked.all():
            none = np.flatnonzero(ranked == 0)
            raise ValueError(
                "A ranking in which no item is ranked says nothing: "
                f"{name_places(place, names, none)}."
            )

    def require_no_gaps(self, place, names):
        """Refuse ranks that are neither dense (1, 2, 2, 3) nor those of a contest (1, 2, 2, 4)."""
        ranked = self.rank > 0
        start = np.flatnonzero(self.opens)
        better = self.slot[start][np.cumsum(self.opens) - 1]  # items above the block

        def agrees(expected):
            differs = ranked & (self.level != expected)
            return np.bincount(self.ranking, differs, minlength=self.sizes.size) == 0

        bad = np.flatnonzero(~(agrees(self.rank) | agrees(better + 1)))
        if bad.size:
            ends = np.cumsum(self.sizes)
            shown = []
            for k in bad[:3]:
                levels = self.level[ends[k] - self.sizes[k] : ends[k]]
                levels = [f"{level:.0f}" for level in levels[np.isfinite(levels)]]
                shown.append(f"{place} {names[k]} has {listing(levels, 12)}")
            more = f" and {bad.size - 3} more" if bad.size > 3 else ""
            raise ValueError(
                f"Ranks skip: {'; '.join(shown)}{more}. In each ranking they must go 1, 2, 3, ... "
                "without a gap, ties as 1, 2, 2, 3 or 1, 2, 2, 4. If only the order counts, "
                'renumber them first (in pandas: `groupby(...).rank("dense")`).'
            )

    def fill(self, values, padding, dtype):
        """Return values of the sorted entries as a rectangle, rankings by slots."""
        shape = (self.sizes.size, self.sizes.max(initial=0), *values.shape[1:])
        # Pages of zeros that nobody writes take no memory: the padding of many features is free.
        table = np.zeros(shape, dtype) if padding == 0 else np.full(shape, padding, dtype)
        table[self.ranking, self.slot] = values
        return table


def name_places(place, names, chosen):
    """Return "rows 3, 4", or "`race` x, y" where the place is a column."""
    plural = "s" if len(chosen) > 1 and not place.startswith("`") else ""
    return f"{place}{plural} {listing([names[k] for k in chosen])}"
