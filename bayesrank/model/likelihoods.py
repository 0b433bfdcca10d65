"""Likelihoods by name: kernel, distribution, and what each knows of ties."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.kernels.thurstone.noise_laws import noise_law
from bayesrank.model.tie_parameters import NU, THETA, THRESHOLD, TieParameter
from bayesrank.text import in_terminal, listing, models

__all__ = [
    "LIKELIHOODS",
    "PAIR_LIKELIHOODS",
    "PREFERENCE_LIKELIHOODS",
    "RANKING_LIKELIHOODS",
    "PairLikelihood",
    "PreferenceLikelihood",
    "RankingLikelihood",
    "default_likelihood",
    "family_of",
]


@dataclass(frozen=True)
class PairLikelihood:
    """A pair model: its kernel, its distribution, its tie parameter."""

    kernel: str
    distribution: str
    tie: TieParameter | None = None
    structure: tuple = ()
    options: dict = field(default_factory=dict)
    data = Comparisons
    remedy = "make them with br.Comparisons.from_frame, br.Comparisons.from_counts"
    conversion = "rankings become comparisons by .to_comparisons()"


@dataclass(frozen=True)
class RankingLikelihood:
    """A ranking model: its kernel, its distribution, what a block of several items is.

    ``ties`` is "none" (impossible), "unseen" (the order inside a block was not seen), "fixed"
    (a result, with prevalence ``tie``) or "learned" (a result whose prevalence is a parameter).
    ``noise`` draws the noise of models that sort noisy scores.
    """

    kernel: str
    distribution: str
    ties: str
    tie: float = 0.0
    structure: tuple = ()
    options: dict = field(default_factory=dict)
    noise: Callable | None = None
    data = Rankings
    remedy = "make them with br.Rankings.from_frame, from_lists, from_matrix or from_ratings"
    conversion = "comparisons have no order of more than two items; give the rankings themselves"


@dataclass(frozen=True)
class PreferenceLikelihood:
    """The multinomial preference model, of counts by agents or of rankings as such counts."""

    kernel: str
    distribution: str
    data = (Comparisons, Rankings)
    remedy = "make them with br.Comparisons.from_counts or br.Rankings.from_ratings"
    conversion = ""


def _gumbel(rng, shape):
    return rng.gumbel(size=shape)


def _normal(rng, shape):
    return rng.standard_normal(size=shape)


# The classical probit Phi(d): the difference of two noises of variance one half.
_PROBIT = {"noise": "normal", "scale": np.sqrt(0.5)}
_NORMAL_TABLE = (np.empty((3, 0, 0)),)
# Tie prevalences as powers of one number, or by block size; see `bayesrank.kernels.additive`.
_POWERS, _BY_SIZE = (np.ones(1),), (np.zeros(1),)

PAIR_LIKELIHOODS = {
    "bradley-terry": PairLikelihood("davidson", "BradleyTerry"),
    "davidson": PairLikelihood("davidson", "Davidson", NU),
    "rao-kupper": PairLikelihood("rao_kupper", "RaoKupper", THETA),
    "thurstone-pairs": PairLikelihood("cumulative", "ThurstonePairs", None, _NORMAL_TABLE, _PROBIT),
    "glenn-david": PairLikelihood(
        "cumulative", "ThurstonePairs", THRESHOLD, _NORMAL_TABLE, _PROBIT
    ),
}

RANKING_LIKELIHOODS = {
    "plackett-luce": RankingLikelihood("shares", "PlackettLuce", "none", noise=_gumbel),
    "partitioned-plackett-luce": RankingLikelihood(
        "partitioned",
        "PartitionedPlackettLuce",
        "unseen",
        structure=(np.array([64.0]),),
        noise=_gumbel,
    ),
    "thurstone": RankingLikelihood(
        "thurstone", "Thurstone", "unseen", structure=noise_law("normal"), noise=_normal
    ),
    "pmop": RankingLikelihood("shares", "PMOP", "fixed", tie=1.0, structure=_POWERS),
    "pmop-geometric": RankingLikelihood(
        "geometric", "PMOP", "fixed", tie=1.0, structure=_POWERS, options={"potential": "geometric"}
    ),
    "davidson-luce": RankingLikelihood(
        "geometric", "PMOP", "learned", structure=_BY_SIZE, options={"potential": "davidson-luce"}
    ),
}

PREFERENCE_LIKELIHOODS = {"mpm": PreferenceLikelihood("varied", "MPM")}

LIKELIHOODS = PAIR_LIKELIHOODS | RANKING_LIKELIHOODS | PREFERENCE_LIKELIHOODS

# Beyond this block size ties are taken for an order that was not seen (star ratings), unless
# somebody asks for a model of ties.
_LARGEST_TIE = 8


def family_of(likelihood, data):
    """Return a likelihood by its name, or say what it may be and which data it needs."""
    if likelihood not in LIKELIHOODS:
        names = listing([f'"{name}"' for name in LIKELIHOODS], 99)
        raise ValueError(f"`likelihood` must be one of {names}, got {likelihood!r}.")
    family = LIKELIHOODS[likelihood]
    if not isinstance(data, family.data):
        hint = family.conversion if isinstance(data, (Comparisons, Rankings)) else family.remedy
        kinds = family.data if isinstance(family.data, tuple) else (family.data,)
        needs = " or ".join(kind.__name__ for kind in kinds)
        if in_terminal():
            fitting = [n for n, other in LIKELIHOODS.items() if isinstance(data, other.data)]
            hint = f"use {models(*fitting)}"
        raise TypeError(f'"{likelihood}" needs {needs}, got {type(data).__name__}; {hint}.')
    return family


def default_likelihood(data):
    """Return the name of the model for data about which nothing else was said."""
    if isinstance(data, Comparisons):
        return "davidson" if data.has_ties else "bradley-terry"
    if not data.has_ties:
        return "plackett-luce"
    if data.ratings is not None:
        return "partitioned-plackett-luce"  # equal stars are an order that was not seen
    return "davidson-luce" if data.largest_tie <= _LARGEST_TIE else "partitioned-plackett-luce"
