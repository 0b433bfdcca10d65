"""Fits as files: netCDF, which others read too, or a lighter form; both with a seal."""

import os
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesrank.results.compact import START, pack_groups, unpack_groups
from bayesrank.results.groups import fit_of, groups_of
from bayesrank.results.sealed_files import DamagedFile, is_sealed, read_sealed, write_sealed

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["load", "save", "save_compact"]

_HDF5 = b"\x89HDF\r\n\x1a\n"
# Where the first bytes of an HDF5 file say how long it is, by the version in its ninth byte.
_LENGTH = {0: 40, 1: 44, 2: 28, 3: 28}
# Nothing that was compressed is more than so many times as large as its file.
_INFLATED = 1100
_SMALL = 1 << 20


def save(fit: Any, path: str | PathLike[str]) -> None:
    """Write a fit, with its data and model, to a netCDF file."""
    import xarray as xr

    # Made in memory: where a disk is full, HDF5 takes the whole process down with it.
    tree = xr.DataTree.from_dict(groups_of(fit))
    write_sealed(path, tree.to_netcdf(engine="h5netcdf"))


def save_compact(fit: Any, path: str | PathLike[str]) -> None:
    """Write a fit to a file that only `load` reads, in a hundredth of the time."""
    write_sealed(path, pack_groups(groups_of(fit)))


def load(path: str | PathLike[str], kind: Any) -> Any:
    """Read a fit, of a given class, that `save` or `save_compact` wrote."""
    sealed = is_sealed(path)
    with open(path, "rb") as file:
        start = file.read(64)
    if start.startswith(START):
        groups = unpack_groups(read_sealed(path))
    elif start.startswith(_HDF5):
        if not sealed:
            _require_length(path, start)
        groups = _netcdf_groups(path)
    else:
        raise _foreign(path)
    record = groups["constant_data"].attrs if "constant_data" in groups else {}
    if "bayesrank" not in record:
        raise _foreign(path)
    # Files of format 1 had no seal; what says that it has a later one has lost it.
    if not sealed and '"format"' in record["bayesrank"][:20]:
        raise DamagedFile(path, "it was changed after it was saved")
    try:
        return fit_of(groups, kind)
    except (KeyError, IndexError, TypeError) as error:
        raise DamagedFile(path, f"what it holds is no whole fit ({error!r})") from None


def _foreign(path: Any) -> ValueError:
    return ValueError(f"'{path}' does not hold a fit of bayesrank.")


def _require_length(path: Any, start: bytes) -> None:
    """Refuse an HDF5 file, from its first bytes, that is longer or shorter than it says."""
    place = _LENGTH.get(start[8])
    said = None if place is None else int.from_bytes(start[place : place + 8], "little")
    size = os.path.getsize(path)
    if said != size:
        raise DamagedFile(path, f"its first bytes do not fit its length, {size:,} bytes")


def _netcdf_groups(path: str | PathLike[str]) -> dict[str, "xr.Dataset"]:
    """Return the groups of a netCDF file, in memory."""
    import xarray as xr

    size = Path(path).stat().st_size
    try:
        with xr.open_datatree(path, engine="h5netcdf") as tree:
            groups = {name: node.to_dataset() for name, node in tree.children.items()}
            asked = sum(group.nbytes for group in groups.values())
            if asked > _INFLATED * size + _SMALL:
                raise DamagedFile(path, f"{size:,} bytes cannot hold the {asked:,} it speaks of")
            return {name: group.load() for name, group in groups.items()}
    except DamagedFile:
        raise
    except Exception as error:  # of HDF5, h5py, h5netcdf or xarray: of any kind
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DamagedFile(path, f"it cannot be read as netCDF ({reason})") from None
