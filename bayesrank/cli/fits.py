"""Fits for the commands: of data that are read as flags say, or of a file."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from bayesrank.cli.arguments import COLUMNS, DEFAULTS, FITTING, READING
from bayesrank.cli.failures import Failures
from bayesrank.cli.pictures import PICTURES
from bayesrank.cli.targets import flag_of
from bayesrank.results.methods import METHODS, method_with
from bayesrank.text import plain

__all__ = ["check_numbers", "finish", "fit_for", "say"]


def fit_for(options: Namespace, about: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the fit of the source as seen at the time that was asked for, and what is asked.

    See `new_fit` for ``about``.
    """
    find = saved_fit if _is_fit(options.source) else new_fit
    fit, asked = find(options, about)
    return _at_the_time(options, fit), asked


def _is_fit(source: str) -> bool:
    return Path(source).suffix.lower() == ".nc"


def saved_fit(options: Namespace, about: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the fit of a file, and what ``about`` says of what is asked; see `new_fit`."""
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

    fit = bayesrank.Fit.load(options.source)
    model = fit.specification
    moving = model.moves is not None
    _require_moving(options, moving)
    return fit, about(
        options, model.data, model.likelihood, fit.kind, moving=moving,
        varies=model.varying.names, features=bool(model.feature_names),
    )  # fmt: skip


def new_fit(options: Namespace, about: Callable[..., Any]) -> tuple[Any, Any]:
    """Return the fit of data, and what ``about`` says of what is asked.

    ``about`` is called before the work, with the options, the data, the name of the likelihood and
    the `bayesrank.results.methods.Method`; whether scores ``moving`` are, what ``varies`` by name,
    and whether there are ``features``. It refuses what such a fit could not answer.
    """
    for name, value in DEFAULTS[options.command].items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    for name in FITTING:
        owner = method_with(name)
        if owner is None or getattr(options, name) is None:
            continue
        if options.method != owner.name:
            flag = flag_of(name)
            raise ValueError(f"{flag} is for --method {owner.name}, not {options.method}.")
    scores = _parts(options.scores)
    moving = bool({"walk", "mean-reverting"} & set(scores))
    _require_moving(options, moving)
    data = _data(options)

    import bayesrank
    from bayesrank.data.ranking_views import assumptions
    from bayesrank.model.likelihoods import default_likelihood

    shown = not options.quiet
    if moving:
        _require_somebody(options, data)
    likelihood = options.model or default_likelihood(data)
    moving = moving and data.time is not None  # which is refused where there are no times
    kind = METHODS[options.method]
    asked = about(
        options, data, likelihood, kind, moving=moving, varies=_varies(options),
        features=bool(data.feature_names),
    )  # fmt: skip
    if shown:
        say(str(data))
        for assumption in assumptions(data) if data.row == "ranking" else ():
            say(f"  assumed: {assumption}")
        say(f"Fitting {likelihood} by {options.method} ...")
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
    return fit, asked


def _require_moving(options: Namespace, moving: bool) -> None:
    """Refuse what only scores that move have an answer to."""
    for name in ("at", "window"):
        if getattr(options, name) is not None and not moving:
            raise ValueError(f"--{name} is for scores that move: give --scores walk.")
    picture = PICTURES.get(getattr(options, "picture", ""))
    if picture is not None and picture.needs_moves and not moving:
        raise ValueError(f"--picture {picture.name} is for scores that move: give --scores walk.")


def _require_somebody(options: Namespace, data: Any) -> None:
    """Refuse a time at which nobody is ranked, before the work and not after it."""
    from bayesrank.model.states import States
    from bayesrank.results.moments import who_is_there

    who_is_there(States(data), options.at, **_window(options))


def _window(options: Namespace) -> dict[str, float]:
    return {} if options.window is None else {"window": options.window}


def _at_the_time(options: Namespace, fit: Any) -> Any:
    """Return the fit as seen at the time that was asked for."""
    if fit.specification.moves is None:
        return fit
    if options.at is not None or options.window is not None:
        fit = fit.at(options.at, **_window(options))
    if not options.quiet:
        say(fit.about_time)
    return fit


def _parts(value: Any) -> list[str]:
    """Return the words of a flag, of which there may be none, one or several."""
    return [value] if isinstance(value, str) else list(value) if value else []


def _varies(options: Namespace) -> list[str]:
    """Return what flags let differ, by the names of the model's terms."""
    order = [] if options.order_effect is True else _parts(options.order_effect)
    asked = {
        "discrimination": options.discrimination is not None,
        "order_effect_by_agent": "by-agent" in order,
        "ties_by_agent": "by-agent" in _parts(options.tie_rates),
        "score_by_category": "by-category" in _parts(options.scores),
    }
    return [name for name, here in asked.items() if here]


def _data(options: Namespace) -> Any:
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


def _features(texts: list[str] | None) -> Any:
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


def _number(text: str) -> float | str:
    """Return a number where a text is one, otherwise the text."""
    try:
        return float(text)
    except ValueError:
        return text


@contextmanager
def _shown_log(name: str) -> Iterator[None]:
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


def say(text: str) -> None:
    """Tell the user something beside the ranking, without anything that moves the cursor."""
    print("\n".join(plain(line) for line in text.split("\n")), file=sys.stderr, flush=True)


def check_numbers(options: Namespace, *names: str) -> None:
    """Refuse numbers below one."""
    for name in names:
        value = getattr(options, name)
        if value is not None and value < 1:
            raise ValueError(f"--{name} must be at least 1, got {value}.")


def finish(options: Namespace, fit: Any, written: list[Path], failures: Failures) -> int:
    """Say whether the fit is sound, what was written and what was not; return the exit code."""
    shown, diagnostics = not options.quiet, fit.diagnostics()
    if shown or not diagnostics.ok:
        say(str(diagnostics))
    for path in written if shown else ():
        say(f"wrote {plain(path)}")
    for text in failures.sentences:
        say(f"bayesrank: {text}")
    failures.raise_others()
    return 2 if failures.sentences else 0
