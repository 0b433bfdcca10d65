"""A fit as ArviZ groups, and as a netCDF file."""

import json
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.formats.written_files import replace_file
from bayesrank.data.instances import item_keys

if TYPE_CHECKING:
    import xarray as xr

    from bayesrank.model.specification import Specification

__all__ = ["complete", "load", "posterior_dataset", "save"]

# What a container holds besides its observed values and labels, and along which dimensions.
FIELDS: dict[str, dict[str, Any]] = {
    "Comparisons": {
        "left": ("pair",),
        "right": ("pair",),
        "agent": ("pair",),
        "instance": ("item",),
    },
    "Rankings": {
        "entries": ("ranking", "slot"),
        "weights": ("ranking",),
        "agent": ("ranking",),
        "ratings": ("ranking", "slot"),
        "instance": ("item",),
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
    "entry_features": ("entry", "entry_feature"),
}
# What is written as it is.
LABELS = {
    "Comparisons": ("items", "agents", "instances", "derived", "sided"),
    "Rankings": ("items", "agents", "names", "feature_names", "instances"),
}
# What was observed, by name.
OBSERVED = {"Comparisons": "counts", "Rankings": "ranks"}


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


def complete(specification: "Specification", idata: Any) -> Any:
    """Add the data, and drop what netCDF cannot hold."""
    import xarray as xr

    from bayesrank import _compat

    data, observation = specification.data, specification.observation
    ragged = data.row == "ranking" and not data.fits_slots
    constant = {}
    for name, dims in (RAGGED if ragged else FIELDS[type(data).__name__]).items():
        padded = name == "entry_features" and not ragged
        values = getattr(data, "features" if padded else name)
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
    idata["constant_data"] = xr.Dataset(constant, coords)
    if ragged:
        idata["observed_data"] = xr.Dataset({observation.name: ("entry", data.entry_rank)})
    else:
        idata["observed_data"] = xr.Dataset(
            {observation.name: (observation.dims, observation.observed)},
            {name: specification.coords[name] for name in observation.dims},
        )
    if "sample_stats" in _compat.group_names(idata):
        stats = _compat.to_dataset(idata, "sample_stats")
        # nutpie's messages about single divergences are objects.
        idata["sample_stats"] = stats.drop_vars([n for n in stats if stats[n].dtype == object])
    return idata


def save(fit: Any, path: str | PathLike[str]) -> None:
    """Write a fit, with its data and model, to a netCDF file."""
    spec, data = fit.specification, fit.specification.data
    kind = type(data).__name__
    record = {
        "data": kind,
        "likelihood": spec.likelihood,
        "scale": spec.scale,
        "centered": spec.centered,
        "order_effect": spec.order_effect,
        "item_effects": spec.item_effects,
        "method": fit.method,
        "note": fit.note,
        "seed": fit.seed,
        "tune": fit.tune,
        "part": fit.part,
        "features": spec.feature_names,
        "labels": {name: getattr(data, name) for name in LABELS[kind]},
    }
    if spec.has_adherences:
        record["preferences"] = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in spec.observation.arguments.items()
        }
    try:
        text = json.dumps(record)
    except TypeError:
        raise ValueError(
            "Only items, agents and rankings that are texts or numbers can be saved; rename them."
        ) from None
    fit.idata["constant_data"].attrs["bayesrank"] = text

    def write(temporary: Any) -> None:
        fit.idata.to_netcdf(str(temporary), engine="h5netcdf")

    replace_file(str(path), write)


def load(path: str | PathLike[str], kind: Any) -> Any:
    """Read a fit, of a given class, that `save` wrote."""
    from bayesrank import _compat
    from bayesrank.model.specification import Specification

    idata = _compat.open_idata(path)
    if "constant_data" not in _compat.group_names(idata):
        raise ValueError(f"'{path}' does not hold a fit of bayesrank.")
    constant = idata["constant_data"]
    if "bayesrank" not in constant.attrs:
        raise ValueError(f"'{path}' does not hold a fit of bayesrank.")
    record = json.loads(constant.attrs["bayesrank"])
    data = _data(record, constant, idata["observed_data"])
    specification = Specification(
        data,
        record["likelihood"],
        scale=record["scale"],
        features=_features(record, constant, data),
        order_effect=record["order_effect"],
        item_effects=record["item_effects"],
        centered=record["centered"],
        **record.get("preferences", {}),
    )
    fit = kind.from_idata(specification, record["method"], idata)
    fit.note, fit.seed, fit.part = record["note"], record.get("seed"), record.get("part", False)
    fit.tune = record.get("tune")
    return fit


def _data(record: dict[str, Any], constant: Any, observed: Any) -> Any:
    """Return the container that a file holds."""
    from bayesrank import data as containers

    kind = record["data"]
    if "start" in constant:
        fields = {name: constant[name].values for name in RAGGED if name in constant}
        ranks = observed[OBSERVED[kind]].values
        return containers.Rankings._of_entries(entry_rank=ranks, **fields, **record["labels"])
    fields = {name: constant[name].values for name in FIELDS[kind] if name in constant}
    if "entry_features" in fields:
        fields["features"] = fields.pop("entry_features")
    fields[OBSERVED[kind]] = observed[OBSERVED[kind]].values
    return getattr(containers, kind)(**fields, **record["labels"])


def _features(record: dict[str, Any], constant: Any, data: Any) -> Any:
    """Return the features that were given to the model beside the data."""
    import pandas as pd

    if "given_features" in constant:
        return constant["given_features"].values
    if "features" not in constant:
        return None
    frame = pd.DataFrame(constant["features"].values, columns=record["features"])
    return frame.set_index(pd.Index(item_keys(data)))
