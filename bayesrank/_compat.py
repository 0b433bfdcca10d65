"""The two supported stacks, PyMC 5 with ArviZ 0.23 and PyMC 6 with ArviZ 1, under one spelling.

This is the only file that looks at a version. It is also where PyMC and ArviZ are imported first,
so that their notices at import are dealt with once.
"""

import logging
import os
import stat
import sys
import tempfile
import warnings
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

__all__ = [
    "arviz",
    "group_names",
    "loo",
    "make_idata",
    "pareto_smoothed",
    "pymc",
    "sample_model",
    "scan",
    "temporary_folder",
    "to_dataset",
]


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
def temporary_folder():
    """Return a folder for temporary files that nobody else may write to, or None.

    What is in it will be run as code, so that one of somebody else's is not good enough.
    """
    own = os.getuid() if hasattr(os, "getuid") else None
    folder = Path(tempfile.gettempdir(), f"bayesrank-{'user' if own is None else own}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    safe = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022
    return folder if safe and own in (None, found.st_uid) else None


@cache
def _provide_home():
    """Give libraries that write to the user's folder when they are imported another one.

    Where that folder cannot be written to, ArviZ 0.23 and PyTensor fail.
    """
    home = Path(os.path.expanduser("~"))
    folder = temporary_folder()
    if os.access(home, os.W_OK | os.X_OK) or folder is None:
        return
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MPLCONFIGDIR"):
        os.environ.setdefault(name, str(folder / name.lower()))
    flags = os.environ.get("PYTENSOR_FLAGS", "")
    if "compiledir" not in flags:
        own = f"base_compiledir={folder / 'pytensor'}"
        os.environ["PYTENSOR_FLAGS"] = f"{flags},{own}" if flags else own


@cache
def pymc():
    """Import PyMC without its notices."""
    _provide_home()
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
    _provide_home()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        import arviz as az
    if sys.flags.optimize > 1:
        _leave_docstrings_alone(az)
    return az


def _leave_docstrings_alone(az):
    """Let ArviZ not lengthen docstrings where Python has removed them (-OO), as it would fail."""
    name = "arviz_stats.base.stats_utils" if _is_modern(az) else "arviz.stats.stats_utils"
    import_module(name).update_docstring = lambda *_, **__: None


def modern():
    """Whether this is ArviZ 1 (results are DataTrees), and so PyMC 6."""
    return _is_modern(arviz())


def _is_modern(az):
    return int(az.__version__.split(".")[0]) >= 1


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


def scan(step, sequences, start):
    """Return what each call of a function returns, of the sequences' elements and its last result.

    Older versions of PyTensor return updates too, and newer ones warn of them.
    """
    import inspect

    import pytensor

    known = "return_updates" in inspect.signature(pytensor.scan).parameters
    found = pytensor.scan(
        step, sequences=sequences, outputs_info=[start],
        **({"return_updates": False} if known else {}),
    )  # fmt: skip
    return found if known else found[0]
