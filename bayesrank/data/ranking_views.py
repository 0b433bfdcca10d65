"""Rankings seen otherwise: some of them, and as a tidy frame."""

import numpy as np

from bayesrank.data.instances import item_texts, items_of_subset
from bayesrank.data.labels import choose_labels, kept_labels
from bayesrank.text import listing

__all__ = ["assumptions", "describe", "rows_of_subset", "tidy_frame", "tied_slots"]


def describe(data):
    """Return in words what rankings hold and whether they link all items."""
    sizes = data.offered.sum(axis=1)
    spread = f"{sizes.min()}" if np.ptp(sizes) == 0 else f"{sizes.min()} to {sizes.max()}"
    words = [f"Rankings: {len(data.items):,} items"]
    if data.instances is not None:
        words.append(f"{len(data.instances):,} instances")
    words.append(f"{len(data):,} rankings of {spread} items")
    if data.agents is not None:
        words.append(f"{len(data.agents):,} agents")
    words.append(f"{data.n_entries:,} entries")
    for count, what in ((tied_slots(data).sum(), "tied"), ((data.ranks == 0).sum(), "unranked")):
        if count:
            words.append(f"{count:,} {what} ({count / data.n_entries:.0%})")
    if np.any(data.weights != 1):
        words.append(f"total weight {data.weights.sum():,.10g}")
    if data.features is not None:
        words.append(f"{data.features.shape[2]} features")
    once = np.bincount(data.entries[data.offered]).max() == 1
    links = "each item is in one ranking"
    if data.features is None or not once:
        links = str(data.connectivity())
    return "\n  ".join([", ".join(words), f"items: {listing(item_texts(data), 8)}", links])


def assumptions(data):
    """Return in sentences what is taken for granted of items without a rank."""
    home = np.zeros(len(data.items), dtype=np.int64) if data.instance is None else data.instance
    all_items = np.bincount(home)[home[data.entries[:, 0]]]
    absent = int((all_items - data.offered.sum(axis=1)).sum())
    unranked = int((data.ranks == 0).sum())
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


def tied_slots(data):
    """Return which slots hold a ranked item that is tied with another."""
    width = data.ranks.shape[1] + 1
    key = np.arange(len(data))[:, None] * width + data.ranks
    ranked = data.ranks > 0
    return ranked & (np.bincount(key[ranked], minlength=len(data) * width)[key] > 1)


def rows_of_subset(data, keep_item, agents=None, rankings=None):
    """Return the entries among the items of a mask, of the wanted agents and rankings."""
    places = np.arange(len(data)) if rankings is None else _places(data, rankings)
    who, judges = data.agent, data.agents
    if agents is not None:
        if data.agents is None:
            raise ValueError("`agents` was given, but these rankings have no agents.")
        keep_agent = choose_labels("agents", agents, data.agents)
        places = places[keep_agent[data.agent[places]]]
        who = (np.cumsum(keep_agent) - 1)[data.agent]
        judges = kept_labels(data.agents, keep_agent)
    offered = data.offered[places]
    offered &= keep_item[data.entries[places]]
    # A ranking must have an item to rank, and another to compare it with.
    enough = (offered.sum(axis=1) > 1) & (offered & (data.ranks[places] > 0)).any(axis=1)
    places, offered = places[enough], offered[enough]
    if not places.size:
        raise ValueError("No ranking is left with two of the items and a rank among them.")
    row, slot = np.nonzero(offered)
    source = places[row]
    rank = data.ranks[source, slot]
    return {
        "ranking": row,
        "item": (np.cumsum(keep_item) - 1)[data.entries[source, slot]],
        "level": np.where(rank > 0, rank, np.inf),
        "gaps": True,
        "names": [data.names[k] for k in places],
        "weights": data.weights[places],
        "agent": None if who is None else who[places],
        "agents": judges,
        "features": None if data.features is None else data.features[source, slot],
        "feature_names": data.feature_names,
        "ratings": None if data.ratings is None else data.ratings[source, slot],
        **items_of_subset(data, keep_item),
    }


def tidy_frame(data):
    """Return a pandas frame with one row an entry."""
    import pandas as pd

    ranking, slot = np.nonzero(data.offered)
    rank = pd.Series(data.ranks[ranking, slot])
    columns = {
        "ranking": [data.names[k] for k in ranking],
        "item": [data.items[k] for k in data.entries[ranking, slot]],
        "rank": rank.astype("Int64").mask(rank == 0) if (rank == 0).any() else rank,
    }
    if data.instances is not None:
        where = data.instance[data.entries[ranking, slot]]
        columns["instance"] = [data.instances[k] for k in where]
    if data.agent is not None:
        columns["agent"] = [data.agents[k] for k in data.agent[ranking]]
    if np.any(data.weights != 1):
        columns["weight"] = data.weights[ranking]
    if data.ratings is not None:
        columns["rating"] = data.ratings[ranking, slot]
    if data.features is not None:
        for k, name in enumerate(data.feature_names):
            name = f"feature {name}" if name in columns else name
            columns[name] = data.features[ranking, slot, k]
    return pd.DataFrame(columns)


def _places(data, rankings):
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
