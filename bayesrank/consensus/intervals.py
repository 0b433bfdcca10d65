"""Intervals of ranks, one at a time and all at once, and sets that hold the best items.

Statements about several items at once rest on all differences of two scores. In each draw the
differences stray from their means, each measured in its own standard deviation; the largest
stray that all but a share of 1 - prob of the draws keep within is the critical value. A
difference whose mean exceeds it is taken as certain, and a rank is bounded by the items that are
certainly above and certainly below. So at least a share prob of the draws agree with all
intervals at once, and intervals keep their level also for fixed true scores, even where these
are nearly equal, where shorter regions of the posterior do not (Mogstad, Romano, Shaikh and
Wilhelm, Inference for Ranks, 2024).
"""

from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np

from bayesrank.consensus.ranks import rank_draws
from bayesrank.data.checks import is_whole_number

__all__ = ["Differences", "confidence_set", "credible_set", "interval", "rank_intervals"]

# Equal scores in a draw stray exactly as far as their mean difference; rounding must not decide.
_NUDGE = 1.0 + 1e-9


def interval(draws: np.ndarray, prob: float = 0.95) -> np.ndarray:
    """Return the ends of the equal-tailed interval of each column."""
    require_probability(prob)
    tail = (1.0 - prob) / 2.0
    return np.quantile(draws, [tail, 1.0 - tail], axis=0)


def require_probability(prob: Any) -> None:
    """Refuse what is not a probability."""
    real = isinstance(prob, Real) and not isinstance(prob, bool)
    if not (real and 0.0 < prob < 1.0):
        raise ValueError(f"`prob` must be between 0 and 1, got {prob!r}.")


def require_count(k: Any, items: int) -> None:
    """Refuse what is not a number of leading items."""
    if not is_whole_number(k, 1) or k > items:
        raise ValueError(
            f"`k` must be a whole number from 1 to the number of items, {items}, got {k!r}."
        )


@dataclass(frozen=True)
class Differences:
    """All differences of two scores: how many standard deviations they are from zero.

    Attributes
    ----------
    lead : ndarray, items by items
        Mean of the row's score less the column's, in standard deviations of the difference.
    strays : ndarray, items by draws
        In each draw, the largest stray upwards of the row's item relative to another.
    """

    lead: np.ndarray
    strays: np.ndarray

    @classmethod
    def of(cls, scores: np.ndarray) -> Self:
        """Return the differences of the columns of scores."""
        from bayesrank.kernels.contrasts import strays

        # What all scores of a draw have in common is in no difference, and would only cost digits.
        scores = scores - scores.mean(axis=1, keepdims=True)
        mean = scores.mean(axis=0)
        centred = np.ascontiguousarray((scores - mean).T)
        covariance = centred @ centred.T / max(len(scores) - 1, 1)
        own = np.diag(covariance)
        total = own[:, None] + own
        variance = total - 2.0 * covariance
        difference = mean[:, None] - mean
        # A difference that is the same in every draw, up to rounding, is certain if not zero.
        varies = variance > 1e-14 * total
        constant = ~varies & (np.abs(difference) > 1e-6 * np.sqrt(total))
        weight = np.where(varies, 1.0 / np.sqrt(np.where(varies, variance, 1.0)), 0.0)
        lead = np.where(constant, np.copysign(np.inf, difference), difference * weight)
        return cls(lead, strays(centred, weight))

    def critical(self, prob: float) -> float:
        """Return what all differences keep within at once, with the given probability."""
        return _NUDGE * _reached(self.strays.max(axis=0), prob)

    def critical_of_each(self, prob: float) -> np.ndarray:
        """Return what the differences of each item to all others keep within from above."""
        return _NUDGE * np.array([_reached(row, prob) for row in self.strays])


def _reached(values: np.ndarray, prob: float) -> float:
    """Return the smallest value that at least a share prob does not exceed."""
    # The nudge keeps 0.95 * 4000 from being 3800.0000000000005.
    position = int(np.ceil(prob * len(values) - 1e-9)) - 1
    return np.partition(values, position)[position]


def rank_intervals(
    scores: np.ndarray, prob: float = 0.95, *, simultaneous: bool | str = True
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest rank of each item.

    Parameters
    ----------
    scores : ndarray, draws by items
    prob : float
        That each interval holds the item's rank or, if simultaneous, that all do at once.
    simultaneous : bool or "posterior"
        Whether all intervals hold at once, for any true scores; or only in the posterior, which
        is shorter.
    """
    require_probability(prob)
    if not isinstance(simultaneous, bool | np.bool_) and simultaneous != "posterior":
        raise ValueError(
            f'`simultaneous` must be True, False or "posterior", got {simultaneous!r}.'
        )
    ranks = rank_draws(scores)
    tail = (1.0 - prob) / 2.0
    # Whole ranks, with at most a tail of the draws beyond either end.
    ends = np.quantile(ranks, [tail, 1.0 - tail], axis=0, method="inverted_cdf").astype(int)
    if not simultaneous:
        return ends
    # Intervals that promise more are never shorter.
    ends = _hull(ends, _posterior_intervals(ranks, prob))
    if simultaneous == "posterior":
        return ends
    differences = Differences.of(scores)
    above = differences.lead > differences.critical(prob)
    return _hull(ends, (1 + above.sum(axis=0), scores.shape[1] - above.sum(axis=1)))


def _hull(
    these: tuple[np.ndarray, np.ndarray], those: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest intervals that contain both."""
    return np.minimum(these[0], those[0]), np.maximum(these[1], those[1])


def _posterior_intervals(ranks: np.ndarray, prob: float) -> tuple[np.ndarray, np.ndarray]:
    """Return intervals that all hold in a share prob of the draws, cut at equal tails.

    The depth of a rank is the smaller of two probabilities: that the item has this rank or a lower
    one, and that it has this or a higher one. The intervals are the ranks above a common depth.
    """
    draws, n = ranks.shape
    cells = np.bincount((np.arange(n) * n + ranks - 1).ravel(), minlength=n * n).reshape(n, n)
    up_to = np.cumsum(cells, axis=1)
    depth = np.minimum(up_to, draws - up_to + cells)
    shallowest = depth[np.arange(n), ranks - 1].min(axis=1)
    inside = depth >= -_reached(-shallowest, prob)
    return 1 + inside.argmax(axis=1), n - inside[:, ::-1].argmax(axis=1)


def confidence_set(scores: np.ndarray, k: int = 1, prob: float = 0.95) -> np.ndarray:
    """Return which items are in a set that holds all of the first k, whatever the true scores.

    An item is left out where at least k others are above it beyond doubt: the critical value is
    that of its own differences at level 1 - (1 - prob) / k, or that of all differences at level
    prob, whichever is smaller on average. So the set has its level for fixed true scores. What
    the `credible_set` holds is added where it is missing, so that the posterior agrees.
    """
    require_probability(prob)
    n = scores.shape[1]
    require_count(k, n)
    differences = Differences.of(scores)
    critical = differences.critical_of_each(1.0 - (1.0 - prob) / k)
    common = differences.critical(prob)
    if common < critical.mean():
        critical = np.full(n, common)
    beaten = (differences.lead > critical).sum(axis=0)
    return (beaten < k) | credible_set(scores, k, prob)


def credible_set(scores: np.ndarray, k: int = 1, prob: float = 0.95) -> np.ndarray:
    """Return which items are in the set that holds the first k of enough draws.

    The items that are likeliest to be among the first k, as many as it takes to hold them all in
    a share prob of the draws; of equally likely ones all or none.
    """
    require_probability(prob)
    require_count(k, scores.shape[1])
    among = rank_draws(scores) <= k
    times = among.sum(axis=0)
    # How many are at least as likely: no order of labels must decide between equals.
    place = len(times) - np.searchsorted(np.sort(times), times, side="left")
    needed = np.where(among, place, 0).max(axis=1)
    return place <= _reached(needed, prob)
