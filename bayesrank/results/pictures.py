"""Pictures of a model and its data, as methods; those of ranks are with `RankingAnswers`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesrank.results.moments import WINDOW
from bayesrank.results.parts import FitPart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ModelPictures"]


class ModelPictures(FitPart):
    """What a fit can draw that plain draws of scores cannot."""

    def plot_wins(self, outcome: str = "win", ax: "Axes | None" = None) -> "Axes":
        """Draw who beats whom the next time they meet; return the axes.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> ax = fit.plot_wins()
        >>> len(ax.get_xticklabels())
        6
        """
        from bayesrank.plots import plot_wins

        return plot_wins(self, outcome=outcome, ax=ax)

    def plot_check(
        self,
        statistic: str = "auto",
        prob: float = 0.95,
        draws: int = 200,
        seed: int | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """Draw what was observed against what the model predicts; return the axes.

        Parameters
        ----------
        statistic : "auto", "ties", "wins" or "ranks"
            Share of ties; each item's share of wins; each item's mean place in rankings.
        prob : float
            Probability of the intervals.
        draws : int
            Replicated data sets.
        seed : int, optional
        ax : matplotlib axes, optional

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> ax = fit.plot_check(seed=1)
        >>> ax.get_xlabel()
        'share of its comparisons won (a tie is not won)'
        """
        from bayesrank.plots import plot_check

        return plot_check(self, statistic, prob=prob, draws=draws, seed=seed, ax=ax)

    def plot_prior(self, names: Sequence[str] | None = None, ax: Any = None) -> Any:
        """Draw the prior and the posterior of the parameters; return the axes.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> axes = fit.plot_prior(["nu"])
        >>> len(axes)
        1
        """
        from bayesrank.plots import plot_prior

        return plot_prior(self, names, ax=ax)

    def plot_adherences(self, prob: float = 0.95, ax: "Axes | None" = None) -> "Axes":
        """Draw how far each agent follows the ranking; return the axes.

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> ax = fit.plot_adherences()
        >>> ax.get_xlabel()
        'adherence (0 prefers at random, 1 follows the scores)'
        """
        from bayesrank.plots import plot_adherences

        return plot_adherences(self, prob=prob, ax=ax)

    def plot_agents(self, prob: float = 0.95, ax: Any = None) -> Any:
        """Draw what was fitted by agent, with those who stand out marked; return the axes.

        Parameters
        ----------
        prob : float
            Probability of the intervals.
        ax : matplotlib axes or array of them, optional
            As many as there are panels: discrimination, order effect and tie rate, where these
            differ between agents.

        Examples
        --------
        >>> rows = [["x", "y", "x", "ann"], ["y", "z", "y", "ann"], ["x", "z", "z", "bob"]] * 9
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome", "judge"])
        >>> votes = br.Comparisons.from_frame(df, agent="judge")
        >>> fit = br.fit(votes, discrimination="by-agent", method="laplace", seed=1)
        >>> axes = fit.plot_agents()
        >>> axes[0].get_xlabel()
        'discrimination (1 is average)'
        """
        from bayesrank.plots import plot_agents

        return plot_agents(self, prob=prob, ax=ax)

    def plot_categories(self, prob: float = 0.95, ax: "Axes | None" = None) -> "Axes":
        """Draw the ranks of all items in all categories, and how scores differ; return the axes.

        Parameters
        ----------
        prob : float
            Probability of the intervals of differences.
        ax : matplotlib axes, optional

        Examples
        --------
        >>> rows = [["x", "y", "x", "code"], ["y", "x", "y", "art"]] * 20
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome", "topic"])
        >>> votes = br.Comparisons.from_frame(df, category="topic")
        >>> fit = br.fit(votes, scores="by-category", method="laplace", seed=1)
        >>> ax = fit.plot_categories()
        >>> [label.get_text() for label in ax.get_xticklabels()]
        ['art', 'code']
        """
        from bayesrank.plots import plot_categories

        return plot_categories(self, prob=prob, ax=ax)

    def plot_variances(self, prob: float = 0.95, ax: "Axes | None" = None) -> "Axes":
        """Draw the items' variances against their ranks; return the axes.

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> ax = fit.plot_variances()
        >>> ax.get_xlabel()
        'items, the best first'
        """
        from bayesrank.plots import plot_variances

        return plot_variances(self, prob=prob, ax=ax)

    def plot_history(
        self,
        items: Sequence[Any] | None = None,
        *,
        ranks: bool = False,
        prob: float = 0.8,
        window: float = WINDOW,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """Draw scores over time with bands, or ranks; return the axes.

        Parameters
        ----------
        items : list, optional
            At most 12; by default the five best at the time that the fit is about.
        ranks : bool
            Draw ranks instead of scores.
        prob : float
            Probability of the bands.
        window : float
            As in `history`.
        ax : matplotlib axes, optional

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> ax = fit.plot_history(["Bayern", "Dortmund", "Leverkusen"])
        >>> ax.get_ylabel()
        'score, relative to the mean'
        """
        from bayesrank.plots import plot_history

        return plot_history(self, items, ranks=ranks, prob=prob, window=window, ax=ax)
