"""How rankings are kept: their entries one after the other, and where each ranking starts."""

from typing import Any, Self

import numpy as np

from bayesrank.data.checks import as_floats
from bayesrank.data.positions import (
    require_categories,
    require_instances,
    require_length,
    require_positions,
    require_times,
)
from bayesrank.data.ranks import ZERO_IS_UNRANKED, seem_to_start_at_zero
from bayesrank.text import listing

__all__ = ["RankingEntries", "require_ranks"]


class RankingEntries:
    """The entries of `Rankings`, and what is known of each ranking."""

    # What is known of the rankings besides their entries.
    _ABOUT = (
        "items", "names", "weights", "agent", "agents", "feature_names", "instance", "instances",
        "time", "times", "category", "categories",
    )  # fmt: skip
    items: list[Any]
    names: list[Any]
    weights: np.ndarray
    agent: np.ndarray | None
    agents: list[Any] | None
    feature_names: list[str] | None
    instance: np.ndarray | None
    instances: list[Any] | None
    time: np.ndarray | None
    times: list[Any] | None
    category: np.ndarray | None
    categories: list[Any] | None
    start: np.ndarray
    entry_item: np.ndarray
    entry_rank: np.ndarray
    entry_features: np.ndarray | None
    entry_ratings: np.ndarray | None
    _slot: np.ndarray | None
    _width: int | None
    _ENTRIES = ("entry_item", "entry_rank", "entry_features", "entry_ratings")

    @classmethod
    def _of_entries(
        cls, start: np.ndarray, entry_item: np.ndarray, entry_rank: np.ndarray, **about: Any
    ) -> Self:
        """Make rankings from their entries, one after the other."""
        made = object.__new__(cls)
        made._fill(start, entry_item, entry_rank, **about)
        return made

    def _fill(
        self,
        start: np.ndarray,
        entry_item: np.ndarray,
        entry_rank: np.ndarray,
        entry_features: np.ndarray | None = None,
        entry_ratings: np.ndarray | None = None,
        slot: np.ndarray | None = None,
        width: int | None = None,
        *,
        items: list[Any],
        names: list[Any] | None = None,
        weights: np.ndarray | None = None,
        **about: Any,
    ) -> None:
        rankings = len(start) - 1
        fields = {
            "start": start,
            "entry_item": entry_item,
            "entry_rank": entry_rank,
            "entry_features": entry_features,
            "entry_ratings": entry_ratings,
            "_slot": slot,  # of each entry, where rankings have empty slots among others
            "_width": width,  # number of slots, where there are more than the longest ranking has
            "items": items,
            "names": list(range(rankings)) if names is None else names,
            "weights": np.ones(rankings) if weights is None else weights,
        }
        known = {name: about.get(name) for name in self._ABOUT} | fields
        for name in ("agent", "instance", "time", "category"):
            known[name] = None if known[name] is None else np.asarray(known[name])
        known["weights"] = as_floats(known["weights"])  # sums of integers may wrap around
        vars(self).update(known)
        self._require_lengths()

    def _require_lengths(self) -> None:
        """Refuse arrays of which compiled code would read past the ends."""
        rankings = len(self.start) - 1
        require_positions("entries", self.entry_item, "items", len(self.items))
        require_length("weights", self.weights, "rankings", rankings)
        bad = np.flatnonzero(~(np.isfinite(self.weights) & (self.weights >= 0)))
        if bad.size:
            shown = listing([f"{self.weights[k]:g} at {k}" for k in bad])
            raise ValueError(f"`weights` must be finite, from 0 up: {shown} (the first is 0).")
        require_length("agent", self.agent, "rankings", rankings)
        if self.agent is not None and self.agents is not None:
            require_positions("agent", self.agent, "agents", len(self.agents))
        require_times(self.time, self.times, "rankings", rankings)
        require_categories(self.category, self.categories, "rankings", rankings)
        require_instances(self.instance, self.instances, len(self.items))

    def _changed(self, **changes: Any) -> Self:
        """Return the rankings with some of what is known of them changed."""
        fields = (*self._ABOUT, *self._ENTRIES, "start")
        known = {name: getattr(self, name) for name in fields} | {
            "slot": self._slot,
            "width": self._width,
        }
        return type(self)._of_entries(**(known | changes))

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def sizes(self) -> np.ndarray:
        """Number of entries of each ranking.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.sizes
        array([4, 2])
        """
        return np.diff(self.start)

    @property
    def entry_ranking(self) -> np.ndarray:
        """Position of the ranking that each entry is in.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.entry_ranking
        array([0, 0, 0, 0, 1, 1])
        """
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def n_entries(self) -> int:
        """Number of slots that hold an item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.n_entries
        6
        """
        return len(self.entry_item)


def require_ranks(entries: np.ndarray, ranks: np.ndarray) -> None:
    """Refuse ranks that do not fit the entries, and those that seem to start at 0."""
    if ranks.ndim != 2 or ranks.shape != entries.shape:
        raise ValueError(
            "`ranks` must have the shape of `entries`, rankings by slots, got "
            f"{ranks.shape} and {entries.shape}."
        )
    bad = np.flatnonzero(((entries >= 0) != (ranks >= 0)).any(axis=1))
    if bad.size:
        raise ValueError(
            "`ranks` must be -1 where `entries` has no item (-1), and 0 or more elsewhere: "
            f"row {listing(bad.tolist())} (the first row is 0)."
        )
    empty = np.flatnonzero((entries < 0).all(axis=1))
    if empty.size:
        raise ValueError(
            f"A ranking without an item says nothing: row {listing(empty.tolist())} (the first row "
            "is 0)."
        )
    if seem_to_start_at_zero(ranks):
        raise ValueError(f"`ranks` {ZERO_IS_UNRANKED}")
