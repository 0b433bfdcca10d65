"""Rankings under a ranking likelihood."""

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from bayesrank.data import Connectivity, Rankings
from bayesrank.data.chosen_rows import chosen_rows, places_of_entries
from bayesrank.kernels import KERNELS, samplers
from bayesrank.kernels.posterior.operations import GATHER
from bayesrank.model.distributions_by_name import distribution_of
from bayesrank.model.protocols import Program, Values
from bayesrank.model.ranking_blocks import blocks_of
from bayesrank.model.slots import (
    compile_slots,
    compile_tie_shifts,
    has_tie_shift,
    new_gain_of,
    predictor_of,
    tie_shift_of,
)
from bayesrank.model.terms.features import EntryFeatures
from bayesrank.model.terms.term import sum_of
from bayesrank.model.terms.ties import SizeTies
from bayesrank.text import listing, models

__all__ = ["RankingObservation"]


class RankingObservation:
    """Rankings and their likelihood.

    The score of an entry is its item's score, plus what the entry's own features add. Where tie
    prevalences are learned there is one for each block size that occurs.

    Parameters
    ----------
    data : Rankings
    likelihood : str
    kind : RankingLikelihood
    features : EntryFeatures, optional
        What is known of each entry.

    Attributes
    ----------
    varying : list
        Terms that differ between agents or categories.
    """

    name = "ranks"
    row = "ranking"
    dims = ("ranking", "slot")
    curvature = None  # steps of one size suit all free numbers
    nearly_normal = True
    adds_up = True

    def __init__(
        self,
        data: Rankings,
        likelihood: str,
        kind: Any,
        *,
        features: EntryFeatures | None = None,
    ) -> None:
        self.data, self.likelihood, self.kind = data, likelihood, kind
        self.features = features
        self.varying: list[Any] = []
        self.order, self.sizes = blocks_of(data)
        self.ties = None
        if kind.ties == "learned" and self.tie_sizes.size:
            self.ties = SizeTies(self.tie_sizes)
        self._check()

    def _check(self) -> None:
        tied = np.unique(self.data.entry_ranking[self.sizes > 1])
        if tied.size and self.kind.ties == "none":
            names = listing([self.data.names[row] for row in tied])
            raise ValueError(
                f"Ties are in {tied.size:,} of the rankings ({names}), but "
                f'"{self.likelihood}" has none. '
                f"Use {models('davidson-luce')} for ties as results, or "
                f"{models('partitioned-plackett-luce')} where the order is only unknown."
            )
        if np.all(np.abs(self.sizes[self.data.start[:-1]]) == self.data.sizes):
            raise ValueError("Every ranking is one big tie: the data do not say who is better.")

    @property
    def terms(self) -> list[Any]:
        """The terms that only this observation has."""
        own = (self.features, self.ties, *self.varying)
        return [term for term in own if term is not None]

    @cached_property
    def concave(self) -> bool:
        """Whether the log-likelihood is concave in the scores: with sums of worths it is not."""
        return not (self.kind.sums_worths and bool((self.sizes > 1).any()))

    @property
    def exact_condition(self) -> bool:
        """Whether existence of the maximum has an exact condition."""
        return self.concave and self.kind.ties != "learned"

    @cached_property
    def tie_sizes(self) -> np.ndarray:
        """Block sizes that have a tie prevalence of their own."""
        if self.kind.ties != "learned":
            return np.empty(0, dtype=np.int64)
        return np.unique(self.sizes[self.sizes > 1])

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates of the observed variable."""
        coords = self.data.coords
        coords.pop("feature", None)
        return coords

    @property
    def observed(self) -> np.ndarray:
        """The observed values, rankings by slots."""
        return self.data.ranks

    @property
    def mean_weight(self) -> float:
        """Weight of an average ranking."""
        return float(self.data.weights.mean())

    @property
    def information(self) -> float:
        """Number of outcomes, by which gradients are judged."""
        return float(self.data.weights @ (self.data.sizes - 1.0))

    @property
    def connectivity(self) -> Connectivity:
        """Who is linked to whom by results that hold their scores together.

        A block whose order is unknown does not link the scores inside it. Neither does a tie
        of which only the sum of the worths counts.
        """
        return self.data.connectivity(ties=self.kind.ties_bind)

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score: Any, made: Values) -> None:
        """Add the observed variable to the model of the context."""
        import pytensor.tensor as pt

        data = self.data
        if self.features is None and not self.varying:
            by_slot = score[data.entries]
        else:
            by_entry = pt.zeros(data.n_entries) if score is None else score[data.entry_item]
            by_entry = predictor_of(self.terms, made, pt, by_entry)
            place = data.entry_ranking * data.n_slots + data.entry_slot
            known = pt.zeros(len(data) * data.n_slots)[place].set(by_entry)
            by_slot = known.reshape((len(data), data.n_slots))
        options = dict(self.kind.options)
        if self.kind.ties == "learned":
            options["tie"] = np.zeros(1)
            if self.ties is not None:
                sizes, shift = self.ties.sizes, tie_shift_of(self.terms, made, pt)
                if shift is None:
                    options["tie"] = pt.zeros(sizes[-1] - 1)[sizes - 2].set(made["tie"])
                else:
                    tie = self.ties.shifted(made, shift[data.start[:-1]], pt)
                    room = pt.zeros((len(data), sizes[-1] - 1))
                    options["tie"] = room[:, sizes - 2].set(tie)
        distribution_of(self.kind)(
            self.name, by_slot, data.offered, **options, weight=data.weights,
            observed=self.observed, dims=self.dims,
        )  # fmt: skip

    # The face without PyMC --------------------------------------------------------------------

    def compile(self, program: Program, score: int | None) -> None:
        """Add the rankings to the compiled posterior."""
        data, kernel, kind = self.data, KERNELS[self.kind.kernel], self.kind
        in_order = np.array_equal(self.order, np.arange(self.order.size))
        program.slot_order = 0 if in_order else program.hold(self.order, np.uint32)
        most = int(data.sizes.max())
        start, sizes = program.hold(data.start, np.int64), program.hold(self.sizes, np.int64)
        table = [start, sizes, program.hold(data.weights), most]
        for array in kind.structure:
            table += [program.hold(array), *array.shape]
        fixed = self._fixed_ties(self.sizes, data.start)
        constant = 0.0 if fixed is None else float(fixed @ data.weights)
        if fixed is None and kind.has_ties:
            tie = self._tie({})[0]
            learned = np.empty(0) if self.ties is None else self.ties.sizes
            table += [tie.size, program.hold(tie), learned.size, program.hold(learned, np.int64)]
        shifted = self.ties is not None and has_tie_shift(self.terms)
        channels = [-1, *([] if self.ties is None else [program.place("tie_rate")])]
        if shifted:
            table.append(1)
            channels.append(-1)
        program.observe(
            kernel.native, table, channels, rows=len(data), slot_start=data.start,
            constant=constant, scratch=kernel.scratch(most, *kind.structure),
        )  # fmt: skip

        def gather(to: int) -> None:
            if score is not None:
                item = program.hold(data.entry_item[self.order], np.uint32)
                program.operate_slots(GATHER, score, len(data.items), item, to=to)

        in_place = [term.in_order(self.order) for term in self.terms]
        compile_slots(program, in_place, gather)
        if shifted:
            compile_tie_shifts(program, in_place, len(channels) - 1)

    def _tie(self, values: Values) -> list[np.ndarray]:
        """Return the kernel's tie prevalences as a list of one array, or none."""
        if not self.kind.has_ties:
            return []
        if self.kind.ties == "fixed":
            return [np.full((1, 1), self.kind.tie)]
        if self.ties is None:
            return [np.zeros((1, 1))]
        if "tie_rate" not in values:
            return [np.zeros((1, self.ties.sizes[-1] - 1))]
        return [self._table_of_ties(self.ties.derive(values, np)["tie"][None])]

    def _table_of_ties(self, prevalences: np.ndarray) -> np.ndarray:
        """Return prevalences, rankings by sizes, with a column for each size from two on."""
        sizes = self.ties.sizes  # type: ignore[union-attr]
        rows, _, *draws = prevalences.shape
        table = np.zeros((rows, sizes[-1] - 1, *draws))
        table[:, sizes - 2] = prevalences
        return table

    def _ties_of_rows(self, values: Values) -> list[np.ndarray]:
        """Return the same with one row for each ranking, where agents differ."""
        shift = None if self.ties is None else tie_shift_of(self.terms, values, np)
        if self.ties is None or shift is None:
            return self._tie(values)
        return [self._table_of_ties(self.ties.shifted(values, shift[self.data.start[:-1]], np))]

    def entry_scores(self, values: Values) -> np.ndarray:
        """Return the score of each entry, in the order of the data."""
        score = np.zeros(self.data.n_entries)
        if "score" in values:
            score = values["score"][self.data.entry_item]
        return predictor_of(self.terms, values, np, score)

    def _rows(
        self, tie: list[np.ndarray], x: np.ndarray, sizes: np.ndarray, start: np.ndarray
    ) -> tuple[Any, ...]:
        """Return the kernel's output: logp and partials per ranking, without weights."""
        kernel, structure = KERNELS[self.kind.kernel].ragged, self.kind.structure
        fixed = self._fixed_ties(sizes, start)
        if fixed is None and self.kind.has_ties:
            return kernel(x, *tie, sizes, start, *structure)
        logp, by_entry = kernel(x, sizes, start, *(structure if fixed is None else ()))
        return (logp if fixed is None else logp + fixed), by_entry

    def _fixed_ties(self, sizes: np.ndarray, start: np.ndarray) -> np.ndarray | None:
        """Return what given tie prevalences contribute to rankings where that is a constant."""
        if not (self.kind.sums_worths and self.kind.ties == "fixed"):
            return None
        tie = np.full((len(start) - 1, 1), self.kind.tie)
        return KERNELS["prevalences"].ragged(tie, sizes, start, *self.kind.structure)[0]

    def log_likelihood(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of each row at given parameter values."""
        return self.single_log_likelihood(values) * self.data.weights

    def log_likelihoods(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of all rankings together in many draws, the last axis."""
        # Each draw makes rankings of its own, one draw after the other.
        x = self.entry_scores(values)[self.order].T
        draws, entries = x.shape
        start = (entries * np.arange(draws)[:, None] + self.data.start[:-1]).ravel()
        start, shape = np.append(start, draws * entries), (draws, len(self.data))
        tie = [
            table if table.ndim == 2 else _by_draw(table, *shape)
            for table in self._ties_of_rows(values)
        ]
        logp = self._rows(tie, x.ravel(), np.tile(self.sizes, draws), start)[0]
        return logp.reshape(shape) @ self.data.weights

    single_units = ("ranking",)

    @property
    def singles(self) -> tuple[Any, ...]:
        """Labels of the rankings, and how often each was seen."""
        import pandas as pd

        names = pd.Index(self.data.names, name="ranking", tupleize_cols=False)
        return names, np.asarray(self.data.weights, dtype=float)

    def single_log_likelihood(self, values: Values) -> np.ndarray:
        """Return the log-probability of each ranking, seen once."""
        x = self.entry_scores(values)[self.order]
        return self._rows(self._ties_of_rows(values), x, self.sizes, self.data.start)[0]

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
        tie = np.zeros((1, self.ties.sizes[-1] - 1))
        tie[:, self.ties.sizes - 2] = self.ties.shifted(values, np.atleast_1d(shift), np)
        return [tie]

    def with_data(self, data: Rankings) -> "RankingObservation":
        """Return the model of other ranks of the same entries, whatever these are.

        Block sizes that were possible stay possible, also if they do not occur any more.
        """
        other = copy(self)
        other.tie_sizes = self.tie_sizes
        other.__dict__.pop("concave", None)
        other.data = data
        other.order, other.sizes = blocks_of(data)
        return other

    def part(self, rows: np.ndarray, outcomes: Rankings) -> "RankingObservation":
        """Return the model of some rankings alone."""
        slots = places_of_entries(self.data.start, rows)[1]
        other = self.with_data(chosen_rows(self.data, rows))
        if self.features is not None:
            other.features = self.features.at_slots(slots)
        other.varying = [term.at_slots(slots) for term in self.varying]
        return other

    def draw(self, values: Values, rng: np.random.Generator) -> np.ndarray:
        """Return new observations, one set, rankings by slots.

        Where the order in a block was not seen, blocks are as large as the observed ones, and the
        unranked stay unranked; models of ties draw their own blocks, for all that was offered.
        """
        data = self.data
        slots = data.padded(self.entry_scores(values), 0.0)
        tie = self._ties_of_rows(values)
        return self.draw_slots(values, slots, data.offered, rng, self.block_sizes, tie)

    @property
    def block_sizes(self) -> np.ndarray:
        """Sizes of the blocks of each ranking, rankings by slots."""
        packed = np.arange(self.data.n_slots) < self.data.sizes[:, None]
        table = np.zeros(packed.shape, dtype=np.int64)
        table[packed] = self.sizes
        return table

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


def _by_draw(table: np.ndarray, draws: int, rows: int) -> np.ndarray:
    """Return prevalences by rankings (or one for all), sizes and draws as rows of each draw."""
    sizes = table.shape[1]
    by_draw = np.broadcast_to(np.moveaxis(table, 2, 0), (draws, rows, sizes))
    return by_draw.reshape(draws * rows, sizes)
