"""nutpie's NUTS on the compiled posterior."""

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesrank import _compat
from bayesrank.inference.interruptions import interruptions
from bayesrank.kernels.posterior.function import copy_function, posterior_function

__all__ = ["sample_posterior"]

# How often a run that is stored writes what it has.
KEEP_SECONDS = 5.0


def sample_posterior(coordinates, *, draws, tune, chains, seed, progress, target_accept, keep=None):
    """Run nutpie's NUTS in standardised coordinates.

    Chains start from draws of a standard normal, to which the density should be close.

    Parameters
    ----------
    coordinates : Coordinates
    draws, tune, chains, seed, progress, target_accept
        See `bayesrank.fit`.
    keep : callable, optional
        Called now and then, when sampling is interrupted and at the end, with what was drawn since
        the last time: a list of points of each chain, and a dict of such lists of statistics.

    Returns
    -------
    points : ndarray
        Chains by draws by size, in these coordinates.
    stats : xarray.Dataset
        The sampler's statistics of each draw.
    """
    _compat.arviz()  # nutpie imports it, with its notice
    import nutpie

    size = coordinates.size

    def start(seed):
        return np.random.default_rng(seed).standard_normal(size)

    model, options = _native_model(coordinates, start), {}
    if model is None:
        # Chains that call Python wait for each other, so they go one after the other.
        model, options = _python_model(coordinates, start), {"cores": 1}
    if seed is not None and seed >= 2**63:
        seed = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 1)
    # Ctrl-C that came while the sampler calls Python would be lost on it.
    with interruptions() as interrupted:
        sampler = nutpie.sample(
            # It takes no less: the first steps find out how long a step should be.
            model, draws=draws, tune=max(tune, 10), chains=chains, seed=seed, save_warmup=False,
            progress_bar=progress, target_accept=target_accept, blocking=False, **options,
        )  # fmt: skip
        trace = _watch(sampler, keep, interrupted)
    points, stats = _points_of(trace)
    if points.shape[1] < draws or not np.isfinite(points).all():
        # nutpie keeps an interruption to itself, and fills up with NaN what is not there.
        raise KeyboardInterrupt("Sampling was interrupted.")
    return points, stats


def _points_of(trace):
    points = _compat.to_dataset(trace, "posterior")["point"].values
    return points, _compat.to_dataset(trace, "sample_stats")


def _watch(sampler, keep, interrupted):
    """Wait for a sampler in the background and return its results; keep what there is meanwhile.

    Ctrl-C ends the sampler, and what it has drawn is kept before anything else happens.
    """
    kept, due = 0, time.monotonic() + KEEP_SECONDS
    while not interrupted():
        try:
            trace = sampler.wait(timeout=0.2)
            break
        except TimeoutError:
            pass
        began = time.monotonic()
        if keep is not None and began > due:
            try:
                kept = _keep_new(_quietly(sampler.inspect), kept, keep)
            except BaseException:
                sampler.abort()  # what cannot be kept need not be drawn
                raise
            # Of large models a look takes seconds: then the next one begins the earlier.
            took = time.monotonic() - began
            due = began + max(KEEP_SECONDS - took, KEEP_SECONDS / 2)
    else:
        trace = _quietly(sampler.abort)
    if keep is not None:
        _keep_new(trace, kept, keep)
    return trace


def _quietly(look):
    with warnings.catch_warnings():
        # ArviZ wonders whether a few draws of many chains are not the other way round.
        warnings.filterwarnings("ignore", category=UserWarning)
        return look()


def _keep_new(trace, kept, keep):
    """Hand over the draws beyond those that were kept of each chain; return how many there are."""
    points, stats = _points_of(trace)
    there = np.isfinite(points).all(axis=2)
    if isinstance(kept, int):
        kept = [kept] * len(points)
    ends = [int(row.argmin()) if not row.all() else row.size for row in there]
    new = [slice(first, max(first, last)) for first, last in zip(kept, ends, strict=True)]
    if any(part.stop > part.start for part in new):
        by_name = {name: stats[name].values for name in stats if stats[name].ndim == 2}
        keep(
            [chain[part] for chain, part in zip(points, new, strict=True)],
            {name: [v[k][part] for k, part in enumerate(new)] for name, v in by_name.items()},
        )
    return [part.stop for part in new]


def _python_model(coordinates, start):
    """Return a model for nutpie that calls a Python function."""
    from nutpie.compiled_pyfunc import from_pyfunc

    def expand(*_):
        return lambda point: {"point": point}

    return from_pyfunc(
        coordinates.size, lambda: coordinates.objective, expand, [np.dtype(float)],
        [(coordinates.size,)], ["point"], make_initial_point_fn=start,
    )  # fmt: skip


def _native_model(coordinates, start):
    """Return a model for nutpie that calls the compiled posterior by its address.

    None where coordinates are a Python function, or where nutpie has changed the way to do so,
    which is not a documented one.
    """
    from nutpie import _lib
    from nutpie.sample import CompiledModel

    table, size = getattr(coordinates, "table", None), coordinates.size
    if table is None:
        return None  # these are not a table

    @dataclass(frozen=True)
    class NativeModel(CompiledModel):
        n_dim: int = size
        shapes: Any = None
        coords: Any = None

        def _make_model(self, init_mean):
            # The table leads to arrays that the coordinates and their model hold.
            keep = (table, posterior_function(), copy_function(), coordinates)
            where, sizes = table.ctypes.data, {}  # filled in by the next line
            variables = _lib.PyVariable.new_variables(["point"], ["float64"], [(size,)], sizes, {})
            return _lib.PyMcModel(
                _lib.LogpFunc(keep[1].address, where, keep),
                _lib.ExpandFunc(size, size, keep[2].address, where, keep),
                variables, size, sizes, {}, start, None,
            )  # fmt: skip

        def _make_sampler(self, settings, init_mean, cores, *rest):
            return _lib.PySampler.from_pymc(settings, cores, self._make_model(init_mean), *rest)

    model = NativeModel(dims={}, coords={})
    try:
        model._make_model(None)
    except (AttributeError, TypeError):
        return None
    return model
