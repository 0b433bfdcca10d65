"""Memory and time where rankings are of very different lengths, or have many features.

``python3 -m benchmarks.ragged [--quick]`` measures each part in a process of its own:

- ``lengths``: 20,000 rankings of 5 items and one of 20,000, read from a table and fitted by MAP;
- ``features``: 31,000 queries of 120 documents with 136 features each, the size of MSLR-WEB30K,
  simulated, and fitted by MAP with PMOP; peak memory in units of the features' own.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import bayesrank as br

__all__ = ["main"]

GIGABYTE = 1e9


def different_lengths(quick, progress=True):
    """Return seconds and peak memory of reading and fitting rankings of different lengths."""
    many, short, long = (2000, 5, 2000) if quick else (20_000, 5, 20_000)
    rng = np.random.default_rng(1)
    score = rng.normal(size=long)
    parts = [_ranking(score, rng.choice(long, short, replace=False), rng) for _ in range(many)]
    parts.append(_ranking(score, np.arange(long), rng))
    item = np.concatenate(parts)
    sizes = [len(part) for part in parts]
    race = np.repeat(np.arange(many + 1), sizes)
    place = np.concatenate([np.arange(1, size + 1) for size in sizes])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "races.csv"
        pd.DataFrame({"race": race, "driver": item, "position": place}).to_csv(path, index=False)
        start = time.perf_counter()
        data = br.read(path, group="race", item="driver", rank="position", unranked="not offered")
        read = time.perf_counter() - start
        fit = br.fit(data, "plackett-luce", method="map", progress=progress)
        spent = time.perf_counter() - start
    agreement = float(np.corrcoef(fit.scores()[0], score[np.array(data.items, dtype=int)])[0, 1])
    return {
        "entries": data.n_entries, "seconds to read": read, "seconds": spent,
        "peak": peak(), "correlation with the truth": agreement, "note": fit.note,
    }  # fmt: skip


def _ranking(score, chosen, rng):
    """Return some items in the order of their noisy scores."""
    return chosen[np.argsort(-(score[chosen] + rng.gumbel(size=chosen.size)))]


def many_features(quick, single, progress=True):
    """Return seconds and peak memory of fitting queries whose documents have many features."""
    queries, documents, columns = (600, 40, 30) if quick else (31_000, 120, 136)
    kind = np.float32 if single else np.float64
    rng = np.random.default_rng(2)
    beta = rng.normal(scale=0.2, size=columns)
    features = np.empty((queries, documents, columns), dtype=kind)
    ranks = np.empty((queries, documents), dtype=np.int64)
    for q in range(queries):
        features[q] = rng.standard_normal((documents, columns), dtype=kind)
        utility = features[q] @ beta + rng.gumbel(size=documents)
        # Five grades, as in MSLR, most documents in the lower ones.
        grade = np.searchsorted(np.quantile(utility, [0.5, 0.8, 0.92, 0.98]), utility)
        ranks[q] = np.unique(4 - grade, return_inverse=True)[1] + 1
    entries = np.arange(queries * documents).reshape(queries, documents)
    before = peak()
    start = time.perf_counter()
    names = [f"x{k + 1}" for k in range(columns)]
    data = br.Rankings(
        entries, ranks, range(queries * documents), features=features, feature_names=names
    )
    fit = br.fit(data, "pmop", method="map", progress=progress)
    found = fit.parameters()["mean"].to_numpy()
    return {
        "features": features.nbytes, "seconds": time.perf_counter() - start, "peak": peak(),
        "peak before the fit": before, "peak in units of the features": peak() / features.nbytes,
        "correlation with the truth": float(np.corrcoef(found, beta)[0, 1]), "note": fit.note,
    }  # fmt: skip


def peak():
    """Return the most memory that this process has held, by Linux's own account."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return 1024 * int(line.split()[1])
    raise OSError("/proc/self/status does not tell the highest resident size.")


PARTS = {
    "lengths": lambda quick: different_lengths(quick),
    "features": lambda quick: many_features(quick, single=False),
    "features, float32": lambda quick: many_features(quick, single=True),
}


def main(arguments=None):
    """Run all parts, each in a process of its own, or one of them in this one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--part", choices=PARTS, help="one part, in this process")
    options = parser.parse_args(arguments)
    if options.part:
        print(json.dumps(PARTS[options.part](options.quick)))
        return
    for part in PARTS:
        words = [sys.executable, "-m", "benchmarks.ragged", "--part", part]
        words += ["--quick"] * options.quick
        done = subprocess.run(
            words, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
        )
        print(part)
        for name, value in json.loads(done.stdout.splitlines()[-1]).items():
            large = isinstance(value, int) and value > GIGABYTE / 10
            print(f"    {name}: {f'{value / GIGABYTE:.2f} GB' if large else value}")


if __name__ == "__main__":
    main()
