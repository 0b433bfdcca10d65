"""What rankings say of pairs of items: all pairs as comparisons, and who can be reached by wins."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import connectivity_of_graph
from bayesrank.data.entries import Entries
from bayesrank.data.instances import item_texts
from bayesrank.data.labels import number_rows
from bayesrank.data.pair_counts import checked_counts
from bayesrank.data.times import kept_times

if TYPE_CHECKING:
    from bayesrank.data.connectivity import Connectivity

__all__ = ["all_pairs", "levels", "pairs_of_entries", "ranking_connectivity"]

# Pairs that are counted at a time, which takes some 100 MB.
AT_ONCE = 1_000_000
# Tables of counts up to this size are kept whole; larger ones as a list of the pairs that occur.
WHOLE = 50_000_000


def ranking_connectivity(rankings: Any, *, ties: bool = True) -> "Connectivity":
    """Return the `Connectivity` of rankings: the better item of a pair has won.

    ``ties`` says whether a tie links its items both ways, or says nothing. Instead of all
    pairs, each block points to a station, and the station to the next block: that reaches the
    same items with two edges an entry. Tied items form a ring.
    """
    level = np.where(rankings.entry_rank > 0, rankings.entry_rank, np.inf)
    entries = Entries.sort(rankings.entry_ranking, rankings.entry_item, level, len(rankings))
    item, opens = entries.item, entries.opens
    block = np.cumsum(opens) - 1
    start = np.flatnonzero(opens)
    length = np.diff(np.append(start, item.size))[block]
    above = entries.slot[start][block]
    first = above == 0
    last = above + length == entries.sizes[entries.ranking]
    tied = (length > 1) & (entries.rank > 0) & ties
    following = np.arange(1, item.size + 1)
    following[start[1:] - 1], following[-1] = start[:-1], start[-1]
    station = len(rankings.items) + block
    winner = np.concatenate([item[~last], station[~first] - 1, item[tied]])
    loser = np.concatenate([station[~last], item[~first], item[following[tied]]])
    terms = ("never below another", "never above another")
    return connectivity_of_graph(
        winner,
        loser,
        item_texts(rankings),
        instance=rankings.instance,
        instances=rankings.instances,
        terms=terms,
    )


def all_pairs(rankings: Any, strength: str, apart: Sequence[str] = ()) -> Comparisons:
    """Return all pairs of items of each ranking as `Comparisons`.

    Parameters
    ----------
    rankings : Rankings
    strength : str
        As in `Rankings.to_comparisons`.
    apart : list of str
        What is kept apart: "agent", "category", "time".
    """
    n = len(rankings.items)
    first, group = _groups(rankings, apart)
    total = _Total(3 * n * n * first.size)
    with np.errstate(over="ignore"):  # an infinite sum is refused below
        for key, value in _pairs(rankings, strength, group):
            total.add(key, value)
        key, value = total.result()
    row = key // 3
    new = np.append(True, np.diff(row) != 0)[: row.size]
    counts = np.zeros((new.sum(), 3))
    counts[np.cumsum(new) - 1, key % 3] = value
    if not len(counts):
        raise ValueError("All items are tied, so that no pair has a difference to count.")
    pair = row[new]
    of = first[pair // n**2]  # a ranking of each row's group
    about: dict[str, Any] = kept_times(rankings, of) if "time" in apart else {}
    for name, labels in (("agent", "agents"), ("category", "categories")):
        if name in apart:
            about |= {name: getattr(rankings, name)[of], labels: list(getattr(rankings, labels))}
    return Comparisons(
        left=pair // n % n,
        right=pair % n,
        counts=checked_counts(counts),
        items=list(rankings.items),
        instance=rankings.instance,
        instances=rankings.instances,
        derived=True,
        **about,
    )


def _groups(rankings: Any, apart: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return one ranking of each group that is kept apart, and the group of each ranking."""
    codes = [getattr(rankings, name) for name in ("category", "time", "agent") if name in apart]
    codes = codes or [np.zeros(len(rankings), dtype=np.int64)]
    _, first, group = np.unique(number_rows(*codes), return_index=True, return_inverse=True)
    return first, group


def _pairs(
    rankings: Any, strength: str, group: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, some pairs at a time, where each pair is counted and how much."""
    n, unranked = len(rankings.items), rankings.entry_rank == 0
    level = levels(rankings)
    if strength == "difference" and rankings.entry_ratings is not None:
        level = -rankings.entry_ratings
    for r, a, b in pairs_of_entries(rankings):
        i, j = rankings.entry_item[a], rankings.entry_item[b]
        better = level[b] - level[a]  # how far the first item is above
        better[i > j] *= -1
        value = np.broadcast_to(rankings.weights[r], i.shape)
        if strength == "difference":
            value = value * np.abs(better)
        column = np.where(better > 0, 0, np.where(better < 0, 1, 2))
        key = np.minimum(i, j) * n + np.maximum(i, j)
        key += group[r] * n**2
        keep = ~(unranked[a] & unranked[b])
        if strength == "difference":
            keep &= column < 2
        yield (3 * key + column)[keep], value[keep]


def levels(rankings: Any) -> np.ndarray:
    """Return the entries' ranks, with unranked ones one below the last ranked one."""
    rank = rankings.entry_rank
    last = np.maximum.reduceat(rank, rankings.start[:-1]) if rank.size else rank
    return np.where(rank == 0, np.repeat(last + 1, rankings.sizes), rank)


def pairs_of_entries(
    rankings: Any, chosen: Any = True
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield, some pairs at a time, all pairs of entries in the same chosen ranking.

    They are positions of rankings, as a column, and of the two entries, rankings by pairs.
    """
    sizes = rankings.sizes
    # Rankings of equal size have their pairs in the same places.
    for size in np.unique(sizes):
        rows = np.flatnonzero((sizes == size) & chosen)
        for first, second in _places(size):
            step = max(1, AT_ONCE // first.size)
            for begin in range(0, rows.size, step):
                some = rows[begin : begin + step, None]
                yield some, rankings.start[some] + first, rankings.start[some] + second


def _places(size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield positions of the first and second item of all pairs, no more than AT_ONCE at a time."""
    pairs = np.arange(size - 1, 0, -1)
    begin = 0
    while begin < size - 1:
        end = begin + max(1, int(np.searchsorted(np.cumsum(pairs[begin:]), AT_ONCE, "right")))
        first = np.repeat(np.arange(begin, end), pairs[begin:end])
        ahead = np.arange(first.size) - np.repeat(
            np.cumsum(pairs[begin:end]) - pairs[begin:end], pairs[begin:end]
        )
        yield first, first + 1 + ahead
        begin = end


class _Total:
    """Sums of values by key."""

    def __init__(self, size: int) -> None:
        self.table = np.zeros(size) if size <= WHOLE else None
        self.parts: list[Any] = []
        self.waiting: list[Any] = []
        self.count = 0

    def add(self, key: np.ndarray, value: np.ndarray) -> None:
        self.waiting.append((key, value))
        self.count += key.size
        if self.count >= AT_ONCE:
            self._sum_up()

    def _sum_up(self) -> None:
        if not self.waiting:
            return
        key, value = (np.concatenate(part) for part in zip(*self.waiting, strict=True))
        self.waiting, self.count = [], 0
        if self.table is not None:
            self.table += np.bincount(key, value, minlength=self.table.size)
        else:
            self.parts.append(_sums(key, value))

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys that occurred, sorted, and their sums."""
        self._sum_up()
        if self.table is not None:
            key = np.flatnonzero(self.table)
            return key, self.table[key]
        key, value = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        self.parts = []
        return _sums(key, value)


def _sums(key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # Keys come in sorted runs, which a stable sort only merges.
    order = np.argsort(key, kind="stable")
    key = key[order]
    start = np.flatnonzero(np.append(True, np.diff(key) != 0)[: key.size])
    return key[start], np.add.reduceat(value[order], start) if start.size else value
