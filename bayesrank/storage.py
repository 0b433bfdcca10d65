"""A fit as ArviZ groups, and as a netCDF file."""

import json

import numpy as np

__all__ = ["complete", "load", "posterior_dataset", "save"]

DIMS = {"score": ("item",), "effect": ("item",), "beta": ("feature",)}


def posterior_dataset(specification, posterior):
    """Return draws as an xarray Dataset with named coordinates."""
    import xarray as xr

    variables = {
        name: (("chain", "draw", *DIMS.get(name, ())), values) for name, values in posterior.items()
    }
    chains, draws = posterior["score"].shape[:2]
    coords = {"chain": np.arange(chains), "draw": np.arange(draws)}
    used = {dim for dims, _ in variables.values() for dim in dims}
    coords |= {k: v for k, v in specification.coords.items() if k in used}
    return xr.Dataset(variables, coords)


def complete(specification, idata):
    """Add the data, and drop what netCDF cannot hold."""
    import xarray as xr

    from bayesrank import _compat

    data, coords = specification.data, specification.coords
    constant = {"left": ("pair", data.left), "right": ("pair", data.right)}
    if data.agent is not None:
        constant["agent"] = ("pair", data.agent)
    used = ["pair"]
    if specification.features is not None:
        constant["features"] = (("item", "feature"), specification.features)
        used += ["item", "feature"]
    idata["constant_data"] = xr.Dataset(constant, {name: coords[name] for name in used})
    idata["observed_data"] = xr.Dataset(
        {"counts": (("pair", "outcome"), data.counts)},
        {name: coords[name] for name in ("pair", "outcome")},
    )
    if "sample_stats" in _compat.group_names(idata):
        stats = _compat.to_dataset(idata, "sample_stats")
        # nutpie's messages about single divergences are objects.
        idata["sample_stats"] = stats.drop_vars([n for n in stats if stats[n].dtype == object])
    return idata


def save(fit, path):
    """Write a fit, with its data and model, to a netCDF file."""
    spec, data = fit.specification, fit.specification.data
    record = {
        "likelihood": spec.likelihood,
        "scale": spec.scale,
        "centered": spec.centered,
        "order_effect": spec.order_effect,
        "item_effects": spec.item_effects,
        "method": fit.method,
        "note": fit.note,
        "items": data.items,
        "agents": data.agents,
        "feature_names": spec.feature_names,
    }
    try:
        text = json.dumps(record)
    except TypeError:
        raise ValueError(
            "Only items and agents that are texts or numbers can be saved; rename them."
        ) from None
    fit.idata["constant_data"].attrs["bayesrank"] = text
    fit.idata.to_netcdf(str(path), engine="h5netcdf")


def load(path):
    """Read a fit that `save` wrote."""
    import pandas as pd

    from bayesrank import _compat
    from bayesrank.data.comparisons import Comparisons
    from bayesrank.modelling import Specification
    from bayesrank.results import Fit

    idata = _compat.open_idata(path)
    if "constant_data" not in _compat.group_names(idata):
        raise ValueError(f"'{path}' does not hold a fit of bayesrank.")
    constant = idata["constant_data"]
    if "bayesrank" not in constant.attrs:
        raise ValueError(f"'{path}' does not hold a fit of bayesrank.")
    record = json.loads(constant.attrs["bayesrank"])
    data = Comparisons(
        constant["left"].values,
        constant["right"].values,
        idata["observed_data"]["counts"].values,
        record["items"],
        constant["agent"].values if "agent" in constant else None,
        record["agents"],
    )
    features = None
    if record["feature_names"]:
        features = pd.DataFrame(
            constant["features"].values, index=data.items, columns=record["feature_names"]
        )
    specification = Specification(
        data,
        record["likelihood"],
        scale=record["scale"],
        features=features,
        order_effect=record["order_effect"],
        item_effects=record["item_effects"],
        centered=record["centered"],
    )
    fit = Fit.from_idata(specification, record["method"], idata)
    fit.note = record["note"]
    return fit
