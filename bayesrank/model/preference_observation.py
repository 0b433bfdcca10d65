"""Preferences of agents under the multinomial preference model."""

import warnings
from numbers import Real as Number
from typing import Any

import numpy as np
from scipy.special import expit

from bayesrank.data.chosen_rows import chosen_rows
from bayesrank.data.instances import item_texts
from bayesrank.kernels import mpm, native_mpm
from bayesrank.model.ballots import ballots_of
from bayesrank.model.distributions_by_name import distribution_of
from bayesrank.model.protocols import Program, Values
from bayesrank.model.terms.adherences import USUAL_SPREAD, Adherences
from bayesrank.model.terms.variances import Variances
from bayesrank.text import in_terminal, option

__all__ = ["PreferenceObservation"]

# Items in an instance with variances of their own, whose distances take 1.6 GB, and slopes as much.
_LARGEST = 20_000


class PreferenceObservation:
    """Ballots under the multinomial preference model.

    Likelihoods depend on scores, variances and adherences through
    theta (s_i - s_j) / (gamma_i + gamma_j) alone.

    Parameters
    ----------
    data : Comparisons or Rankings
    likelihood : str
    kind : PreferenceLikelihood
    variances : bool, mapping or array
        Whether the items' variances are parameters; otherwise one half, or the given ones.
    adherence : "learned", "by-instance", number, mapping or array
        A parameter for each agent; around it one for each instance; or given.
    weight : "effective" or number, optional
        Power of the likelihood.
    adherence_spread : float, optional
        How far adherences differ between instances; by default it is learned.
    flat : bool
        Whether priors are flat.
    """

    row = "ballot"
    nearly_normal = False  # variances and adherences may be at their ends
    features = None

    def __init__(
        self,
        data: Any,
        likelihood: str,
        kind: Any,
        *,
        variances: Any = None,
        adherence: Any = None,
        weight: Any = None,
        adherence_spread: Any = None,
        flat: bool = False,
    ) -> None:
        self.data, self.likelihood, self.kind, self.flat = data, likelihood, kind, flat
        self.ballots = ballots_of(data)
        self._given = {
            "variances": variances, "adherence": adherence, "weight": weight,
            "adherence_spread": adherence_spread,
        }  # fmt: skip
        self.variances = Variances(variances, data, self.item_start, flat=flat)
        most = int(np.diff(self.ballots.item_start).max())
        if most > _LARGEST and not self.variances.equal:
            raise ValueError(
                f"With variances of items, all pairs of them are looked at: {_LARGEST:,} items at "
                f"most in an instance, the data have {most:,}. "
                f"{'Use another --model.' if in_terminal() else 'Use variances=False.'}"
            )
        instances = len(self.ballots.ballot_start) - 1
        self.adherences = Adherences(
            adherence, adherence_spread, agents=self._agents(), instances=data.instances,
            agent=self.ballots.agent,
            instance=np.repeat(np.arange(instances), np.diff(self.ballots.ballot_start)),
            several=data.instances is not None and data.agents is not None,
        )  # fmt: skip
        if self.learns_adherence and flat:
            raise ValueError(
                "Scores and adherences matter only by their product, so with a flat prior they "
                "cannot be told apart: give a finite prior scale, such as "
                f"{option('scale', 1.0)}{'' if in_terminal() else ', or the adherences'}."
            )
        self.weight = self._weight(weight)

    def _agents(self) -> list[Any]:
        """Return the labels of those who have an adherence."""
        if self.data.agents is not None:
            return list(self.data.agents)
        return list(self.data.names) if self.data.row == "ranking" else ["all"]

    @property
    def terms(self) -> list[Any]:
        """The terms that only this observation has."""
        return [self.variances, self.adherences]

    @property
    def agents(self) -> list[Any]:
        """Labels of those who have an adherence."""
        return self.adherences.agents

    @property
    def learns_variances(self) -> bool:
        """Whether variances are parameters."""
        return self.variances.learned

    @property
    def variance(self) -> np.ndarray | None:
        """Given variances."""
        return self.variances.given

    @property
    def learns_adherence(self) -> bool:
        """Whether adherences are parameters."""
        return self.adherences.learned

    @property
    def adherence(self) -> np.ndarray | None:
        """Given adherences."""
        return self.adherences.given

    @property
    def places(self) -> np.ndarray:
        """Instance times number of agents, plus agent, wherever an agent cast a ballot."""
        return self.adherences.places

    @property
    def silent(self) -> list[Any]:
        """Agents who prefer nothing."""
        heard = np.isin(np.arange(len(self.agents)), self.ballots.agent)
        return [label for label, said in zip(self.agents, heard, strict=True) if not said]

    @property
    def unseen(self) -> list[Any]:
        """Items that are in no preference."""
        compared = np.zeros(len(self.data.items), dtype=bool)
        compared[self.ballots.net_wins[1]] = True
        return [label for label, known in zip(item_texts(self.data), compared, strict=True)
                if not known]  # fmt: skip

    def _weight(self, weight: Any) -> np.ndarray:
        """Return the power of the likelihood by ballot."""
        self.weight_rule = weight
        if weight is None:
            self.weight_rule = weight = "effective" if self.ballots.derived else 1.0
            if self.ballots.derived and self.data.row != "ranking":
                warnings.warn(
                    "These counts were made from rankings, and do not tell from how many: each "
                    "agent's are weighted as those of one. Give the rankings themselves, or a "
                    "`weight`.",
                    stacklevel=5,
                )
        if isinstance(weight, str) and weight == "effective":
            return self.ballots.weights * self.ballots.effective_weight
        if isinstance(weight, bool) or not (isinstance(weight, Number) and 0 < weight < np.inf):  # type: ignore[operator]
            raise ValueError(f'`weight` must be "effective" or a positive number, got {weight!r}.')
        self.weight_rule = float(weight)
        return self.ballots.weights * self.weight_rule

    @property
    def arguments(self) -> dict[str, Any]:
        """What the model was told of variances, adherences and weight, in plain values."""
        variances = self.learns_variances if self.variance is None else self.variance
        adherence: Any = "by-instance" if self.adherences.by_instance else "learned"
        return {
            "variances": variances,
            "adherence": adherence if self.learns_adherence else self.adherence,
            "weight": self.weight_rule,
            "adherence_spread": self.adherences.spread,
        }

    @property
    def about(self) -> list[str]:
        """Variances, adherences and weight in words, for the specification's own text."""
        told = self.arguments
        variances = "given variances"
        if isinstance(told["variances"], bool):
            variances = "variances" if told["variances"] else "no variances"
        adherence = f"adherence {told['adherence'] if self.learns_adherence else 'given'}"
        weight = self.weight_rule
        weight = weight if isinstance(weight, str) else f"{weight:g}"
        return [variances, adherence, f"weight {weight}"]

    @property
    def concave(self) -> bool:
        """Whether the log-likelihood is known to have one peak."""
        return not (self.learns_variances or self.learns_adherence)

    @property
    def exact_condition(self) -> bool:
        """Whether existence of the maximum has an exact condition."""
        return self.concave

    @property
    def one_sided(self) -> np.ndarray:
        """Instances whose likelihood rises without end in the scores.

        That is where every preference, by anybody with an adherence, is for an item that never
        loses over one that never wins: the net wins then add up to all there is.
        """
        start, item, net = self.ballots.net_wins
        # Where adherences are learned, all are above 0, and which they are makes no difference.
        known = 1.0 if self.learns_adherence else self.adherences.of_ballots({}, np)
        factor = self.weight * known
        entry = np.repeat(factor, np.diff(start))
        pooled = np.bincount(item, net * entry, minlength=len(self.data.items))
        instances = len(self.ballots.item_start) - 1
        of_item = np.repeat(np.arange(instances), np.diff(self.ballots.item_start))
        of_ballot = np.repeat(np.arange(instances), np.diff(self.ballots.ballot_start))
        reached = np.bincount(of_item, np.abs(pooled), minlength=instances)
        total = np.bincount(of_ballot, factor * self.ballots.total, minlength=instances)
        several = np.diff(self.ballots.item_start) > 1
        return np.flatnonzero(several & (reached >= 2.0 * total * (1.0 - 1e-12)))

    @property
    def item_start(self) -> np.ndarray | None:
        """Where the items of each instance start; none where there is one instance."""
        return self.ballots.item_start if len(self.ballots.item_start) > 2 else None

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates of the observed variable."""
        return self.data.coords | {"ballot": self.ballots.names}

    @property
    def name(self) -> str:
        return "ranks" if self.data.row == "ranking" else "counts"

    @property
    def dims(self) -> tuple[str, str]:
        return ("ranking", "slot") if self.data.row == "ranking" else ("pair", "outcome")

    @property
    def observed(self) -> np.ndarray:
        """The observed values."""
        return self.data.ranks if self.data.row == "ranking" else self.data.counts

    @property
    def mean_weight(self) -> float:
        """Weight of an average ballot."""
        return float(self.weight.mean())

    @property
    def information(self) -> float:
        """Number of outcomes, by which gradients are judged."""
        return float(self.weight @ self.ballots.total)

    @property
    def curvature(self) -> dict[str, np.ndarray]:
        """Roughly, minus the second derivative of the log-likelihood by each free number."""
        instances = len(self.ballots.item_start) - 1
        of_ballot = np.repeat(np.arange(instances), np.diff(self.ballots.ballot_start))
        items = np.diff(self.ballots.item_start)
        draws = self.weight * self.ballots.total
        adherence = 0.5 if self.learns_adherence else self.adherences.of_ballots({}, np)
        # Without preference a draw moves each score by +-1 with probability 2 / M.
        by_score = np.bincount(of_ballot, draws * adherence**2, minlength=instances) * 2.0 / items
        by_score = np.repeat(by_score, items - 1)
        by_adherence = np.bincount(self.ballots.agent, draws, minlength=len(self.agents))
        by_offset = np.bincount(self.adherences.place, draws) * USUAL_SPREAD**2 / 16.0
        return {
            "score": by_score,
            "effect": by_score,
            "log_variance": by_score / 4.0,
            "adherence": by_adherence,
            "adherence_offset": by_offset,
        }

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score: Any, made: Values) -> None:
        """Add the observed variable to the model of the context."""
        import pytensor.tensor as pt

        variance: Any = 0.5 if self.variance is None else self.variance
        if self.learns_variances:
            variance = made["variance"]
        adherence = self.adherences.of_ballots(made, pt)
        left, right, ballot, counts = self.ballots.rows
        distribution_of(self.kind)(
            self.name, score, variance, adherence, left, right, ballot,
            instance=self.data.instance, weight=self.weight, observed=counts,
        )  # fmt: skip

    # The face without PyMC --------------------------------------------------------------------

    @property
    def _starts(self) -> tuple[np.ndarray, np.ndarray]:
        return self.ballots.item_start, self.ballots.ballot_start

    def compile(self, program: Program, score: int | None) -> None:
        """Add the ballots to the compiled posterior."""
        ballots, adherences, known = self.ballots, self.adherences, native_mpm
        if self.variances.equal:
            start, left, net = ballots.net_wins
            right, kernel = left, native_mpm.native_even
        else:
            start, left, right, net = ballots.cells
            kernel = native_mpm.native_varied
        table = [0] * known.WORDS
        table[known.ITEMS], table[known.INSTANCES] = len(self.data.items), len(self._starts[0]) - 1
        table[known.BALLOTS], table[known.CELLS] = len(ballots), len(net)
        for word, array, kind in (
            (known.ITEM_START, self._starts[0], np.int64),
            (known.BALLOT_START, self._starts[1], np.int64),
            (known.CELL_START, start, np.int64), (known.LEFT, left, np.uint32),
            (known.RIGHT, right, np.uint32), (known.NET, net, float),
            (known.TOTAL, ballots.total, float), (known.WEIGHT, self.weight, float),
            (known.AGENT, ballots.agent, np.int64), (known.PLACE, adherences.place, np.int64),
            (known.PLACE_AGENT, adherences.place_agent, np.int64),
        ):  # fmt: skip
            table[word] = program.hold(array, kind)
        if self.variance is not None:
            table[known.VARIANCE] = program.hold(self.variance)
        if not self.learns_adherence:
            table[known.ADHERENCE] = program.hold(adherences.of_ballots({}, np))
        table[known.PLACES] = len(self.places) if adherences.by_instance else 0
        if adherences.spread is not None:
            table[known.SPREAD] = program.hold([adherences.spread])
        names = ("log_variance", "adherence", "adherence_spread", "adherence_offset")
        learned = {p.name for term in self.terms for p in term.parameters}
        others = [program.place(name) if name in learned else 0 for name in names]
        constant = float(self.weight @ ballots.log_coefficient)
        program.observe(
            kernel, table, [score or 0, *others], rows=len(ballots), constant=constant,
            together=True,
        )  # fmt: skip

    single_units = ()  # a ballot's preferences are not results of their own

    def log_likelihood(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of each ballot at given parameter values."""
        score, variance = np.ascontiguousarray(values["score"]), self.variances.of(values)
        adherence, ballots = self.adherences.of_ballots(values, np), self.ballots
        if variance is None:
            logp = mpm.even(score, adherence, *self._starts, *ballots.net_wins, ballots.total)[0]
        else:
            logp = mpm.varied(
                score, variance, adherence, *self._starts, *ballots.cells, ballots.total
            )[0]
        return self.weight * (logp + ballots.log_coefficient)

    def pair_probability(
        self, values: Values, outcome: int, left: Any, right: Any, *, neutral: bool = False
    ) -> np.ndarray:
        """Return the probability that a fully adherent agent prefers left (0) or right (1)."""
        if outcome == 2:
            return np.zeros(len(left))
        score, variance = values["score"], self.variances.of(values)
        spread = 1.0 if variance is None else variance[left] + variance[right]
        d = 2.0 * (score[left] - score[right]) / spread
        return expit(d if outcome == 0 else -d)

    def with_data(self, data: Any) -> "PreferenceObservation":
        """Return the model of other counts of the same pairs."""
        return type(self)(data, self.likelihood, self.kind, flat=self.flat, **self._given)

    @property
    def adds_up(self) -> bool:
        """Whether preferences that are added leave the weights of all others as they are."""
        by_pairs = self.data.row == "pair" and isinstance(self.weight_rule, str)
        return not (self.adherences.by_instance or by_pairs)

    def part(self, rows: np.ndarray, outcomes: Any) -> "PreferenceObservation":
        """Return the model of some rows alone, with the counts of others' rows."""
        counts = outcomes.counts if self.data.row == "pair" else None
        return self.with_data(chosen_rows(self.data, rows, counts))

    def log_likelihoods(self, values: Values) -> np.ndarray:
        """Return the log-likelihood of all ballots together in many draws, the last axis."""
        draws = range(values["score"].shape[1])
        of_one = ({name: value[..., k].copy() for name, value in values.items()} for k in draws)
        return np.array([self.log_likelihood(one).sum() for one in of_one])

    def draw(self, values: Values, rng: np.random.Generator) -> np.ndarray:
        """Return new observations, one set; every pair must be among the rows."""
        whole = np.issubdtype(self.observed.dtype, np.integer)
        if self.ballots.derived or not whole or np.any(self.weight != 1.0):
            raise ValueError(
                "Counts that were made from rankings or ratings, or that are weighted, are not "
                "draws, so there is no distribution to draw new ones from."
            )
        score, variance = values["score"], self.variances.of(values)
        variance = np.full(score.size, 0.5) if variance is None else variance
        adherence = self.adherences.of_ballots(values, np)
        nothing = np.zeros(0, dtype=np.int32)
        log_norm = -mpm.varied(
            score, variance, adherence, *self._starts, np.zeros(len(self.ballots) + 1, np.int64),
            nothing, nothing, np.zeros(0), np.ones(len(self.ballots)),
        )[0]  # fmt: skip
        return self.ballots.source.draw(score, variance, adherence, log_norm, rng)
