"""Likelihoods by name, one row each: what they are called, their kernel and their distribution.

Nothing heavy is imported, so that the command line can list them.
"""

# ruff: noqa: RUF001 (formulas are written as readers know them, with minus signs and Greek letters)

import math
from typing import Any

from bayesrank.model.likelihood_kinds import (
    PairLikelihood,
    PreferenceLikelihood,
    RankingLikelihood,
)
from bayesrank.text import in_terminal, listing, models

__all__ = [
    "LIKELIHOODS",
    "PAIR_LIKELIHOODS",
    "PREFERENCE_LIKELIHOODS",
    "RANKING_LIKELIHOODS",
    "default_likelihood",
    "likelihood_called",
    "likelihood_named",
]


def _gumbel(rng: Any, shape: Any) -> Any:
    return rng.gumbel(size=shape)


def _normal(rng: Any, shape: Any) -> Any:
    return rng.standard_normal(size=shape)


# The classical probit Phi(d): the difference of two noises of variance one half.
_PROBIT = {"noise": "normal", "scale": math.sqrt(0.5)}


def _normal_table() -> tuple[Any, ...]:
    import numpy as np

    return (np.empty((3, 0, 0)),)


def _normal_law() -> tuple[Any, ...]:
    from bayesrank.kernels.thurstone.noise_laws import noise_law

    return noise_law("normal")


def _nodes() -> tuple[Any, ...]:
    import numpy as np

    return (np.array([64.0]),)


# Tie prevalences as powers of one number, or by block size; see `bayesrank.kernels.additive`.


def _powers() -> tuple[Any, ...]:
    import numpy as np

    return (np.ones(1),)


def _by_size() -> tuple[Any, ...]:
    import numpy as np

    return (np.zeros(1),)


PAIR_LIKELIHOODS = {
    "bradley-terry": PairLikelihood(
        "Bradley–Terry",
        "The chance of winning is a logistic curve of the score difference. There are no ties.",
        "P(i beats j) = 1 / (1 + exp(sⱼ − sᵢ))",
        "davidson",
        "pairs:BradleyTerry",
    ),
    "davidson": PairLikelihood(
        "Davidson",
        "The chances of winning follow the scores, and a tie is a third outcome, likeliest "
        "between equals.",
        "P(i beats j) : P(j beats i) : P(tie) = exp(d/2) : exp(−d/2) : ν,  with d = sᵢ − sⱼ",
        "davidson",
        "pairs:Davidson",
        "nu",
    ),
    "rao-kupper": PairLikelihood(
        "Rao–Kupper",
        "The chance of winning is a logistic curve of the score difference, less a threshold; "
        "differences below it look like ties.",
        "P(i beats j) = 1 / (1 + θ exp(sⱼ − sᵢ)),  P(tie) = the rest",
        "rao_kupper",
        "pairs:RaoKupper",
        "theta",
    ),
    "thurstone-pairs": PairLikelihood(
        "Thurstone (pairs)",
        "Each item shows its score with normal noise, and the higher one wins. There are no ties.",
        "P(i beats j) = Φ(sᵢ − sⱼ)",
        "cumulative",
        "pairs:ThurstonePairs",
        None,
        _normal_table,
        _PROBIT,
    ),
    "glenn-david": PairLikelihood(
        "Glenn–David",
        "Each item shows its score with normal noise, and the higher one wins; differences "
        "below a threshold t look like ties.",
        "P(i beats j) = Φ(sᵢ − sⱼ − t),  P(tie) = the rest",
        "cumulative",
        "pairs:ThurstonePairs",
        "threshold",
        _normal_table,
        _PROBIT,
    ),
}

RANKING_LIKELIHOODS = {
    "plackett-luce": RankingLikelihood(
        "Plackett–Luce",
        "First the best of all is chosen, then the best of the rest, and so on. There are no ties.",
        "P(i is next among R) = exp(sᵢ) / Σ exp(sⱼ), the sum over j in R",
        "shares",
        "rankings:PlackettLuce",
        "none",
        noise=_gumbel,
        sums_worths=True,
    ),
    "partitioned-plackett-luce": RankingLikelihood(
        "Partitioned Plackett–Luce",
        "First the best of all is chosen, then the best of the rest, and so on. Items of "
        "equal rank were in an order that was not seen.",
        "P(i is next among R) = exp(sᵢ) / Σ exp(sⱼ), summed over all orders inside a block",
        "partitioned",
        "rankings:PartitionedPlackettLuce",
        "unseen",
        make_structure=_nodes,
        noise=_gumbel,
    ),
    "thurstone": RankingLikelihood(
        "Thurstone",
        "Each item shows its score with normal noise of standard deviation 1, and the ranking "
        "sorts them. Items of equal rank were in an order that was not seen.",
        "P(ranking) = P(sᵢ + εᵢ are in that order),  ε ~ N(0, 1)",
        "thurstone",
        "thurstone:Thurstone",
        "unseen",
        make_structure=_normal_law,
        noise=_normal,
        effort=30.0,
    ),
    "pmop": RankingLikelihood(
        "PMOP",
        "Stage by stage a block of items is chosen among those that remain, by the mean worth "
        "of its items. A tie is a result of its own.",
        "P(block S is next among R) ∝ (1/|S|) Σ exp(sᵢ), the sum over i in S",
        "shares",
        "rankings:PMOP",
        "fixed",
        tie=1.0,
        make_structure=_powers,
        sums_worths=True,
    ),
    "pmop-geometric": RankingLikelihood(
        "PMOP, geometric",
        "Stage by stage a block of items is chosen among those that remain, by the mean score "
        "of its items. A tie is a result of its own.",
        "P(block S is next among R) ∝ exp(mean of sᵢ over i in S)",
        "geometric",
        "rankings:PMOP",
        "fixed",
        tie=1.0,
        make_structure=_powers,
        options={"potential": "geometric"},
        effort=10.0,
    ),
    "davidson-luce": RankingLikelihood(
        "Davidson–Luce",
        "Stage by stage a block of items is chosen among those that remain, by the mean score "
        "of its items. A tie is a result of its own, with a prevalence for each size.",
        "P(block S is next among R) ∝ δ(|S|) exp(mean of sᵢ over i in S),  δ(1) = 1",
        "geometric",
        "rankings:PMOP",
        "learned",
        make_structure=_by_size,
        options={"potential": "davidson-luce"},
        effort=5.0,
    ),
}

PREFERENCE_LIKELIHOODS = {
    "mpm": PreferenceLikelihood(
        "Multinomial preference model",
        "Each preference of an agent is drawn among all ordered pairs; items with a small "
        "variance γ are judged alike by all, and agents with a large adherence θ follow the "
        "scores.",
        "P(agent prefers i to j) ∝ exp(θ (sᵢ − sⱼ) / (γᵢ + γⱼ))",
        "varied",
        "mpm:MPM",
    ),
}

AnyLikelihood = PairLikelihood | RankingLikelihood | PreferenceLikelihood

LIKELIHOODS: dict[str, AnyLikelihood] = (
    PAIR_LIKELIHOODS | RANKING_LIKELIHOODS | PREFERENCE_LIKELIHOODS
)

# What holds rows of each kind.
_CONTAINERS = {"pair": "Comparisons", "ranking": "Rankings"}
# Beyond this block size ties are taken for an order that was not seen (star ratings), unless
# somebody asks for a model of ties.
_LARGEST_TIE = 8


def likelihood_named(likelihood: str) -> AnyLikelihood:
    """Return a likelihood by its name, or say what it may be."""
    if not isinstance(likelihood, str) or likelihood not in LIKELIHOODS:
        names = listing([f'"{name}"' for name in LIKELIHOODS], 99)
        raise ValueError(f"`likelihood` must be one of {names}, got {likelihood!r}.")
    return LIKELIHOODS[likelihood]


def likelihood_called(likelihood: str, data: Any) -> AnyLikelihood:
    """Return a likelihood by its name, or say what it may be and which data it needs."""
    found = likelihood_named(likelihood)
    row = getattr(data, "row", None)
    if row not in found.data:
        hint = found.conversion if row in _CONTAINERS else found.remedy
        needs = " or ".join(_CONTAINERS[kind] for kind in found.data)
        if in_terminal():
            fitting = [name for name, other in LIKELIHOODS.items() if row in other.data]
            hint = f"use {models(*fitting)}"
        raise TypeError(f'"{likelihood}" needs {needs}, got {type(data).__name__}; {hint}.')
    return found


def default_likelihood(data: Any) -> str:
    """Return the name of the model for data about which nothing else was said."""
    if data.row == "pair":
        return "davidson" if data.has_ties else "bradley-terry"
    if not data.has_ties:
        return "plackett-luce"
    if data.entry_ratings is not None:
        return "partitioned-plackett-luce"  # equal stars are an order that was not seen
    return "davidson-luce" if data.largest_tie <= _LARGEST_TIE else "partitioned-plackett-luce"
