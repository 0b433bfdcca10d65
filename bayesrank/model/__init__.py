"""What is believed before the data: likelihoods, parameters with priors, and the predictor."""

from bayesrank.model.specification import Specification

__all__ = ["Specification"]
