"""Pictures of a model and its data, as methods; those of ranks are with `RankingAnswers`."""

__all__ = ["ModelPictures"]


class ModelPictures:
    """What a fit can draw that plain draws of scores cannot."""

    def plot_wins(self, outcome="win", ax=None):
        """Draw who beats whom the next time they meet; return the axes."""
        from bayesrank.plots import plot_wins

        return plot_wins(self, outcome=outcome, ax=ax)

    def plot_check(self, statistic="auto", prob=0.95, draws=200, seed=None, ax=None):
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
        """
        from bayesrank.plots import plot_check

        return plot_check(self, statistic, prob=prob, draws=draws, seed=seed, ax=ax)

    def plot_prior(self, names=None, ax=None):
        """Draw the prior and the posterior of the parameters; return the axes."""
        from bayesrank.plots import plot_prior

        return plot_prior(self, names, ax=ax)

    def plot_adherences(self, prob=0.95, ax=None):
        """Draw how far each agent follows the ranking; return the axes."""
        from bayesrank.plots import plot_adherences

        return plot_adherences(self, prob=prob, ax=ax)

    def plot_variances(self, prob=0.95, ax=None):
        """Draw the items' variances against their ranks; return the axes."""
        from bayesrank.plots import plot_variances

        return plot_variances(self, prob=prob, ax=ax)
