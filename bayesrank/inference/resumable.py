"""Runs that survive an interruption: draws are written to disk while they are made."""

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.checks import whole_number
from bayesrank.inference.nuts import fit_nuts, warn_of_failure
from bayesrank.inference.options import Options
from bayesrank.inference.stores import Drawn, Store
from bayesrank.results.fit import Fit

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["fit_stored", "resume"]

# What is kept of the sampler's statistics of each draw.
_STATS = ("diverging", "energy", "n_steps", "mean_tree_accept")


def fit_stored(specification: "Specification", path: str | PathLike[str], options: Options) -> Fit:
    """Sample by NUTS and write the draws to a folder while they are made; return the fit."""
    store = Store.create(Path(path), specification.replace(centered=True), options)
    return _go_on(store)


def resume(path: str | PathLike[str], *, draws: int | None = None, progress: bool = True) -> Fit:
    """Go on with a run that was stored and interrupted, or read one that is complete.

    Draws that are on disk are kept; what is missing is sampled by chains that start anew, with a
    warm-up of their own, and is put after them. So each chain may be of several pieces, which
    R-hat and effective sample sizes do not know: they look at it as at one. A part of the store
    that is damaged is set aside, with a warning that names it, and sampled anew.

    Parameters
    ----------
    path : str or path
        The ``store`` of `fit`.
    draws : int, optional
        Draws per chain, by default as many as the run was to have. More are sampled and kept as
        well.
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
    store = Store.open(Path(path), progress=progress)
    if draws is not None:
        store.options = replace(store.options, draws=whole_number("draws", draws, 1))
    fit = _go_on(store)
    warn_of_failure(fit)
    return fit


def _go_on(store: Store) -> Fit:
    """Sample what is missing, and return all draws."""
    drawn, draws = store.read(), store.options.draws
    if min(drawn.lengths) < draws:
        with store.locked():
            drawn = _sample_missing(store, store.read())
    points, stats = drawn.first(draws)
    fit = Fit.from_points(store.specification, "nuts", points, _dataset(stats))
    fit.seed, fit.tune = store.options.seed, store.options.tune
    fit.options = store.options.special
    return fit


def _sample_missing(store: Store, drawn: Drawn) -> Drawn:
    """Sample and keep what is missing; return all draws."""
    options, draws = store.options, store.options.draws
    missing = draws - min(drawn.lengths)
    seed = options.seed
    if missing <= 0:  # somebody else was quicker
        return drawn
    if store.attempts and seed is not None:
        # Not the draws of an earlier attempt once more.
        entropy = np.random.SeedSequence([seed, store.attempts])
        seed = int(entropy.generate_state(1, np.uint64)[0] >> 1)

    def keep(points: Any, stats: Any) -> None:
        found = {name: values for name, values in stats.items() if name in _STATS}
        store.append(points, found)

    try:
        fit_nuts(store.specification, replace(options, draws=missing, seed=seed), keep)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"Sampling was interrupted; {_kept(store)}") from None
    except OSError as error:
        text = f"{error.strerror}; {_kept(store)} This file could not be written"
        raise OSError(error.errno, text, error.filename) from None
    return store.read()


def _kept(store: Store) -> str:
    """Return a sentence about what is on disk."""
    draws = store.options.draws
    kept = sum(min(length, draws) for length in store.read().lengths)
    return (
        f"{kept:,} of {store.options.chains * draws:,} draws are kept: "
        f"br.resume({str(store.path)!r}) goes on."
    )


def _dataset(stats: dict[str, np.ndarray]) -> Any:
    import xarray as xr

    chains, draws = next(iter(stats.values())).shape if stats else (0, 0)
    return xr.Dataset(
        {name: (("chain", "draw"), values) for name, values in stats.items()},
        {"chain": np.arange(chains), "draw": np.arange(draws)},
    )
