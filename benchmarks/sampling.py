"""Minimum bulk effective sample size per second: our NUTS against NumPyro's and Stan's.

Same data, model and priors, two chains, each sampler's usual warm-up; the peers move scores drawn
at the learned scale or unit effects, whichever suits the data. The same ArviZ function counts for
all. Our seconds are those of the whole call of `bayesrank.fit`, its diagnostics included, the
peers' those of warm-up and sampling.
"""

import time

import numpy as np
import xarray as xr

import bayesrank as br
from bayesrank import _compat
from bayesrank.inference.coordinates import Coordinates
from bayesrank.progress import progress_bar
from benchmarks.lines import compare, versions
from benchmarks.peers import numpyro_models, stan_models
from benchmarks.problems import POSTERIORS

__all__ = ["run"]

PART = "sampling"
ASKED = {"NumPyro": 3.0, "Stan": 10.0}
# Means of hundreds of quantities in several runs differ by up to four standard errors by chance.
AGREEMENT = 6.0


def run(quick):
    """Return the lines of all reference posteriors."""
    sizes = {"draws": 300, "tune": 300, "chains": 2}
    if not quick:
        sizes |= {"draws": 1000, "tune": 1000}
    rounds = 1 if quick else 3
    lines = []
    with (
        numpyro_models.worker(sizes["chains"]) as numpyro,
        stan_models.worker() as stan,
        progress_bar(PART, len(POSTERIORS) * (rounds + 1)) as advance,
    ):
        workers = {"NumPyro": numpyro, "Stan": stan}
        workers = {name: worker for name, worker in workers.items() if worker is not None}
        for make in POSTERIORS:
            lines += against_samplers(make(quick), workers, sizes, rounds, advance)
    return lines


def ours(problem, sizes, seed):
    """Return our fit, and its seconds."""
    sizes = {name: size for name, size in sizes.items() if name != "tune"}  # ours is the default
    start = time.perf_counter()
    fit = br.fit(problem.data, problem.likelihood, seed=seed, progress=False, **sizes)
    return fit, time.perf_counter() - start


def theirs(name, worker, problem, sizes, seed, centered):
    """Return a peer's draws by name, and its seconds."""
    arguments = problem.likelihood, problem.arrays
    options = sizes | {"centered": centered, "seed": seed}
    if name == "Stan":
        return worker.submit(stan_models.sample, *arguments, **options).result()
    return worker.submit(numpyro_models.sample, problem.name, *arguments, **options).result()


def summary(posterior, names):
    """Return the minimum bulk effective sample size, and means with their standard errors."""
    data = xr.Dataset(
        {
            name: (("chain", "draw", f"{name}_entry")[: posterior[name].ndim], posterior[name])
            for name in names
        }
    )
    az = _compat.arviz()
    size, error = az.ess(data, method="bulk"), az.mcse(data, method="mean")
    least = min(float(size[name].min()) for name in names)
    means = np.concatenate([np.ravel(data[name].mean(("chain", "draw"))) for name in names])
    return least, means, np.concatenate([np.ravel(error[name]) for name in names])


def against_samplers(problem, workers, sizes, rounds, advance):
    """Return the lines of a posterior against the peers' samplers."""
    fit, _ = ours(problem, sizes, 0)
    names = [name for name in ("scale", "score", "tie_rate") if name in fit.posterior]
    # What our own door to PyMC's sampler would choose for them.
    centered = Coordinates(fit.specification).prior_share < 1 / 3
    for name, worker in workers.items():  # compiles
        theirs(name, worker, problem, sizes, 0, centered)
    advance()
    rates = {name: [] for name in ("ours", *workers)}
    least = {name: [] for name in rates}
    apart = dict.fromkeys(workers, 0.0)
    for seed in range(1, rounds + 1):
        fit, seconds = ours(problem, sizes, seed)
        size, mean, error = summary(fit.posterior, names)
        rates["ours"].append(size / seconds)
        least["ours"].append(size)
        for name, worker in workers.items():
            posterior, seconds = theirs(name, worker, problem, sizes, seed, centered)
            size, other, other_error = summary(posterior, names)
            rates[name].append(size / seconds)
            least[name].append(size)
            z = np.abs(mean - other) / np.hypot(error, other_error)
            apart[name] = max(apart[name], float(z.max()))
        advance()
    lines = []
    for name in workers:
        assert apart[name] < AGREEMENT, (
            f"means by {name} and by us differ by up to {apart[name]:.1f} standard errors: "
            f"{problem.what}"
        )
        packages = ("numpyro", "jax") if name == "NumPyro" else ("pystan", "httpstan")
        clock = "its own clock" if name == "Stan" else "wall time"
        notes = [
            problem.note, f"least ESS {np.median(least['ours']):.0f} and "
            f"{np.median(least[name]):.0f} of {sizes['chains']} x {sizes['draws']:,}",
            f"means within {apart[name]:.1f} standard errors",
            f"warm-up and sampling by {clock}; compilation left out",
        ]  # fmt: skip
        lines.append(
            compare(
                PART, f"least ESS per second, {problem.what}", versions(*packages),
                rates["ours"], rates[name], unit="1/s", asked=ASKED[name],
                note="; ".join(filter(None, notes)),
            )
        )  # fmt: skip
    return lines
