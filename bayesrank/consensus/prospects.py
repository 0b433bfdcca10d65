"""How many more results, like those so far, would settle a question: by simulation.

What results say of scores is taken as normal: the precision of the scores is that of the prior,
1 / scale^2, plus the information in the results. As many results again bring as much again. So
for each of some draws, taken as the true scores, more and more results are simulated: by the time
there are r times as many more as so far, their information has grown by the factor 1 + r, and what
they say is centred at the true scores, with normal noise that adds up as r grows. The number at
which the question is first settled is noted.

Prior and information have the same eigenvectors, those of the covariance of the draws, so that
everything is done along each of them by itself. A learned scale is one of a few quantiles of its
draws; these are weighted anew as results come in, by how likely they make them.
"""

import numpy as np

from bayesrank.consensus.ranks import rank_draws

__all__ = ["MOST_ITEMS", "results_needed"]

MOST_ITEMS = 150  # whose place is open, for which this takes a few seconds
_TRUTHS, _NOISE, _SCALES = 100, 400, 8
_FIRST, _STEP, _LAST = 0.005, 1.2, 1000.0  # where to look, in shares of the results so far
_ENDS = (0.1, 0.5, 0.9)


def results_needed(
    scores: np.ndarray,
    variances: np.ndarray,
    seen: float,
    goal: str,
    prob: float = 0.95,
    k: int | None = None,
    width: float = 0.0,
) -> tuple[float, float, float] | None:
    """Return how many more results it takes: the 10%, 50% and 90% quantiles.

    Infinity stands for more than a thousand times as many as so far.

    Parameters
    ----------
    scores : ndarray, draws by items
    variances : ndarray
        Prior variance of the scores in each draw, or one for all; infinite for a flat prior.
    seen : float
        Results so far.
    goal, prob, k, width
        The question, as for `settle`; it is not settled yet.

    Returns
    -------
    tuple of float, or None
        None for more than `MOST_ITEMS` items whose place is open.
    """
    first = 1 if k is None else k
    if goal != "order":
        # Items that are among the first in all draws, or in none, stay where they are.
        often = (rank_draws(scores) <= first).mean(axis=0)
        scores, first = scores[:, (often > 0) & (often < 1)], first - int(np.sum(often == 1))
    if scores.shape[1] > MOST_ITEMS:
        return None
    scores = scores - scores.mean(axis=1, keepdims=True)
    known = _Information(scores, variances)
    rng = np.random.default_rng(0)
    truths = known.along(scores[np.linspace(0, len(scores) - 1, _TRUTHS).astype(int)])
    shape = (len(known.weak), _NOISE // len(known.weak), truths.shape[1])
    noise, strayed = rng.standard_normal(shape), np.zeros_like(truths)
    found, left = np.full(_TRUTHS, np.inf), np.arange(_TRUTHS)
    before, more = 0.0, np.ceil(_FIRST * seen)
    while len(left) and more <= _LAST * seen:
        share = more / seen
        strayed += np.sqrt(share - before) * rng.standard_normal(strayed.shape)
        centres, around, weights = known.later(share, truths[left], strayed[left], noise)
        settled = np.array(
            [
                _probability(centre[:, None] + around, weight, goal, first, width)
                for centre, weight in zip(centres, weights, strict=True)
            ]
        )
        found[left[settled >= prob]] = more
        left = left[settled < prob]
        before, more = share, np.ceil(_STEP * more)
    low, median, high = np.quantile(found, _ENDS, method="inverted_cdf")
    return float(low), float(median), float(high)


class _Information:
    """What is known of scores so far, apart from the prior, along each eigenvector.

    Attributes
    ----------
    weak : ndarray
        Prior precisions: of each of some groups of draws of the scale.
    information, pull : ndarray
        At a prior precision the posterior has the precision ``information + weak`` along each
        eigenvector, and the mean ``pull`` divided by that.
    """

    def __init__(self, scores: np.ndarray, variances: np.ndarray) -> None:
        groups = [np.arange(len(scores))]
        if len(variances) > 1:
            number = min(_SCALES, max(1, len(scores) // 25))
            groups = np.array_split(np.argsort(variances, kind="stable"), number)
            variances = np.array([np.median(variances[group]) for group in groups])
        self.weak = 1.0 / np.maximum(variances, np.finfo(float).tiny)
        # Given the scale, so that differences between scales are left out.
        within = np.mean([np.cov(scores[group], rowvar=False) for group in groups], axis=0)
        spread, vectors = np.linalg.eigh(within)
        # The first is the direction in which all scores are shifted, which has no spread.
        self.vectors = vectors[:, 1:]
        spread = np.maximum(spread[1:], 1e-12 * spread[-1])
        self.information = _solve(spread, self.weak)
        mean_variance = np.mean(1.0 / (self.information[:, None] + self.weak), axis=1)
        self.pull = self.along(scores.mean(axis=0)) / mean_variance

    def along(self, scores: np.ndarray) -> np.ndarray:
        """Return scores along the eigenvectors."""
        return scores @ self.vectors

    def later(
        self, share: float, truths: np.ndarray, strayed: np.ndarray, noise: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return posteriors after more results, a share of those so far.

        Parameters
        ----------
        share : float
        truths, strayed : ndarray, truths by eigenvectors
            The true scores, and noise of variance ``share``.
        noise : ndarray, groups by draws by eigenvectors
            Standard normal.

        Returns
        -------
        centres : ndarray, truths by groups by items
        around : ndarray, groups by draws by items
            What draws have beside these, the same for all truths.
        weights : ndarray, truths by groups
            The probability of each group.
        """
        pull = self.pull + share * self.information * truths
        pull = pull + np.sqrt(self.information) * strayed
        precision = (1.0 + share) * self.information + self.weak[:, None]
        centres = (pull[:, None] / precision) @ self.vectors.T
        around = (noise / np.sqrt(precision)[:, None]) @ self.vectors.T
        # How likely a scale makes the results, relative to what it made those so far.
        earlier = self.information + self.weak[:, None]
        gain = pull[:, None] ** 2 / precision - self.pull**2 / earlier
        gain = 0.5 * np.sum(gain - np.log(precision / earlier), axis=-1)
        weights = np.exp(gain - gain.max(axis=1, keepdims=True))
        return centres, around, weights / weights.sum(axis=1, keepdims=True)


def _solve(spread: np.ndarray, weak: np.ndarray) -> np.ndarray:
    """Return the information with which variances, averaged over prior precisions, are given."""
    low, high = np.zeros_like(spread), 1.0 / spread
    for _ in range(60):
        middle = 0.5 * (low + high)
        wide = np.mean(1.0 / (middle[:, None] + weak), axis=1) > spread
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    return low


def _probability(
    draws: np.ndarray, weights: np.ndarray, goal: str, first: int, width: float
) -> float:
    """Return how probable the answer is by draws (groups by draws by items), weighted by group.

    An answer that is more probable than not is by the order of the means.
    """
    order = np.argsort(-(weights @ draws.mean(axis=1)))
    draws = draws[..., order]
    if goal == "order":
        lowest = np.minimum.accumulate(draws, axis=-1)[..., :-1]
        right = np.max(draws[..., 1:] - lowest, axis=-1) <= width
    else:
        highest = draws[..., first:].max(axis=-1)
        right = draws[..., :first].min(axis=-1) >= highest - width
    return float(weights @ right.mean(axis=-1))
