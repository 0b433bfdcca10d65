"""Statistics of the data, and of data like them that a fitted model draws."""

from types import MappingProxyType

import numpy as np

__all__ = ["PairStatistics", "RankingStatistics", "statistics_of"]

_MOST = 10_000_000  # rankings that are drawn anew at a time


def statistics_of(specification):
    """Return what can be compared between the data and replicated ones."""
    if specification.data.row == "pair":
        return PairStatistics(specification.observation)
    if not specification.draws_rankings:
        raise ValueError(
            '"mpm" says which items agents prefer to which, not how they rank, so there are no '
            "replicated rankings to compare with."
        )
    return RankingStatistics(specification.observation)


class PairStatistics:
    """Statistics of comparisons: counts of wins, losses and ties by pair."""

    most_telling = "wins"
    words = MappingProxyType({
        "wins": "share of its comparisons won (a tie is not won)",
        "ties": "share of comparisons that are ties",
    })  # fmt: skip

    def __init__(self, observation):
        self.observation, self.data = observation, observation.data
        self.observed = self.data.counts

    def refusal(self, statistic):
        """Return why a statistic cannot tell anything, or nothing."""
        if statistic == "ranks":
            return "is for rankings; comparisons have no ranks"
        if statistic == "ties" and not self.observation.kind.has_ties:
            return f'tells nothing of "{self.observation.likelihood}", which has no ties'
        return ""

    def draw(self, values, rng):
        """Return replicated data at one posterior draw."""
        return self.observation.draw(values, rng)

    def measure(self, statistic, counts):
        """Return the statistic of counts: a number, or one for each item."""
        if statistic == "ties":
            return counts[:, 2].sum() / counts.sum()
        left, right, n = self.data.left, self.data.right, len(self.data.items)
        wins = np.bincount(left, counts[:, 0], n) + np.bincount(right, counts[:, 1], n)
        total = counts.sum(axis=1)
        return _shares(wins, np.bincount(left, total, n) + np.bincount(right, total, n))


class RankingStatistics:
    """Statistics of rankings.

    A ranking of weight w stands for w rankings, each of which is drawn anew. Where some of the
    offered items were left unranked, so they are in what is drawn: models of ties draw as many
    blocks as the ranking has, the others as many ranked items.
    """

    words = MappingProxyType({
        "ranks": "mean place (the tied and the unranked share theirs)",
        "wins": "share of the others that are placed below",
        "ties": "share of the ranked entries that are tied",
    })  # fmt: skip

    def __init__(self, observation):
        data = observation.data
        if np.any(data.weights != np.round(data.weights)):
            raise ValueError(
                "The rankings have fractional weights, so there is no distribution to draw new "
                "ones from."
            )
        if data.weights.sum() > _MOST:
            raise ValueError(
                f"The rankings stand for {data.weights.sum():,.10g}, too many to draw anew: "
                f"{_MOST:,} at most."
            )
        self.observation, self.data = observation, data
        self.rows = np.repeat(np.arange(len(data)), data.weights.astype(int))
        self.observed = data.ranks[self.rows]
        self.offered, self.entries = data.offered[self.rows], data.entries[self.rows]

    @property
    def most_telling(self):
        """Ties where the model has no parameter for how many there are; places otherwise."""
        return "ties" if self.observation.kind.ties == "fixed" else "ranks"

    def refusal(self, statistic):
        """Return why a statistic cannot tell anything, or nothing."""
        ties, likelihood = self.observation.kind.ties, self.observation.likelihood
        if statistic == "ties" and ties == "unseen":
            return f'tells nothing of "{likelihood}", which takes the sizes of ties as given'
        learned_none = ties == "learned" and not self.observation.tie_sizes.size
        if statistic == "ties" and (ties == "none" or learned_none):
            return f'tells nothing of "{likelihood}" without ties'
        return ""

    def draw(self, values, rng):
        """Return replicated data at one posterior draw."""
        observation = self.observation
        slots = self.data.padded(observation.entry_scores(values), 0.0)[self.rows]
        blocks = observation.block_sizes[self.rows]
        ranks = observation.draw_slots(values, slots, self.offered, rng, blocks)
        if observation.kind.has_ties:
            partial = (self.observed == 0).any(axis=1, keepdims=True)
            deepest = self.observed.max(axis=1, keepdims=True)
            ranks = np.where(partial & (ranks > deepest), 0, ranks)
        return ranks

    def measure(self, statistic, ranks):
        """Return the statistic of ranks: a number, or one for each item."""
        offered, item, n = self.offered, self.entries[self.offered], len(self.data.items)
        row = np.nonzero(offered)[0]
        width = ranks.shape[1] + 2
        level = np.where(ranks == 0, width - 1, ranks)[offered]  # the unranked come last
        count = np.bincount(row * width + level, minlength=len(ranks) * width)
        count = count.reshape(len(ranks), width)
        if statistic == "ties":
            ranked = level < width - 1
            return np.mean(count[row, level][ranked] > 1)
        up_to = np.cumsum(count, axis=1)[row, level]
        appearances = np.bincount(item, minlength=n)
        if statistic == "ranks":
            place = up_to - 0.5 * (count[row, level] - 1)
            return _shares(np.bincount(item, place, n), appearances)
        size = offered.sum(axis=1)[row]
        return _shares(np.bincount(item, size - up_to, n), np.bincount(item, size - 1, n))


def _shares(part, whole):
    """Return ratios, missing for items that do not occur."""
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
