"""Read comparisons or rankings from a file or a shipped data set."""

import csv
from importlib.resources import files
from pathlib import Path

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.ranking_files import ranking_format, read_ranking_file
from bayesrank.data.rankings import Rankings
from bayesrank.wording import listing

__all__ = ["DATASETS", "load_dataset", "read"]

DATASETS = {
    "baseball": "American League East 1987, home and away: an order effect",
    "citations": "citations between four statistics journals",
    "fruits": "six rankings of up to four fruits, with ties",
    "german_parties": "preferences between German parties, 2009",
    "nascar": "36 races of the NASCAR season 2002, 87 drivers",
    "netflix": "588 rankings of four films, as 24 orders with weights",
    "pudding": "six chocolate puddings tasted in pairs, with ties",
}

# Column names that need no explanation, in the order in which they are tried.
GUESSES = {
    "left": ("left", "home", "model_a", "player1", "item1", "i"),
    "right": ("right", "away", "model_b", "player2", "item2", "j"),
    "outcome": ("outcome", "winner", "result"),
    "group": ("group", "race", "ranking", "query", "voter"),
    "item": ("item", "driver", "name", "candidate"),
    "rank": ("rank", "position", "place"),
    "agent": ("agent", "user", "voter", "query"),
    "rating": ("rating", "stars", "grade"),
}


def load_dataset(name):
    """Return a data set that comes with the package.

    Parameters
    ----------
    name : str
        "baseball", "citations", "german_parties" or "pudding", which are `Comparisons`; or
        "fruits", "nascar" or "netflix", which are `Rankings`. Each is a small CSV file in
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
    if "rank" in rows[0]:
        return _rankings(rows)
    counts = [[row["wins"], row["losses"], row.get("ties", 0)] for row in rows]
    return Comparisons._from_labels(
        np.array([row["left"] for row in rows]),
        np.array([row["right"] for row in rows]),
        np.array(counts, dtype=float),
    )


def _rankings(rows):
    """Return the rankings of a shipped table."""
    blocks, weights = {}, {}
    for row in rows:
        name = int(row["ranking"])
        blocks.setdefault(name, {}).setdefault(int(row["rank"]), []).append(row["item"])
        weights[name] = float(row.get("weight", 1))
    lists = [[ranks[rank] for rank in sorted(ranks)] for ranks in blocks.values()]
    return Rankings.from_lists(lists, names=list(blocks), weights=list(weights.values()))


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
    group=None,
    item=None,
    rank=None,
    rating=None,
    features=None,
    unranked=None,
    instance=None,
):
    """Read comparisons or rankings from a CSV, TSV or Parquet file, or rankings of other formats.

    Those are known by what is in the file (plain or gzipped), and have no columns to name:

    - PrefLib's orders (.soc, .soi, .toc, .toi), weighted by their voters;
    - LETOR's and SVMlight's files with queries: where lists and NULL occur, a ranking by each list
      (agent) of each query (instance), the smallest place first; otherwise a ranking of each query
      by relevance, with features;
    - a run of TREC: a ranking of each topic (instance) by the run (agent).

    `bayesrank.data.read_letor` and `read_runs` read several files as one, and keep the relevance.

    Columns of a table that are not named are looked up under their usual names. Comparisons: left
    and right, home and away, model_a and model_b; outcome, winner, result; or counts in wins,
    losses, ties. Rankings: group, race, ranking, query, voter; item, driver, name, candidate; rank,
    position, place. Ratings: agent, user, voter, query; item; rating, stars, grade.

    Parameters
    ----------
    path : str or Path
    left, right, outcome
        Columns of raw rows, as in `Comparisons.from_frame`.
    wins, losses, ties
        Columns of counts, as in `Comparisons.from_counts`.
    group, item, rank, features, unranked
        Columns of tidy rankings, as in `Rankings.from_frame`. `unranked` is no column: it is
        "not offered" or "below", and serves the other formats too.
    rating
        Column of ratings of items by agents, as in `Rankings.from_ratings`.
    weight, agent, instance
        Columns of either.
    """
    path = Path(path)
    pairs = {"left": left, "right": right, "outcome": outcome}
    counts = {"wins": wins, "losses": losses, "ties": ties}
    entries = {"group": group, "item": item, "rank": rank, "rating": rating}
    entries |= {"features": features, "unranked": unranked}
    about = {"weight": weight, "agent": agent, "instance": instance}
    if kind := ranking_format(path):
        named = [name for name in _given(pairs | counts | entries | about) if name != "unranked"]
        if named:
            raise ValueError(
                f"`{named[0]}` names a column, but '{path}' is a file of {kind}, which has none."
            )
        return read_ranking_file(path, kind, unranked)
    frame = _read_frame(path)
    _exclude(pairs | counts, "comparisons", entries, "rankings")
    if not _given(pairs | counts | entries) and not _has(frame, "left", "right"):
        if not _has(frame, "item") or not (_has(frame, "group", "rank") or _has(frame, "rating")):
            raise ValueError(
                f"The columns of '{path}' ({listing(list(frame.columns), 12)}) have none of the "
                "usual names; say which they are: left, right and outcome of comparisons, group, "
                "item and rank of rankings, or agent, item and rating of ratings."
            )
        if not _has(frame, "group", "rank"):
            entries["rating"] = _guess(frame, "rating")
        return _read_rankings(frame, entries, about)
    if _given(entries):
        return _read_rankings(frame, entries, about)
    _exclude({"outcome": outcome, "weight": weight}, "single comparisons", counts, "counts")
    return _read_comparisons(frame, pairs, counts, about)


def _read_comparisons(frame, pairs, counts, about):
    left, right = (pairs[side] or _guess(frame, side) for side in ("left", "right"))
    raw = pairs["outcome"] is not None or about["weight"] is not None
    if _given(counts) or (not raw and {"wins", "losses"} <= set(frame.columns)):
        wins, losses = counts["wins"] or "wins", counts["losses"] or "losses"
        ties = counts["ties"] or ("ties" if "ties" in frame.columns else None)
        frame = _to_numbers(frame, [wins, losses, ties])
        return Comparisons.from_counts(
            frame, left, right, wins, losses, ties, agent=about["agent"], instance=about["instance"]
        )
    outcome = pairs["outcome"] or _guess(frame, "outcome")
    scores = [] if isinstance(outcome, str) else outcome
    frame = _to_numbers(frame, [*scores, about["weight"]])
    return Comparisons.from_frame(frame, left, right, outcome, **about)


def _read_rankings(frame, entries, about):
    features = entries["features"]
    columns = [features] if isinstance(features, str) else list(features or ())
    item = entries["item"] or _guess(frame, "item")
    if entries["rating"] is not None:
        ranked = {name: entries[name] for name in ("group", "rank", "unranked")}
        _exclude({"rating": entries["rating"]}, "ratings by agents", ranked, "rankings")
        # What separates the instances is not who rated.
        others = frame if about["instance"] is None else frame.drop(columns=about["instance"])
        agent = about["agent"] or _guess(others, "agent")
        frame = _to_numbers(frame, [entries["rating"], about["weight"], *columns])
        return Rankings.from_ratings(
            frame, agent, item, entries["rating"], features=features, weight=about["weight"],
            instance=about["instance"],
        )  # fmt: skip
    group, rank = (entries[name] or _guess(frame, name) for name in ("group", "rank"))
    frame = _to_numbers(frame, [rank, about["weight"], *columns])
    unranked = entries["unranked"] or "not offered"
    frame = _plain_numbers(frame, group)
    return Rankings.from_frame(
        frame, group, item, rank, **about, features=features, unranked=unranked
    )


def _exclude(some, kind, others, other_kind):
    """Refuse columns of two kinds of tables together."""
    some, others = _given(some), _given(others)
    if some and others:
        raise ValueError(
            f"`{some[0]}` belongs to a table of {kind} and `{others[0]}` to a table of "
            f"{other_kind}: give one or the other."
        )


def _given(arguments):
    return [name for name, value in arguments.items() if value is not None]


def _guess(frame, role):
    """Return the first usual name that the frame has, or else the most usual one."""
    return next((name for name in GUESSES[role] if name in frame.columns), GUESSES[role][0])


def _has(frame, *roles):
    return all(_guess(frame, role) in frame.columns for role in roles)


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


def _plain_numbers(frame, column):
    """Return the frame with numbers for texts that all are plain whole numbers: 10 after 9."""
    import pandas as pd

    if column in frame and pd.api.types.is_string_dtype(frame[column]):
        if frame[column].str.fullmatch("0|[1-9][0-9]{0,17}").eq(True).all():
            return frame.assign(**{column: frame[column].astype("int64")})
    return frame
