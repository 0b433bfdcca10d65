"""From any data frame to arrays of labels and counts, aggregated by the frame's own engine.

All checks of a table of comparisons are here. Each names the column, the rule and the rows.
"""

import narwhals as nw
import numpy as np

from bayesrank.data.columns import (
    as_float_column,
    collect,
    column_names,
    find_missing,
    labels_of,
    missing_in_rows,
    name_rows,
    numbers_of,
    refuse,
    require_columns,
    require_finite_total,
    require_numbers,
    require_present,
    require_rows,
    select,
    text_of,
)
from bayesrank.data.counting import count_combinations
from bayesrank.data.labels import number_labels, number_rows
from bayesrank.data.outcomes import decode, equal_labels, items_of
from bayesrank.data.row_features import (
    feature_columns,
    feature_roles,
    feature_sources,
    feature_values,
    require_no_outcome,
    turned,
    with_differences,
)
from bayesrank.data.spellings import fold_spellings
from bayesrank.data.times import number_times, require_every_with_time
from bayesrank.text import listing, option

__all__ = ["aggregate_counts", "aggregate_outcomes"]


def aggregate_outcomes(
    frame,
    left,
    right,
    outcome,
    weight=None,
    agent=None,
    instance=None,
    tie_value=None,
    fold_names=False,
    always_left=False,
    time=None,
    every=None,
    category=None,
    features=None,
):
    """Return what raw rows say, grouped by outcome: arguments of `Comparisons._from_labels`.

    ``always_left`` says that the left item won in every row, so that there is no outcome.
    """
    if always_left:
        frame, outcome = _with_wins(frame, left, right)
    scores = isinstance(outcome, (tuple, list))
    if scores:
        _require_two_scores(outcome, tie_value)
    require_every_with_time(time, every)
    chosen = feature_columns(features)
    require_no_outcome(chosen, list(outcome) if scores else [outcome])
    columns = {"left": left, "right": right, "agent": agent, "instance": instance, "weight": weight}
    columns |= {"time": time, "category": category} | feature_roles(chosen)
    columns |= dict(zip(("a", "b"), outcome, strict=True)) if scores else {"outcome": outcome}
    frame = with_differences(_select(frame, columns), chosen)
    if scores:
        frame = _with_outcome_of_scores(frame, columns)
        columns["outcome"] = " and ".join(str(name) for name in outcome)
    if tie_value == "" and _has_texts(frame, "outcome"):
        frame = frame.with_columns(nw.col("outcome").fill_null("tie"))
    table = _group(frame, columns, feature_sources(chosen))
    labels = _labels(table)
    outcomes = labels_of(table, "outcome")
    if fold_names:
        names = labels["left"], labels["right"], outcomes
        labels["left"], labels["right"], outcomes = fold_spellings(*names)
    _require_two_items(labels, frame)
    side = decode(table, labels, frame, columns, outcomes, tie_value)
    counts = np.zeros((len(side), 4))
    counts[np.arange(len(side)), side] = table["total"].to_numpy()
    about = _times(table, time, every, frame) | feature_values(table, frame, chosen)
    about["both_bad"] = counts[:, 3] if (side == 3).any() else None
    found = labels | about | {"counts": counts[:, :3]}
    return _with_sorted_sides(found) if always_left else found


def _with_wins(frame, left, right):
    """Return the frame with a column in which the left item wins every row, and its name."""
    frame = nw.from_native(frame)
    outcome = _free_name(frame, "won")
    require_columns(frame, {"left": left, "right": right})
    return frame.with_columns(nw.lit(1).alias(outcome)).to_native(), outcome


def _require_two_scores(outcome, tie_value):
    """Refuse columns of scores that are not two, or that come with a word for ties."""
    if tie_value is not None:
        raise ValueError("`tie_value` is for one column of outcomes, not for two of scores.")
    if len(outcome) != 2:
        raise ValueError(
            "`outcome` must be one column, or two columns with the scores of left and right, "
            f"got {outcome!r}."
        )


def _with_outcome_of_scores(frame, columns):
    """Return the frame with an outcome: 1 where score a is higher, -1 where b is, 0 for a tie."""
    require_numbers(frame, columns, ("a", "b"))
    a, b = nw.col("a"), nw.col("b")
    # Some engines take NaN for the largest number: a missing score must not win.
    known = ~(missing_in_rows(frame, "a") | missing_in_rows(frame, "b"))
    outcome = nw.when(known & (a == b)).then(0)
    outcome = nw.when(known & (a < b)).then(-1).otherwise(outcome)
    return frame.with_columns(outcome=nw.when(known & (a > b)).then(1).otherwise(outcome))


def _has_texts(frame, role):
    return frame.collect_schema()[role] == nw.String


def _group(frame, columns, features):
    """Return one row for all that agree in what is kept of them, with ``total``, their weight.

    ``features`` are those that are kept, with the columns that they were computed from.
    """
    keys = ("left", "right", "outcome", "agent", "instance", "time", "category")
    keys = [*(key for key in keys if columns.get(key) is not None), *features]
    weighted = columns["weight"] is not None
    table = _sum_weights(frame, columns, keys) if weighted else count_combinations(frame, keys)
    require_rows(table)
    advice = {}
    if _has_texts(frame, "outcome") and find_missing(table["outcome"]).any():
        advice["advice"] = (
            "Drop these rows or fill them in first; if an empty outcome is a tie, say "
            f"{option('tie_value', '')}."
        )
    sources = features | ({"outcome": ("a", "b")} if "a" in columns else {})
    require_present(table, frame, columns, keys, sources, **advice)
    if weighted:
        _require_weights(table, frame, columns)
    return table


def _sum_weights(frame, columns, keys):
    """Return the sum of the weights of each group, and what it takes to check them."""
    require_numbers(frame, columns, ("weight",))
    if not frame.collect_schema()["weight"].is_float():  # sums of integers may wrap around
        lazy = isinstance(frame, nw.LazyFrame)
        weight = nw.col("weight").cast(nw.Float64) if lazy else as_float_column(frame["weight"])
        frame = frame.with_columns(weight)
    sums = [
        nw.col("weight").sum().alias("total"),
        nw.col("weight").min().alias("least"),
        # A missing weight must not vanish in the sum.
        nw.col("weight").count().alias("present"),
        nw.len().alias("rows"),
    ]
    with np.errstate(over="ignore"):  # an infinite sum is refused later
        return collect(frame.group_by(*keys).agg(*sums))


def _free_name(frame, name):
    """Return a name that no column of the frame has."""
    taken = set(frame.collect_schema().names())
    while name in taken:
        name += "_"
    return name


def _with_sorted_sides(found):
    """Put the item that comes first by name on the left: who won says nothing about sides."""
    left, right, counts = found["left"], found["right"], found["counts"]
    position = number_labels(np.concatenate([left, right]))[1]
    turn = position[: len(left)] > position[len(left) :]
    changed = {
        "left": np.where(turn, right, left),
        "right": np.where(turn, left, right),
        "counts": np.where(turn[:, None], counts[:, [1, 0, 2]], counts),
    }
    if "features" in found:
        features = found["features"]
        changed["features"] = np.where(turn[:, None], turned(features), features)
    return found | changed


def aggregate_counts(
    frame,
    left,
    right,
    wins,
    losses,
    ties=None,
    agent=None,
    instance=None,
    duplicates="sum",
    fold_names=False,
    time=None,
    every=None,
    category=None,
    features=None,
    both_bad=None,
):
    """Return what a table of counts says: arguments of `Comparisons._from_labels`."""
    if duplicates not in ("sum", "error"):
        raise ValueError(f'`duplicates` must be "sum" or "error", got {duplicates!r}.')
    known = column_names(frame)
    ties = "ties" if ties is None and "ties" in known else ties
    both_bad = "both_bad" if both_bad is None and "both_bad" in known else both_bad
    require_every_with_time(time, every)
    columns = {"left": left, "right": right, "agent": agent, "instance": instance, "time": time}
    numbers = {"wins": wins, "losses": losses, "ties": ties, "both_bad": both_bad}
    chosen = feature_columns(features)
    require_no_outcome(chosen, list(numbers.values()))
    columns |= numbers | {"category": category} | feature_roles(chosen)
    frame = with_differences(_select(frame, columns), chosen)
    present = [name for name in numbers if columns[name] is not None]
    require_numbers(frame, columns, present)
    numbered = not isinstance(frame, nw.LazyFrame)
    table = collect(frame)
    require_rows(table)
    require_present(table, frame, columns, [name for name in columns if columns[name] is not None])
    counts = np.zeros((len(table), 4))
    for values, name in zip(counts.T, numbers, strict=True):
        if name in present:
            values[:] = numbers_of(table[name])
            rule = f"`{columns[name]}` must hold finite counts"
            refuse(~np.isfinite(values), rule, values, numbered)
            refuse(values < 0, f"`{columns[name]}` must not be negative", values, numbered)
    labels = _labels(table)
    if fold_names:
        labels["left"], labels["right"] = fold_spellings(labels["left"], labels["right"])
    _require_two_items(labels, frame)
    if counts[:, 3].any() and not counts[:, :3].any():
        raise ValueError(
            f"All votes say that both were bad, as `{both_bad}` counts them: there is nothing to "
            "rank by."
        )
    about = _times(table, time, every, frame) | feature_values(table, frame, chosen)
    if duplicates == "error":
        _require_once(labels | {"time": about.get("time")}, about.get("features"), numbered)
    about["both_bad"] = None if both_bad is None else counts[:, 3]
    return labels | about | {"counts": counts[:, :3]}


def _times(table, time, every, frame):
    """Return the position of each row's time, and the times, if there is a column of them.

    Rows of the table may be sums of rows of the frame, whose numbers the user knows.
    """
    if time is None:
        return {}
    try:
        times, position = number_times(table["time"], time, every, numbered=False)
    except ValueError:
        if not isinstance(frame, nw.LazyFrame):
            number_times(frame["time"], time, every)
        raise
    return {"time": position, "times": times}


def _labels(table):
    """Return the labels of each role as an array, or None where there are none."""
    roles = ("left", "right", "agent", "instance", "category")
    return {role: labels_of(table, role) for role in roles}


def _require_once(labels, features, numbered):
    """Refuse rows of the same left and right item, and all else that is known of them."""
    labels = [values for values in labels.values() if values is not None]
    codes = [number_labels(values)[1] for values in labels]
    if features is not None:
        codes += [np.unique(values, return_inverse=True)[1] for values in features.T]
    group = np.unique(number_rows(*codes), return_inverse=True)[1]
    twice = np.flatnonzero(np.bincount(group) > 1)
    if not twice.size:
        return
    shown = []
    for k in twice[:5]:
        rows = np.flatnonzero(group == k)
        left, right, *about = (str(values[rows[0]]) for values in labels)
        pair = f"{left} vs {right}{f' ({listing(about)})' if about else ''}"
        shown.append(f"{pair} in {f'rows {listing(rows)}' if numbered else f'{rows.size} rows'}")
    more = f" and {twice.size - 5} more" if twice.size > 5 else ""
    raise ValueError(
        'With `duplicates="error"` each pair must have one row: '
        f"{'; '.join(shown)}{more}{' (the first row is 0)' if numbered else ''}."
    )


def _select(frame, columns):
    """Return the wanted columns, of which left and right must hold labels of the same kind."""
    require_columns(frame, columns)
    if columns["left"] == columns["right"]:
        raise ValueError(f"`left` and `right` are the same column, `{columns['left']}`.")
    for side in ("left", "right"):
        for other in ("instance", "category"):
            if columns[side] == columns[other]:
                raise ValueError(f"`{side}` and `{other}` are the same column, `{columns[side]}`.")
    schema = nw.from_native(frame).collect_schema()
    if schema[columns["left"]].is_numeric() != schema[columns["right"]].is_numeric():
        raise ValueError(
            f"`{columns['left']}` holds {schema[columns['left']]} and `{columns['right']}` holds "
            f"{schema[columns['right']]}: items must be numbers in both columns or texts in both."
        )
    return select(frame, columns, texts=False)


def _require_weights(table, frame, columns):
    """Refuse weights that are missing, infinite or negative."""
    name = columns["weight"]
    if (table["present"] < table["rows"]).any():
        raise ValueError(
            f"Missing weights: `{name}` in {name_rows(frame, nw.col('weight').is_null())}."
        )
    if not np.isfinite(table["total"].to_numpy()).all():
        if where := name_rows(frame, ~nw.col("weight").is_finite()):
            raise ValueError(f"`{name}` must hold finite weights: {where}.")
        require_finite_total(f"The weights in `{name}`", table["total"].to_numpy())
    if (table["least"].to_numpy() < 0).any():
        raise ValueError(
            f"`{name}` must not be negative: {name_rows(frame, nw.col('weight') < 0)}."
        )


def _require_two_items(labels, frame):
    """Refuse an item against itself, and a table of a single item."""
    itself = equal_labels(labels["left"], labels["right"])
    items = {str(label) for label in items_of(labels)}
    if len(items) == 1:
        raise ValueError(f"Only one item occurs, {items.pop()}: a ranking needs at least two.")
    if np.any(itself):
        twice = sorted({str(label) for label in labels["left"][itself]})
        where = name_rows(frame, text_of(frame, "left") == text_of(frame, "right"))
        raise ValueError(f"An item cannot be compared with itself: {listing(twice)}, {where}.")
