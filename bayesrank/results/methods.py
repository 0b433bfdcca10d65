"""The methods that fit a model, one row per method: what runs it and what its result has.

Other code asks a row what it can do, as in ``fit.kind.is_point``, and never compares names. A new
method takes a file in `bayesrank.inference` and a row here. Nothing heavy is imported.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

__all__ = ["METHODS", "Method", "method_of", "method_with", "names_with_draws"]


@dataclass(frozen=True)
class Method:
    """A method of fitting.

    Attributes
    ----------
    name : str
        The ``method`` of `bayesrank.fit`.
    home : str
        "module:function" of what runs it. The function takes a `Specification` and the
        `bayesrank.inference.options.Options`, and returns a `Fit`.
    clusters_home : str
        The same of a `ClusteredSpecification`, which returns a `ClusterFit`; empty if it cannot.
    options : tuple of str
        Arguments of `bayesrank.fit` that only this method uses.
    is_point : bool
        Whether the result is one point, without draws.
    has_chains : bool
        Whether the draws are Markov chains, whose mixing can be checked.
    is_approximate : bool
        Whether the draws come from an approximation of the posterior.
    at_mode : bool
        Whether the result lies at, or around, the mode of the posterior.
    is_quick : bool
        Whether a model can be fitted again many times.
    narrow_scale : bool
        Whether a learned prior scale was found too certain in simulations.
    words : str
        What the method does and what that means for the numbers, for a reader of the report.
    words_if_flat : str
        The same for a flat prior, where that is something else.
    """

    name: str
    home: str = ""
    clusters_home: str = ""
    options: tuple[str, ...] = ()
    is_point: bool = False
    has_chains: bool = False
    is_approximate: bool = False
    at_mode: bool = False
    is_quick: bool = False
    narrow_scale: bool = False
    words: str = "Draws of the posterior distribution that were made elsewhere."
    words_if_flat: str = ""

    def load(self, clusters: bool = False) -> Callable[..., Any]:
        """Return the function that runs the method."""
        module, function = (self.clusters_home if clusters else self.home).split(":")
        return getattr(import_module(module), function)


_ROWS = (
    Method(
        "nuts",
        "bayesrank.inference.nuts:fit_nuts",
        "bayesrank.inference.clusters:fit_nuts_clusters",
        options=("tune", "target_accept", "sampler", "store"),
        has_chains=True,
        words="Sampled by NUTS, a Markov chain Monte Carlo method: the draws are from the "
        "posterior distribution itself, so intervals and probabilities are as exact as the number "
        "of draws allows, if the diagnostics are good.",
    ),
    Method(
        "advi",
        "bayesrank.inference.variational:fit_advi",
        options=("steps", "full_rank"),
        is_approximate=True,
        narrow_scale=True,
        words="Variational inference: the posterior distribution is replaced by the closest "
        "normal one. Intervals tend to be too narrow; check what matters by NUTS.",
    ),
    Method(
        "map",
        "bayesrank.inference.point:fit_map",
        "bayesrank.inference.clusters:fit_map_clusters",
        is_point=True,
        at_mode=True,
        is_quick=True,
        words="The posterior mode: the scores that are likeliest given the data and the prior.",
        words_if_flat="The maximum-likelihood estimate: the scores under which the data are "
        "likeliest.",
    ),
    Method(
        "laplace",
        "bayesrank.inference.laplace:fit_laplace",
        is_approximate=True,
        at_mode=True,
        is_quick=True,
        words="A Laplace approximation: the posterior distribution is replaced by a normal "
        "one around its highest point, or by a mixture of them where the prior scale is learned. "
        "Quick and often close; check what matters by NUTS.",
    ),
)
METHODS = {method.name: method for method in _ROWS}


def method_of(name: str) -> Method:
    """Return a method by its name; a user's own has draws, and nothing else is known of it."""
    return METHODS.get(name) or Method(name)


def method_with(option: str) -> Method | None:
    """Return the only method that uses an argument of `bayesrank.fit`, or None."""
    return next((method for method in METHODS.values() if option in method.options), None)


def names_with_draws() -> list[str]:
    """Return the names of the methods whose result has draws."""
    return [name for name, method in METHODS.items() if not method.is_point]
