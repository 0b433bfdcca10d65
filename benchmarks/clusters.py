"""Count how many judges are put into the right of two groups with different rankings.

    python3 benchmarks/clusters.py --replicates 50

Each replicate draws scores of 12 items for two groups, of 60% and 40% of 100 judges, and for each
judge some ballots of 6 random items by Plackett-Luce. The fit knows neither scores nor groups. Who
knows the scores and the sizes of the groups is not always right either: that is the best there is,
"known". Beside the share of judges in the right group is the mean probability that the fit gives
to the group it puts a judge into: less would be too modest, more too certain. Standard errors are
over replicates.
"""

import argparse
import os

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import bayesrank as br

ITEMS, JUDGES, LENGTH = 12, 100, 6
SHARE = np.array([0.6, 0.4])
BALLOTS = (1, 2, 5, 10)


def simulate(ballots, rng):
    """Return rankings by judges, the group of each, and the probability of the first if known."""
    score = rng.normal(size=(2, ITEMS))
    group = (rng.random(JUDGES) < SHARE[1]).astype(int)
    judge = np.repeat(np.arange(JUDGES), ballots)
    offered = rng.permuted(np.tile(np.arange(ITEMS), (judge.size, 1)), axis=1)[:, :LENGTH]
    utility = score[group[judge][:, None], offered] + rng.gumbel(size=offered.shape)
    order = np.take_along_axis(offered, np.argsort(-utility, axis=1), axis=1)
    joint = np.log(SHARE) + np.zeros((JUDGES, 2))
    for k in range(2):
        s = score[k][order]
        left = np.logaddexp.accumulate(s[:, ::-1], axis=1)[:, ::-1]
        np.add.at(joint[:, k], judge, (s - left).sum(axis=1))
    data = br.Rankings.from_lists(order.tolist(), agents=judge.tolist(), unranked="not offered")
    return data, group, joint.argmax(axis=1)


def replicate(ballots, method, seed, **options):
    """Return the share in the right group, how sure the fit is, and the share with all known."""
    data, group, known = simulate(ballots, np.random.default_rng(seed))
    fit = br.fit(data, "plackett-luce", clusters=2, method=method, seed=seed, **options)
    found = fit.clusters().agents.loc[np.arange(JUDGES)]
    right = np.mean(found["cluster"].to_numpy() - 1 == group)
    sure = found[["p_1", "p_2"]].max(axis=1).mean()
    return max(right, 1.0 - right), sure, np.mean(known == group)


def study(ballots, method, replicates, **options):
    """Return means and standard errors of what `replicate` returns."""
    options = {"progress": False} | options
    found = np.array([replicate(ballots, method, seed, **options) for seed in range(replicates)])
    return found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(replicates)


def main(arguments=None):
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=50)
    parser.add_argument("--method", default="map")
    parser.add_argument("--ballots", type=int, nargs="+", default=BALLOTS)
    options = parser.parse_args(arguments)
    print("| ballots by judge | in the right group | probability it says | known |")
    print("|---|---|---|---|")
    for ballots in options.ballots:
        mean, se = study(ballots, options.method, options.replicates)
        cells = [f"{m:.3f} ± {e:.3f}" for m, e in zip(mean, se, strict=True)]
        print(f"| {ballots} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
