"""Preferences of agents under the multinomial preference model."""

import warnings
from functools import cached_property
from numbers import Real as Number

import numpy as np
from scipy.special import expit, logit

from bayesrank.data import Rankings
from bayesrank.data.instances import item_texts
from bayesrank.kernels import mpm
from bayesrank.model.ballots import ballots_of
from bayesrank.model.numbers_by_label import given_numbers, given_variances
from bayesrank.model.parameters import Positive, Probability, Real, ZeroSum
from bayesrank.text import in_terminal, option

__all__ = ["PreferenceObservation"]

# Prior standard deviation of the variances' logarithms: most within a factor of e of each other.
VARIANCE_SCALE = 0.5
# How far an agent's adherence differs between instances, on the logit scale, where the mode is
# sought (with a learned spread the joint mode collapses to spread zero).
ADHERENCE_SPREAD = 0.5
# Items in an instance with variances of their own, whose distances take 1.6 GB, and slopes as much.
_LARGEST = 20_000
# Logarithms of variances beyond are taken for this one, whose exponential has a square.
_EXTREME = 300.0


class PreferenceObservation:
    """Ballots, and the parameters that only the multinomial preference model has.

    Likelihoods depend on scores, variances and adherences through
    theta (s_i - s_j) / (gamma_i + gamma_j) alone. Variances have geometric mean one half in each
    instance, so that without them d = s_i - s_j; their logarithms are normal. Adherences are
    uniform on [0, 1], which together with the prior of the scores settles how large both are.

    Parameters
    ----------
    data : Comparisons or Rankings
    likelihood : str
    family : PreferenceLikelihood
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
    slot_feature_names = None
    nearly_normal = False  # variances and adherences may be at their ends
    order_effect = False

    def __init__(
        self, data, likelihood, family, *, variances=None, adherence=None, weight=None,
        adherence_spread=None, flat=False,
    ):  # fmt: skip
        self.data, self.likelihood, self.family, self.flat = data, likelihood, family, flat
        self.ballots = ballots_of(data)
        self.spread = adherence_spread
        self._given = {
            "variances": variances, "adherence": adherence, "weight": weight,
            "adherence_spread": adherence_spread,
        }  # fmt: skip
        if isinstance(variances, np.bool_):
            variances = bool(variances)
        self.learns_variances = variances is None or variances is True
        self.variance = None if self.learns_variances else given_variances(variances, data)
        most = int(np.diff(self.ballots.item_start).max())
        if most > _LARGEST and (self.learns_variances or self.variance is not None):
            raise ValueError(
                f"With variances of items, all pairs of them are looked at: {_LARGEST:,} items at "
                f"most in an instance, the data have {most:,}. "
                f"{'Use another --model.' if in_terminal() else 'Use variances=False.'}"
            )
        self.agents = self._agents()
        if adherence is None:
            adherence = "learned" if len(self.agents) > 1 else 1.0
        self.learns_adherence = isinstance(adherence, str)
        self.by_instance = adherence == "by-instance" if self.learns_adherence else False
        self.adherence = None if self.learns_adherence else given_numbers(
            "adherence", adherence, self.agents, "agent", 0.0, 1.0
        )  # fmt: skip
        if self.learns_adherence and adherence not in ("learned", "by-instance"):
            raise ValueError(
                '`adherence` must be "learned", "by-instance", a number from 0 to 1, or such '
                f"numbers by agent, got {adherence!r}."
            )
        if self.by_instance and (data.instances is None or data.agents is None):
            raise ValueError('`adherence="by-instance"` needs data with instances and agents.')
        if adherence_spread is not None:
            number = isinstance(adherence_spread, Number) and 0 < adherence_spread < np.inf
            if not (self.by_instance and number):
                raise ValueError(
                    '`adherence_spread` is a positive number, for `adherence="by-instance"`; got '
                    f"{adherence_spread!r}."
                )
            self.spread = float(adherence_spread)
        if self.learns_adherence and flat:
            raise ValueError(
                "Scores and adherences matter only by their product, so with a flat prior they "
                "cannot be told apart: give a finite prior scale, such as "
                f"{option('scale', 1.0)}{'' if in_terminal() else ', or the adherences'}."
            )
        self.weight = self._weight(weight)

    def _agents(self):
        """Return the labels of those who have an adherence."""
        if self.data.agents is not None:
            return list(self.data.agents)
        return list(self.data.names) if isinstance(self.data, Rankings) else ["all"]

    @property
    def silent(self):
        """Agents who prefer nothing."""
        heard = np.isin(np.arange(len(self.agents)), self.ballots.agent)
        return [label for label, said in zip(self.agents, heard, strict=True) if not said]

    @property
    def unseen(self):
        """Items that are in no preference."""
        compared = np.zeros(len(self.data.items), dtype=bool)
        compared[self.ballots.entries[1]] = True
        return [label for label, known in zip(item_texts(self.data), compared, strict=True)
                if not known]  # fmt: skip

    def _weight(self, weight):
        """Return the power of the likelihood by ballot."""
        self.weight_rule = weight
        if weight is None:
            self.weight_rule = weight = "effective" if self.ballots.derived else 1.0
            if self.ballots.derived and not isinstance(self.data, Rankings):
                warnings.warn(
                    "These counts were made from rankings, and do not tell from how many: each "
                    "agent's are weighted as those of one. Give the rankings themselves, or a "
                    "`weight`.",
                    stacklevel=5,
                )
        if isinstance(weight, str) and weight == "effective":
            return self.ballots.weights * self.ballots.effective_weight
        if isinstance(weight, bool) or not (isinstance(weight, Number) and 0 < weight < np.inf):
            raise ValueError(f'`weight` must be "effective" or a positive number, got {weight!r}.')
        self.weight_rule = float(weight)
        return self.ballots.weights * self.weight_rule

    @property
    def arguments(self):
        """What the model was told of variances, adherences and weight, in plain values."""
        variances = self.learns_variances if self.variance is None else self.variance
        adherence = "by-instance" if self.by_instance else "learned"
        return {
            "variances": variances,
            "adherence": adherence if self.learns_adherence else self.adherence,
            "weight": self.weight_rule,
            "adherence_spread": self.spread,
        }

    @property
    def about(self):
        """What a specification says of variances, adherences and weight."""
        told = self.arguments
        variances = "given variances"
        if isinstance(told["variances"], bool):
            variances = "variances" if told["variances"] else "no variances"
        adherence = f"adherence {told['adherence'] if self.learns_adherence else 'given'}"
        weight = self.weight_rule
        weight = weight if isinstance(weight, str) else f"{weight:g}"
        return [variances, adherence, f"weight {weight}"]

    @property
    def concave(self):
        """Whether the log-likelihood is known to have one peak."""
        return not (self.learns_variances or self.learns_adherence)

    @property
    def settled(self):
        """Whether existence of the maximum has an exact condition."""
        return self.concave

    @property
    def one_sided(self):
        """Instances whose likelihood rises without end in the scores.

        That is where every preference, by anybody with an adherence, is for an item that never
        loses over one that never wins: the net wins then add up to all there is.
        """
        start, item, net = self.ballots.entries
        factor = self.weight * self.adherence[self.ballots.agent]
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
    def parameters(self):
        """The free parameters besides the scores."""
        parameters = []
        if self.learns_variances:
            scale = np.inf if self.flat else VARIANCE_SCALE
            parameters.append(
                ZeroSum("log_variance", len(self.data.items), scale, starts=self.item_start)
            )
        if self.learns_adherence:
            parameters.append(Probability("adherence", len(self.agents), dims="agent"))
        if self.by_instance:
            if self.spread is None:
                parameters.append(Positive("adherence_spread"))
            parameters.append(Real("adherence_offset", np.ones(len(self.places)), dims="place"))
        return parameters

    @property
    def item_start(self):
        """Where the items of each instance start; none where there is one instance."""
        return self.ballots.item_start if len(self.ballots.item_start) > 2 else None

    @property
    def names(self):
        """What a user calls them, derived ones first."""
        names = ["variance"] * self.learns_variances + ["adherence"] * self.learns_adherence
        if self.by_instance:
            names += ["adherence_spread"] * (self.spread is None) + ["adherence_here"]
        return names

    @property
    def coords(self):
        """Coordinates of the observed variable and the parameters."""
        coords = self.data.coords | {"agent": self.agents, "ballot": self.ballots.names}
        if self.by_instance:
            agents, instances = len(self.agents), self.data.instances
            coords["place"] = [
                f"{instances[k // agents]} / {self.agents[k % agents]}" for k in self.places
            ]
        return coords

    @cached_property
    def _ballot_places(self):
        """Numbers of the instances and agents (places) that ballots are from."""
        instance = np.repeat(
            np.arange(len(self.ballots.ballot_start) - 1), np.diff(self.ballots.ballot_start)
        )
        return np.unique(instance * len(self.agents) + self.ballots.agent, return_inverse=True)

    @property
    def places(self):
        """Instance times number of agents, plus agent, wherever an agent cast a ballot."""
        return self._ballot_places[0]

    @property
    def _place(self):
        return self._ballot_places[1]

    @property
    def name(self):
        return "ranks" if isinstance(self.data, Rankings) else "counts"

    @property
    def dims(self):
        return ("ranking", "slot") if isinstance(self.data, Rankings) else ("pair", "outcome")

    @property
    def observed(self):
        """The observed values."""
        return self.data.ranks if isinstance(self.data, Rankings) else self.data.counts

    @property
    def mean_weight(self):
        """Weight of an average ballot."""
        return float(self.weight.mean())

    @property
    def information(self):
        """Number of outcomes, by which gradients are judged."""
        return float(self.weight @ self.ballots.total)

    @property
    def curvature(self):
        """Roughly, minus the second derivative of the log-likelihood by each free number."""
        instances = len(self.ballots.item_start) - 1
        of_ballot = np.repeat(np.arange(instances), np.diff(self.ballots.ballot_start))
        items = np.diff(self.ballots.item_start)
        draws = self.weight * self.ballots.total
        adherence = 0.5 if self.learns_adherence else self.adherence[self.ballots.agent]
        # Without preference a draw moves each score by +-1 with probability 2 / M.
        by_score = np.bincount(of_ballot, draws * adherence**2, minlength=instances) * 2.0 / items
        by_score = np.repeat(by_score, items - 1)
        by_adherence = np.bincount(self.ballots.agent, draws, minlength=len(self.agents))
        return {
            "score": by_score,
            "effect": by_score,
            "log_variance": by_score / 4.0,
            "adherence": by_adherence,
            "adherence_offset": np.bincount(self._place, draws) * ADHERENCE_SPREAD**2 / 16.0,
        }

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score, made):
        """Add the observed variable to the model of the context."""
        import pymc as pm
        import pytensor.tensor as pt

        from bayesrank import distributions

        variance = 0.5 if self.variance is None else self.variance
        if self.learns_variances:
            variance = pm.Deterministic("variance", 0.5 * pt.exp(made["log_variance"]), dims="item")
        adherence = self.adherence if self.adherence is not None else made["adherence"]
        if self.by_instance:
            spread = made["adherence_spread"] if self.spread is None else self.spread
            base = adherence[self.places % len(self.agents)]
            shifted = pt.log(base) - pt.log1p(-base) + spread * made["adherence_offset"]
            here = pm.Deterministic("adherence_here", pt.sigmoid(shifted), dims="place")
            adherence = here[self._place]
        else:
            adherence = adherence[self.ballots.agent]
        left, right, ballot, counts = self.ballots.rows
        distributions.MPM(
            self.name, score, variance, adherence, left, right, ballot,
            instance=self.data.instance, weight=self.weight, observed=counts,
        )  # fmt: skip

    # The face without PyMC --------------------------------------------------------------------

    def derive(self, values):
        """Return the quantities that follow from the free parameters."""
        derived = {}
        if "log_variance" in values:
            derived["variance"] = self._variance(values)
        if self.by_instance:
            derived["adherence_here"] = self._adherence_here(values)
        return derived

    def _adherence_here(self, values):
        """Return the adherence of each agent in each instance."""
        if "adherence_here" in values:
            return values["adherence_here"]
        base = values["adherence"][self.places % len(self.agents)]
        spread = values.get("adherence_spread", self.spread)
        return expit(logit(base) + spread * values["adherence_offset"])

    def _adherence(self, values):
        """Return the adherence in each ballot."""
        if not self.learns_adherence:
            return self.adherence[self.ballots.agent]
        if self.by_instance:
            return self._adherence_here(values)[self._place]
        return values["adherence"][self.ballots.agent]

    def _variance(self, values):
        """Return the variances of the items, or none where they are one half."""
        if "variance" in values:
            return values["variance"]
        if not self.learns_variances:
            return self.variance
        # As np.clip does, in a third of its time.
        return 0.5 * np.exp(np.minimum(np.maximum(values["log_variance"], -_EXTREME), _EXTREME))

    @property
    def _starts(self):
        return self.ballots.item_start, self.ballots.ballot_start

    def _rows(self, values):
        """Return the kernel's arguments and what it says of each ballot."""
        score, variance = np.ascontiguousarray(values["score"]), self._variance(values)
        adherence = self._adherence(values)
        if variance is None:
            arguments = (score, adherence, *self._starts, *self.ballots.entries, self.ballots.total)
            return arguments, mpm.even(*arguments)
        arguments = (
            score, variance, adherence, *self._starts, *self.ballots.cells, self.ballots.total,
        )  # fmt: skip
        return arguments, mpm.varied(*arguments)

    single_units = ()  # a ballot's preferences are not results of their own

    def log_likelihood(self, values):
        """Return the log-likelihood of each ballot at given parameter values."""
        return self.weight * (self._rows(values)[1][0] + self.ballots.log_coefficient)

    def value_and_gradients(self, values):
        """Return the log-likelihood and its derivatives by the scores and the parameters."""
        arguments, (logp, by_adherence, shares) = self._rows(values)
        gradients = {}
        if not self.learns_variances and self._variance(values) is None:
            gradients["score"] = mpm.even_pull(self.weight, shares, *arguments)
        else:
            gradients["score"], by_variance = mpm.varied_pull(self.weight, shares, *arguments)
            if self.learns_variances:
                inside = np.abs(values["log_variance"]) < _EXTREME
                gradients["log_variance"] = by_variance * arguments[1] * inside
        if self.learns_adherence:
            agent, by_adherence = self.ballots.agent, self.weight * by_adherence
            if self.by_instance:
                agent = self.places % len(self.agents)
                here, base = self._adherence_here(values), values["adherence"][agent]
                by_logit = np.bincount(self._place, by_adherence) * here * (1.0 - here)
                spread = values.get("adherence_spread", self.spread)
                gradients["adherence_offset"] = by_logit * spread
                gradients["adherence_spread"] = by_logit @ values["adherence_offset"]
                by_adherence = by_logit / np.maximum(base * (1.0 - base), 1e-300)
            gradients["adherence"] = np.bincount(agent, by_adherence, minlength=len(self.agents))
        return float(self.weight @ (logp + self.ballots.log_coefficient)), gradients

    def native(self, where):
        """Return None: the kernel takes long enough by itself; see `PairObservation.native`."""
        return None

    def pair_probability(self, values, outcome, left, right, *, neutral=False):
        """Return the probability that a fully adherent agent prefers left (0) or right (1)."""
        if outcome == 2:
            return np.zeros(len(left))
        score, variance = values["score"], self._variance(values)
        spread = 1.0 if variance is None else variance[left] + variance[right]
        d = 2.0 * (score[left] - score[right]) / spread
        return expit(d if outcome == 0 else -d)

    def with_data(self, data):
        """Return the model of other counts of the same pairs."""
        return type(self)(data, self.likelihood, self.family, flat=self.flat, **self._given)

    def draw(self, values, rng):
        """Return new observations, one set; every pair must be among the rows."""
        whole = np.issubdtype(self.observed.dtype, np.integer)
        if self.ballots.derived or not whole or np.any(self.weight != 1.0):
            raise ValueError(
                "Counts that were made from rankings or ratings, or that are weighted, are not "
                "draws, so there is no distribution to draw new ones from."
            )
        score, variance = values["score"], self._variance(values)
        variance = np.full(score.size, 0.5) if variance is None else variance
        adherence = self._adherence(values)
        nothing = np.zeros(0, dtype=np.int32)
        log_norm = -mpm.varied(
            score, variance, adherence, *self._starts, np.zeros(len(self.ballots) + 1, np.int64),
            nothing, nothing, np.zeros(0), np.ones(len(self.ballots)),
        )[0]  # fmt: skip
        return self.ballots.source.draw(score, variance, adherence, log_norm, rng)
