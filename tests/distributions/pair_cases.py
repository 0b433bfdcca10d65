"""One row a pair model: how to make it, and a plain reference for its outcome probabilities."""

from dataclasses import dataclass
from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from scipy import integrate, stats

import bayesrank as br


@dataclass(frozen=True)
class Case:
    name: str
    distribution: str
    parameters: dict
    reference: object  # score difference -> probabilities of (left, right, tie)

    def dist(self, left, right, **kwargs):
        return getattr(br, self.distribution).dist(left, right, **self.parameters, **kwargs)

    def probabilities(self, difference):
        return np.array([self.reference(d) for d in np.ravel(difference)])


def davidson(nu):
    def reference(d):
        weights = np.array([exp(d / 2), exp(-d / 2), nu])
        return weights / weights.sum()

    return reference


def threshold(cdf, tau):
    def reference(d):
        left, right = cdf(d - tau), cdf(-d - tau)
        return np.array([left, right, 1 - left - right])

    return reference


def difference_cdf(noise, scale=1.0):
    """Return the cdf of the difference of two noises, by adaptive quadrature."""

    def cdf(x):
        def integrand(z):
            return noise.pdf(z) * noise.cdf(z + x / scale)

        return integrate.quad(integrand, -np.inf, np.inf, epsabs=1e-13, epsrel=1e-13)[0]

    return cdf


CASES = [
    Case("bradley-terry", "BradleyTerry", {}, davidson(0.0)),
    Case("davidson", "Davidson", {"nu": 0.7}, davidson(0.7)),
    Case("rao-kupper", "RaoKupper", {"theta": 1.8}, threshold(stats.logistic.cdf, np.log(1.8))),
    Case(
        "probit",
        "ThurstonePairs",
        {"scale": sqrt(0.5)},
        threshold(stats.norm.cdf, 0.0),
    ),
    Case(
        "glenn-david",
        "ThurstonePairs",
        {"scale": 1.3, "threshold": 0.4},
        threshold(lambda x: stats.norm.cdf(x / (1.3 * sqrt(2))), 0.4),
    ),
    Case(
        "gumbel",
        "ThurstonePairs",
        {"noise": "gumbel", "scale": 0.8, "threshold": 0.4},
        threshold(lambda x: stats.logistic.cdf(x / 0.8), 0.4),
    ),
    Case(
        "logistic",
        "ThurstonePairs",
        {"noise": "logistic", "threshold": 0.4},
        threshold(difference_cdf(stats.logistic), 0.4),
    ),
    Case(
        "student",
        "ThurstonePairs",
        {"noise": ("t", 3), "scale": 0.6, "threshold": 0.2},
        threshold(difference_cdf(stats.t(3), 0.6), 0.2),
    ),
]
cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def outcomes(n):
    """Return all counts of three outcomes that add up to n."""
    return np.array([c for c in product(range(n + 1), repeat=3) if sum(c) == n])
