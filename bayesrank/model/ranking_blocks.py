"""Rankings as kernels want them: entries best first, and the sizes of their blocks."""

import numpy as np

from bayesrank.data import Rankings

__all__ = ["blocks_of"]


def blocks_of(data: Rankings) -> tuple[np.ndarray, np.ndarray]:
    """Return which entry comes in each place, best first, and the sizes of the blocks.

    See `bayesrank.kernels.ranking_rows` for how sizes lie. Inside a block entries keep their order.
    """
    ranking, rank = data.entry_ranking, data.entry_rank
    place = np.where(rank > 0, rank, np.iinfo(np.int64).max)  # the unranked come last
    order = np.arange(rank.size)
    if np.any((np.diff(place) < 0) & (np.diff(ranking) == 0)):
        order = np.lexsort((place, ranking))
    place = place[order]
    opens = np.ones(rank.size, dtype=bool)
    opens[1:] = (np.diff(ranking) != 0) | (np.diff(place) != 0)
    first = np.flatnonzero(opens)
    # Blocks of each ranking are numbered from where its entries start.
    number = np.arange(first.size) - np.searchsorted(first, data.start[ranking[first]])
    sizes = np.zeros(rank.size, dtype=np.int64)
    length = np.diff(np.append(first, rank.size))
    unranked = rank[order[first]] == 0
    sizes[data.start[ranking[first]] + number] = np.where(unranked, -length, length)
    return order, sizes
