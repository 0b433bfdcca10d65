"""Answers about ranks at a time that is asked for."""

from typing import TYPE_CHECKING, Any

from bayesrank.consensus.answers import RankingAnswers
from bayesrank.results.parts import FitPart

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.consensus.orders import Consensus

__all__ = ["MomentAnswers"]


class MomentAnswers(RankingAnswers, FitPart):
    """What draws of scores say of ranks. Where scores move, there is one answer for each time.

    All answers are about the last time of the data, or about that of `at`. Those that are asked
    for most take the time themselves.
    """

    def best(self, prob: float = 0.95, *, at: Any = None) -> "pd.DataFrame":
        """Return which items may be the best: `top` with k = 1.

        Parameters
        ----------
        prob : float
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> fit.best(at="2015-01-01").query("in_set").index.tolist()
        ['Bayern']
        """
        return super().best(prob) if at is None else self.at(at).best(prob)

    def tiers(self, prob: float = 0.95, rule: str = "expected", *, at: Any = None) -> "pd.Series":
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
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> fit.tiers(at="2015-01-01").head(3).to_dict()
        {'Bayern': 1, 'Dortmund': 2, 'Mönchengladbach': 2}
        """
        return super().tiers(prob, rule) if at is None else self.at(at).tiers(prob, rule)

    def consensus(
        self, loss: str = "kendall", *, seconds: float = 30.0, at: Any = None
    ) -> "Consensus":
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
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.

        Returns
        -------
        Consensus

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> list(fit.consensus(at="2015-01-01").order[:2])
        ['Bayern', 'Dortmund']
        """
        if at is not None:
            return self.at(at).consensus(loss, seconds=seconds)
        return super().consensus(loss, seconds=seconds)
