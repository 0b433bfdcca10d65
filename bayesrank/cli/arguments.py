"""The arguments of the command line. Nothing heavy is imported to read them."""

import argparse
from pathlib import Path

from bayesrank.cli.choices import words_with_commas
from bayesrank.cli.pictures import PICTURES
from bayesrank.cli.suggesting_arguments import SUGGESTING_EXAMPLES, add_suggestions
from bayesrank.cli.table_arguments import COLUMNS, READING, add_columns, add_reading
from bayesrank.model.likelihoods import LIKELIHOODS, PAIR_LIKELIHOODS, RANKING_LIKELIHOODS
from bayesrank.results.methods import METHODS

__all__ = [
    "COLUMNS",
    "DEFAULTS",
    "EXAMPLES",
    "FITTING",
    "MODELS",
    "OUTPUTS",
    "READING",
    "build_parser",
]

EXAMPLES = """\
examples:
  python3 -m bayesrank rank pudding
      rank a data set that comes along: comparisons (baseball, bundesliga, citations,
      german_parties, pudding) or rankings (fruits, nascar, netflix)
  python3 -m bayesrank rank games.csv --left home --right away --outcome winner --order-effect
      one row per game; the outcome is the winner's name, left/right/tie, H/A/D, or 1/0/-1
  python3 -m bayesrank rank games.csv --left home --right away --outcome goals_home,goals_away
      one row per game, with the scores of both sides
  python3 -m bayesrank rank votes.csv --category topic --feature length=length_a,length_b
      with what each row is about, and what is known of both sides
  python3 -m bayesrank rank votes.csv --agent judge --category topic --agents --categories \\
      --discrimination by-agent --order-effect by-agent --scores by-category
      judges who differ, and items whose scores differ between topics
  python3 -m bayesrank rank counts.csv --wins w --losses l --ties t --out ranking.csv
      a table of counts
  python3 -m bayesrank rank races.csv --group race --item driver --rank position
      one row per entry of a race; equal ranks are ties
  python3 -m bayesrank rank films.csv --agent user --item film --rating stars
      one row per rating; each user's ratings are a ranking
  python3 -m bayesrank rank films.csv --agent user --item film --rating stars --model mpm
      the same, with the variance of each item and how far each user follows the ranking
  python3 -m bayesrank rank matches.csv --winner winner --loser loser --where "year >= 2020"
      one row per match, who won and who lost; some of the rows
  python3 -m bayesrank rank ballots.csv --group voter --item candidate --rank rank --unranked below
      ballots that list their first few: all others were on offer and came below
  python3 -m bayesrank rank results.csv --group race --item driver --rank position \\
      --unranked rows-below
      drivers without a position retired, below all others; those without a row did not start
  python3 -m bayesrank rank votes.parquet --method laplace --report votes.html
      in a second instead of ten: normal approximations; one page of it
  curl -s https://example.org/votes.csv | python3 -m bayesrank rank - --method laplace
      what comes through a pipe
  python3 -m bayesrank rank nascar --top-k 3 --consensus kendall --plot ranks.png --picture ranks
      who may be among the first three, the best order, and a picture of all ranks
  python3 -m bayesrank rank games.csv --left home --right away --outcome winner --time date \\
      --every month --scores walk --at 2019-06-01 --plot history.png --picture history
      strength that moves: the ranking of a day, and a picture of all years
  python3 -m bayesrank rank run.nc --rank-intervals simultaneous
      more questions to a fit that was saved with --save run.nc
"""

PAIR_MODELS, RANKING_MODELS = tuple(PAIR_LIKELIHOODS), tuple(RANKING_LIKELIHOODS)
MODELS = tuple(LIKELIHOODS)
FITTING = (
    "model", "method", "order_effect", "discrimination", "tie_rates", "scale", "scores", "drift",
    "persistence", "draws", "tune", "target_accept", "chains", "seed",
)  # fmt: skip
# How a new model is fitted where nothing is said, by command.
DEFAULTS = {
    "rank": {"method": "nuts", "draws": 1000, "chains": 4},
    "suggest": {"method": "laplace", "draws": 1000, "chains": 4},
}
LOSSES = ("kendall", "spearman", "footrule", "zero_one", "ndcg")
# Files that can be written, and how their names may end.
OUTPUTS = {
    "out": (".csv", ".json"),
    "plot": (".png", ".pdf", ".svg"),
    "report": (".html",),
    "save": (".nc",),
    "out_ranks": (".csv",),
    "out_above": (".csv",),
    "out_wins": (".csv",),
}


def _add_sampling(rank):
    """Add the arguments of the model and of the method."""
    model = rank.add_argument_group("model and sampling")
    model.add_argument(
        "--order-effect",
        nargs="?",
        type=words_with_commas("by-agent", "by-item", more="the file comes before this flag"),
        const=True,
        default=False,
        metavar="by-agent|by-item",
        help="the left item has an advantage (plays at home, is seen first); also one that "
        "differs between agents, items or both: by-agent,by-item",
    )
    model.add_argument(
        "--discrimination",
        choices=("by-agent",),
        metavar="by-agent",
        help="agents differ in how sharply they tell items apart",
    )
    model.add_argument(
        "--scale",
        type=float,
        help="prior standard deviation of the scores (default: learned); inf is no prior",
    )
    model.add_argument(
        "--scores",
        type=words_with_commas("constant", "walk", "mean-reverting", "by-category"),
        metavar="MOVE",
        help="whether scores move in time: constant (default), walk, mean-reverting, with --time; "
        "by-category: they differ between categories; or two with a comma: walk,by-category",
    )
    model.add_argument(
        "--drift", type=float, help="of a walk: change in a year, one sd (default: learned)"
    )
    model.add_argument(
        "--persistence",
        type=float,
        help="of mean-reverting scores: what is left after a year (default: learned)",
    )
    model.add_argument("--draws", type=int, help="per chain (default 1000)")
    model.add_argument("--tune", type=int, help="warm-up of nuts, per chain (default 400)")
    model.add_argument(
        "--target-accept", type=float, help="acceptance rate of nuts; higher means smaller steps"
    )
    model.add_argument("--chains", type=int, help="default 4")
    model.add_argument("--seed", type=int, help="the same seed gives the same result")


def _add_questions(rank):
    """Add what can be asked of a fit."""
    questions = rank.add_argument_group("questions")
    questions.add_argument(
        "--prob", type=float, default=0.95, help="of intervals, sets and tiers (default 0.95)"
    )
    questions.add_argument(
        "--tiers",
        choices=("expected", "certain"),
        default="expected",
        metavar="RULE",
        help="expected (default): of the pairs that tiers separate, a share of --prob is expected "
        "to be in the right order; certain: each of them is, with that probability",
    )
    questions.add_argument(
        "--rank-intervals",
        choices=("marginal", "posterior", "simultaneous"),
        default="marginal",
        metavar="KIND",
        help="marginal (default): each right alone; posterior: all right at once, given the "
        "prior; simultaneous: all right at once whatever the true scores are",
    )
    questions.add_argument(
        "--at", metavar="TIME", help="of scores that move: rank at this time (default: the last)"
    )
    questions.add_argument(
        "--window",
        type=float,
        metavar="YEARS",
        help="of scores that move: rank items seen in so many years before (default 1)",
    )
    questions.add_argument(
        "--in-category",
        metavar="NAME",
        help="of scores by category: rank in this one (default: over all)",
    )
    questions.add_argument(
        "--top-k", type=int, metavar="K", help="who may be among the first K; 1 is the best"
    )
    questions.add_argument(
        "--versus", metavar="ITEM", help="which other items it can be told apart from"
    )
    _add_stopping(questions)
    questions.add_argument(
        "--consensus",
        action="append",
        choices=LOSSES,
        metavar="LOSS",
        help=f"the order that loses least: {', '.join(LOSSES)} (may be given again)",
    )
    questions.add_argument(
        "--judge",
        type=Path,
        metavar="FILE.txt",
        help="what a ranking of yours loses: all items, one per line, the best first",
    )
    questions.add_argument(
        "--seconds",
        type=float,
        default=30.0,
        help="for the search under kendall, where majorities run in large cycles (default 30)",
    )
    questions.add_argument(
        "--expected-ranks", action="store_true", help="mean and sd of each rank, and SUCRA"
    )
    questions.add_argument("--worths", action="store_true", help="worths and quasi-variances")
    questions.add_argument(
        "--influence", action="store_true", help="how the ranking would change without each agent"
    )
    questions.add_argument(
        "--agents", action="store_true", help="what is known of each agent, and who stands out"
    )
    questions.add_argument(
        "--categories", action="store_true", help="ranks in all categories side by side"
    )
    questions.add_argument("--effects", action="store_true", help="what the features add to scores")
    questions.add_argument(
        "--against", type=Path, metavar="FILE.nc", help="compare the ranking with a saved fit's"
    )


def _add_stopping(questions):
    """Add what can be asked of how much is known."""
    questions.add_argument(
        "--decided",
        choices=("best", "top", "order"),
        metavar="GOAL",
        help="whether it is decided who is best, who the first --top-k are (top), or the order "
        "of all (order); what is open, and how many more results it may take",
    )
    questions.add_argument(
        "--indifference",
        type=float,
        metavar="WIDTH",
        help="for --decided: differences of scores up to this do not matter (default 0)",
    )


def _add_output(rank):
    """Add what is shown and what is written."""
    output = rank.add_argument_group("output")
    output.add_argument(
        "--top", type=int, default=30, metavar="N", help="rows to show in the terminal (default 30)"
    )
    output.add_argument(
        "--report", type=Path, metavar="FILE.html", help="save ranking, pairs and model as one page"
    )
    output.add_argument("--title", metavar="TEXT", help="heading of the page")
    output.add_argument("--plot", type=Path, metavar="FILE.png", help="save a picture")
    output.add_argument(
        "--picture",
        choices=PICTURES,
        metavar="NAME",
        default="ranking",
        help=f"which one: {', '.join(PICTURES)} (default ranking)",
    )
    output.add_argument(
        "--out",
        type=Path,
        metavar="FILE.csv|FILE.json",
        help="save the ranking, with what was asked of each item as further columns; in CSV, names "
        "that a spreadsheet would run as formulas get an apostrophe",
    )
    for name, meaning in (
        ("ranks", "the probability of each rank"),
        ("above", "the probability that each item is truly above each other"),
        ("wins", "the probability that each item (on the left) beats each other, the next time"),
    ):
        output.add_argument(f"--out-{name}", type=Path, metavar="FILE.csv", help=f"save {meaning}")
    output.add_argument(
        "--save", type=Path, metavar="FILE.nc", help="save the whole fit, for bayesrank.Fit.load"
    )
    output.add_argument("--quiet", action="store_true", help="no progress, only the table")


def build_parser():
    """Return the argument parser."""
    parser = argparse.ArgumentParser(
        prog="python3 -m bayesrank",
        description="Rank items from comparisons or rankings, with honest uncertainty.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    rank = _add_command(
        commands,
        "rank",
        "rank the items of a file or data set",
        "Rank the items of a file (CSV, TSV, JSON, Excel, Parquet, PrefLib, LETOR, TREC), of "
        "standard input, or of a data set.",
        EXAMPLES,
    )
    _add_questions(rank)
    _add_output(rank)
    suggest = _add_command(
        commands,
        "suggest",
        "say what to compare next",
        "Say which comparisons, or rankings of a few items, are expected to tell most: about the "
        "order of all, the best, or the first few.",
        SUGGESTING_EXAMPLES,
    )
    add_suggestions(suggest)
    return parser


def _add_command(commands, name, words, description, examples):
    """Add a command that fits a model to data, and the arguments that say how."""
    command = commands.add_parser(
        name,
        help=words,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "source",
        metavar="FILE|DATASET",
        help="a table, a saved fit (.nc), - for standard input, or a data set's name",
    )
    command.add_argument(
        "--model",
        choices=MODELS,
        metavar="MODEL",
        help=f"for comparisons {', '.join(PAIR_MODELS)} (default: davidson with ties, "
        f"bradley-terry without); for rankings {', '.join(RANKING_MODELS)} (default: "
        "plackett-luce without ties, partitioned-plackett-luce for ratings and ties of more than "
        "eight, davidson-luce for smaller ties); for either mpm, which also says whom to trust "
        "among the agents",
    )
    method = DEFAULTS[name]["method"]
    command.add_argument("--method", choices=tuple(METHODS), help=f"default {method}")
    add_columns(command)
    add_reading(command)
    _add_sampling(command)
    return command
