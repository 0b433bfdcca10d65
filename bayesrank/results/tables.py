"""What a fitted model knows, as tables: of the items, the agents and the other parameters."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus
from bayesrank.results.agents import agent_effects
from bayesrank.results.effects import effect_table
from bayesrank.results.parts import FitPart
from bayesrank.results.preference_tables import agent_table, item_variances
from bayesrank.text import option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ModelTables"]


class ModelTables(FitPart):
    """The tables of a fit."""

    def ranking(
        self,
        prob: float = 0.95,
        *,
        at: Any = None,
        category: Any = None,
        tiers: str = "expected",
    ) -> "pd.DataFrame":
        """Return the items, best first, with what is known of their scores and ranks.

        Parameters
        ----------
        prob : float
            Probability of the intervals; and of the pairs of items in different tiers at most a
            share of 1 - prob is expected to be in the wrong order.
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data. Items are ranked
            that were seen in the year before; `at` has more about that.
        category : label, optional
            Where scores differ between categories: in which one, by default over all.
        tiers : "expected" or "certain"
            The rule of `tiers`.

        Returns
        -------
        pandas.DataFrame
            Indexed by item: score (posterior mean), sd, low and high; rank (of the mean
            score), rank_low and rank_high; p_best, p_top3; tier. A MAP fit has score and
            rank only, the rest is empty. Where there are several instances, they follow each
            other, each with ranks of its own.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.ranking(0.9)[["score", "low", "high", "rank_low", "rank_high", "p_best"]].round(2)
                   score   low  high  rank_low  rank_high  p_best
        item
        Milwaukee   0.44  0.13  0.76         1          4    0.54
        Detroit     0.32  0.02  0.64         1          5    0.25
        Toronto     0.21 -0.10  0.50         1          5    0.11
        New York    0.16 -0.13  0.46         1          5    0.07
        Boston      0.04 -0.26  0.35         2          6    0.02
        Cleveland  -0.31 -0.61  0.01         5          6    0.00
        Baltimore  -0.87 -1.24 -0.50         7          7    0.00
        """
        import pandas as pd

        if at is not None:
            return self.at(at).ranking(prob, category=category, tiers=tiers)
        if category is not None:
            return self.in_category(category).ranking(prob, tiers=tiers)
        consensus.require_tiers_rule(tiers, "tiers")
        scores, index, point = self.scores(), self._index(), self.kind.is_point
        start = self.specification.item_start
        if start is None:
            return consensus.ranking_table(scores, index, prob, point=point, rule=tiers)
        parts = [slice(*bounds) for bounds in pairwise(start)]
        return pd.concat(
            consensus.ranking_table(scores[:, part], index[part], prob, point=point, rule=tiers)
            for part in parts
        )

    def items(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return what is known of each item, best first: score, rank, and of "mpm" the variance.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            score, sd, low, high and rank as in `ranking`; for "mpm" also variance,
            variance_sd, variance_low and variance_high, and ballots, the number of ballots
            that the item is on. A small variance means that agents agree on the item.

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> fit.items()[["rank", "ballots"]]
              rank  ballots
        item
        a        1        4
        b        2        4
        c        3        4
        """
        table = self.ranking(prob)[["score", "sd", "low", "high", "rank"]]
        if not self.specification.has_adherences:
            return table
        return table.join(item_variances(self, prob), how="left")

    def agents(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return what is known of each agent.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by agent. For "mpm", the most faithful first: adherence (posterior mean) with
            sd, low and high; ballots and preferences, how many the agent has cast. Nothing is known
            but the prior of an agent with none.

            For other models, the most votes first: what was fitted by agent, each with low and
            high: discrimination (1 is average), order_effect and tie_rate; votes; ties, the share
            of its votes that were ties; agreement, the share of its decided pairs that are in the
            order of the scores; and words, such as "looks random" or "contrarian".

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> fit.agents().index.tolist()
        ['x', 'y', 'z']
        >>> fit.agents().columns.tolist()
        ['adherence', 'sd', 'low', 'high', 'ballots', 'preferences']
        """
        if self.specification.has_adherences:
            return agent_table(self, prob)
        if self.specification.data.agents is None:
            raise ValueError(
                "These data have no agents: name the column of who judged as "
                f"{option('agent', 'judge')} when you read them."
            )
        return agent_effects(self, prob)

    def effects(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return what the features add to scores.

        Features of the two sides of a comparison, or of the entries of a ranking, such as the
        length of an answer: items are then ranked at equal features. That is not the same as
        without them, as a style may be how a better item wins.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by feature: per_unit, what one more unit adds to a score, with low and high;
            per_sd, the same for one standard deviation (of the difference, in comparisons), which
            is ``sd``; p_positive; and words.

        Examples
        --------
        >>> rows = [["x", "y", "x", 9, 2], ["y", "x", "y", 8, 3], ["x", "y", "y", 2, 7]] * 20
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome", "long", "short"])
        >>> votes = br.Comparisons.from_frame(df, features={"length": ("long", "short")})
        >>> fit = br.fit(votes, method="laplace", seed=1)
        >>> print(fit.effects().loc["length", "p_positive"] > 0.99)
        True
        """
        return effect_table(self, prob)

    def influence(self, loss: str = "spearman", *, refit: bool | None = None) -> "pd.DataFrame":
        """Return how much the consensus owes to each agent, the most influential first.

        Each agent is left out in turn, by importance weights of the draws. Where those are too
        uneven to be trusted, ``pareto_k`` is above 0.7.

        Parameters
        ----------
        loss : str
            Of the consensus, as in `consensus`.
        refit : bool, optional
            Fit the model again, by the same method, where the weights are not to be trusted. By
            default where that is quick, which is for Laplace.

        Returns
        -------
        pandas.DataFrame
            Indexed by agent: mean_shift, by how many ranks items move on average (root mean
            square of the changes of expected ranks); reversals, the pairs that change their
            order in the consensus; item, the one that moves most, and its shift (positive is
            down) without this agent; first, who then leads; pareto_k; refitted.

        Examples
        --------
        >>> ballots = [["a", "b", "c"]] * 5 + [["a", "c", "b"]] * 4 + [["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x"] * 5 + ["y"] * 4 + ["z"])
        >>> fit = br.fit(votes, "plackett-luce", method="laplace", seed=1)
        >>> fit.influence().loc[["x", "z"], ["reversals", "first"]]
               reversals first
        agent
        x              1     a
        z              0     a
        """
        from bayesrank.results.influence import influence

        refit = self.kind.is_quick if refit is None else refit
        return influence(self, loss, refit)

    def parameters(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return every parameter that is not of an item or an agent: mean, sd, low, high.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> fit.parameters().round(2)
                  mean    sd   low  high
        scale     0.10  0.09  0.00  0.34
        nu        0.75  0.06  0.64  0.87
        tie_rate  0.27  0.02  0.24  0.30
        """
        import pandas as pd

        rows = {}
        for name in self.specification.names:
            if name == "score":
                continue
            values = self._flat(name)
            if values.ndim == 1:
                rows[name] = values
                continue
            (dim,) = self.specification.dims(name)
            if dim in ("item", "agent", "place", "state", "cell"):
                continue  # these have tables of their own
            for k, label in enumerate(self.specification.coords[dim]):
                rows[f"{name}[{label}]"] = values[:, k]
        table = pd.DataFrame({"mean": {name: values.mean() for name, values in rows.items()}})
        for column in ("sd", "low", "high"):
            table[column] = np.nan
        if not self.kind.is_point:
            for name, values in rows.items():
                low, high = consensus.interval(values, prob)
                table.loc[name, ["sd", "low", "high"]] = values.std(ddof=1), low, high
        return table
