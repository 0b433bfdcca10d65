"""Formulas of all likelihoods, and sentences of all priors."""

import re

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS
from bayesrank.model.specification import Specification
from bayesrank.report import models
from tests.model.moving_data import games_over_time


def test_every_likelihood_has_a_formula_and_every_prior_a_sentence(pudding):
    assert all(row.title and row.words and row.formula for row in LIKELIHOODS.values())
    votes = br.Rankings.from_lists([["a", {"b", "c"}], ["b", "a"]])
    cases = [
        (pudding, "rao-kupper", {"order_effect": True}, "the learned scale"),
        (pudding, "davidson", {"scale": np.inf}, "Scores: flat"),
        (pudding, "davidson", {"features": pd.DataFrame({"x": range(6)})}, "Coefficients"),
        (votes, "davidson-luce", {}, "Tie rate"),
        (votes, "mpm", {}, "standard deviation 0.5"),
    ]
    for data, likelihood, options, said in cases:
        if "features" in options:
            options["features"].index = data.items
        model = Specification(data, likelihood, **options)
        sentences = models.priors(model)
        assert said in " ".join(sentences)
        assert len(sentences) >= len(model.parameters)
        assert all(re.fullmatch(r"[A-Z][^,:]*(\([^)]*\))?(: .*)?\.", text) for text in sentences)


def test_how_scores_move_is_told_with_its_priors():
    games = games_over_time()
    cases = [
        ("walk", {}, "random walk", "drift √Δ",
         ["a standard deviation of the scale;", "of the drift times the square root", "Drift ("]),
        ("mean-reverting", {}, "drawn back to the mean", "persistence^Δ",
         ["a standard deviation of the scale at any time", "the persistence to the power of",
          "Persistence (the part of a score that is left after a year): uniform between 0 and 1."]),
        ("walk", {"scale": 0.7, "drift": 0.3}, "random walk", "drift √Δ",
         ["standard deviation of 0.7;", "standard deviation of 0.3 times the square root"]),
        ("mean-reverting", {"persistence": 0.8}, "drawn back", "persistence^Δ",
         ["on average, is 0.8 to the power of the years between"]),
    ]  # fmt: skip
    for scores, options, words, written, said in cases:
        model = Specification(games, "davidson", scores=scores, **options)
        told = models.formula(model)
        assert words in told["words"] and written in told["text"]
        sentences = models.priors(model)
        assert all(part in " ".join(sentences) for part in said)
        assert len(sentences) == len(model.parameters)
        assert all(re.fullmatch(r"[A-Z][^,:]*(\([^)]*\))?(: .*)?\.", text) for text in sentences)
    still = models.formula(Specification(games, "davidson"))
    assert "move" not in still["words"] and "Δ" not in still["text"]
