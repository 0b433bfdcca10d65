"""The reference models in Stan, through pystan; compilation is pystan's own business, and cached.

Times are by Stan's own clock, which leaves out what pystan adds by talking to its server. That
server forks, which a process with JAX in it should not do; so all of it runs in a process of its
own, by `worker`.

Take Python 3.12, or 3.11: the wheel of httpstan 4.17 for 3.13 holds an object that was compiled
for 3.10, and no model that is linked with it can be loaded.
"""

import os
import re
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context

import numpy as np

__all__ = ["PROGRAMS", "density", "named", "sample", "seconds_per_gradient", "worker"]

# A vector that sums to zero has one dimension less than elements, and so has its normal prior.
# Scores are not kept: as parameters they are the effects, or multiples of them.
_PRIOR = """
  target += -0.5 * square(scale);
  target += centered ? -(items - 1) * log(scale) - 0.5 * dot_self(effect) / square(scale)
                     : -0.5 * dot_self(effect);
  vector[items] score = centered ? to_vector(effect) : scale * effect;
"""

_DAVIDSON = f"""
data {{
  int<lower=2> items;
  int<lower=1> rows;
  array[rows] int<lower=1, upper=items> left;
  array[rows] int<lower=1, upper=items> right;
  vector[rows] net;
  vector[rows] total;
  real ties;
  int<lower=0, upper=1> centered;
}}
parameters {{
  real<lower=0> scale;
  sum_to_zero_vector[items] effect;
  real<lower=0, upper=1> tie_rate;
}}
model {{{_PRIOR}
  real nu = 2 * tie_rate / (1 - tie_rate);
  vector[rows] half = 0.5 * (score[left] - score[right]);
  vector[rows] size = abs(half);
  vector[rows] shrunk = exp(-size);
  target += dot_product(net, half) + ties * log(nu);
  target += -dot_product(total, size + log1p(shrunk .* (shrunk + nu)));
}}
"""

# Slots come worst first, so that the worths of all that remain are a running sum.
_PLACKETT_LUCE = f"""
data {{
  int<lower=2> items;
  int<lower=1> rankings;
  int<lower=1> slots;
  array[rankings] int<lower=1, upper=slots> size;
  array[rankings, slots] int<lower=0, upper=items> worst_first;
  vector[items] entered;
  int<lower=0, upper=1> centered;
}}
parameters {{
  real<lower=0> scale;
  sum_to_zero_vector[items] effect;
}}
model {{{_PRIOR}
  real best = max(score);
  vector[items] worth = exp(score - best);
  target += dot_product(entered, score - best);
  for (r in 1:rankings) {{
    target += -sum(log(cumulative_sum(worth[worst_first[r, 1:size[r]]])));
  }}
}}
"""

_SMALLEST = "parameters { sum_to_zero_vector[2] x; } model { x ~ std_normal(); }"
PROGRAMS = {"davidson": _DAVIDSON, "plackett-luce": _PLACKETT_LUCE}


@contextmanager
def worker():
    """Yield a process in which the functions of this file run, or None where there is no Stan.

    That pystan is installed but cannot build such models is said by a warning: they have a
    `sum_to_zero_vector`, which Stan knows from 2.36 on.
    """
    if not find_spec("stan"):
        yield None
        return
    with ProcessPoolExecutor(1, get_context("spawn"), _hush) as process:
        try:
            process.submit(_try, _SMALLEST).result()
            works = True
        except Exception as error:
            works, reason = False, f"{type(error).__name__}: {error}"
            warnings.warn(f"Stan is left out: pystan builds no model ({reason}).", stacklevel=3)
        try:
            yield process if works else None
        finally:
            process.submit(_close).result()


def _close():
    """End httpstan's own processes, for which this one would wait forever."""
    from httpstan import services_stub

    services_stub.executor.shutdown()


def _try(program):
    """Build a model, which itself is of no use elsewhere."""
    _build(program, {})


def _build(program, data, seed=None):
    import stan

    return stan.build(program, data=data, random_seed=seed)


def _hush():
    """Send what pystan and the compiler say nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.dup2(nowhere, stream.fileno())


def _data(likelihood, arrays, centered):
    """Return a problem's arrays as the program has them; Stan counts from 1."""
    data = {"items": arrays["items"], "centered": int(centered)}
    if likelihood == "davidson":
        return data | {
            "rows": len(arrays["left"]), "left": (arrays["left"] + 1).tolist(),
            "right": (arrays["right"] + 1).tolist(), "net": arrays["net"].tolist(),
            "total": arrays["total"].tolist(), "ties": float(arrays["ties"].sum()),
        }  # fmt: skip
    held, slots, longest = arrays["held"], arrays["slots"], arrays["held"].shape[1]
    rows = [row[own][::-1] + 1 for row, own in zip(slots, held, strict=True)]
    entered = np.bincount(slots[held], minlength=arrays["items"]).astype(float).tolist()
    return data | {
        "rankings": len(rows), "slots": longest, "size": held.sum(axis=1).tolist(),
        "worst_first": [row.tolist() + [0] * (longest - len(row)) for row in rows],
        "entered": entered,
    }  # fmt: skip


def _posterior(likelihood, arrays, centered, seed=None):
    """Return a model with its data, which will sample anew.

    Without a seed pystan has always the same one; with one it keeps draws, and would give them
    again, with the times they once took.
    """
    from httpstan.cache import model_directory

    posterior = _build(PROGRAMS[likelihood], _data(likelihood, arrays, centered), seed)
    for kept in model_directory(posterior.model_name).rglob("*.jsonlines.gz"):
        kept.unlink()
    return posterior


def named(values):
    """Return a point under the names of the programs' parameters."""
    point = {name: values[name].tolist() for name in ("scale", "tie_rate") if name in values}
    return point | {"effect": values.get("effect", values["score"]).tolist()}


def density(likelihood, arrays, points, centered=True):
    """Return the log posterior and the length of its gradient, at points given by name.

    Stan's unconstrained coordinates are a rotation of ours, which keeps lengths.
    """
    posterior = _posterior(likelihood, arrays, centered)
    found = []
    for point in points:
        x = posterior.unconstrain_pars(point)
        found.append((posterior.log_prob(x), float(np.linalg.norm(posterior.grad_log_prob(x)))))
    return found


def _elapsed(fit):
    """Return the seconds of warm-up and of sampling of each chain, by Stan's own clock."""
    number = rb"([0-9.]+(?:e-?[0-9]+)?) seconds"
    phases = (number + rb" \(Warm-up\)", number + rb" \(Sampling\)")
    return np.array(
        [[float(re.search(phase, text)[1]) for phase in phases] for text in fit.stan_outputs]
    )


def seconds_per_gradient(likelihood, arrays, *, draws, tune):
    """Return the time of a leapfrog step, of which all but a little is value and gradient.

    One chain; small steps make long trajectories, so that what happens once a draw is little.
    """
    posterior = _posterior(likelihood, arrays, True)
    fit = posterior.sample(num_chains=1, num_samples=draws, num_warmup=tune, delta=0.99)
    return _elapsed(fit)[0, 1] / fit["n_leapfrog__"].sum()


def sample(likelihood, arrays, *, draws, tune, chains, seed, centered):
    """Return draws by name, chains by draws, and the seconds of warm-up and sampling."""
    posterior = _posterior(likelihood, arrays, centered, seed + 1)  # which must be positive
    fit = posterior.sample(num_chains=chains, num_samples=draws, num_warmup=tune)
    found = {}
    for name in fit.param_names:
        # pystan has one axis for draws and chains, chains running faster.
        values = np.reshape(fit[name], (-1, draws, chains)).transpose(2, 1, 0)
        found[name] = values if name == "effect" else values[:, :, 0]
    effect = found.pop("effect")
    found["score"] = effect if centered else found["scale"][:, :, None] * effect
    return found, _elapsed(fit).sum(axis=1).max()
