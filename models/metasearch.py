"""Search results fused by pairwise preferences, against counting votes.

Carterette and Petkova, Learning a ranking from pairwise preferences (SIGIR 2006): each system's
list is broken into all its pairs, and documents are scored by a probit model of the pairs or by a
linear support vector machine. Their runs (TREC-6) cannot be had; here are 17 runs of the TREC-2003
Robust track, 100 topics. The paper's claims, read from its figures: SVM at least as good as
probit, probit better than Borda; both above the average input and near the best; three quarters
of the pairs can be left out.

    python3 -m models.metasearch            # about 30 minutes
    python3 -m models.metasearch --quick    # half a minute
"""

import warnings

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.stats import rankdata

import bayesrank as br
from bayesrank.data import JudgedDocuments, read_runs
from bayesrank.metrics import average_precision
from bayesrank.progress import progress_bar
from models.study import data_folder, keep, markdown, options, with_error

__all__ = ["main", "model", "probit", "study", "support_vectors", "trial"]


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


# Lists, and the preferences in them ------------------------------------------------------------


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


def preferences(documents, systems, absent, weights=None):
    """Return winners, losers and counts of all preferences that some systems express.

    Parameters
    ----------
    documents : JudgedDocuments
    systems : array of int
    absent : "ignored" or "below"
        Whether a document that a system does not list is below all that it lists.
    weights : array, 2 by systems, optional
        How often a system's preferences count, in topics at even and at odd places.
    """
    winners, losers, counts = [], [], []
    for t in range(len(documents.queries)):
        place = documents.values[documents.query == t][:, systems]
        members = np.flatnonzero(documents.query == t)
        listed = np.flatnonzero(~np.isnan(place).all(axis=1))
        count = np.zeros((listed.size, listed.size))
        for k, own in enumerate(place[listed].T):
            above = own[:, None] < own  # never true of what is not listed
            if absent == "below":
                above |= ~np.isnan(own)[:, None] & np.isnan(own)
            count += above if weights is None else weights[t % 2, k] * above
        i, j = np.nonzero(count)
        winners.append(members[listed[i]])
        losers.append(members[listed[j]])
        counts.append(count[i, j])
    return tuple(np.concatenate(part) for part in (winners, losers, counts))


# The three ways to score documents ------------------------------------------------------------


def borda(n, winners, losers, counts):
    """Return the number of documents below each one, over all lists."""
    return np.bincount(winners, counts, minlength=n)


def support_vectors(n, winners, losers, counts, cost=1.0):
    """Return the weights of a linear SVM without intercept on the +-1 vectors of the pairs.

    The squared hinge of Keerthi and DeCoste, whose solver the paper uses.
    """

    def objective(score):
        short = np.maximum(1.0 - (score[winners] - score[losers]), 0.0)
        pull = -2.0 * cost * counts * short
        gradient = np.bincount(winners, pull, minlength=n) - np.bincount(losers, pull, minlength=n)
        return 0.5 * score @ score + cost * counts @ short**2, score + gradient

    return minimize(objective, np.zeros(n), jac=True, method="L-BFGS-B").x


def probit(n, winners, losers, counts, topic):
    """Return the posterior mode of the probit model, of all topics in one fit."""
    listed = np.unique(np.concatenate([winners, losers]))
    place = np.full(n, -1)
    place[listed] = np.arange(listed.size)
    outcomes = np.zeros((winners.size, 3), dtype=int)
    outcomes[:, 0] = counts
    here, instance = np.unique(topic[listed], return_inverse=True)
    data = br.Comparisons(
        left=place[winners], right=place[losers], counts=outcomes, items=listed.tolist(),
        instance=instance, instances=here.tolist(), derived=True,
    )  # fmt: skip
    with warnings.catch_warnings():
        # Lists do not link all documents, so that there is no maximum of the likelihood alone;
        # the prior stands where the paper's source has a penalty.
        warnings.simplefilter("ignore", UserWarning)
        fit = br.fit(data, "thurstone-pairs", method="map", scale=1.0, progress=False)
    score = np.full(n, np.nan)
    score[listed] = fit.scores()[0]
    return score


METHODS = {"Borda": borda, "SVM": support_vectors, "probit": probit}


# One trial, and the study ---------------------------------------------------------------------


def fused(documents, method, pairs, depth):
    """Return the mean average precision of the documents in the order of a method."""
    n = documents.query.size
    more = (documents.query,) if method == "probit" else ()
    score = METHODS[method](n, *pairs, *more)
    listed = np.zeros(n, dtype=bool)
    listed[pairs[0]] = listed[pairs[1]] = True
    return precisions(documents, np.where(listed, score, np.nan), depth).mean()


def trial(documents, systems, depth, rng, quality, parts):
    """Return a row for each way of fusing some systems' lists.

    Parameters
    ----------
    quality : ndarray, 2 by systems
        Mean average precision of each system alone, in topics at even and at odd places.
    parts : sequence of (str, dict)
        Variants: a name, and what `preferences` and thinning are told.
    """
    alone = quality[:, systems].mean(axis=0)
    rows = [
        {"method": "best input", "variant": "", "map": alone.max()},
        {"method": "average input", "variant": "", "map": alone.mean()},
    ]
    for variant, about in parts:
        about = dict(about)
        share, methods = about.pop("share", 1.0), about.pop("methods", tuple(METHODS))
        if about.pop("weighted", False):
            # In fifths of the best system's precision, as the paper duplicates preferences; known
            # from the other half of the topics.
            share_of_best = quality[::-1, systems] / quality.max()
            about["weights"] = np.maximum(np.rint(5.0 * share_of_best), 1.0)
        pairs = preferences(documents, systems, **about)
        if share < 1.0:
            counts = rng.binomial(pairs[2].astype(int), share)
            pairs = tuple(part[counts > 0] for part in (*pairs[:2], counts))
        for method in methods:
            value = fused(documents, method, pairs, depth)
            rows.append({"method": method, "variant": variant, "map": value})
    return rows


def study(documents, depth, sizes, draws, seed, parts):
    """Return mean average precision by number of inputs, method and variant, for each draw."""
    alone = np.array([precisions(documents, -place, depth) for place in documents.values.T])
    quality = np.array([alone[:, half::2].mean(axis=1) for half in (0, 1)])
    rng, rows = np.random.default_rng(seed), []
    with progress_bar("Fusing", draws * len(sizes)) as advance:
        for draw in range(draws):
            for size in sizes:
                systems = rng.choice(len(alone), size, replace=False)
                for row in trial(documents, systems, depth, rng, quality, parts):
                    rows.append({"inputs": size, "draw": draw, **row})
                advance()
    return pd.DataFrame(rows)


TOP_20 = (
    ("pairs of listed", {"absent": "ignored"}),
    ("pairs of listed, 25 %", {"absent": "ignored", "share": 0.25}),
    ("absent below", {"absent": "below"}),
    ("absent below, weighted", {"absent": "below", "weighted": True, "methods": ("Borda", "SVM")}),
)
TOP_100 = (("pairs of listed", {"absent": "ignored"}),)


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


def posterior(documents, systems, topic):
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
    return br.fit(data, "thurstone", method="laplace", seed=0, progress=False)


def _first(documents, topics):
    """Return the documents of the first topics, or of all."""
    if topics is None:
        return documents
    kept = documents.query < topics
    return JudgedDocuments(
        documents.query[kept],
        documents.queries[:topics],
        [name for name, here in zip(documents.documents, kept, strict=True) if here],
        documents.values[kept],
        documents.columns,
        relevance=documents.relevance[kept],
        relevant=documents.relevant[:topics],
    )


def main(arguments=None):
    """Run the study and print what the paper says beside what comes out."""
    chosen = options(__doc__, arguments)
    folder = data_folder("trec-robust03")
    rng = np.random.default_rng(chosen.seed)
    tables = {}
    for depth, parts, sizes, draws in (
        (20, TOP_20, (2, 3, 4, 6, 8, 12), 100),
        (100, TOP_100, (2, 4, 8), 10),
    ):
        topics = (12 if depth == 20 else 3) if chosen.quick else None
        if chosen.quick:
            sizes, draws = (2, 4, 8), 3
        if folder is None:
            documents = simulated(depth, rng, topics or 30)
        else:
            runs = sorted(path for path in folder.glob("*.gz") if "qrels" not in path.name)
            documents = read_runs(runs, folder / "qrels.txt.gz", depth=depth)
            documents = _first(documents, topics)
        tables[depth] = study(documents, depth, sizes, draws, chosen.seed, parts)
        print(
            f"\n{documents.values.shape[1]} systems, {len(documents.queries)} topics, top {depth}, "
            f"{draws} draws: mean average precision\n"
        )
        print(markdown(summary(tables[depth])))
        if depth == 20:
            fit = posterior(documents, np.arange(8), 0)
    verdicts = claims(tables[20])
    print(f"\n{markdown(verdicts, chosen)}")
    print("\nThe first topic, eight systems: how sure is the fused ranking?\n")
    print(fit.ranking().head(10)[["rank", "rank_low", "rank_high", "p_best", "p_top3"]])
    whole = pd.concat([table.assign(depth=depth) for depth, table in tables.items()])
    keep(chosen, "metasearch", whole, picture(tables))
    return verdicts


if __name__ == "__main__":
    main()
