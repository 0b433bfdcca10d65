"""How rankings link their items: ties, repeated items, wins, and all pairs."""

import warnings
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.data.ranking_entries import RankingEntries
from bayesrank.data.ranking_pairs import all_pairs, ranking_connectivity
from bayesrank.data.ranking_views import tied_entries

if TYPE_CHECKING:
    from bayesrank.data.comparisons import Comparisons
    from bayesrank.data.connectivity import Connectivity

__all__ = ["RankingLinks"]


class RankingLinks(RankingEntries):
    """What the entries of `Rankings` say of each other."""

    @property
    def has_ties(self) -> bool:
        """Whether any ranked items are tied; those left unranked are not.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.has_ties
        True
        """
        return bool(self._tied.any())

    @cached_property
    def _tied(self) -> np.ndarray:
        return tied_entries(self)

    @property
    def largest_tie(self) -> int:
        """Number of items in the largest tie; 1 where there is none.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.largest_tie
        2
        """
        tied = np.flatnonzero(self._tied)
        key = self.entry_ranking[tied] * (self.entry_rank.max() + 1) + self.entry_rank[tied]
        return int(np.unique(key, return_counts=True)[1].max(initial=1))

    @property
    def repeats_items(self) -> bool:
        """Whether any item is in more than one ranking.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.repeats_items
        True
        """
        return bool(np.bincount(self.entry_item).max(initial=0) > 1)

    def connectivity(self, *, ties: bool = True) -> "Connectivity":
        """Return whether rankings link all items, and which are never below or above another.

        Instances are looked at one by one.
        ``ties`` says whether a tie links its items, or says nothing of their order.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.connectivity().never_win
        ['d']
        """
        return ranking_connectivity(self, ties=ties)

    def to_comparisons(
        self,
        strength: str = "unit",
        *,
        by_agent: bool = False,
        by_category: bool = False,
        by_time: bool = False,
        warn: bool = True,
    ) -> "Comparisons":
        """Return all pairs of items of each ranking as `Comparisons`.

        The p(p - 1)/2 pairs of a ranking of p items are not independent, only p - 1 of them are
        free: as comparisons they give good point estimates, but posteriors that are far too
        narrow.

        Parameters
        ----------
        strength : {"unit", "difference"}
            "unit": each pair adds its ranking's weight as a win of the better item, or as a tie.
            "difference": the better item wins by the difference of the two ranks, or of the
            ratings where there are any, times the weight, and ties add nothing. Unranked items
            are one rank below the last ranked one, and are not compared with each other.
        by_agent, by_category, by_time : bool
            Keep the agents, the categories or the times apart; otherwise they are forgotten.
        warn : bool
            Whether to warn that pairs are not independent.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.to_comparisons(warn=False).to_frame()
          left right  wins  losses  ties
        0    a     b     1       1     0
        1    a     c     1       0     0
        2    a     d     1       0     0
        3    b     c     0       0     1
        4    b     d     1       0     0
        5    c     d     1       0     0
        """
        if strength not in ("unit", "difference"):
            raise ValueError(f'`strength` must be "unit" or "difference", got {strength!r}.')
        apart = {"agent": by_agent, "category": by_category, "time": by_time}
        for name, asked in apart.items():
            if asked and getattr(self, name) is None:
                what = "categories" if name == "category" else f"{name}s"
                raise ValueError(f"`by_{name}` was asked for, but these rankings have no {what}.")
        size = self.sizes.max()
        if warn and size > 2:
            warnings.warn(
                "All pairs of a ranking of p items are p(p - 1)/2 results, of which only p - 1 are "
                f"free: the longest ranking here counts {size / 2:g} times. Use these comparisons "
                'for a point estimate (method="map"); a posterior from them is far too narrow. '
                "warn=False silences this.",
                stacklevel=2,
            )
        return all_pairs(self, strength, [name for name, asked in apart.items() if asked])
