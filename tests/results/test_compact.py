"""Groups of arrays as bytes."""

import numpy as np
import xarray as xr

from bayesrank.results.compact import pack_groups, unpack_groups


def test_groups_come_back():
    rng = np.random.default_rng(1)
    groups = {
        "posterior": xr.Dataset(
            {
                "score": (("chain", "draw", "item"), rng.normal(size=(2, 5, 3))),
                "scale": (("chain", "draw"), rng.normal(size=(2, 5)).astype(np.float32)),
                "odd": (("item", "chain"), rng.integers(0, 9, (2, 3)).T),
            },
            {"chain": [0, 1], "item": ["a", "\u00fc", "\n"]},
        ),
        "flags": xr.Dataset(
            {"diverging": (("draw",), np.array([True, False])), "none": (("x",), np.zeros(0))},
            attrs={"bayesrank": "{}", "number": 1.5},
        ),
    }
    again = unpack_groups(pack_groups(groups))
    assert list(again) == ["posterior", "flags"]
    for name, group in groups.items():
        xr.testing.assert_identical(again[name], group)
        for key in group.variables:
            assert again[name][key].dtype.kind == group[key].dtype.kind
    again["posterior"]["score"].values[:] = 0.0  # which may be written to
