"""Groups of arrays as bytes: lighter than netCDF, for thousands of small fits.

There is a line that says what it is, the length of a header, the header (JSON: groups, their
attributes, and where each array lies), and the arrays as they are in memory.
"""

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["START", "pack_groups", "unpack_groups"]

START = b"bayesrank arrays\n"
_ALIGNED = 8


def pack_groups(groups: dict[str, "xr.Dataset"]) -> bytes:
    """Return groups as bytes."""
    header: dict[str, Any] = {}
    pieces: list[bytes] = []
    place = 0
    for name, group in groups.items():
        variables = {}
        for key, variable in group.variables.items():
            values = np.asarray(variable.values)
            about: dict[str, Any] = {"dims": variable.dims, "coordinate": key in group.coords}
            if values.dtype.kind in "OU":
                about["texts"] = values.tolist()
            else:
                content = np.ascontiguousarray(values).tobytes()
                content += bytes(-len(content) % _ALIGNED)
                about |= {"dtype": values.dtype.str, "shape": values.shape, "place": place}
                pieces.append(content)
                place += len(content)
            variables[key] = about
        header[name] = {"attributes": dict(group.attrs), "variables": variables}
    text = json.dumps(header).encode()
    text += b" " * (-(len(START) + 8 + len(text)) % _ALIGNED)
    return b"".join([START, len(text).to_bytes(8, "little"), text, *pieces])


def unpack_groups(content: bytes) -> dict[str, "xr.Dataset"]:
    """Return the groups of bytes that `pack_groups` made."""
    import xarray as xr

    start = len(START) + 8
    length = int.from_bytes(content[len(START) : start], "little")
    header = json.loads(content[start : start + length])
    first = start + length
    groups = {}
    for name, group in header.items():
        variables: dict[str, Any] = {}
        coordinates: dict[str, Any] = {}
        for key, about in group["variables"].items():
            if "texts" in about:
                values = np.array(about["texts"])
            else:
                size = int(np.prod(about["shape"], dtype=np.int64))
                place = first + about["place"]
                values = np.frombuffer(content, about["dtype"], size, place)
                values = values.reshape(about["shape"]).copy()  # which may be written to
            kind = coordinates if about["coordinate"] else variables
            kind[key] = (tuple(about["dims"]), values)
        groups[name] = xr.Dataset(variables, coordinates, group["attributes"])
    return groups
