"""The arguments that say how a table is read. Nothing heavy is imported."""

import argparse

from bayesrank.cli.choices import TiesAction

__all__ = ["COLUMNS", "READING", "add_columns", "add_reading"]

PAIR_COLUMNS = ("left", "right", "outcome", "winner", "loser", "wins", "losses", "ties", "both_bad")
RANKING_COLUMNS = ("group", "item", "rank", "rating")
COLUMNS = (*PAIR_COLUMNS, *RANKING_COLUMNS, "weight", "agent", "instance", "time", "category")
# How a table is read, besides its columns; switches are false by default.
READING = (
    "unranked", "close_gaps", "wide", "cross", "choices", "tie_value", "fold_names", "where",
    "min_count", "encoding", "every", "feature",
)  # fmt: skip


def add_columns(command: argparse.ArgumentParser) -> None:
    """Add the columns of a table."""
    columns = command.add_argument_group("columns (by default found under their usual names)")
    more = {
        "outcome": "; two names with a comma are scores",
        "winner": " (with --loser, instead of left, right and outcome)",
        "group": " (which ranking a row belongs to)",
        "rank": "; 1 is best",
        "rating": "; the highest is best",
        "instance": " (separate problems, such as queries, that share their agents)",
        "category": " (what a row is about, such as a topic)",
        "both_bad": " (votes that are kept apart: they are not ties)",
        "time": "s: dates such as 2019-06-01, date-times, or numbers, which count years",
    }
    columns.set_defaults(tie_rates=None)
    for name in COLUMNS:
        if name == "ties":
            columns.add_argument(
                "--ties",
                action=TiesAction,
                metavar="COLUMN|by-agent|by-item|by-category",
                help="column of ties; or what tie rates differ between, also by-agent,by-item",
            )
            continue
        meaning = f"column of {name.replace('_', ' ')}{more.get(name, '')}"
        columns.add_argument(f"--{name.replace('_', '-')}", metavar="COLUMN", help=meaning)
    columns.add_argument(
        "--feature",
        action="append",
        metavar="NAME=LEFT,RIGHT|COLUMN",
        help="what is known of each row: two columns, of left and right, whose difference counts, "
        "or one column of differences; of rankings a column with a value for each row (may be "
        "given again)",
    )


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add the arguments that say how a table is read."""
    reading = command.add_argument_group("reading")
    below = reading.add_mutually_exclusive_group()
    below.add_argument(
        "--unranked",
        choices=("not-offered", "below", "rows-below"),
        help="what an item without a rank is: not-offered (default); below all others, with or "
        "without a row (ballots that list their first few); rows-below: below if it has a row "
        "(retirements), otherwise not offered",
    )
    below.add_argument(
        "--unranked-below", action="store_const", const="below", dest="unranked",
        help="the same as --unranked below",
    )  # fmt: skip
    reading.add_argument(
        "--close-gaps", action="store_true", help="only the order of ranks counts: they may skip"
    )
    reading.add_argument(
        "--wide", action="store_true", help="a row is a ranking and a column an item, with ranks"
    )
    reading.add_argument(
        "--cross", action="store_true", help="a cross table: wins of rows over columns"
    )
    reading.add_argument(
        "--choices", metavar="COLUMNS", help="first choice, second, ...: names with commas"
    )
    reading.add_argument("--tie-value", metavar="VALUE", help="an outcome that means a tie")
    reading.add_argument(
        "--fold-names",
        action="store_true",
        help="names that differ in capitals, spaces or the coding of accents only are one",
    )
    reading.add_argument(
        "--where", metavar="CONDITION", help='rows to read, such as "season == 2019"'
    )
    reading.add_argument(
        "--min-count", type=int, metavar="N", help="leave out items that occur less often"
    )
    reading.add_argument("--encoding", help="of a table of text, such as cp1252")
    reading.add_argument(
        "--every",
        metavar="PERIOD",
        help="results of a period share a time: day, week, month, quarter or year; where times "
        "are numbers, so many years",
    )
