"""Distributions of rankings and ordered partitions, one row per ranking.

Each class has the way to draw and the kernel of its density; the rest is in
`bayesrank.distributions.slot_ranks`.
"""

from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pytensor.graph.basic import Variable

from bayesrank.distributions.array_op import ArrayOp
from bayesrank.distributions.kernel_op import KernelOp
from bayesrank.distributions.observed import followed
from bayesrank.distributions.slot_ranks import (
    RankingDistribution,
    RankingRV,
    block_sizes,
    blocks_of,
    distribution_of,
    no_blocks,
    rows_of,
)

__all__ = ["PMOP", "PartitionedPlackettLuce", "PlackettLuce"]

NODES = 64


class PlackettLuceRV(RankingRV):
    name = "plackett_luce"
    _print_name = ("PlackettLuce", "\\operatorname{PlackettLuce}")

    @classmethod
    def draw(cls, rng, score, offered):
        # Sorting scores with Gumbel noise draws from Plackett-Luce.
        next_rng, noise = pm.Gumbel.dist(0.0, 1.0, size=score.shape, rng=rng).owner.outputs
        return next_rng, ArrayOp("sort_into_blocks")(score + noise, offered, no_blocks(score))

    @classmethod
    def log_probability(cls, score, ranks, offered):
        order, sizes, possible = blocks_of(ranks, offered)
        return KernelOp("shares")(score, order, sizes)[0], possible & pt.all(sizes <= 1, axis=-1)

    @staticmethod
    def support_blocks(score):
        return no_blocks(score)


class PartitionedPlackettLuceRV(PlackettLuceRV):
    name = "partitioned_plackett_luce"
    extended_signature = "[rng],[size],(k),(k),(),(k),(p)->[rng],(k)"
    _print_name = ("PartitionedPlackettLuce", "\\operatorname{PartitionedPlackettLuce}")

    @classmethod
    def batched(cls, blocks, *structure):
        return [blocks]

    @classmethod
    def by_row(cls, batch, blocks, *structure):
        return [*rows_of(batch, blocks), *structure]

    @classmethod
    def draw(cls, rng, score, offered, blocks, nodes):
        next_rng, noise = pm.Gumbel.dist(0.0, 1.0, size=score.shape, rng=rng).owner.outputs
        return next_rng, ArrayOp("sort_into_blocks")(score + noise, offered, blocks)

    @classmethod
    def log_probability(cls, score, ranks, offered, blocks, nodes):
        order, sizes, possible = blocks_of(ranks, offered)
        return KernelOp("partitioned")(score, order, sizes, nodes)[0], possible

    @staticmethod
    def support_blocks(score, blocks, *structure):
        return blocks


class AdditiveRV(RankingRV):
    name = "pmop_additive"
    extended_signature = "[rng],[size],(k),(k),(),(t),(p)->[rng],(k)"
    potential = "additive"
    rule = "tie >= 0"
    backward = False
    _print_name = ("PMOP", "\\operatorname{PMOP}")

    @classmethod
    def batched(cls, tie, powers):
        return [tie] if tie.ndim > 1 else []

    @classmethod
    def by_row(cls, batch, tie, powers):
        # Prevalences that all rankings share stay one row, which the kernel reads once.
        return [tie[None] if tie.ndim == 1 else rows_of(batch, tie)[0], powers]

    @classmethod
    def draw(cls, rng, score, offered, tie, powers):
        next_rng, uniform = pm.Uniform.dist(0.0, 1.0, size=score.shape[:1], rng=rng).owner.outputs
        seeds = (uniform * 2.0**53).astype("int64")
        score = -score if cls.backward else score
        ranks = ArrayOp(f"draw_{cls.potential}")(score, tie, offered, powers, seeds)
        if cls.backward:
            ranks = pt.switch(offered, ranks.max(axis=-1, keepdims=True) + 1 - ranks, -1)
        return next_rng, ranks

    @classmethod
    def valid(cls, tie, powers):
        return pt.all(tie >= 0.0)

    @classmethod
    def log_probability(cls, score, ranks, offered, tie, powers):
        order, sizes, possible = blocks_of(ranks, offered)
        if cls.backward:
            # The worst block is eliminated first, so low scores attract: the same model on the
            # reversed order with reversed scores. Unranked slots would have to go before it.
            worst = ranks.max(axis=-1, keepdims=True)
            possible = possible & pt.all(pt.neq(ranks, 0), axis=-1)
            order, sizes, _ = blocks_of(pt.switch(ranks > 0, worst + 1 - ranks, ranks), offered)
            score = -score
        tie = pt.maximum(tie, 0.0)
        if cls.potential == "geometric":
            return KernelOp("geometric")(score, tie, order, sizes, powers)[0], possible
        # A tie prevalence that is given makes this part a constant.
        tie = pt.broadcast_to(tie, (sizes.shape[0], tie.shape[1]))
        ties = KernelOp("prevalences")(tie, sizes, powers)[0]
        return KernelOp("shares")(score, order, sizes)[0] + ties, possible

    @staticmethod
    def support_blocks(score, tie, powers):
        return no_blocks(score)


class GeometricRV(AdditiveRV):
    name = "pmop_geometric"
    potential = "geometric"


class BackwardAdditiveRV(AdditiveRV):
    name = "pmop_backward_additive"
    backward = True


class BackwardGeometricRV(GeometricRV):
    name = "pmop_backward_geometric"
    backward = True


class PlackettLuce(RankingDistribution):
    r"""Plackett-Luce: the best, then the best of the rest, and so on, each by its worth.

    .. math:: P(1 \succ 2 \succ \dots) = \prod_j \frac{e^{f_j}}{\sum_{l \ge j} e^{f_l}}

    The value holds the rank of each slot. Ties are outside the support; for a block whose
    order is unknown use `PartitionedPlackettLuce`, for ties as events `PMOP`. Slots with rank 0
    are below all others in unknown order, which makes the row a top-k ranking. Probabilities add up
    to one over the full rankings, which are what is drawn; that of a top-k ranking is the sum over
    the full ones that begin with it. A score that is infinite makes its ranking impossible.

    Parameters
    ----------
    score : tensor_like of float
        Score of the item in each slot, one row per ranking: ``score[races.entries]``, ``X @ beta``.
    offered : tensor_like of bool, optional
        Which slots hold an item; by default those where the observed rank is not -1, or all.
    weight : tensor_like of float
        How often each ranking was seen; its log-probability is multiplied by it (weight > 0).

    Examples
    --------
    >>> races = br.load_dataset("nascar")
    >>> with pm.Model(coords=races.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     y = br.PlackettLuce("y", score[races.entries], races.offered, observed=races.ranks)

    References
    ----------
    Plackett (1975), The analysis of permutations, Applied Statistics 24, 193-202. Luce (1959),
    Individual choice behavior.
    """

    rv_type = PlackettLuceRV
    rv_op = PlackettLuceRV.rv_op

    @classmethod
    def _support(cls, *args, **kwargs):
        return {"largest_tie": 1}

    @classmethod
    def dist(cls, score: Any, offered: Any = None, *, weight: Any = 1.0, **kwargs: Any) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> ranks = br.PlackettLuce.dist([[1.0, 0.0, 0.0]])
        >>> np.exp(pm.logp(ranks, np.array([[1, 2, 3]])).eval()).round(3)
        array([0.288])
        """
        return cls._dist(score, offered, weight, **kwargs)


class PartitionedPlackettLuce(RankingDistribution):
    r"""Plackett-Luce seen in blocks: who is in which block is known, the order inside is not.

    .. math:: P(S_1 \succ \dots \succ S_M) = \prod_{m<M} \int_0^\infty \Lambda_m e^{-\Lambda_m t}
        \prod_{a \in S_m} (1 - e^{-\lambda_a t}) \, dt,
        \qquad \lambda_a = e^{f_a}, \; \Lambda_m = \sum_{b \in S_{m+1} \cup \dots} \lambda_b

    Equal ranks here mean that the order was not seen, not that the items are equal; for ties as
    events use `PMOP`. Probabilities add up to one over the partitions with given block sizes.

    Parameters
    ----------
    score : tensor_like of float
        Score of the item in each slot, one row per ranking.
    offered : tensor_like of bool, optional
        Which slots hold an item; by default those where the observed rank is not -1, or all.
    blocks : tensor_like of int, optional
        Sizes of the blocks from the best on, padded with zeros, for draws; by default those of
        the observed ranks, or blocks of one. To predict other rankings with `pm.set_data` give it
        as `pm.Data`.
    nodes : int
        Nodes of the integration rule (at least 8); more are used for a block that leads by far.
        The log-probability of a block is right to 1e-9 or better at the default (mostly 1e-11),
        2e-8 with 48 nodes, 1e-6 with 40 and 1e-3 with 24.
    weight : tensor_like of float
        How often each ranking was seen (weight > 0).

    Examples
    --------
    >>> races = br.load_dataset("fruits")
    >>> with pm.Model(coords=races.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     rank = br.PartitionedPlackettLuce(
    ...         "rank", score[races.entries], races.offered, observed=races.ranks
    ...     )

    References
    ----------
    Ma, Yi, Tang, Zhao, Hong, Chi and Mei (2021), Learning-to-rank with partitioned preference:
    fast estimation for the Plackett-Luce model, AISTATS.
    """

    rv_type = PartitionedPlackettLuceRV
    rv_op = PartitionedPlackettLuceRV.rv_op

    @classmethod
    def _learn_from(cls, observed, kwargs, *design):
        blocks = followed(block_sizes(observed), "blocks", observed, *design)
        return {"blocks": blocks} | kwargs

    @classmethod
    def dist(
        cls,
        score: Any,
        offered: Any = None,
        *,
        blocks: Any = None,
        nodes: int = NODES,
        weight: Any = 1.0,
        **kwargs: Any,
    ) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> ranks = br.PartitionedPlackettLuce.dist([[1.0, 0.0, 0.0]])
        >>> np.exp(pm.logp(ranks, np.array([[1, 2, 2]])).eval()).round(3)
        array([0.576])
        """
        if int(nodes) != nodes or nodes < 8:
            raise ValueError(f"`nodes` must be a whole number from 8 up, got {nodes!r}.")
        score = pt.as_tensor(score)
        if blocks is None:
            blocks = no_blocks(score)
        points = np.array([float(nodes)])
        return cls._dist(score, offered, weight, pt.as_tensor(blocks), points, **kwargs)


class PMOP(RankingDistribution):
    r"""Probabilistic model over ordered partitions: ties are events with a probability.

    Stage by stage, the next block is the subset S of the remaining slots R with probability

    .. math:: \frac{\delta_{|S|} \Phi(S)}{\sum_{\emptyset \ne T \subseteq R} \delta_{|T|} \Phi(T)},
        \qquad \Phi(S) = \frac{1}{|S|} \sum_{a \in S} e^{f_a}
        \quad\text{or}\quad \exp\Big(\frac{1}{|S|} \sum_{a \in S} f_a\Big)

    exactly, without sampling. With the additive potential the size of a block is independent
    of the scores; with the geometric one ties are likelier between equals, and two slots give
    Davidson's model with nu = tie. ``tie=0`` is Plackett-Luce and ``tie=1`` the paper's model,
    in which about half of what remains ties at every stage.

    Parameters
    ----------
    score : tensor_like of float
        Score of the item in each slot, one row per ranking.
    offered : tensor_like of bool, optional
        Which slots hold an item; by default those where the observed rank is not -1, or all.
    tie : tensor_like of float
        Tie prevalence delta (tie >= 0). A scalar gives a block of m the factor ``tie**(m-1)``. With
        an axis, its entries are the factors of blocks of 2, 3, ...; larger blocks are impossible.
    potential : "additive", "geometric" or "davidson-luce"
        The last two are the same: geometric with tie prevalences is the Davidson-Luce model.
        Additive costs O(slots), geometric O(slots^3) (or slots times the square of the largest
        block that ``tie`` allows).
    direction : "forward" or "backward"
        Whether the best block is chosen first, or the worst one is eliminated first (then
        subsets of low scores attract, and unranked slots are outside the support).
    weight : tensor_like of float
        How often each ranking was seen (weight > 0).

    Examples
    --------
    >>> races = br.load_dataset("fruits")
    >>> with pm.Model(coords=races.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     tie = pm.HalfNormal("tie", 1.0)
    ...     rank = br.PMOP(
    ...         "rank", score[races.entries], races.offered, tie, potential="davidson-luce",
    ...         observed=races.ranks,
    ...     )

    References
    ----------
    Truyen, Phung and Venkatesh (2011), Probabilistic models over ordered partitions with
    applications in document ranking and collaborative filtering, SDM. Firth, Kosmidis and Turner
    (2019), Davidson-Luce model for multi-item choice with ties, arXiv:1909.07123.
    """

    @classmethod
    def _support(cls, tie=1.0, *, direction="forward", **kwargs):
        factors = None if isinstance(tie, Variable) else np.asarray(tie, dtype=float)
        largest = None
        if factors is None:
            slots = tie.type.shape[-1] if tie.ndim else None
            largest = None if slots is None else slots + 1
        elif factors.ndim:
            largest = factors.shape[-1] + 1
        elif factors == 0.0:
            largest = 1
        return {"largest_tie": largest, "unranked": direction != "backward"}

    @classmethod
    def dist(
        cls,
        score: Any,
        offered: Any = None,
        tie: Any = 1.0,
        *,
        potential: str = "additive",
        direction: str = "forward",
        weight: Any = 1.0,
        **kwargs: Any,
    ) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> ranks = br.PMOP.dist([[1.0, 0.0, 0.0]], tie=0.5)
        >>> np.exp(pm.logp(ranks, np.array([[1, 2, 2]])).eval()).round(3)
        array([0.073])
        """
        if potential not in ("additive", "geometric", "davidson-luce"):
            raise ValueError(
                '`potential` must be "additive", "geometric" or "davidson-luce", '
                f"got {potential!r}."
            )
        if direction not in ("forward", "backward"):
            raise ValueError(f'`direction` must be "forward" or "backward", got {direction!r}.')
        tie = pt.as_tensor(tie).astype("float64")
        powers = np.array([float(tie.ndim == 0)])
        tie = tie.reshape((1,)) if tie.ndim == 0 else tie
        family = _PMOP[direction, "additive" if potential == "additive" else "geometric"]
        return family._dist(score, offered, weight, tie, powers, **kwargs)


_PMOP = {
    ("forward", "additive"): distribution_of(AdditiveRV),
    ("forward", "geometric"): distribution_of(GeometricRV),
    ("backward", "additive"): distribution_of(BackwardAdditiveRV),
    ("backward", "geometric"): distribution_of(BackwardGeometricRV),
}
