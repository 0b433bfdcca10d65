"""From lists of labels, or a matrix of ranks, to rankings in long form."""

from collections import Counter
from numbers import Number

import narwhals as nw
import numpy as np

from bayesrank.data.columns import collect, numbers_of, require_columns, require_rows
from bayesrank.data.entries import checked_unranked, checked_weights
from bayesrank.data.instances import number_items
from bayesrank.data.labels import is_missing, number_labels
from bayesrank.data.times import number_times
from bayesrank.text import listing, option, short

__all__ = [
    "check_distinct",
    "check_label",
    "check_one_each",
    "listed_entries",
    "matrix_entries",
]

BLOCKS = (set, frozenset, list, tuple)


def listed_entries(
    lists, weights, items, unranked, agents, names, instances=None, times=None, every=None,
    categories=None,
):  # fmt: skip
    """Return what lists of labels say: arguments of `Rankings._from_entries`."""
    checked_unranked(unranked)
    if isinstance(lists, (str, bytes, dict)) or not np.iterable(lists):
        raise TypeError(f"`lists` must be a list of rankings, got {type(lists).__name__}.")
    rankings = [_blocks(f"lists[{k}]", ranking) for k, ranking in enumerate(lists)]
    if not rankings:
        raise ValueError("`lists` is empty: at least one ranking is needed.")
    homes = [None] * len(rankings)
    if instances is not None:
        homes = check_one_each("instances", instances, len(rankings))
    # The same label in two instances is two items.
    found = dict.fromkeys(
        (home, label)
        for home, blocks in zip(homes, rankings, strict=True)
        for block in blocks
        for label in block
    )
    if items is not None:
        named = check_distinct("items", items)
        known = set(named)
        unknown = list(dict.fromkeys(label for _, label in found if label not in known))
        if unknown:
            raise ValueError(f"`items` does not have {listing(unknown)}.")
        found = [(home, label) for home in dict.fromkeys(homes) for label in named]
    items, position, about = number_items(
        [label for _, label in found], None if instances is None else [home for home, _ in found]
    )
    where = dict(zip(found, position.tolist(), strict=True))
    ranking, item, level = [], [], []
    for k, (home, blocks) in enumerate(zip(homes, rankings, strict=True)):
        ranked = [where[home, label] for block in blocks for label in block]
        ranking += [k] * len(ranked)
        item += ranked
        level += [m for m, block in enumerate(blocks, 1) for _ in block]
    return {
        "ranking": np.array(ranking),
        "item": np.array(item),
        "level": np.array(level, dtype=float),
        "items": items,
        "place": "ranking",
        "remedy": f"Leave it out, or say that more was offered with {option('unranked', 'below')}.",
        "unranked": unranked,
        **about,
        **_check_about(len(rankings), weights, agents, names, categories),
        **_check_times(len(rankings), times, every),
    }


def matrix_entries(ranks, items, weights, agents, names, unranked, instances=None, categories=None):
    """Return what a matrix of ranks says: arguments of `Rankings._from_entries`."""
    below = checked_unranked(unranked)
    ranks, columns = _matrix(ranks, items)
    offered = ~np.isnan(ranks) & (ranks != 0)
    bad = offered & ~(np.isfinite(ranks) & (ranks >= 1) & (ranks == np.round(ranks)))
    if bad.any():
        where = np.argwhere(bad)[:6]
        shown = [f"{ranks[r, c]:g} in row {r} for {short(columns[c])}" for r, c in where]
        more = bad.sum() - len(shown)
        raise ValueError(
            "Ranks must be whole numbers, 1 for the best (0 or missing: "
            f"{'unranked' if below else 'not offered'}): {', '.join(shown)}"
            f"{f' and {more} more' if more else ''} (the first row is 0)."
        )
    _require_ranks_from_one(ranks)
    row, column = np.nonzero(offered | below)
    homes = [] if instances is None else check_one_each("instances", instances, len(ranks))
    if len(set(homes)) > 1:
        # A column is an item of the instances that offer it.
        labels, position, about = number_items(
            [columns[k] for k in column.tolist()], [homes[k] for k in row.tolist()]
        )
    else:
        labels, position = number_labels(columns)
        position, about = position[column], {}
    return {
        "ranking": row,
        "item": position,
        "level": np.where(offered, ranks, np.inf)[row, column],
        "items": labels,
        "place": "row",
        "remedy": "Drop such rows first.",
        "unranked": unranked,
        **about,
        **_check_about(len(ranks), weights, agents, names, categories),
    }


def _require_ranks_from_one(ranks):
    """Refuse ranks that look as if the best were 0, where 0 is an item without a rank."""
    if ((ranks == 0).sum(axis=1) == 1).all() and not np.isnan(ranks).any():
        raise ValueError(
            "Every row of `ranks` holds exactly one 0. If 0 is the best rank, add 1 to all ranks: "
            "1 is the best. If 0 is an item without a rank, write NaN (missing) instead."
        )


def check_distinct(argument, labels):
    """Return labels, sorted, or say which are missing or repeated."""
    labels = [check_label(argument, label) for label in labels]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise ValueError(f"`{argument}` has labels twice: {listing(twice)}.")
    return number_labels(labels)[0]


def _check_about(rankings, weights, agents, names, categories):
    """Return what was given for each ranking, checked: names, weights, agents and categories."""
    if names is None:
        names = list(range(rankings))
    else:
        names = check_one_each("names", names, rankings)
        check_distinct("names", names)
    labels, kinds = None, None
    if agents is not None:
        labels, agents = number_labels(check_one_each("agents", agents, rankings))
    if categories is not None:
        kinds, categories = number_labels(check_one_each("categories", categories, rankings))
    return {
        "names": names,
        "shown": range(rankings),
        "weights": checked_weights(weights, rankings),
        "agent": agents,
        "agents": labels,
        "category": categories,
        "categories": kinds,
    }


def _check_times(rankings, times, every):
    """Return the position of each ranking's time, and the times, if there are any."""
    if times is None:
        if every is not None:
            raise ValueError("`every` needs `times`, when each ranking was made.")
        return {}
    times = [value if isinstance(value, np.datetime64) else check_label("times", value)
             for value in times]  # fmt: skip
    if len(times) != rankings:
        raise ValueError(
            f"`times` must hold one time for each of the {rankings} rankings, got {len(times)}."
        )
    times, position = number_times(times, "times", every)
    return {"time": position, "times": times}


def check_one_each(argument, labels, rankings):
    """Return labels, or say that there is not one for each ranking."""
    labels = [check_label(argument, label) for label in labels]
    if len(labels) != rankings:
        raise ValueError(
            f"`{argument}` must hold one label for each of the {rankings} rankings, "
            f"got {len(labels)}."
        )
    return labels


def _blocks(argument, ranking):
    """Return a ranking as a list of lists of labels."""
    ordered = np.iterable(ranking) and not isinstance(ranking, (str, bytes, set, frozenset, dict))
    if not ordered:
        raise TypeError(
            f"`{argument}` must be a list of labels and blocks, best first, "
            f"got the {type(ranking).__name__} {ranking!r}."
        )
    blocks = []
    for block in ranking:
        labels = list(block) if isinstance(block, BLOCKS) else [block]
        if not labels:
            raise ValueError(f"`{argument}` has an empty block.")
        blocks.append([check_label(argument, label) for label in labels])
    if not blocks:
        raise ValueError(f"`{argument}` is an empty ranking: leave it out.")
    return blocks


def check_label(argument, label):
    """Return a label as a plain Python object, or say why it is not a label."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, (*BLOCKS, dict, np.ndarray)):
        raise TypeError(f"`{argument}` must hold labels and blocks of labels, got {label!r}.")
    if is_missing(label):
        raise ValueError(f"`{argument}` has a missing label, {label!r}.")
    return label


def _matrix(ranks, items):
    """Return a matrix of floats, NaN where a rank is missing, and the labels of its columns."""
    try:
        frame = collect(nw.from_native(ranks))
    except TypeError:
        return _array(ranks, items)
    columns = list(frame.columns) if items is None else list(items)
    if not columns:
        raise ValueError("A wide table must have a column for each item, and there is none.")
    require_columns(ranks, {name: name for name in columns})
    check_distinct("items", columns)
    require_rows(frame, "ranking")
    return np.stack([_column(frame.get_column(name)) for name in columns], axis=1), columns


def _array(ranks, items):
    try:
        ranks = np.asarray(ranks)
    except ValueError:
        raise ValueError("`ranks` must have as many columns in each row.") from None
    if ranks.ndim != 2 or ranks.size == 0:
        raise ValueError(
            f"`ranks` must have a row for each ranking and a column for each item, "
            f"got shape {ranks.shape}."
        )
    if items is None:
        raise ValueError("`items` must name the columns of `ranks`.")
    items = list(items)
    check_distinct("items", items)
    if len(items) != ranks.shape[1]:
        raise ValueError(
            f"`items` must name the {ranks.shape[1]} columns of `ranks`, got {len(items)} labels."
        )
    if ranks.dtype.kind in "iuf":
        return ranks.astype(float), items
    columns = [_floats(ranks[:, k].tolist(), items[k]) for k in range(len(items))]
    return np.stack(columns, axis=1), items


def _column(series):
    if series.dtype.is_numeric():
        return numbers_of(series)
    return _floats(series.to_list(), series.name)


def _floats(values, label):
    """Return numbers and missing values as floats."""
    values = [np.nan if is_missing(value) else value for value in values]
    for row, value in enumerate(values):
        if not isinstance(value, Number) or isinstance(value, bool):
            raise ValueError(
                f"Ranks must be numbers, got {short(repr(value))} in row {row} for {short(label)} "
                "(the first row is 0)."
            )
    return np.array(values, dtype=float)
