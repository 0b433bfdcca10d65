"""The files of the command line: each is written whole or not at all, whatever the others do."""

import csv
from argparse import Namespace
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesrank.cli.failures import Failures
from bayesrank.cli.pictures import PICTURES
from bayesrank.cli.targets import asked_outputs, flag_of
from bayesrank.data.formats.written_files import replace_file
from bayesrank.text import spreadsheet_text

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.results.fit import Fit

__all__ = ["write_fit", "write_outputs", "write_suggestions"]


def write_fit(options: Namespace, fit: "Fit", failures: Failures) -> list[Path]:
    """Save the fit if that was asked for; return its file in a list if it is there."""
    return _write(options, {"save": fit.save}, failures)


def write_outputs(
    options: Namespace, fit: "Fit", table: "pd.DataFrame", failures: Failures
) -> list[Path]:
    """Write tables, picture and page; return the files that are there.

    Parameters
    ----------
    options : argparse.Namespace
    fit : Fit
    table : pandas.DataFrame
        The ranking, with what was asked of each item.
    failures : Failures
        Gets the errors.
    """
    # The page, which takes longest, comes last.
    writers: dict[str, Callable[[Path], Any]] = {
        "out": lambda path: _write_table(table, path),
        "out_ranks": lambda path: _write_table(fit.rank_probabilities(), path),
        "out_above": lambda path: _write_table(fit.probability_above(), path),
        "out_wins": lambda path: _write_table(fit.win_probabilities(), path),
        "plot": lambda path: _draw(options, fit, path),
        "report": lambda path: fit.report(
            path, title=options.title, prob=options.prob, tiers=options.tiers
        ),
    }
    return _write(options, writers, failures)


def write_suggestions(options: Namespace, table: "pd.DataFrame", failures: Failures) -> list[Path]:
    """Write the table of suggestions if that was asked for; return its file in a list."""
    import pandas as pd

    if "items" in table:
        sets = pd.DataFrame(table["items"].tolist(), dtype=object)
        sets.columns = [f"item_{k + 1}" for k in range(sets.shape[1])]
        table = pd.concat([sets, table.drop(columns="items")], axis=1)
    # Labels are in the index, where they are made safe for spreadsheets.
    labels = list(table.columns[: list(table.columns).index("gain")])
    table = table.set_index(labels)
    return _write(options, {"out": lambda path: _write_table(table, path)}, failures)


def _write(
    options: Namespace, writers: dict[str, Callable[[Path], Any]], failures: Failures
) -> list[Path]:
    """Write one file after the other; return those that are there."""
    asked, written = asked_outputs(options), []
    for name, write in writers.items():
        if name in asked:
            with failures.kept(f"{flag_of(name)}: '{asked[name]}' was not written"):
                write(asked[name])
                written.append(asked[name])
    return written


def _write_table(table: "pd.DataFrame", path: Path) -> None:
    """Write a table as CSV or, if its name says so, as JSON."""
    is_json = path.suffix.lower() == ".json"
    text = table.reset_index().to_json(orient="records", indent=1) if is_json else _csv(table)
    content = text.encode("utf-8")
    replace_file(path, lambda temporary: temporary.write_bytes(content))


def _csv(table: "pd.DataFrame") -> str:
    """Return a table as CSV, so that all names come back and none is run as a formula."""
    safe = table.copy(deep=False)
    safe.index, safe.columns = _safe_labels(table.index), _safe_labels(table.columns)
    text: str = safe.to_csv(lineterminator="\n")
    names = [str(part) for part in _parts(safe.index) + _parts(safe.columns)]
    if any("\r" in name or name != name.strip(" ") for name in names):
        # Python 3.11 leaves a return bare, and whoever reads the file takes it for the end of a
        # row. Spaces at the ends of a cell belong to it only between quotes.
        text = safe.to_csv(lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    return text


def _parts(labels: "pd.Index") -> list[Any]:
    """Return all labels, and the parts of those that are pairs."""
    return [part for level in range(labels.nlevels) for part in labels.get_level_values(level)]


def _safe_labels(labels: "pd.Index") -> "pd.Index":
    """Return labels that a spreadsheet shows and does not run."""
    import pandas as pd

    if labels.nlevels > 1:
        levels = [labels.get_level_values(level) for level in range(labels.nlevels)]
        return pd.MultiIndex.from_arrays([_safe_labels(level) for level in levels])
    safe = [_safe_label(label) for label in labels]
    return pd.Index(safe, name=labels.name, tupleize_cols=False)


def _safe_label(label: Any) -> Any:
    text = spreadsheet_text(str(label))
    return label if text == str(label) else text


def _draw(options: Namespace, fit: "Fit", path: Path) -> None:
    """Draw the picture that was asked for."""
    import matplotlib
    import matplotlib.pyplot as plt
    import numpy as np

    matplotlib.use("agg")
    picture = PICTURES[options.picture]
    draw = getattr(fit, picture.method)
    given, taken = {"prob": options.prob, "tiers": options.tiers}, signature(draw).parameters
    asked: dict[str, Any] = {name: value for name, value in given.items() if name in taken}
    asked |= {"statistic": picture.statistic} if picture.statistic else {}
    figure = np.ravel(draw(**asked))[0].figure
    kind = path.suffix.lower()[1:]
    try:
        replace_file(path, lambda file: figure.savefig(file, format=kind, dpi=150))
    finally:
        plt.close(figure)
