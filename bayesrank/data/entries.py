"""Rankings in long form, one row an entry: their order, their checks, and their rectangle.

An entry is an item in a ranking, at a level: lower is better, equal is tied, infinity is offered
but unranked. Ranks are levels, and so are ratings with their sign changed.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from bayesrank.data.checks import as_floats
from bayesrank.text import listing, option

__all__ = ["Entries", "checked_unranked", "checked_weights", "name_places", "with_the_rest"]

UNRANKED = ("not offered", "below")
FEW = 5  # rankings that somebody wrote down by hand, and knows what they leave out


def checked_unranked(unranked, choices=UNRANKED):
    """Return whether items without a rank are below the ranked ones; None is the default."""
    if unranked is not None and unranked not in choices:
        allowed = " or ".join(f'"{choice}"' for choice in choices)
        raise ValueError(f"`unranked` must be {allowed}, got {unranked!r}.")
    return unranked == "below"


def with_the_rest(ranking, item, level, rankings, home):
    """Add to each ranking the items of its instance that it does not have, as unranked.

    Parameters
    ----------
    ranking, item, level : ndarray
        The entries, of rankings 0, 1, ...
    rankings : int
        How many rankings there are.
    home : ndarray of int
        Which instance each item belongs to.

    Returns
    -------
    tuple of ndarray
        The entries, those that were added at the end.
    """
    where = np.zeros(rankings, dtype=np.int64)
    where[ranking] = home[item]
    last = np.cumsum(np.bincount(home))
    first = last - np.bincount(home)
    # Items of an instance stand together.
    sizes = (last - first)[where]
    owner = np.repeat(np.arange(rankings), sizes)
    offered = np.arange(owner.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    offered += first[where][owner]
    key = owner * home.size + offered
    rest = ~np.isin(key, ranking * home.size + item)
    return (
        np.concatenate([ranking, owner[rest]]),
        np.concatenate([item, offered[rest]]),
        np.concatenate([level, np.full(rest.sum(), np.inf)]),
    )


def checked_weights(weights, rankings):
    """Return the rankings' weights as an array; they are 1 if not given."""
    if weights is None:
        return np.ones(rankings)
    try:
        weights = as_floats(weights)
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
                "without a gap, ties as 1, 2, 2, 3 or 1, 2, 2, 4. If only the order counts, as "
                f"where some rows were left out, {_close_gaps(place)}."
            )

    def ask_who_was_offered(self, items, instance):
        """Warn where nothing was said of items that rankings leave out, or put last together."""
        home = np.zeros(items, dtype=np.int64) if instance is None else instance
        of = np.zeros(self.sizes.size, dtype=np.int64)
        of[self.ranking] = home[self.item]
        repeated = np.bincount(self.item, minlength=items).max(initial=0) > 1
        partial = np.all(self.sizes < np.bincount(home)[of])
        if self.sizes.size < FEW:
            return
        if repeated and partial:
            most = self.sizes.max()
            where = "" if instance is None else " of its instance"
            warnings.warn(
                f"Every ranking lists fewer than all items{where} (at most {most:,} of "
                f"{np.bincount(home).max():,}). An item that a ranking does not list is taken as "
                "not offered in it, like a driver who did not start. If it was on offer and came "
                f"below the others, as on a ballot, say {option('unranked', 'below')}; "
                f"{option('unranked', 'not offered')} says that it was not, and silences this.",
                stacklevel=4,
            )
            return
        block = np.cumsum(self.opens) - 1
        tied = np.bincount(block) > 1
        closes = np.append(self.ranking[1:] != self.ranking[:-1], True)[: self.ranking.size]
        last = np.zeros(tied.size, dtype=bool)
        last[block[closes]] = True
        if tied.any() and not (tied & ~last).any() and tied.sum() > 0.5 * self.sizes.size:
            warnings.warn(
                f"In {tied.sum():,} of {self.sizes.size:,} rankings the last items are tied, and "
                "no others are. They are taken as tied with each other. If they were only left "
                "unranked, leave their rank empty and say "
                f"{option('unranked', 'rows below')}; {option('unranked', 'not offered')} "
                "silences this.",
                stacklevel=4,
            )


def _close_gaps(place):
    """Return how to read ranks that skip: only tables can be told to."""
    if place.startswith("`"):
        return f"say {option('close_gaps', True)}"
    return "renumber them first (scipy.stats.rankdata with method='dense')"


def name_places(place, names, chosen):
    """Return "rows 3, 4", or "`race` x, y" where the place is a column."""
    plural = "s" if len(chosen) > 1 and not place.startswith("`") else ""
    return f"{place}{plural} {listing([names[k] for k in chosen])}"
