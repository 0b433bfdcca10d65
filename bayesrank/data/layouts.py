"""The layouts that tables come in, recognised by what the user said or by the names of columns.

A table may hold one row per comparison, with an outcome, with scores, or with a winner and a loser;
counts of wins, one row per pair; a cross table of wins; rankings, one row per entry; ratings; ranks
with a column per item (wide); or a form with columns for the first choice, the second, and so on.
"""

import logging

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
from bayesrank.data.row_features import feature_columns, feature_roles
from bayesrank.data.spellings import fold_spellings
from bayesrank.data.table_arguments import given, named_columns, require_one_kind
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

__all__ = ["read_table"]

_log = logging.getLogger("bayesrank.read")


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
    plain = not given(said.named | said.about)
    if said.table["cross"] or (plain and not fold and is_cross_table(frame)):
        return _read_cross(frame, said)
    choices = _choices(frame, said)
    warn_of_unused_counts(frame, said.about["weight"], named_columns(said.about | said.named))
    if choices is not None:
        require_one_kind({"choices": choices}, "choices by name", said.tidy, "another shape")
        return _read_choices(frame, choices, said, fold)
    require_one_kind(said.comparisons, "comparisons", said.entries, "rankings")
    if not given(said.named) and not has_columns(frame, "left", "right"):
        return _read_usual_names(path, frame, said, fold)
    if given(said.beaten):
        require_one_kind(said.beaten, "winners and losers", said.pairs | said.counts, "sides")
        return _read_beaten(frame, said, fold)
    if given(said.entries):
        ranked = {name: said.entries[name] for name in ("group", "item", "rank", "rating")}
        sides = has_columns(frame, "left", "right")
        if not given(ranked) and not has_columns(frame, "item") and sides:
            name = given(said.entries)[0]
            raise ValueError(f"`{name}` is for rankings, and '{path}' holds comparisons.")
        return _read_rankings(frame, said.entries, said.about, fold)
    raw = {name: said.pairs[name] for name in ("outcome", "tie_value")}
    raw |= {"weight": said.about["weight"]}
    require_one_kind(raw, "single comparisons", said.counts, "counts")
    return _read_comparisons(frame, said, fold)


def _require_one_shape(said):
    """Refuse a wide or a cross table with arguments of another layout."""
    table = said.table
    for layout, kind in (("wide", "ranks by items"), ("cross", "wins of rows over columns")):
        if table[layout]:
            rest = said.tidy | {"choices": table["choices"]}
            if layout == "cross":
                rest |= said.entries | said.about
            require_one_kind({layout: True}, kind, rest, "another shape")
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
    if choices is None and not other_layout and not given(said.tidy):
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
    about = said.about
    frame = unify_labels(frame, [winner, loser])
    frame = to_numbers(frame, [about["weight"], *_columns_of_differences(about)])
    return Comparisons.from_frame(frame, winner=winner, loser=loser, fold_names=fold, **about)


def _read_comparisons(frame, said, fold):
    """Return the comparisons of a table with sides: counts, or one row per comparison."""
    pairs, counts, about = said.pairs, said.counts, said.about
    left, right = (pairs[side] or guess_column(frame, side) for side in ("left", "right"))
    frame = to_numbers(unify_labels(frame, [left, right]), _columns_of_differences(about))
    raw = pairs["outcome"] is not None or about["weight"] is not None
    raw |= pairs["tie_value"] is not None
    if given(counts) or (not raw and has_columns(frame, "wins", "losses")):
        wins, losses = (counts[role] or guess_column(frame, role) for role in ("wins", "losses"))
        ties = guess_column(frame, "ties") if has_columns(frame, "ties") else None
        ties = counts["ties"] or ties
        both_bad = guess_column(frame, "both_bad") if has_columns(frame, "both_bad") else None
        both_bad = counts["both_bad"] or both_bad
        taken = {"wins": wins, "losses": losses, "ties": ties, "both_bad": both_bad}
        log_columns(pairs | counts, left=left, right=right, **taken)
        frame = to_numbers(frame, taken.values())
        known = {name: column for name, column in about.items() if name != "weight"}
        return Comparisons.from_counts(frame, left, right, **taken, fold_names=fold, **known)
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
    features = about["features"]
    columns = [features] if isinstance(features, str) else list(features or ())
    item = entries["item"] or guess_column(frame, "item")
    if entries["rating"] is not None:
        ranked = {name: entries[name] for name in ("group", "rank", "unranked", "close_gaps")}
        require_one_kind({"rating": entries["rating"]}, "ratings by agents", ranked, "rankings")
        # What separates the instances is not who rated.
        others = frame if about["instance"] is None else frame.drop(columns=about["instance"])
        agent = about["agent"] or guess_column(others, "agent")
        log_columns(entries | about, agent=agent, item=item, rating=entries["rating"])
        _log.info("ratings: the highest is the best")
        frame = to_numbers(frame, [entries["rating"], about["weight"], *columns])
        return Rankings.from_ratings(
            frame, item=item, rating=entries["rating"], fold_names=fold,
            **(about | {"agent": agent}),
        )  # fmt: skip
    group, rank = (entries[name] or guess_column(frame, name) for name in ("group", "rank"))
    log_columns(entries, group=group, item=item, rank=rank)
    frame = to_numbers(blank_marks(frame, rank), [rank, about["weight"], *columns])
    frame = to_whole_numbers(frame, group)
    return Rankings.from_frame(
        frame, group, item, rank, **about, unranked=entries["unranked"],
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
    if given({name: said.about[name] for name in ("time", "every")}):
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
        "categories": said.about["category"],
    }
    return {name: column for name, column in columns.items() if column is not None}


def _columns_of_differences(about):
    """Return the columns that features of comparisons are made from."""
    return list(feature_roles(feature_columns(about["features"])).values())
