"""bayesrank: Bayesian ranking from comparisons and rankings, with what is known about it."""

from importlib import import_module

TYPE_CHECKING = False  # type checkers know better; `typing` itself would take half of the time
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

# Importing the package costs nothing; each name brings its own module on first use.
_HOMES = {
    "BradleyTerry": "distributions",
    "ClusterFit": "results.cluster_fit",
    "Comparisons": "data",
    "Davidson": "distributions",
    "Fit": "results.fit",
    "MPM": "distributions",
    "Mixture": "distributions",
    "PMOP": "distributions",
    "PartitionedPlackettLuce": "distributions",
    "PlackettLuce": "distributions",
    "Rankings": "data",
    "RaoKupper": "distributions",
    "ScoreDraws": "consensus",
    "Specification": "model.specification",
    "Thurstone": "distributions",
    "ThurstonePairs": "distributions",
    "agreement": "data",
    "calibrate": "calibration",
    "compare": "results.comparison",
    "fit": "inference",
    "fit_many": "inference",
    "load_dataset": "data",
    "read": "data",
    "resume": "inference",
    "sample": "inference",
    "simulate": "calibration",
}

__all__ = [
    "MPM",
    "PMOP",
    "BradleyTerry",
    "ClusterFit",
    "Comparisons",
    "Davidson",
    "Fit",
    "Mixture",
    "PartitionedPlackettLuce",
    "PlackettLuce",
    "Rankings",
    "RaoKupper",
    "ScoreDraws",
    "Specification",
    "Thurstone",
    "ThurstonePairs",
    "agreement",
    "calibrate",
    "compare",
    "fit",
    "fit_many",
    "load_dataset",
    "read",
    "resume",
    "sample",
    "simulate",
]


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module 'bayesrank' has no attribute {name!r}")
    if _HOMES[name] == "distributions":
        import_module("bayesrank._compat").pymc()  # which imports PyMC without its notices
    value = getattr(import_module(f"bayesrank.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
