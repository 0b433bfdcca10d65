"""A fit as named groups of arrays, as ArviZ has them, and a fit from such groups."""

import json
from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.instances import item_keys
from bayesrank.results.sealed_files import FORMAT
from bayesrank.results.weighted_draws import Update, WeightedDraws

if TYPE_CHECKING:
    import xarray as xr

    from bayesrank.model.specification import Specification

__all__ = ["complete", "fit_of", "groups_of", "posterior_dataset"]

# What a container holds besides its observed values and labels, and along which dimensions.
FIELDS: dict[str, dict[str, Any]] = {
    "Comparisons": {
        "left": ("pair",),
        "right": ("pair",),
        "agent": ("pair",),
        "instance": ("item",),
        "time": ("pair",),
        "category": ("pair",),
        "both_bad": ("pair",),
        # Rows may have other columns than the model uses, and items features of their own.
        "row_features": ("pair", "row_feature"),
    },
    "Rankings": {
        "entries": ("ranking", "slot"),
        "weights": ("ranking",),
        "agent": ("ranking",),
        "ratings": ("ranking", "slot"),
        "instance": ("item",),
        "time": ("ranking",),
        "category": ("ranking",),
        # Entries may have other columns than the model uses.
        "entry_features": ("ranking", "slot", "entry_feature"),
    },
}
# The same for rankings whose slots would not fit: entries one after the other.
RAGGED = {
    "start": ("start",),
    "entry_item": ("entry",),
    "weights": ("ranking",),
    "agent": ("ranking",),
    "entry_ratings": ("entry",),
    "instance": ("item",),
    "time": ("ranking",),
    "category": ("ranking",),
    "entry_features": ("entry", "entry_feature"),
}
# What is written as it is.
LABELS = {
    "Comparisons": (
        "items", "agents", "instances", "derived", "sided", "times", "categories", "feature_names",
    ),
    "Rankings": ("items", "agents", "names", "feature_names", "instances", "times", "categories"),
}  # fmt: skip
# Arguments of the model that are written as they were given; older files have fewer.
_ARGUMENTS = (
    "order_effect", "scores", "drift", "persistence", "ties", "discrimination", "spreads",
)  # fmt: skip
# What was observed, by name.
OBSERVED = {"Comparisons": "counts", "Rankings": "ranks"}
# The last fit, where its draws were weighted by new results since.
_LAST, _LAST_STATS = "last_fit", "last_fit_stats"
# Features under the names that they are written by: the model's own are called "features".
_FEATURES = ("row_features", "entry_features")


def posterior_dataset(
    specification: "Specification", posterior: dict[str, np.ndarray]
) -> "xr.Dataset":
    """Return draws as an xarray Dataset with named coordinates."""
    import xarray as xr

    variables = {}
    for name, values in posterior.items():
        dims = specification.dims(name) if values.ndim > 2 else ()
        variables[name] = (("chain", "draw", *dims), values)
    chains, draws = next(iter(posterior.values())).shape[:2]
    coords: dict[str, Any] = {"chain": np.arange(chains), "draw": np.arange(draws)}
    used = {dim for dims, _ in variables.values() for dim in dims}
    coords |= {k: v for k, v in specification.coords.items() if k in used}
    return xr.Dataset(variables, coords)


def data_groups(specification: "Specification") -> dict[str, "xr.Dataset"]:
    """Return the data as groups: what is constant, and what was observed."""
    import xarray as xr

    data, observation = specification.data, specification.observation
    ragged = data.row == "ranking" and not data.fits_slots
    constant = {}
    for name, dims in (RAGGED if ragged else FIELDS[type(data).__name__]).items():
        own = name in _FEATURES and not ragged
        values = getattr(data, "features" if own else name)
        if values is not None:
            constant[name] = (dims, values)
    if specification.features is not None:
        constant["features"] = (
            ("item", "feature"),
            specification.features + specification.feature_means,
        )
    elif specification.given_entry_features is not None:
        given = specification.given_entry_features  # also those that the model left out
        constant["given_features"] = (
            (("entry", "given_feature"), given) if ragged
            else (("ranking", "slot", "given_feature"), data.padded(given, 0))
        )  # fmt: skip
    used = {dim for dims, _ in constant.values() for dim in dims} | {observation.row}
    coords = {name: values for name, values in specification.coords.items() if name in used}
    if ragged:
        observed = xr.Dataset({observation.name: ("entry", data.entry_rank)})
    else:
        observed = xr.Dataset(
            {observation.name: (observation.dims, observation.observed)},
            {name: specification.coords[name] for name in observation.dims},
        )
    return {"constant_data": xr.Dataset(constant, coords), "observed_data": observed}


def complete(specification: "Specification", idata: Any) -> Any:
    """Add the data, and drop what files cannot hold."""
    from bayesrank import _compat

    for name, group in data_groups(specification).items():
        idata[name] = group
    if "sample_stats" in _compat.group_names(idata):
        idata["sample_stats"] = _without_objects(_compat.to_dataset(idata, "sample_stats"))
    return idata


def _without_objects(stats: "xr.Dataset") -> "xr.Dataset":
    # nutpie's messages about single divergences are objects.
    return stats.drop_vars([name for name in stats if stats[name].dtype == object])


def groups_of(fit: Any) -> dict[str, "xr.Dataset"]:
    """Return all that makes up a fit; the record of its model is an attribute of the data."""
    from bayesrank import _compat

    if fit._idata is not None:  # it may have more than every fit has
        groups = {
            name: _compat.to_dataset(fit.idata, name) for name in _compat.group_names(fit.idata)
        }
    else:
        groups = {"posterior": posterior_dataset(fit.specification, fit.posterior)}
        if fit._stats is not None:
            groups["sample_stats"] = _without_objects(fit._stats)
        groups |= data_groups(fit.specification)
    if fit._weighted is not None:
        groups |= _groups_of_last_fit(fit)
    groups = {name: _with_plain_labels(group) for name, group in groups.items()}
    groups["constant_data"] = groups["constant_data"].assign_attrs(bayesrank=_record(fit))
    return groups


def _groups_of_last_fit(fit: Any) -> dict[str, "xr.Dataset"]:
    """Return the draws that were weighted, their weights and their sampler's statistics."""
    from bayesrank import _compat

    base, weight = fit._weighted.base, fit._weighted.log_weight
    draws = posterior_dataset(fit.specification, base.posterior)
    groups = {_LAST: draws.assign(log_weight=(("chain", "draw"), weight.reshape(base.shape)))}
    if "sample_stats" in _compat.group_names(base.idata):
        groups[_LAST_STATS] = _without_objects(_compat.to_dataset(base.idata, "sample_stats"))
    return groups


def _record(fit: Any) -> str:
    """Return what is no array: the model, the labels and how it was fitted."""
    spec, data = fit.specification, fit.specification.data
    kind = type(data).__name__
    record = {
        "format": FORMAT,
        "data": kind,
        "likelihood": spec.likelihood,
        "scale": spec.scale,
        "centered": spec.centered,
        "item_effects": spec.item_effects if spec.moves is None else None,
        **{name: spec.arguments[name] for name in _ARGUMENTS},
        "method": fit.method,
        "note": fit.note,
        "seed": fit.seed,
        "tune": fit.tune,
        "part": fit.part,
        "options": fit.options,
        "updated": None if fit.updated is None else asdict(fit.updated),
        "features": False if spec.arguments["features"] is False else spec.feature_names,
        "labels": {name: _written(getattr(data, name)) for name in LABELS[kind]},
    }
    if spec.has_adherences:
        record["preferences"] = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in spec.observation.arguments.items()
        }
    try:
        return json.dumps(record, default=_plain_number)
    except TypeError:
        raise ValueError(
            "Only items, agents and rankings that are texts, numbers, dates or tuples of these can "
            "be saved; rename them."
        ) from None


def _plain_number(value: Any) -> Any:
    """Return a number of NumPy's as one of Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError


def _written(label: Any) -> Any:
    """Return labels, or one of them, as JSON has it."""
    if isinstance(label, list):
        return [_written(one) for one in label]
    if isinstance(label, tuple):
        return {"tuple": [_written(one) for one in label]}
    if isinstance(label, datetime):
        return {"datetime": label.isoformat()}
    return {"date": label.isoformat()} if isinstance(label, date) else label


def _read_back(label: Any) -> Any:
    """Return labels, or one of them, from what `_written` returned."""
    if isinstance(label, list):
        return [_read_back(one) for one in label]
    if not isinstance(label, dict):
        return label
    ((kind, value),) = label.items()
    if kind == "tuple":
        return tuple(_read_back(value))
    return {"datetime": datetime, "date": date}[kind].fromisoformat(value)


def _with_plain_labels(group: "xr.Dataset") -> "xr.Dataset":
    """Return a group whose labels are texts or numbers."""
    odd = {
        name: (coord.dims, [str(label) for label in coord.values])
        for name, coord in group.coords.items()
        if coord.dtype.kind not in "biufUS" and coord.ndim == 1
    }
    return group.assign_coords(odd) if odd else group


def fit_of(groups: dict[str, "xr.Dataset"], kind: Any) -> Any:
    """Return the fit, of a given class, that groups make up."""
    from bayesrank import _compat
    from bayesrank.model.specification import Specification

    constant = groups["constant_data"]
    record = json.loads(constant.attrs["bayesrank"])
    data = _data(record, constant, groups["observed_data"])
    specification = Specification(
        data,
        record["likelihood"],
        scale=record["scale"],
        features=_features(record, constant, data),
        item_effects=record["item_effects"],
        centered=record["centered"],
        **{name: record[name] for name in _ARGUMENTS if name in record},
        **record.get("preferences", {}),
    )
    last = groups.pop(_LAST, None)
    stats = groups.pop(_LAST_STATS, None)
    fit = kind.from_idata(specification, record["method"], _compat.make_idata(groups))
    _recall(fit, record)
    if record.get("updated") is not None:
        fit.updated = Update(**record["updated"])
    if last is not None:
        posterior = {name: last[name].values for name in fit.posterior}
        base = kind(specification, fit.method, posterior)
        _recall(base, record)
        base._stats = stats
        weight, about = last["log_weight"].values.ravel(), fit.updated
        fit._weighted = WeightedDraws(base, weight, about.batches, about.results)
    return fit


def _recall(fit: Any, record: dict[str, Any]) -> None:
    """Let a fit know how it was made."""
    fit.note, fit.seed, fit.part = record["note"], record.get("seed"), record.get("part", False)
    fit.tune, fit.options = record.get("tune"), record.get("options", {})


def _data(record: dict[str, Any], constant: Any, observed: Any) -> Any:
    """Return the container that a file holds."""
    from bayesrank import data as containers

    kind = record["data"]
    labels = {name: _read_back(labels) for name, labels in record["labels"].items()}
    if "start" in constant:
        fields = {name: constant[name].values for name in RAGGED if name in constant}
        ranks = observed[OBSERVED[kind]].values
        return containers.Rankings._of_entries(entry_rank=ranks, **fields, **labels)
    fields = {name: constant[name].values for name in FIELDS[kind] if name in constant}
    for name in _FEATURES:
        if name in fields:
            fields["features"] = fields.pop(name)
    fields[OBSERVED[kind]] = observed[OBSERVED[kind]].values
    return getattr(containers, kind)(**fields, **labels)


def _features(record: dict[str, Any], constant: Any, data: Any) -> Any:
    """Return the features that were given to the model beside the data."""
    import pandas as pd

    if record["features"] is False:
        return False
    if "given_features" in constant:
        return constant["given_features"].values
    if "features" not in constant:
        return None
    frame = pd.DataFrame(constant["features"].values, columns=record["features"])
    return frame.set_index(pd.Index(item_keys(data)))
