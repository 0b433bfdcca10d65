"""Two rankings of the same items, each known by draws: where they differ, and how surely."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank.consensus.intervals import require_probability
from bayesrank.consensus.ranks import probability_above, rank_probabilities

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RankingComparison"]

_ROUNDING = 1e-12  # of shares of draws


@dataclass(frozen=True)
class RankingComparison:
    """How two rankings differ.

    Attributes
    ----------
    items : pandas.DataFrame
        Indexed by item, the largest shift first: mean_rank and other_mean_rank, among the items
        that both have; shift, the second less the first, with its interval low to high;
        p_higher, the probability that the item ranks higher in the second (equal counts half).
    reversed : pandas.DataFrame
        Pairs whose order is certain in both, and opposite: above, below (in the first), p and
        other_p (that it is so).
    disagreement : float
        Expected share of pairs that a draw of one has in another order than a draw of the other.
    own, other : float
        The same for two draws of the same ranking: what uncertainty alone explains.
    only_own, only_other : list
        Items that were left out because only one of the two has them.
    """

    items: "pd.DataFrame" = field(repr=False)
    reversed: "pd.DataFrame" = field(repr=False)
    disagreement: float
    own: float
    other: float
    only_own: list[Any] = field(repr=False)
    only_other: list[Any] = field(repr=False)

    @classmethod
    def of(
        cls, own: "tuple[np.ndarray, pd.Index]", other: "tuple[np.ndarray, pd.Index]", prob: float
    ) -> Self:
        """Compare two pairs of draws and labels."""
        import pandas as pd

        require_probability(prob)
        (scores, index), (other_scores, other_index) = own, other
        shared = set(index) & set(other_index)
        common = [label for label in index.tolist() if label in shared]
        if len(common) < 2:
            raise ValueError(
                f"`other` must have at least two items in common with this ranking, got "
                f"{len(common)}."
            )
        index = pd.Index(common, name="item", tupleize_cols=False)
        scores = scores[:, own[1].get_indexer(index)]
        other_scores = other_scores[:, other_index.get_indexer(index)]
        ranks, other_ranks = rank_probabilities(scores), rank_probabilities(other_scores)
        places = np.arange(1, len(common) + 1)
        table = pd.DataFrame(
            {"mean_rank": ranks @ places, "other_mean_rank": other_ranks @ places}, index
        )
        table["shift"] = table["other_mean_rank"] - table["mean_rank"]
        table["low"], table["high"], table["p_higher"] = _shifts(ranks, other_ranks, prob)
        order = np.argsort(-np.abs(table["shift"].to_numpy()), kind="stable")
        p, q = probability_above(scores), probability_above(other_scores)
        pair = np.triu_indices(len(common), 1)
        a, b = p[pair], q[pair]
        return cls(
            items=table.iloc[order],
            reversed=_reversed_pairs(p, q, index, prob),
            disagreement=float(np.mean(a * (1.0 - b) + b * (1.0 - a))),
            own=float(np.mean(2.0 * a * (1.0 - a))),
            other=float(np.mean(2.0 * b * (1.0 - b))),
            only_own=[label for label in own[1].tolist() if label not in shared],
            only_other=[label for label in other_index.tolist() if label not in shared],
        )

    @property
    def excess(self) -> float:
        """Disagreement beyond what uncertainty explains; zero if probabilities are the same."""
        return self.disagreement - 0.5 * (self.own + self.other)

    def __str__(self) -> str:
        left_out = len(self.only_own) + len(self.only_other)
        return (
            f"{len(self.items):,} items in both{f', {left_out:,} in one only' * bool(left_out)}: "
            f"{self.disagreement:.1%} of pairs differ, where uncertainty alone explains "
            f"{0.5 * (self.own + self.other):.1%}; {len(self.reversed):,} pairs are certain in "
            "both and opposite."
        )


def _shifts(
    ranks: np.ndarray, other_ranks: np.ndarray, prob: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by item, the interval of its shift, and the probability that it is upwards.

    The two ranks are independent, so the shift's distribution follows from theirs.
    """
    n = len(ranks)
    tail = (1.0 - prob) / 2.0
    low, high, upwards = np.empty((3, n))
    for k in range(n):
        # From n - 1 places upwards to as many downwards.
        shift = np.convolve(other_ranks[k], ranks[k, ::-1])
        up_to = np.cumsum(shift)
        low[k], high[k] = np.searchsorted(up_to, [tail, 1.0 - tail - _ROUNDING]) - (n - 1)
        upwards[k] = shift[: n - 1].sum() + 0.5 * shift[n - 1]
    return low.astype(int), high.astype(int), upwards


def _reversed_pairs(p: np.ndarray, q: np.ndarray, index: "pd.Index", prob: float) -> "pd.DataFrame":
    """Return the pairs that one ranking has surely one way and the other surely the other."""
    import pandas as pd

    above, below = np.nonzero((p >= prob - _ROUNDING) & (q <= 1.0 - prob + _ROUNDING))
    return pd.DataFrame(
        {
            "above": index[above],
            "below": index[below],
            "p": p[above, below],
            "other_p": q[above, below],
        }
    )
