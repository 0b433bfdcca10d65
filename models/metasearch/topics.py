"""Topics with the lists of several systems: read from TREC, or simulated."""

import numpy as np

from bayesrank.data import JudgedDocuments, read_runs

__all__ = ["robust_track", "simulated"]


def simulated(depth, rng, topics=30, systems=17):
    """Return lists of systems; the better a system, the higher it lists relevant documents."""
    quality = rng.uniform(0.5, 1.6, systems)
    parts, total = [], []
    for _ in range(topics):
        worth = np.where(rng.random(10 * depth) < 0.08, 1.5, 0.0)
        shared = rng.normal(0.0, 0.7, worth.size)  # what all systems take for relevance
        noise = rng.normal(size=(worth.size, systems))
        place = 1.0 + np.argsort(
            np.argsort(-(quality * worth[:, None] + shared[:, None] + noise), 0), 0
        )
        place[place > depth] = np.nan
        listed = ~np.isnan(place).all(axis=1)
        parts.append((place[listed], (worth > 0)[listed]))
        total.append((worth > 0).sum())
    sizes = [len(relevant) for _, relevant in parts]
    return JudgedDocuments(
        np.repeat(np.arange(topics), sizes),
        [f"topic {t}" for t in range(topics)],
        [f"document {k}" for size in sizes for k in range(size)],
        np.concatenate([place for place, _ in parts]),
        [f"system {k}" for k in range(systems)],
        relevance=np.concatenate([relevant for _, relevant in parts]).astype(int),
        relevant=np.array(total),
    )


def robust_track(folder, depth, topics=None):
    """Return the first documents of each run of TREC-2003 Robust, for some topics or for all."""
    runs = sorted(path for path in folder.glob("*.gz") if "qrels" not in path.name)
    documents = read_runs(runs, folder / "qrels.txt.gz", depth=depth)
    return documents.of_queries(documents.queries[:topics])
