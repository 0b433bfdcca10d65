"""What all pair distributions share: multinomial counts with a kernel's outcome probabilities.

The density, the sampler and the support point all come from the kernel, so that they cannot
disagree with each other.
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
from bayesrank.distributions.observed import (
    as_observed,
    followed,
    known_values,
    require_counts,
    require_rows,
    unchecked,
)

__all__ = ["PairDistribution", "PairRV", "score_difference"]


def _log_probability(kernel, counts, difference, tie, *structure):
    """Return the log-probability of each row of counts, without the multinomial coefficient.

    Everything broadcasts, but a scalar ``tie`` stays a scalar, so that the kernel reads one
    number instead of a column.
    """
    shared = all(tie.type.broadcastable)
    rows = counts.ndim == 2 and not counts.type.broadcastable[0]
    if rows and difference.type.broadcastable == (False,) and shared:
        batch = None  # one row per pair: nothing to reshape
    else:
        batch = pt.broadcast_shape(counts[..., 0], difference, tie)
        counts = pt.broadcast_to(counts, (*batch, 3)).reshape((-1, 3))
        difference = pt.broadcast_to(difference, batch).flatten()
    tie = tie.reshape((1,)) if shared else pt.broadcast_to(tie, batch).flatten()
    # The kernel wants the counts by outcome; for given data that is a constant.
    by_outcome = pt.stack([counts[:, outcome].astype("float64") for outcome in range(3)])
    logp = KernelOp(kernel)(difference, tie, by_outcome, *structure)[0]
    return logp if batch is None else logp.reshape(batch, ndim=len(batch))


def score_difference(left, right):
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
    rule: str  # what `tie >= 0` means in the user's own parameters

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


@_logprob.register(PairRV)
def pair_logprob(op, values, rng, size, difference, tie, n, *structure, **kwargs):
    """Return one term per row; -inf where the counts are negative or do not add up to ``n``."""
    (value,) = values
    n = unchecked(n)
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
        if observed is not None:
            observed = as_observed(observed, "write 0 where there are no counts")
            masked = np.ma.isMaskedArray(observed)
            counts = observed if masked else known_values(observed)
            sides = [kwargs[name] for name in ("left", "right") if name in kwargs]
            sides = [pt.as_tensor(side) for side in (*args[:2], *sides)]
            if counts is not None:
                require_counts(
                    counts,
                    ties=cls._has_ties(*args[2:], **kwargs),
                    name=cls.__name__,
                    remedy="use Davidson, RaoKupper or ThurstonePairs with a threshold",
                    n=None if n is None else known_values(n),
                )
                require_rows("pair", np.shape(counts)[:-1], *(side.type.shape for side in sides))
            if n is None:
                whole = observed if isinstance(observed, Variable) else np.asarray(observed)
                n = followed(whole.sum(axis=-1), "n", observed, *sides)
        return super().__new__(cls, name, *args, n=n, observed=observed, **kwargs)

    @classmethod
    def _has_ties(cls, *args, **kwargs):
        """Return whether ties have a probability under the given parameters."""
        return True

    @classmethod
    def _dist(cls, difference, tie, n, *structure, **kwargs):
        """Create the variable from the kernel's parameters."""
        n = pt.as_tensor(1 if n is None else n)
        n = n.astype("int64" if n.dtype in pt.type.discrete_dtypes else "float64")
        return super().dist([difference, pt.as_tensor(tie), n, *structure], **kwargs)
