"""The command that says what to compare next."""

import csv
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesrank.cli.failures import Failures
from bayesrank.cli.fits import check_numbers, finish, fit_for
from bayesrank.cli.targets import check_targets
from bayesrank.results.methods import names_with_draws
from bayesrank.text import decimals, either, listing, name, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["suggest"]

# What is open, by goal: what, and over what it is summed up.
_OPEN = {
    "order": ("who is above whom", ", summed over all pairs"),
    "best": ("who is the best", ""),
    "top": ("who is among the first {k}", ", summed over the items"),
}


def suggest(options: Namespace) -> int:
    """Print what to compare next, and write what was asked for; return the exit code."""
    check_targets(options)
    check_numbers(options, "n", "draws", "chains", "tune")
    for flag in ("among", "cost"):
        path = getattr(options, flag)
        if path is not None and not (path.is_file() or path.is_fifo()):
            raise ValueError(f"--{flag}: there is no file '{path}'.")

    from bayesrank.cli.outputs import write_fit, write_suggestions

    fit, wanted = fit_for(options, Wanted.about)
    failures = Failures()
    written = write_fit(options, fit, failures)
    table = fit.suggest(options.n, goal=options.goal, k=options.k, **wanted.arguments)
    written += write_suggestions(options, table, failures)
    print_suggestions(table, options.k)
    sys.stdout.flush()
    return finish(options, fit, written, failures)


@dataclass(frozen=True)
class Wanted:
    """What was asked, found to be answerable before the work starts.

    Attributes
    ----------
    arguments : dict
        Of `Fit.suggest`.
    """

    arguments: dict[str, Any]

    @classmethod
    def about(
        cls, options: Namespace, data: Any, likelihood: str, kind: Any, *, varies: Any = (),
        **about: Any,
    ) -> "Wanted":  # fmt: skip
        """Return what was asked, or refuse what such a fit could not answer."""
        from bayesrank.model.likelihoods import LIKELIHOODS

        if kind.is_point:
            raise ValueError(
                f"Suggestions need posterior draws, and --method {kind.name} has none; use "
                f"{either(names_with_draws())}."
            )
        if data.instances is not None:
            raise ValueError(
                f"Suggestions are for one ranking, and there are {len(data.instances):,} "
                "instances; read one of them by --where."
            )
        if LIKELIHOODS[likelihood].of_preferences:
            raise ValueError(
                f"--model {likelihood} takes which pairs agents compare for a part of what they "
                "prefer, so that pairs which somebody chose for them would mislead it; use "
                "another model."
            )
        among = _items_of(options.among, data) if options.among else None
        items = list(data.items) if among is None else among
        _check_goal(options, len(items))
        arguments: dict[str, Any] = {"among": among, "size": options.size, "seed": options.seed}
        if options.cost:
            arguments["cost"] = _costs_of(options.cost, items)
        arguments["agent"] = _agent(options.to_ask, data, varies)
        arguments["category"] = _category(options.in_category, data, varies)
        return cls(arguments)


def _check_goal(options: Namespace, items: int) -> None:
    if options.goal != "top" and options.k is not None:
        raise ValueError(f"--k is for --goal top, not for --goal {options.goal}.")
    if options.goal == "top" and (options.k is None or not 1 <= options.k < items):
        given = "" if options.k is None else f", got {options.k}"
        raise ValueError(
            f"--goal top needs --k, from 1 to one less than the number of items, "
            f"{items - 1}{given}."
        )


def _text_of(flag: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{flag}: '{path}' is no plain text.") from None


def _items_of(path: Path, data: Any) -> list[Any]:
    """Return the items that a file names, one per line; others than those of the data are new."""
    known = {str(item): item for item in data.items}
    lines = [line.strip() for line in _text_of("--among", path).splitlines()]
    return [known.get(line, line) for line in lines if line]


def _costs_of(path: Path, items: list[Any]) -> dict[Any, float]:
    """Return what items cost: a file has an item and a number in each line."""
    known, found = {str(item): item for item in items}, {}
    rows = csv.reader(_text_of("--cost", path).splitlines())
    for number, row in enumerate(rows, 1):
        if not row:
            continue
        if len(row) != 2:
            raise ValueError(f"--cost: line {number} of '{path}' must be an item and a number.")
        label = row[0].strip()
        try:
            cost = float(row[1])
        except ValueError:
            if number == 1:  # the heads of the columns
                continue
            raise ValueError(
                f"--cost: {row[1].strip()!r} in line {number} of '{path}' is no number."
            ) from None
        if label in known:
            found[known[label]] = cost
    return found


def _agent(text: str | None, data: Any, varies: Any) -> Any:
    """Return the agent who is asked."""
    if text is None:
        return None
    if not {"discrimination", "order_effect_by_agent", "ties_by_agent"} & set(varies):
        raise ValueError(
            "--to-ask is for agents who differ: give --discrimination by-agent, --order-effect "
            "by-agent or --ties by-agent."
        )
    known = {str(agent): agent for agent in data.agents or ()}
    if text not in known:
        raise ValueError(f"--to-ask must be one of {listing(list(known), 20)}, got {text!r}.")
    return known[text]


def _category(text: str | None, data: Any, varies: Any) -> Any:
    """Return the category in which is asked; "all" are all of them."""
    if text is None:
        return None
    if "score_by_category" not in varies:
        raise ValueError(
            "--in-category is for scores that differ between categories: give --scores by-category."
        )
    known = {str(label): label for label in data.categories or ()}
    if text not in known and text != "all":
        raise ValueError(
            f"--in-category must be all, or one of {listing(list(known), 20)}, got {text!r}."
        )
    return known.get(text, text)


def print_suggestions(table: "pd.DataFrame", k: int | None = None) -> None:
    """Print the suggestions, and in a sentence what they mean."""
    from bayesrank.cli.terminal import print_grid

    heads = {
        "left": "left", "right": "right", "items": "items", "category": "category", "gain": "gain",
        "p_left": "P(left)", "p_right": "P(right)", "p_tie": "P(tie)", "cost": "cost",
        "gain_per_cost": "gain per cost",
    }  # fmt: skip
    columns = [column for column in heads if column in table]
    rows = [[_cell(column, row[column]) for column in columns] for _, row in table.iterrows()]
    print_grid([heads[column] for column in columns], rows)
    print(meaning(table, k))


def _cell(column: str, value: Any) -> str:
    if column in ("left", "right", "category"):
        return name(value)
    if column == "items":
        return ", ".join(name(item) for item in value)
    if column.startswith("p_"):
        return decimals(value)
    return f"{value:.4g}"


def meaning(table: "pd.DataFrame", k: int | None = None) -> str:
    """Return in a sentence what the gains are."""
    goal = table.attrs["goal"]
    if goal not in _OPEN:
        return "gain: what each is expected to tell about the scores, in bits, beyond those above"
    what, summed = _OPEN[goal]
    return plain(
        f"gain: by how many bits each is expected to reduce what is open about "
        f"{what.format(k=k)}, beyond those above it; now {table.attrs['open']:.3g} bits are "
        f"open{summed}"
    )
