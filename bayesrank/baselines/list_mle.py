r"""ListMLE: Plackett-Luce for rankings with ties, which are first put in some order.

Xia and others (2008) maximise the probability of the sorted list, and leave it to the sorting
how documents of equal relevance stand in it. That order is learned as if it were relevance: a
list sorted by name or by another engine leaks into the scores. So here ties are put in random
orders, and what is maximised is the mean over these:

    sum over rankings of  mean over orders o of  log P(o | f),    P by Plackett and Luce

`bayesrank.fit` with "partitioned-plackett-luce" has the probability of the blocks themselves, the
log of their sum over all orders and not a mean of logs, and is exact.
"""

import copy
from dataclasses import replace
from numbers import Integral

import numpy as np

from bayesrank.inference.existence import require_finite_estimate
from bayesrank.inference.point import fit_map
from bayesrank.model.ranking_observation import RankingObservation
from bayesrank.model.specification import Specification

__all__ = ["break_ties", "fit_list_mle"]


def _orders(ranks, orders, seed):
    """Return the slots of each ranking from best to worst, once for each order of its ties."""
    level = np.where(ranks == 0, ranks.max() + 1, np.where(ranks < 0, ranks.max() + 2, ranks))
    if orders is None:
        return [np.argsort(level, axis=1, kind="stable")]
    rng = np.random.default_rng(seed)
    return [np.lexsort((rng.random(ranks.shape), level), axis=1) for _ in range(orders)]


def break_ties(data, *, seed=None):
    """Return the rankings with each tie put in a random order.

    Parameters
    ----------
    data : Rankings
        Items that are unranked stay so.
    seed : int, optional

    Examples
    --------
    >>> break_ties(br.Rankings.from_lists([["a", {"b", "c"}]]), seed=1).has_ties
    False
    """
    return _strict(data, _orders(data.ranks, 1, seed)[0])


def _strict(data, order):
    ranks = np.take_along_axis(data.ranks, order, axis=1)
    place = np.broadcast_to(np.arange(1, ranks.shape[1] + 1), ranks.shape)
    changes = {"ranks": np.where(ranks > 0, place, ranks)}
    changes["entries"] = np.take_along_axis(data.entries, order, axis=1)
    if data.features is not None:
        changes["features"] = np.take_along_axis(data.features, order[:, :, None], axis=1)
    if data.ratings is not None:
        changes["ratings"] = np.take_along_axis(data.ratings, order, axis=1)
    return replace(data, **changes)


def _stacked(parts):
    """Return several orders of the same rankings as rankings of their own."""
    changes = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("entries", "ranks", "weights", "agent", "features", "ratings")
        if getattr(parts[0], name) is not None
    }
    return replace(parts[0], names=list(range(len(changes["ranks"]))), **changes)


class _MeanObservation(RankingObservation):
    """Rankings without ties, whose log-likelihood is a mean over several orders of the slots."""

    def __init__(self, observation, orders):
        vars(self).update(vars(observation))
        self._orders = [order.astype(self.order.dtype) for order in orders]

    def _rows(self, values, slots, order, sizes):
        if order is not self.order:
            return super()._rows(values, slots, order, sizes)
        logp, by_slot = np.zeros(len(slots)), np.zeros(slots.shape)
        for one in self._orders:
            value, gradient = super()._rows(values, slots, one, sizes)
            logp += value / len(self._orders)
            by_slot += gradient / len(self._orders)
        return logp, by_slot


def fit_list_mle(
    data, *, orders=10, scale=np.inf, features=None, item_effects=None, seed=None, progress=False
):
    """Fit Plackett-Luce to rankings with ties, as the mean over random orders of these.

    Parameters
    ----------
    data : Rankings
    orders : int, optional
        How many random orders; None leaves tied items in the order of their slots, which is what
        leaks.
    scale : float
        Prior standard deviation of the items' effects; infinity is a flat prior for everything.
    features, item_effects : optional
        As in `bayesrank.fit`; features of entries must be those that the rankings hold.
    seed : int, optional
    progress : bool
        Whether to show progress.

    Returns
    -------
    Fit
        A single point, as from method "map".

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> fit_list_mle(races, scale=1.0, seed=1).ranking()[["rank"]]
          rank
    item
    c        1
    b        2
    a        3
    """
    if orders is not None and (not isinstance(orders, Integral) or orders < 1):
        raise ValueError(f"`orders` must be a whole number from 1 up, or None, got {orders!r}.")
    if seed is not None and (not isinstance(seed, Integral) or seed < 0):
        raise ValueError(f"`seed` must be a whole number from 0 up, got {seed!r}.")
    if np.ndim(features) == 3:
        raise ValueError("`features` must be of items; those of entries belong in the rankings.")
    if not data.has_ties:
        orders = None  # there is but one
    found = _orders(data.ranks, orders, seed)
    # The first order becomes that of the slots; the others are relative to it.
    strict = _strict(data, found[0])
    about = {"scale": scale, "features": features, "item_effects": item_effects}
    specification = Specification(strict, "plackett-luce", **about)
    if specification.flat:
        # The mean has a maximum if all orders together have one.
        whole = _stacked([_strict(data, order) for order in found])
        # Where each item is in one ranking, it is in several of these.
        about["item_effects"] = specification.item_effects
        require_finite_estimate(Specification(whole, "plackett-luce", **about))
    back = np.argsort(found[0], axis=1)
    averaged = copy.copy(specification)
    averaged.observation = _MeanObservation(
        specification.observation, [np.take_along_axis(back, order, axis=1) for order in found]
    )
    fit = fit_map(averaged, progress)
    ties = "ties as listed" if orders is None else f"mean over {orders:,} orders of the ties"
    fit.note = f"ListMLE, {ties}. {fit.note}"
    return fit
