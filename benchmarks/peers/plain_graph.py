"""The reference models as plain PyTensor graphs: what a PyMC modeller writes without bayesrank.

Priors and coordinates are those of `bayesrank.Specification`. A likelihood is a function
of the model's variables and the problem's arrays; constants of the data are left out.
"""

import warnings

import numpy as np

from bayesrank import _compat

__all__ = ["FORMS", "compiled", "model", "nodes_around"]


def davidson_first(v, a, pt):
    """Return Davidson's log-likelihood as one writes it first, by `logaddexp`."""
    half, log_nu = _half_and_log_nu(v, a, pt)
    log_z = pt.logaddexp(pt.logaddexp(half, -half), log_nu)
    return pt.sum(a["net"] * half + a["ties"] * log_nu - a["total"] * log_z)


def davidson(v, a, pt):
    """Return the same with one exponential a row, which never overflows either."""
    half, log_nu = _half_and_log_nu(v, a, pt)
    size = pt.abs(half)
    shrunk = pt.exp(-size)
    log_z = size + pt.log1p(shrunk * (shrunk + pt.exp(log_nu)))
    return pt.dot(a["net"], half) + a["ties"].sum() * log_nu - pt.dot(a["total"], log_z)


def _half_and_log_nu(v, a, pt):
    half = 0.5 * (v["score"][a["left"]] - v["score"][a["right"]])
    return half, pt.log(2.0 * v["tie_rate"]) - pt.log1p(-v["tie_rate"])


def plackett_luce(v, a, pt):
    """Return the log-probability of strict rankings, by one running sum."""
    slots = pt.switch(a["held"], v["score"][a["slots"]], -1e30)
    shifted = slots - slots.max(axis=1, keepdims=True)
    remaining = pt.cumsum(pt.exp(shifted)[:, ::-1], axis=1)[:, ::-1]
    terms = shifted - pt.log(pt.switch(a["held"], remaining, 1.0))
    return pt.switch(a["held"], terms, 0.0).sum()


def pmop(v, a, pt):
    """Return the log-probability under additive PMOP, by sums of worths over blocks."""
    score = pt.dot(a["features"], v["beta_standardized"])
    # Without padding, at the price that the best of all queries is subtracted in each.
    worth = pt.exp(score - score.max())
    inside = pt.zeros(a["used"].size)[a["block"]].inc(worth).reshape(a["used"].shape)
    total = pt.cumsum(inside[:, ::-1], axis=1)[:, ::-1]
    inside, total = (pt.switch(a["used"], x, 1.0) for x in (inside, total))
    return pt.sum(pt.log(inside) - pt.log(total))


def partitioned_plackett_luce(v, a, pt):
    """Return the log-probability that a block is above the others, by a trapezoid rule in log t."""
    size, u = a["first"], a["nodes"]
    slots = v["score"][a["slots"][0]]
    relative = slots[:size] - pt.logsumexp(slots[size:])
    z = pt.exp(relative[:, None] + u)
    log_f = u - np.exp(u) + pt.log(-pt.expm1(-z)).sum(axis=0)
    return pt.logsumexp(log_f)


def mpm(v, a, pt):
    """Return the log-probability of preferences; a pair and its reverse share an exponential."""
    variance = 0.5 * pt.exp(v["log_variance"])
    left, right = a["left"], a["right"]
    d = (v["score"][left] - v["score"][right]) / (variance[left] + variance[right])
    adherence = v["adherence"][a["agent"]]
    size = adherence[:, None] * pt.abs(d)
    log_norm = pt.logsumexp(size + pt.log1p(pt.exp(-2.0 * size)), axis=1)
    return pt.dot(a["weight"], adherence * pt.dot(a["net"], d) - a["total"] * log_norm)


FORMS = {
    "davidson": {"logaddexp": davidson_first, "log1p": davidson},
    "plackett-luce": {"running sum": plackett_luce},
    "pmop": {"sums by block": pmop},
    "partitioned-plackett-luce": {"64 nodes": partitioned_plackett_luce},
    "mpm": {"log1p": mpm},
}


def nodes_around(problem, x, nodes=64, depth=30.0):
    """Return nodes in log t where the integrand of a block at the point x is not negligible.

    Peers get them beforehand, for this very point; a sampler would have to look for them anew.
    """
    score, a = problem.specification.split(x)["score"], problem.arrays
    slots, size = score[a["slots"][0]], a["first"]
    relative = slots[:size] - np.logaddexp.reduce(slots[size:])
    u = np.linspace(-40.0, 20.0, 6001)
    with np.errstate(divide="ignore"):
        log_f = u - np.exp(u) + np.log(-np.expm1(-np.exp(relative[:, None] + u))).sum(axis=0)
    bulk = u[log_f > log_f.max() - depth]
    return np.linspace(bulk[0], bulk[-1], nodes)


def model(problem, form, **more):
    """Return the model of a problem, its likelihood in one of the forms of `FORMS`.

    Parameters
    ----------
    problem : Problem
    form : str
    **more : dict of ndarray
        Further arrays that the likelihood needs.
    """
    pm = _compat.pymc()
    import pytensor.tensor as pt

    arrays = problem.arrays | more
    items, likelihood = arrays.get("items"), problem.likelihood
    with pm.Model() as built:
        v = {}
        if likelihood == "pmop":
            columns = arrays["features"].shape[1]
            v["beta_standardized"] = pm.Normal("beta_standardized", 0.0, 1.0, shape=columns)
        else:
            scale = pm.HalfNormal("scale", 1.0)
            v["score"] = pm.ZeroSumNormal("score", scale, shape=items)
        if likelihood == "davidson":
            v["tie_rate"] = pm.Uniform("tie_rate", 0.0, 1.0)
        if likelihood == "mpm":
            v["log_variance"] = pm.ZeroSumNormal("log_variance", 0.5, shape=items)
            v["adherence"] = pm.Uniform("adherence", 0.0, 1.0, shape=arrays["agents"])
        pm.Potential("y", FORMS[likelihood][form](v, arrays, pt))
    return built


def compiled(built, mode="NUMBA"):
    """Return value and gradient of a model, compiled with Numba: from a flat point to a task."""
    function = built.compile_fn(
        [built.logp(), built.dlogp()], inputs=built.value_vars, point_fn=False, mode=mode
    )
    function.trust_input = True  # its best: arguments are of the right type already
    start = built.initial_point()
    shapes = [start[variable.name].shape for variable in built.value_vars]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])

    def at(x):
        parts = np.split(x, ends[:-1])
        arguments = [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
        return lambda: function(*arguments)

    with warnings.catch_warnings():
        # What PyTensor 2 compiles at the first call, it cannot always keep on disk.
        warnings.filterwarnings("ignore", message="Cannot cache compiled function")
        # Of products with a column of coefficients, whose layout is PyTensor's choice.
        warnings.filterwarnings("ignore", message="np.dot.. is faster on contiguous arrays")
        at(np.zeros(ends[-1]))()
    return at
