"""How much a ranking of several items is expected to tell, and which items to have ranked together.

What a set tells is found from rankings that are drawn for it, each of which makes some draws of the
scores likelier than others. Sets are grown item by item, for which a ranking is taken for so many
measurements of differences, one for each of its pairs; how sharp these are follows from what
rankings of two tell, and in the end from what the set does.
"""

import numpy as np

from bayesrank.consensus.asking import Told, entropy

__all__ = ["grow", "precision_of", "set_information", "share_of_pairs", "sharpen", "swaps"]

_HALF = 0.5 / np.log(2.0)


def set_information(
    logp: np.ndarray, events: np.ndarray | None = None, one: bool = False
) -> tuple[float, float]:
    """Return what a ranking tells of everything and of some events, in bits.

    Parameters
    ----------
    logp : ndarray, rankings by draws
        Log-probability of each ranking in each draw. Rankings come from the draws, evenly.
    events : ndarray of bool, draws by events, optional
    one : bool
        Whether just one of the events happens in each draw.
    """
    draws = logp.shape[1]
    weight = np.exp(logp - logp.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    each = np.log2(draws) - entropy(weight, axis=1)
    all_of_it = float(each.mean()) * draws / (draws - 1)
    if events is None:
        return all_of_it, all_of_it
    before, after = events.mean(axis=0), weight @ events
    told = _divergence(after, before)
    freedom = events.shape[1] - 1
    if not one:
        told += _divergence(1.0 - after, 1.0 - before)
        freedom = events.shape[1]
    # Weights that have nothing to do with an event stray, too, and that looks like information.
    uneven = draws * (weight**2).sum(axis=1) - 1.0
    return all_of_it, max(float(told.mean() - _HALF * freedom * uneven.mean() / draws), 0.0)


def _divergence(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the sum of p log2(p / q) over events, for each row of p."""
    told: np.ndarray = (p * np.log2(np.maximum(p, 1e-300) / np.maximum(q, 1e-300))).sum(axis=1)
    return told


def share_of_pairs(size: int) -> float:
    """Return which part of what its pairs tell alone a ranking of equal items tells.

    Under the model of Plackett and Luce: the pairs of a ranking are not independent.
    """
    stages = size - (1.0 / np.arange(1, size + 1)).sum()
    return float(4.0 * stages / (size * (size - 1)))


def precision_of(sharp: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return the precision of measurements of all pairs of a set, or of each of several sets.

    Parameters
    ----------
    sharp : ndarray, items by items
        The precision of the measurement of each difference.
    items : ndarray of int, items, or sets by items
    """
    inner = sharp[items[..., :, None], items[..., None, :]]
    own: np.ndarray = np.eye(items.shape[-1]) * inner.sum(axis=-1)[..., None, :]
    return own - inner


def grow(
    told: Told, sharp: np.ndarray, first: np.ndarray, among: np.ndarray, size: int
) -> np.ndarray:
    """Return a set of items that tells much, by adding one item after the other.

    Parameters
    ----------
    told : Told
    sharp : ndarray, items by items
    first : ndarray of int
        Where it starts: a pair.
    among : ndarray of int
        What may be added.
    size : int
    """
    items = first
    while len(items) < size:
        others = np.setdiff1d(among, items)
        grown = np.column_stack([np.tile(items, (len(others), 1)), others])
        items = grown[np.argmax(told.worth_of(grown, precision_of(sharp, grown)))]
    return items


def swaps(items: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return all sets with one item in the place of another."""
    others = np.setdiff1d(among, items)
    found = np.tile(items, (len(items) * len(others), 1))
    place = np.repeat(np.arange(len(items)), len(others))
    found[np.arange(len(found)), place] = np.tile(others, len(items))
    return found


def sharpen(told: Told, precision: np.ndarray, items: np.ndarray, bits: float) -> float:
    """Return the factor by which measurements of a set's pairs tell as much as was found."""
    inner = precision @ told.covariance[np.ix_(items, items)]
    # Eigenvalues of a product of two matrices without negative ones are not negative either.
    values = np.maximum(np.linalg.eigvals(inner).real, 0.0)
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _HALF * np.log1p(np.exp(middle) * values).sum() < bits:
            low = middle
        else:
            high = middle
    return float(np.exp(0.5 * (low + high)))
