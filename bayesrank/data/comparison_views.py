"""Views of comparisons: a description, a subset, all pairs of items, and a frame."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.instances import first_and_last, item_texts, items_of_subset
from bayesrank.data.labels import choose_rows
from bayesrank.data.times import kept_times, span_of
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "all_pairs_of_items",
    "categories_in_words",
    "count_frame",
    "describe",
    "ordered_pairs",
    "rows_of_subset",
]


def describe(data: Any) -> str:
    """Describe what comparisons hold, and whether they link all items."""
    total, ties = data.counts.sum(), data.counts[:, 2].sum()
    share = ties / total if total else 0.0
    words = [f"Comparisons: {len(data.items)} items"]
    if data.instances is not None:
        words.append(f"{len(data.instances):,} instances")
    words.append(f"{ordered_pairs(data):,} ordered pairs")
    if data.agents is not None:
        words.append(f"{len(data.agents)} agents")
    if data.times is not None:
        words.append(span_of(data.times))
    words += categories_in_words(data)
    words += [f"{_number(total)} comparisons", f"{_number(ties)} ties ({share:.0%})"]
    if data.both_bad is not None and data.both_bad.any():
        words.append(f"{_number(data.both_bad.sum())} votes that both are bad, kept apart")
    if data.feature_names:
        words.append(f"features {listing(data.feature_names, 8)}")
    if data.derived:
        words.append("made from rankings")
    items = f"items: {listing(item_texts(data), 8)}"
    return "\n  ".join([", ".join(words), items, str(data.connectivity())])


def _number(count: Any) -> str:
    """Return a count as a text; weights may be fractions."""
    return f"{count:,}" if isinstance(count, np.integer) else f"{count:,.10g}"


def categories_in_words(data: Any) -> list[str]:
    """Return how many categories there are, as a text, if there are any."""
    if data.categories is None:
        return []
    count = len(data.categories)
    return [f"{count:,} {'category' if count == 1 else 'categories'}"]


def ordered_pairs(data: Any) -> int:
    """Return the number of different ordered pairs, over all agents."""
    return len(np.unique(data.left.astype(np.int64) * len(data.items) + data.right))


def rows_of_subset(
    data: Any,
    keep_item: np.ndarray,
    agents: Sequence[Any] | None = None,
    categories: Sequence[Any] | None = None,
) -> dict[str, Any]:
    """Return the rows among the items that a mask keeps, by the wanted agents, of categories."""
    what = "comparisons"
    by, who, judges = choose_rows("agents", agents, data.agent, data.agents, what)
    of, topic, topics = choose_rows("categories", categories, data.category, data.categories, what)
    keep = keep_item[data.left] & keep_item[data.right] & by & of
    number = np.cumsum(keep_item) - 1
    return {
        "left": number[data.left[keep]],
        "right": number[data.right[keep]],
        "counts": data.counts[keep],
        "agent": None if who is None else who[keep],
        "agents": judges,
        "category": None if topic is None else topic[keep],
        "categories": topics,
        "features": None if data.features is None else data.features[keep],
        "feature_names": data.feature_names,
        "both_bad": None if data.both_bad is None else data.both_bad[keep],
        "derived": data.derived,
        "sided": data.sided,
        **kept_times(data, keep),
        **items_of_subset(data, keep_item),
    }


def all_pairs_of_items(data: Any) -> dict[str, Any]:
    """Return rows for every pair of items (of an instance) and every agent, and their counts.

    Votes that both were bad are the same whoever was on the left.
    """
    n = len(data.items)
    _, last = first_and_last(data)
    others = last - np.arange(n)  # items of the same instance that come after each item
    before = np.cumsum(others) - others
    left = np.repeat(np.arange(n), others)
    right = left + 1 + np.arange(left.size) - before[left]
    agents = 1 if data.agents is None else len(data.agents)
    turned = data.left > data.right
    low, high = np.minimum(data.left, data.right), np.maximum(data.left, data.right)
    row = before[low] + high - low - 1
    if data.agent is not None:
        row += data.agent * left.size
    counts = np.zeros((agents * left.size, 3), data.counts.dtype)
    np.add.at(counts, row[~turned], data.counts[~turned])
    np.add.at(counts, row[turned], data.counts[turned][:, [1, 0, 2]])
    both_bad = None
    if data.both_bad is not None:
        both_bad = np.zeros(len(counts), data.both_bad.dtype)
        np.add.at(both_bad, row, data.both_bad)
    return {
        "left": np.tile(left, agents),
        "right": np.tile(right, agents),
        "counts": counts,
        "both_bad": both_bad,
        "agent": None if data.agent is None else np.repeat(np.arange(agents), left.size),
    }


def count_frame(data: Any) -> "pd.DataFrame":
    """Return a pandas frame with one row per ordered pair and agent."""
    import pandas as pd

    columns = {
        "left": [data.items[i] for i in data.left],
        "right": [data.items[i] for i in data.right],
        "wins": data.counts[:, 0],
        "losses": data.counts[:, 1],
        "ties": data.counts[:, 2],
    }
    if data.agent is not None:
        columns["agent"] = [data.agents[i] for i in data.agent]
    if data.instances is not None:
        columns["instance"] = [data.instances[k] for k in data.instance[data.left]]
    if data.time is not None:
        columns["time"] = [data.times[k] for k in data.time]
    if data.category is not None:
        columns["category"] = [data.categories[k] for k in data.category]
    if data.both_bad is not None:
        columns["both_bad"] = data.both_bad
    for k, name in enumerate(data.feature_names or ()):
        columns[name] = data.features[:, k]
    return pd.DataFrame(columns)
