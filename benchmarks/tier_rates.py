"""Whether tiers keep the rate that they promise, and how many of them a reader gets.

    python3 -m benchmarks.tier_rates [--quick] [--save] [--only PART ...]

``rates``: true scores from the prior and fixed ones, data simulated from them, a Laplace fit, its
tiers by both rules, and how many of the pairs that they separate are reversed in truth. ``data``:
tiers of a season of races, of football and of votes on language models, which are looked for in the
folder that BAYESRANK_DATA names. ``best``: of simulated posteriors of up to ten items, how near the
tiers come to the best of all ways to cut the order, and whether those best ones are nested.
"""

import argparse
import os
import warnings
from itertools import groupby, pairwise, product
from pathlib import Path

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank import consensus
from bayesrank.progress import progress_bar
from benchmarks.rank_coverage import simulate, true_scores
from benchmarks.table import replace_section

__all__ = ["all_segmentations", "held_against", "main", "ratio"]

HERE = Path(__file__).parent
TABLES = {part: HERE / f"tier_{part}.csv" for part in ("rates", "data", "best")}
START, END = "<!-- tiers: {} -->", "<!-- /tiers: {} -->"
RULES, PROBS = ("expected", "certain"), (0.95, 0.8)
MOST = "most tiers"  # no rule of the package
TRUTHS = {
    "prior": "drawn from the prior", "even": "evenly spaced", "leader": "one leader, others equal",
    "clusters": "two groups of equals", "equal": "all equal",
}  # fmt: skip
SETTINGS = list(
    product(("bradley-terry", "davidson", "plackett-luce"), (10, 30), TRUTHS, ("few", "many"))
)
SETTING = ["likelihood", "items", "truth", "data", "prob", "rule"]
BEST_PROBS = (0.999, 0.99, 0.95, 0.9, 0.8)
NESTED_PROBS = 1.0 - np.geomspace(0.001, 0.5, 60)
FEWEST = 20  # data sets with more than one tier, below which a rate and its error say little
KINDS = ("prior", "even", "clusters", "leader", "equal")


def held_against(fit, score):
    """Return for each probability and rule: tiers, separated pairs, reversed ones, equal ones."""
    found = {}
    for prob, rule in product(PROBS, RULES):
        tier = fit.tiers(prob, rule).sort_index().to_numpy()
        across = tier[:, None] < tier
        reversed_ = across & (score[:, None] < score)
        equal = across & (score[:, None] == score)
        found[prob, rule] = [tier.max(), across.sum(), reversed_.sum(), equal.sum()]
    return found


def ratio(part, whole):
    """Return the ratio of two sums over data sets and its standard error."""
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    n, total = len(part), whole.sum()
    if total == 0:
        return np.nan, np.nan
    share = part.sum() / total
    return share, np.sqrt(n / (n - 1) * np.sum((part - share * whole) ** 2)) / total


def rates(settings, n, seed=0):
    """Return a row for each setting, probability and rule, over so many data sets."""
    rows = []
    with progress_bar("Rates of tiers", len(settings) * n, True) as advance:
        for setting in settings:
            found = []
            for k in range(n):
                found.append(_replicate(*setting, [seed, k]))
                advance()
            for prob, rule in product(PROBS, RULES):
                tiers, pairs, wrong, equal = np.array([one[prob, rule] for one in found]).T
                rate, error = ratio(wrong, pairs)
                among, among_error = ratio(wrong + equal, pairs)
                rows.append(
                    dict(zip(SETTING, (*setting, prob, rule), strict=True))
                    | {"data_sets": n, "with_tiers": (tiers > 1).sum(),
                       "tiers": tiers.mean(), "tiers_se": tiers.std() / n**0.5,
                       "pairs": pairs.mean() / (setting[1] * (setting[1] - 1) / 2),
                       "reversed": rate, "reversed_se": error,
                       "reversed_or_equal": among, "reversed_or_equal_se": among_error}
                )  # fmt: skip
    return pd.DataFrame(rows)


def _replicate(likelihood, items, truth, amount, seed):
    """Return what was found in one data set."""
    rng = np.random.default_rng(seed)
    score, data = simulate(likelihood, items, truth, amount, rng)
    options = {"method": "laplace", "scale": 1.0, "draws": 1000, "chains": 2, "progress": False}
    with warnings.catch_warnings():
        # Few comparisons may fall into groups, or miss an item; the prior links them.
        warnings.filterwarnings("ignore", message="The data do not link")
        fit = br.fit(data, likelihood, seed=int(rng.integers(2**31)), **options)
    return held_against(fit, score)


def real_fits(quick=False):
    """Yield fits of shipped and of shared data, with what they are called."""
    options = {"method": "laplace", "seed": 1, "progress": False, "draws": 200 if quick else 1000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        races = br.load_dataset("nascar")
        yield "a season of 36 races (nascar)", br.fit(races, "plackett-luce", **options)
        games = br.load_dataset("bundesliga")
        options["order_effect"] = True
        walk = br.fit(games, scores="walk", **options)
        yield "football: ten seasons as a walk, at the end", walk
        last = pd.read_csv(Path(br.__file__).parent / "data/tables/bundesliga.csv", comment="#")
        last = last[last["time"] == last["time"].max()].drop(columns="time")
        season = br.Comparisons.from_counts(last)
        yield "football: its last season alone", br.fit(season, "davidson", **options)
        del options["order_effect"]
        votes = _votes()
        if votes is not None:
            yield "votes on language models", br.fit(votes, "davidson", **options)


def _votes():
    """Return the votes on language models, if they are there."""
    from benchmarks.judges.votes_data import LABELS, llm_votes

    table, true = llm_votes()
    return br.Comparisons.from_frame(table, **LABELS) if true else None


def real_data(quick=False):
    """Return a row for each data set, probability and rule: how many tiers, of which sizes."""
    rows = []
    for name, fit in real_fits(quick):
        for prob in (0.99, *PROBS):
            sizes = {rule: fit.tiers(prob, rule).value_counts(sort=False) for rule in RULES}
            sizes[MOST] = np.diff(most_tiers(fit.scores(), prob))
            for rule, found in sizes.items():
                row = {"data": name, "items": sum(found), "prob": prob, "rule": rule}
                rows.append(row | {"tiers": len(found), "sizes": _runs(found)})
    return pd.DataFrame(rows)


def most_tiers(scores, prob):
    """Return where the most tiers that keep the rate begin and end; it need not be nested.

    A dynamic program over the number of tiers and the items in them: the most doubt beyond the
    allowed share that may be left inside tiers.
    """
    scores = scores[:, np.argsort(-scores.mean(axis=0))]
    n = scores.shape[1]
    excess = np.zeros((n, n))
    for k in range(n):
        excess[k, k + 1 :] = np.mean(scores[:, [k]] <= scores[:, k + 1 :], axis=0) - (1.0 - prob)
    total = np.zeros((n + 1, n + 1))
    total[1:, 1:] = excess.cumsum(axis=0).cumsum(axis=1)
    inside = np.diag(total) - total  # of the items from the row's to before the column's
    inside[np.tril_indices(n + 1)] = -np.inf
    left, before, ends = np.where(np.arange(n + 1) == 0, 0.0, -np.inf), [], [0, n]
    for _ in range(n):
        reached = left[:, None] + inside
        before.append(reached.argmax(axis=0))
        left = reached.max(axis=0)
        if left[n] >= total[n, n] - 1e-9:
            ends, end = [n], n
            for back in reversed(before):
                end = back[end]
                ends.append(end)
    return sorted(ends)


def _runs(sizes):
    """Return sizes of tiers as a text, such as "1 (7 times), 80"."""
    runs = [(size, len(list(run))) for size, run in groupby(sizes)]
    return ", ".join(f"{size} ({times} times)" if times > 2 else ", ".join([str(size)] * times)
                     for size, times in runs)  # fmt: skip


def all_segmentations(items):
    """Return all ways to cut an order: which pairs of items each separates, and its cuts."""
    cuts = np.array(list(product((False, True), repeat=items - 1)))
    tier = np.concatenate([np.zeros((len(cuts), 1), dtype=int), cuts.cumsum(axis=1)], axis=1)
    return tier[:, :, None] < tier[:, None, :], cuts


def simulated_draws(rng):
    """Return draws of the scores of five to ten items, the best first; some correlated."""
    items = int(rng.integers(5, 11))
    mean = true_scores(KINDS[rng.integers(len(KINDS))], items, rng)
    mean = mean + 0.15 * rng.normal(size=items)
    spread = np.exp(rng.uniform(np.log(0.1), np.log(1.5)) + 0.5 * rng.normal(size=items))
    noise = rng.normal(size=(400, items))
    if rng.random() < 0.5:
        noise = 0.7 * (noise + noise @ rng.normal(size=(items, items)) / items**0.5)
    scores = mean + spread * noise
    return scores[:, np.argsort(-scores.mean(axis=0))]


def against_the_best(posteriors, seed=0):
    """Return how near tiers come to the best of all segmentations, by probability."""
    rng = np.random.default_rng(seed)
    ways = {items: all_segmentations(items) for items in range(5, 11)}
    rows, nested = [], {"pairs": [], "tiers": []}
    with progress_bar("All segmentations", posteriors, True) as advance:
        for _ in range(posteriors):
            scores = simulated_draws(rng)
            separated, cuts = ways[scores.shape[1]]
            doubt = (scores[:, :, None] <= scores[:, None, :]).mean(axis=0)
            mistakes = (separated * doubt).sum(axis=(1, 2))
            counts = {"pairs": separated.sum(axis=(1, 2)), "tiers": 1 + cuts.sum(axis=1)}
            for prob in BEST_PROBS:
                tier = consensus.tiers(scores, prob)
                kept = _kept(mistakes, counts["pairs"], prob)
                most = {f"most_{what}": count[kept].max() for what, count in counts.items()}
                own = {"pairs": (tier[:, None] < tier).sum(), "tiers": tier.max()}
                some = 1 < most["most_tiers"] < scores.shape[1]
                rows.append({"prob": prob, "some": some, **own, **most})
            for what, count in counts.items():
                nested[what].append(_best_are_nested(mistakes, counts["pairs"], count, cuts))
            advance()
    found = []
    for prob, part in pd.DataFrame(rows).query("some").groupby("prob", sort=False):
        row = {"prob": prob, "posteriors": len(part)}
        for what in counts:
            most, own = part[f"most_{what}"], part[what]
            row |= {f"most_{what}": np.mean(own == most), f"share_of_{what}": np.mean(own / most)}
            row[f"best_{what}_nested"] = np.mean(nested[what])
        fewer = part["most_tiers"] - part["tiers"]
        found.append(row | {"fewer_tiers": fewer.mean(), "fewer_at_most": fewer.max()})
    return pd.DataFrame(found)


def _kept(mistakes, pairs, prob):
    """Return which ways to cut keep the rate."""
    return mistakes <= (1.0 - prob) * pairs * (1.0 + 1e-9)


def _best_are_nested(mistakes, pairs, count, cuts):
    """Return whether the ways with the highest count only gain cuts as the probability falls.

    Of several with the highest, the one with the fewest mistakes.
    """
    best = []
    for prob in NESTED_PROBS:
        kept = _kept(mistakes, pairs, prob)
        most = kept & (count == count[kept].max())
        best.append(cuts[np.where(most, mistakes, np.inf).argmin()])
    return all(np.all(few <= many) for few, many in pairwise(best))


def _rates_for_readers(table):
    """Return the rates as lines of Markdown: all likelihoods together, the worst and the mean."""
    lines = ["| true scores | data | prob | rule | tiers: 10, 30 items | pairs separated | "
             "reversed: highest of 6 settings | mean of 6 | reversed or equal: highest |",
             "|---" * 9 + "|"]  # fmt: skip
    for (truth, amount, prob, rule), part in table.groupby(SETTING[2:], sort=False):
        few, many = (part.loc[part["items"] == items, "tiers"].mean() for items in (10, 30))
        said = f"| {TRUTHS[truth]} | {amount} | {prob:g} | {rule} | {few:.1f}, {many:.1f} | "
        said += f"{part['pairs'].mean():.0%} | "
        part = part[part["with_tiers"] >= FEWEST]
        cells = ["too few data sets"] * 3
        if len(part):
            wrong, both = (
                _share(part.loc[part[name].idxmax()], name)
                for name in ("reversed", "reversed_or_equal")
            )
            cells = [wrong, f"{part['reversed'].mean():.4f}", both]
        lines.append(f"{said}{' | '.join(cells)} |")
    return lines


def _share(row, name):
    return f"{row[name]:.4f} ± {row[f'{name}_se']:.4f}" if row[name] > 0 else "0"


def _data_for_readers(table):
    """Return the tiers of real data as lines of Markdown."""
    rules = {"expected": "tiers", MOST: "most tiers at this rate", "certain": "certain tiers"}
    lines = [f"| data | items | prob | {' | '.join(rules.values())} |", "|---" * 6 + "|"]
    for (name, items, prob), part in table.groupby(["data", "items", "prob"], sort=False):
        part = part.set_index("rule")
        cells = [f"{part['tiers'][rule]}: {part['sizes'][rule]}" for rule in rules]
        lines.append(f"| {name} | {items} | {prob:g} | {' | '.join(cells)} |")
    return lines


def _best_for_readers(table):
    """Return how near to the best tiers come as lines of Markdown."""
    names = {
        "most_pairs": "as many pairs as can be", "share_of_pairs": "mean share of the most pairs",
        "most_tiers": "as many tiers as can be", "fewer_tiers": "tiers fewer, on average",
        "fewer_at_most": "at most",
    }  # fmt: skip
    lines = [f"| prob | posteriors | {' | '.join(names.values())} |", "|---" * 7 + "|"]
    for row in table.to_dict("records"):
        cells = " | ".join(f"{row[name]:.3g}" for name in names)
        lines.append(f"| {row['prob']:g} | {row['posteriors']:,} | {cells} |")
    pairs, tiers = (table[f"best_{what}_nested"].iloc[0] for what in ("pairs", "tiers"))
    said = f"The best at {len(NESTED_PROBS)} probabilities from 0.5 to 0.999 are nested in "
    said += f"{pairs:.0%} of all posteriors if best is to have most pairs, and in "
    return [*lines, "", f"{said}{tiers:.0%} if it is to have most tiers."]


FOR_READERS = {"rates": _rates_for_readers, "data": _data_for_readers, "best": _best_for_readers}


def main(arguments=None):
    """Run the parts, print their tables, and keep them if asked to."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.tier_rates", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES), metavar="PART",
                        help=f"some parts: {', '.join(TABLES)}")  # fmt: skip
    parser.add_argument("--n", type=int, default=500, help="data sets by setting (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--save", action="store_true", help="write the tables and README")
    options = parser.parse_args(arguments)
    if options.n < 2:
        parser.error("--n must be at least 2")
    if options.quick and options.save:
        parser.error("--save keeps full runs: leave out --quick")
    settings = SETTINGS[:2] if options.quick else SETTINGS
    run = {
        "rates": lambda: rates(settings, min(options.n, 4 if options.quick else options.n),
                               options.seed),
        "data": lambda: real_data(options.quick),
        "best": lambda: against_the_best(20 if options.quick else 5000, options.seed),
    }  # fmt: skip
    found = {}
    for part in options.only:
        table = found[part] = run[part]()
        text = "\n".join(FOR_READERS[part](table))
        print(f"\n{text}", flush=True)
        if options.save:
            table.to_csv(TABLES[part], index=False, float_format="%.5g")
            readme = HERE / "README.md"
            marks = START.format(part), END.format(part)
            readme.write_text(replace_section(readme.read_text(), text, *marks))
    return found


if __name__ == "__main__":
    main()
