"""The same model, fitted in the same way to other data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bayesrank.data.instances import item_keys
from bayesrank.model.specification import Specification

if TYPE_CHECKING:
    from bayesrank.results.fit import Fit

__all__ = ["refitted", "with_other_data"]


def with_other_data(specification: Specification, data: Any) -> Specification:
    """Return the same model of other data.

    What was given by position, of items or agents, is looked up by label.
    """
    if specification.given_entry_features is not None:
        raise ValueError(
            "Features that were given for the slots of rankings are known of these rankings only: "
            "make them part of the data, by Rankings.from_frame(..., features=[...])."
        )
    return Specification(data, specification.likelihood, **_by_label(specification))


def _by_label(specification: Specification) -> dict[str, Any]:
    """Return the arguments of a model, with labels in the place of positions."""
    import pandas as pd

    arguments, data = dict(specification.arguments), specification.data
    features = arguments["features"]
    if features is not None and features is not False and not hasattr(features, "columns"):
        index = pd.Index(item_keys(data), tupleize_cols=False)
        names = specification.given_feature_names
        arguments["features"] = pd.DataFrame(features, index=index, columns=names)
    agents = specification.observation.agents if specification.has_adherences else []
    for name, labels in (("adherence", agents), ("variances", item_keys(data))):
        value = arguments[name]
        if hasattr(value, "__len__") and not isinstance(value, (str, Mapping)):
            if not hasattr(value, "to_dict"):  # not a pandas Series, which has labels
                arguments[name] = dict(zip(labels, value, strict=True))
    return arguments


def refitted(
    fit: Any, specification: Specification, *, seed: int | None = None, progress: bool = False,
    start: dict[str, Any] | None = None,
) -> "Fit":  # fmt: skip
    """Return the fit of a model by the method, and with the options, of another fit.

    Parameters
    ----------
    fit : Fit
        How it was made is looked up.
    specification : Specification
    seed, progress
        As in `bayesrank.fit`.
    start : dict, optional
        Values of the parameters to start from, where the method can use them.
    """
    from bayesrank.inference.fitting import fit_again

    return fit_again(fit, specification, seed=seed, progress=progress, start=start)
