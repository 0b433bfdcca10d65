"""The multinomial preference model: counts of ordered pairs by agents who adhere more or less."""

from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pymc.distributions.dist_math import check_parameters
from pymc.distributions.distribution import Discrete, SymbolicRandomVariable, _support_point
from pymc.distributions.shape_utils import rv_size_is_none
from pymc.logprob.abstract import _logprob
from pymc.pytensorf import normalize_rng_param
from pytensor.graph.basic import Variable
from pytensor.tensor.random.utils import normalize_size_param

from bayesrank.distributions.array_op import ArrayOp
from bayesrank.distributions.ballot_op import BallotOp
from bayesrank.distributions.observed import known_values, require_counts
from bayesrank.kernels.ballots import items_of_ballots, lay_out

__all__ = ["MPM"]


class MPMRV(SymbolicRandomVariable):
    """Counts of preferences: rows of pairs by (left preferred, right preferred, no tie).

    Its parameters are scores, variances (by item, or one for all), adherences, weights and
    totals by ballot; then the starts of items, ballots and cells, the order of the rows, their
    left, right and ballot, and entries.
    """

    name = "mpm"
    extended_signature = (
        "[rng],[size],(i),(v),(b),(b),(b),(q),(q),(c),(r),(r,o),(e),(f),(r),(r)->[rng],(r,o)"
    )
    _print_name = ("MPM", "\\operatorname{MPM}")

    @classmethod
    def rv_op(cls, score, variance, adherence, weight, n, *structure, size=None, rng=None):
        """Draw counts."""
        score, variance, adherence, weight, n = (
            pt.as_tensor(x) for x in (score, variance, adherence, weight, n)
        )
        structure = [pt.as_tensor(x) for x in structure]
        rng, size = normalize_rng_param(rng), normalize_size_param(size)
        if not (rv_size_is_none(size) or pt.get_vector_length(size) == 0):
            raise NotImplementedError("MPM has no batch dimensions; give it no `size`.")
        items, ballots, cell_start, order, rows, *_ = structure
        by_item = pt.broadcast_to(variance, score.shape)
        log_norm = -BallotOp("varied")(
            score, by_item, adherence, items, ballots, pt.zeros_like(cell_start),
            pt.zeros(0, dtype="int32"), pt.zeros(0, dtype="int32"), pt.zeros(0),
            pt.ones_like(adherence),
        )[0]  # fmt: skip
        next_rng, seeds = pm.Uniform.dist(size=adherence.shape, rng=rng).owner.outputs
        seeds = (seeds * 2.0**53).astype("int64")
        whole = pt.round(n.astype("float64"))
        counts = ArrayOp("draw_preferences")(
            rows, score, by_item, adherence, log_norm, whole, cell_start, order, seeds
        )
        counts = counts.astype(n.dtype)
        inputs = [rng, size, score, variance, adherence, weight, n, *structure]
        return cls(inputs=inputs, outputs=[next_rng, counts])(*inputs)


@_logprob.register(MPMRV)
def mpm_logprob(op, values, rng, size, score, variance, adherence, weight, n, *structure, **kwargs):
    """Return one term per ballot; -inf where counts are negative, tied or do not add up."""
    (value,) = values
    items, ballots, cell_start, order, rows, entry_start, entry_item, left, right = structure
    shape, needed = value.type.shape, rows.type.shape
    if len(shape) != 2 or any(
        a is not None and b is not None and a != b for a, b in zip(shape, needed, strict=True)
    ):
        raise ValueError(
            "The value must hold (left preferred, right preferred, ties) for each of the "
            f"{needed[0]} rows, got shape {shape}."
        )
    value = value[order]

    def by_ballot(x):
        """Add up sorted rows."""
        total = pt.concatenate([pt.zeros(1, dtype=x.dtype), pt.cumsum(x)])
        return total[cell_start[1:]] - total[cell_start[:-1]]

    counts = value.sum(axis=-1)
    total = by_ballot(counts).astype("float64")
    bad = by_ballot(pt.any(value < 0, axis=-1).astype("int64") + pt.neq(value[:, 2], 0))
    # Weighted counts add up to n but for rounding.
    possible = pt.eq(bad, 0) & (pt.abs(total - n) <= 1e-6 * (1.0 + n))
    ways = pt.gammaln(total + 1.0) - by_ballot(pt.gammaln(pt.maximum(value, 0) + 1.0).sum(axis=-1))
    # For given data this is a constant, and the checks ride on it; see `pair_logprob`.
    coefficient = pt.switch(possible, ways, -np.inf)
    coefficient = check_parameters(
        coefficient,
        pt.all((adherence >= 0) & (adherence <= 1)),
        pt.all(variance > 0),
        pt.all(weight > 0),
        msg="0 <= adherence <= 1, variance > 0, weight > 0",
    )
    adherence = pt.clip(adherence, 0.0, 1.0)
    net = (value[:, 0] - value[:, 1]).astype("float64")
    if variance.type.broadcastable[0]:
        entries = pt.zeros(entry_item.shape)[left].inc(net)
        entries = entries[right].inc(-net)
        logp = BallotOp("even")(
            score / (2.0 * variance), adherence, items, ballots, entry_start, entry_item,
            entries, total,
        )[0]  # fmt: skip
    else:
        # Columns first: a column of a constant matrix is not contiguous, and Numba caches no
        # function that holds such an array.
        first, second = (rows[:, k][order].astype("int32") for k in (0, 1))
        logp = BallotOp("varied")(
            score, pt.maximum(variance, 1e-30), adherence, items, ballots, cell_start,
            first, second, net, total,
        )[0]  # fmt: skip
    return (logp + coefficient) * weight


@_support_point.register(MPMRV)
def mpm_support_point(op, rv, rng, size, score, variance, adherence, weight, n, *structure):
    """Return all preferences on the first pair of each ballot."""
    _, _, cell_start, order, *_ = structure
    return pt.zeros_like(rv)[order[cell_start[:-1]], 0].set(n.astype(rv.dtype))


class MPM(Discrete):
    r"""Multinomial preference model: how often agents preferred one item to another.

    Each preference of agent n is a draw from all ordered pairs of items,

    .. math:: P_n(i \succ j) = \frac{e^{\theta_n d_{ij}}}{\sum_{k \ne l} e^{\theta_n d_{kl}}},
        \qquad d_{ij} = \frac{s_i - s_j}{\gamma_i + \gamma_j}

    The value has one row for each pair and agent: how often the agent preferred the left item,
    how often the right one, and 0 (there are no ties). Pairs that are not listed were not
    preferred either way. The log-probability has one term for each agent, or for each agent in
    each instance. Drawing needs all pairs listed: see `Comparisons.completed`.

    Parameters
    ----------
    score : tensor_like of float
        Scores s of the items.
    variance : tensor_like of float
        Variances gamma of the items, or one number for all (variance > 0); one half makes
        :math:`d_{ij} = s_i - s_j`. One number costs far less.
    adherence : tensor_like of float
        How far each agent follows the scores, from 0 (prefers at random) to 1, by agent, or one
        number for all.
    left, right : array of int
        Position of the two items of each row.
    agent : array of int, optional
        Position of the agent of each row; by default all are of one.
    instance : array of int, optional
        For each item the instance (query) it belongs to, in increasing order: preferences are
        drawn among the items of an instance. By default there is one.
    weight : tensor_like of float
        Power of the likelihood, for all or by ballot (weight > 0). Counts that were made from
        rankings or ratings are not independent draws and deserve less than 1.
    n : tensor_like of int, optional
        Preferences by ballot (agents in each instance, instance by instance), or one number for
        all; by default those of the observed counts, or 1.

    Examples
    --------
    >>> films = br.Rankings.from_lists([["a", "b", "c"], ["b", "a", "c"]], agents=["x", "y"])
    >>> votes = films.to_comparisons("difference", by_agent=True, warn=False)
    >>> with pm.Model(coords=votes.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     adherence = pm.Uniform("adherence", 0.0, 1.0, dims="agent")
    ...     y = br.MPM(
    ...         "y", score, 0.5, adherence, votes.left, votes.right, votes.agent, weight=0.4,
    ...         observed=votes.counts,
    ...     )

    References
    ----------
    Volkovs and Zemel (2012), A flexible generative model for preference aggregation, WWW '12.
    """

    rv_type = MPMRV
    rv_op = MPMRV.rv_op

    def __new__(cls, name, *args, n=None, observed=None, **kwargs):
        """Register the distribution; ``n`` is taken from ``observed`` unless given."""
        counts = None if observed is None else known_values(observed)
        if counts is not None:
            require_counts(counts, ties=False, name="MPM", remedy="leave them out")
            if counts.ndim != 2:
                raise ValueError(
                    "`observed` must hold (left preferred, right preferred, ties) in each row, "
                    f"got shape {counts.shape}."
                )
        if n is None and observed is not None:
            n = observed if isinstance(observed, Variable) else counts
        return super().__new__(cls, name, *args, n=n, observed=observed, **kwargs)

    @classmethod
    def dist(
        cls, score: Any, variance: Any, adherence: Any, left: Any, right: Any, agent: Any = None, *,
        instance: Any = None, weight: Any = 1.0, n: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Create the variable outside a model.

        Examples
        --------
        >>> preferred = br.MPM.dist([1.0, 0.0], 0.5, 1.0, left=[0], right=[1])
        >>> np.exp(pm.logp(preferred, np.array([[1, 0, 0]])).eval()).round(3)
        array([0.881])
        """
        score = pt.as_tensor(score).astype("float64")
        left, right, agent = _checked_rows(left, right, agent)
        if score.ndim != 1:
            raise ValueError("`score` must be a vector, one score per item.")
        items, last = score.type.shape[0], max(left.max(), right.max())
        if items is not None and items <= last:
            raise ValueError(
                f"`left` and `right` point at item {last}, but there are {items} scores."
            )
        if items is None:
            items = last + 1 if instance is None else len(instance)
        where = _checked_instance(instance, left, right, items)
        layout = lay_out(left, right, agent, where)
        if np.ndim(n) == 2 and pt.as_tensor(n).type.shape[0] not in (None, left.size):
            rows = pt.as_tensor(n).type.shape[0]
            raise ValueError(
                f"`observed` has {rows} rows of counts, but there are {left.size} pairs in `left`."
            )
        item_start = layout.item_start
        if instance is None:
            # There may be items that are in no pair; the kernel refuses too few scores.
            stop = pt.maximum(score.shape[0], last + 1).astype("int64")
            item_start = pt.stack([pt.constant(0, dtype="int64"), stop])
        variance = pt.atleast_1d(pt.as_tensor(variance).astype("float64"))
        adherence = pt.as_tensor(adherence).astype("float64")
        known = adherence.type.shape[0] if adherence.ndim else None
        if known is not None and 1 < known <= agent.max():
            raise ValueError(f"`agent` points at {agent.max()}, but there are {known} adherences.")
        single = adherence.ndim == 0 or known == 1
        adherence = (
            pt.broadcast_to(adherence, (layout.agent.size,)) if single else adherence[layout.agent]
        )
        entries = [np.zeros(layout.agent.size + 1, dtype=np.int64), *[np.zeros(0, np.int64)] * 3]
        if variance.type.broadcastable[0]:
            entries = items_of_ballots(layout)
        rows = np.stack([left, right, agent], axis=1)
        return super().dist(
            [
                score,
                variance,
                adherence,
                pt.broadcast_to(pt.as_tensor(weight).astype("float64"), (layout.agent.size,)),
                _totals(n, layout),
                item_start,
                layout.ballot_start,
                layout.cell_start,
                layout.order,
                rows,
                *entries,
            ],
            **kwargs,
        )


def _totals(n, layout):
    """Return the number of preferences of each ballot, from counts if they are given."""
    ballots = layout.agent.size
    n = pt.as_tensor(1 if n is None else n)
    n = n.astype("int64" if n.dtype in pt.type.discrete_dtypes else "float64")
    if n.ndim < 2:
        return pt.broadcast_to(n, (ballots,))
    total = pt.concatenate([pt.zeros(1, dtype=n.dtype), pt.cumsum(n.sum(axis=-1)[layout.order])])
    return total[layout.cell_start[1:]] - total[layout.cell_start[:-1]]


def _checked_rows(left, right, agent):
    """Return the rows' items and agents as whole numbers."""
    left, right = np.asarray(left), np.asarray(right)
    agent = np.zeros(left.shape, dtype=np.int64) if agent is None else np.asarray(agent)
    for name, values in (("left", left), ("right", right), ("agent", agent)):
        if values.shape != left.shape or values.ndim != 1 or not values.size:
            raise ValueError(f"`{name}` must have one number a row, got shape {values.shape}.")
        if not np.issubdtype(values.dtype, np.integer) or values.min() < 0:
            raise ValueError(f"`{name}` must hold positions from 0 up.")
    same = np.flatnonzero(left == right)
    if same.size:
        raise ValueError(f"An item cannot be preferred to itself: row {same[0]}.")
    return left.astype(np.int64), right.astype(np.int64), agent.astype(np.int64)


def _checked_instance(instance, left, right, items):
    """Return the instance of each item."""
    if instance is None:
        return np.zeros(items, dtype=np.int64)
    instance = np.asarray(instance)
    if instance.shape != (items,) or not np.issubdtype(instance.dtype, np.integer):
        raise ValueError(
            f"`instance` must hold a whole number for each of the {items} items, got shape "
            f"{instance.shape} of {instance.dtype}."
        )
    if instance[0] != 0 or not np.isin(np.diff(instance), (0, 1)).all():
        raise ValueError("`instance` must number the instances 0, 1, ... in order of the items.")
    apart = np.flatnonzero(instance[left] != instance[right])
    if apart.size:
        raise ValueError(f"A pair must lie in one instance: row {apart[0]} does not.")
    return instance.astype(np.int64)
