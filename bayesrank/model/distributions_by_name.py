"""The PyMC distribution of a likelihood, found by its name when a model is built."""

from importlib import import_module
from typing import Any

__all__ = ["distribution_of"]


def distribution_of(likelihood: Any) -> Any:
    """Return the PyMC distribution of a likelihood."""
    module, name = likelihood.distribution.split(":")
    return getattr(import_module(f"bayesrank.distributions.{module}"), name)
