"""What each likelihood and prior says, in a formula and in words."""

# ruff: noqa: RUF001 (formulas are written as readers know them, with minus signs and Greek letters)

import numpy as np

from bayesrank.model.parameters import Positive, Probability, ZeroSum

__all__ = ["formula", "meaning", "priors"]

# Likelihood: its name, what it says in words, and as a formula of the scores s.
FORMULAS = {
    "bradley-terry": (
        "Bradley–Terry",
        "The chance to win is a logistic curve of the difference of the scores. There are no ties.",
        "P(i beats j) = 1 / (1 + exp(sⱼ − sᵢ))",
    ),
    "davidson": (
        "Davidson",
        "The chances to win follow the scores, and a tie is a third outcome, likeliest between "
        "equals.",
        "P(i beats j) : P(j beats i) : P(tie) = exp(d/2) : exp(−d/2) : ν,  with d = sᵢ − sⱼ",
    ),
    "rao-kupper": (
        "Rao–Kupper",
        "The chance to win is a logistic curve of the difference of the scores, less a threshold; "
        "differences below it look like ties.",
        "P(i beats j) = 1 / (1 + θ exp(sⱼ − sᵢ)),  P(tie) = the rest",
    ),
    "thurstone-pairs": (
        "Thurstone (pairs)",
        "Each item shows its score with normal noise, and the higher one wins. There are no ties.",
        "P(i beats j) = Φ(sᵢ − sⱼ)",
    ),
    "glenn-david": (
        "Glenn–David",
        "Each item shows its score with normal noise, and the higher one wins; differences below "
        "a threshold t look like ties.",
        "P(i beats j) = Φ(sᵢ − sⱼ − t),  P(tie) = the rest",
    ),
    "plackett-luce": (
        "Plackett–Luce",
        "First the best of all is chosen, then the best of the rest, and so on. There are no ties.",
        "P(i is next among R) = exp(sᵢ) / Σ exp(sⱼ), the sum over j in R",
    ),
    "partitioned-plackett-luce": (
        "Partitioned Plackett–Luce",
        "First the best of all is chosen, then the best of the rest, and so on. Items of equal "
        "rank were in an order that was not seen.",
        "P(i is next among R) = exp(sᵢ) / Σ exp(sⱼ), summed over all orders inside a block",
    ),
    "thurstone": (
        "Thurstone",
        "Each item shows its score with normal noise of standard deviation 1, and the ranking "
        "sorts them. Items of equal rank were in an order that was not seen.",
        "P(ranking) = P(sᵢ + εᵢ are in that order),  ε ~ N(0, 1)",
    ),
    "pmop": (
        "PMOP",
        "Stage by stage a block of items is chosen among those that remain, by the mean worth of "
        "its items. A tie is a result of its own.",
        "P(block S is next among R) ∝ (1/|S|) Σ exp(sᵢ), the sum over i in S",
    ),
    "pmop-geometric": (
        "PMOP, geometric",
        "Stage by stage a block of items is chosen among those that remain, by the mean score of "
        "its items. A tie is a result of its own.",
        "P(block S is next among R) ∝ exp(mean of sᵢ over i in S)",
    ),
    "davidson-luce": (
        "Davidson–Luce",
        "Stage by stage a block of items is chosen among those that remain, by the mean score of "
        "its items. A tie is a result of its own, with a prevalence for each size.",
        "P(block S is next among R) ∝ δ(|S|) exp(mean of sᵢ over i in S),  δ(1) = 1",
    ),
    "mpm": (
        "Multinomial preference model",
        "Each preference of an agent is drawn among all ordered pairs; items with a small variance "
        "γ are judged alike by all, and agents with a large adherence θ follow the scores.",
        "P(agent prefers i to j) ∝ exp(θ (sᵢ − sⱼ) / (γᵢ + γⱼ))",
    ),
}

MEANINGS = {
    "scale": "standard deviation of the scores among items",
    "nu": "ν, how prevalent ties are",
    "theta": "θ, the threshold of ties (1 is no ties)",
    "threshold": "t, the threshold of ties (0 is no ties)",
    "tie": "δ, how prevalent ties of this size are",
    "tie_rate": "chance that equal items tie",
    "order_effect": "what the left item has added to its score",
    "beta": "what one unit of this feature adds to a score",
    "adherence_spread": "how far adherences differ between instances (logit scale)",
}


def formula(specification):
    """Return the likelihood's name, and what it says in words and as a formula."""
    name, words, text = FORMULAS[specification.likelihood]
    if specification.order_effect:
        words += " The left item has the order effect added to its score."
    if specification.observation.slot_feature_names is not None:
        words += " To an item's score is added what the features of its entry say."
    if getattr(specification.observation, "weight_rule", None) == "effective":
        words += (
            " Preferences that come from one ranking or from ratings are not independent; they "
            "are weighted to count as independent ones would."
        )
    return {"name": name, "words": words, "text": text}


def meaning(name):
    """Return what a parameter is, by its name."""
    return MEANINGS.get(str(name).split("[")[0], "")


def priors(specification):
    """Return a sentence for the prior of each parameter, as the model has it."""
    sentences = [_prior(parameter, specification) for parameter in specification.parameters]
    if specification.features is not None and specification.item_effects:
        sentences.append("A score is the item's own effect plus what its features say.")
    return sentences


def _prior(parameter, specification):
    called = {
        "score": "Scores",
        "effect": "Scores" if specification.features is None else "Effects of the items",
        "log_variance": "Logarithms of the variances (relative to one half)",
        "beta_standardized": "Coefficients of features (per standard deviation of the feature)",
        "tie_rate": "Tie rate (the chance that equal items tie)",
        "adherence": "Adherences of the agents",
        "adherence_offset": "Offsets of adherences in instances",
        "adherence_spread": "Spread of adherences between instances",
        "order_effect": "Order effect",
        "scale": "Scale (the standard deviation of the scores)",
    }[parameter.name]
    if isinstance(parameter, Positive):
        return f"{called}: half-normal with scale 1."
    if isinstance(parameter, Probability):
        return f"{called}: uniform between 0 and 1."
    zero_sum = ", made to sum to zero" if isinstance(parameter, ZeroSum) else ""
    if zero_sum and parameter.name != "log_variance" and specification.learns_scale:
        return f"{called}: normal with mean 0 and the learned scale{zero_sum}."
    sigma = np.max(parameter.sigma)
    if np.isinf(sigma):
        return f"{called}: flat{zero_sum}."
    return f"{called}: normal with mean 0 and standard deviation {sigma:g}{zero_sum}."
