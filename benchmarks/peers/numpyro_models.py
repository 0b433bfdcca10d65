"""The reference models in NumPyro: likelihoods by JAX, compiled once, in double precision.

NumPyro's unconstrained coordinates are those of PyMC, and so of
`bayesrank.Specification`. Two chains at a time need two devices, which JAX must be told
of before it starts; so draws are made in a process of their own, by `worker`.
"""

import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context

import numpy as np

__all__ = ["compiled", "sample", "worker"]


def davidson(v, a, jnp):
    """Return Davidson's log-likelihood, one exponential a row."""
    half = 0.5 * (v["score"][a["left"]] - v["score"][a["right"]])
    nu = 2.0 * v["tie_rate"] / (1.0 - v["tie_rate"])
    size = jnp.abs(half)
    shrunk = jnp.exp(-size)
    # `log` for `log1p`: a fifth faster, and as good where the sum matters.
    log_z = size + jnp.log(1.0 + shrunk * (shrunk + nu))
    return a["net"] @ half + a["ties"].sum() * jnp.log(nu) - a["total"] @ log_z


def plackett_luce(v, a, jnp):
    """Return the log-probability of strict rankings, by sums over the slots from each one on."""
    from jax.lax import stop_gradient

    slots = jnp.where(a["held"], v["score"][a["slots"]], -1e30)
    shifted = slots - stop_gradient(slots.max(axis=1, keepdims=True))
    # On a processor a product with ones is faster than JAX's running sum.
    remaining = jnp.exp(shifted) @ np.tri(slots.shape[1])
    terms = shifted - jnp.log(jnp.where(a["held"], remaining, 1.0))
    return jnp.where(a["held"], terms, 0.0).sum()


def pmop(v, a, jnp):
    """Return the log-probability under additive PMOP, by sums of worths over blocks."""
    from jax.lax import stop_gradient
    from jax.ops import segment_sum

    score = a["features"] @ v["beta_standardized"]
    worth = jnp.exp(score - stop_gradient(score.max()))
    inside = segment_sum(worth, a["block"], a["used"].size, indices_are_sorted=True)
    inside = inside.reshape(a["used"].shape)
    total = jnp.cumsum(inside[:, ::-1], axis=1)[:, ::-1]
    inside, total = (jnp.where(a["used"], x, 1.0) for x in (inside, total))
    return jnp.sum(jnp.log(inside) - jnp.log(total))


def partitioned_plackett_luce(v, a, jnp):
    """Return the log-probability that a block is above the others, by a trapezoid rule in log t."""
    from jax.nn import logsumexp

    size, u = a["first"], a["nodes"]
    slots = v["score"][a["slots"][0]]
    relative = slots[:size] - logsumexp(slots[size:])
    z = jnp.exp(relative[:, None] + u)
    return logsumexp(u - jnp.exp(u) + jnp.log(-jnp.expm1(-z)).sum(axis=0))


def mpm(v, a, jnp):
    """Return the log-probability of preferences; a pair and its reverse share an exponential."""
    from jax.nn import logsumexp

    variance = 0.5 * jnp.exp(v["log_variance"])
    left, right = a["left"], a["right"]
    d = (v["score"][left] - v["score"][right]) / (variance[left] + variance[right])
    adherence = v["adherence"][a["agent"]]
    size = adherence[:, None] * jnp.abs(d)
    log_norm = logsumexp(size + jnp.log1p(jnp.exp(-2.0 * size)), axis=1)
    return a["weight"] @ (adherence * (a["net"] @ d) - a["total"] * log_norm)


LIKELIHOODS = {
    "davidson": davidson,
    "plackett-luce": plackett_luce,
    "pmop": pmop,
    "partitioned-plackett-luce": partitioned_plackett_luce,
    "mpm": mpm,
}


def model(likelihood, arrays, centered=True):
    """Say the model: priors as those of bayesrank, and the likelihood as a factor."""
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    items, v = (arrays.get("items"),), {}
    if likelihood == "pmop":
        unit = dist.Normal(0.0, 1.0).expand([arrays["features"].shape[1]]).to_event(1)
        v["beta_standardized"] = numpyro.sample("beta_standardized", unit)
    else:
        scale = numpyro.sample("scale", dist.HalfNormal(1.0))
        if centered:
            v["score"] = numpyro.sample("score", dist.ZeroSumNormal(scale, event_shape=items))
        else:
            effect = numpyro.sample("effect", dist.ZeroSumNormal(1.0, event_shape=items))
            v["score"] = numpyro.deterministic("score", scale * effect)
    if likelihood == "davidson":
        v["tie_rate"] = numpyro.sample("tie_rate", dist.Uniform(0.0, 1.0))
    if likelihood == "mpm":
        unit = dist.ZeroSumNormal(0.5, event_shape=items)
        v["log_variance"] = numpyro.sample("log_variance", unit)
        each = dist.Uniform(0.0, 1.0).expand([arrays["agents"]]).to_event(1)
        v["adherence"] = numpyro.sample("adherence", each)
    numpyro.factor("y", LIKELIHOODS[likelihood](v, arrays, jnp))


def compiled(problem, *, evaluations=1, **more):
    """Return value and gradient of the log posterior by `jax.jit`: from a flat point to a task.

    Parameters
    ----------
    problem : Problem
    evaluations : int
        How many one call of the task makes, in a compiled loop as in NumPyro's own sampler.
    **more : dict of ndarray
        Further arrays that the likelihood needs.
    """
    import jax
    import numpyro
    from numpyro.infer.util import potential_energy

    numpyro.enable_x64()
    arrays, likelihood = problem.arrays | more, problem.likelihood
    parameters = problem.specification.parameters

    def log_density(flat):
        point, start = {}, 0
        for parameter in parameters:
            part = flat[start : start + parameter.size]
            point[parameter.name] = part if parameter.dims else part[0]
            start += parameter.size
        return -potential_energy(model, (likelihood, arrays), {}, point)

    once = jax.value_and_grad(log_density)

    def in_a_loop(x):
        # Adds nothing to x, but the compiler cannot know and evaluates anew.
        def again(_, found):
            return once(x + 1e-300 * found[1])

        return jax.lax.fori_loop(1, evaluations, again, once(x))

    function = jax.jit(once if evaluations == 1 else in_a_loop)

    def at(x):
        x = jax.device_put(x)
        return lambda: jax.block_until_ready(function(x))

    return at


@contextmanager
def worker(chains):
    """Yield a process in which `sample` runs as many chains at a time; None without NumPyro."""
    if not find_spec("numpyro"):
        yield None
        return
    with ProcessPoolExecutor(1, get_context("spawn"), _start, (chains,)) as process:
        yield process


def _start(chains):
    import numpyro

    numpyro.set_host_device_count(chains)
    numpyro.enable_x64()


_samplers = {}  # of problems by name, each with what it has compiled


def sample(name, likelihood, arrays, *, draws, tune, chains, seed, centered):
    """Return draws by name, chains by draws, and the seconds of warm-up and sampling.

    The first call for a problem compiles, too.
    """
    import jax
    from numpyro.infer import MCMC, NUTS

    key = name, draws, tune, chains, centered
    if key not in _samplers:

        def one_chain(random):
            kernel = NUTS(partial(model, likelihood, arrays, centered))
            chain = MCMC(kernel, num_warmup=tune, num_samples=draws, progress_bar=False)
            chain.run(random)
            return chain.get_samples()

        # What `chain_method="parallel"` does, but that compiles in every call of `run`.
        _samplers[key] = jax.pmap(one_chain)
    random = jax.random.split(jax.random.key(seed), chains)
    start = time.perf_counter()
    found = jax.block_until_ready(_samplers[key](random))
    seconds = time.perf_counter() - start
    return {key: np.asarray(value) for key, value in found.items() if key != "effect"}, seconds
