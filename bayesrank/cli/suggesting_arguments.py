"""The arguments of the command that says what to compare next. Nothing heavy is imported."""

import argparse
from pathlib import Path

__all__ = ["SUGGESTING_EXAMPLES", "add_suggestions"]

SUGGESTING_EXAMPLES = """\
examples:
  python3 -m bayesrank suggest votes.csv --n 20
      the 20 comparisons that tell most about the order of all items
  python3 -m bayesrank suggest votes.csv --n 20 --goal top --k 3 --out next.csv
      about which three are the first, saved as a table
  python3 -m bayesrank suggest votes.csv --goal best --among items.txt --cost prices.csv
      about which is the best of some items, new ones too, for what it costs
  python3 -m bayesrank suggest tastings.csv --group person --item wine --rank place --size 4
      which four wines to have ranked together
  python3 -m bayesrank suggest votes.csv --agent judge --discrimination by-agent --to-ask Ann
      what to ask Ann
  python3 -m bayesrank suggest run.nc --goal best
      about a fit that was saved with --save run.nc
"""


def add_suggestions(command: argparse.ArgumentParser) -> None:
    """Add what is wanted, and what is shown and written."""
    wanted = command.add_argument_group("what to ask")
    wanted.add_argument(
        "--n", type=int, default=10, metavar="N", help="how many comparisons (default 10)"
    )
    wanted.add_argument(
        "--goal",
        choices=("order", "best", "top", "scores"),
        default="order",
        metavar="GOAL",
        help="what they are to tell: order, who is above whom (default); best, who it is; top, who "
        "is among the first --k; scores, how far apart all are",
    )
    wanted.add_argument("--k", type=int, metavar="K", help="how many are wanted, with --goal top")
    wanted.add_argument(
        "--size",
        type=int,
        metavar="N",
        help="of rankings: how many items are ranked together (default: as usual in the data)",
    )
    wanted.add_argument(
        "--among",
        type=Path,
        metavar="FILE.txt",
        help="items to be compared, one per line; those that the data do not have are new",
    )
    wanted.add_argument(
        "--cost",
        type=Path,
        metavar="FILE.csv",
        help="what items cost: lines of an item, a comma and a number; a comparison costs as much "
        "as its items together",
    )
    wanted.add_argument(
        "--to-ask", metavar="AGENT", help="who is asked, where agents differ (default: any)"
    )
    wanted.add_argument(
        "--in-category",
        metavar="NAME",
        help="of scores by category: in which one; all chooses among them",
    )
    wanted.add_argument(
        "--at", metavar="TIME", help="of scores that move: at which time (default: the last)"
    )
    wanted.add_argument(
        "--window",
        type=float,
        metavar="YEARS",
        help="of scores that move: among items seen in so many years before (default 1)",
    )
    output = command.add_argument_group("output")
    output.add_argument(
        "--out", type=Path, metavar="FILE.csv|FILE.json", help="save the suggestions"
    )
    output.add_argument(
        "--save", type=Path, metavar="FILE.nc", help="save the whole fit, for bayesrank.Fit.load"
    )
    output.add_argument("--quiet", action="store_true", help="no progress, only the table")
