"""Instances: separate problems, such as search queries, that share their agents.

Each item belongs to one instance; the same label in two instances is two items. Items are numbered
by instance first, so that those of an instance are contiguous.
"""

from collections import Counter
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from bayesrank.data.labels import choose_labels, kept_labels, number_labels
from bayesrank.data.spellings import warn_of_spellings
from bayesrank.text import listing

__all__ = [
    "choose_items",
    "first_and_last",
    "item_keys",
    "item_texts",
    "items_of_subset",
    "joined_texts",
    "number_items",
    "require_distinct",
    "without_rare",
]


def number_items(
    labels: Any, instance: Any = None, *, known: bool = False
) -> tuple[list[Any], np.ndarray, dict[str, Any]]:
    """Return the items, the position of each label among them, and their instances.

    The last is a dict with the fields ``instance`` and ``instances`` of a container; it is empty
    where there is only one instance. Of names in several spellings a warning tells, unless they
    are ``known``.
    """
    plain, position = number_labels(labels)
    if not known:
        warn_of_spellings(plain)
    if instance is None:
        return plain, position, {}
    instances, where = number_labels(instance)
    if len(instances) == 1:
        return plain, position, {}
    key, position = np.unique(where * len(plain) + position, return_inverse=True)
    items = [plain[k] for k in (key % len(plain)).tolist()]
    instance = key // len(plain)
    joined_texts("item", instances, instance, items)
    return items, position, {"instance": instance, "instances": instances}


def joined_texts(
    what: str, instances: Sequence[Any], instance: np.ndarray, labels: Sequence[Any]
) -> list[str]:
    """Return "instance / label" for each label, or say which of these texts are not distinct."""
    texts = [f"{instances[k]} / {label}" for k, label in zip(instance, labels, strict=True)]
    require_distinct(texts, ["instance", what])
    return texts


def require_distinct(texts: Sequence[str], words: Sequence[str]) -> None:
    """Refuse texts that are not distinct, which were joined from what the words say."""
    if len(set(texts)) < len(texts):
        twice = [text for text, count in Counter(texts).items() if count > 1]
        what = " and ".join([", ".join(words[:-1]), words[-1]])
        raise ValueError(
            f'{what.capitalize()} as a text, "{" / ".join(words)}", must be distinct: '
            f"{listing(twice)} is of two. Rename them."
        )


def item_keys(data: Any) -> list[Any]:
    """Return the name of each item: its label, or (instance, label) where there are instances."""
    if data.instances is None:
        return list(data.items)
    return [(data.instances[q], label) for q, label in zip(data.instance, data.items, strict=True)]


def item_texts(data: Any) -> list[Any]:
    """Return distinct labels of the items: "instance / item" where there are instances."""
    if data.instances is None:
        return list(data.items)
    return joined_texts("item", data.instances, data.instance, data.items)


def first_and_last(data: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the first and the last item of each item's instance."""
    n = len(data.items)
    if data.instances is None:
        return np.zeros(n, dtype=np.int64), np.full(n, n - 1)
    first = np.searchsorted(data.instance, data.instance, "left")
    return first, np.searchsorted(data.instance, data.instance, "right") - 1


def choose_items(
    data: Any, items: Sequence[Any] | None, instances: Sequence[Any] | None
) -> np.ndarray:
    """Return the mask of the items with the wanted labels, in the wanted instances."""
    keep = np.ones(len(data.items), dtype=bool)
    if items is not None:
        keep &= choose_labels("items", items, data.items)
    if instances is not None:
        if data.instances is None:
            raise ValueError("`instances` was given, but there is only one instance.")
        keep &= choose_labels("instances", instances, data.instances)[data.instance]
    return keep


def without_rare(data: Any, min_count: int) -> Any:
    """Return data without items that occur fewer than ``min_count`` times among those kept."""
    if not isinstance(min_count, Real) or isinstance(min_count, bool) or not min_count >= 1:
        raise ValueError(f"`min_count` must be a number from 1 up, got {min_count!r}.")
    while True:
        keep = data._item_counts() >= min_count
        if keep.all():
            return data
        if keep.sum() < 2:
            raise ValueError(
                f"`min_count` is {min_count:g}, which leaves fewer than two items: none of the "
                f"others has more than {data._item_counts().max():g}."
            )
        data = data._only(keep)


def items_of_subset(data: Any, keep: np.ndarray) -> dict[str, Any]:
    """Return the fields of the items that a mask keeps: the items and their instances."""
    about = {"items": kept_labels(data.items, keep)}
    if data.instances is None:
        return about
    left, instance = np.unique(data.instance[keep], return_inverse=True)
    if left.size < 2:
        return about
    return about | {"instance": instance, "instances": [data.instances[k] for k in left]}
