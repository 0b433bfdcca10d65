"""Read comparisons from a file or a shipped data set."""

import csv
from importlib.resources import files
from pathlib import Path

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import listing

__all__ = ["DATASETS", "load_dataset", "read"]

DATASETS = {
    "baseball": "American League East 1987, home and away: an order effect",
    "citations": "citations between four statistics journals",
    "german_parties": "preferences between German parties, 2009",
    "pudding": "six chocolate puddings tasted in pairs, with ties",
}

# Column names that need no explanation, in the order in which they are tried.
GUESSES = {
    "left": ("left", "home", "model_a", "player1", "item1", "i"),
    "right": ("right", "away", "model_b", "player2", "item2", "j"),
    "outcome": ("outcome", "winner", "result"),
}


def load_dataset(name):
    """Return a data set that comes with the package.

    Parameters
    ----------
    name : str
        "baseball", "citations", "german_parties" or "pudding". Each is a small CSV file in
        ``bayesrank/data/tables`` whose first lines cite its source.

    Examples
    --------
    >>> br.load_dataset("pudding")
    Comparisons: 6 items, 15 ordered pairs, 745 comparisons, 202 ties (27%)
      items: 1, 2, 3, 4, 5, 6
      connected: every item is linked to every other by wins in both directions
    """
    if name not in DATASETS:
        raise ValueError(
            f"No data set is called {name!r}; there are {listing(list(DATASETS), 99)}."
        )
    lines = files("bayesrank.data").joinpath("tables", f"{name}.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    counts = [[row["wins"], row["losses"], row.get("ties", 0)] for row in rows]
    return Comparisons._from_labels(
        np.array([row["left"] for row in rows]),
        np.array([row["right"] for row in rows]),
        np.array(counts, dtype=float),
    )


def read(
    path,
    *,
    left=None,
    right=None,
    outcome=None,
    wins=None,
    losses=None,
    ties=None,
    weight=None,
    agent=None,
):
    """Read comparisons from a CSV, TSV or Parquet file.

    Columns that are not named are looked up under their usual names (left and right, home and
    away, model_a and model_b; outcome, winner, result; or counts in wins, losses, ties).

    Parameters
    ----------
    path : str or Path
    left, right, outcome, weight, agent
        Columns of raw rows, as in `Comparisons.from_frame`.
    wins, losses, ties
        Columns of counts, as in `Comparisons.from_counts`.
    """
    frame = _read_frame(Path(path))
    columns = list(frame.columns)

    def guess(role):
        return next((name for name in GUESSES[role] if name in columns), GUESSES[role][0])

    left, right = left or guess("left"), right or guess("right")
    counted = {"wins", "losses"} <= set(columns) and outcome is None
    if wins or losses or counted:
        ties = ties or ("ties" if "ties" in columns else None)
        return Comparisons.from_counts(
            frame, left, right, wins or "wins", losses or "losses", ties, agent=agent
        )
    outcome = outcome or guess("outcome")
    return Comparisons.from_frame(frame, left, right, outcome, weight=weight, agent=agent)


def _read_frame(path):
    """Return the table of a file, or say in a sentence what is wrong with the file."""
    import pandas as pd

    if not path.exists():
        raise FileNotFoundError(
            f"There is no file or data set called '{path}'. "
            f"The data sets are {listing(list(DATASETS), 99)}."
        )
    if path.is_dir():
        raise IsADirectoryError(f"'{path}' is a directory; name a file in it.")
    parquet = path.suffix.lower() in (".parquet", ".pq")
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except PermissionError:
        raise PermissionError(f"'{path}' may not be read.") from None
    if not start:
        raise ValueError(f"'{path}' is empty (0 bytes).")
    if b"\0" in start and not parquet:
        raise ValueError(f"'{path}' cannot be read as a table: it is not a text file.")
    try:
        if parquet:
            return pd.read_parquet(path)
        separator = "\t" if path.suffix.lower() in (".tsv", ".tab") else ","
        return pd.read_csv(path, sep=separator, comment="#", skipinitialspace=True)
    except ValueError as error:  # what pandas and PyArrow raise is a kind of ValueError
        reason = str(error).splitlines()[0]
        raise ValueError(f"'{path}' cannot be read as a table: {reason}") from None
