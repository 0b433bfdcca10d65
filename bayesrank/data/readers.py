"""Read comparisons or rankings from a file or a shipped data set."""

import csv
from importlib.resources import files
from pathlib import Path

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.formats.ranking_files import ranking_format, read_ranking_file
from bayesrank.data.formats.table_files import read_frame
from bayesrank.data.layouts import given, matching, read_table
from bayesrank.data.rankings import Rankings
from bayesrank.text import listing

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
    winner=None,
    loser=None,
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
    cross=False,
    choices=None,
    tie_value=None,
    close_gaps=False,
    fold_names=False,
    where=None,
    min_count=None,
    encoding=None,
):
    r"""Read comparisons or rankings from a file: CSV, TSV, JSON, Excel, Parquet, and other formats.

    Files of text may be gzipped. Other formats are known by what is in them, and have no columns to
    name:

    - PrefLib's orders (.soc, .soi, .toc, .toi), weighted by their voters, and pairs (.wmd);
    - LETOR's and SVMlight's files with queries: where lists and NULL occur, a ranking by each list
      (agent) of each query (instance), the smallest place first; otherwise a ranking of each query
      by relevance, with features. Queries are told apart by qid, or by LightGBM's file ".query";
    - a run of TREC: a ranking of each topic (instance) by the run (agent); judgements (qrels):
      a ranking of each topic by grade.

    `bayesrank.data.read_letor` and `read_runs` read several files as one, and keep the relevance.

    Columns of a table that are not named are looked up under their usual names, and it is logged
    (logger "bayesrank.read") which were taken. Comparisons: left and right, home and away, model_a
    and model_b; outcome, winner, result; or winner and loser; or counts in wins, losses, ties.
    Rankings: group, race, ranking, query, voter; item, driver, name, candidate, film; rank,
    position, place. Ratings: agent, user, voter, query; item; rating, stars, grade. Forms with a
    column for the first choice, the second, and so on, and cross tables of wins, are known by the
    names of their columns.

    Parameters
    ----------
    path : str or Path
    left, right, outcome, winner, loser, tie_value
        Columns of raw rows, as in `Comparisons.from_frame`. `tie_value` is no column.
    wins, losses, ties
        Columns of counts, as in `Comparisons.from_counts`.
    group, item, rank, features, unranked
        Columns of tidy rankings, as in `Rankings.from_frame`. `unranked` is no column: it is
        "not offered", "below" or "rows below", and serves the other formats too. Marks of a
        missing rank, such as \\N, DNF or Ret, are read as missing.
    close_gaps : bool
        Whether only the order of the ranks counts, so that they may skip numbers.
    rating
        Column of ratings of items by agents, as in `Rankings.from_ratings`.
    weight, agent, instance
        Columns of either.
    wide : bool
        Whether the table has a row for each ranking and a column for each item, with ranks; the
        columns named by `group`, `weight`, `agent` and `instance` are no items.
    cross : bool
        Whether the table says how often the item of each row, named in the first column, beat
        the item of each other column.
    choices : list of str, optional
        Columns with the name of the first choice, the second, and so on, one row per ranking.
    fold_names : bool
        Whether names that differ in capitals, spaces or the coding of accents only are one item.
    where : str, optional
        Rows to read, by their columns, as in `pandas.DataFrame.query`: "season == 2019".
    min_count : int, optional
        Leave out items that occur less often; see `Comparisons.subset`.
    encoding : str, optional
        Of a table of text. By default UTF-8, or UTF-16 where the file says so; otherwise, with a
        warning, Windows' cp1252.

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
    pairs = {"left": left, "right": right, "outcome": outcome, "tie_value": tie_value}
    beaten = {"winner": winner, "loser": loser}
    counts = {"wins": wins, "losses": losses, "ties": ties}
    entries = {"group": group, "item": item, "rank": rank, "rating": rating}
    entries |= {"features": features, "unranked": unranked, "close_gaps": close_gaps or None}
    about = {"weight": weight, "agent": agent, "instance": instance}
    table = {"choices": choices, "where": where, "encoding": encoding}
    table |= {"wide": wide or None, "cross": cross or None, "fold_names": fold_names or None}
    if kind := ranking_format(path):
        said = given(pairs | beaten | counts | entries | about | table)
        named = [name for name in said if name != "unranked"]
        if named:
            raise ValueError(
                f"`{named[0]}` is for tables, but '{path}' is a file of {kind}, which has no "
                "columns to name."
            )
        data = read_ranking_file(path, kind, unranked)
    else:
        frame = matching(read_frame(path, DATASETS, encoding), where)
        data = read_table(path, frame, pairs, beaten, counts, entries, about, table)
    return data if min_count is None else data.subset(min_count=min_count)
