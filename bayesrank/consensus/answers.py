"""What can be asked of draws of scores with labels; a fit and `ScoreDraws` both have it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.comparison import RankingComparison
from bayesrank.consensus.decisions import Decisions
from bayesrank.consensus.intervals import (
    confidence_set,
    credible_set,
    rank_intervals,
    require_count,
    require_probability,
)
from bayesrank.consensus.labels import positions
from bayesrank.consensus.ranks import (
    probability_above,
    probability_top,
    rank_draws,
    rank_probabilities,
    sucra,
)
from bayesrank.consensus.tables import best_first
from bayesrank.consensus.tiers import tiers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["RankingAnswers"]


class RankingAnswers(Decisions):
    """Answers about ranks. A subclass says in ``_labelled`` which draws they are about."""

    def _labelled(self, what: str, *, point: bool = False) -> "tuple[np.ndarray, pd.Index]":
        """Return draws of scores (draws by items) and the items as a pandas index.

        Parameters
        ----------
        what : str
            The question, for refusals.
        point : bool
            Whether a single point, without uncertainty, is enough.
        """
        raise NotImplementedError

    def rank_probabilities(self) -> "pd.DataFrame":
        """Return the probability that each item (row) has each rank (column).

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.rank_probabilities().round(2)
        rank     1     2     3
        item
        a     0.01  0.24  0.75
        b     0.08  0.68  0.25
        c     0.91  0.09  0.01
        """
        import pandas as pd

        scores, index = self._labelled("rank_probabilities")
        ranks = pd.RangeIndex(1, len(index) + 1, name="rank")
        return pd.DataFrame(rank_probabilities(scores), index, ranks)

    def expected_ranks(self) -> "pd.DataFrame":
        """Return the mean and the sd of each item's rank, and SUCRA, the best first.

        SUCRA is the share of the other items that an item is expected to be above.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.expected_ranks().round(2)
              mean    sd  sucra
        item
        c     1.10  0.32   0.95
        b     2.17  0.54   0.42
        a     2.74  0.47   0.13
        """
        scores, index = self._labelled("expected_ranks")
        ranks = rank_draws(scores)
        mean = ranks.mean(axis=0)
        columns = {"mean": mean, "sd": ranks.std(axis=0, ddof=1), "sucra": sucra(mean)}
        return best_first(columns, scores, index)

    def probability_above(self) -> "pd.DataFrame":
        """Return the probability that the row's true score is above the column's.

        This is about the scores themselves; `Fit.win_probabilities` is about the next comparison.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.probability_above().round(2)
        other     a     b     c
        item
        a       NaN  0.25  0.02
        b      0.75   NaN  0.08
        c      0.98  0.92   NaN
        """
        import pandas as pd

        scores, index = self._labelled("probability_above")
        above = probability_above(scores)
        np.fill_diagonal(above, np.nan)
        return pd.DataFrame(above, index, index.rename("other"))

    def rank_intervals(
        self, prob: float = 0.95, *, simultaneous: bool | str = True
    ) -> "pd.DataFrame":
        """Return the lowest and the highest rank that each item may have.

        Parameters
        ----------
        prob : float
            Probability that all true ranks are inside at once or, if not simultaneous, of each
            interval alone.
        simultaneous : bool or "posterior"
            True: all intervals hold at once whatever the true scores are, also if some are
            nearly equal. "posterior": all hold at once with this posterior probability, which
            rests on the prior; shorter. False: one by one; shorter still, but among a hundred
            five are wrong.

        Returns
        -------
        pandas.DataFrame
            Indexed by item, the best first: rank (of the mean score), low and high.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.rank_intervals(0.9)
              rank  low  high
        item
        c        1    1     2
        b        2    1     3
        a        3    2     3
        """
        scores, index = self._labelled("rank_intervals")
        low, high = rank_intervals(scores, prob, simultaneous=simultaneous)
        rank = rank_draws(scores.mean(axis=0)[None])[0]
        return best_first({"rank": rank, "low": low, "high": high}, scores, index)

    def best(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return which items may be the best: `top` with k = 1.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.best().round(2)
              p_top  credible  in_set
        item
        c      0.91      True    True
        b      0.08      True    True
        a      0.01     False   False
        """
        return _top(*self._labelled("best"), 1, prob)

    def top(self, k: int, prob: float = 0.95) -> "pd.DataFrame":
        """Return which items may be among the first k.

        Parameters
        ----------
        k : int
        prob : float
            Probability that a set holds all of the true first k.

        Returns
        -------
        pandas.DataFrame
            Indexed by item, the likeliest first: p_top, the probability of being among the first
            k; credible, whether the item is in the set that holds them all with posterior
            probability ``prob``, which rests on the prior; in_set, whether it is in the
            confidence set, which has this probability whatever the true scores are, also if
            some are nearly equal. The second contains the first.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.top(2).round(2)
              p_top  credible  in_set
        item
        c      0.99      True    True
        b      0.75      True    True
        a      0.25      True    True
        """
        return _top(*self._labelled("top"), k, prob)

    def versus(self, item: Any, prob: float = 0.95) -> "pd.DataFrame":
        """Return which other items an item can be told apart from.

        Parameters
        ----------
        item : label
        prob : float
            How certain an order must be.

        Returns
        -------
        pandas.DataFrame
            Indexed by the other items, the best first: p_above, the probability that the item is
            truly above the other; order, "above" or "below" where that is certain, else "open".

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.versus("b", prob=0.9).round(2)
              p_above  order
        item
        c        0.08  below
        a        0.75   open
        """
        scores, index = self._labelled("versus")
        require_probability(prob)
        (place,) = positions("item", [item], index, all_of_them=False)
        ranks = rank_draws(scores)
        above = np.mean(ranks[:, [place]] < ranks, axis=0)
        # The nudge is for rounding of shares that are just enough.
        order = np.where(above > prob - 1e-12, "above", "open")
        order = np.where(1.0 - above > prob - 1e-12, "below", order)
        table = best_first({"p_above": above, "order": order}, scores, index)
        return table.drop(index=index[place])

    def tiers(self, prob: float = 0.95, rule: str = "expected") -> "pd.Series":
        """Return the tier of each item, the best first.

        Groups that may be named with few mistakes: of the pairs that these tiers separate, at
        most 5 % are expected to be in the wrong order, or another share of 1 - prob. Within that
        promise they tell about as many pairs apart as can be, and a lower probability only adds
        cuts. It is a promise about all these pairs together. Two items on both sides of a cut may
        well be close, and an item that is alone in the first tier need not be the best.

        Parameters
        ----------
        prob : float
        rule : "expected" or "certain"
            "certain" promises for each pair: the order of two items in different tiers is at least
            that certain. These tiers are fewer, and many items usually share one.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.tiers()
        item
        c    1
        b    2
        a    2
        Name: tier, dtype: int64
        >>> answers.tiers(0.8).tolist(), answers.tiers(0.8, rule="certain").tolist()
        ([1, 2, 3], [1, 2, 2])
        """
        scores, index = self._labelled("tiers")
        return best_first({"tier": tiers(scores, prob, rule)}, scores, index)["tier"]

    def compare_ranking(self, other: Any, prob: float = 0.95) -> RankingComparison:
        """Return how the ranking differs from another one, of the items that both have.

        Parameters
        ----------
        other : Fit, ScoreDraws or draws of any form that `ScoreDraws` takes
            Taken as independent of this one, as from other data.
        prob : float
            Of the intervals, and from which on a pair is certain in both.

        Returns
        -------
        RankingComparison

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> later = br.ScoreDraws(draws[:, ::-1], ["a", "b", "c"])
        >>> difference = answers.compare_ranking(later)
        >>> round(difference.disagreement, 1), round(difference.own, 1)
        (0.8, 0.2)
        """
        from bayesrank.consensus.score_draws import ScoreDraws

        own = self._labelled("compare_ranking")
        try:
            other = ScoreDraws(other)
        except (TypeError, ValueError) as error:
            raise type(error)(f"`other` has no draws to compare with: {error}") from None
        return RankingComparison.of(own, other._labelled("compare_ranking"), prob)

    # Pictures ---------------------------------------------------------------------------------

    def plot_ranking(
        self, prob: float = 0.95, ax: "Axes | None" = None, *, tiers: str = "expected"
    ) -> "Axes":
        """Draw the ranking with its intervals and tiers; return the axes.

        Parameters
        ----------
        prob : float
            Of the intervals, and what the tiers promise.
        ax : matplotlib axes, optional
        tiers : "expected" or "certain"
            The rule of `tiers`.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> ax = answers.plot_ranking()
        >>> ax.get_xlabel()
        'score (zero is the average item)'
        """
        from bayesrank.plots import plot_ranking

        self._labelled("plot_ranking", point=True)
        return plot_ranking(self, prob=prob, ax=ax, tiers=tiers)

    def plot_ranks(self, prob: float = 0.95, ax: "Axes | None" = None) -> "Axes":
        """Draw how likely each item is to have each rank; return the axes.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> ax = answers.plot_ranks()
        >>> ax.get_xlabel()
        'rank (1 is best)'
        """
        from bayesrank.plots import plot_ranks

        self._labelled("plot_ranks")
        return plot_ranks(self, prob=prob, ax=ax)

    def plot_worths(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the densities of the worths; return the axes.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> ax = answers.plot_worths()
        >>> ax.get_xlabel()
        'worth (share of the total; the line is an equal share)'
        """
        from bayesrank.plots import plot_worths

        self._labelled("plot_worths")
        return plot_worths(self, ax=ax)


def _top(scores: np.ndarray, index: "pd.Index", k: int, prob: float) -> "pd.DataFrame":
    require_count(k, len(index))
    columns = {
        "p_top": probability_top(scores, k),
        "credible": credible_set(scores, k, prob),
        "in_set": confidence_set(scores, k, prob),
    }
    table = best_first(columns, scores, index)
    return table.sort_values("p_top", ascending=False, kind="stable")
