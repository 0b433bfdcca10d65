"""Rankings seen otherwise: some of them, and as a tidy frame."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.comparison_views import categories_in_words
from bayesrank.data.instances import item_texts, items_of_subset
from bayesrank.data.labels import choose_rows
from bayesrank.data.times import kept_times, span_of
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

__all__ = ["assumptions", "describe", "rows_of_subset", "tidy_frame", "tied_entries"]


def describe(data: Any) -> str:
    """Return in words what rankings hold and whether they link all items."""
    sizes = data.sizes
    spread = f"{sizes.min()}" if np.ptp(sizes) == 0 else f"{sizes.min()} to {sizes.max()}"
    words = [f"Rankings: {len(data.items):,} items"]
    if data.instances is not None:
        words.append(f"{len(data.instances):,} instances")
    words.append(f"{len(data):,} rankings of {spread} items")
    if data.agents is not None:
        words.append(f"{len(data.agents):,} agents")
    if data.times is not None:
        words.append(span_of(data.times))
    words += categories_in_words(data)
    words.append(f"{data.n_entries:,} entries")
    unranked = int((data.entry_rank == 0).sum())
    for count, what in ((int(data._tied.sum()), "tied"), (unranked, "unranked")):
        if count:
            words.append(f"{count:,} {what} ({count / data.n_entries:.0%})")
    if np.any(data.weights != 1):
        words.append(f"total weight {data.weights.sum():,.10g}")
    if data.entry_features is not None:
        words.append(f"{data.entry_features.shape[1]} features")
    links = "each item is in one ranking"
    if data.entry_features is None or data.repeats_items:
        links = str(data.connectivity())
    return "\n  ".join([", ".join(words), f"items: {listing(item_texts(data), 8)}", links])


def assumptions(data: Any) -> list[str]:
    """Return in sentences what is taken for granted of items without a rank."""
    home = np.zeros(len(data.items), dtype=np.int64) if data.instance is None else data.instance
    all_items = np.bincount(home)[home[data.entry_item[data.start[:-1]]]]
    absent = int((all_items - data.sizes).sum())
    unranked = int((data.entry_rank == 0).sum())
    words = []
    if unranked:
        words.append(
            f"{unranked:,} entries without a rank are taken as below all ranked ones, in unknown "
            "order."
        )
    if absent and data.repeats_items:
        words.append(
            "Items that are not in a ranking are taken as not offered in it "
            f"({absent / (absent + data.n_entries):.0%} of all)."
        )
    return words


def tied_entries(data: Any) -> np.ndarray:
    """Return which entries are ranked and tied with another."""
    ranking, rank = data.entry_ranking, data.entry_rank
    order = np.arange(rank.size)
    if np.any((np.diff(rank) < 0) & (np.diff(ranking) == 0)):
        order = np.lexsort((rank, ranking))  # otherwise equal ranks stand together
    same = (np.diff(ranking[order]) == 0) & (np.diff(rank[order]) == 0) & (rank[order][1:] > 0)
    tied = np.zeros(rank.size, dtype=bool)
    tied[order[1:][same]] = tied[order[:-1][same]] = True
    return tied


def rows_of_subset(
    data: Any,
    keep_item: np.ndarray,
    agents: Sequence[Any] | None = None,
    rankings: "ArrayLike | None" = None,
    categories: Sequence[Any] | None = None,
) -> dict[str, Any]:
    """Return the entries among the items of a mask, of wanted agents, rankings and categories."""
    places = np.arange(len(data)) if rankings is None else _places(data, rankings)
    by, who, judges = choose_rows("agents", agents, data.agent, data.agents, "rankings")
    of, topic, topics = choose_rows(
        "categories", categories, data.category, data.categories, "rankings"
    )
    places = places[np.broadcast_to(by & of, len(data))[places]]
    kept = keep_item[data.entry_item]
    # A ranking must have an item to rank, and another to compare it with.
    left = np.bincount(data.entry_ranking, kept, len(data))[places]
    ranked = np.bincount(data.entry_ranking, kept & (data.entry_rank > 0), len(data))[places]
    places = places[(left > 1) & (ranked > 0)]
    if not places.size:
        raise ValueError("No ranking is left with two of the items and a rank among them.")
    row = np.full(len(data), -1)
    row[places] = np.arange(places.size)
    source = np.flatnonzero(kept & (row[data.entry_ranking] >= 0))
    rank, features, ratings = data.entry_rank[source], data.entry_features, data.entry_ratings
    return {
        "ranking": row[data.entry_ranking[source]],
        "item": (np.cumsum(keep_item) - 1)[data.entry_item[source]],
        "level": np.where(rank > 0, rank, np.inf),
        "gaps": True,
        "names": [data.names[k] for k in places],
        "weights": data.weights[places],
        "agent": None if who is None else who[places],
        "agents": judges,
        "category": None if topic is None else topic[places],
        "categories": topics,
        **kept_times(data, places),
        "features": None if features is None else features[source],
        "feature_names": data.feature_names,
        "ratings": None if ratings is None else ratings[source],
        **items_of_subset(data, keep_item),
    }


def tidy_frame(data: Any) -> "pd.DataFrame":
    """Return a pandas frame with one row per entry."""
    import pandas as pd

    ranking, item = data.entry_ranking, data.entry_item
    rank = pd.Series(data.entry_rank)
    columns = {
        "ranking": [data.names[k] for k in ranking],
        "item": [data.items[k] for k in item],
        "rank": rank.astype("Int64").mask(rank == 0) if (rank == 0).any() else rank,
    }
    if data.instances is not None:
        columns["instance"] = [data.instances[k] for k in data.instance[item]]
    if data.agent is not None:
        columns["agent"] = [data.agents[k] for k in data.agent[ranking]]
    if data.time is not None:
        columns["time"] = [data.times[k] for k in data.time[ranking]]
    if data.category is not None:
        columns["category"] = [data.categories[k] for k in data.category[ranking]]
    if np.any(data.weights != 1):
        columns["weight"] = data.weights[ranking]
    if data.entry_ratings is not None:
        columns["rating"] = data.entry_ratings
    if data.entry_features is not None:
        for k, name in enumerate(data.feature_names):
            name = f"feature {name}" if name in columns else name
            columns[name] = data.entry_features[:, k]
    return pd.DataFrame(columns)


def _places(data: Any, rankings: "ArrayLike") -> np.ndarray:
    """Return the positions that a mask or a list of positions stands for."""
    rankings = np.asarray(rankings)
    rule = "`rankings` must be a mask or positions"
    if rankings.dtype == bool:
        if rankings.shape != (len(data),):
            raise ValueError(f"{rule} of the {len(data)} rankings, got shape {rankings.shape}.")
        return np.flatnonzero(rankings)
    rankings = rankings.ravel() if rankings.size else np.zeros(0, dtype=int)
    if rankings.dtype.kind not in "iu":
        raise ValueError(f"{rule}, got {rankings.dtype} values.")
    if np.any((rankings < -len(data)) | (rankings >= len(data))):
        raise ValueError(f"{rule} from 0 to {len(data) - 1}, got {rankings.max()}.")
    places = rankings % len(data)
    if np.unique(places).size < places.size:
        raise ValueError(f"{rule} without repetition.")
    return places
