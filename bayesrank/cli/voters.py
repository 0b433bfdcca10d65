"""What the command line prints of agents, categories and features."""

from typing import TYPE_CHECKING, Any

from bayesrank.cli.terminal import print_grid
from bayesrank.text import level, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["print_agents", "print_categories", "print_effects"]

_EFFECTS = {
    "discrimination": "discrimination",
    "order_effect": "order effect",
    "tie_rate": "tie rate",
}
_LONGEST = 20  # letters of a category above its column
_NAME = 40  # letters that a name may have


def print_agents(table: "pd.DataFrame", standing: str, top: int, prob: float) -> None:
    """Print what is known of each agent, the most votes first; then who stands out."""
    effects = [name for name in _EFFECTS if name in table]
    spread = bool(effects) and table[f"{effects[0]}_low"].notna().any()
    print("\nagents, the most votes first:")
    with_intervals = _agent_grid(table.head(top), effects, spread)
    if spread and _wide(*with_intervals) > _room():
        print_grid(*_agent_grid(table.head(top), effects, False))
        print(f"in a wider window, or a file, there are also {level(prob)} intervals")
    else:
        print_grid(*with_intervals)
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them")
    if standing:
        print(plain(standing))


def _agent_grid(
    table: "pd.DataFrame", effects: list[str], spread: bool
) -> tuple[list[str], list[list[Any]]]:
    """Return heads and rows."""
    columns = ["agent", "votes", *(["ties"] if "ties" in table else []), "agreement"]
    columns += [_EFFECTS[name] for name in effects] + ["words"]
    rows = []
    for agent, row in table.iterrows():
        cells = [agent, f"{row['votes']:,.10g}"]
        cells += [_share(row[name]) for name in ("ties", "agreement") if name in table]
        for name in effects:
            said = f"{row[name]:.2f}"
            if spread:
                said += f" ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"
            cells.append(said)
        rows.append([*cells, row["words"]])
    return columns, rows


def _share(value: float) -> str:
    return "" if value != value else f"{100.0 * value:.0f}%"


def print_categories(table: "pd.DataFrame", top: int) -> None:
    """Print the ranks in all categories, over several grids if the window is narrow."""
    ranks = table.xs("rank", axis=1, level=1)
    heads = [_cut(plain(label)) for label in ranks.columns]
    shown, name = ranks.head(top), max(len(plain(item)) for item in ranks.index[:top])
    name = min(name, _NAME)
    print("\nrank over all, and in each category:")
    start = 1
    while start < len(heads):
        end, width = start, name + len(heads[0]) + 4
        while end < len(heads) and (end == start or width + len(heads[end]) + 2 <= _room()):
            width += len(heads[end]) + 2
            end += 1
        kept = [0, *range(start, end)]
        print_grid(
            ["item", *(heads[k] for k in kept)],
            [[item, *(f"{row.iloc[k]:.0f}" for k in kept)] for item, row in shown.iterrows()],
        )
        start = end
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them, --out saves them")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def print_effects(table: "pd.DataFrame", prob: float) -> None:
    """Print what features add to scores, and a sentence about each."""
    spread = table["per_unit_low"].notna().any()
    columns = ["feature", "per unit", "per sd"]
    rows = []
    for feature, row in table.iterrows():
        cells = [feature]
        for name in ("per_unit", "per_sd"):
            said = f"{row[name]:.3f}"
            if spread:
                said += f" ({row[f'{name}_low']:.3f} to {row[f'{name}_high']:.3f})"
            cells.append(said)
        rows.append(cells)
    more = f", with {level(prob)} intervals" if spread else ""
    print(f"\nwhat features add to a score{more}:")
    print_grid(columns, rows)
    for feature, row in table.iterrows():
        print(f"{plain(feature)}: {plain(row['words'])}")


def _wide(columns: list[str], rows: list[list[Any]]) -> int:
    """Return the width of a grid in letters."""
    cells = zip(columns, *([plain(cell) for cell in row] for row in rows), strict=True)
    widest = [max(map(len, column)) for column in cells]
    return min(widest[0], _NAME) + sum(2 + width for width in widest[1:])


def _room() -> int:
    """Return how many letters a line may have."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal else 10_000
