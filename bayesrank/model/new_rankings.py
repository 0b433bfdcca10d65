"""Rankings that nobody has seen: how likely they are, and draws of them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.kernels import samplers
from bayesrank.model.protocols import Values
from bayesrank.model.slots import new_gain_of
from bayesrank.model.terms.term import sum_of

__all__ = ["NewRankings"]


class NewRankings:
    """The part of a `RankingObservation` that is about new rankings.

    They are made by an average agent in no category, unless ``values`` know which.
    """

    kind: Any
    ties: Any

    if TYPE_CHECKING:

        @property
        def terms(self) -> list[Any]: ...
        def _tie(self, values: Values) -> list[np.ndarray]: ...
        def _table_of_ties(self, prevalences: np.ndarray) -> np.ndarray: ...
        def _rows(
            self, tie: list[np.ndarray], x: np.ndarray, sizes: np.ndarray, start: np.ndarray
        ) -> tuple[Any, ...]: ...

    def pair_probability(
        self, values: Values, outcome: int, left: Any, right: Any, *, neutral: bool = False
    ) -> np.ndarray:
        """Return the probability of an outcome (0 win, 1 loss, 2 tie) for pairs of positions."""
        if outcome == 2 and not self.kind.has_ties:
            return np.zeros(len(left))
        first, second = (right, left) if outcome == 1 else (left, right)
        score = self.new_scores(values)
        x = np.stack([score[first], score[second]], axis=1).ravel()
        sizes = np.tile([2, 0] if outcome == 2 else [1, 1], len(left))
        start = 2 * np.arange(len(left) + 1)
        with np.errstate(divide="ignore"):
            return np.exp(self._rows(self._new_ties(values), x, sizes, start)[0])

    def new_log_likelihood(
        self, values: Values, order: np.ndarray, sizes: np.ndarray
    ) -> np.ndarray:
        """Return the log-probabilities of new rankings of the items in ``values``.

        Parameters
        ----------
        values : dict
        order : ndarray of int, rankings by items
            The items of each, the best first.
        sizes : ndarray of int, rankings by items
            The sizes of its blocks; see `bayesrank.kernels.ranking_rows`.
        """
        x, start = self.new_scores(values)[order], order.shape[1] * np.arange(len(order) + 1)
        return self._rows(self._new_ties(values), x.ravel(), sizes.ravel(), start)[0]

    def new_scores(self, values: Values) -> np.ndarray:
        """Return the scores that a new ranking is made from, of an average agent or a known one."""
        gain, score = new_gain_of(self.terms, values), np.asarray(values["score"])
        return score if gain is None else gain * score

    def _new_ties(self, values: Values) -> list[np.ndarray]:
        """Return the kernel's tie prevalences in a new ranking."""
        shift = sum_of(term.new_tie_shift(values, None, None) for term in self.terms)
        if self.ties is None or shift is None:
            return self._tie(values)
        return [self._table_of_ties(self.ties.shifted(values, np.atleast_1d(shift), np))]

    def draw_slots(
        self,
        values: Values,
        slots: np.ndarray,
        offered: np.ndarray,
        rng: np.random.Generator,
        blocks: np.ndarray | None = None,
        tie: list[np.ndarray] | None = None,
    ) -> np.ndarray:
        """Return new rankings of slots with given scores.

        Ties are by default as of an average agent, unless ``values`` know which.
        """
        if blocks is None:
            blocks = np.zeros(slots.shape, dtype=np.int64)
        if self.kind.noise is not None:
            utility = slots + self.kind.noise(rng, slots.shape)
            return samplers.sort_into_blocks(utility, offered, blocks)
        draw = samplers.draw_additive if self.kind.sums_worths else samplers.draw_geometric
        seeds = rng.integers(0, 2**62, size=len(slots))
        tie = self._new_ties(values) if tie is None else tie
        return draw(slots, *tie, offered, *self.kind.structure, seeds)
