"""The two supported stacks, PyMC 5 with ArviZ 0.23 and PyMC 6 with ArviZ 1, under one spelling.

This is the only file that looks at a version. It is also where PyMC and ArviZ are imported first,
so that what they say at import is dealt with once.
"""

import logging
import time
import warnings
from contextlib import contextmanager
from functools import cache

__all__ = [
    "arviz",
    "group_names",
    "loo",
    "make_idata",
    "open_idata",
    "pareto_smoothed",
    "pymc",
    "sample_model",
    "sample_objective",
    "to_dataset",
]


# How often a run that is stored writes what it has.
KEEP_SECONDS = 5.0


@contextmanager
def _only_errors(logger):
    """Keep a logger's warnings to itself for a while."""
    log = logging.getLogger(logger)
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


@cache
def pymc():
    """Import PyMC without its notices."""
    # Without a C compiler PyTensor 2 warns of slow Python code; we compile with Numba.
    with warnings.catch_warnings(), _only_errors("pytensor.configdefaults"):
        # PyMC 6 imports a name that PyTensor 3 has moved.
        warnings.simplefilter("ignore", DeprecationWarning)
        # A pip-installed PyTensor finds no BLAS for its C linker and says so when first asked.
        # We compile with Numba, which brings its own, so ask once here, where nobody listens.
        warnings.filterwarnings("ignore", message="(?s)PyTensor could not link to a BLAS")
        import pymc as pm
        import pytensor

        pytensor.config.blas__ldflags  # noqa: B018
    return pm


@cache
def arviz():
    """Import ArviZ without the notice of its refactoring (0.23)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        import arviz as az
    return az


def modern():
    """Whether this is ArviZ 1 (results are DataTrees), and so PyMC 6."""
    return int(arviz().__version__.split(".")[0]) >= 1


def sample_model(model, *, draws, tune, chains, seed, progress, sampler, target_accept):
    """Run NUTS on a PyMC model, compiled with Numba on either stack, and return the results."""
    pm = pymc()
    options = {}
    if sampler == "nutpie" and not modern():
        # PyMC 6 leaves out the warm-up by default.
        options["nuts_sampler_kwargs"] = {"save_warmup": False}
    # What PyMC would say about the draws, our own diagnostics say in words.
    with model, _only_errors("pymc"), warnings.catch_warnings():
        # Of products with a column of coefficients, whose layout is PyTensor's choice.
        warnings.filterwarnings("ignore", message="np.dot.. is faster on contiguous arrays")
        return pm.sample(
            draws=draws,
            tune=tune,
            chains=chains,
            random_seed=seed,
            progressbar=progress,
            nuts_sampler=sampler,
            target_accept=target_accept,
            compile_kwargs={"mode": "NUMBA"},
            compute_convergence_checks=False,
            **options,
        )


def sample_objective(
    objective, size, *, native, draws, tune, chains, seed, progress, target_accept, keep=None
):
    """Run nutpie's NUTS on a function that returns log-density and gradient.

    Chains start from draws of a standard normal, to which the density should be close.

    Parameters
    ----------
    objective : callable
    size : int
        Length of its argument.
    native : (str, ndarray) or None
        The same function in `bayesrank.kernels.native`, and its buffer.
    keep : callable, optional
        Called now and then, and when sampling is interrupted, with the points and stats so far;
        points that are not there yet are NaN.

    Returns
    -------
    points : ndarray
        Chains by draws by size.
    stats : xarray.Dataset
        The sampler's word on each draw.
    """
    arviz()  # nutpie imports it, with its notice
    import numpy as np
    import nutpie
    from nutpie.compiled_pyfunc import from_pyfunc

    def start(seed):
        return np.random.default_rng(seed).standard_normal(size)

    def expand(*_):
        return lambda point: {"point": point}

    options = {}
    model = None if native is None else _native_model(*native, size, start)
    if model is None:
        model = from_pyfunc(
            size, lambda: objective, expand, [np.dtype(float)], [(size,)], ["point"],
            make_initial_point_fn=start,
        )  # fmt: skip
        # Chains that call Python wait for each other: unless most of the time is in kernels,
        # which let others run, two at once take longer than one after the other.
        if _seconds(objective, np.zeros(size)) < 3e-4:
            options["cores"] = 1
    if seed is not None and seed >= 2**63:
        seed = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 1)
    sampler = nutpie.sample(
        # It takes no less: the first steps find out how long a step should be.
        model, draws=draws, tune=max(tune, 10), chains=chains, seed=seed, save_warmup=False,
        progress_bar=progress, target_accept=target_accept, blocking=keep is None, **options,
    )  # fmt: skip
    trace = sampler if keep is None else _watch(sampler, keep)
    points, stats = _points_of(trace)
    if points.shape[1] < draws or not np.isfinite(points).all():
        # nutpie keeps an interruption to itself, and fills up with NaN what is not there.
        raise KeyboardInterrupt("Sampling was interrupted.")
    return points, stats


def _points_of(trace):
    return to_dataset(trace, "posterior")["point"].values, to_dataset(trace, "sample_stats")


def _watch(sampler, keep):
    """Wait for a sampler in the background and return its results; keep what there is meanwhile."""

    def so_far(look):
        with warnings.catch_warnings():
            # ArviZ wonders whether a few draws of many chains are not the other way round.
            warnings.filterwarnings("ignore", category=UserWarning)
            return _points_of(look())

    last = time.monotonic()
    while True:
        try:
            trace = sampler.wait(timeout=0.2)
            break
        except TimeoutError:
            if time.monotonic() - last > KEEP_SECONDS:
                keep(*so_far(sampler.inspect))
                last = time.monotonic()
        except KeyboardInterrupt:
            keep(*so_far(sampler.abort))
            raise
    keep(*_points_of(trace))
    return trace


def _seconds(function, argument):
    """Return about how long a call takes."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        function(argument)
        times.append(time.perf_counter() - start)
    return min(times)


def _native_model(name, buffer, size, start):
    """Return a model for nutpie that calls a compiled function by its address.

    None where nutpie has another way to do so than it had: it is not a documented one.
    """
    from dataclasses import dataclass
    from typing import Any

    from nutpie import _lib
    from nutpie.sample import CompiledModel

    from bayesrank.kernels.native import function

    @dataclass(frozen=True)
    class NativeModel(CompiledModel):
        n_dim: int = size
        shapes: Any = None
        coords: Any = None

        def _make_model(self, init_mean):
            where = buffer.ctypes.data
            keep = (buffer, function(name), function("copy"))
            sizes = {}  # filled in by the next line
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


def make_idata(groups):
    """Make results from a dict of xarray Datasets."""
    az = arviz()
    if modern():
        import xarray as xr

        return xr.DataTree.from_dict(groups)
    return az.InferenceData(**groups)


def to_dataset(idata, group):
    """Return a group as an xarray Dataset."""
    data = idata[group]
    return data.to_dataset() if hasattr(data, "to_dataset") else data


def group_names(idata):
    """Return the names of the groups."""
    return list(idata.children) if modern() else list(idata.groups())


def open_idata(path):
    """Read results from a netCDF file into memory."""
    import xarray as xr

    az = arviz()
    if modern():
        with xr.open_datatree(path, engine="h5netcdf") as tree:
            return tree.load()
    with az.rc_context({"data.load": "eager"}):
        return az.from_netcdf(path, engine="h5netcdf")


def loo(log_likelihood, efficiency=1.0):
    """Return the elpd and the Pareto k of each unit, and the k up to which it is good.

    Parameters
    ----------
    log_likelihood : ndarray, chains by draws by units
    efficiency : float
        Effective number of draws for each draw.
    """
    import xarray as xr

    dims = ("chain", "draw")
    groups = {
        "posterior": xr.Dataset({"draw_number": (dims, log_likelihood[:, :, 0])}),
        "log_likelihood": xr.Dataset({"y": ((*dims, "unit"), log_likelihood)}),
    }
    with warnings.catch_warnings():
        # High Pareto k values are counted, and warned of, by whoever calls.
        warnings.simplefilter("ignore")
        result = arviz().loo(make_idata(groups), pointwise=True, reff=efficiency)
    elpd = result.elpd_i if modern() else result.loo_i
    return elpd.values, result.pareto_k.values, float(result.good_k)


def pareto_smoothed(log_weight):
    """Return log importance weights of draws, smoothed, and their Pareto k."""
    if not modern():
        smoothed, k = arviz().psislw(log_weight)
        return smoothed, float(k)
    from arviz_stats.base import array_stats

    try:
        # Here they are log-likelihoods, of which the weights are the inverse.
        smoothed, k = array_stats.psislw(-log_weight)
    except (IndexError, ValueError):
        # Too few draws, or a tail of equal weights: nothing to be smoothed, nor to be trusted.
        return log_weight, float("inf")
    return smoothed, float(k)
