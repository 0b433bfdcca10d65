"""What to decide from draws of scores: which order to give, and what items are worth."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.intervals import interval
from bayesrank.consensus.labels import positions
from bayesrank.consensus.orders import best_order, expected_loss, require_loss
from bayesrank.consensus.tables import best_first
from bayesrank.consensus.worths import quasi_variances, worth_draws

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.consensus.orders import Consensus

__all__ = ["Decisions"]


class Decisions:
    """Decisions, for a class that says in ``_labelled`` which draws they are about."""

    if TYPE_CHECKING:

        def _labelled(self, what: str, *, point: bool = False) -> tuple[np.ndarray, pd.Index]: ...

    def consensus(self, loss: str = "kendall", *, seconds: float = 30.0) -> "Consensus":
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

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.consensus("spearman").order
        ['c', 'b', 'a']
        """
        require_loss(loss)
        scores, index = self._labelled("consensus")
        found = best_order(scores, loss, seconds=seconds)
        return replace(found, order=index[found.order].tolist())

    def expected_loss(self, order: Sequence[Any], loss: str = "kendall") -> float:
        """Return what a ranking of yours is expected to lose.

        Parameters
        ----------
        order : list
            All items, the best first.
        loss : str
            As in `consensus`.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> round(answers.expected_loss(["c", "b", "a"]), 2)
        0.35
        >>> round(answers.expected_loss(["a", "b", "c"]), 2)
        2.65
        """
        require_loss(loss)
        scores, index = self._labelled("expected_loss")
        return expected_loss(scores, positions("order", order, index), loss)

    def worths(self, prob: float = 0.95) -> "pd.DataFrame":
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

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.worths()[["worth", "low", "high"]].round(2)
              worth   low  high
        item
        c      0.76  0.26  0.98
        b      0.17  0.01  0.64
        a      0.07  0.00  0.35
        """
        scores, index = self._labelled("worths", point=True)
        worth = worth_draws(scores)
        if len(scores) == 1:
            nothing = np.full(len(index), np.nan)
            columns = {"worth": worth[0], "low": nothing, "high": nothing}
            columns |= {"quasi_variance": nothing, "quasi_sd": nothing}
            return best_first(columns, scores, index)
        low, high = interval(worth, prob)
        # What all scores of a draw have in common is in no difference, and would only cost digits.
        centred = scores - scores.mean(axis=1, keepdims=True)
        variance, error = quasi_variances(np.cov(centred, rowvar=False))
        columns = {"worth": worth.mean(axis=0), "low": low, "high": high}
        columns |= {"quasi_variance": variance, "quasi_sd": np.sqrt(variance)}
        table = best_first(columns, scores, index)
        table.attrs["quasi_error"] = error
        return table
