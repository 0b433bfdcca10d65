"""Search results fused by pairwise preferences, against counting votes.

Carterette and Petkova, Learning a ranking from pairwise preferences (SIGIR 2006): each system's
list is broken into all its pairs, and documents are scored by a probit model of the pairs or by a
linear support vector machine. Their runs (TREC-6) cannot be had; here are 17 runs of the TREC-2003
Robust track, 100 topics. The paper's claims: SVM at least as good as probit, probit better than
Borda; both above the average input and near the best; three quarters of the pairs can be left out.

    python3 -m models.metasearch            # half an hour, two cores
    python3 -m models.metasearch --quick    # a quarter of a minute
"""

from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import rankdata

import bayesrank as br
from bayesrank.baselines import list_preferences, probit_fusion, svm_fusion
from bayesrank.data import JudgedDocuments, read_runs
from bayesrank.metrics import average_precision
from models.study import data_folder, keep, markdown, on_all_cores, options, with_error

__all__ = ["main", "model", "study", "trial"]


def model(data):
    """Return the paper's probit model of pairs, with a normal prior for documents, in PyMC.

    Relevance weights have noise of variance one half, so that P(i over j) = Phi(s_i - s_j).
    """
    import pymc as pm

    with pm.Model(coords=data.coords) as probit_model:
        score = pm.ZeroSumNormal("score", 1.0, dims="item")
        left, right = score[data.left], score[data.right]
        br.ThurstonePairs("counts", left, right, scale=np.sqrt(0.5), observed=data.counts)
    return probit_model


def simulated(depth, rng, topics=30, systems=17):
    """Return lists of systems of different quality, which find relevant documents sooner."""
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


def precisions(documents, score, depth):
    """Return the average precision of each topic's first documents; NaN is not listed."""
    listed = ~np.isnan(score)
    return average_precision(
        np.where(listed, score, -np.inf),
        np.where(listed, documents.relevance > 0, False),
        documents.query,
        k=depth,
        relevant=documents.relevant,
    )


# One trial, and the study ---------------------------------------------------------------------


METHODS = ("Borda", "SVM", "probit")


def fused(documents, method, pairs, depth):
    """Return the mean average precision of the documents in the order of a method.

    Borda counts, as in the paper, the documents below each one, so that a list in which a document
    is absent gives it nothing: it never ignores absence as the other two do.
    """
    if method == "Borda":
        winners, losers, counts = pairs
        score = np.full(documents.query.size, np.nan)
        score[losers] = 0.0
        score[winners] = np.bincount(winners, counts, minlength=score.size)[winners]
    else:
        fuse = svm_fusion if method == "SVM" else probit_fusion
        score = fuse(documents.query, *pairs)
    return precisions(documents, score, depth).mean()


def trial(documents, systems, depth, rng, quality, parts):
    """Return a row for each way of fusing some systems' lists.

    Parameters
    ----------
    quality : ndarray, 2 by systems
        Mean average precision of each system alone, in topics at even and at odd places.
    parts : sequence of (str, dict)
        Variants: a name, and what `list_preferences` and thinning are told.
    """
    alone = quality[:, systems].mean(axis=0)
    rows = [
        {"method": "best input", "variant": "", "map": alone.max()},
        {"method": "average input", "variant": "", "map": alone.mean()},
    ]
    for variant, about in parts:
        about = dict(about)
        share, methods = about.pop("share", 1.0), about.pop("methods", METHODS)
        if about.pop("weighted", False):
            # In fifths of the best system's precision, as the paper duplicates preferences; known
            # from the other half of the topics.
            share_of_best = quality[::-1, systems] / quality.max()
            weight = np.maximum(np.rint(5.0 * share_of_best), 1.0)
            about["weights"] = weight[np.arange(len(documents.queries)) % 2]
        pairs = list_preferences(documents, systems, **about)
        if share < 1.0:
            counts = rng.binomial(pairs[2].astype(int), share)
            pairs = tuple(part[counts > 0] for part in (*pairs[:2], counts))
        for method in methods:
            value = fused(documents, method, pairs, depth)
            rows.append({"method": method, "variant": variant, "map": value})
    return rows


def study(chosen, documents, depth, sizes, draws, parts):
    """Return mean average precision by number of inputs, method and variant, for each draw."""
    alone = np.array([precisions(documents, -place, depth) for place in documents.values.T])
    quality = np.array([alone[:, half::2].mean(axis=1) for half in (0, 1)])
    draw = partial(_draw, documents, depth, sizes, quality, parts, chosen.seed)
    found = on_all_cores(chosen, f"Fusing the first {depth}", draw, range(draws))
    return pd.DataFrame([row for rows in found for row in rows])


def _draw(documents, depth, sizes, quality, parts, seed, number):
    """Return the rows of one draw of systems of each size."""
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, depth, size, number])
        systems = rng.choice(quality.shape[1], size, replace=False)
        for row in trial(documents, systems, depth, rng, quality, parts):
            rows.append({"inputs": size, "draw": number, **row})
    return rows


TOP_20 = (
    ("pairs of listed", {"absent": "ignored"}),
    ("pairs of listed, 25 %", {"absent": "ignored", "share": 0.25}),
    ("absent below", {"absent": "below"}),
    ("absent below, weighted", {"absent": "below", "weighted": True, "methods": ("Borda", "SVM")}),
)
TOP_100 = (("pairs of listed", {"absent": "ignored"}), ("absent below", {"absent": "below"}))


def summary(table):
    """Return means with standard errors: a row a method and variant, a column a size."""
    groups = table.groupby(["variant", "method", "inputs"], sort=False)["map"]
    mean, error = groups.mean(), groups.sem().fillna(0.0)
    cells = pd.Series(
        [with_error(m, e) for m, e in zip(mean, error, strict=True)], index=mean.index, name="map"
    )
    wide = cells.unstack("inputs")
    return wide.reset_index().rename(columns=lambda name: str(name))


def claims(table):
    """Return the paper's claims, each with the difference that decides it and its error."""
    wide = table.pivot_table(
        index=["inputs", "draw"], columns=["variant", "method"], values="map"
    ).loc[lambda t: t.index.get_level_values("inputs") > 2]
    best, average = wide["", "best input"], wide["", "average input"]
    rows = []
    for variant in ("pairs of listed", "absent below"):
        own = wide[variant]
        rows += [
            _verdict("SVM at least probit", variant, own["SVM"] - own["probit"]),
            _verdict("probit above Borda", variant, own["probit"] - own["Borda"]),
            _verdict("probit above the average input", variant, own["probit"] - average),
            _verdict("SVM above the average input", variant, own["SVM"] - average),
            _verdict("SVM near or above the best input", variant, own["SVM"] - best),
        ]
    fewer = wide["pairs of listed, 25 %", "SVM"] - wide["pairs of listed", "SVM"]
    rows.append(_verdict("SVM as good with 25 % of the pairs", "pairs of listed", fewer))
    weighted = wide["absent below, weighted", "SVM"] - wide["absent below", "SVM"]
    rows.append(_verdict("SVM better with weighted systems", "absent below", weighted))
    return pd.DataFrame(rows)


def _verdict(claim, variant, difference):
    """Return a row: a difference of less than 0.005, or of two standard errors, is none."""
    mean, error = difference.mean(), difference.sem()
    none = abs(mean) < max(2.0 * error, 0.005)
    found = "no difference" if none else "above" if mean > 0 else "below"
    return {
        "claim": claim, "preferences": variant, "difference": with_error(mean, error),
        "here": found,
    }  # fmt: skip


def picture(tables):
    """Draw mean average precision against the number of inputs, a panel a depth and variant."""
    import matplotlib.pyplot as plt

    panels = [
        (f"top {depth}, {variant}", table, variant)
        for depth, table in tables.items()
        for variant in ("pairs of listed", "absent below")
        if (table["variant"] == variant).any()
    ]
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.2 * len(panels), 3.6), layout="constrained", squeeze=False
    )
    styles = {
        "best input": "k:", "average input": "k--", "Borda": "o-", "SVM": "s-", "probit": "^-",
    }  # fmt: skip
    for ax, (title, table, variant) in zip(axes[0], panels, strict=True):
        shown = table[table["variant"].isin(["", variant])]
        for method, style in styles.items():
            mean = shown[shown["method"] == method].groupby("inputs")["map"].mean()
            ax.plot(mean.index, mean, style, label=method, markersize=4)
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("number of inputs")
        ax.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("mean average precision")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure


def posterior(documents, systems, topic, seed=0):
    """Return a fit of one topic's lists as whole rankings, whose posterior can be believed.

    Pairs of one list are not independent results, so a posterior of pairs is far too narrow. Here
    each list is one observation: normal noise on all scores, sorted, the rest below unseen.
    """
    members = np.flatnonzero(documents.query == topic)
    place = documents.values[np.ix_(members, systems)]
    listed = ~np.isnan(place).all(axis=1)
    names = [documents.documents[k] for k in members[listed]]
    ranks = rankdata(place[listed].T, method="dense", axis=1, nan_policy="omit")
    data = br.Rankings.from_matrix(ranks, names, unranked="below")
    return br.fit(data, "thurstone", method="laplace", scale=1.0, seed=seed, progress=False)


def posterior_tables(documents, systems, topics, seed=0):
    """Return how sure the fused rankings are of their first, and whether certainty means anything.

    The second table takes all pairs of a relevant document and another: how often is the relevant
    one above, by the probability that the posterior gives to the order it puts them in?
    """
    firsts, certain, right = [], [], []
    relevance = pd.Series(documents.relevance > 0, index=documents.index)
    for topic in range(topics):
        fit = posterior(documents, systems, topic, seed)
        table = fit.ranking()
        names = list(table.index)
        good = relevance[documents.queries[topic]].loc[names].to_numpy()
        firsts.append(
            {"topic": documents.queries[topic], "documents": len(table),
             "P(first is best)": table["p_best"].iloc[0],
             "last rank of first": table["rank_high"].iloc[0],
             "first is relevant": good[0]}
        )  # fmt: skip
        above = fit.probability_above().loc[names, names].to_numpy()[good][:, ~good].ravel()
        certain.append(np.maximum(above, 1.0 - above))
        right.append(above > 0.5)
    certain, right = np.concatenate(certain), np.concatenate(right)
    edges = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
    bins = np.digitize(certain, edges[1:-1])
    rows = [
        {"probability of the order": f"{low:g} to {high:g}", "pairs": int((bins == k).sum()),
         "relevant above": round(right[bins == k].mean(), 3)}
        for k, (low, high) in enumerate(pairwise(edges))
        if (bins == k).any()
    ]  # fmt: skip
    return pd.DataFrame(firsts), pd.DataFrame(rows)


def main(arguments=None):
    """Run the study and print what the paper says beside what comes out."""
    chosen = options(__doc__, arguments)
    folder = data_folder("trec-robust03")
    rng = np.random.default_rng(chosen.seed)
    tables = {}
    for depth, parts, sizes, draws in (
        (20, TOP_20, (2, 3, 4, 6, 8, 12), 100),
        (100, TOP_100, (2, 4, 8), 100),
    ):
        topics = (12 if depth == 20 else 3) if chosen.quick else None
        if chosen.quick:
            sizes, draws = (2, 4, 8), 3
        if folder is None:
            documents = simulated(depth, rng, topics or 30)
        else:
            runs = sorted(path for path in folder.glob("*.gz") if "qrels" not in path.name)
            documents = read_runs(runs, folder / "qrels.txt.gz", depth=depth)
            documents = documents.of_queries(documents.queries[:topics])
        tables[depth] = study(chosen, documents, depth, sizes, draws, parts)
        print(
            f"\n{documents.values.shape[1]} systems, {len(documents.queries)} topics, top {depth}, "
            f"{draws} draws: mean average precision\n"
        )
        print(markdown(summary(tables[depth])))
        if depth == 20:
            systems = np.arange(min(8, documents.values.shape[1]))
            firsts, certainty = posterior_tables(
                documents, systems, len(documents.queries), chosen.seed
            )
    verdicts = claims(tables[20])
    print(f"\n{markdown(verdicts, chosen)}")
    print("\nEight systems: how sure is the fused ranking of its first document?\n")
    print(markdown(firsts.head(10).round(2)))
    sure = firsts["P(first is best)"] > 0.9
    print(
        f"\nP(first is best): median {firsts['P(first is best)'].median():.2f}, above 0.9 in "
        f"{sure.sum()} of {len(firsts)} topics. The first is relevant in "
        f"{firsts['first is relevant'][sure].mean():.0%} of these, in "
        f"{firsts['first is relevant'][~sure].mean():.0%} of the others.\n"
    )
    print(markdown(certainty))
    whole = pd.concat([table.assign(depth=depth) for depth, table in tables.items()])
    keep(chosen, "metasearch", whole.round({"map": 5}), picture(tables))
    keep(chosen, "metasearch_posterior", firsts)
    return verdicts, certainty


if __name__ == "__main__":
    main()
