"""Data and more data of the same kind: the same as reading the rows of both together."""

from dataclasses import replace
from datetime import datetime
from numbers import Number
from typing import Any, Self

import numpy as np

from bayesrank.data.chosen_rows import chosen_rows
from bayesrank.data.counted_rows import counted_rows
from bayesrank.data.instances import number_items
from bayesrank.data.labels import number_labels
from bayesrank.data.spellings import warn_of_spellings
from bayesrank.text import listing, option

__all__ = ["Addition", "joined"]

_BOTH = ("the first", "the second")
# What rows may have besides their items, by which comparisons are sorted, the first the most.
_PARTS = {"category": "categories", "time": "times", "agent": "agents"}
_EXAMPLES = {"category": "topic", "time": "date", "agent": "judge"}


class Addition:
    """What makes ``+`` of two containers of one kind."""

    def __add__(self, other: Any) -> Self:
        """Return the data of both; see `joined`."""
        return joined(self, other)[0]

    def __radd__(self, other: Any) -> Self:
        """Return the data themselves for 0, with which `sum` starts."""
        if isinstance(other, int) and other == 0:
            return self
        return joined(other, self)[0]


def joined(first: Any, second: Any, called: tuple[str, str] = _BOTH) -> tuple[Any, np.ndarray]:
    """Return the data of both, and where the rows of the second are in them.

    Items, agents, times, categories and instances are those of either. Comparisons that agree in
    all but their counts are counted together, and fractions of counts add up as well; rankings
    stay rows of their own. It is the same as if the rows of both had been read from one table,
    except that what only one has was not on offer in the rankings of the other.

    Parameters
    ----------
    first, second : Comparisons or Rankings
        Both of the same kind.
    called : pair of str
        What messages call them.
    """
    _require_one_kind(first, second)
    for part, labels in (*_PARTS.items(), ("instance", "instances")):
        _require_both_or_none(first, second, part, labels, called)
    for labels in ("items", "agents", "categories", "instances"):
        _require_labels_alike(labels, first, second, called)
    _require_times_alike(first.times, second.times, called)
    _require_features_alike(first, second, called)
    join = _joined_pairs if first.row == "pair" else _joined_rankings
    result, rows = join(first, second, called)
    _warn_of_new_spellings(first, second)
    return result, rows


def _joined_pairs(first: Any, second: Any, called: tuple[str, str]) -> tuple[Any, np.ndarray]:
    about, position = _union_of_items(first, second)
    parts: dict[str, np.ndarray] = {}
    for part, labels in _PARTS.items():
        _join_labels(first, second, part, labels, about, parts)
    left, right = (
        np.concatenate([own[getattr(data, side)] for data, own in position])
        for side in ("left", "right")
    )
    both_bad = None
    if first.both_bad is not None or second.both_bad is not None:
        votes = (first.both_bad, second.both_bad)
        sizes = (len(first), len(second))
        both_bad = np.concatenate(
            [np.zeros(n, np.int64) if v is None else v for n, v in zip(sizes, votes, strict=True)]
        )
    features = None
    if first.features is not None:
        features = np.concatenate([first.features, second.features])
    counts = np.concatenate([first.counts, second.counts])
    fields, row = counted_rows(
        left, right, counts, len(about["items"]), parts=parts, features=features,
        both_bad=both_bad,
    )  # fmt: skip
    return replace(
        first, **about, **fields,
        derived=first.derived or second.derived, sided=first.sided and second.sided,
    ), row[len(first) :]  # fmt: skip


def _joined_rankings(first: Any, second: Any, called: tuple[str, str]) -> tuple[Any, np.ndarray]:
    about, position = _union_of_items(first, second)
    parts: dict[str, np.ndarray] = {}
    for part, labels in _PARTS.items():
        _join_labels(first, second, part, labels, about, parts)
    _require_ratings_alike(first, second, called)
    names, in_order = _names(first, second, called)

    def both(name: str) -> Any:
        values = [getattr(data, name) for data in (first, second)]
        return None if any(one is None for one in values) else np.concatenate(values)

    slot = None
    if first._slot is not None or second._slot is not None:
        slot = both("entry_slot")
    result = first._changed(
        start=np.concatenate([first.start, first.start[-1] + second.start[1:]]),
        entry_item=np.concatenate([own[data.entry_item] for data, own in position]),
        entry_rank=both("entry_rank"), entry_features=both("entry_features"),
        entry_ratings=both("entry_ratings"), slot=slot,
        width=max(first._width or 0, second._width or 0) or None, names=names,
        weights=both("weights"), **about, **parts,
    )  # fmt: skip
    rows = np.arange(len(first), len(result))
    if not in_order:
        return result, rows
    place = number_labels(names)[1]
    return chosen_rows(result, np.argsort(place)), place[rows]


def _union_of_items(first: Any, second: Any) -> tuple[dict[str, Any], list[tuple[Any, Any]]]:
    """Return the fields of the items of both, and of each the positions of its items there."""
    homes = None
    if first.instances is not None:
        homes = [data.instances[k] for data in (first, second) for k in data.instance.tolist()]
    items, position, about = number_items([*first.items, *second.items], homes, known=True)
    about["items"] = items
    n = len(first.items)
    return about, [(first, position[:n]), (second, position[n:])]


def _join_labels(
    first: Any, second: Any, part: str, labels: str, about: dict[str, Any], parts: dict[str, Any]
) -> None:
    """Add the labels of both, and the position of each row's among them."""
    if getattr(first, part) is None:
        return
    known = len(getattr(first, labels))
    about[labels], position = number_labels([*getattr(first, labels), *getattr(second, labels)])
    own = position[:known][getattr(first, part)], position[known:][getattr(second, part)]
    parts[part] = np.concatenate(own)


def _names(first: Any, second: Any, called: tuple[str, str]) -> tuple[list[Any], bool]:
    """Return the names of all rankings, and whether these are to be put in their order.

    Rankings that are only numbered, 0, 1, 2, ..., are numbered on. Where both are in the order of
    their names, as tables are read, all are.
    """
    if all(_numbered(data.names) for data in (first, second)):
        return list(range(len(first) + len(second))), False
    known = set(first.names)
    twice = [name for name in second.names if name in known]
    if twice:
        rated = (
            " Ratings of one agent make one ranking: read the rows of both together."
            if first.entry_ratings is not None
            else " If they are the same rankings, leave them out of one; if not, give them other "
            "names, such as dataclasses.replace(data, names=[...])."
        )
        raise ValueError(
            f"Rankings of the same name are in {called[0]} and in {called[1]}: {listing(twice)}."
            f"{rated}"
        )
    in_order = all(number_labels(data.names)[0] == list(data.names) for data in (first, second))
    return [*first.names, *second.names], in_order


def _numbered(names: list[Any]) -> bool:
    return all(type(name) is int for name in names) and list(names) == list(range(len(names)))


def _require_one_kind(first: Any, second: Any) -> None:
    if type(first) is type(second):
        return
    kinds = [type(data).__name__ for data in (first, second)]
    if all(isinstance(data, Addition) for data in (first, second)):
        raise TypeError(
            f"{kinds[0]} and {kinds[1]} cannot be added: give two of a kind. "
            ".to_comparisons() makes comparisons of rankings."
        )
    raise TypeError(
        f"{kinds[0]} and {kinds[1]} cannot be added: make both with br.Comparisons.from_frame, "
        "br.Rankings.from_frame or br.read."
    )


def _require_both_or_none(
    first: Any, second: Any, part: str, labels: str, called: tuple[str, str]
) -> None:
    has = [getattr(data, part) is not None for data in (first, second)]
    if has[0] == has[1]:
        return
    with_them, without = called if has[0] else called[::-1]
    remedy = "Read the rows of both together: the name of a single instance is not kept."
    if part in _EXAMPLES:
        remedy = f"Read both with {option(part, _EXAMPLES[part])}, or both without."
    raise ValueError(
        f"Data with {labels} and data without cannot be added; with: {with_them}, without: "
        f"{without}. {remedy}"
    )


def _require_labels_alike(labels: str, first: Any, second: Any, called: tuple[str, str]) -> None:
    """Refuse texts in one and numbers in the other, of which none would be the same."""
    kinds = [_kinds(getattr(data, labels) or ()) for data in (first, second)]
    if kinds[0] and kinds[1] and not kinds[0] & kinds[1]:
        one, other = (listing(sorted(kind)) for kind in kinds)
        raise ValueError(
            f"`{labels}` are {one} in {called[0]} and {other} in {called[1]}, so that none would "
            "be the same. Read both in the same way."
        )


def _kinds(labels: Any) -> set[str]:
    """Return what labels are, in words."""
    return {
        "texts" if isinstance(label, str)
        else "numbers" if isinstance(label, Number)
        else f"of type {type(label).__name__}"
        for label in labels
    }  # fmt: skip


def _require_times_alike(first: Any, second: Any, called: tuple[str, str]) -> None:
    """Refuse dates in one and numbers in the other, or a time zone in one only."""
    if not first or not second:
        return
    kinds = [_kind_of_time(times[0]) for times in (first, second)]
    if kinds[0] != kinds[1]:
        raise ValueError(
            f"`times` are {kinds[0]} in {called[0]} and {kinds[1]} in {called[1]}, so that nobody "
            "knows which came first. Read both in the same way."
        )


def _kind_of_time(time: Any) -> str:
    if not isinstance(time, datetime):
        return "numbers of years"
    return "dates without a time zone" if time.tzinfo is None else "dates with a time zone"


def _require_features_alike(first: Any, second: Any, called: tuple[str, str]) -> None:
    own = "features" if first.row == "pair" else "entry_features"
    told = [
        None if getattr(data, own) is None else list(data.feature_names or [])
        for data in (first, second)
    ]
    if told[0] != told[1]:
        one, other = ("none" if names is None else listing(names, 8) for names in told)
        raise ValueError(
            f"`features` differ: {one} in {called[0]}, {other} in {called[1]}. Read both with the "
            "same features, in the same order."
        )


def _require_ratings_alike(first: Any, second: Any, called: tuple[str, str]) -> None:
    has = [data.entry_ratings is not None for data in (first, second)]
    if has[0] != has[1]:
        rated, ranked = called if has[0] else called[::-1]
        raise ValueError(
            f"Rankings from ratings and others cannot be added; from ratings: {rated}, others: "
            f"{ranked}. Read both in the same way, or leave the ratings out: "
            "dataclasses.replace(data, ratings=None)."
        )


def _warn_of_new_spellings(first: Any, second: Any) -> None:
    """Warn of items of one that look like the other's; of its own each was read with a warning."""
    items, more = set(first.items), set(second.items)
    if not (more <= items or items <= more):
        warn_of_spellings(
            items | more, known=(items, more), remedy="Give them one name first.", stacklevel=5
        )
