"""The one order that loses least, by the draws, for a stated loss.

The loss compares an order with the true one, which is known only by draws:

- kendall: pairs of items that the two have in a different order;
- spearman: squared differences of ranks, added up over the items;
- footrule: absolute differences of ranks, added up;
- zero_one: 0 where the two are the same, else 1;
- ndcg: 1 - NDCG, in which an item's gain is its worth, discounted by log2(1 + rank).

Each is 0 for the same order. The expected loss of an order is its mean over the draws.
"""

from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from bayesrank.consensus.kendall import expected_reversals, fewest_reversals
from bayesrank.consensus.ranks import (
    expected_ranks,
    probability_above,
    rank_draws,
    rank_probabilities,
)
from bayesrank.consensus.worths import worth_draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["LOSSES", "UNITS", "Consensus", "best_order", "expected_loss"]


@dataclass(frozen=True)
class Consensus:
    """An order and what it loses.

    Attributes
    ----------
    order : list
        Items, best first.
    loss : str
    expected_loss : float
        Mean of the loss over the draws.
    bound : float
        No order has a smaller expected loss than this.
    optimal : bool
        Whether the order is proven to have the smallest.
    proof : str
        Why it is, or how far it may be from it.
    """

    order: list[Any] = field(repr=False)
    loss: str
    expected_loss: float
    bound: float
    proof: str

    @property
    def gap(self) -> float:
        """How much smaller the smallest expected loss can be."""
        return self.expected_loss - self.bound

    @property
    def optimal(self) -> bool:
        return bool(self.gap == 0.0)

    def __str__(self) -> str:
        first = ", ".join(str(item) for item in self.order[:5])
        more = f", ... ({len(self.order)} items)" if len(self.order) > 5 else ""
        return (
            f"{self.loss} consensus: {first}{more}\n"
            f"expected loss {self.expected_loss:.6g}. {self.proof}"
        )


def best_order(scores: np.ndarray, loss: str = "kendall", *, seconds: float = 30.0) -> Consensus:
    """Return the order of the columns that loses least, as a `Consensus`.

    Parameters
    ----------
    scores : ndarray, draws by items
    loss : str
        One of `LOSSES`.
    seconds : float
        Time for the search under "kendall", where majorities run in large cycles.
    """
    require_loss(loss)
    if isinstance(seconds, bool) or not isinstance(seconds, Real) or not seconds > 0:
        raise ValueError(f"`seconds` must be a positive number, got {seconds!r}.")
    return _BEST[loss](scores, seconds)


def expected_loss(scores: np.ndarray, order: "ArrayLike", loss: str = "kendall") -> float:
    """Return the expected loss of an order of the columns, the best first."""
    require_loss(loss)
    return _EXPECTED[loss](scores, np.asarray(order))


def require_loss(loss: Any) -> None:
    """Refuse a loss that is not known, with the list of those that are."""
    if not isinstance(loss, str) or loss not in LOSSES:
        known = ", ".join(f'"{name}"' for name in LOSSES)
        raise ValueError(f"`loss` must be one of {known}, got {loss!r}.")


# Kendall --------------------------------------------------------------------------------------


def _kendall(scores: np.ndarray, order: np.ndarray) -> float:
    return expected_reversals(probability_above(scores), order)


def _best_kendall(scores: np.ndarray, seconds: float) -> Consensus:
    above = probability_above(scores)
    order, bound = fewest_reversals(above, seconds)
    reached = expected_reversals(above, order)
    if reached - bound < 1e-8:
        return _proven(
            order, "kendall", reached,
            "Proven: majorities order the items, and an integer program solved any cycles.",
        )  # fmt: skip
    proof = (
        f"Not proven: no order can have less than {bound:.6g}, so it is within "
        f"{reached - bound:.3g} pairs of the best. More time may close the gap."
    )
    return Consensus(order.tolist(), "kendall", reached, float(bound), proof)


# Losses that add up over items: each item (row) at each rank (column) has its cost ---------------


def _spearman(scores: np.ndarray, order: np.ndarray) -> float:
    ranks = rank_draws(scores)
    return float(np.mean((ranks[:, order] - np.arange(1, len(order) + 1)) ** 2, axis=0).sum())


def _best_spearman(scores: np.ndarray, seconds: float) -> Consensus:
    order = np.argsort(expected_ranks(scores), kind="stable")
    proof = "Proven: the order of expected ranks has the smallest squared differences."
    return _proven(order, "spearman", _spearman(scores, order), proof)


def _footrule(scores: np.ndarray, order: np.ndarray) -> float:
    ranks = rank_draws(scores)
    return float(np.mean(np.abs(ranks[:, order] - np.arange(1, len(order) + 1)), axis=0).sum())


def _best_footrule(scores: np.ndarray, seconds: float) -> Consensus:
    # E|rank - r| for all r at once: the mean of one side grows by the probability so far.
    probability = rank_probabilities(scores)
    n = len(probability)
    up_to = np.cumsum(probability, axis=1)
    at_first = probability @ np.arange(n)
    steps = 2.0 * up_to[:, :-1] - 1.0
    cost = at_first[:, None] + np.concatenate([np.zeros((n, 1)), np.cumsum(steps, axis=1)], axis=1)
    item, rank = linear_sum_assignment(cost)
    order = np.empty(n, dtype=int)
    order[rank] = item
    proof = "Proven: an assignment of items to ranks at the smallest cost."
    return _proven(order, "footrule", _footrule(scores, order), proof)


def _shares(scores: np.ndarray, order: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by draw, worths in an order and their discounts, and the best discounted sum."""
    worth = worth_draws(scores)
    discount = 1.0 / np.log2(1.0 + np.arange(1, scores.shape[1] + 1))
    return worth[:, order], discount, -np.sort(-worth, axis=1) @ discount


def _ndcg(scores: np.ndarray, order: Any) -> float:
    worth, discount, best = _shares(scores, order)
    return float(max(np.mean(1.0 - worth @ discount / best), 0.0))


def _best_ndcg(scores: np.ndarray, seconds: float) -> Consensus:
    worth, _, best = _shares(scores, slice(None))
    # Worths too small for a number are in the order of the scores.
    order = np.lexsort((-scores.mean(axis=0), -(worth / best[:, None]).mean(axis=0)))
    proof = "Proven: the order of expected gains has the largest discounted sum."
    return _proven(order, "ndcg", _ndcg(scores, order), proof)


# Zero-one -------------------------------------------------------------------------------------


def _zero_one(scores: np.ndarray, order: np.ndarray) -> float:
    ranks = rank_draws(scores)
    return float(np.mean(np.any(ranks[:, order] != np.arange(1, len(order) + 1), axis=1)))


def _best_zero_one(scores: np.ndarray, seconds: float) -> Consensus:
    ranks = rank_draws(scores)
    seen, times = np.unique(ranks, axis=0, return_counts=True)
    likeliest = seen[times == times.max()]
    # Of several that are equally frequent, the one nearest to the expected ranks.
    nearest = likeliest[np.argmin(((likeliest - ranks.mean(axis=0)) ** 2).sum(axis=1))]
    count, draws = times.max(), len(ranks)
    proof = f"Proven for these draws: the order of {count:,} of {draws:,}, more than any other."
    if len(likeliest) > 1:
        proof = (
            f"{len(likeliest):,} orders are equally frequent, with {count:,} of {draws:,} draws "
            "each: too few draws to know the likeliest order of so many items. This one is the "
            "nearest to the expected ranks."
        )
    return _proven(np.argsort(nearest), "zero_one", 1.0 - count / draws, proof)


def _proven(order: np.ndarray, loss: str, reached: float, proof: str) -> Consensus:
    return Consensus(order.tolist(), loss, float(reached), float(reached), proof)


_EXPECTED = {
    "kendall": _kendall,
    "spearman": _spearman,
    "footrule": _footrule,
    "zero_one": _zero_one,
    "ndcg": _ndcg,
}
_BEST = {
    "kendall": _best_kendall,
    "spearman": _best_spearman,
    "footrule": _best_footrule,
    "zero_one": _best_zero_one,
    "ndcg": _best_ndcg,
}
LOSSES = tuple(_EXPECTED)
# What an expected loss counts.
UNITS = {
    "kendall": "pairs in the wrong order",
    "spearman": "squared ranks, over all items",
    "footrule": "ranks off, over all items",
    "zero_one": "probability that it is not exactly so",
    "ndcg": "of the best possible 1",
}
