"""The command line. Nothing heavy is imported before the arguments are known to be good."""

import argparse
import sys
import warnings
from pathlib import Path

__all__ = ["main"]

EXAMPLES = """\
examples:
  python3 -m bayesrank rank pudding
      rank a data set that comes along: comparisons (baseball, citations, german_parties,
      pudding) or rankings (fruits, nascar, netflix)
  python3 -m bayesrank rank games.csv --left home --right away --outcome winner --order-effect
      one row a game; the outcome is the winner's name, left/right/tie, or 1/0/-1
  python3 -m bayesrank rank games.csv --left home --right away --outcome goals_home,goals_away
      one row a game, with the scores of both sides
  python3 -m bayesrank rank counts.csv --wins w --losses l --ties t --out ranking.csv
      a table of counts
  python3 -m bayesrank rank races.csv --group race --item driver --rank position
      one row an entry of a race; equal ranks are ties
  python3 -m bayesrank rank films.csv --agent user --item film --rating stars
      one row a rating; each user's ratings are a ranking
  python3 -m bayesrank rank films.csv --agent user --item film --rating stars --model mpm
      the same, with the variance of each item and how far each user follows the ranking
  python3 -m bayesrank rank votes.parquet --method laplace --plot ranking.png
      in a second instead of ten: a normal approximation
"""

PAIR_MODELS = ("bradley-terry", "davidson", "rao-kupper", "thurstone-pairs", "glenn-david")
RANKING_MODELS = (
    "plackett-luce", "partitioned-plackett-luce", "davidson-luce", "pmop", "pmop-geometric",
    "thurstone",
)  # fmt: skip
MODELS = (*PAIR_MODELS, *RANKING_MODELS, "mpm")
PAIR_COLUMNS = ("left", "right", "outcome", "wins", "losses", "ties")
RANKING_COLUMNS = ("group", "item", "rank", "rating")
COLUMNS = (*PAIR_COLUMNS, *RANKING_COLUMNS, "weight", "agent", "instance")


def build_parser():
    """Return the argument parser."""
    parser = argparse.ArgumentParser(
        prog="python3 -m bayesrank",
        description="Rank items from comparisons or rankings, with honest uncertainty.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    rank = commands.add_parser(
        "rank",
        help="rank the items of a file or data set",
        description="Rank the items of a CSV, TSV or Parquet file, or of a data set.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rank.add_argument("source", metavar="FILE|DATASET")
    rank.add_argument(
        "--model",
        choices=MODELS,
        metavar="MODEL",
        help=f"for comparisons {', '.join(PAIR_MODELS)} (default: davidson with ties, "
        f"bradley-terry without); for rankings {', '.join(RANKING_MODELS)} (default: "
        "plackett-luce without ties, davidson-luce with small ties, "
        "partitioned-plackett-luce with blocks of more than eight); for either mpm, which also "
        "says whom to trust among the agents",
    )
    rank.add_argument("--method", choices=("nuts", "advi", "map", "laplace"), default="nuts")
    columns = rank.add_argument_group("columns (by default found under their usual names)")
    more = {
        "outcome": "; two names with a comma are scores",
        "group": " (which ranking a row belongs to)",
        "rank": "; 1 is best",
        "rating": "; the highest is best",
        "instance": " (separate problems, such as queries, that share their agents)",
    }
    for name in COLUMNS:
        meaning = f"column of {name}{more.get(name, '')}"
        columns.add_argument(f"--{name}", metavar="COLUMN", help=meaning)
    columns.add_argument(
        "--unranked-below",
        action="store_true",
        help="entries without a rank were below all others, in unknown order (top-k lists)",
    )
    model = rank.add_argument_group("model and sampling")
    model.add_argument(
        "--order-effect",
        action="store_true",
        help="the left item has an advantage (plays at home, is seen first)",
    )
    model.add_argument(
        "--scale", type=float, help="prior standard deviation of the scores; inf is no prior"
    )
    model.add_argument("--draws", type=int, default=1000, help="per chain (default 1000)")
    model.add_argument("--chains", type=int, default=4, help="default 4")
    model.add_argument("--seed", type=int, help="the same seed gives the same result")
    output = rank.add_argument_group("output")
    output.add_argument(
        "--top", type=int, default=30, metavar="N", help="rows to show in the terminal (default 30)"
    )
    output.add_argument("--out", type=Path, metavar="FILE.csv|FILE.json", help="save the ranking")
    output.add_argument("--plot", type=Path, metavar="FILE.png", help="save a picture")
    output.add_argument(
        "--save", type=Path, metavar="FILE.nc", help="save the whole fit, for bayesrank.Fit.load"
    )
    output.add_argument("--quiet", action="store_true", help="no progress, only the table")
    return parser


def main(arguments=None):
    """Run a command; return 0, or 2 after one plain sentence about a user's mistake."""
    options = build_parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            return rank(options)
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"bayesrank: {_sentence(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bayesrank: stopped.", file=sys.stderr)
        return 130


def rank(options):
    """Rank the items of a source, print the table, write what was asked for."""
    for path, endings in (
        (options.out, (".csv", ".json")),
        (options.plot, (".png", ".pdf", ".svg")),
        (options.save, (".nc",)),
    ):
        _check_target(path, endings)
    for name in ("draws", "chains", "top"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} must be at least 1, got {getattr(options, name)}.")

    from bayesrank.data import DATASETS, load_dataset, read

    columns = {name: getattr(options, name) for name in COLUMNS}
    if options.source in DATASETS and not Path(options.source).exists():
        given = [f"--{name}" for name, column in columns.items() if column is not None]
        given += ["--unranked-below"] * options.unranked_below
        if given:
            raise ValueError(f"{given[0]} is for files; '{options.source}' is a data set.")
        data = load_dataset(options.source)
    else:
        if columns["outcome"] and "," in columns["outcome"]:
            columns["outcome"] = tuple(name.strip() for name in columns["outcome"].split(","))
        if options.unranked_below:
            columns["unranked"] = "below"
        data = read(options.source, **columns)

    if options.plot and data.instances is not None:
        raise ValueError(
            f"--plot is for one ranking, and there are {len(data.instances):,} instances."
        )

    import bayesrank
    from bayesrank.likelihoods import default_likelihood

    shown = not options.quiet
    likelihood = options.model or default_likelihood(data)
    if shown:
        compiles = " (this compiles first, for some seconds)" if options.method == "nuts" else ""
        print(data, file=sys.stderr)
        print(
            f"Fitting {likelihood} by {options.method}{compiles} ...", file=sys.stderr, flush=True
        )
    fit = bayesrank.fit(
        data,
        likelihood,
        method=options.method,
        scale=options.scale,
        order_effect=options.order_effect,
        draws=options.draws,
        chains=options.chains,
        seed=options.seed,
        progress=shown and sys.stderr.isatty(),
    )
    table = fit.ranking()
    if likelihood == "mpm":
        table = table.join(fit.items()["variance"])
    diagnostics = fit.diagnostics()
    _print_table(table, options.top, fit.method)
    _print_parameters(fit.parameters(), fit.method)
    if likelihood == "mpm":
        _print_agents(fit.agents(), options.top, fit.method)
    if shown or not diagnostics.ok:
        print(diagnostics, file=sys.stderr)
    if options.out:
        if options.out.suffix.lower() == ".csv":
            table.to_csv(options.out)
        else:
            table.reset_index().to_json(options.out, orient="records", indent=1)
    if options.save:
        fit.save(options.save)
    if options.plot:
        import matplotlib

        matplotlib.use("agg")
        fit.plot_ranking().figure.savefig(options.plot, dpi=150)
    for path in (options.out, options.plot, options.save):
        if path and shown:
            print(f"wrote {path}", file=sys.stderr)
    return 0


def _check_target(path, endings):
    """Refuse a file that could not be written, before the work and not after it."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise ValueError(f"'{path}' must end in {' or '.join(endings)}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise ValueError(f"'{path}' cannot be written: there is no such directory.")


def _print_table(table, top, method):
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    columns = ["rank", "item", "score"]
    if method != "map":
        columns += ["95% interval", "ranks", "P(best)", "tier"]
        # There is room for one of the two in 80 columns.
        columns.insert(-1, "variance" if "variance" in table else "P(top 3)")
    elif "variance" in table:
        columns.append("variance")
    grid = Table(box=None, pad_edge=False)
    for column in columns:
        if column == "item":
            grid.add_column(column, no_wrap=True, max_width=40)
        else:
            grid.add_column(column, justify="right", no_wrap=True)
    for item, row in table.head(top).iterrows():
        name = " / ".join(map(str, item)) if isinstance(item, tuple) else str(item)
        # Text, so that square brackets in a name are not read as markup.
        cells = [f"{row['rank']:.0f}", Text(name), f"{row['score']:.3f}"]
        if method != "map":
            cells += [
                f"{row['low']:.3f} to {row['high']:.3f}",
                f"{row['rank_low']:.0f}-{row['rank_high']:.0f}",
                f"{row['p_best']:.3f}",
                f"{row['variance' if 'variance' in table else 'p_top3']:.3f}",
                f"{row['tier']:.0f}",
            ]
        elif "variance" in table:
            cells.append(f"{row['variance']:.3f}")
        grid.add_row(*cells)
    Console().print(grid)
    if len(table) > top:
        print(f"... and {len(table) - top} more; --top shows them, --out saves them")


def _print_agents(agents, top, method):
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
        known = method != "map" and row["low"] == row["low"]
        spread = f" ({row['low']:.3f} to {row['high']:.3f})" if known else ""
        print(f"  {agent}: {row['adherence']:.3f}{spread}")


def _print_parameters(parameters, method):
    for name, row in parameters.iterrows():
        spread = "" if method == "map" else f" ({row['low']:.3f} to {row['high']:.3f})"
        print(f"{name}: {row['mean']:.3f}{spread}")


def _sentence(error):
    """Return an error's text in one line, whatever raised it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return " ".join(str(error).split()) or type(error).__name__


def _show_warning(message, category, filename, lineno, file=None, line=None):
    print(f"bayesrank: {' '.join(str(message).split())}", file=sys.stderr)
