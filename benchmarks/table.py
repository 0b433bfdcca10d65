"""The table of speed: printed, kept as CSV, shown in the README with a picture."""

import os
import platform
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.lines import Line, versions

__all__ = [
    "COLUMNS",
    "END",
    "START",
    "draw",
    "kept_with",
    "machine",
    "markdown",
    "print_lines",
    "quantity",
    "read",
    "replace_section",
    "save",
]

COLUMNS = [*(field.name for field in fields(Line)), "date"]
START, END = "<!-- speed: written by `python3 -m benchmarks --save` -->", "<!-- /speed -->"
HEADS = ["what", "against", "ours", "theirs", "ratio (10 % to 90 % of rounds)", "asked", ""]
NOISE = (
    "Ratios are of medians of rounds in which the tasks take turns, so that they share what slows "
    "a round; above 1 we are faster, or smaller. In brackets is where the middle 80 % of the "
    "rounds' own ratios are. A limit stands in the peer's place where there is no peer."
)
NARROW = 120  # columns of a terminal, below which texts and numbers do not fit in one row
_UNITS = {"s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")), "1/s": ((1.0, "/s"),)}


def quantity(value, unit):
    """Return a number with a unit of the right size."""
    steps = _UNITS.get(unit, ((1.0, ""),))
    size, name = next((step for step in steps if abs(value) >= step[0]), steps[-1])
    return f"{_three_digits(value / size)} {name}".strip()


def _three_digits(value):
    if not np.isfinite(value):
        return "-"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 2 - int(np.floor(np.log10(abs(value) or 1.0))))}f}"


def _ratio(line):
    middle = _three_digits(line.ratio)
    if np.isnan(line.low):
        return middle
    return f"{middle} ({_three_digits(line.low)} to {_three_digits(line.high)})"


def _verdict(line):
    if line.asked is None or np.isnan(line.asked):
        return ""
    return "holds" if line.ratio >= line.asked else "does not hold"


def _cells(line):
    nothing = line.asked is None or np.isnan(line.asked)
    return [
        line.what, line.peer or "limit", quantity(line.ours, line.unit),
        quantity(line.theirs, line.unit), _ratio(line), "" if nothing else f"{line.asked:g}",
        _verdict(line),
    ]  # fmt: skip


def _notes(lines):
    """Return each note once, after the peer or what it is about where it is not about all."""
    about = {}
    for line in lines:
        if line.note:
            about.setdefault(line.note, {})[line.peer or line.what] = None
    if len(about) == 1 and all(line.note for line in lines):
        return list(about)
    return [f"{'; '.join(names)}: {note}" for note, names in about.items()]


# On the terminal ---------------------------------------------------------------------------------


def print_lines(title, lines):
    """Print the lines of a part: a row each, or two where the terminal is narrow."""
    from rich.console import Console
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)
    console.print(Text(f"\n{title}", style="bold"))
    if console.width < NARROW:
        for line in lines:
            _print_record(console, _cells(line))
    else:
        console.print(_grid(lines))
    for note in _notes(lines):
        console.print(Text(f"  {note}", style="dim"))


def _print_record(console, cells):
    """Print what was measured, and its numbers below."""
    from rich.text import Text

    what, peer, ours, theirs, ratio, asked, verdict = cells
    alone = peer == "limit"
    console.print(Text(what if alone else f"{what}, vs {peer}"))
    numbers = f"    ours {ours}, {'limit' if alone else 'theirs'} {theirs}, ratio {ratio}"
    asked = f", asked {asked}: " if asked else ""
    style = "bold" if verdict.startswith("does not") else ""
    console.print(Text(numbers + asked).append(verdict, style))


def _grid(lines):
    """Return rows under their heads; texts give way where there is no room, numbers never do."""
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False)
    # Text, so that square brackets are not read as markup.
    cells = [[Text(cell) for cell in _cells(line)] for line in lines]
    heads = [*HEADS[:4], "ratio (10-90 %)", *HEADS[5:]]
    for k, head in enumerate(heads):
        if k < 2:
            grid.add_column(head, overflow="fold")
        else:
            widest = max([len(head), *(row[k].cell_len for row in cells)])
            grid.add_column(head, justify="right", no_wrap=True, min_width=widest)
    for row in cells:
        if row[-1].plain.startswith("does not"):
            row[-1].stylize("bold")
        grid.add_row(*row)
    return grid


# Kept --------------------------------------------------------------------------------------------


def read(path):
    """Return the table that was kept; an empty one where there is none."""
    if not path.exists():
        return pd.DataFrame(columns=COLUMNS)
    return pd.read_csv(path, keep_default_na=False, na_values={
        name: [""] for name in ("ours", "theirs", "ratio", "low", "high", "asked")
    })  # fmt: skip


def kept_with(table, lines, parts):
    """Return the table with the lines of the parts that ran in the place of their old ones.

    Parameters
    ----------
    table : DataFrame
    lines : list of Line
    parts : sequence of str
        All parts, in the order of the table.
    """
    ran = {line.part for line in lines}
    today = date.today().isoformat()
    new = pd.DataFrame([asdict(line) | {"date": today} for line in lines], columns=COLUMNS)
    old = table[~table["part"].isin(ran)]
    both = pd.concat([old, new]) if len(old) else new
    place = both["part"].map({part: k for k, part in enumerate(parts)}).fillna(len(parts))
    return both.iloc[np.argsort(place.to_numpy(), kind="stable")].reset_index(drop=True)


def save(folder, lines, parts):
    """Write the table, the picture and the README's section to a folder; return the three paths."""
    paths = [folder / name for name in ("speed.csv", "speed.png", "README.md")]
    table = kept_with(read(paths[0]), lines, parts)
    text = replace_section(paths[2].read_text(encoding="utf-8"), markdown(table, parts))
    table.to_csv(paths[0], index=False, float_format="%.6g")
    figure = draw(table, parts)
    figure.savefig(paths[1], dpi=110)
    paths[2].write_text(text, encoding="utf-8")
    return paths


def replace_section(text, section, start=START, end=END):
    """Return a text with what is between two markers replaced."""
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise ValueError(f"The README must hold {start} and, after it, {end}, once each.")
    head, rest = text.split(start)
    return f"{head}{start}\n\n{section.strip()}\n\n{end}{rest.split(end)[1]}"


def machine():
    """Return what was measured on: processor, cores, and versions."""
    model = platform.processor() or platform.machine()
    about = Path("/proc/cpuinfo")
    if about.exists():
        named = [line for line in about.read_text().splitlines() if line.startswith("model name")]
        model = named[0].partition(":")[2].strip() if named else model
    count = os.cpu_count()
    packages = versions(
        "bayesrank", "pymc", "pytensor", "nutpie", "numba", "numpy", "scipy", "pandas"
    )
    return (
        f"{count} {'core' if count == 1 else 'cores'} of {model}, {platform.system()}; Python "
        f"{platform.python_version()}, {packages}"
    )


def markdown(table, parts):
    """Return the README's section: machine, noise, picture and table."""
    days = sorted(set(table["date"]))
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    rows = []
    for part, lines in _by_part(table, parts):
        rows.append([f"**{parts[part]}**", *[""] * (len(HEADS) - 1)])
        for line in lines:
            cells = _cells(line)
            cells[-1] = f"**{cells[-1]}**" if cells[-1].startswith("does not") else cells[-1]
            rows.append([cell.replace("|", "\\|") for cell in cells])
    notes = [f"- {parts[part]}. {note[0].upper()}{note[1:]}."
             for part, lines in _by_part(table, parts) for note in _notes(lines)]  # fmt: skip
    text = [
        f"{when}. {machine()}.", "", NOISE, "", "![ratios of speed, by part](speed.png)", "",
        *(f"| {' | '.join(row)} |" for row in [HEADS, ["---"] * len(HEADS), *rows]), "",
        "What was timed, and what was not:", "", *notes,
    ]  # fmt: skip
    return "\n".join(text)


def _by_part(table, parts):
    """Yield each part of the table with its lines."""
    names = [part for part in parts if (table["part"] == part).any()]
    for part in names:
        rows = table[table["part"] == part]
        yield part, [Line(**row) for row in rows[COLUMNS[:-1]].to_dict("records")]


# The picture -------------------------------------------------------------------------------------


def draw(table, parts):
    """Return a figure of all ratios on one log axis, a row a line, in groups by part."""
    from matplotlib.figure import Figure

    from bayesrank.plots.style import BLUE, ORANGE, log_ticks, tidy

    groups = list(_by_part(table, parts))
    rows = sum(len(lines) + 1.6 for _, lines in groups)
    figure = Figure(figsize=(12.0, 1.2 + 0.27 * rows), layout="constrained")
    ax = figure.subplots()
    y, labels, seen = 0.0, {}, [1.0]
    for part, lines in groups:
        # A heading stands in the column of labels, with a little room above it.
        y += 0.6
        labels[y] = parts[part]
        for line in lines:
            y += 1.0
            labels[y] = f"{line.what}{f'  vs  {line.peer}' if line.peer else ''}"
            short = _verdict(line).startswith("does not")
            colour = ORANGE if short else BLUE
            if not np.isnan(line.low):
                ax.plot([line.low, line.high], [y, y], color=colour, lw=4, alpha=0.35,
                        solid_capstyle="butt")  # fmt: skip
                seen += [line.low, line.high]
            ax.plot(line.ratio, y, "o", color=colour, ms=5.5)
            ax.annotate(_three_digits(line.ratio), (1.0, y), xycoords=("axes fraction", "data"),
                        xytext=(6, 0), textcoords="offset points", va="center", fontsize=8.5,
                        color=colour, fontweight="bold" if short else "normal")  # fmt: skip
            seen.append(line.ratio)
            if line.asked is not None and not np.isnan(line.asked):
                ax.plot([line.asked] * 2, [y - 0.36, y + 0.36], color="0.15", lw=1.6)
                seen.append(line.asked)
        y += 1.0
    ax.set_xscale("log")
    ax.set_xlim(min(seen) / 1.35, max(seen) * 1.35)
    log_ticks(ax.xaxis, 12)
    ax.axvline(1.0, color="0.55", lw=1.0, zorder=0)
    ax.set_ylim(y - 0.2, -0.3)
    ax.set_yticks(list(labels), list(labels.values()), fontsize=8.5)
    titles = set(parts.values())
    for text in ax.get_yticklabels():
        if text.get_text() in titles:
            text.set_fontweight("bold")
    ax.tick_params(axis="y", length=0)
    tidy(ax, "x")
    ax.set_xlabel("times better than the peer or the limit (1: equal)")
    handles = [
        ax.plot([], [], "o", color=BLUE, ms=5.5, label="median, as asked or nothing asked")[0],
        ax.plot([], [], "o", color=ORANGE, ms=5.5, label="less than asked")[0],
        ax.plot([], [], color="0.5", lw=4, alpha=0.5, label="middle 80 % of rounds")[0],
        ax.plot([], [], color="0.15", marker="|", ls="", ms=9, mew=1.6, label="asked")[0],
    ]
    figure.legend(handles=handles, loc="outside upper right", ncols=4, frameon=False, fontsize=9)
    return figure
