"""Formulas of all likelihoods, and sentences of all priors."""

import re

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS
from bayesrank.model.specification import Specification
from bayesrank.report import models


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
