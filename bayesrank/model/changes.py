"""What changes in a model when its data grow: labels, prior, and where a search may start."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.labels import map_positions
from bayesrank.model.protocols import Values

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["carried_values", "new_labels", "prior_change", "same_shape"]


def new_labels(old: "Specification", new: "Specification") -> dict[str, list[Any]]:
    """Return labels that only the new model has, by the dimension of its quantities.

    Where it has new cells, the categories that are new are named as well.
    """
    found = {}
    for dim in _dimensions(new):
        found[dim] = _without(new.coords[dim], old.coords.get(dim, ()))
    if found.get("cell"):
        found["category"] = _without(new.data.categories, old.data.categories)
    return {dim: labels for dim, labels in found.items() if labels}


def _without(labels: list[Any], known: Any) -> list[Any]:
    """Return labels that are not among others."""
    known = set(known)
    return [label for label in labels if label not in known]


def same_shape(old: "Specification", new: "Specification") -> bool:
    """Return whether both models have the same parameters of the same labels, in one order."""
    dims = _dimensions(new)
    return (
        list(old.quantities) == list(new.quantities)
        and [_about(parameter) for parameter in old.parameters]
        == [_about(parameter) for parameter in new.parameters]
        and dims == _dimensions(old)
        and all(list(old.coords[dim]) == list(new.coords[dim]) for dim in dims)
    )


def _about(parameter: Any) -> tuple[Any, ...]:
    return parameter.name, parameter.kind, parameter.size, np.max(parameter.sigma, initial=0.0)


def _dimensions(specification: "Specification") -> list[str]:
    dims = [dim for quantity in specification.quantities.values() for dim in quantity.dims]
    dims += [parameter.dims for parameter in specification.parameters if parameter.dims]
    return list(dict.fromkeys(dims))


def prior_change(old: "Specification", new: "Specification", values: Values) -> Any:
    """Return by how much the log-density of the prior changes, in many draws, the last axis.

    It is known up to a constant. Only features change it, whose unit is their standard deviation.
    Both models have the `same_shape`.
    """
    total: Any = 0.0
    for before, now in zip(old.terms, new.terms, strict=True):
        change = now.prior_change(values, before)
        total = total if change is None else total + change
    return total


def carried_values(old: "Specification", new: "Specification", values: Values) -> Values | None:
    """Return values of the new model's free parameters from one draw of the old one's quantities.

    What has a new label is in the middle of its range, or 0. Return None where the quantities do
    not tell all parameters.
    """
    known: Values = {}
    about: dict[str, tuple[str | None, float | None]]
    about = {parameter.name: (parameter.dims, None) for parameter in new.parameters}
    about |= {name: ("".join(one.dims), one.high) for name, one in new.quantities.items()}
    for name, (dim, high) in about.items():
        if name not in values:
            continue
        known[name] = values[name]
        if dim:
            place = map_positions(old.coords.get(dim, ()))
            middle = 0.0 if high is None else 0.5 * high
            own = [values[name][place[k]] if k in place else middle for k in new.coords[dim]]
            known[name] = np.array(own)
    found: Values = {}
    for term in new.terms:
        found |= term.known(known)
    return found if all(parameter.name in found for parameter in new.parameters) else None
