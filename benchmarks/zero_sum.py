"""Zero-sum scores against independent normal priors: effective sample size of NUTS.

    python3 -m benchmarks.zero_sum

How fast pair models are, and against whom, is in the suite: ``python3 -m benchmarks``.
"""

import argparse
import time

import bayesrank as br
from bayesrank import _compat
from benchmarks.problems import simulate_pairs


def davidson_model(data, pm, prior):
    """Return the Davidson model with one of two priors of the scores."""
    with pm.Model() as model:
        if prior == "zero-sum":
            score = pm.ZeroSumNormal("score", 1.0, shape=len(data.items))
        else:
            score = pm.Normal("score", 0.0, 1.0, shape=len(data.items))
        nu = pm.HalfNormal("nu", 1.0)
        br.Davidson("y", score[data.left], score[data.right], nu, observed=data.counts)
    return model


def effective_sample_size(quick):
    """Compare minimum effective sample sizes at equal numbers of draws."""
    pm = _compat.pymc()
    data = simulate_pairs(150, 8000, 30)
    draws = 200 if quick else 1000
    print(f"NUTS (nutpie), 2 x {draws} draws, same data and prior scale: minimum ESS of scores")
    found = {}
    for prior in ("zero-sum", "independent normal"):
        model = davidson_model(data, pm, prior)
        start = time.perf_counter()
        idata = _compat.sample_model(
            model, draws=draws, tune=draws, chains=2, seed=1, progress=False, sampler="nutpie",
            target_accept=0.8,
        )  # fmt: skip
        seconds = time.perf_counter() - start
        ess = float(_compat.arviz().ess(_compat.to_dataset(idata, "posterior"))["score"].min())
        found[prior] = ess
        print(f"    {prior:22s} ESS {ess:8.0f}   {seconds:.1f} s with compilation")
    print(f"    ratio: {found['zero-sum'] / found['independent normal']:.0f}")


def main(arguments=None):
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    options = parser.parse_args(arguments)
    effective_sample_size(options.quick)


if __name__ == "__main__":
    main()
