"""Counts of pair comparisons under a pair likelihood."""

from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from bayesrank.data import Comparisons, Connectivity
from bayesrank.data.chosen_rows import chosen_rows
from bayesrank.data.comparisons import OUTCOMES
from bayesrank.kernels import KERNELS
from bayesrank.kernels.pair_rows import BY_ROW, NONE, SHARED
from bayesrank.kernels.posterior.operations import DIFFER
from bayesrank.model.distributions_by_name import distribution_of
from bayesrank.model.protocols import Program, Values
from bayesrank.model.slots import (
    compile_odds,
    compile_slots,
    gain_of,
    has_tie_shift,
    new_gain_of,
    predictor_of,
    tie_shift_of,
)
from bayesrank.model.terms.features import EntryFeatures
from bayesrank.model.terms.order_effect import OrderEffect
from bayesrank.model.terms.term import sum_of
from bayesrank.model.terms.ties import TIES, PairTies
from bayesrank.text import listing, models

__all__ = ["PairObservation"]


class PairObservation:
    """Comparisons and their likelihood.

    Parameters
    ----------
    data : Comparisons
    likelihood : str
    kind : PairLikelihood
    order_effect : bool
        Whether the left item has an advantage.
    flat : bool
        Whether priors are flat.
    features : EntryFeatures, optional
        What is known of each row: left less right.

    Attributes
    ----------
    varying : list
        Terms that differ between agents, items or categories.
    """

    name = "counts"
    row = "pair"
    dims = ("pair", "outcome")
    concave = True
    nearly_normal = True
    adds_up = True
    exact_condition = True  # for the existence of the maximum
    curvature = None  # steps of one size suit all free numbers

    def __init__(
        self,
        data: Comparisons,
        likelihood: str,
        kind: Any,
        *,
        order_effect: bool = False,
        flat: bool = False,
        features: EntryFeatures | None = None,
    ) -> None:
        self.data, self.likelihood, self.kind, self.features = data, likelihood, kind, features
        self.varying: list[Any] = []
        self.ties = None if kind.tie is None else PairTies(TIES[kind.tie])
        self.order_effect = OrderEffect(flat=flat) if order_effect else None
        self._check()

    def _check(self) -> None:
        counts = self.data.counts
        if not counts.sum() > 0:
            raise ValueError("All counts are zero: at least one comparison is needed.")
        ties = counts[:, 2].sum()
        if ties == counts.sum():
            raise ValueError("Every comparison is a tie: the data do not say who is better.")
        if ties and self.ties is None:
            pairs = listing([self.data.pair_label(row) for row in np.flatnonzero(counts[:, 2])])
            raise ValueError(
                f'The data hold {ties:,} ties ({pairs}), but "{self.likelihood}" has none. Use '
                f"{models('davidson', 'rao-kupper', 'glenn-david')}."
            )

    @property
    def terms(self) -> list[Any]:
        """The terms that only this observation has."""
        own = (self.ties, self.order_effect, self.features, *self.varying)
        return [term for term in own if term is not None]

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates of the observed variable."""
        return self.data.coords

    @property
    def observed(self) -> np.ndarray:
        """The observed values."""
        return self.data.counts

    @property
    def information(self) -> float:
        """Number of outcomes, by which gradients are judged."""
        return self.data.counts.sum()

    @property
    def connectivity(self) -> Connectivity:
        """Who is linked to whom by results that hold their scores together."""
        return self.data.connectivity()

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score: Any, made: Values) -> None:
        """Add the observed variable to the model of the context."""
        import pytensor.tensor as pt

        left, right = score[self.data.left], score[self.data.right]
        left = predictor_of(self.terms, made, pt, left)
        gain = gain_of(self.terms, made, pt)
        right = right if gain is None else gain * right
        options = dict(self.kind.options)
        if self.ties is not None:
            shift = tie_shift_of(self.terms, made, pt)
            options[self.ties.tie.name] = self.ties.shifted(made, shift, pt)
        distribution_of(self.kind)(
            self.name, left, right, **options, observed=self.observed, dims=self.dims
        )

    # The face without PyMC --------------------------------------------------------------------

    @cached_property
    def _counts(self) -> np.ndarray:
        return np.ascontiguousarray(self.data.counts.T, dtype=float)

    @cached_property
    def log_coefficient(self) -> np.ndarray:
        """Log multinomial coefficient of each row."""
        total = self._counts.sum(axis=0)
        return special.gammaln(total + 1.0) - special.gammaln(self._counts + 1.0).sum(axis=0)

    def compile(self, program: Program, score: int | None) -> None:
        """Add the rows to the compiled posterior."""
        data = self.data
        ties, channels = NONE, [-1]
        if self.ties is not None:
            by_row = has_tie_shift(self.terms)
            ties = BY_ROW if by_row else SHARED
            channels.append(-1 if by_row else program.place("tie_rate"))
        table = [len(data), program.hold(self._counts), ties]
        for array in self.kind.structure:
            table += [program.hold(array), *array.shape]
        program.observe(
            KERNELS[self.kind.kernel].native, table, channels,
            rows=len(data), constant=float(self.log_coefficient.sum()),
        )  # fmt: skip
        sides = program.hold(data.left, np.uint32), program.hold(data.right, np.uint32)

        def differ(to: int) -> None:
            program.operate_slots(DIFFER, score or 0, len(data.items), *sides, to=to)

        compile_slots(program, self.terms, differ)
        if ties == BY_ROW:
            compile_odds(program, self.terms)

    def _difference(self, values: Values, rows: Any = slice(None)) -> np.ndarray:
        """Return the difference of scores in rows of the data, with what terms make of it."""
        score, data = values["score"], self.data
        difference = score[data.left[rows]] - score[data.right[rows]]
        return predictor_of(self.terms, values, np, difference, rows)

    def _tie_shift(self, values: Values, rows: Any = slice(None)) -> Any:
        """Return what is added to the logits of the rows' tie rates, or None."""
        shift = tie_shift_of(self.terms, values, np)
        return None if shift is None else shift[rows]

    def _new_difference(self, values: Values, left: Any, right: Any, neutral: bool) -> np.ndarray:
        """Return the difference of other pairs, at equal features.

        Before an average agent, unless ``values`` know which.
        """
        difference = values["score"][left] - values["score"][right]
        gain = new_gain_of(self.terms, values)
        difference = difference if gain is None else gain * difference
        if neutral:
            return difference
        shift = sum_of(term.new_shift(values, left, right) for term in self.terms)
        return difference if shift is None else difference + shift

    def _kernel(
        self, values: Values, difference: np.ndarray, counts: np.ndarray, tie_shift: Any = None
    ) -> np.ndarray:
        """Return the log-probability of each row, without coefficients."""
        tie = np.zeros(1) if self.ties is None else self.ties.kernel(values, tie_shift)
        kernel = KERNELS[self.kind.kernel].function
        return kernel(difference, tie, counts, *self.kind.structure)[0]

    def log_likelihood(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of each row at given parameter values."""
        shift = self._tie_shift(values)
        logp = self._kernel(values, self._difference(values), self._counts, shift)
        return logp + self.log_coefficient

    def log_likelihoods(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of all rows together in many draws, the last axis."""
        difference = self._difference(values)
        tie = np.zeros(1)
        if self.ties is not None:
            tie = self.ties.kernel(values, self._tie_shift(values))
            tie = np.broadcast_to(tie, difference.shape).ravel()
        counts = np.repeat(self._counts, difference.shape[1], axis=1)
        kernel = KERNELS[self.kind.kernel].function
        logp = kernel(difference.ravel(), tie, counts, *self.kind.structure)[0]
        return logp.reshape(difference.shape).sum(axis=0) + self.log_coefficient.sum()

    single_units = ("comparison",)

    @cached_property
    def singles(self) -> tuple[Any, ...]:
        """Labels of the outcomes that occur in each row, and how many comparisons had them."""
        import pandas as pd

        row, outcome = np.nonzero(self.data.counts)
        texts = [
            f"{self.data.pair_label(r)}: {OUTCOMES[o]}" for r, o in zip(row, outcome, strict=True)
        ]
        return pd.Index(texts, name="comparison"), self.data.counts[row, outcome].astype(float)

    def single_log_likelihood(self, values: Values) -> np.ndarray:
        """Return the log-probability of each of these outcomes of a single comparison."""
        row, outcome = np.nonzero(self.data.counts)
        counts = np.zeros((3, row.size))
        counts[outcome, np.arange(row.size)] = 1.0
        shift = self._tie_shift(values, row)
        return self._kernel(values, self._difference(values, row), counts, shift)

    def pair_probability(
        self, values: Values, outcome: int, left: Any, right: Any, *, neutral: bool = False
    ) -> np.ndarray:
        """Return the probability of an outcome (0 win, 1 loss, 2 tie) for pairs of positions."""
        difference = self._new_difference(values, left, right, neutral)
        shift = sum_of(term.new_tie_shift(values, left, right) for term in self.terms)
        return self._probability(values, outcome, difference, shift)

    def _probability(
        self, values: Values, outcome: int, difference: np.ndarray, tie_shift: Any
    ) -> np.ndarray:
        counts = np.zeros((3, len(difference)))
        counts[outcome] = 1.0
        return np.exp(self._kernel(values, difference, counts, tie_shift))

    def outcome_probabilities(self, values: Values) -> np.ndarray:
        """Return P(left wins), P(right wins), P(tie) in each row."""
        difference, shift = self._difference(values), self._tie_shift(values)
        return np.stack([self._probability(values, k, difference, shift) for k in range(3)], axis=1)

    def with_data(self, data: Comparisons) -> "PairObservation":
        """Return the model of other results of the same comparisons, whatever these are."""
        other = copy(self)
        for name in ("_counts", "log_coefficient", "singles"):
            other.__dict__.pop(name, None)
        other.data = data
        return other

    def part(self, rows: np.ndarray, outcomes: Comparisons) -> "PairObservation":
        """Return the model of some rows alone, with the counts of others' rows."""
        other = self.with_data(chosen_rows(self.data, rows, outcomes.counts))
        if self.features is not None:
            other.features = self.features.at_slots(rows)
        other.varying = [term.at_slots(rows) for term in self.varying]
        return other

    def draw(self, values: Values, rng: np.random.Generator) -> np.ndarray:
        """Return new observations, one set."""
        n = self.data.counts.sum(axis=1)
        if not np.issubdtype(n.dtype, np.integer):
            raise ValueError(
                "The counts are fractional (weighted), so there is no distribution to draw "
                "new counts from."
            )
        p = self.outcome_probabilities(values)
        return rng.multinomial(n, p / p.sum(axis=1, keepdims=True))
