"""How far agents agree with known labels: supervised adherences."""

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.instances import item_texts
from bayesrank.data.ranking_pairs import all_pairs, levels, pairs_of_entries
from bayesrank.data.rankings import Rankings
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agreement"]


def agreement(data: Comparisons | Rankings, labels: Any) -> "pd.Series":
    """Return how far each agent's preferences agree with known labels.

    In each instance, of the pairs that the agent prefers one way (a net count that is not zero)
    and whose labels differ, the share that the agent prefers as the labels say; then the mean over
    the instances in which there are such pairs. It is the adherence of the supervised MPM.

    Parameters
    ----------
    data : Comparisons or Rankings
        With agents. Where an agent has several rankings of the same items, the majority of them
        by weight counts.
    labels : mapping, pandas Series or array
        A number for each item, higher is better: by the item's label, or by (instance, item)
        where there are instances; or in the order of ``data.items``.

    Returns
    -------
    pandas Series
        One share for each agent; missing, with a warning, where no pair says anything.

    Examples
    --------
    >>> lists = br.Rankings.from_lists([["a", "b", "c"], ["c", "b", "a"]], agents=["x", "y"])
    >>> br.agreement(lists, {"a": 2, "b": 0, "c": 0})
    agent
    x    1.0
    y    0.0
    Name: adherence, dtype: float64
    """
    import pandas as pd

    if not isinstance(data, (Comparisons, Rankings)):
        raise TypeError(f"`data` must be Comparisons or Rankings, got {type(data).__name__}.")
    if data.agents is None:
        raise ValueError("`data` must have agents: agreement is a property of agents.")
    labels = _labels_of_items(data, labels)
    agreeing, decided = (_in_pairs if isinstance(data, Comparisons) else _in_rankings)(data, labels)
    share = np.divide(agreeing, decided, where=decided > 0, out=np.zeros(decided.shape))
    instances = (decided > 0).sum(axis=1)
    adherence = np.full(len(data.agents), np.nan)
    np.divide(share.sum(axis=1), instances, where=instances > 0, out=adherence)
    if not instances.all():
        unknown = [data.agents[k] for k in np.flatnonzero(instances == 0)]
        warnings.warn(
            f"{len(unknown):,} of {len(data.agents):,} agents prefer no item to another with a "
            f"different label, so that their agreement is unknown: {listing(unknown)}.",
            stacklevel=2,
        )
    return pd.Series(adherence, pd.Index(data.agents, name="agent"), name="adherence")


def _in_pairs(data: Any, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, agents by instances, how many pairs agree with the labels, and of how many."""
    n = len(data.items)
    low, high = np.minimum(data.left, data.right), np.maximum(data.left, data.right)
    key, row = np.unique((data.agent * n + low) * n + high, return_inverse=True)
    wins, losses = np.where(data.left < data.right, data.counts.T[:2], data.counts.T[1::-1])
    wins, losses = (np.bincount(row, count, key.size) for count in (wins, losses))
    agent, low, high = key // n**2, key // n % n, key % n
    # Sums of fractional weights are equal up to rounding.
    rounding = 0 if data.counts.dtype.kind in "iu" else 1e-9
    even = np.isclose(wins, losses, rtol=rounding, atol=0)
    side = np.where(even, 0, wins - losses) * np.sign(labels[low] - labels[high])
    return _table(data, agent, low, side > 0), _table(data, agent, low, side != 0)


def _in_rankings(data: Any, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the same of rankings: pairs of each, without a list of all of them."""
    first = data.entry_item[data.start[:-1]]  # any item says which instance a ranking is of
    place = data.agent * _n_instances(data)
    place += 0 if data.instances is None else data.instance[first]
    alone = np.bincount(place)[place] == 1
    agreeing, decided = np.zeros(len(data)), np.zeros(len(data))
    level = levels(data)
    for r, a, b in pairs_of_entries(data, alone):
        label = labels[data.entry_item[a]] - labels[data.entry_item[b]]
        side = (level[b] - level[a]) * np.sign(label)
        agreeing[r[:, 0]] += (side > 0).sum(axis=1)
        decided[r[:, 0]] += (side != 0).sum(axis=1)
    agreeing, decided = (_table(data, data.agent, first, part) for part in (agreeing, decided))
    if not alone.all():
        # An agent's rankings of the same items may differ: their counts say which way it goes.
        pairs = all_pairs(data.subset(rankings=~alone), "unit", ["agent"])
        more = _in_pairs(pairs, labels)
        agreeing, decided = agreeing + more[0], decided + more[1]
    return agreeing, decided


def _n_instances(data: Comparisons | Rankings) -> int:
    return 1 if data.instances is None else len(data.instances)


def _table(data: Any, agent: np.ndarray, item: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return sums of values, agents by instances."""
    shape = (len(data.agents), _n_instances(data))
    where = 0 if data.instances is None else data.instance[item]
    return np.bincount(agent * shape[1] + where, values, shape[0] * shape[1]).reshape(shape)


def _labels_of_items(data: Any, labels: Any) -> np.ndarray:
    """Return labels as an array in the order of the items."""
    import pandas as pd

    texts = item_texts(data)
    if isinstance(labels, pd.Series):
        twice = labels.index[labels.index.duplicated()].unique().tolist()
        if twice:
            raise ValueError(f"`labels` has items twice: {listing(twice)}.")
        labels = labels.to_dict()
    if isinstance(labels, Mapping):
        keys = data.items
        if data.instances is not None:
            keys = [
                (data.instances[k], item) for k, item in zip(data.instance, data.items, strict=True)
            ]
        absent = [text for text, key in zip(texts, keys, strict=True) if key not in labels]
        if absent:
            by = "the item's label" if data.instances is None else "(instance, item)"
            raise ValueError(
                f"`labels` must have a number for each item, by {by}; it has none for "
                f"{listing(absent)}."
            )
        labels = [labels[key] for key in keys]
    try:
        labels = np.asarray(labels, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("`labels` must hold numbers.") from None
    if labels.shape != (len(texts),):
        raise ValueError(
            f"`labels` must hold one number for each of the {len(texts)} items, "
            f"got shape {labels.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(labels))
    if bad.size:
        shown = listing([f"{labels[k]:g} for {texts[k]}" for k in bad])
        raise ValueError(f"`labels` must hold finite numbers: {shown}.")
    return labels
