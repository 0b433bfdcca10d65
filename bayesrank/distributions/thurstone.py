"""Thurstone's model of rankings: scores are seen with noise, and sorted."""

from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from bayesrank.distributions.array_op import ArrayOp
from bayesrank.distributions.kernel_op import KernelOp
from bayesrank.distributions.observed import followed
from bayesrank.distributions.rankings import PartitionedPlackettLuceRV
from bayesrank.distributions.slot_ranks import (
    RankingDistribution,
    block_sizes,
    blocks_of,
    distribution_of,
    no_blocks,
    rows_of,
)
from bayesrank.kernels.thurstone.difference_noise import check_noise
from bayesrank.kernels.thurstone.noise_laws import noise_law
from bayesrank.kernels.thurstone.own_noise import own_noise

__all__ = ["Thurstone"]


def _quantiles(log_density, cdf):
    """Return logits of the cdf and the places that have them, for draws by interpolation."""
    tabulated = own_noise(log_density, cdf)
    place = np.sinh(np.linspace(-20.0, 20.0, 40_001))
    with np.errstate(divide="ignore"):
        logit = tabulated.log_cdf(place) - tabulated.log_sf(place)
    # Draws beyond a logit of 60 would take 1e26 numbers.
    rises = (np.abs(logit) < 60.0) & (np.append(-1.0, np.diff(logit)) > 0.0)
    return np.stack([logit[rises], place[rises]])


class ThurstoneRV(PartitionedPlackettLuceRV):
    name = "thurstone"
    extended_signature = "[rng],[size],(k),(k),(),(),(k),(a),(b,c),(d,e,f),(g,h)->[rng],(k)"
    rule = "scale > 0"
    _print_name = ("Thurstone", "\\operatorname{Thurstone}")

    @classmethod
    def batched(cls, scale, blocks, *structure):
        return [blocks]

    @classmethod
    def by_row(cls, batch, scale, blocks, *structure):
        return [scale, *rows_of(batch, blocks), *structure]

    @classmethod
    def noise(cls, rng, shape, law, quantiles):
        """Return the next generator and standard noise."""
        return pm.Normal.dist(0.0, 1.0, size=shape, rng=rng).owner.outputs

    @classmethod
    def draw(cls, rng, score, offered, scale, blocks, law, steps, table, quantiles):
        next_rng, noise = cls.noise(rng, score.shape, law, quantiles)
        return next_rng, ArrayOp("sort_into_blocks")(score + noise, offered, blocks)

    @classmethod
    def valid(cls, scale, *rest):
        return pt.all(scale > 0.0)

    @classmethod
    def log_probability(cls, score, ranks, offered, scale, blocks, law, steps, table, quantiles):
        order, sizes, possible = blocks_of(ranks, offered)
        return KernelOp("thurstone")(score, order, sizes, law, steps, table)[0], possible

    @staticmethod
    def support_blocks(score, scale, blocks, *structure):
        return blocks


class LogisticThurstoneRV(ThurstoneRV):
    name = "thurstone_logistic"

    @classmethod
    def noise(cls, rng, shape, law, quantiles):
        return pm.Logistic.dist(0.0, 1.0, size=shape, rng=rng).owner.outputs


class StudentThurstoneRV(ThurstoneRV):
    name = "thurstone_student"

    @classmethod
    def noise(cls, rng, shape, law, quantiles):
        return pm.StudentT.dist(nu=law[1], mu=0.0, sigma=1.0, size=shape, rng=rng).owner.outputs


class OwnThurstoneRV(ThurstoneRV):
    name = "thurstone_own"

    @classmethod
    def noise(cls, rng, shape, law, quantiles):
        # A logistic number is the logit of a uniform one, which keeps both tails exact.
        next_rng, logit = pm.Logistic.dist(0.0, 1.0, size=shape, rng=rng).owner.outputs
        return next_rng, ArrayOp("interpolate")(logit, quantiles)


class GumbelThurstoneRV(ThurstoneRV):
    name = "thurstone_gumbel"

    @classmethod
    def noise(cls, rng, shape, law, quantiles):
        return pm.Gumbel.dist(0.0, 1.0, size=shape, rng=rng).owner.outputs

    @classmethod
    def log_probability(cls, score, ranks, offered, scale, blocks, nodes, *rest):
        # Gumbel noise is Plackett-Luce, which has its own quadrature for blocks.
        return PartitionedPlackettLuceRV.log_probability(score, ranks, offered, blocks, nodes)


class Thurstone(RankingDistribution):
    r"""Thurstone's model of rankings: each item's score is seen with noise and they are sorted.

    .. math:: Z_j = f_j + \text{scale} \cdot \varepsilon_j, \qquad
        P(1 \succ 2 \succ \dots) = P(Z_1 > Z_2 > \dots)

    for independent noise of any shape, by a chain of one-dimensional integrals. Equal ranks mean
    that the order was not seen. Probabilities add up to one over the partitions with given
    block sizes.

    Parameters
    ----------
    score : tensor_like of float
        Score of the item in each slot, one row per ranking.
    offered : tensor_like of bool, optional
        Which slots hold an item; by default those where the observed rank is not -1, or all.
    noise : "normal", "logistic", "gumbel", ("t", degrees of freedom) or (log_density, cdf)
        Standard distribution of each item's own noise; the last is your own, two functions of an
        array. Gumbel noise is Plackett-Luce; with two items normal noise is Phi(d / sqrt(2)).
    scale : tensor_like of float
        Scale of the noise (scale > 0).
    blocks : tensor_like of int, optional
        Sizes of the blocks from the best on, padded with zeros, for draws; by default those of
        the observed ranks, or blocks of one. To predict other rankings with `pm.set_data` give it
        as `pm.Data`.
    weight : tensor_like of float
        How often each ranking was seen (weight > 0).

    Examples
    --------
    >>> def log_density(x):  # Laplace noise
    ...     return -np.abs(x) - np.log(2.0)
    >>> def cdf(x):
    ...     return np.where(x < 0, np.exp(x) / 2, 1 - np.exp(-x) / 2)
    >>> races = br.load_dataset("fruits")
    >>> with pm.Model(coords=races.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     rank = br.Thurstone(
    ...         "rank", score[races.entries], races.offered, noise=(log_density, cdf),
    ...         observed=races.ranks,
    ...     )

    References
    ----------
    Thurstone (1927), A law of comparative judgment, Psychological Review 34, 273-286.
    """

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
        noise: Any = "normal",
        scale: Any = 1.0,
        blocks: Any = None,
        weight: Any = 1.0,
        **kwargs: Any,
    ) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> ranks = br.Thurstone.dist([[1.0, 0.0, 0.0]])
        >>> np.exp(pm.logp(ranks, np.array([[1, 2, 3]])).eval()).round(3)
        array([0.317])
        """
        noise = check_noise(noise)
        score, scale = pt.as_tensor(score).astype("float64"), pt.as_tensor(scale)
        if score.ndim > 0:
            unit = pt.switch(scale > 0.0, scale, 1.0)  # which is refused where it is evaluated
            score = score / (unit if scale.ndim == 0 else unit[..., None])
        blocks = no_blocks(score) if blocks is None else pt.as_tensor(blocks)
        if noise == "gumbel":
            # The integration nodes take the place of the law.
            structure = (np.array([64.0]), np.empty((1, 0)), np.empty((1, 1, 0)))
        else:
            structure = noise_law(noise)
        own = not isinstance(noise, str) and noise[0] != "t"
        quantiles = _quantiles(*noise) if own else np.empty((2, 0))
        family = _FAMILIES["own" if own else noise if isinstance(noise, str) else noise[0]]
        return family._dist(score, offered, weight, scale, blocks, *structure, quantiles, **kwargs)


_FAMILIES = {
    "normal": distribution_of(ThurstoneRV),
    "logistic": distribution_of(LogisticThurstoneRV),
    "t": distribution_of(StudentThurstoneRV),
    "own": distribution_of(OwnThurstoneRV),
    "gumbel": distribution_of(GumbelThurstoneRV),
}
