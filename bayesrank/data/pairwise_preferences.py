"""Preferences between pairs, and the ordered partition that says no more than they do."""

import warnings
from collections.abc import Iterable

import numpy as np

from bayesrank.data.entries import checked_weights
from bayesrank.data.labels import map_positions
from bayesrank.data.ranking_lists import check_distinct, check_label, check_one_each
from bayesrank.text import listing

__all__ = ["implied_lists", "maximal_partition"]


def implied_lists(preferences, items, weights, agents, names):
    """Return the rankings that lists of preferences imply: arguments of `listed_entries`."""
    if items is not None:
        items = check_distinct("items", items)
    if isinstance(preferences, str) or not isinstance(preferences, Iterable):
        raise TypeError(
            "`preferences` must be a list with one list of (better, worse) pairs a ranking, got "
            f"{type(preferences).__name__}."
        )
    partitions = []
    for k, pairs in enumerate(preferences):
        pairs = _pairs(f"preferences[{k}]", pairs)
        try:
            partitions.append(maximal_partition(pairs, items))
        except ValueError as error:
            raise ValueError(f"`preferences[{k}]`: {error}") from None
    n = len(partitions)
    keep = [k for k, blocks in enumerate(partitions) if len(blocks) > 1]
    if not keep:
        raise ValueError("No list of `preferences` splits its items: there is nothing to rank by.")
    if len(keep) < n:
        lost = sorted(set(range(n)).difference(keep))
        warnings.warn(
            f"{len(lost)} of {n} lists of preferences split no items, so as rankings they say "
            f"nothing; they are left out: {listing(lost)} (the first is 0).",
            stacklevel=3,
        )

    def kept(argument, labels):
        return None if labels is None else [check_one_each(argument, labels, n)[k] for k in keep]

    return {
        "lists": [partitions[k] for k in keep],
        "items": items,
        "weights": checked_weights(weights, n)[keep],
        "agents": kept("agents", agents),
        "names": kept("names", range(n) if names is None else names),
    }


def maximal_partition(pairs, items=None):
    """Return the finest ordered partition that asserts only what preferences imply.

    In its blocks S1 > S2 > ..., every item of a block is above every item of every later block, by
    the preferences themselves or by chains of them. There is only one finest partition: of two ways
    to cut the items into an upper and a lower part, one upper part contains the other; otherwise
    each would have an item that is above one of the other. Preferences within a block are dropped.

    Parameters
    ----------
    pairs : iterable of pairs (better, worse)
    items : iterable, optional
        All items, if some may be in no pair.

    Returns
    -------
    list of set

    Examples
    --------
    >>> maximal_partition([("a", "c"), ("b", "c"), ("c", "d")])
    [{'a', 'b'}, {'c'}, {'d'}]
    """
    pairs = [(better, worse) for better, worse in pairs]
    labels = dict.fromkeys([label for pair in pairs for label in pair] if items is None else items)
    unknown = dict.fromkeys(str(label) for pair in pairs for label in pair if label not in labels)
    if unknown:
        raise ValueError(f"`items` does not have {listing(list(unknown))}.")
    worse_than = {label: set() for label in labels}
    for better, worse in pairs:
        worse_than[better].add(worse)
    order = _topological_order(worse_than)
    position = map_positions(order)
    n = len(order)
    # Bit k of below[i]: item k of the order is below item i, directly or by a chain.
    below = [0] * n
    for i in reversed(range(n)):
        for worse in worse_than[order[i]]:
            below[i] |= 1 << position[worse] | below[position[worse]]
    # The upper part of every cut is the beginning of every topological order. One may cut after
    # item k if everything after it is below each of the first k: no gap reaches beyond k.
    everything, blocks, block, gap = (1 << n) - 1, [], set(), 0
    for k, label in enumerate(order):
        block.add(label)
        not_below = (everything >> (k + 1) << (k + 1)) & ~below[k]
        gap = max(gap, not_below.bit_length() - 1)
        if gap <= k:
            blocks.append(block)
            block = set()
    return blocks


def _pairs(argument, pairs):
    """Return pairs of plain labels, or say what is not a pair."""
    if isinstance(pairs, (str, bytes, dict)) or not np.iterable(pairs):
        raise TypeError(f"`{argument}` must be a list of pairs (better, worse), got {pairs!r}.")
    pairs = list(pairs)
    for pair in pairs:
        if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
            raise TypeError(f"`{argument}` must hold pairs (better, worse), got {pair!r}.")
    return [tuple(check_label(argument, label) for label in pair) for pair in pairs]


def _topological_order(worse_than):
    """Return the items, better ones before worse ones, or say which preferences form a cycle."""
    above = dict.fromkeys(worse_than, 0)
    for worse in worse_than.values():
        for label in worse:
            above[label] += 1
    order = [label for label, count in above.items() if count == 0]
    for label in order:  # the list grows in the loop
        for worse in worse_than[label]:
            above[worse] -= 1
            if above[worse] == 0:
                order.append(worse)
    if len(order) < len(worse_than):
        raise ValueError(f"The preferences have a cycle: {_cycle(worse_than, set(order))}.")
    return order


def _cycle(worse_than, sorted_out):
    """Return a cycle among the items that could not be put in order, as a text."""
    better_than = {}
    for label, worse in worse_than.items():
        if label not in sorted_out:
            better_than.update(dict.fromkeys(worse, label))
    # Each remaining item has a better one that remains too: going up must lead to a cycle.
    label = next(label for label in worse_than if label not in sorted_out)
    seen = {}
    while label not in seen:
        seen[label] = len(seen)
        label = better_than[label]
    cycle = [*list(seen)[seen[label] :], label][::-1]
    if len(cycle) > 12:
        cycle = [*cycle[:6], "...", *cycle[-5:]]
    return " > ".join(str(label) for label in cycle)
