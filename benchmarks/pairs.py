"""Pair models against their peers: medians of one run, as ratios.

    python3 -m pip install -e ".[bench]" && python3 benchmarks/pairs.py

(a) value and gradient of the Davidson likelihood, our kernel against the same likelihood written
    as a plain PyTensor graph in three ways, under both linkers;
(b) effective sample size of NUTS with zero-sum scores and with independent normal priors;
(c) a pandas frame of raw rows with text labels to a point estimate, against evalica's `newman`
    and choix's `opt_pairwise`.
"""

import argparse
import importlib.util
import time

import numpy as np
import pandas as pd
from timing import median_times, value_and_gradient

import bayesrank as br
from bayesrank import _compat
from bayesrank.data.comparisons import Comparisons


def simulate(items, rows, per_row, seed=0):
    """Return pair counts simulated from a Davidson model."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, items, rows)
    right = (left + 1 + rng.integers(0, items - 1, rows)) % items
    score = rng.normal(size=items)
    difference = score[left] - score[right]
    weights = np.stack([np.exp(difference / 2), np.exp(-difference / 2), np.full(rows, 0.7)], 1)
    counts = rng.multinomial(per_row, weights / weights.sum(axis=1, keepdims=True))
    return Comparisons(left, right, counts, list(range(items)))


def log_normaliser(form, half, nu, pt):
    """Return log(e^half + e^-half + nu) as a plain graph, in one of the ways people write it."""
    if form == "logaddexp":
        return pt.logaddexp(pt.logaddexp(half, -half), pt.log(nu))
    if form == "log1p":
        shrunk = pt.exp(-abs(half))
        return abs(half) + pt.log1p(shrunk * (shrunk + nu))
    return pt.log(pt.exp(half) + pt.exp(-half) + nu)


def davidson_model(data, pm, pt, *, form="kernel", prior="zero-sum"):
    """Return the Davidson model with our distribution, or with a plain graph in its place."""
    with pm.Model() as model:
        if prior == "zero-sum":
            score = pm.ZeroSumNormal("score", 1.0, shape=len(data.items))
        else:
            score = pm.Normal("score", 0.0, 1.0, shape=len(data.items))
        nu = pm.HalfNormal("nu", 1.0)
        left, right = score[data.left], score[data.right]
        if form == "kernel":
            br.Davidson("y", left, right, nu, observed=data.counts)
        else:
            half = (left - right) / 2.0
            wins, losses, ties = data.counts.T
            log_z = log_normaliser(form, half, nu, pt)
            pm.Potential(
                "y", (wins - losses) * half + ties * pt.log(nu) - data.counts.sum(axis=1) * log_z
            )
    return model


def gradients(quick):
    """Time value and gradient (a)."""
    pm = _compat.pymc()
    import pytensor.tensor as pt

    data = simulate(150, 8000, 30)
    point = {"score_zerosum__": np.random.default_rng(1).normal(size=149), "nu_log__": -0.2}
    forms = {
        "kernel": "bayesrank's kernel",
        "logaddexp": "graph, logaddexp",
        "log1p": "graph, log1p by hand",
        "exp": "graph, unguarded exp",
    }
    tasks = {}
    for form in forms:
        for linker in ("NUMBA", "cvm"):
            model = davidson_model(data, pm, pt, form=form)
            tasks[form, linker] = value_and_gradient(model, linker, point)
    times = median_times(tasks, 50 if quick else 1000)
    print("(a) Davidson, 150 items, 8 000 rows, 240 000 comparisons: value and gradient")
    print(f"    {'':22s} {'Numba':>18s} {'C':>18s}")
    for form, words in forms.items():
        cells = ""
        for linker in ("NUMBA", "cvm"):
            seconds = times[form, linker]
            ratio = f"({seconds / times['kernel', linker]:.1f} x)"
            cells += f"{1e6 * seconds:8.0f} us {ratio:8s}"
        print(f"    {words:22s} {cells}")
    print("    the unguarded form overflows at differences beyond 1 400, the others never")


def effective_sample_size(quick):
    """Compare minimum effective sample sizes at equal numbers of draws (b)."""
    pm = _compat.pymc()
    import pytensor.tensor as pt

    data = simulate(150, 8000, 30)
    draws = 200 if quick else 1000
    print(f"(b) NUTS (nutpie), 2 x {draws} draws, same data and prior scale: minimum ESS of scores")
    found = {}
    for prior in ("zero-sum", "independent normal"):
        model = davidson_model(data, pm, pt, prior=prior)
        start = time.perf_counter()
        idata = _compat.sample_nuts(
            model, draws=draws, tune=draws, chains=2, seed=1, progress=False, sampler="nutpie",
            target_accept=0.8,
        )  # fmt: skip
        seconds = time.perf_counter() - start
        ess = float(_compat.arviz().ess(_compat.to_dataset(idata, "posterior"))["score"].min())
        found[prior] = ess
        print(f"    {prior:22s} ESS {ess:8.0f}   {seconds:.1f} s with compilation")
    print(f"    ratio: {found['zero-sum'] / found['independent normal']:.0f}")


def raw_rows(quick):
    """Time the way from a frame of raw rows to a point estimate (c)."""
    rows = 50_000 if quick else 1_000_000
    few = rows // 10
    rng = np.random.default_rng(0)
    data = simulate(150, rows, 1)
    labels = np.array([f"model-{k:03d}" for k in range(150)])
    outcome = np.array(["left", "right", "tie"])[data.counts.argmax(axis=1)]
    frame = pd.DataFrame({"left": labels[data.left], "right": labels[data.right]})
    frame["outcome"] = outcome

    def ours():
        return br.fit(Comparisons.from_frame(frame), "davidson", method="map")

    tasks = {f"bayesrank, {rows:,} rows": ours}
    if importlib.util.find_spec("evalica"):
        import evalica

        names = {
            "left": evalica.Winner.X,
            "right": evalica.Winner.Y,
            "tie": evalica.Winner.Draw,
        }
        # Its outcomes are made beforehand and not timed.
        winners = frame["outcome"].map(names)
        tasks[f"evalica newman, {rows:,} rows"] = lambda: evalica.newman(
            frame["left"], frame["right"], winners
        )
    else:
        print("    evalica is not installed (extra `bench`): skipped")
    if importlib.util.find_spec("choix"):
        import choix

        # It knows no ties: a tie becomes a win of a random side. Rows are tuples of numbers.
        side = np.where(outcome == "tie", rng.integers(0, 2, rows), outcome == "right")[:few]
        first, second = data.left[:few], data.right[:few]
        games = list(
            zip(np.where(side, second, first).tolist(), np.where(side, first, second).tolist(),
                strict=True)
        )  # fmt: skip
        tasks[f"choix opt_pairwise, {few:,} rows"] = lambda: choix.opt_pairwise(
            150, games, alpha=1.0
        )
    else:
        print("    choix is not installed (extra `bench`): skipped")
    times = median_times(tasks, 1 if quick else 5)
    print("(c) raw rows with text labels to a point estimate, 150 items")
    mine = times[f"bayesrank, {rows:,} rows"]
    for name, seconds in times.items():
        print(f"    {name:36s} {seconds:8.3f} s")
    for name, seconds in times.items():
        if name.startswith("evalica"):
            print(f"    ratio to evalica's newman: {seconds / mine:.1f}")
        if name.startswith("choix"):
            print(f"    ratio per row to choix's opt_pairwise: {seconds / few / (mine / rows):.0f}")


def main(arguments=None):
    """Run all three, or a part."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", choices="abc", help="one part")
    options = parser.parse_args(arguments)
    parts = {"a": gradients, "b": effective_sample_size, "c": raw_rows}
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)


if __name__ == "__main__":
    main()
