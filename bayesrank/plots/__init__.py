"""Pictures of a fit, one file per picture. Each function draws on axes and returns them.

`plot_prior` draws a small picture for each parameter, and `plot_agents` a panel for each; they
return arrays of axes.
"""

from bayesrank.plots.adherences import plot_adherences
from bayesrank.plots.agents import plot_agents
from bayesrank.plots.categories import plot_categories
from bayesrank.plots.check import plot_check
from bayesrank.plots.history import plot_history
from bayesrank.plots.prior import plot_prior
from bayesrank.plots.ranking import plot_ranking
from bayesrank.plots.ranks import plot_ranks
from bayesrank.plots.variances import plot_variances
from bayesrank.plots.wins import plot_wins
from bayesrank.plots.worths import plot_worths

__all__ = [
    "plot_adherences",
    "plot_agents",
    "plot_categories",
    "plot_check",
    "plot_history",
    "plot_prior",
    "plot_ranking",
    "plot_ranks",
    "plot_variances",
    "plot_wins",
    "plot_worths",
]
