"""What all ranking distributions share: ranks of slots, with a kernel's log-probability.

The value has one row per ranking and one column per slot: 1 is best, equal ranks are one block, 0
is offered but unranked (below all ranked slots, in unknown order), -1 is no item.
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

from bayesrank.distributions.array_op import ArrayOp
from bayesrank.distributions.observed import (
    as_observed,
    followed,
    known_values,
    require_ranks,
    require_rows,
    unchecked,
    whole_ranks,
)

__all__ = [
    "RankingDistribution",
    "RankingRV",
    "block_sizes",
    "blocks_of",
    "distribution_of",
    "no_blocks",
    "rows_of",
]


def blocks_of(ranks, offered=None):
    """Return the order of the slots, the sizes of the blocks and which rows are possible."""
    ranks = pt.as_tensor(ranks)
    return ArrayOp("partition")(ranks, ranks >= 0 if offered is None else offered)


def block_sizes(ranks):
    """Return the sizes of the blocks of ranks of any batch shape; unranked ones are negative."""
    ranks = pt.as_tensor(ranks)
    flat = ranks.reshape((-1, ranks.shape[-1]))
    return blocks_of(flat)[1].reshape(ranks.shape, ndim=ranks.ndim)


def rows_of(batch, *tensors):
    """Return tensors as matrices: their batch dimensions broadcast, then flattened to one."""
    return [pt.broadcast_to(x, (*batch, x.shape[-1])).reshape((-1, x.shape[-1])) for x in tensors]


class RankingRV(SymbolicRandomVariable):
    """Ranks of the slots of a ranking.

    Its parameters are the scores, which slots are offered, the weight, and then what the model
    needs besides. Subclasses say how to ``draw`` (the next generator and ranks, for matrices of
    scores and offered slots), the ``log_probability`` of ranks (and which rows are possible), and
    into which ``support_blocks`` a support point is sorted.
    """

    extended_signature = "[rng],[size],(k),(k),()->[rng],(k)"
    rule = ""

    @classmethod
    def batched(cls, *rest):
        """Return those of the model's own parameters that may differ between rankings."""
        return []

    @classmethod
    def by_row(cls, batch, *rest):
        """Return the model's own parameters laid out for the rows of a batch of rankings."""
        return rest

    @classmethod
    def valid(cls, *rest):
        """Return whether the model's own parameters are within their range."""
        return True

    @classmethod
    def rv_op(cls, score, offered, weight, *rest, size=None, rng=None):
        """Draw ranks."""
        score, offered, weight = (pt.as_tensor(x) for x in (score, offered, weight))
        rest = [pt.as_tensor(x) for x in rest]
        rng, size = normalize_rng_param(rng), normalize_size_param(size)
        if rv_size_is_none(size):
            more = cls.batched(*rest)
            batch = implicit_size_from_params(
                score, offered, weight, *more, ndims_params=[1, 1, 0, *[1] * len(more)]
            )
        else:
            batch = size
        batch = [batch[i] for i in range(pt.get_vector_length(batch))]
        inputs = [rng, size, score, offered, weight, *rest]
        rows = rows_of(batch, score, offered)
        next_rng, ranks = cls.draw(rng, *rows, *cls.by_row(batch, *rest))
        ranks = ranks.reshape((*batch, score.shape[-1]), ndim=len(batch) + 1)
        return cls(inputs=inputs, outputs=[next_rng, ranks])(*inputs)


@_logprob.register(RankingRV)
def ranking_logprob(op, values, rng, size, score, offered, weight, *rest, **kwargs):
    """Return one term per ranking; -inf where ranks do not fit the offered slots or have gaps."""
    (value,) = values
    _require_known(value)
    offered = unchecked(offered)
    slots = {x.type.shape[-1] for x in (score, offered, value)} - {None}
    if len(slots) > 1:
        raise ValueError(
            f"Ranks must have as many slots as scores, got {value.type.shape[-1]} ranks and "
            f"{score.type.shape[-1]} scores a ranking."
        )
    more = type(op).batched(*rest)
    if score.ndim == offered.ndim == value.ndim == 2 and not any(
        x.type.broadcastable[0] for x in (score, offered, value, *more)
    ):
        flat = True  # one row per ranking: nothing to reshape
        batch, rows = [score.shape[0]], [score, value, offered]
    else:
        flat = False
        batch = pt.broadcast_shape(*(x[..., 0] for x in (score, value, offered, *more)))
        batch = [batch[i] for i in range(pt.get_vector_length(batch))]
        rows = rows_of(batch, score, value, offered)
    logp, possible = type(op).log_probability(*rows, *type(op).by_row(batch, *rest))
    # For given data this is a constant. It carries the check, to keep it out of the gradient.
    barrier = pt.switch(possible, 0.0, -np.inf)
    barrier = check_parameters(barrier, pt.all(weight > 0), msg="weight > 0")
    valid = type(op).valid(*rest)
    if valid is not True:
        barrier = check_parameters(barrier, valid, msg=op.rule)
    logp = logp + barrier
    if not flat:
        logp = logp.reshape(batch, ndim=len(batch))
    return logp * weight


def _require_known(value):
    """Refuse the density of a ranking that a model leaves free: no sampler moves among rankings."""
    name = getattr(value.tag, "unobserved_ranking", None)
    if name is not None:
        raise ValueError(
            f"The ranking {name!r} is not observed, and samplers cannot move among rankings. Give "
            "`observed`; to predict rankings, add the variable after sampling and use "
            "pm.sample_posterior_predictive."
        )


@_support_point.register(RankingRV)
def ranking_support_point(op, rv, rng, size, score, offered, *rest):
    """Return the ranking by score, in blocks where there are any."""
    batch = [rv.shape[i] for i in range(rv.ndim - 1)]
    score, offered = rows_of(batch, score, offered)
    blocks = op.support_blocks(score, *op.by_row(batch, *rest[1:]))
    ranks = ArrayOp("sort_into_blocks")(score, offered, blocks)
    return ranks.reshape(rv.shape, ndim=rv.ndim)


def no_blocks(score):
    """Return block sizes that leave every slot on its own."""
    return pt.zeros_like(score, dtype="int64")


class RankingDistribution(Discrete):
    """Distribution of rankings; subclasses name what the model needs besides scores."""

    def __new__(cls, name, *args, observed=None, **kwargs):
        """Register the distribution, after a look at the observed ranks.

        Slots that are not said to be ``offered`` or not are those without a rank of -1.
        """
        if observed is not None:
            observed = as_observed(observed, "write -1 where no item was offered")
            if not isinstance(observed, Variable):
                observed = whole_ranks(observed)
            offered = args[1] if len(args) > 1 else kwargs.get("offered")
            ranks = known_values(observed)
            if ranks is not None:
                given = None if offered is None else known_values(offered)
                require_ranks(whole_ranks(ranks), given, **cls._support(*args[2:], **kwargs))
            score = args[0] if args else kwargs.get("score")
            if ranks is not None and score is not None:
                require_rows("ranking", np.shape(ranks)[:-1], pt.as_tensor(score).type.shape[:-1])
            if offered is None:
                offered = followed(observed >= 0, "offered", observed, score)
                args, kwargs = args[:1], kwargs | {"offered": offered}
            kwargs = cls._learn_from(observed, kwargs, score, offered)
        made = super().__new__(cls, name, *args, observed=observed, **kwargs)
        if observed is None:
            pm.modelcontext(None).rvs_to_values[made].tag.unobserved_ranking = name
        return made

    @classmethod
    def _support(cls, *args, **kwargs):
        """Return which ranks have a probability, as arguments of `require_ranks`."""
        return {}

    @classmethod
    def _learn_from(cls, observed, kwargs, *design):
        """Return keywords completed by what follows from the observed ranks."""
        return kwargs

    @classmethod
    def _dist(cls, score, offered, weight, *rest, **kwargs):
        """Create the variable from scores and the kernel's own parameters."""
        score = pt.as_tensor(score)
        if score.ndim == 0:
            raise ValueError("`score` must have the slots of a ranking on its last axis.")
        score = score.astype("float64")
        if score.type.shape[-1] == 0:
            raise ValueError("`score` must have at least one slot on its last axis, got none.")
        if offered is None:
            offered = pt.ones_like(score, dtype="bool")
            if any(score.type.broadcastable[:-1]):
                # Axes of length one may become longer: PyTensor 2 loses the gradient of two.
                offered = pt.ones((score.shape[-1],), dtype="bool")
        offered = pt.as_tensor(offered)
        if offered.dtype != "bool":
            raise TypeError(
                "`offered` must hold True (an item is in the slot) and False, got "
                f"{offered.dtype}; for entries where -1 is no item it is entries >= 0."
            )
        lengths = score.type.shape[-1], offered.type.shape[-1] if offered.ndim else None
        if offered.ndim == 0 or (None not in lengths and lengths[0] != lengths[1]):
            raise ValueError(
                f"`offered` must have the slots of `score` on its last axis, got {lengths[1]} "
                f"slots and {lengths[0]} scores."
            )
        return super().dist([score, offered, pt.as_tensor(weight), *rest], **kwargs)


def distribution_of(rv):
    """Return the distribution of a random variable that a public one chooses by its options."""
    return type(rv.__name__.removesuffix("RV"), (RankingDistribution,), {
        "rv_type": rv, "rv_op": rv.rv_op, "__doc__": f"Chosen by its options: {rv.name}.",
    })  # fmt: skip
