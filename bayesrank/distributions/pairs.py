"""Distributions of pair comparisons: counts of (left wins, right wins, ties), a row a pair.

All share one random variable, `PairRV`: outcome probabilities from a kernel, counts multinomial.
A distribution only says which kernel, and how its parameters become the kernel's.
"""

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pymc.distributions.dist_math import check_parameters
from pymc.distributions.distribution import Discrete, SymbolicRandomVariable, _support_point
from pymc.distributions.shape_utils import implicit_size_from_params, rv_size_is_none
from pymc.logprob.abstract import _logprob
from pymc.pytensorf import normalize_rng_param
from pytensor.graph.basic import Variable
from pytensor.tensor.random.utils import normalize_size_param

from bayesrank.distributions.kernel_op import KernelOp
from bayesrank.kernels.noise import check_noise, difference_table

__all__ = ["BradleyTerry", "Davidson", "RaoKupper", "ThurstonePairs"]


def _log_probability(kernel, counts, difference, tie, *structure):
    """Return the log-probability of each row of counts, without the multinomial coefficient.

    Everything broadcasts, but a scalar ``tie`` stays a scalar, so that the kernel reads one
    number instead of a column.
    """
    shared = all(tie.type.broadcastable)
    rows = counts.ndim == 2 and not counts.type.broadcastable[0]
    if rows and difference.type.broadcastable == (False,) and shared:
        batch = None  # one row a pair: nothing to reshape
    else:
        batch = pt.broadcast_shape(counts[..., 0], difference, tie)
        counts = pt.broadcast_to(counts, (*batch, 3)).reshape((-1, 3))
        difference = pt.broadcast_to(difference, batch).flatten()
    tie = tie.reshape((1,)) if shared else pt.broadcast_to(tie, batch).flatten()
    # The kernel wants the counts by outcome; for given data that is a constant.
    by_outcome = pt.stack([counts[:, outcome] for outcome in range(3)])
    logp = KernelOp(kernel)(difference, tie, by_outcome, *structure)[0]
    return logp if batch is None else logp.reshape(batch, ndim=len(batch))


def _difference(left, right):
    """Return the score difference; in float64, because small integers overflow."""
    return pt.as_tensor(left).astype("float64") - pt.as_tensor(right).astype("float64")


def _outcome_probabilities(kernel, difference, tie, *structure):
    """Return the probabilities of (win, loss, tie) on a new last axis, from the kernel itself."""
    shape = [*pt.broadcast_shape(difference, tie), 3]
    log_p = [
        _log_probability(kernel, pt.broadcast_to(outcome, shape), difference, tie, *structure)
        for outcome in np.eye(3)
    ]
    return pt.exp(pt.stack(log_p, axis=-1))


class PairRV(SymbolicRandomVariable):
    """Multinomial counts with the outcome probabilities of a pair kernel."""

    extended_signature = "[rng],[size],(),(),()->[rng],(o)"
    kernel: str
    rule: str  # what `tie >= 0` says in the user's own parameters

    @classmethod
    def rv_op(cls, difference, tie, n, *structure, size=None, rng=None):
        """Draw counts."""
        difference, tie, n = (pt.as_tensor(x) for x in (difference, tie, n))
        structure = [pt.as_tensor(x) for x in structure]
        rng, size = normalize_rng_param(rng), normalize_size_param(size)
        batch = size
        if rv_size_is_none(size):
            batch = implicit_size_from_params(difference, tie, n, ndims_params=[0, 0, 0])
        p = _outcome_probabilities(cls.kernel, difference, tie, *structure)
        whole = pt.round(n.astype("float64")).astype("int64")
        next_rng, counts = pm.Multinomial.dist(n=whole, p=p, size=batch, rng=rng).owner.outputs
        # Weighted counts are fractional and keep that type; a draw is whole all the same.
        counts = counts.astype(n.dtype)
        inputs = [rng, size, difference, tie, n, *structure]
        return cls(inputs=inputs, outputs=[next_rng, counts])(*inputs)


class DavidsonRV(PairRV):
    name = "davidson"
    kernel = "davidson"
    rule = "nu >= 0"
    _print_name = ("Davidson", "\\operatorname{Davidson}")


class BradleyTerryRV(DavidsonRV):
    name = "bradley_terry"
    _print_name = ("BradleyTerry", "\\operatorname{BradleyTerry}")


class RaoKupperRV(PairRV):
    name = "rao_kupper"
    kernel = "rao_kupper"
    rule = "theta >= 1"
    _print_name = ("RaoKupper", "\\operatorname{RaoKupper}")


class GumbelPairsRV(RaoKupperRV):
    name = "gumbel_pairs"
    rule = "threshold >= 0, scale > 0"
    _print_name = ("GumbelPairs", "\\operatorname{GumbelPairs}")


class ThurstonePairsRV(PairRV):
    name = "thurstone_pairs"
    extended_signature = "[rng],[size],(),(),(),(a,b,c)->[rng],(o)"
    kernel = "cumulative"
    rule = "threshold >= 0, scale > 0"
    _print_name = ("ThurstonePairs", "\\operatorname{ThurstonePairs}")


@_logprob.register(PairRV)
def pair_logprob(op, values, rng, size, difference, tie, n, *structure, **kwargs):
    """Return one term per row; -inf where the counts are negative or do not add up to ``n``."""
    (value,) = values
    if value.type.shape[-1] not in (None, 3):
        raise ValueError(
            "The value must hold (left wins, right wins, ties) on its last axis, got shape "
            f"{value.type.shape}."
        )
    total = value.sum(axis=-1)
    # Weighted counts add up to n but for rounding, perhaps in single precision.
    exact = value.dtype in pt.type.discrete_dtypes
    adds_up = pt.eq(total, n) if exact else pt.abs(total - n) <= 1e-6 * (1.0 + n)
    possible = pt.all(value >= 0, axis=-1) & adds_up
    ways = pt.gammaln(total + 1.0) - pt.gammaln(value + 1.0).sum(axis=-1)
    # For given data this is a constant, which PyTensor folds: the kernel does all the work. The
    # check rides on it rather than on the kernel's output, to stay out of the gradient; the
    # kernel itself never sees a parameter outside its range.
    coefficient = pt.switch(possible, ways, -np.inf)
    coefficient = check_parameters(coefficient, pt.all(tie >= 0), msg=op.rule)
    tie = pt.maximum(tie, 0.0)
    return _log_probability(op.kernel, value, difference, tie, *structure) + coefficient


@_support_point.register(PairRV)
def pair_support_point(op, rv, rng, size, difference, tie, n, *structure):
    """Return expected counts rounded down, with the remainder on the likeliest outcome."""
    p = _outcome_probabilities(op.kernel, difference, tie, *structure)
    n = n[..., None]
    expected = pt.floor(n * p)
    likeliest = pt.eq(pt.arange(3), pt.argmax(p, axis=-1)[..., None])
    point = expected + likeliest * (n - expected.sum(axis=-1, keepdims=True))
    return pt.broadcast_to(point.astype(rv.dtype), rv.shape)


class PairDistribution(Discrete):
    """Distribution of pair counts; subclasses turn their parameters into (difference, tie)."""

    def __new__(cls, name, *args, n=None, observed=None, **kwargs):
        """Register the distribution; ``n`` is taken from ``observed`` unless given."""
        if n is None and observed is not None:
            n = (observed if isinstance(observed, Variable) else np.asarray(observed)).sum(axis=-1)
        return super().__new__(cls, name, *args, n=n, observed=observed, **kwargs)

    @classmethod
    def _dist(cls, difference, tie, n, *structure, **kwargs):
        """Create the variable from the kernel's parameters."""
        n = pt.as_tensor(1 if n is None else n)
        n = n.astype("int64" if n.dtype in pt.type.discrete_dtypes else "float64")
        return super().dist([difference, pt.as_tensor(tie), n, *structure], **kwargs)


class Davidson(PairDistribution):
    r"""Davidson's Bradley-Terry model with ties.

    .. math:: P(\text{left}, \text{right}, \text{tie})
        = \frac{(e^{d/2},\, e^{-d/2},\, \nu)}{e^{d/2} + e^{-d/2} + \nu},
        \qquad d = \text{left} - \text{right}

    The value holds, in each row, how often the left item won, the right one won, and they tied.

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry a row. For an order (home) effect add it to ``left``.
    nu : tensor_like of float
        Tie prevalence (nu >= 0); two equal items tie with probability nu / (2 + nu).
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1.

    Examples
    --------
    >>> games = br.load_dataset("pudding")
    >>> with pm.Model(coords=games.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     nu = pm.HalfNormal("nu", 1.0)
    ...     br.Davidson("y", score[games.left], score[games.right], nu, observed=games.counts)

    References
    ----------
    Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired
    comparison experiments, JASA 65, 317-328.
    """

    rv_type = DavidsonRV
    rv_op = DavidsonRV.rv_op

    @classmethod
    def dist(cls, left, right, nu, *, n=None, **kwargs):
        """Create the variable outside a model."""
        return cls._dist(_difference(left, right), nu, n, **kwargs)


class BradleyTerry(PairDistribution):
    r"""Bradley-Terry model: the left item wins with probability :math:`\sigma(left - right)`.

    The value holds (left wins, right wins, ties) like every pair distribution's; a tie is
    outside the support.

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry a row.
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1.

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs, Biometrika 39, 324-345.
    """

    rv_type = BradleyTerryRV
    rv_op = BradleyTerryRV.rv_op

    @classmethod
    def dist(cls, left, right, *, n=None, **kwargs):
        """Create the variable outside a model."""
        return cls._dist(_difference(left, right), 0.0, n, **kwargs)


class RaoKupper(PairDistribution):
    r"""Rao and Kupper's Bradley-Terry model with ties: a threshold on a logistic difference.

    .. math:: P(\text{left}) = \sigma(d - \log\theta), \quad
        P(\text{right}) = \sigma(-d - \log\theta), \quad P(\text{tie}) = \text{the rest}

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry a row.
    theta : tensor_like of float
        Threshold (theta >= 1); two equal items tie with probability (theta - 1)/(theta + 1).
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1.

    References
    ----------
    Rao and Kupper (1967), Ties in paired-comparison experiments: a generalization of the
    Bradley-Terry model, JASA 62, 194-204.
    """

    rv_type = RaoKupperRV
    rv_op = RaoKupperRV.rv_op

    @classmethod
    def dist(cls, left, right, theta, *, n=None, **kwargs):
        """Create the variable outside a model."""
        return cls._dist(_difference(left, right), pt.log(theta), n, **kwargs)


class _GumbelPairs(PairDistribution):
    # The difference of two Gumbel noises is logistic, which is Rao and Kupper's model.
    rv_type = GumbelPairsRV
    rv_op = GumbelPairsRV.rv_op


class ThurstonePairs(PairDistribution):
    r"""Thurstone's model of pairs: each item's score is seen with noise and the higher one wins.

    With Z = score + scale * noise, the left item wins when its Z exceeds the other's by more
    than the threshold, and the two tie when they are closer (Glenn and David). Without a
    threshold, ties are outside the support.

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry a row.
    noise : "normal", "logistic", "gumbel" or ("t", degrees of freedom)
        Standard distribution of each item's own noise. Normal noise gives
        P(left) = Phi(d / sqrt(2)); the classical probit Phi(d) is ``scale=1/sqrt(2)``. Gumbel
        noise is Bradley-Terry, with a threshold Rao-Kupper.
    scale : tensor_like of float
        Scale of the noise (scale > 0).
    threshold : tensor_like of float, optional
        Least difference that can be told (threshold >= 0), on the scale of the scores.
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1.

    References
    ----------
    Thurstone (1927), A law of comparative judgment, Psychological Review 34, 273-286. Glenn and
    David (1960), Ties in paired-comparison experiments using a modified Thurstone-Mosteller
    model, Biometrics 16, 86-109.
    """

    rv_type = ThurstonePairsRV
    rv_op = ThurstonePairsRV.rv_op

    @classmethod
    def dist(cls, left, right, *, noise="normal", scale=1.0, threshold=None, n=None, **kwargs):
        """Create the variable outside a model."""
        noise = check_noise(noise)
        scale = pt.as_tensor(scale)
        # The difference of two standard normals has standard deviation sqrt(2).
        unit = scale * np.sqrt(2.0) if noise == "normal" else scale
        difference = _difference(left, right) / unit
        # A scale that is not positive must not pass for a valid threshold.
        tie = pt.switch(scale > 0, (0.0 if threshold is None else threshold) / unit, -1.0)
        if noise == "gumbel":
            return _GumbelPairs._dist(difference, tie, n, **kwargs)
        return cls._dist(difference, tie, n, difference_table(noise), **kwargs)
