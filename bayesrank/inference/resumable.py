"""Runs that survive an interruption: draws are written to disk while they are made.

A store is a folder with the model and its data (model.nc), the options of the run (run.json), and
the draws of each attempt (part-000.npz, ...), in the model's own unconstrained coordinates. Files
are replaced as a whole, so that none is ever half written.
"""

import json
from dataclasses import replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.formats.written_files import replace_file
from bayesrank.inference.nuts import fit_nuts, warn_of_failure
from bayesrank.inference.options import Options
from bayesrank.results.fit import Fit

if TYPE_CHECKING:
    import xarray as xr

    from bayesrank.model.specification import Specification

__all__ = ["fit_stored", "resume"]

_FORMAT = 1
# The options that a run is stored with.
_OPTIONS = ("draws", "tune", "chains", "seed", "sampler", "target_accept")
# What is kept of the sampler's statistics of each draw.
_STATS = ("diverging", "energy", "n_steps", "mean_tree_accept")


def fit_stored(specification: "Specification", path: str | PathLike[str], options: Options) -> Fit:
    """Sample by NUTS and write the draws to a folder while they are made; return the fit."""
    path = Path(path)
    if path.exists():
        raise ValueError(
            f"`store` is {str(path)!r}, which exists: br.resume({str(path)!r}) goes on with a run, "
            "a new one needs another name."
        )
    specification = specification.replace(centered=True)
    path.mkdir(parents=True)
    nowhere = np.zeros((1, 1, specification.size))
    Fit.from_points(specification, "map", nowhere).save(path / "model.nc")
    written = {"format": _FORMAT}
    for name in _OPTIONS:
        value = getattr(options, name)
        written[name] = int(value) if isinstance(value, Integral) else value
    replace_file(path / "run.json", lambda temporary: temporary.write_text(json.dumps(written)))
    return _go_on(specification, path, options)


def resume(path: str | PathLike[str], *, progress: bool = True) -> Fit:
    """Go on with a run that was stored and interrupted, or read one that is complete.

    Draws that are on disk are kept; what is missing is sampled by chains that start anew, with a
    warm-up of their own, and is put after them. So each chain may be of several pieces, which
    R-hat and effective sample sizes do not know: they look at it as at one.

    Parameters
    ----------
    path : str or path
        The ``store`` of `fit`.
    progress : bool
        Whether to show progress.

    Returns
    -------
    Fit

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "run"
    >>> fit = br.fit(br.load_dataset("pudding"), seed=1, store=path, progress=False)
    >>> again = br.resume(path)  # nothing is missing
    >>> np.array_equal(again.scores(), fit.scores())
    True
    """
    path = Path(path)
    if not (path / "run.json").exists() or not (path / "model.nc").exists():
        raise ValueError(f"{str(path)!r} holds no stored run.")
    found = json.loads((path / "run.json").read_text())
    version = found.pop("format")
    if version != _FORMAT:
        raise ValueError(
            f"{str(path)!r} was written in format {version} of stored runs; this version of "
            f"bayesrank reads {_FORMAT}."
        )
    specification = Fit.load(path / "model.nc").specification
    fit = _go_on(specification, path, Options(**found, progress=progress))
    warn_of_failure(fit)
    return fit


def _go_on(specification: "Specification", path: Path, options: Options) -> Fit:
    """Sample what is missing, and return all draws."""
    parts = sorted(path.glob("part-*.npz"))
    chains, draws = options.chains, options.draws
    points, stats = _read(parts, chains)
    missing = max(draws - min((len(chain) for chain in points), default=0), 0)
    if missing:
        part = path / f"part-{len(parts):03d}.npz"
        seed = options.seed
        if parts and seed is not None:
            # Not the draws of the first attempt once more.
            entropy = np.random.SeedSequence([seed, len(parts)])
            seed = int(entropy.generate_state(1, np.uint64)[0] >> 1)

        def keep(points: Any, stats: Any) -> None:
            found = {name: stats[name].values for name in _STATS if name in stats}
            replace_file(part, lambda temporary: _write(temporary, points, found))

        try:
            fit_nuts(specification, replace(options, draws=missing, seed=seed), keep)
        except KeyboardInterrupt:
            have, _ = _read(sorted(path.glob("part-*.npz")), chains)
            kept = sum(min(len(chain), draws) for chain in have)
            raise KeyboardInterrupt(
                f"Sampling was interrupted; {kept:,} of {chains * draws:,} draws are kept: "
                f"br.resume({str(path)!r}) goes on."
            ) from None
        points, stats = _read(sorted(path.glob("part-*.npz")), chains)
    drawn = np.array([chain[:draws] for chain in points])
    fit = Fit.from_points(specification, "nuts", drawn, _dataset(stats, draws))
    fit.seed, fit.tune = options.seed, options.tune
    return fit


def _write(path: Path, points: Any, stats: Any) -> None:
    with path.open("wb") as file:
        np.savez(file, points=points, **stats)


def _read(parts: Any, chains: int) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return the draws and the stats of each chain, of all parts, those that are there."""
    points: list[list[Any]] = [[] for _ in range(chains)]
    stats: list[dict[str, Any]] = [{} for _ in range(chains)]
    for part in parts:
        with np.load(part, allow_pickle=False) as arrays:
            for k in range(chains):
                there = np.isfinite(arrays["points"][k]).all(axis=1)
                points[k].append(arrays["points"][k][there])
                for name in arrays.files:
                    if name != "points":
                        stats[k].setdefault(name, []).append(arrays[name][k][there])
    joined = [np.concatenate(chain) if chain else np.empty((0, 0)) for chain in points]
    return joined, [{n: np.concatenate(v) for n, v in chain.items()} for chain in stats]


def _dataset(stats: list[dict[str, Any]], draws: int) -> "xr.Dataset":
    import xarray as xr

    return xr.Dataset(
        {
            name: (("chain", "draw"), np.array([chain[name][:draws] for chain in stats]))
            for name in stats[0]
        },
        {"chain": np.arange(len(stats)), "draw": np.arange(draws)},
    )
