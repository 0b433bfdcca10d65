"""The picture of the guide: how many comparisons of ten items, at random and as suggested."""

from benchmarks.asking.needed import curve_of, table_of
from benchmarks.asking.runs import Setting, curves

__all__ = ["draw", "planned"]

_PLAN = Setting(
    "planning", "davidson", 10, 2, 5, "prior",
    {"random": 2000, "suggest order": 400, "suggest best": 400}, 200,
)  # fmt: skip
_MOST = 400  # comparisons that are shown
_PANELS = (
    ("order", "distance", "pairs in the wrong order"),
    ("best", "found", "runs in which the best is found"),
)


def planned(quick=False, replicates=None):
    """Return the runs."""
    return curves(_PLAN, replicates or (2 if quick else None))


def draw(runs):
    """Return a figure: the means over runs, and where the middle 80 % of them are."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    from bayesrank.plots.style import BLUE, ORANGE, tidy

    figure = Figure(figsize=(9.0, 3.4), layout="constrained")
    for ax, (goal, measure, what) in zip(figure.subplots(1, 2), _PANELS, strict=True):
        for strategy, colour, name in (
            ("random", ORANGE, "random pairs"),
            (f"suggest {goal}", BLUE, f'fit.suggest(goal="{goal}")'),
        ):
            own = runs[runs["strategy"] == strategy]
            asked, curve = curve_of(own, measure)
            ax.plot(asked, curve, color=colour, lw=2.0, label=name)
            if goal == "order":
                low, high = table_of(own, measure).quantile([0.1, 0.9]).to_numpy()
                ax.fill_between(asked, low, high, color=colour, alpha=0.15, lw=0)
        ax.set_xlim(0, _MOST)
        ax.set_ylim(0.0, 0.4 if goal == "order" else 1.0)
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        ax.set_xlabel("comparisons")
        ax.set_title(what, fontsize=11)
        ax.legend(frameon=False)
        tidy(ax, "y")
    return figure
