"""New results in a fit: what a stream of batches costs, and whether the answers are the same.

    python3 -m benchmarks.updates [--quick] [--save]

A fit is updated by one batch after the other, and beside it the model is fitted to all data each
time. Then random splits of simulated data: how far means after an update are from those of a fit
of all data, in units of their Monte-Carlo error; and how far both are from NUTS.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np

import bayesrank as br
from bayesrank import _compat
from bayesrank.progress import progress_bar
from benchmarks.lines import compare
from benchmarks.table import print_lines, replace_section

__all__ = ["batches_of", "main", "stream", "z_scores"]

START, END = "<!-- updates -->", "<!-- /updates -->"
TIE_RATE = 0.3


def comparisons(rng, score, n):
    """Return so many comparisons of random pairs under Davidson's model."""
    left = rng.integers(0, len(score), n)
    right = (left + rng.integers(1, len(score), n)) % len(score)
    half, nu = 0.5 * (score[left] - score[right]), 2.0 * TIE_RATE / (1.0 - TIE_RATE)
    weight = np.stack([np.exp(half), np.exp(-half), np.full(n, nu)], axis=1)
    reached = np.cumsum(weight, axis=1) / weight.sum(axis=1, keepdims=True)
    outcome = (rng.random(n)[:, None] > reached).sum(axis=1)
    data = br.Comparisons(left, right, np.eye(3, dtype=int)[outcome], _labels(score))
    return data + data.with_outcomes(0 * data.counts)  # which counts equal rows


def rankings(rng, score, n, size=4):
    """Return so many rankings of some of the items under Plackett and Luce's model."""
    offered = np.argsort(rng.random((n, len(score))), axis=1)[:, :size]
    order = np.argsort(-(score[offered] + rng.gumbel(size=offered.shape)), axis=1)
    entries = np.take_along_axis(offered, order, axis=1)
    ranks = np.tile(np.arange(1, size + 1), (n, 1))
    return br.Rankings(entries, ranks, _labels(score))


def _labels(score):
    return [f"item {k:03}" for k in range(len(score))]


# What is simulated, the likelihood, items, results to begin with, batches, results of a batch.
STREAMS = [
    ("20 items, comparisons", comparisons, "davidson", 20, 300, 100, 20),
    ("100 items, comparisons", comparisons, "davidson", 100, 3000, 100, 50),
    ("20 items, rankings of four", rankings, "plackett-luce", 20, 100, 100, 5),
]
QUICK = [("6 items, comparisons", comparisons, "davidson", 6, 100, 4, 10)]


def batches_of(simulate, items, begin, batches, size, seed=0):
    """Return the data to begin with, and batches."""
    rng = np.random.default_rng(seed)
    score = rng.normal(0.0, 0.7, items)
    score -= score.mean()
    return simulate(rng, score, begin), [simulate(rng, score, size) for _ in range(batches)]


def z_scores(fit, whole):
    """Return differences of means in units of their Monte-Carlo error."""
    found = []
    for name in [name for name in fit.posterior if name != "effect"]:
        pairs = [_mean_and_error(one, name) for one in (fit, whole)]
        (a, a_error), (b, b_error) = pairs
        found.append((a - b) / np.sqrt(a_error**2 + b_error**2))
    return np.concatenate(found)


def _mean_and_error(fit, name):
    """Return means and their standard errors, as effective sample sizes have them."""
    values = fit.posterior[name].reshape(*fit.shape, -1)
    weighted = fit._weighted
    if weighted is None:
        base, weight = values, np.full(fit.shape, 1.0 / np.prod(fit.shape))
    else:
        base = weighted.base.posterior[name].reshape(values.shape)
        weight = weighted.weight.reshape(fit.shape)
    term = weight[:, :, None] * (base - (weight[:, :, None] * base).sum(axis=(0, 1)))
    ess = _compat.arviz().ess
    size = np.array([float(ess(term[:, :, k], method="mean")) for k in range(term.shape[2])])
    variance = (term**2).sum(axis=(0, 1)) * weight.size / size
    # What is lost where draws are repeated or left out whole.
    part = np.modf(weight * weight.size)[0]
    variance += np.mean(part * (1 - part)) / weight.size * values.var(axis=(0, 1))
    return values.mean(axis=(0, 1)), np.sqrt(variance)


def stream(what, simulate, likelihood, items, begin, batches, size, *, method, progress=True):
    """Return the line of a stream of batches: all updates against as many fits of all data."""
    first, more = batches_of(simulate, items, begin, batches, size)
    options = {"method": method, "seed": 1, "progress": False}
    fit, whole = br.fit(first, likelihood, **options), None
    br.fit(first, likelihood, **options)  # compiled by now
    ours, theirs, again, data = [], [], [], first
    with progress_bar(f"{what}, {method}", batches, progress) as advance:
        for new in more:
            start = time.perf_counter()
            fit = fit.update(new, progress=False)
            ours.append(time.perf_counter() - start)
            again.append(fit.updated.refitted)
            start = time.perf_counter()
            data = data + new
            whole = br.fit(data, likelihood, **options)
            theirs.append(time.perf_counter() - start)
            advance()
    ours, again = np.array(ours), np.array(again)
    apart = "the same to eight digits"
    if fit.kind.is_point:
        assert np.allclose(fit.scores(), whole.scores(), rtol=0.0, atol=1e-8)
    else:
        with_other_draws = br.fit(data, likelihood, **options | {"seed": 2})
        z = z_scores(fit, with_other_draws)
        apart = f"at the end means differ by {np.sqrt(np.mean(z**2)):.2f} Monte-Carlo errors (rms)"
    note = f"{again.sum()} fits in {batches} updates, {ours[again].sum():.1f} s of all; "
    if not again.all():
        note += f"an update without a fit takes {1e3 * np.median(ours[~again]):.0f} ms; "
    note += apart
    what = f"{what}, {method}, {begin:,} and {batches} times {size}"
    return compare("updates", what, "a fit of all data each time", ours.sum(), sum(theirs),
                   note=note)  # fmt: skip


def split(rng, data, share):
    """Return data without a part of the results, each of which is taken at random, and that."""
    some = rng.binomial(data.counts, share)
    return data.with_outcomes(data.counts - some), data.with_outcomes(some)


def splits(method, n, share, items=6, results=700, progress=True):
    """Return z-scores over random splits of simulated data, the largest k, and how many refits."""
    found, largest, again = [], -np.inf, 0
    with progress_bar(f"Splits, {method}, {share:.0%}", n, progress) as advance:
        for seed in range(n):
            data, _ = batches_of(comparisons, items, results, 0, 0, seed)
            old, new = split(np.random.default_rng(seed), data, share)
            options = {"method": method, "progress": False}
            fit = br.fit(old, "davidson", seed=2 * seed, **options).update(new, progress=False)
            whole = br.fit(data, "davidson", seed=2 * seed + 1, **options)
            again += fit.updated.refitted
            if not fit.updated.refitted:
                found.append(z_scores(fit, whole))
                largest = max(largest, fit.updated.pareto_k)
            advance()
    return np.array(found), largest, again


def from_nuts(n, share, items=6, results=100, draws=4000, progress=True):
    """Return how far Laplace after an update, and Laplace of all data, are from NUTS.

    Root mean squares of differences of means in standard deviations, and mean ratios of standard
    deviations, over the parameters of all splits.
    """
    rows = {"updated": [], "of all data": [], "NUTS again": []}
    with progress_bar("Against NUTS", n, progress) as advance:
        for seed in range(n):
            data, _ = batches_of(comparisons, items, results, 0, 0, seed)
            old, new = split(np.random.default_rng(seed), data, share)
            options = {"draws": draws, "seed": seed, "progress": False}
            nuts = br.fit(data, "davidson", **options)
            laplace = br.fit(old, "davidson", method="laplace", **options)
            fits = {
                "updated": laplace.update(new, progress=False),
                "of all data": br.fit(data, "davidson", method="laplace", **options),
                "NUTS again": br.fit(data, "davidson", **options | {"seed": seed + n}),
            }
            for name, fit in fits.items():
                for what in ("score", "tie_rate", "scale"):
                    a, b = fit._flat(what), nuts._flat(what)
                    difference = (a.mean(axis=0) - b.mean(axis=0)) / b.std(axis=0)
                    ratio = a.std(axis=0) / b.std(axis=0)
                    rows[name].append(np.stack(np.atleast_1d(difference, ratio)).reshape(2, -1))
            advance()
    found = {name: np.concatenate(parts, axis=1) for name, parts in rows.items()}
    return {
        name: (np.sqrt(np.mean(differences**2)), np.mean(ratios))
        for name, (differences, ratios) in found.items()
    }


def _described(method, n, share, found):
    """Return in a sentence what splits showed."""
    z, largest, again = found
    by_split = np.sqrt(np.mean(z**2, axis=1))
    return (
        f"- {method}, {n} splits, {share:.0%} of 700 comparisons of 6 items are new: root mean "
        f"square z {np.sqrt(np.mean(z**2)):.2f} (standard error "
        f"{by_split.std() / np.sqrt(len(by_split)):.2f}), largest {np.abs(z).max():.1f} of "
        f"{z.size}; Pareto k up to {largest:.2f}; {again} fitted again."
    )


def _against_nuts(results, quick):
    """Return in a sentence how far Laplace is from NUTS."""
    n = 2 if quick else 20
    found = from_nuts(n, 0.1, results=results, draws=500 if quick else 4000)
    told = "; ".join(
        f"{'Laplace ' * (name != 'NUTS again')}{name} {apart:.3f} (standard deviations {ratio:.3f} "
        "of NUTS')"
        for name, (apart, ratio) in found.items()
    )
    return (
        f"- Against NUTS, {n} times {results} comparisons of 6 items, a tenth of them new: means "
        f"apart, in standard deviations (rms): {told}."
    )


def main(arguments=None):
    """Run all of it, print it, and keep it if asked to."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.updates", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--save", action="store_true", help="write the results to the README")
    options = parser.parse_args(arguments)
    quick = options.quick
    streams = [(row, method) for row in (QUICK if quick else STREAMS) for method in ("nuts",)]
    streams += [((QUICK if quick else STREAMS)[0], method) for method in ("laplace", "map")]
    lines, said = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # few results leave items unconnected
        for row, method in streams:
            lines.append(stream(*row, method=method))
        print_lines("Streams of batches", lines)
        for method, n, share in (
            ("laplace", 100, 0.1), ("laplace", 100, 0.02), ("nuts", 20, 0.1),
        ):  # fmt: skip
            n = 3 if quick else n
            said.append(_described(method, n, share, splits(method, n, share)))
            print(said[-1], flush=True)
        for results in (30, 100):
            said.append(_against_nuts(results, quick))
            print(said[-1], flush=True)
    if options.save:
        _save(lines, said)
    return lines, said


def _save(lines, said):
    """Write the table and the sentences to the README."""
    rows = ["| stream | updates | fits of all data | ratio | |", "|---|---|---|---|---|"]
    rows += [
        f"| {one.what} | {one.ours:.1f} s | {one.theirs:.1f} s | {one.ratio:.1f} | {one.note} |"
        for one in lines
    ]
    readme = Path(__file__).parent / "README.md"
    text = "\n".join([*rows, "", *said])
    readme.write_text(replace_section(readme.read_text(), text, START, END))


if __name__ == "__main__":
    main()
