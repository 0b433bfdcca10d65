"""Reading comparisons or rankings from a file, or from a data set that is shipped."""

import csv
from collections.abc import Sequence
from importlib.resources import files
from os import PathLike
from typing import Any

import numpy as np

from bayesrank.data.comparison_sources import Features
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.formats.file_format import DATA
from bayesrank.data.formats.registry import find_format
from bayesrank.data.formats.source_files import keep_pipe, require_file, require_size
from bayesrank.data.formats.table_files import read_frame
from bayesrank.data.layouts import read_table
from bayesrank.data.rankings import Rankings
from bayesrank.data.row_conditions import choose_rows
from bayesrank.data.table_arguments import TableArguments
from bayesrank.data.times import number_times
from bayesrank.text import listing

__all__ = ["DATASETS", "load_dataset", "read"]

DATASETS = {
    "baseball": "American League East 1987, home and away: an order effect",
    "bundesliga": "ten seasons of football, 28 clubs: scores that move",
    "citations": "citations between four statistics journals",
    "fruits": "six rankings of up to four fruits, with ties",
    "german_parties": "preferences between German parties, 2009",
    "nascar": "36 races of the NASCAR season 2002 with their days, 87 drivers",
    "netflix": "588 rankings of four films, as 24 orders with weights",
    "pudding": "six chocolate puddings tasted in pairs, with ties",
}


def load_dataset(name: str) -> Comparisons | Rankings:
    """Return a data set that comes with the package.

    Parameters
    ----------
    name : str
        "baseball", "bundesliga", "citations", "german_parties" or "pudding", which are
        `Comparisons`; or "fruits", "nascar" or "netflix", which are `Rankings`. Each is a small CSV
        file in ``bayesrank/data/tables`` whose first lines cite its source.

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
    lines = (
        files("bayesrank.data").joinpath("tables", f"{name}.csv").read_text("utf-8").splitlines()
    )
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    if "rank" in rows[0]:
        return _shipped_rankings(rows)
    counts = [[row["wins"], row["losses"], row.get("ties", 0)] for row in rows]
    return Comparisons._from_labels(
        np.array([row["left"] for row in rows]),
        np.array([row["right"] for row in rows]),
        np.array(counts, dtype=float),
        **_shipped_times(rows),
    )


def _shipped_times(rows: list[dict[str, str]]) -> dict[str, Any]:
    """Return the times of a shipped table, if it has any."""
    if "time" not in rows[0]:
        return {}
    times, position = number_times([row["time"] for row in rows], "time")
    return {"time": position, "times": times}


def _shipped_rankings(rows: list[dict[str, str]]) -> Rankings:
    """Return the rankings of a shipped table."""
    blocks: dict[int, dict[int, list[str]]] = {}
    weights: dict[int, float] = {}
    times: dict[int, str] = {}
    for row in rows:
        name = int(row["ranking"])
        blocks.setdefault(name, {}).setdefault(int(row["rank"]), []).append(row["item"])
        weights[name] = float(row.get("weight", 1))
        if "time" in row:
            times[name] = row["time"]
    lists = [[ranks[rank] for rank in sorted(ranks)] for ranks in blocks.values()]
    return Rankings.from_lists(
        lists, names=list(blocks), weights=list(weights.values()), unranked="not offered",
        times=list(times.values()) or None,
    )  # fmt: skip


def read(
    path: str | PathLike[str], *, left: str | None = None, right: str | None = None,
    outcome: Any = None, winner: str | None = None, loser: str | None = None,
    wins: str | None = None, losses: str | None = None, ties: str | None = None,
    weight: str | None = None, agent: str | None = None, group: str | None = None,
    item: str | None = None, rank: str | None = None, rating: str | None = None,
    features: Features = None, unranked: str | None = None, instance: str | None = None,
    wide: bool = False, cross: bool = False, choices: Sequence[str] | None = None,
    tie_value: Any = None, close_gaps: bool = False, fold_names: bool = False,
    where: str | None = None, min_count: int | None = None, encoding: str | None = None,
    time: str | None = None, every: Any = None, category: str | None = None,
    both_bad: str | None = None,
) -> Comparisons | Rankings:  # fmt: skip
    r"""Read comparisons or rankings from a file: CSV, TSV, JSON, Excel, Parquet, and other formats.

    The other formats are those of PrefLib, LETOR and TREC, which have no columns to name; see
    `bayesrank.data.formats`. Text may be gzipped.

    Columns of a table that are not named are looked up under their usual names, such as home, away
    and winner: see `bayesrank.data.usual_columns`. The logger "bayesrank.read" says which were
    taken. Forms with a column for each choice, and cross tables, are recognised by their columns.

    Parameters
    ----------
    path : str or Path
        A file; "-" is standard input. What comes through a pipe is read once, and its format is
        found by its content where its name has no ending.
    left, right, outcome, winner, loser, tie_value
        Columns of raw rows, as in `Comparisons.from_frame`. `tie_value` is a value, not a column.
    wins, losses, ties, both_bad
        Columns of counts, as in `Comparisons.from_counts`.
    features
        As in `Comparisons.from_frame`; of rankings and ratings, a list of columns.
    group, item, rank, unranked
        Columns of tidy rankings, as in `Rankings.from_frame`. `unranked` is not a column: it is
        "not offered", "below" or "rows below", and serves the other formats too. Marks of a
        missing rank, such as \\N, DNF or Ret, are read as missing.
    close_gaps : bool
        Whether only the order of the ranks counts, so that they may skip numbers.
    rating : column of ratings of items by agents, as in `Rankings.from_ratings`
    weight, agent, instance, time, category : columns of either
    every : str or float, optional
        The period whose rows share a time, as in `Comparisons.from_frame`.
    wide : bool
        Whether the table has a row for each ranking and a column for each item, with ranks; other
        columns are named: `group`, `weight`, `agent`, `instance`, `category`.
    cross : bool
        Whether the table says how often the item of each row beat that of each column.
    choices : list of str, optional
        Columns with the name of the first choice, the second, and so on, one row per ranking.
    fold_names : bool
        Whether names that differ only in capitals, spaces or the coding of accents are one item.
    where : str, optional
        Rows to read, by their columns, as in `pandas.DataFrame.query`: "season == 2019".
    min_count : int, optional
        Leave out items that occur less often; see `Comparisons.subset`.
    encoding : str, optional
        Of text. By default UTF-8 or UTF-16; otherwise, with a warning, Windows' cp1252.

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
    said = TableArguments.sort(
        left=left, right=right, outcome=outcome, tie_value=tie_value, winner=winner, loser=loser,
        wins=wins, losses=losses, ties=ties, group=group, item=item, rank=rank, rating=rating,
        features=features, unranked=unranked, close_gaps=close_gaps, weight=weight, agent=agent,
        instance=instance, choices=choices, where=where, encoding=encoding, wide=wide, cross=cross,
        fold_names=fold_names, time=time, every=every, category=category, both_bad=both_bad,
    )  # fmt: skip
    with keep_pipe(path) as file:
        data = _read_file(file, said)
    return data if min_count is None else data.subset(min_count=min_count)


def _read_file(path: Any, said: TableArguments) -> Comparisons | Rankings:
    """Return what a file holds that can be opened again and again."""
    require_file(path, list(DATASETS))
    require_size(path)
    file_format = find_format(path)
    if file_format.gives == DATA:
        _require_no_columns(path, file_format, said)
        return file_format.read(path, unranked=said.entries["unranked"])
    frame = read_frame(path, file_format, said.table["encoding"])
    return read_table(path, choose_rows(frame, said.table["where"]), said)


def _require_no_columns(path: Any, file_format: Any, said: Any) -> None:
    """Refuse arguments of a table where a file has a format of its own."""
    named = [name for name in said.given() if name != "unranked"]
    if named:
        raise ValueError(
            f"`{named[0]}` is for tables, but '{path}' is a file of {file_format.name}, which has "
            "no columns to name."
        )
