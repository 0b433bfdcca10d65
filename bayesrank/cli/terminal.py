"""What the command line prints: tables of plain text that fit a terminal."""

from bayesrank.consensus import UNITS, tiers_promise
from bayesrank.results.methods import method_of
from bayesrank.text import decimals, level, plain

__all__ = [
    "print_adherences",
    "print_comparison",
    "print_consensus",
    "print_expected_ranks",
    "print_grid",
    "print_influence",
    "print_parameters",
    "print_ranking",
    "print_top",
    "print_verdict",
    "print_versus",
    "print_worths",
]


# Columns that hold names, or other words.
_NAMES = {
    "item", "agent", "feature", "words", "without", "moves most", "left", "right", "category",
    "items",
}  # fmt: skip


def print_ranking(table, top, method, prob=0.95, tiers="expected"):
    """Print the ranking, best first; a single point has no intervals."""
    point = method_of(method).is_point
    columns = ["rank", "item", "score"]
    if not point:
        columns += [f"{level(prob)} interval", "ranks", "P(best)", "tier"]
        # There is room for one of the two in 80 columns.
        columns.insert(-1, "variance" if "variance" in table else "P(top 3)")
    elif "variance" in table:
        columns.append("variance")
    rows = []
    for item, row in table.head(top).iterrows():
        cells = [f"{row['rank']:.0f}", item, f"{row['score']:.3f}"]
        if not point:
            cells += [
                f"{row['low']:.3f} to {row['high']:.3f}",
                f"{row['rank_low']:.0f}-{row['rank_high']:.0f}",
                decimals(row["p_best"]),
                decimals(row["variance" if "variance" in table else "p_top3"]),
                f"{row['tier']:.0f}",
            ]
        elif "variance" in table:
            cells.append(f"{row['variance']:.3f}")
        rows.append(cells)
    print_grid(columns, rows)
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them, --out saves them")
    if not point and table["tier"].max() > 1:
        print(f"tiers: {tiers_promise(prob, tiers)}")


def print_parameters(parameters, method):
    """Print every parameter that is not of an item or an agent."""
    point = method_of(method).is_point
    for parameter, row in parameters.iterrows():
        spread = "" if point else f" ({row['low']:.3f} to {row['high']:.3f})"
        print(f"{parameter}: {row['mean']:.3f}{spread}")


def print_adherences(agents, top, method):
    """Print the agents' adherences, the most faithful first; of many, both ends."""
    if len(agents) < 2:
        return
    print("adherence of agents:")
    shown = list(agents.iterrows())
    if len(shown) > top:
        shown = [*shown[: top // 2], None, *shown[len(shown) - (top - top // 2) :]]
    for line in shown:
        if line is None:
            print(f"  ... and {len(agents) - top} between")
            continue
        agent, row = line
        known = not method_of(method).is_point and row["low"] == row["low"]
        spread = f" ({row['low']:.3f} to {row['high']:.3f})" if known else ""
        print(f"  {plain(agent)}: {row['adherence']:.3f}{spread}")


def print_expected_ranks(table, top):
    """Print mean and spread of each rank, and the share of others that an item is above."""
    columns = ["item", "mean rank", "sd", "SUCRA"]
    rows = [
        [item, f"{row['mean']:.2f}", f"{row['sd']:.2f}", f"{row['sucra']:.3f}"]
        for item, row in table.head(top).iterrows()
    ]
    print()
    print_grid(columns, rows)


def print_top(table, k, prob):
    """Print who may be among the first k."""
    likely, others = table[table["credible"]], table[table["in_set"] & ~table["credible"]]
    what = "the best is one" if k == 1 else f"the first {k} are all"
    print(f"\nwith {level(prob)} probability {what} of {len(likely)} items:")
    for item, row in likely.iterrows():
        print(f"  {plain(item)}: {decimals(row['p_top'])}")
    if len(others):
        names = ", ".join(plain(item) for item in others.index)
        print(f"to be safe whatever the true scores are, also: {names}")


def print_verdict(verdict, top):
    """Print whether a question is decided, and what is open."""
    print(f"\n{plain(verdict.sentence)}")
    if verdict:
        return
    table = verdict.open.reset_index()
    heads = {
        "p_best": "P(best)", "p_top": f"P(top {verdict.k})", "chosen": "chosen",
        "p_in_order": "P(in order)",
    }  # fmt: skip
    rows = [
        [_cell(name, value) for name, value in row.items()] for _, row in table.head(top).iterrows()
    ]
    print_grid([heads.get(name, name) for name in table], rows)
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them")


def _cell(name, value):
    """Return a probability with its decimals, and yes or no for what is true or not."""
    if name == "chosen":
        return "yes" if value else "no"
    return decimals(value) if name.startswith("p_") else value


def print_consensus(found, top, judged=None):
    """Print the consensus under each loss and, if one was judged, what a given ranking loses."""
    for one in found:
        unit = UNITS[one.loss]
        print(f"\nconsensus under {one.loss}, expected loss {one.expected_loss:.6g} ({unit})")
        print(f"  {one.proof}")
        shown = ", ".join(plain(item) for item in one.order[:top])
        more = f", and {len(one.order) - top} more" if len(one.order) > top else ""
        print(f"  {shown}{more}")
        if judged is not None:
            more = judged[one.loss] - one.expected_loss
            print(f"  the given ranking: expected loss {judged[one.loss]:.6g}, {more:.3g} more")


def print_worths(table, top, prob):
    """Print worths and quasi-standard deviations."""
    columns = ["item", "worth"]
    known = table["low"].notna().all()
    if known:
        columns += [f"{level(prob)} interval", "quasi-sd of score"]
    rows = []
    for item, row in table.head(top).iterrows():
        cells = [item, f"{row['worth']:.4f}"]
        if known:
            cells += [f"{row['low']:.4f} to {row['high']:.4f}", f"{row['quasi_sd']:.4f}"]
        rows.append(cells)
    print()
    print_grid(columns, rows)


def print_influence(table, top):
    """Print how the consensus would change without each agent."""
    from bayesrank.results.influence import DOUBTFUL

    columns = ["without", "mean shift", "reversals", "moves most", "ranks", "Pareto k"]
    rows = [
        [
            agent, f"{row['mean_shift']:.3f}", f"{row['reversals']:.0f}", plain(row["item"]),
            f"{row['shift']:+.2f}", f"{row['pareto_k']:.2f}",
        ]
        for agent, row in table.head(top).iterrows()
    ]  # fmt: skip
    print(
        "\nwithout each agent: ranks that items move on average, pairs of the consensus that turn"
    )
    print("round, and the item that moves most (+ is down, - is up)")
    print_grid(columns, rows)
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them")
    uneven = table["pareto_k"] > DOUBTFUL
    again, doubtful = int(table["refitted"].sum()), int((uneven & ~table["refitted"]).sum())
    if again:
        print(f"fitted again without them, as Pareto k is above {DOUBTFUL}: {again} agents")
    if doubtful:
        print(
            f"Pareto k is above {DOUBTFUL} for {doubtful} of {len(table)} agents: take their "
            "lines as rough, or fit again without them."
        )


def print_comparison(comparison, top, prob):
    """Print how the ranking differs from another."""
    print(f"\nagainst the other ranking: {comparison}")
    columns = ["item", "here", "there", "down by", f"{level(prob)} interval", "P(higher there)"]
    rows = [
        [
            item, f"{row['mean_rank']:.1f}", f"{row['other_mean_rank']:.1f}",
            f"{row['shift']:+.1f}", f"{row['low']:+.0f} to {row['high']:+.0f}",
            decimals(row["p_higher"]),
        ]
        for item, row in comparison.items.head(top).iterrows()
    ]  # fmt: skip
    print_grid(columns, rows)


def print_versus(table, item, top, prob):
    """Print against which other items an item can be told apart."""
    open_ = table[table["order"] == "open"]
    above, below = ((table["order"] == order).sum() for order in ("above", "below"))
    said = f"\n{plain(item)}: surely above {above}, surely below {below}"
    if not len(open_):
        print(f"{said}, told apart from all others at {level(prob)}")
        return
    print(f"{said}, and not told apart from {len(open_)} others at {level(prob)}:")
    rows = [[other, decimals(p)] for other, p in open_["p_above"].head(top).items()]
    print_grid(["item", "P(truly below)"], rows)
    if len(open_) > top:
        print(f"... and {len(open_) - top} more; --top shows them")


def print_grid(columns, rows):
    """Print rows under their heads; names to the left, numbers to the right.

    Names are cut where there is no room; numbers never are. A file has room for all.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # The gaps are in the cells: versions of rich differ in whether padding counts as width. Cells
    # are Text, so that square brackets in a name are not read as markup.
    gaps = ["", *["  "] * (len(columns) - 1)]
    cells = [[Text(gap + plain(cell)) for gap, cell in zip(gaps, row, strict=True)] for row in rows]
    grid = Table(box=None, pad_edge=False, padding=0)
    for k, column in enumerate(columns):
        head = gaps[k] + column
        if column in _NAMES:
            grid.add_column(head, no_wrap=True, max_width=len(gaps[k]) + 40)
        else:
            widest = max([len(head), *(row[k].cell_len for row in cells)])
            grid.add_column(head, justify="right", no_wrap=True, min_width=widest)
    for row in cells:
        grid.add_row(*row)
    console = Console()
    if not console.is_terminal:
        console = Console(width=10_000)
    console.print(grid)
