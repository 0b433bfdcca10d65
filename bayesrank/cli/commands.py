"""The command line. Nothing heavy is imported before the arguments are known to be good."""

import os
import sys
import warnings
from contextlib import nullcontext
from pathlib import Path

from bayesrank.cli.arguments import COLUMNS, FITTING, OUTPUTS, READING, build_parser
from bayesrank.progress import no_progress
from bayesrank.results.methods import METHODS, method_with
from bayesrank.text import at_the_terminal

__all__ = ["main"]

# How a new model is fitted where nothing is said.
_DEFAULTS = {"method": "nuts", "draws": 1000, "chains": 4}


def main(arguments=None):
    """Run a command; return 0, or 2 after one plain sentence about a user's mistake."""
    options = build_parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            with at_the_terminal(), no_progress() if options.quiet else nullcontext():
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
    fit, questions = _saved_fit(options) if _is_fit(options.source) else _new_fit(options)
    shown = not options.quiet
    # What took long is kept before anything else can go wrong.
    if options.save:
        fit.save(options.save)
    table = questions.table(fit)
    try:
        table = questions.answer(fit, table)
        sys.stdout.flush()
    except Exception:
        # A question that fails, or a reader who has seen enough, does not cost the files.
        questions.write(fit, table)
        raise
    diagnostics = fit.diagnostics()
    if shown or not diagnostics.ok:
        print(diagnostics, file=sys.stderr)
    questions.write(fit, table)
    for name in OUTPUTS:
        path = getattr(options, name)
        if path and shown:
            print(f"wrote {path}", file=sys.stderr)
    return 0


def _check(options):
    """Refuse what cannot work, before the work and not after it."""
    from bayesrank.data.formats.written_files import check_target

    targets = {name: getattr(options, name) for name in OUTPUTS if getattr(options, name)}
    taken = {Path(options.source).resolve(): "the source"}
    for name, path in targets.items():
        flag = f"--{name.replace('_', '-')}"
        check_target(path, OUTPUTS[name])
        if path.resolve() in taken:
            raise ValueError(f"{flag}: '{path}' is {taken[path.resolve()]} already.")
        taken[path.resolve()] = f"the file of {flag}"
    for name in ("draws", "chains", "top", "tune"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise ValueError(f"--{name} must be at least 1, got {value}.")
    if not options.seconds > 0:
        raise ValueError(f"--seconds must be positive, got {options.seconds:g}.")
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


def _is_fit(source):
    return Path(source).suffix.lower() == ".nc"


def _saved_fit(options):
    """Return the fit of a file, and the questions to it."""
    given = [name for name in (*COLUMNS, *READING, *FITTING, "order_effect")
             if getattr(options, name) not in (None, False)]  # fmt: skip
    if given:
        flag = f"--{given[0].replace('_', '-')}"
        raise ValueError(f"{flag} is for data; '{options.source}' is a saved fit.")
    if not Path(options.source).is_file():
        raise ValueError(f"There is no file '{options.source}'.")

    import bayesrank
    from bayesrank.cli.questions import Questions

    fit = bayesrank.Fit.load(options.source)
    model = fit.specification
    return fit, Questions.about(options, model.data, model.likelihood, fit.kind)


def _new_fit(options):
    """Return the fit of data, and the questions to it."""
    for name, value in _DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    for name in FITTING:
        owner = method_with(name)
        given = owner is not None and getattr(options, name) is not None
        if given and options.method != owner.name:
            flag = f"--{name.replace('_', '-')}"
            raise ValueError(f"{flag} is for --method {owner.name}, not {options.method}.")
    data = _data(options)

    import bayesrank
    from bayesrank.cli.questions import Questions
    from bayesrank.data.ranking_views import assumptions
    from bayesrank.model.likelihoods import default_likelihood

    shown = not options.quiet
    likelihood = options.model or default_likelihood(data)
    questions = Questions.about(options, data, likelihood, METHODS[options.method])
    if shown:
        print(data, file=sys.stderr)
        for sentence in assumptions(data) if data.row == "ranking" else ():
            print(f"  assumed: {sentence}", file=sys.stderr)
        print(f"Fitting {likelihood} by {options.method} ...", file=sys.stderr, flush=True)
    fit = bayesrank.fit(
        data,
        likelihood,
        method=options.method,
        scale=options.scale,
        order_effect=options.order_effect,
        draws=options.draws,
        tune=options.tune,
        target_accept=options.target_accept,
        chains=options.chains,
        seed=options.seed,
        progress=shown and sys.stderr.isatty(),
    )
    return fit, questions


def _data(options):
    """Return the data of the source."""
    from bayesrank.data import DATASETS, load_dataset, read

    columns = {name: getattr(options, name) for name in COLUMNS}
    if options.source in DATASETS and not Path(options.source).exists():
        reading = {name: getattr(options, name) for name in READING if name != "min_count"}
        given = [name for name, value in (columns | reading).items() if value not in (None, False)]
        if given:
            flag = f"--{given[0].replace('_', '-')}"
            raise ValueError(f"{flag} is for files; '{options.source}' is a data set.")
        data = load_dataset(options.source)
        if options.min_count is not None:
            data = data.subset(min_count=options.min_count)
        return data
    if columns["outcome"] and "," in columns["outcome"]:
        columns["outcome"] = tuple(name.strip() for name in columns["outcome"].split(","))
    reading = {name: getattr(options, name) for name in READING}
    if options.unranked is not None:
        reading["unranked"] = options.unranked.replace("-", " ")
    if options.choices is not None:
        reading["choices"] = [name.strip() for name in options.choices.split(",")]
    if not options.quiet:
        _show_log("bayesrank.read")
    return read(options.source, **columns, **reading)


def _show_log(name):
    """Let a logger speak to the terminal, once."""
    import logging

    log = logging.getLogger(name)
    log.setLevel(logging.INFO)
    log.handlers = [logging.StreamHandler(sys.stderr)]


def _sentence(error):
    """Return an error's text in one line, whatever raised it."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return " ".join(str(error).split()) or type(error).__name__


def _show_warning(message, category, filename, lineno, file=None, line=None):
    print(f"bayesrank: {' '.join(str(message).split())}", file=sys.stderr)
