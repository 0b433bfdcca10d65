r"""CPS: rank aggregation stage by stage, by distances of cosets to the lists.

Qin, Geng and Liu, A new probabilistic model for rank aggregation (2010). The document of rank i is
drawn from those that remain, given lists sigma_l with weights theta_l:

    P(j at rank i)  ~  exp( - sum over l of  theta_l * D_i(j, sigma_l) )

D is the mean distance to sigma_l of all orders that begin with those ranked so far and j. Up to
what is the same for all j, with n documents and r the rank of j in the list,

    Kendall    number of remaining documents that the list has before j
    Spearman   (n + 1 - i) * r                                       squared differences of ranks
    footrule   |i - r|  -  mean over k = i + 1 .. n of |k - r|

so that a stage costs O(n). With Spearman's distance the most probable document of every stage is
the one of the smallest sum of theta_l * r: a weighted Borda count. Equal ranks count one half in
Kendall's. A list without a document leaves the document's pairs open (one half), and gives it
the middle rank.
"""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import optimize

from bayesrank.baselines.list_ranks import list_ranks
from bayesrank.inference.threads import one_blas_thread
from bayesrank.text import listing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["coset_permutation", "fit_coset_permutation"]

DISTANCES = ("kendall", "spearman", "footrule")


def coset_permutation(
    places: Any,
    query: "ArrayLike | None" = None,
    *,
    weights: "ArrayLike | None" = None,
    distance: str = "kendall",
    best: str = "smallest",
    absent: str = "below",
) -> np.ndarray:
    """Return scores in the order of sequential inference: the most probable document of each stage.

    The last has score 0, the one before it 1, and so on.

    Parameters
    ----------
    places, query, best, absent
        As in `bayesrank.baselines.borda`.
    weights : array, optional
        Weight theta of each list, from `fit_coset_permutation`; by default 1.
    distance : {"kendall", "spearman", "footrule"}

    Examples
    --------
    >>> coset_permutation([[1, 2], [2, 1], [3, 3]], weights=[0.1, 1.0])
    array([1., 2., 0.])
    """
    _check_distance(distance)
    lists = np.shape(places)[-1]
    weights = np.ones(lists) if weights is None else np.asarray(weights, dtype=float)
    if weights.shape != (lists,) or not np.isfinite(weights).all():
        raise ValueError(
            f"`weights` must be a finite number for each of {lists} lists, got {weights}."
        )
    score = np.zeros(len(places))
    for members, ranks in list_ranks(places, query, best=best, absent=absent):
        n = len(members)
        if distance == "kendall":
            before = _before(ranks) @ weights
            cost = before.sum(axis=0)
        else:
            by_stage = STAGES[distance](_centred(ranks), np.arange(1, n + 1)) @ weights
        taken = np.zeros(n)
        for i in range(n):
            now = cost if distance == "kendall" else by_stage[i]
            j = np.argmin(now + taken)
            taken[j] = np.inf
            score[members[j]] = n - 1 - i
            if distance == "kendall":
                cost = cost - before[j]
    return score


def fit_coset_permutation(
    places: Any, relevance: "ArrayLike", query: "ArrayLike | None" = None, *,
    distance: str = "kendall", best: str = "smallest", absent: str = "below", seed: int | None = 0,
    negative: bool = False,
) -> np.ndarray:  # fmt: skip
    """Return the weight of each list by maximum likelihood of the orders by relevance.

    Documents of equal relevance are put in one random order. Stages at which only the lowest
    grade of a query remains hold no information, and are left out.

    Parameters
    ----------
    places, query, distance, best, absent
        As in `coset_permutation`.
    relevance : array
        Grade of each document, the highest first.
    seed : int
    negative : bool
        Whether a weight may be negative: lists that are read in the wrong direction are then
        reversed.

    Examples
    --------
    >>> ranks = np.array([[1, 3], [2, 1], [3, 2], [1, 2], [2, 1], [3, 3]])  # documents by experts
    >>> theta = fit_coset_permutation(ranks, [2, 1, 0, 0, 1, 0], [1, 1, 1, 2, 2, 2])
    >>> theta.shape
    (2,)
    """
    _check_distance(distance)
    relevance = np.asarray(relevance, dtype=float)
    if relevance.shape != np.shape(places)[:1]:
        raise ValueError(
            f"`relevance` must hold one grade for each of the {len(places)} documents, "
            f"got shape {relevance.shape}."
        )
    unknown = np.flatnonzero(~np.isfinite(relevance))
    if unknown.size:
        raise ValueError(
            f"`relevance` must be finite, but is not in rows {listing(unknown.tolist())} (the "
            "first is 0)."
        )
    rng = np.random.default_rng(seed)
    chance = rng.random(relevance.size)
    parts, sizes = [], []
    for members, ranks in list_ranks(places, query, best=best, absent=absent):
        order = np.lexsort((chance[members], -relevance[members]))
        grade = relevance[members[order]]
        stages = int((grade > grade[-1]).sum())
        for i, cost in enumerate(_observed(ranks[order], stages, distance)):
            parts.append(cost[i:] - cost[i])
            sizes.append(len(cost) - i)
    if not parts:
        raise ValueError("`relevance` must differ within some query: there is nothing to learn.")
    return _maximise(np.concatenate(parts), np.cumsum([0, *sizes[:-1]]), negative)


def _maximise(cost: np.ndarray, start: np.ndarray, negative: bool) -> np.ndarray:
    """Return the weights under which the chosen documents, of cost 0, are the most probable."""
    unit = np.maximum(cost.std(axis=0), 1e-12)
    cost = cost / unit
    sizes = np.diff(start, append=len(cost))

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        x = -(cost @ theta)
        largest = np.maximum.reduceat(x, start)
        share = np.exp(x - np.repeat(largest, sizes))
        total = np.add.reduceat(share, start)
        share /= np.repeat(total, sizes)
        return np.mean(largest + np.log(total)), -(share @ cost) / start.size

    low = None if negative else 0.0
    with one_blas_thread():
        found = optimize.minimize(
            loss, np.zeros(cost.shape[1]), jac=True, method="L-BFGS-B",
            bounds=[(low, None)] * cost.shape[1], options={"gtol": 1e-6, "ftol": 1e-12},
        )  # fmt: skip
    if found.fun < 1e-4:
        # Every stage has its document for certain, which takes weights without end.
        warnings.warn(
            "The weights have no maximum of the likelihood: the lists tell the grades apart "
            "without an error, so that larger weights are always better. Only their order counts.",
            stacklevel=3,
        )
    return found.x / unit


def _observed(ranks: np.ndarray, stages: int, distance: str) -> np.ndarray:
    """Return costs at the first stages of documents in their order: stages, documents, lists."""
    if distance == "kendall":
        before = _before(ranks)
        return before[::-1].cumsum(axis=0)[::-1][:stages]
    return STAGES[distance](_centred(ranks), np.arange(1, stages + 1))


def _before(ranks: np.ndarray) -> np.ndarray:
    """Return whether the list has the first document before the second; one half is open."""
    before = (ranks[:, None] < ranks).astype(float)
    open_ = (ranks[:, None] == ranks) | np.isnan(ranks[:, None]) | np.isnan(ranks)
    return np.where(open_, 0.5, before)


def _centred(ranks: np.ndarray) -> np.ndarray:
    """Return ranks around the middle of all n, where also those stand that a list ignores."""
    has = ~np.isnan(ranks)
    middle = np.where(has, ranks, 0.0).sum(axis=0) / np.maximum(has.sum(axis=0), 1)
    return np.where(has, ranks - middle, 0.0) + (len(ranks) + 1) / 2.0


def _spearman(ranks: np.ndarray, stage: np.ndarray) -> np.ndarray:
    return (len(ranks) + 1.0 - stage)[:, None, None] * ranks


def _footrule(ranks: np.ndarray, stage: np.ndarray) -> np.ndarray:
    i, n = stage[:, None, None], len(ranks)
    ahead = _absolute_sum(ranks, n) - _absolute_sum(ranks, i)
    return np.abs(i - ranks) - ahead / np.maximum(n - i, 1)


def _absolute_sum(ranks: np.ndarray, m: Any) -> np.ndarray:
    """Return the sum of |k - r| over k = 1, ..., m."""
    q = np.clip(np.floor(ranks), 0, m)
    return m * (m + 1) / 2.0 - q * (q + 1) + (2.0 * q - m) * ranks


STAGES = {"spearman": _spearman, "footrule": _footrule}


def _check_distance(distance: str) -> None:
    if distance not in DISTANCES:
        raise ValueError(
            f'`distance` must be "kendall", "spearman" or "footrule", got {distance!r}.'
        )
