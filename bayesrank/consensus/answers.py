"""What can be asked of draws of scores with labels; a fit and `ScoreDraws` both have it."""

import numpy as np

from bayesrank.consensus.comparison import RankingComparison
from bayesrank.consensus.intervals import (
    confidence_set,
    credible_set,
    interval,
    rank_intervals,
    require_count,
    require_probability,
)
from bayesrank.consensus.labels import positions
from bayesrank.consensus.orders import best_order, expected_loss, require_loss
from bayesrank.consensus.ranks import (
    probability_above,
    probability_top,
    rank_draws,
    rank_probabilities,
    sucra,
)
from bayesrank.consensus.tiers import tiers
from bayesrank.consensus.worths import quasi_variances, worth_draws

__all__ = ["RankingAnswers"]


class RankingAnswers:
    """Answers about ranks. A subclass says in ``_labelled`` which draws they are about."""

    def _labelled(self, what, *, point=False):
        """Return draws of scores (draws by items) and the items as a pandas index.

        Parameters
        ----------
        what : str
            The question, for refusals.
        point : bool
            Whether a single point, without uncertainty, is enough.
        """
        raise NotImplementedError

    # Ranks ------------------------------------------------------------------------------------

    def rank_probabilities(self):
        """Return the probability of each item (row) to have each rank (column)."""
        import pandas as pd

        scores, index = self._labelled("rank_probabilities")
        ranks = pd.RangeIndex(1, len(index) + 1, name="rank")
        return pd.DataFrame(rank_probabilities(scores), index, ranks)

    def expected_ranks(self):
        """Return the mean and the sd of each item's rank, and SUCRA, the best first.

        SUCRA is the share of the other items that an item is expected to be above.
        """
        scores, index = self._labelled("expected_ranks")
        ranks = rank_draws(scores)
        mean = ranks.mean(axis=0)
        columns = {"mean": mean, "sd": ranks.std(axis=0, ddof=1), "sucra": sucra(mean)}
        return _best_first(columns, scores, index)

    def probability_above(self):
        """Return the probability that the row's true score is above the column's.

        This is about the scores themselves; `Fit.win_probabilities` is about the next comparison.
        """
        import pandas as pd

        scores, index = self._labelled("probability_above")
        above = probability_above(scores)
        np.fill_diagonal(above, np.nan)
        return pd.DataFrame(above, index, index.rename("other"))

    def rank_intervals(self, prob=0.95, *, simultaneous=True):
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
        """
        scores, index = self._labelled("rank_intervals")
        low, high = rank_intervals(scores, prob, simultaneous=simultaneous)
        rank = rank_draws(scores.mean(axis=0)[None])[0]
        return _best_first({"rank": rank, "low": low, "high": high}, scores, index)

    def best(self, prob=0.95):
        """Return which items may be the best: `top` with k = 1."""
        return _top(*self._labelled("best"), 1, prob)

    def top(self, k, prob=0.95):
        """Return which items may be among the first k.

        Parameters
        ----------
        k : int
        prob : float
            Probability that a set holds all of the true first k.

        Returns
        -------
        pandas.DataFrame
            Indexed by item, the likeliest first: p_top, the probability to be among the first
            k; credible, whether the item is in the set that holds them all with posterior
            probability ``prob``, which rests on the prior; in_set, whether it is in the
            confidence set, which has this probability whatever the true scores are, also if
            some are nearly equal. The second contains the first.
        """
        return _top(*self._labelled("top"), k, prob)

    def versus(self, item, prob=0.95):
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
        """
        scores, index = self._labelled("versus")
        require_probability(prob)
        (place,) = positions("item", [item], index, all_of_them=False)
        ranks = rank_draws(scores)
        above = np.mean(ranks[:, [place]] < ranks, axis=0)
        # The nudge is for rounding of shares that are just enough.
        order = np.where(above > prob - 1e-12, "above", "open")
        order = np.where(1.0 - above > prob - 1e-12, "below", order)
        table = _best_first({"p_above": above, "order": order}, scores, index)
        return table.drop(index=index[place])

    def tiers(self, prob=0.95):
        """Return the tier of each item, the best first.

        Items are taken in order of their mean score, and the order is cut wherever every item
        before the cut is above every item after it with at least the given probability. So the
        order of two items in different tiers is that certain, and there are as many tiers as
        that allows. Items of one tier cannot be told apart, or stand between some that cannot.

        Parameters
        ----------
        prob : float
        """
        scores, index = self._labelled("tiers")
        return _best_first({"tier": tiers(scores, prob)}, scores, index)["tier"]

    # Decisions --------------------------------------------------------------------------------

    def consensus(self, loss="kendall", *, seconds=30.0):
        """Return the one order that loses least.

        Parameters
        ----------
        loss : "kendall", "spearman", "footrule", "zero_one" or "ndcg"
            What an order loses against the true one: the number of pairs in the other order; the
            sum of squared, or of absolute, differences of ranks; one if they differ at all; or
            one less NDCG, with worths for gains.
        seconds : float
            Time for the search under "kendall", where majorities run in cycles among 21 to 300
            items. Smaller cycles are always solved to the end, larger ones have their gap only.

        Returns
        -------
        Consensus
            order, expected_loss, and whether it is the smallest: optimal, proof, bound and gap.
        """
        from dataclasses import replace

        require_loss(loss)
        scores, index = self._labelled("consensus")
        found = best_order(scores, loss, seconds=seconds)
        return replace(found, order=index[found.order].tolist())

    def expected_loss(self, order, loss="kendall"):
        """Return what a ranking of yours is expected to lose.

        Parameters
        ----------
        order : list
            All items, the best first.
        loss : str
            As in `consensus`.
        """
        require_loss(loss)
        scores, index = self._labelled("expected_loss")
        return expected_loss(scores, positions("order", order, index), loss)

    def worths(self, prob=0.95):
        """Return the worths, exp(score) scaled to sum to one, the best first.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by item: worth (mean), low, high; quasi_variance and quasi_sd of the score:
            the scores of two items differ by an amount whose variance is nearly the sum of the
            two quasi-variances. How nearly is in ``attrs["quasi_error"]``, the largest relative
            error of such a standard deviation.
        """
        scores, index = self._labelled("worths", point=True)
        worth = worth_draws(scores)
        if len(scores) == 1:
            nothing = np.full(len(index), np.nan)
            columns = {"worth": worth[0], "low": nothing, "high": nothing}
            columns |= {"quasi_variance": nothing, "quasi_sd": nothing}
            return _best_first(columns, scores, index)
        low, high = interval(worth, prob)
        # What all scores of a draw have in common is in no difference, and would only cost digits.
        centred = scores - scores.mean(axis=1, keepdims=True)
        variance, error = quasi_variances(np.cov(centred, rowvar=False))
        columns = {"worth": worth.mean(axis=0), "low": low, "high": high}
        columns |= {"quasi_variance": variance, "quasi_sd": np.sqrt(variance)}
        table = _best_first(columns, scores, index)
        table.attrs["quasi_error"] = error
        return table

    def compare_ranking(self, other, prob=0.95):
        """Return how the ranking differs from another one, of the items that both have.

        Parameters
        ----------
        other : Fit, ScoreDraws or draws of any form that `ScoreDraws` takes
            Taken as independent of this one, as from other data.
        prob : float
            Of the intervals, and for a pair to be certain in both.

        Returns
        -------
        RankingComparison
        """
        from bayesrank.consensus.score_draws import ScoreDraws

        own = self._labelled("compare_ranking")
        try:
            other = ScoreDraws(other)
        except (TypeError, ValueError) as error:
            raise type(error)(f"`other` has no draws to compare with: {error}") from None
        return RankingComparison.of(own, other._labelled("compare_ranking"), prob)

    # Pictures ---------------------------------------------------------------------------------

    def plot_ranking(self, prob=0.95, ax=None):
        """Draw the ranking with its intervals and tiers; return the axes."""
        from bayesrank.plots import plot_ranking

        self._labelled("plot_ranking", point=True)
        return plot_ranking(self, prob=prob, ax=ax)

    def plot_ranks(self, prob=0.95, ax=None):
        """Draw how likely each item is to have each rank; return the axes."""
        from bayesrank.plots import plot_ranks

        self._labelled("plot_ranks")
        return plot_ranks(self, prob=prob, ax=ax)

    def plot_worths(self, ax=None):
        """Draw the densities of the worths; return the axes."""
        from bayesrank.plots import plot_worths

        self._labelled("plot_worths")
        return plot_worths(self, ax=ax)


def _top(scores, index, k, prob):
    require_count(k, len(index))
    columns = {
        "p_top": probability_top(scores, k),
        "credible": credible_set(scores, k, prob),
        "in_set": confidence_set(scores, k, prob),
    }
    table = _best_first(columns, scores, index)
    return table.sort_values("p_top", ascending=False, kind="stable")


def _best_first(columns, scores, index):
    """Return columns by item as a frame, in order of the mean scores."""
    import pandas as pd

    order = np.argsort(-scores.mean(axis=0), kind="stable")
    return pd.DataFrame(columns, index).iloc[order]
