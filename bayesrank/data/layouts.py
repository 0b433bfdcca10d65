"""The layouts that tables come in, recognised by what the user said or by the names of columns.

A table may hold one row per comparison, with an outcome, with scores, or with a winner and a loser;
counts of wins, one row per pair; a cross table of wins; rankings, one row per entry; ratings; ranks
with a column per item (wide); or a form with columns for the first choice, the second, and so on.
"""

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesrank.data.cells import (
    MISSING,
    blank_marks,
    counts_rows,
    to_numbers,
    to_texts,
    to_whole_numbers,
    unify_labels,
)
from bayesrank.data.columns import require_columns
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.cross_tables import is_cross_table
from bayesrank.data.rankings import Rankings
from bayesrank.data.spellings import fold_spellings
from bayesrank.data.usual_columns import (
    NAMES_OF_RANKINGS,
    TIE_MARKS,
    USUAL_NAMES,
    bare_name,
    choice_columns,
    describe_usual_names,
    guess_column,
    has_columns,
    log_columns,
    score_columns,
    warn_of_unused_counts,
)
from bayesrank.text import listing, option, short

__all__ = ["TableArguments", "read_table"]

_log = logging.getLogger("bayesrank.read")


# Arguments by what they are about. Of a switch, False is the same as not said.
_KINDS = {
    "pairs": ("left", "right", "outcome", "tie_value"),
    "beaten": ("winner", "loser"),
    "counts": ("wins", "losses", "ties"),
    "entries": ("group", "item", "rank", "rating", "features", "unranked", "close_gaps"),
    "about": ("weight", "agent", "instance", "time", "every"),
    "table": ("choices", "where", "encoding", "wide", "cross", "fold_names"),
}
_SWITCHES = ("close_gaps", "wide", "cross", "fold_names")


@dataclass(frozen=True)
class TableArguments:
    """What the user said about a table, by the layout that it belongs to; None is not said.

    Attributes
    ----------
    pairs : dict
        Columns of raw comparisons: left, right, outcome; and tie_value.
    beaten : dict
        Columns of raw comparisons without sides: winner, loser.
    counts : dict
        Columns of counts: wins, losses, ties.
    entries : dict
        Columns of rankings and ratings: group, item, rank, rating, features; and unranked and
        close_gaps.
    about : dict
        Columns of any layout: weight, agent, instance, time; and every.
    table : dict
        What is about the whole table: choices, where, encoding, wide, cross, fold_names.
    """

    pairs: dict[str, Any]
    beaten: dict[str, Any]
    counts: dict[str, Any]
    entries: dict[str, Any]
    about: dict[str, Any]
    table: dict[str, Any]

    @classmethod
    def sort(cls, **arguments):
        """Sort the arguments of `bayesrank.read` by what they are about."""
        for name in _SWITCHES:
            arguments[name] = arguments[name] or None
        kinds = _KINDS.items()
        return cls(**{kind: {name: arguments[name] for name in names} for kind, names in kinds})

    @property
    def comparisons(self):
        """All that is about tables of comparisons."""
        return self.pairs | self.beaten | self.counts

    @property
    def named(self):
        """All that is about the columns of one layout."""
        return self.comparisons | self.entries

    @property
    def tidy(self):
        """All that a layout with a column per item or per choice has no use for."""
        names = ("item", "rank", "rating", "features", "close_gaps")
        return self.comparisons | {name: self.entries[name] for name in names}

    def given(self):
        """Return the names of all arguments that were given."""
        return _given(self.named | self.about | self.table)


def read_table(path, frame, said):
    """Return the comparisons or rankings of a table, whatever its layout.

    Parameters
    ----------
    path : Path
        For messages.
    frame : pandas.DataFrame
    said : TableArguments
    """
    _require_one_shape(said)
    if said.table["wide"]:
        return _read_wide(frame, said)
    fold = bool(said.table["fold_names"])
    plain = not _given(said.named | said.about)
    if said.table["cross"] or (plain and not fold and is_cross_table(frame)):
        return _read_cross(frame, said)
    choices = _choices(frame, said)
    warn_of_unused_counts(frame, said.about, said.named)
    if choices is not None:
        _exclude({"choices": choices}, "choices by name", said.tidy, "another shape")
        return _read_choices(frame, choices, said, fold)
    _exclude(said.comparisons, "comparisons", said.entries, "rankings")
    if not _given(said.named) and not has_columns(frame, "left", "right"):
        return _read_usual_names(path, frame, said, fold)
    if _given(said.beaten):
        _exclude(said.beaten, "winners and losers", said.pairs | said.counts, "sides")
        return _read_beaten(frame, said, fold)
    if _given(said.entries):
        ranked = {name: said.entries[name] for name in ("group", "item", "rank", "rating")}
        sides = has_columns(frame, "left", "right")
        if not _given(ranked) and not has_columns(frame, "item") and sides:
            name = _given(said.entries)[0]
            raise ValueError(f"`{name}` is for rankings, and '{path}' holds comparisons.")
        return _read_rankings(frame, said.entries, said.about, fold)
    raw = {name: said.pairs[name] for name in ("outcome", "tie_value")}
    raw |= {"weight": said.about["weight"]}
    _exclude(raw, "single comparisons", said.counts, "counts")
    return _read_comparisons(frame, said, fold)


def _require_one_shape(said):
    """Refuse a wide or a cross table with arguments of another layout."""
    table = said.table
    for layout, kind in (("wide", "ranks by items"), ("cross", "wins of rows over columns")):
        if table[layout]:
            rest = said.tidy | {"choices": table["choices"]}
            if layout == "cross":
                rest |= said.entries | said.about
            _exclude({layout: True}, kind, rest, "another shape")
    if table["wide"] and table["cross"]:
        raise ValueError("`wide` and `cross` are different shapes: give one of them.")
    if table["fold_names"] and (table["wide"] or table["cross"]):
        layout = "wide" if table["wide"] else "cross"
        raise ValueError(f"`fold_names` is for names in cells, not for columns as in `{layout}`.")


def _choices(frame, said):
    """Return the columns of a form with choices, as they were given or by their names, or None."""
    choices = said.table["choices"]
    if isinstance(choices, str):
        raise TypeError(f"`choices` must be a list of columns, got the text {choices!r}.")
    other_layout = has_columns(frame, "left", "right") or has_columns(frame, "winner", "loser")
    other_layout |= has_columns(frame, "item") and _has_ranks_or_ratings(frame)
    if choices is None and not other_layout and not _given(said.tidy):
        choices = choice_columns(frame)
    return choices


def _has_ranks_or_ratings(frame):
    return has_columns(frame, "group", "rank") or has_columns(frame, "rating")


def _read_usual_names(path, frame, said, fold):
    """Return what a table without sides holds, where no column of a layout was named."""
    if has_columns(frame, "winner", "loser"):
        return _read_beaten(frame, said, fold)
    if not has_columns(frame, "item") or not _has_ranks_or_ratings(frame):
        raise ValueError(
            f"The columns of '{path}' ({listing(list(frame.columns), 12)}) have none of the "
            f"usual names; say which they are, {describe_usual_names()}."
        )
    entries = said.entries
    if not has_columns(frame, "group", "rank"):
        entries = entries | {"rating": guess_column(frame, "rating")}
    return _read_rankings(frame, entries, said.about, fold)


def _read_cross(frame, said):
    """Return the comparisons of a cross table."""
    if not said.table["cross"]:
        _log.info("layout: a cross table, wins of rows over columns")
    names = list(frame.columns[1:])
    for name in names:
        frame = blank_marks(frame, name)
    # The names of columns are texts, whatever the first column holds.
    frame = to_texts(frame, [frame.columns[0]])
    return Comparisons.from_matrix(to_numbers(frame, names))


def _read_beaten(frame, said, fold):
    """Return the comparisons of a table with a winner and a loser in each row."""
    winner, loser = (said.beaten[role] or guess_column(frame, role) for role in ("winner", "loser"))
    log_columns(said.beaten, winner=winner, loser=loser)
    for name in frame.columns:
        if bare_name(str(name)) not in TIE_MARKS:
            continue
        flags = frame[name].astype("string").str.strip().str.casefold()
        if (~flags.isin(MISSING | {"0", "false", "no", "n"})).any():
            raise ValueError(
                f"Column `{short(name)}` says that some of these were ties, which have no winner "
                f"and no loser: give {option('left', winner)}, {option('right', loser)} and a "
                "column with the outcome instead."
            )
    frame = to_numbers(unify_labels(frame, [winner, loser]), [said.about["weight"]])
    return Comparisons.from_frame(frame, winner=winner, loser=loser, fold_names=fold, **said.about)


def _read_comparisons(frame, said, fold):
    """Return the comparisons of a table with sides: counts, or one row per comparison."""
    pairs, counts, about = said.pairs, said.counts, said.about
    left, right = (pairs[side] or guess_column(frame, side) for side in ("left", "right"))
    frame = unify_labels(frame, [left, right])
    raw = pairs["outcome"] is not None or about["weight"] is not None
    raw |= pairs["tie_value"] is not None
    if _given(counts) or (not raw and has_columns(frame, "wins", "losses")):
        wins, losses = (counts[role] or guess_column(frame, role) for role in ("wins", "losses"))
        ties = guess_column(frame, "ties") if has_columns(frame, "ties") else None
        ties = counts["ties"] or ties
        log_columns(pairs | counts, left=left, right=right, wins=wins, losses=losses, ties=ties)
        frame = to_numbers(frame, [wins, losses, ties])
        return Comparisons.from_counts(
            frame, left, right, wins, losses, ties, agent=about["agent"],
            instance=about["instance"], fold_names=fold, time=about["time"], every=about["every"],
        )  # fmt: skip
    outcome = pairs["outcome"] or guess_column(frame, "outcome")
    if pairs["outcome"] is None and not has_columns(frame, "outcome"):
        outcome = score_columns(frame)
        if outcome is None:
            raise ValueError(
                f"The table has `{left}` and `{right}`, and no column of outcomes under a usual "
                f"name ({', '.join(USUAL_NAMES['outcome'])}): say {option('outcome', 'NAME')}, or "
                f"{option('wins', 'NAME')} and {option('losses', 'NAME')} if it holds counts."
            )
    log_columns(pairs, left=left, right=right, outcome=outcome)
    scores = [] if isinstance(outcome, str) else outcome
    frame = to_numbers(frame, [*scores, about["weight"]])
    return Comparisons.from_frame(
        frame, left, right, outcome, tie_value=pairs["tie_value"], fold_names=fold, **about
    )


def _read_rankings(frame, entries, about, fold):
    """Return the rankings of a table with one row per entry, or per rating."""
    features = entries["features"]
    columns = [features] if isinstance(features, str) else list(features or ())
    item = entries["item"] or guess_column(frame, "item")
    if entries["rating"] is not None:
        ranked = {name: entries[name] for name in ("group", "rank", "unranked", "close_gaps")}
        _exclude({"rating": entries["rating"]}, "ratings by agents", ranked, "rankings")
        # What separates the instances is not who rated.
        others = frame if about["instance"] is None else frame.drop(columns=about["instance"])
        agent = about["agent"] or guess_column(others, "agent")
        log_columns(entries | about, agent=agent, item=item, rating=entries["rating"])
        _log.info("ratings: the highest is the best")
        frame = to_numbers(frame, [entries["rating"], about["weight"], *columns])
        return Rankings.from_ratings(
            frame, agent, item, entries["rating"], features=features, weight=about["weight"],
            instance=about["instance"], fold_names=fold, time=about["time"], every=about["every"],
        )  # fmt: skip
    group, rank = (entries[name] or guess_column(frame, name) for name in ("group", "rank"))
    log_columns(entries, group=group, item=item, rank=rank)
    frame = to_numbers(blank_marks(frame, rank), [rank, about["weight"], *columns])
    frame = to_whole_numbers(frame, group)
    return Rankings.from_frame(
        frame, group, item, rank, **about, features=features, unranked=entries["unranked"],
        fold_names=fold, close_gaps=bool(entries["close_gaps"]),
    )  # fmt: skip


def _read_choices(frame, choices, said, fold):
    """Return the rankings of a table with a column for each choice, one row per ranking."""
    choices = list(choices)
    named = _columns_of_rankings(said)
    when = said.about["time"]
    wanted = [*choices, *named.values(), *([] if when is None else [when])]
    require_columns(frame, {column: column for column in wanted})
    frame = to_numbers(frame, [said.about["weight"]])
    cells = to_texts(frame, choices)[choices].astype("string")
    cells = cells.apply(lambda column: column.str.strip())
    cells = cells.apply(lambda column: column.mask(column.str.casefold().isin(MISSING)))
    values = cells.to_numpy(dtype=object, na_value=None)
    gaps = [k for k, row in enumerate(values) if None in row[: sum(x is not None for x in row)]]
    if gaps:
        raise ValueError(
            f"A choice must not be empty where a later one is not: row {listing(gaps)} (the first "
            "row is 0)."
        )
    if fold:
        flat = values.ravel()
        filled = np.array([label for label in flat if label is not None], dtype=object)
        flat[[label is not None for label in flat]] = fold_spellings(filled)[0]
        values = flat.reshape(values.shape)
    lists = [[label for label in row if label is not None] for row in values.tolist()]
    empty = [k for k, row in enumerate(lists) if not row]
    if empty:
        _log.info("left out: %d rows without a choice", len(empty))
        frame = frame.drop(index=empty)
        lists = [row for row in lists if row]
    about = {name: frame[column].tolist() for name, column in named.items()}
    if said.about["time"] is not None:
        about["times"] = frame[said.about["time"]].tolist()
    return Rankings.from_lists(
        lists, unranked=said.entries["unranked"], every=said.about["every"], **about
    )


def _read_wide(frame, said):
    """Return the rankings of a table with a column for each item, one row per ranking."""
    if _given({name: said.about[name] for name in ("time", "every")}):
        raise ValueError("`time` is for tables with a column of items, not for wide ones.")
    named = _columns_of_rankings(said)
    used = list(named.values())
    require_columns(frame, {column: column for column in used})
    items = [column for column in frame.columns if column not in used]
    items = [column for column in items if not counts_rows(frame, column)]
    for name in items:
        if bare_name(str(name)) in NAMES_OF_RANKINGS and said.entries["group"] is None:
            raise ValueError(
                f"Column `{short(name)}` of a wide table would be an item. If it names the "
                f"rankings, say {option('group', name)}."
            )
        frame = blank_marks(frame, name)
        if frame[name].isna().all():
            raise ValueError(
                f"Column `{short(name)}` of a wide table would be an item, and holds no rank: "
                "leave it out of the table, or name it as what it is."
            )
    frame = to_numbers(frame, [*items, said.about["weight"]])
    about = {name: frame[column].tolist() for name, column in named.items()}
    return Rankings.from_matrix(frame[items], unranked=said.entries["unranked"], **about)


def _columns_of_rankings(said):
    """Return the columns that were given for what is known of each ranking, by argument."""
    columns = {
        "names": said.entries["group"],
        "weights": said.about["weight"],
        "agents": said.about["agent"],
        "instances": said.about["instance"],
    }
    return {name: column for name, column in columns.items() if column is not None}


def _exclude(some, kind, others, other_kind):
    """Refuse columns of two kinds of tables together."""
    some, others = _given(some), _given(others)
    if some and others:
        raise ValueError(
            f"`{some[0]}` belongs to a table of {kind} and `{others[0]}` to a table of "
            f"{other_kind}: give one or the other."
        )


def _given(arguments):
    """Return the names of the arguments that were given."""
    return [name for name, value in arguments.items() if value is not None]
