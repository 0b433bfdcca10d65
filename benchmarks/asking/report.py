"""The study for readers: a table, a picture and a section of the README."""

from datetime import date

import numpy as np
import pandas as pd

from benchmarks.asking.needed import ASKED_OF_US, GOALS, curve_of
from benchmarks.asking.settings import PARTS
from benchmarks.table import machine, replace_section

__all__ = ["END", "START", "draw", "markdown", "mean_curves", "save", "verdict"]

START = "<!-- asking: written by `python3 -m benchmarks.asking --save` -->"
END = "<!-- /asking -->"
NAMES = ("random", "round robin", "ASAP", "suggest")
_LOOK = {
    "random": ("0.55", "-"), "round robin": ("0.55", ":"), "ASAP": ("#d1741f", "-"),
    "suggest": ("#1f5a94", "-"),
}  # fmt: skip


def verdict(row):
    """Return whether suggestions need as little as asked."""
    if np.isnan(row["ratio"]):
        return "not reached"
    return "holds" if row["ratio"] <= ASKED_OF_US[row["goal"]] else "does not hold"


def _ratio(row):
    """Return the ratio to random questions, with its standard error; or what it is less than."""
    if np.isnan(row["ratio"]):
        return ""
    if row["less_than"]:
        return f"< {row['ratio']:.2f}"
    error = "" if np.isnan(row["ratio_se"]) else f" ± {row['ratio_se']:.2f}"
    return f"{row['ratio']:.2f}{error}"


def _cell(row):
    """Return how much was needed, with its standard error."""
    if not np.isfinite(row["needed"]):
        return f"> {row['budget']:,.0f}"
    error = "" if np.isnan(row["se"]) else f" ± {row['se']:,.0f}"
    return f"{row['needed']:,.0f}{error}"


def wide(table):
    """Return one row for each setting, goal and value, with a column for each strategy."""
    rows = []
    about = ["part", "truth", "goal", "value"]
    for setting, group in table.groupby(about, sort=False):
        found = dict(zip(about, setting, strict=True))
        for _, row in group.iterrows():
            name = row["strategy"].split()[0] if "suggest" in row["strategy"] else row["strategy"]
            found[name] = _cell(row)
            if name == "suggest":
                found["by random"] = _ratio(row)
                found["asked"] = f"{ASKED_OF_US[row['goal']]:.2f}"
                found[""] = verdict(row)
        rows.append(found)
    return pd.DataFrame(rows)


def markdown(table):
    """Return the README's section."""
    shown = wide(table)
    replicates = sorted({(PARTS[p], int(n)) for p, n in zip(table["part"], table["replicates"],
                                                            strict=True)})  # fmt: skip
    lines = [
        f"{date.today().isoformat()}. {machine()}.", "",
        f"Replicates: {'; '.join(f'{name}: {n}' for name, n in replicates)}.", "",
        "![share of pairs in the wrong order, and how often the best is found, by what was asked]"
        "(asking.png)", "",
    ]  # fmt: skip
    heads = ["truth", "until", *NAMES, "by random", "asked", ""]
    for part, rows in shown.groupby("part", sort=False):
        lines += [f"**{PARTS[part][0].upper()}{PARTS[part][1:]}**", ""]
        lines += [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for _, row in rows.iterrows():
            until = _until(row["goal"], row["value"])
            said = f"**{row['']}**" if row[""] == "does not hold" else row[""]
            cells = [row["truth"], until, *(row[name] for name in NAMES), row["by random"],
                     row["asked"], said]  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def _until(goal, value):
    """Return a value that is to be reached, in words."""
    if goal == "order":
        return f"{value:.0%} of pairs are in the wrong order"
    return f"the best is found in {value:.0%} of runs"


def mean_curves(runs):
    """Return the means over replicates, with their standard errors, one row for each look."""
    about = ["part", "likelihood", "items", "size", "truth", "strategy", "asked"]
    measures = runs.groupby(about, sort=False)[["distance", "found", "error"]]
    return pd.concat([measures.mean(), measures.sem().add_suffix("_se")], axis=1).reset_index()


def draw(runs):
    """Return a figure: a row of panels for each part, a panel for each goal and truth."""
    from matplotlib.figure import Figure

    parts = [part for part in PARTS if (runs["part"] == part).any()]
    panels = [(goal, truth) for goal, (_, truths, _) in GOALS.items() for truth in truths]
    size = (2.7 * len(panels) + 0.6, 2.3 * len(parts) + 0.8)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(parts), len(panels), squeeze=False)
    for row, part in enumerate(parts):
        for column, (goal, truth) in enumerate(panels):
            _panel(axes[row, column], runs, part, goal, truth)
        axes[row, 0].set_ylabel(f"{PARTS[part].split(',')[0]}\n\nin the wrong order", fontsize=8.5)
    for column, (goal, truth) in enumerate(panels):
        what = "pairs in the wrong order" if goal == "order" else "the best is found"
        axes[0, column].set_title(f"{what}\n{truth}", fontsize=9)
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=4, frameon=False, fontsize=9)
    return figure


def _panel(ax, runs, part, goal, truth):
    """Draw the mean curves of all strategies."""
    from bayesrank.plots.style import log_ticks, tidy

    measure, _, values = GOALS[goal]
    own = runs[(runs["part"] == part) & (runs["truth"] == truth)]
    for strategy, group in own.groupby("strategy", sort=False):
        name = strategy.split()[0] if strategy.startswith("suggest") else strategy
        if name == "suggest" and strategy != f"suggest {goal}":
            continue
        asked, curve = curve_of(group, measure)
        colour, line = _LOOK[name]
        ax.plot(asked, curve, line, color=colour, lw=1.6, label=name)
    for value in values:
        ax.axhline(value, color="0.15", lw=0.6, ls=(0, (4, 3)))
    ax.set_xscale("log")
    ax.set_ylim(0.0, 0.4 if goal == "order" else 1.02)
    log_ticks(ax.xaxis, 4, "{:,.0f}".format)
    ax.tick_params(labelsize=8)
    tidy(ax, "y")
    ax.set_xlabel("asked", fontsize=8.5)


def save(folder, runs, table):
    """Write both tables, the picture and the README's section; return the paths."""
    paths = [folder / name for name in ("asking.csv", "asking_curves.csv", "asking.png")]
    readme = folder / "README.md"
    text = replace_section(readme.read_text(encoding="utf-8"), markdown(table), START, END)
    table.assign(date=date.today().isoformat()).to_csv(paths[0], index=False, float_format="%.4g")
    mean_curves(runs).to_csv(paths[1], index=False, float_format="%.4g")
    draw(runs).savefig(paths[2], dpi=110)
    readme.write_text(text, encoding="utf-8")
    return [*paths, readme]
