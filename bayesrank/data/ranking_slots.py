"""Rankings as matrices, one row per ranking and one column per slot, made when asked for."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

from bayesrank.data.ranking_entries import RankingEntries

__all__ = ["RankingSlots"]

# Slots of a matrix that is made without a word: 0.8 GB of whole numbers.
_MOST_SLOTS = 100_000_000


class RankingSlots(RankingEntries):
    """The padded views of `Rankings`, for PyMC models."""

    @staticmethod
    def _flattened(
        entries: np.ndarray,
        ranks: np.ndarray,
        features: "ArrayLike | None",
        ratings: "ArrayLike | None",
    ) -> dict[str, Any]:
        """Return the entries of matrices, and the slots that they were in where that matters."""
        offered = entries >= 0
        sizes = offered.sum(axis=1)
        # Usually the items stand in the first slots of each ranking, and nothing is to be kept.
        packed = bool((offered == (np.arange(entries.shape[1]) < sizes[:, None])).all())
        slot = None if packed else np.nonzero(offered)[1]

        def held(name: str, table: Any) -> np.ndarray | None:
            """Return the rows of a table that hold an item, without a copy where all of them do."""
            if table is None:
                return None
            table = np.asarray(table)
            if table.shape[:2] != entries.shape:
                raise ValueError(
                    f"`{name}` must have a row for each of the {entries.shape[0]} rankings and "
                    f"{entries.shape[1]} slots, got shape {table.shape}."
                )
            return table.reshape(-1, *table.shape[2:]) if offered.all() else table[offered]

        return {
            "start": np.concatenate([[0], np.cumsum(sizes)]),
            "entry_item": held("entries", entries),
            "entry_rank": held("ranks", ranks),
            "entry_features": held("features", features),
            "entry_ratings": held("ratings", ratings),
            "slot": slot,
            "width": entries.shape[1],
        }

    @property
    def entry_slot(self) -> np.ndarray:
        """Slot of each entry in its ranking.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.entry_slot
        array([0, 1, 2, 3, 0, 1])
        """
        if self._slot is not None:
            return self._slot
        return np.arange(self.n_entries) - np.repeat(self.start[:-1], self.sizes)

    @property
    def n_slots(self) -> int:
        """Number of slots of the padded views: those that were given, or of the longest ranking.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.n_slots
        4
        """
        needed = int((self.sizes if self._slot is None else self._slot + 1).max(initial=0))
        return max(needed, self._width or 0)

    @property
    def fits_slots(self) -> bool:
        """Whether a matrix of all slots is small enough to be made.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.fits_slots
        True
        """
        return len(self) * self.n_slots <= _MOST_SLOTS

    def padded(self, values: np.ndarray, padding: Any) -> np.ndarray:
        """Return numbers of all entries as a matrix, rankings by slots.

        Parameters
        ----------
        values : ndarray
            One number, or one row of numbers, for each entry.
        padding : number
            For slots without an item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.padded(np.arange(6), -1)
        array([[ 0,  1,  2,  3],
               [ 4,  5, -1, -1]])
        """
        if not self.fits_slots:
            raise MemoryError(
                f"A matrix of {len(self):,} rankings by {self.n_slots:,} slots would have room for "
                f"{len(self) * self.n_slots:,} entries, and there are {self.n_entries:,}. Use the "
                "entries one after the other: `entry_item`, `entry_rank`, `entry_features` and "
                "`start`."
            )
        shape = (len(self), self.n_slots, *values.shape[1:])
        # Pages of zeros that nobody writes take no memory: the padding of many features is free.
        if padding == 0:
            table = np.zeros(shape, values.dtype)
        else:
            table = np.full(shape, padding, values.dtype)
        table[self.entry_ranking, self.entry_slot] = values
        return table

    @property
    def entries(self) -> np.ndarray:
        """Position in ``items`` of the item in each slot, rankings by slots; -1 is no item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.entries
        array([[ 0,  1,  2,  3],
               [ 1,  0, -1, -1]])
        """
        return self.padded(self.entry_item, -1)

    @property
    def ranks(self) -> np.ndarray:
        """Rank of each slot, rankings by slots: 1 is best, 0 is unranked, -1 is no item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.ranks
        array([[ 1,  2,  2,  3],
               [ 1,  2, -1, -1]])
        """
        return self.padded(self.entry_rank, -1)

    @property
    def offered(self) -> np.ndarray:
        """Which slots hold an item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.offered
        array([[ True,  True,  True,  True],
               [ True,  True, False, False]])
        """
        return self.padded(np.ones(self.n_entries, dtype=bool), 0)

    @property
    def features(self) -> np.ndarray | None:
        """What is known of each entry, rankings by slots by columns, or None.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> print(votes.features)
        None
        """
        if self.entry_features is None:
            return None
        return self.padded(self.entry_features, 0)

    @property
    def ratings(self) -> np.ndarray | None:
        """The ratings that the ranks come from, rankings by slots, or None.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> print(votes.ratings)
        None
        """
        return None if self.entry_ratings is None else self.padded(self.entry_ratings, 0)
