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
    raw = {"outcome": outcome, "weight": weight}
    counted = {"wins": wins, "losses": losses, "ties": ties}
    given = [name for name, value in raw.items() if value is not None]
    given_counts = [name for name, value in counted.items() if value is not None]
    if given and given_counts:
        raise ValueError(
            f"`{given[0]}` belongs to a table of single comparisons and `{given_counts[0]}` to a "
            "table of counts: give one or the other."
        )
    if given_counts or (not given and {"wins", "losses"} <= set(columns)):
        wins, losses = wins or "wins", losses or "losses"
        ties = ties or ("ties" if "ties" in columns else None)
        frame = _to_numbers(frame, [wins, losses, ties])
        return Comparisons.from_counts(frame, left, right, wins, losses, ties, agent=agent)
    outcome = outcome or guess("outcome")
    scores = [] if isinstance(outcome, str) else outcome
    frame = _to_numbers(frame, [*scores, weight])
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
        # The first lines may be comments; a '#' further on belongs to somebody's name. Texts stay
        # texts, so that '001' and 'NA' keep their spelling.
        lines = start.splitlines()
        comments = next((k for k, line in enumerate(lines) if not line.startswith(b"#")), 0)
        return pd.read_csv(
            path,
            sep="\t" if path.suffix.lower() in (".tsv", ".tab") else ",",
            skiprows=comments,
            skipinitialspace=True,
            dtype=str,
            keep_default_na=False,
            na_values=[""],
        )
    except ImportError:
        raise ImportError("Reading Parquet needs PyArrow: python3 -m pip install pyarrow") from None
    except ValueError as error:  # what pandas and PyArrow raise is a kind of ValueError
        reason = str(error).splitlines()[0]
        raise ValueError(f"'{path}' cannot be read as a table: {reason}") from None


def _to_numbers(frame, columns):
    """Return the frame with text columns turned into numbers, or name the rows that are none."""
    import pandas as pd

    for name in columns:
        if name in frame and not pd.api.types.is_numeric_dtype(frame[name]):
            numbers = pd.to_numeric(frame[name], errors="coerce")
            bad = numbers.isna() & frame[name].notna()
            if bad.any():
                rows = [f"{frame[name][row]!r} in row {row}" for row in frame.index[bad]]
                raise ValueError(
                    f"Column `{name}` must hold numbers: {listing(rows)} (the first row is 0)."
                )
            frame = frame.assign(**{name: numbers})
    return frame
