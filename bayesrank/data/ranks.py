"""Ranks that seem to start at 0, where 0 is an item without a rank."""

import numpy as np

__all__ = ["ZERO_IS_UNRANKED", "seem_to_start_at_zero"]

ZERO_IS_UNRANKED = (
    "holds exactly one 0 in every row, as ranks do that start at 0. Here 1 is the best rank, and 0 "
    "is an item below all others: add 1 to all ranks. If 0 does mark the last item, write its rank "
    "instead."
)


def seem_to_start_at_zero(ranks: np.ndarray) -> bool:
    """Return whether each row holds one 0, and not always in its last slot as in `Rankings`.

    ``ranks`` has one row per ranking. In rankings that are sorted, best first, it may be that
    just the last item was left unranked.
    """
    zero = ranks == 0
    if not len(ranks) or not (zero.sum(axis=1) == 1).all():
        return False
    slots = np.arange(ranks.shape[1])
    last = np.where(ranks >= 0, slots, -1).max(axis=1)
    return bool((zero.argmax(axis=1) != last).any())
