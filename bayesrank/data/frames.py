"""From any data frame to arrays of labels and counts, aggregated by the frame's own engine.

All checks of a table of comparisons are here, once; each names the column, the rule and the rows.
"""

import warnings

import narwhals as nw
import numpy as np

from bayesrank.data.columns import (
    collect,
    column_names,
    is_category,
    labels_of,
    missing,
    name_rows,
    refuse,
    require_columns,
    require_finite_total,
    require_numbers,
    require_present,
    require_rows,
    select,
    text_of,
)
from bayesrank.data.labels import number_labels
from bayesrank.data.tallies import tally
from bayesrank.wording import listing

__all__ = ["aggregate_counts", "aggregate_outcomes"]

# Spellings of an outcome, besides the winner's own name: 0 left won, 1 right won, 2 tie. The
# arena's words are those of public collections of votes between language models.
WORDS = {
    "left": 0, "right": 1, "tie": 2, "draw": 2, "home": 0, "away": 1,
    "model_a": 0, "model_b": 1, "tie (bothbad)": 2,
    "1": 0, "+1": 0, "-1": 1, "0": 2, "1.0": 0, "-1.0": 1, "0.0": 2, "true": 0, "false": 1,
}  # fmt: skip
# Of football's results. They may as well be names: A without H might be the first of A and B.
LETTERS = {"h": 0, "a": 1, "d": 2}


def aggregate_outcomes(frame, left, right, outcome, weight=None, agent=None, instance=None):
    """Return what raw rows say, grouped by outcome: arguments of `Comparisons._from_labels`."""
    scores = isinstance(outcome, (tuple, list))
    if scores and len(outcome) != 2:
        raise ValueError(
            "`outcome` must be one column, or two columns with the scores of left and right, "
            f"got {outcome!r}."
        )
    columns = {"left": left, "right": right, "agent": agent, "instance": instance, "weight": weight}
    columns |= dict(zip(("a", "b"), outcome, strict=True)) if scores else {"outcome": outcome}
    frame = _select(frame, columns)
    if scores:
        require_numbers(frame, columns, ("a", "b"))
        a, b = nw.col("a"), nw.col("b")
        # Some engines hold NaN for the largest number: a missing score must not win.
        known = ~(missing(frame, "a") | missing(frame, "b"))
        frame = frame.with_columns(
            outcome=nw.when(known & (a > b))
            .then(1)
            .when(known & (a < b))
            .then(-1)
            .when(known & (a == b))
            .then(0)
        )
        columns["outcome"] = " and ".join(str(name) for name in outcome)
    keys = ("left", "right", "outcome", "agent", "instance")
    keys = [key for key in keys if columns.get(key) is not None]
    if weight is None:
        table = tally(frame, keys)
    else:
        require_numbers(frame, columns, ("weight",))
        # A missing weight must not vanish in the sum.
        total = [
            nw.col("weight").sum().alias("total"),
            nw.col("weight").min().alias("least"),
            nw.col("weight").count().alias("present"),
            nw.len().alias("rows"),
        ]
        with np.errstate(over="ignore"):  # an infinite sum is refused below
            table = collect(frame.group_by(*keys).agg(*total))
    require_rows(table)
    require_present(table, frame, columns, keys, {"outcome": ("a", "b")} if scores else None)
    if weight is not None:
        _require_weights(table, frame, columns)
    labels = _labels(table)
    _require_two_items(labels, frame)
    side = _decode(table, labels, frame, columns)
    counts = np.zeros((len(side), 3))
    counts[np.arange(len(side)), side] = table["total"].to_numpy()
    return labels | {"counts": counts}


def aggregate_counts(
    frame, left, right, wins, losses, ties=None, agent=None, instance=None, duplicates="sum"
):
    """Return what a table of counts says: arguments of `Comparisons._from_labels`."""
    if duplicates not in ("sum", "error"):
        raise ValueError(f'`duplicates` must be "sum" or "error", got {duplicates!r}.')
    if ties is None and "ties" in column_names(frame):
        ties = "ties"
    columns = {"left": left, "right": right, "agent": agent, "instance": instance}
    numbers = {"wins": wins, "losses": losses, "ties": ties}
    columns |= numbers
    frame = _select(frame, columns)
    present = [name for name in numbers if columns[name] is not None]
    require_numbers(frame, columns, present)
    numbered = not isinstance(frame, nw.LazyFrame)
    table = collect(frame)
    require_rows(table)
    require_present(table, frame, columns, [name for name in columns if columns[name] is not None])
    counts = np.zeros((len(table), 3))
    for name in present:
        counts[:, list(numbers).index(name)] = table[name].to_numpy()
    for name in present:
        values = counts[:, list(numbers).index(name)]
        rule = f"`{columns[name]}` must hold finite counts"
        refuse(~np.isfinite(values), rule, values, numbered)
        refuse(values < 0, f"`{columns[name]}` must not be negative", values, numbered)
    labels = _labels(table)
    _require_two_items(labels, frame)
    if duplicates == "error":
        _require_once(labels, numbered)
    return labels | {"counts": counts}


def _labels(table):
    """Return the labels of each role as an array, or None where there are none."""
    return {role: labels_of(table, role) for role in ("left", "right", "agent", "instance")}


def _require_once(labels, numbered):
    """Refuse rows of the same left and right item, agent and instance."""
    labels = [values for values in labels.values() if values is not None]
    group = np.zeros(len(labels[0]), dtype=np.int64)
    for values in labels:
        distinct, position = number_labels(values)
        _, group = np.unique(group * len(distinct) + position, return_inverse=True)
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
        if columns[side] == columns["instance"]:
            raise ValueError(f"`{side}` and `instance` are the same column, `{columns[side]}`.")
    schema = nw.from_native(frame).collect_schema()
    if schema[columns["left"]].is_numeric() != schema[columns["right"]].is_numeric():
        raise ValueError(
            f"`{columns['left']}` holds {schema[columns['left']]} and `{columns['right']}` holds "
            f"{schema[columns['right']]}: items must be numbers in both columns or texts in both."
        )
    return select(frame, columns, texts=False)


def _require_weights(table, frame, columns):
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
    """Refuse an item against itself."""
    itself = _same(labels["left"], labels["right"])
    items = {str(label) for label in _items(labels)}
    if len(items) == 1:
        raise ValueError(f"Only one item occurs, {items.pop()}: a ranking needs at least two.")
    if np.any(itself):
        twice = sorted({str(label) for label in labels["left"][itself]})
        where = name_rows(frame, text_of(frame, "left") == text_of(frame, "right"))
        raise ValueError(f"An item cannot be compared with itself: {listing(twice)}, {where}.")


def _items(labels):
    """Return the distinct items of both sides."""
    return set(labels["left"].tolist()) | set(labels["right"].tolist())


def _decode(table, labels, frame, columns):
    """Return 0 (left won), 1 (right won) or 2 (tie) for each group."""
    outcome, values = table["outcome"], labels_of(table, "outcome")
    if outcome.dtype == nw.Boolean:
        return np.where(values.astype(bool), 0, 1)
    name = columns["outcome"]
    spelled = {value: str(value).strip().lower() for value in set(values.tolist())}
    known = _outcome_words(set(spelled.values()), labels)
    words = {value: known.get(text, -1) for value, text in spelled.items()}
    word = np.array([words[value] for value in values.tolist()])
    if "a" in columns:
        return word
    # Winners' names, among which the only word can be one for a tie, if no item is called so.
    won, lost = _same(values, labels["left"]), _same(values, labels["right"])
    items = {str(label) for label in _items(labels)}
    ties = {value for value, word in words.items() if word == 2 and str(value) not in items}
    tie = np.array([value in ties for value in values.tolist()])
    side = np.where(won, 0, np.where(lost, 1, np.where(tie, 2, -1)))
    if np.all(word >= 0) and np.all(side >= 0) and np.any(word != side):
        raise ValueError(
            f"`{name}` can be read as the winner's name and as left/right/tie or +1/0/-1; rename "
            "the items or the outcomes."
        )
    if np.all(word >= 0):
        if {str(value) for value in words} in ({"0", "1"}, {"0.0", "1.0"}):
            warnings.warn(
                f"`{name}` holds 1 and 0 but never -1: 1 is read as a win of the left item and 0 "
                "as a tie. If 0 means a loss, use True/False or +1/-1.",
                stacklevel=4,
            )
        return word
    if np.any(side < 0):
        # A side among winners' names is out of place, but a value that means nothing comes first.
        senseless = (side < 0) & (word < 0)
        unknown = values[senseless if senseless.any() else side < 0].tolist()
        condition = text_of(frame, "outcome").is_in(list(dict.fromkeys(unknown)))
        schema = frame.collect_schema()
        for role in ("left", "right"):
            if schema[role] == schema["outcome"] or is_category(schema[role]):
                condition = condition & (text_of(frame, role) != text_of(frame, "outcome"))
        raise ValueError(
            f"Unknown outcome in `{name}`: {listing(sorted({str(value) for value in unknown}))}, "
            f"{name_rows(frame, condition)}. Expected the name of one of the two items, "
            "left/right/tie, H/A/D, or +1/0/-1."
        )
    return side


def _outcome_words(found, labels):
    """Return the words for outcomes, among them letters where they can mean nothing else."""
    items = {str(label).strip().lower() for label in _items(labels)}
    letters = found <= LETTERS.keys() and ("a" not in found or "h" in found)
    return LETTERS if letters and not items & LETTERS.keys() else WORDS


def _same(values, labels):
    """Compare element by element; a number equals a text that spells it."""
    if np.issubdtype(values.dtype, np.number) == np.issubdtype(labels.dtype, np.number):
        return np.asarray(values == labels)
    pairs = zip(values.tolist(), labels.tolist(), strict=True)
    return np.array([str(value) == str(label) for value, label in pairs])
