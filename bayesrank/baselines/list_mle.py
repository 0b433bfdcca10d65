r"""ListMLE: Plackett-Luce for rankings with ties, which are first put in some order.

Xia and others (2008) maximise the probability of the sorted list, and leave it to the sorting
how documents of equal relevance stand in it. That order is learned as if it were relevance: a
list sorted by name or by another engine leaks into the scores. So here ties are put in random
orders, and what is maximised is the mean over these:

    sum over rankings of  mean over orders o of  log P(o | f),    P by Plackett and Luce

`bayesrank.fit` with "partitioned-plackett-luce" has the probability of the blocks themselves, the
log of their sum over all orders and not a mean of logs, and is exact.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.checks import is_whole_number, whole_number
from bayesrank.data.ranking_pairs import levels
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.inference.options import Options
from bayesrank.inference.point import fit_map
from bayesrank.model.specification import Specification

if TYPE_CHECKING:
    from bayesrank.data.rankings import Rankings
    from bayesrank.results.fit import Fit

__all__ = ["break_ties", "fit_list_mle"]


def _orders(data: "Rankings", orders: int | None, seed: int | None) -> list[np.ndarray]:
    """Return the entries of each ranking from best to worst, once for each order of its ties."""
    ranking, level = data.entry_ranking, levels(data)
    if orders is None:
        return [np.lexsort((level, ranking))]
    rng = np.random.default_rng(seed)
    return [np.lexsort((rng.random(level.size), level, ranking)) for _ in range(orders)]


def break_ties(data: "Rankings", *, seed: int | None = None) -> "Rankings":
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
    return _strict(data, _orders(data, 1, seed)[0])


def _strict(data: "Rankings", order: np.ndarray) -> "Rankings":
    """Return rankings whose entries stand in a given order, without ties."""
    rank = data.entry_rank[order]
    place = np.arange(1, rank.size + 1) - np.repeat(data.start[:-1], data.sizes)
    changes = {"entry_rank": np.where(rank > 0, place, rank), "slot": None}
    for name in ("entry_item", "entry_features", "entry_ratings"):
        if getattr(data, name) is not None:
            changes[name] = getattr(data, name)[order]
    return data._changed(**changes)


def _stacked(parts: "list[Rankings]") -> "Rankings":
    """Return several orders of the same rankings as rankings of their own, which count less."""
    entries = ("entry_item", "entry_rank", "entry_features", "entry_ratings")
    changes = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (*entries, "agent", "time", "category")
        if getattr(parts[0], name) is not None
    }
    changes["weights"] = np.concatenate([part.weights for part in parts]) / len(parts)
    changes["start"] = np.concatenate([[0], np.cumsum(np.tile(parts[0].sizes, len(parts)))])
    return parts[0]._changed(names=list(range(len(changes["weights"]))), **changes)


def fit_list_mle(
    data: "Rankings",
    *,
    orders: int | None = 10,
    scale: float = np.inf,
    features: Any = None,
    item_effects: bool | None = None,
    seed: int | None = None,
    progress: bool = False,
) -> "Fit":
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
    if orders is not None and not is_whole_number(orders, 1):
        raise ValueError(f"`orders` must be a whole number from 1 up, or None, got {orders!r}.")
    if seed is not None:
        whole_number("seed", seed, 0)
    if np.ndim(features) == 3:
        raise ValueError("`features` must be of items; those of entries belong in the rankings.")
    if not data.has_ties:
        orders = None  # there is but one
    found = _orders(data, orders, seed)
    strict = _strict(data, found[0])
    about = {"scale": scale, "features": features, "item_effects": item_effects}
    specification = Specification(strict, "plackett-luce", **about)
    # Where each item is in one ranking, it is in several of these.
    about["item_effects"] = specification.item_effects
    # The mean over orders is the sum over all of them, if each counts for its share.
    whole = _stacked([strict, *(_strict(data, order) for order in found[1:])])
    averaged = Specification(whole, "plackett-luce", **about)
    if specification.flat:
        require_finite_estimate(averaged)
    fit = fit_map(averaged, Options(progress=progress))
    fit.specification = specification
    ties = "ties as listed" if orders is None else f"mean over {orders:,} orders of the ties"
    fit.note = f"ListMLE, {ties}. {fit.note}"
    return fit
