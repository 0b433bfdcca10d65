"""Distributions of pair comparisons: counts of (left wins, right wins, ties), one row per pair.

Each class names the kernel it uses, and how its parameters become the kernel's; the rest is in
`bayesrank.distributions.pair_counts`.
"""

from typing import Any

import numpy as np
import pytensor.tensor as pt

from bayesrank.distributions.pair_counts import PairDistribution, PairRV, score_difference
from bayesrank.kernels.thurstone.difference_noise import check_noise, difference_table

__all__ = ["BradleyTerry", "Davidson", "RaoKupper", "ThurstonePairs"]


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


class Davidson(PairDistribution):
    r"""Davidson's Bradley-Terry model with ties.

    .. math:: P(\text{left}, \text{right}, \text{tie})
        = \frac{(e^{d/2},\, e^{-d/2},\, \nu)}{e^{d/2} + e^{-d/2} + \nu},
        \qquad d = \text{left} - \text{right}

    The value holds, in each row, how often the left item won, the right one won, and they tied.

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry per row. For an order (home) effect add it to ``left``.
    nu : tensor_like of float
        Tie prevalence (nu >= 0); two equal items tie with probability nu / (2 + nu).
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1. To predict other pairs
        with `pm.set_data` give it as `pm.Data`.

    Examples
    --------
    >>> games = br.load_dataset("pudding")
    >>> with pm.Model(coords=games.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     nu = pm.HalfNormal("nu", 1.0)
    ...     y = br.Davidson("y", score[games.left], score[games.right], nu, observed=games.counts)

    References
    ----------
    Davidson (1970), On extending the Bradley-Terry model to accommodate ties in paired
    comparison experiments, JASA 65, 317-328.
    """

    rv_type = DavidsonRV
    rv_op = DavidsonRV.rv_op

    @classmethod
    def dist(cls, left: Any, right: Any, nu: Any, *, n: Any = None, **kwargs: Any) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> outcome = br.Davidson.dist(1.0, 0.0, nu=1.0)
        >>> np.exp(pm.logp(outcome, np.array([1, 0, 0])).eval()).round(3)
        np.float64(0.506)
        """
        return cls._dist(score_difference(left, right), nu, n, **kwargs)


class BradleyTerry(PairDistribution):
    r"""Bradley-Terry model: the left item wins with probability :math:`\sigma(left - right)`.

    The value holds (left wins, right wins, ties) like every pair distribution's; a tie is
    outside the support.

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry per row.
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1. To predict other pairs
        with `pm.set_data` give it as `pm.Data`.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> with pm.Model(coords=games.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     home = pm.Normal("home", 0.0, 1.0)
    ...     y = br.BradleyTerry(
    ...         "y", score[games.left] + home, score[games.right], observed=games.counts
    ...     )

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs, Biometrika 39, 324-345.
    """

    rv_type = BradleyTerryRV
    rv_op = BradleyTerryRV.rv_op

    @classmethod
    def _has_ties(cls, *args, **kwargs):
        return False

    @classmethod
    def dist(cls, left: Any, right: Any, *, n: Any = None, **kwargs: Any) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> outcome = br.BradleyTerry.dist(1.0, 0.0)
        >>> np.exp(pm.logp(outcome, np.array([1, 0, 0])).eval()).round(3)
        np.float64(0.731)
        """
        return cls._dist(score_difference(left, right), 0.0, n, **kwargs)


class RaoKupper(PairDistribution):
    r"""Rao and Kupper's Bradley-Terry model with ties: a threshold on a logistic difference.

    .. math:: P(\text{left}) = \sigma(d - \log\theta), \quad
        P(\text{right}) = \sigma(-d - \log\theta), \quad P(\text{tie}) = \text{the rest}

    Parameters
    ----------
    left, right : tensor_like of float
        Scores of the two items, one entry per row.
    theta : tensor_like of float
        Threshold (theta >= 1); two equal items tie with probability (theta - 1)/(theta + 1).
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1. To predict other pairs
        with `pm.set_data` give it as `pm.Data`.

    Examples
    --------
    >>> games = br.load_dataset("pudding")
    >>> with pm.Model(coords=games.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     extra = pm.HalfNormal("extra", 1.0)
    ...     y = br.RaoKupper(
    ...         "y", score[games.left], score[games.right], 1 + extra, observed=games.counts
    ...     )

    References
    ----------
    Rao and Kupper (1967), Ties in paired-comparison experiments: a generalization of the
    Bradley-Terry model, JASA 62, 194-204.
    """

    rv_type = RaoKupperRV
    rv_op = RaoKupperRV.rv_op

    @classmethod
    def dist(cls, left: Any, right: Any, theta: Any, *, n: Any = None, **kwargs: Any) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> outcome = br.RaoKupper.dist(1.0, 0.0, theta=2.0)
        >>> np.exp(pm.logp(outcome, np.array([1, 0, 0])).eval()).round(3)
        np.float64(0.576)
        """
        return cls._dist(score_difference(left, right), pt.log(theta), n, **kwargs)


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
        Scores of the two items, one entry per row.
    noise : "normal", "logistic", "gumbel", ("t", degrees of freedom) or (log_density, cdf)
        Standard distribution of each item's own noise; the last is your own, two functions of an
        array. Normal noise gives
        P(left) = Phi(d / sqrt(2)); the classical probit Phi(d) is ``scale=1/sqrt(2)``. Gumbel
        noise is Bradley-Terry, with a threshold Rao-Kupper.
    scale : tensor_like of float
        Scale of the noise (scale > 0).
    threshold : tensor_like of float, optional
        Least difference that can be told (threshold >= 0), on the scale of the scores.
    n : tensor_like of int, optional
        Comparisons per row; by default those of the observed counts, or 1. To predict other pairs
        with `pm.set_data` give it as `pm.Data`.

    Examples
    --------
    >>> games = br.load_dataset("pudding")
    >>> with pm.Model(coords=games.coords):
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     threshold = pm.HalfNormal("threshold", 1.0)
    ...     y = br.ThurstonePairs(
    ...         "y", score[games.left], score[games.right], noise=("t", 4), threshold=threshold,
    ...         observed=games.counts,
    ...     )

    References
    ----------
    Thurstone (1927), A law of comparative judgment, Psychological Review 34, 273-286. Glenn and
    David (1960), Ties in paired-comparison experiments using a modified Thurstone-Mosteller
    model, Biometrics 16, 86-109.
    """

    rv_type = ThurstonePairsRV
    rv_op = ThurstonePairsRV.rv_op

    @classmethod
    def _has_ties(cls, *args, threshold=None, **kwargs):
        return threshold is not None

    @classmethod
    def dist(
        cls,
        left: Any,
        right: Any,
        *,
        noise: str = "normal",
        scale: Any = 1.0,
        threshold: Any = None,
        n: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Create the variable outside a model.

        Examples
        --------
        >>> outcome = br.ThurstonePairs.dist(1.0, 0.0, threshold=0.5)
        >>> np.exp(pm.logp(outcome, np.array([1, 0, 0])).eval()).round(3)
        np.float64(0.638)
        """
        noise = check_noise(noise)
        scale = pt.as_tensor(scale)
        # The difference of two standard normals has standard deviation sqrt(2).
        unit = scale * np.sqrt(2.0) if noise == "normal" else scale
        difference = score_difference(left, right) / unit
        # A scale that is not positive must not pass for a valid threshold.
        tie = pt.switch(scale > 0, (0.0 if threshold is None else threshold) / unit, -1.0)
        if noise == "gumbel":
            return _GumbelPairs._dist(difference, tie, n, **kwargs)
        return cls._dist(difference, tie, n, difference_table(noise), **kwargs)
