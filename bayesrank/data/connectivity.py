"""Whether the comparisons can rank all items: strong components of the win graph."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from bayesrank.text import in_terminal, listing

__all__ = ["Connectivity", "connectivity", "connectivity_of_graph"]


@dataclass(frozen=True)
class Connectivity:
    """What the graph of wins says about the items.

    An item has an edge to every item it beat or tied with. Between two strong components the
    results all go one way (or there are none), so their distance has no finite
    maximum-likelihood estimate. Instances are separate problems, and each is looked at on its
    own; items are then called "instance / item".

    Attributes
    ----------
    components : list of list
        Items of each strongly connected component, largest first.
    islands : list of list
        Items of each group that was never compared with another group, largest first.
    never_lose, never_win : list
        Items whose results all went one way; items that were never compared are in neither.
    n_instances : int
        Number of instances.
    split, loose : list
        If there are several instances, those with more than one island, and those with more than
        one strong component.
    """

    components: list[Any]
    islands: list[Any]
    never_lose: list[Any]
    never_win: list[Any]
    terms: tuple[str, str] = ("never beaten", "never won")
    n_instances: int = 1
    split: list[Any] = field(default_factory=list)
    loose: list[Any] = field(default_factory=list)

    @property
    def strong(self) -> bool:
        """Whether every item can be reached from every other, so that estimates are finite."""
        # No component has items of two instances, so each instance has at least one.
        return len(self.components) == self.n_instances

    @property
    def connected(self) -> bool:
        """Whether all items (of each instance) were compared, directly or through others."""
        return len(self.islands) == self.n_instances

    def __str__(self) -> str:
        several = self.n_instances > 1
        if self.strong:
            where = f"in each of the {self.n_instances} instances " if several else ""
            return (
                f"connected: {where}every item is linked to every other by wins in both directions"
            )
        words = []
        if several:
            if self.split:
                words.append(f"groups never meet in {self._among(self.split)}")
            if self.loose != self.split:
                words.append(f"wins do not lead from all to all in {self._among(self.loose)}")
        elif not self.connected:
            groups = "; ".join(_names(island) for island in self.islands[:4])
            words.append(f"{len(self.islands)} groups never meet ({groups})")
        if self.never_lose:
            words.append(f"{self.terms[0]}: {_names(self.never_lose)}")
        if self.never_win:
            words.append(f"{self.terms[1]}: {_names(self.never_win)}")
        if not words:
            groups = "; ".join(_names(component) for component in self.components[:4])
            words.append(f"all results between these groups go one way ({groups})")
        text = "; ".join(words)
        cut = not in_terminal() and any(
            len(labels) > 5 for labels in (self.never_lose, self.never_win, self.split, self.loose)
        )
        return f"{text} (.connectivity() has them all)" if cut else text

    def _among(self, instances: list[Any]) -> str:
        return f"{len(instances)} of {self.n_instances} instances ({_names(instances)})"


def _names(labels: Sequence[Any]) -> str:
    """Return a few names; at the terminal, which has no other way to see them, up to a hundred."""
    return listing(labels, 100 if in_terminal() else 5)


def connectivity(
    left: np.ndarray, right: np.ndarray, counts: np.ndarray, items: list[Any], **instances: Any
) -> Connectivity:
    """Return the `Connectivity` of counts of (wins, losses, ties)."""
    forward = counts[:, 0] + counts[:, 2] > 0
    backward = counts[:, 1] + counts[:, 2] > 0
    winner = np.concatenate([left[forward], right[backward]])
    loser = np.concatenate([right[forward], left[backward]])
    return connectivity_of_graph(winner, loser, items, **instances)


def connectivity_of_graph(
    winner: np.ndarray,
    loser: np.ndarray,
    items: list[Any],
    *,
    instance: np.ndarray | None = None,
    instances: list[Any] | None = None,
    **options: Any,
) -> Connectivity:
    """Return the `Connectivity` of a graph with edges from winners to losers.

    Nodes beyond the items are stations: an item with an edge to a station beats all items that
    the station has edges to.
    """
    n = len(items)
    nodes = max(n, 1 + max(winner.max(initial=-1), loser.max(initial=-1)))
    graph = coo_array((np.ones(winner.size), (winner, loser)), shape=(nodes, nodes)).tocsr()

    def groups(connection: str) -> tuple[list[list[Any]], list[Any]]:
        _, label = connected_components(graph, connection=connection)
        order = np.argsort(label[:n], kind="stable")
        start = 1 + np.flatnonzero(np.diff(label[order]))
        members = [[items[i] for i in group] for group in np.split(order, start)]
        several = []
        if instances is not None and instance is not None:
            groups_in = np.bincount(instance[order[np.append(0, start)]])
            several = [instances[k] for k in np.flatnonzero(groups_in > 1)]
        return sorted(members, key=len, reverse=True), several

    components, loose = groups("strong")
    islands, split = groups("weak")
    won = np.bincount(winner, minlength=nodes)[:n] > 0
    lost = np.bincount(loser, minlength=nodes)[:n] > 0
    return Connectivity(
        components=components,
        islands=islands,
        never_lose=[items[i] for i in np.flatnonzero(won & ~lost)],
        never_win=[items[i] for i in np.flatnonzero(lost & ~won)],
        n_instances=1 if instances is None else len(instances),
        split=split,
        loose=loose,
        **options,
    )
