"""Read comparisons or rankings from a file or a shipped data set."""

import csv
import logging
from importlib.resources import files
from pathlib import Path

import numpy as np

from bayesrank.data.columns import require_columns
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.ranking_files import ranking_format, read_ranking_file
from bayesrank.data.rankings import Rankings
from bayesrank.data.table_files import read_frame
from bayesrank.wording import listing, short

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


_log = logging.getLogger("bayesrank.read")


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
    return Rankings.from_lists(
        lists, names=list(blocks), weights=list(weights.values()), unranked="not offered"
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
    group=None,
    item=None,
    rank=None,
    rating=None,
    features=None,
    unranked=None,
    instance=None,
    wide=False,
):
    r"""Read comparisons or rankings from a file: CSV, TSV, JSON-lines, Parquet, and other formats.

    Files may be gzipped. Other formats are known by what is in them, and have no columns to name:

    - PrefLib's orders (.soc, .soi, .toc, .toi), weighted by their voters, and pairs (.wmd);
    - LETOR's and SVMlight's files with queries: where lists and NULL occur, a ranking by each list
      (agent) of each query (instance), the smallest place first; otherwise a ranking of each query
      by relevance, with features;
    - a run of TREC: a ranking of each topic (instance) by the run (agent); judgements (qrels):
      a ranking of each topic by grade.

    `bayesrank.data.read_letor` and `read_runs` read several files as one, and keep the relevance.

    Columns of a table that are not named are looked up under their usual names, and it is logged
    (logger "bayesrank.read") which were taken. Comparisons: left and right, home and away, model_a
    and model_b; outcome, winner, result; or counts in wins, losses, ties. Rankings: group, race,
    ranking, query, voter; item, driver, name, candidate; rank, position, place. Ratings: agent,
    user, voter, query; item; rating, stars, grade.

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
    wide : bool
        Whether the table has a row for each ranking and a column for each item, with ranks; the
        columns named by `group`, `weight`, `agent` and `instance` are no items.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "games.csv"
    >>> _ = path.write_text("home,away,winner\nx,y,x\ny,z,tie\nz,x,x\n")
    >>> br.read(path, left="home", right="away", outcome="winner")
    Comparisons: 3 items, 3 ordered pairs, 3 comparisons, 1 ties (33%)
      items: x, y, z
      never beaten: x
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
    frame = read_frame(path, DATASETS)
    if wide:
        _exclude(
            {"wide": wide}, "ranks by items",
            pairs | counts | {n: entries[n] for n in ("item", "rank", "rating", "features")},
            "another shape",
        )  # fmt: skip
        return _read_wide(frame, entries, about)
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
        _tell(pairs | counts, left=left, right=right, wins=wins, losses=losses, ties=ties)
        frame = _to_numbers(frame, [wins, losses, ties])
        return Comparisons.from_counts(
            frame, left, right, wins, losses, ties, agent=about["agent"], instance=about["instance"]
        )
    outcome = pairs["outcome"] or _guess(frame, "outcome")
    _tell(pairs, left=left, right=right, outcome=outcome)
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
        _tell(entries | about, agent=agent, item=item, rating=entries["rating"])
        frame = _to_numbers(frame, [entries["rating"], about["weight"], *columns])
        return Rankings.from_ratings(
            frame, agent, item, entries["rating"], features=features, weight=about["weight"],
            instance=about["instance"],
        )  # fmt: skip
    group, rank = (entries[name] or _guess(frame, name) for name in ("group", "rank"))
    _tell(entries, group=group, item=item, rank=rank)
    frame = _to_numbers(frame, [rank, about["weight"], *columns])
    unranked = entries["unranked"]
    frame = _plain_numbers(frame, group)
    return Rankings.from_frame(
        frame, group, item, rank, **about, features=features, unranked=unranked
    )


def _read_wide(frame, entries, about):
    """Return the rankings of a table with a column for each item."""
    named = {"names": entries["group"], "weights": about["weight"], "agents": about["agent"]}
    named |= {"instances": about["instance"]}
    used = [column for column in named.values() if column is not None]
    require_columns(frame, {column: column for column in used})
    items = [column for column in frame.columns if column not in used]
    frame = _to_numbers(frame, [*items, about["weight"]])
    lists = {name: frame[column].tolist() for name, column in named.items() if column is not None}
    return Rankings.from_matrix(frame[items], unranked=entries["unranked"], **lists)


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


def _tell(given, **chosen):
    """Say which columns were taken, if that was a guess: to the log, which the terminal shows."""
    chosen = {role: column for role, column in chosen.items() if column is not None}
    if any(given.get(role) is None for role in chosen):
        _log.info("columns: %s", ", ".join(f"{role} = {name}" for role, name in chosen.items()))


def _has(frame, *roles):
    return all(_guess(frame, role) in frame.columns for role in roles)


def _to_numbers(frame, columns):
    """Return the frame with text columns turned into numbers, or name the rows that are none."""
    import pandas as pd

    for name in columns:
        if name in frame and not pd.api.types.is_numeric_dtype(frame[name]):
            texts = frame[name]
            if frame.attrs.get("decimal") == ",":
                texts = texts.str.replace(",", ".", regex=False)
            try:
                numbers = pd.to_numeric(texts, errors="coerce")
            except OverflowError:  # of whole numbers that JSON allows
                raise ValueError(
                    f"Column `{short(name)}` holds a number that is too large."
                ) from None
            bad = numbers.isna() & frame[name].notna()
            if bad.any():
                rows = [f"{frame[name][row]!r} in row {row}" for row in frame.index[bad]]
                raise ValueError(
                    f"Column `{short(name)}` must hold numbers: {listing(rows)} "
                    "(the first row is 0)."
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
