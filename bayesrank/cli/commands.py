"""The command line. Nothing heavy is imported before the arguments are known to be good."""

import sys
import warnings
from contextlib import contextmanager, nullcontext
from pathlib import Path

from bayesrank.cli.arguments import COLUMNS, FITTING, READING, build_parser
from bayesrank.cli.failures import EXPECTED, Failures, sentence
from bayesrank.cli.pictures import PICTURES
from bayesrank.cli.streams import patient_streams
from bayesrank.cli.targets import check_targets, flag_of
from bayesrank.progress import no_progress
from bayesrank.results.methods import METHODS, method_with
from bayesrank.text import at_the_terminal, plain

__all__ = ["main"]

# How a new model is fitted where nothing is said.
_DEFAULTS = {"method": "nuts", "draws": 1000, "chains": 4}


def main(arguments=None):
    """Run a command; return 0, or 2 after one plain sentence about a user's mistake."""
    with patient_streams() as (out, _):
        code = _run(build_parser().parse_args(arguments))
        out.flush()
        # Whoever read the output may have seen enough, as `head` does: that is not a mistake.
        if out.error is not None and not isinstance(out.error, BrokenPipeError):
            _say(f"bayesrank: the ranking could not be printed: {out.error.strerror}.")
            code = code or 2
    return code


def _run(options):
    """Return the exit code of the command, with any mistake said in a sentence."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            with at_the_terminal(), no_progress() if options.quiet else nullcontext():
                return rank(options)
    except EXPECTED as error:
        _say(f"bayesrank: {sentence(error)}")
        return 2
    except KeyboardInterrupt:
        _say("bayesrank: stopped.")
        return 130


def rank(options):
    """Rank the items of a source, write what was asked for, print the table and the answers."""
    _check(options)
    fit, questions = _saved_fit(options) if _is_fit(options.source) else _new_fit(options)
    fit = _in_the_category(options, _at_the_time(options, fit))

    from bayesrank.cli.outputs import write_fit, write_outputs

    shown, said, failures = not options.quiet, [], Failures()
    # What took long is kept before anything else can go wrong, and files are written before
    # anything is printed: whoever reads may leave, or stop reading, at any line.
    written = write_fit(options, fit, failures)
    try:
        table = questions.answer(fit, questions.table(fit), said, failures)
        written += write_outputs(options, fit, table, failures)
    finally:
        for printed in said:
            printed()
        sys.stdout.flush()
    diagnostics = fit.diagnostics()
    if shown or not diagnostics.ok:
        _say(str(diagnostics))
    for path in written if shown else ():
        _say(f"wrote {plain(path)}")
    for text in failures.sentences:
        _say(f"bayesrank: {text}")
    failures.raise_others()
    return 2 if failures.sentences else 0


def _check(options):
    """Refuse what cannot work, before the work and not after it."""
    check_targets(options)
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
        # A list of names may come through a pipe, a saved fit may not.
        if path is not None and not (path.is_file() or (name == "judge" and path.is_fifo())):
            raise ValueError(f"--{name}: there is no file '{path}'.")
    if options.title is not None and not options.report:
        raise ValueError("--title is the heading of a page: give --report FILE.html too.")
    if options.picture != "ranking" and not options.plot:
        raise ValueError(f"--picture {options.picture} needs --plot FILE.png to be drawn to.")


def _require_moving(options, moving):
    """Refuse what only scores that move have an answer to."""
    for name in ("at", "window"):
        if getattr(options, name) is not None and not moving:
            raise ValueError(f"--{name} is for scores that move: give --scores walk.")
    if PICTURES[options.picture].needs_moves and not moving:
        raise ValueError(
            f"--picture {options.picture} is for scores that move: give --scores walk."
        )


def _require_somebody(options, data):
    """Refuse a time at which nobody is ranked, before the work and not after it."""
    from bayesrank.model.states import States
    from bayesrank.results.moments import who_is_there

    who_is_there(States(data), options.at, **_window(options))


def _window(options):
    return {} if options.window is None else {"window": options.window}


def _at_the_time(options, fit):
    """Return the fit as seen at the time that was asked for."""
    if fit.specification.moves is None:
        return fit
    if options.at is not None or options.window is not None:
        fit = fit.at(options.at, **_window(options))
    if not options.quiet:
        _say(fit.about_time)
    return fit


def _in_the_category(options, fit):
    """Return the fit as seen in the category that was asked for."""
    if not options.quiet and fit.about_categories:
        _say(fit.about_categories)
    if options.in_category is None:
        return fit
    known = {str(label): label for label in fit.specification.data.categories}
    if not options.quiet:
        _say(f"The ranking is of category {options.in_category}.")
    return fit.in_category(known[options.in_category])


def _is_fit(source):
    return Path(source).suffix.lower() == ".nc"


def _saved_fit(options):
    """Return the fit of a file, and the questions to it."""
    given = [name for name in (*COLUMNS, *READING, *FITTING)
             if getattr(options, name) not in (None, False)]  # fmt: skip
    if given:
        flag = flag_of(given[0])
        raise ValueError(f"{flag} is for data; '{options.source}' is a saved fit.")
    from bayesrank.data.formats.source_files import require_file

    require_file(Path(options.source))
    if not Path(options.source).is_file():
        raise ValueError(f"'{options.source}' is not a file, as a saved fit must be.")

    import bayesrank
    from bayesrank.cli.questions import Questions

    fit = bayesrank.Fit.load(options.source)
    model = fit.specification
    moving = model.moves is not None
    _require_moving(options, moving)
    return fit, Questions.about(
        options, model.data, model.likelihood, fit.kind, moving=moving,
        varies=model.varying.names, features=bool(model.feature_names),
    )  # fmt: skip


def _new_fit(options):
    """Return the fit of data, and the questions to it."""
    for name, value in _DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    for name in FITTING:
        owner = method_with(name)
        given = owner is not None and getattr(options, name) is not None
        if given and options.method != owner.name:
            flag = flag_of(name)
            raise ValueError(f"{flag} is for --method {owner.name}, not {options.method}.")
    scores = _parts(options.scores)
    moving = bool({"walk", "mean-reverting"} & set(scores))
    _require_moving(options, moving)
    data = _data(options)

    import bayesrank
    from bayesrank.cli.questions import Questions
    from bayesrank.data.ranking_views import assumptions
    from bayesrank.model.likelihoods import default_likelihood

    shown = not options.quiet
    if moving:
        _require_somebody(options, data)
    likelihood = options.model or default_likelihood(data)
    moving = moving and data.time is not None  # which is refused where there are no times
    kind = METHODS[options.method]
    questions = Questions.about(
        options, data, likelihood, kind, moving=moving, varies=_varies(options),
        features=bool(data.feature_names),
    )  # fmt: skip
    if shown:
        _say(str(data))
        for assumption in assumptions(data) if data.row == "ranking" else ():
            _say(f"  assumed: {assumption}")
        _say(f"Fitting {likelihood} by {options.method} ...")
    fit = bayesrank.fit(
        data,
        likelihood,
        method=options.method,
        scale=options.scale,
        scores=options.scores or "constant",
        drift=options.drift,
        persistence=options.persistence,
        order_effect=options.order_effect,
        discrimination=options.discrimination,
        ties=options.tie_rates or "common",
        draws=options.draws,
        tune=options.tune,
        target_accept=options.target_accept,
        chains=options.chains,
        seed=options.seed,
        progress=shown and sys.stderr.isatty(),
    )
    return fit, questions


def _parts(value):
    """Return the words of a flag, of which there may be none, one or several."""
    return [value] if isinstance(value, str) else list(value) if value else []


def _varies(options):
    """Return what flags let differ, by the names of the model's terms."""
    order = [] if options.order_effect is True else _parts(options.order_effect)
    asked = {
        "discrimination": options.discrimination is not None,
        "order_effect_by_agent": "by-agent" in order,
        "ties_by_agent": "by-agent" in _parts(options.tie_rates),
        "score_by_category": "by-category" in _parts(options.scores),
    }
    return [name for name, here in asked.items() if here]


def _data(options):
    """Return the data of the source."""
    from bayesrank.data import DATASETS, load_dataset, read

    columns = {name: getattr(options, name) for name in COLUMNS}
    if options.source in DATASETS and not Path(options.source).exists():
        reading = {name: getattr(options, name) for name in READING if name != "min_count"}
        given = [name for name, value in (columns | reading).items() if value not in (None, False)]
        if given:
            flag = flag_of(given[0])
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
    if options.every is not None:
        reading["every"] = _number(options.every)
    if options.choices is not None:
        reading["choices"] = [name.strip() for name in options.choices.split(",")]
    reading["features"] = _features(reading.pop("feature"))
    with nullcontext() if options.quiet else _shown_log("bayesrank.read"):
        return read(options.source, **columns, **reading)


def _features(texts):
    """Return the features that flags name, each as NAME=LEFT,RIGHT, NAME=COLUMN or COLUMN."""
    if texts is None or not any("=" in text for text in texts):
        return texts
    found = {}
    for text in texts:
        name, named, columns = text.partition("=")
        if name in found:
            raise ValueError(f"--feature names {name} twice.")
        sides = [column.strip() for column in columns.split(",")] if named else [text]
        found[name] = sides[0] if len(sides) == 1 else tuple(sides)
    return found


def _number(text):
    """Return a number where a text is one, otherwise the text."""
    try:
        return float(text)
    except ValueError:
        return text


@contextmanager
def _shown_log(name):
    """Let a logger speak to the terminal meanwhile."""
    import logging

    log = logging.getLogger(name)
    level, handler = log.level, logging.StreamHandler(sys.stderr)
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _say(text):
    """Tell the user something beside the ranking, without anything that moves the cursor."""
    print("\n".join(plain(line) for line in text.split("\n")), file=sys.stderr, flush=True)


def _show_warning(message, category, filename, lineno, file=None, line=None):
    _say(f"bayesrank: {' '.join(str(message).split())}")
