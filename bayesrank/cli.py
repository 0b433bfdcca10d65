"""The command line. Nothing heavy is imported before the arguments are known to be good."""

import os
import sys
import warnings
from pathlib import Path

from bayesrank.arguments import COLUMNS, OUTPUTS, build_parser

__all__ = ["main"]

# What needs draws, and one ranking to be asked of.
_QUESTIONS = (
    "top_k", "consensus", "judge", "influence", "against", "out_ranks", "out_above",
)  # fmt: skip
_ONE_RANKING = (*_QUESTIONS, "worths", "plot", "report", "out_wins")
_POINT_PICTURES = ("ranking", "wins", "adherences", "variances")  # that a MAP fit has
_WITH_PROB = ("ranking", "ranks", "check", "adherences", "variances")  # that show intervals


def main(arguments=None):
    """Run a command; return 0, or 2 after one plain sentence about a user's mistake."""
    options = build_parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            return rank(options)
    except BrokenPipeError:
        # Whoever read the output has seen enough, as `head` does. Nothing is left to be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"bayesrank: {_sentence(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bayesrank: stopped.", file=sys.stderr)
        return 130


def rank(options):
    """Rank the items of a source, print the table, write what was asked for."""
    _check(options)
    fit = _saved_fit(options) if Path(options.source).suffix == ".nc" else _new_fit(options)
    _check_questions(options, fit.method, fit.specification.data.instances)
    shown = not options.quiet
    # What took long is kept before anything else can go wrong.
    if options.save:
        fit.save(options.save)
    table = _answer(options, fit)
    diagnostics = fit.diagnostics()
    if shown or not diagnostics.ok:
        print(diagnostics, file=sys.stderr)
    if options.out:
        if options.out.suffix.lower() == ".csv":
            table.to_csv(options.out)
        else:
            table.reset_index().to_json(options.out, orient="records", indent=1)
    if options.out_ranks:
        fit.rank_probabilities().to_csv(options.out_ranks)
    if options.out_above:
        fit.probability_above().to_csv(options.out_above)
    if options.out_wins:
        fit.win_probabilities().to_csv(options.out_wins)
    if options.plot:
        _draw(options, fit)
    if options.report:
        fit.report(options.report, title=options.title, prob=options.prob)
    for name in OUTPUTS:
        path = getattr(options, name)
        if path and shown:
            print(f"wrote {path}", file=sys.stderr)
    return 0


def _check(options):
    """Refuse what cannot work, before the work and not after it."""
    for name, endings in OUTPUTS.items():
        _check_target(getattr(options, name), endings)
    for name in ("draws", "chains", "top"):
        if getattr(options, name) < 1:
            raise ValueError(f"--{name} must be at least 1, got {getattr(options, name)}.")
    if not 0.0 < options.prob < 1.0:
        raise ValueError(f"--prob must be between 0 and 1, got {options.prob:g}.")
    for name in ("judge", "against"):
        path = getattr(options, name)
        if path is not None and not path.is_file():
            raise ValueError(f"--{name}: there is no file '{path}'.")
    if options.title is not None and not options.report:
        raise ValueError("--title is the heading of a page: give --report FILE.html too.")
    if options.picture != "ranking" and not options.plot:
        raise ValueError(f"--picture {options.picture} needs --plot FILE.png to be drawn to.")


def _check_questions(options, method, instances):
    """Refuse questions that a fit cannot answer."""
    asked = [name for name in _ONE_RANKING if getattr(options, name) not in (None, False)]
    asked += ["rank_intervals"] * (options.rank_intervals != "marginal")
    for name in asked:
        flag = f"--{name.replace('_', '-')}"
        if instances is not None:
            raise ValueError(
                f"{flag} is for one ranking, and there are {len(instances):,} instances."
            )
        if method == "map" and name in (*_QUESTIONS, "rank_intervals"):
            raise ValueError(
                f"{flag} needs posterior draws, and --method map has none; use nuts, advi or "
                "laplace."
            )
    if options.plot and method == "map" and options.picture not in _POINT_PICTURES:
        raise ValueError(f"--picture {options.picture} needs draws, and --method map has none.")


def _saved_fit(options):
    import bayesrank

    given = [f"--{name}" for name in COLUMNS if getattr(options, name) is not None]
    given += ["--model"] * (options.model is not None)
    if given:
        raise ValueError(f"{given[0]} is for data; '{options.source}' is a saved fit.")
    return bayesrank.Fit.load(options.source)


def _new_fit(options):
    data = _data(options)
    _check_questions(options, options.method, data.instances)
    if options.top_k is not None and not 1 <= options.top_k <= len(data.items):
        raise ValueError(
            f"--top-k must be from 1 to the number of items, {len(data.items)}, got "
            f"{options.top_k}."
        )
    if options.judge:
        _given_order(options.judge, data.items)

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
    return bayesrank.fit(
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


def _data(options):
    """Return the data of the source."""
    from bayesrank.data import DATASETS, load_dataset, read

    columns = {name: getattr(options, name) for name in COLUMNS}
    if options.source in DATASETS and not Path(options.source).exists():
        given = [f"--{name}" for name, column in columns.items() if column is not None]
        given += ["--unranked-below"] * options.unranked_below
        if given:
            raise ValueError(f"{given[0]} is for files; '{options.source}' is a data set.")
        return load_dataset(options.source)
    if columns["outcome"] and "," in columns["outcome"]:
        columns["outcome"] = tuple(name.strip() for name in columns["outcome"].split(","))
    if options.unranked_below:
        columns["unranked"] = "below"
    return read(options.source, **columns)


def _answer(options, fit):
    """Print the ranking and the answers to all questions; return the table of the ranking."""
    from bayesrank import terminal
    from bayesrank.consensus import LOSSES

    prob, top = options.prob, options.top
    table = fit.ranking(prob)
    preferences = fit.specification.likelihood == "mpm"
    if preferences:
        table = table.join(fit.items(prob)["variance"])
    if options.rank_intervals != "marginal":
        kind = {"posterior": "posterior", "simultaneous": True}[options.rank_intervals]
        together = fit.rank_intervals(prob, simultaneous=kind)
        table[["rank_low", "rank_high"]] = together[["low", "high"]]
    terminal.print_ranking(table, top, fit.method, prob)
    if options.rank_intervals != "marginal":
        print(f"ranks: all intervals hold at once with {prob:.0%} probability")
    terminal.print_parameters(fit.parameters(prob), fit.method)
    if preferences:
        terminal.print_agents(fit.agents(prob), top, fit.method)
    if options.top_k is not None:
        terminal.print_top(fit.top(options.top_k, prob), options.top_k, prob)
    if options.consensus or options.judge:
        losses = options.consensus or LOSSES
        judged = None
        if options.judge:
            order = _given_order(options.judge, fit.specification.data.items)
            judged = {loss: fit.expected_loss(order, loss) for loss in losses}
        terminal.print_consensus([fit.consensus(loss) for loss in losses], top, judged)
    if options.worths:
        terminal.print_worths(fit.worths(prob), top)
    if options.influence:
        terminal.print_influence(fit.influence(), top)
    if options.against:
        import bayesrank

        other = bayesrank.Fit.load(options.against)
        terminal.print_comparison(fit.compare_ranking(other, prob), top)
    return table


def _draw(options, fit):
    import matplotlib
    import numpy as np

    matplotlib.use("agg")
    asked = {"prob": options.prob} if options.picture in _WITH_PROB else {}
    axes = getattr(fit, f"plot_{options.picture}")(**asked)
    np.ravel(axes)[0].figure.savefig(options.plot, dpi=150)


def _given_order(path, items):
    """Return the items that a file names, one a line, the best first."""
    known = {str(item): item for item in items}
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    order = [known.get(line, line) for line in lines if line]
    if set(order) != set(items) or len(order) != len(items):
        from bayesrank.data.connectivity import listing

        wrong = [line for line in order if line not in items]
        wrong = wrong or [item for item in items if order.count(item) != 1]
        raise ValueError(
            f"--judge: '{path}' must name each of the {len(items)} items once; see "
            f"{listing(wrong)}."
        )
    return order


def _check_target(path, endings):
    """Refuse a file that could not be written, before the work and not after it."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise ValueError(f"'{path}' must end in {' or '.join(endings)}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise ValueError(f"'{path}' cannot be written: there is no such directory.")


def _sentence(error):
    """Return an error's text in one line, whatever raised it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return " ".join(str(error).split()) or type(error).__name__


def _show_warning(message, category, filename, lineno, file=None, line=None):
    print(f"bayesrank: {' '.join(str(message).split())}", file=sys.stderr)
