"""Count how often intervals of the multinomial preference model cover the truth.

    python3 benchmarks/preference_coverage.py --data "draws 200" --replicates 200
    python3 benchmarks/preference_coverage.py --data plackett-luce --replicates 20

Thirty items, twenty agents of known adherence, five of whom choose at random (a replicate of
rankings is one set of scores with five sets of rankings). Either the agents'
preferences are draws from the model, or all that is seen of them is a ranking each, whose rank
differences the model takes for counts: then the likelihood's weight is what is studied. The
table, with standard errors over replicates, is printed and added to
benchmarks/preference_coverage.csv.
"""

import argparse
import csv
import datetime
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import bayesrank as br
from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.mode import find_mode
from bayesrank.model.specification import Specification
from bayesrank.model.terms.variances import SCALE as VARIANCE_SCALE
from bayesrank.progress import progress_bar

ITEMS = 30
NOISE = 5  # agents, the first ones, who choose at random
ADHERENCE = np.concatenate([np.zeros(NOISE), np.linspace(0.3, 1.0, 15)])
# In the last one adherences are drawn from their prior, like everything else.
DRAWS = ("draws 200", "draws 1000", "draws 1000, variances", "draws 200, variances, uniform")
RANKINGS = ("ranked draws 200", "ranked draws 1000", "plackett-luce")
WEIGHTS = ("1", "effective / 2", "effective", "effective x 2", "agreement")
PER_TRUTH = 5  # sets of rankings from the same scores
MANY = 100  # times as many agents show what a fit tends to
TABLE = Path(__file__).with_name("preference_coverage.csv")
COLUMNS = ["data", "method", "weight", "quantity", "replicates", "value", "se", "seconds", "date"]


def draw_items(rng, variances=False):
    """Return scores and variances as the model's priors have them."""
    score, log_variance = rng.normal(size=ITEMS), np.zeros(ITEMS)
    if variances:
        log_variance = rng.normal(scale=VARIANCE_SCALE, size=ITEMS)
    return score - score.mean(), 0.5 * np.exp(log_variance - log_variance.mean())


def probabilities(score, variance, adherence):
    """Return the probability of each ordered pair, agents by items by items."""
    d = (score[:, None] - score) / (variance[:, None] + variance)
    p = np.exp(adherence[:, None, None] * d) * ~np.eye(len(score), dtype=bool)
    return p / p.sum(axis=(1, 2), keepdims=True)


def draw_counts(score, variance, adherence, draws, rng):
    """Return how often each agent preferred the row's item to the column's."""
    p = probabilities(score, variance, adherence).reshape(len(adherence), -1)
    return rng.multinomial(draws, p).reshape(-1, ITEMS, ITEMS)


def as_comparisons(counts):
    """Return counts of ordered pairs as comparisons, with agents."""
    agents, (left, right) = len(counts), np.triu_indices(ITEMS, 1)
    wins, losses = counts[:, left, right].ravel(), counts[:, right, left].ravel()
    return Comparisons(
        np.tile(left, agents), np.tile(right, agents),
        np.column_stack([wins, losses, np.zeros_like(wins)]), list(range(ITEMS)),
        agent=np.repeat(np.arange(agents), left.size), agents=list(range(agents)),
    )  # fmt: skip


def as_rankings(utility):
    """Return the rankings of all items by utility, highest first, equal ones tied."""
    entries = np.argsort(-utility, axis=1, kind="stable")
    steps = np.diff(np.take_along_axis(utility, entries, axis=1), axis=1) != 0
    ranks = np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0))) + 1
    return Rankings(entries, ranks, list(range(ITEMS)))


def draw_rankings(data, score, adherence, rng):
    """Return a ranking from each agent."""
    if data == "plackett-luce":
        noise = rng.gumbel(size=(len(adherence), ITEMS))
        return as_rankings(adherence[:, None] * score + noise)
    counts = draw_counts(score, np.full(ITEMS, 0.5), adherence, int(data.split()[-1]), rng)
    return as_rankings(counts.sum(axis=2) - counts.sum(axis=1))


def fitted(data, method, weight, variances=False, **options):
    """Return a fit with learned adherences and the scale that scores were drawn with."""
    return br.fit(
        data, "mpm", method=method, weight=weight, variances=variances, adherence="learned",
        scale=1.0, progress=False, **options,
    )  # fmt: skip


def agreement_weight(rankings):
    """Return one weight for all rankings, from how far they are from what a fit expects of them.

    "effective" compares an agent's squared net wins with the 2 T that T draws without preference
    have. This compares those left over by the fit with the T (2 - |m|^2) that T draws with mean m
    have, and listens to agents by their adherence squared, which is how they enter the scores'
    information. Without preference the two are the same.
    """
    fit = fitted(rankings, "map", "effective")
    adherence = fit.posterior["adherence"][0, 0]
    level = np.empty(rankings.ranks.shape)
    np.put_along_axis(level, rankings.entries, rankings.ranks.astype(float), axis=1)
    net = level.sum(axis=1, keepdims=True) - ITEMS * level
    total = np.abs(level[:, :, None] - level[:, None, :]).sum(axis=(1, 2)) / 2.0
    p = probabilities(fit.scores()[0], np.full(ITEMS, 0.5), adherence)
    mean = p.sum(axis=2) - p.sum(axis=1)
    left_over = np.sum((net - total[:, None] * mean) ** 2, axis=1)
    expected = total * (2.0 - np.sum(mean**2, axis=1))
    # The fit has used up a number for each item and each agent.
    free = 1.0 - 1.0 / len(rankings) - 1.0 / (ITEMS - 1)
    return free * (adherence**2 @ expected) / (adherence**2 @ left_over)


def weighted(rankings, weight):
    """Return rankings with weights of their own, and the weight to fit them with."""
    if weight == "agreement":
        own = np.full(len(rankings), agreement_weight(rankings))
        return replace(rankings, weights=own), 1.0
    if weight == "1":
        return rankings, 1.0
    factor = {"effective / 2": 0.5, "effective": 1.0, "effective x 2": 2.0}[weight]
    return replace(rankings, weights=np.full(len(rankings), factor)), "effective"


def limit(rankings, weight):
    """Return the scores that the normal approximation is centred at."""
    rankings, power = weighted(rankings, weight)
    specification = Specification(
        rankings, "mpm", scale=1.0, variances=False, adherence="learned", weight=power
    )
    return specification.constrain(find_mode(specification, jacobian=True)[0])["score"]


def size(scores):
    """Return the root mean square of scores."""
    return np.sqrt(np.mean(np.square(scores), axis=-1, keepdims=True))


def covered(name, draws, truth):
    """Return the shares of 80 % and 95 % intervals that hold the truth."""
    found = {}
    for prob in (0.8, 0.95):
        low, high = br.consensus.interval(draws, prob)
        found[f"{name}, {100 * prob:.0f} %"] = np.mean((low <= truth) & (truth <= high))
    return found


def score_quantities(draws, truth):
    """Return how well intervals hold scores, and scores as multiples of their own spread.

    The likelihood knows scores times adherences, not how large either is; relative scores are
    free of that.
    """
    relative, target = draws / size(draws), truth / size(truth)
    z = (relative.mean(axis=0) - target) / relative.std(axis=0)
    return {
        **covered("score", draws, truth),
        **covered("relative score", relative, target),
        "relative score, squared error / variance": np.mean(z**2),
        "size of scores / truth": np.mean(size(draws)) / size(truth)[0],
    }


def adherence_quantities(draws):
    """Return what becomes of the agents who choose at random.

    Zero is the end of the prior, so no equal-tailed interval can hold it.
    """
    mean = draws.mean(axis=0)
    return {
        "noise agents last": float(mean[:NOISE].max() < mean[NOISE:].min()),
        "noise agents, upper limit": br.consensus.interval(draws)[1][:NOISE].mean(),
        "noise agents, adherence": mean[:NOISE].mean(),
    }


def order_quantities(fit, score):
    """Return how well rank intervals hold the true ranks, and how often a sure order is right."""
    table = fit.ranking().sort_index()
    rank = 1 + np.sum(score > score[:, None], axis=1)
    above = br.consensus.probability_above(fit.scores())
    sure = above > 0.95
    found = {
        "rank, 95 %": np.mean((table["rank_low"] <= rank) & (rank <= table["rank_high"])),
        "pairs ordered, share": sure.sum() / (ITEMS * (ITEMS - 1) / 2),
    }
    if sure.any():
        found["pairs ordered, promised"] = above[sure].mean()
        found["pairs ordered, right"] = np.mean((score[:, None] > score)[sure])
    return found


def replicate_of_draws(data, method, seed, **options):
    """Return what one fit to draws from the model is worth, by quantity."""
    rng = np.random.default_rng(seed)
    variances, uniform = "variances" in data, data.endswith("uniform")
    score, variance = draw_items(rng, variances)
    draws = int(data.split()[1].strip(","))
    adherence = rng.uniform(size=len(ADHERENCE)) if uniform else ADHERENCE
    comparisons = as_comparisons(draw_counts(score, variance, adherence, draws, rng))
    fit = fitted(comparisons, method, 1.0, variances, seed=seed, **options)
    scores = fit.scores()
    adherences = fit.posterior["adherence"].reshape(len(scores), -1)
    found = score_quantities(scores, score) | order_quantities(fit, score)
    heard, true = adherences, adherence
    if not uniform:
        found |= adherence_quantities(adherences)
        heard, true = adherences[:, NOISE:], adherence[NOISE:]
    found |= covered("adherence", heard, true)
    found |= covered("adherence x size of scores", heard * size(scores), true * size(score))
    drawn = np.full(scores.shape, 0.5)
    if variances:
        drawn = fit.posterior["variance"].reshape(scores.shape)
        found |= covered("variance", drawn, variance)
    # Some pairs of items and some agents, the same in all replicates.
    left, right, agent = [0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [0, 3, 6, 9, 14]
    difference = (scores[:, left] - scores[:, right]) / (drawn[:, left] + drawn[:, right])
    truth = (score[left] - score[right]) / (variance[left] + variance[right])
    found |= covered("adherence x difference", heard[:, agent] * difference, true[agent] * truth)
    return {"1": found}


def replicate_of_rankings(
    data, method, seed, weights=WEIGHTS, sets=PER_TRUTH, times=MANY, **options
):
    """Return what fits to some sets of rankings are worth, by weight and quantity.

    Scores of the model are not those that the rankings were made from. What the fit tends to, with
    ever more agents, takes their place; the true order remains the true order.
    """
    rng = np.random.default_rng(seed)
    score, _ = draw_items(rng)
    many = draw_rankings(data, score, np.tile(ADHERENCE, times), rng)
    target = {weight: limit(many, weight) for weight in weights}
    rows = {weight: [] for weight in weights}
    for _ in range(sets):
        rankings = draw_rankings(data, score, ADHERENCE, rng)
        for weight in weights:
            own, power = weighted(rankings, weight)
            fit = fitted(own, method, power, seed=seed, **options)
            adherences = fit.posterior["adherence"].reshape(-1, len(ADHERENCE))
            found = score_quantities(fit.scores(), target[weight]) | order_quantities(fit, score)
            found |= adherence_quantities(adherences)
            observation = fit.specification.observation
            ratio = observation.weight / observation.ballots.effective_weight
            found["weight / effective"] = ratio.mean()
            rows[weight].append(found)
    return {
        weight: {name: np.mean([row[name] for row in found if name in row]) for name in found[0]}
        for weight, found in rows.items()
    }


def study(data, method, replicates, progress=True, **options):
    """Return means and standard errors over replicates, by weight and quantity."""
    replicate = replicate_of_draws if data in DRAWS else replicate_of_rankings
    rows = []
    with progress_bar(f"{data}, {method}", replicates, progress) as advance:
        for seed in range(replicates):
            rows.append(replicate(data, method, seed, **options))
            advance()
    result = {}
    for weight in rows[0]:
        for name in dict.fromkeys(name for row in rows for name in row[weight]):
            values = np.array([row[weight][name] for row in rows if name in row[weight]])
            result[weight, name] = (values.mean(), values.std(ddof=1) / np.sqrt(len(values)))
    return result


def main(arguments=None):
    """Run the study for every kind of data and add to the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", choices=DRAWS + RANKINGS, action="append")
    parser.add_argument("--method", choices=("nuts", "advi", "laplace"), default="laplace")
    parser.add_argument("--replicates", type=int, default=20)
    parser.add_argument("--table", type=Path, default=TABLE, help="where the table is kept")
    options = parser.parse_args(arguments)
    if options.replicates < 2:
        parser.error("--replicates must be at least 2")
    if options.method != "laplace" and set(options.data or RANKINGS) & set(RANKINGS):
        parser.error("--method must be laplace for rankings: only its limit is known")
    settings = {"draws": 1000, "chains": 1}
    if options.method == "nuts":
        settings = {"draws": 500, "tune": 500, "chains": 2}
    new = not options.table.exists()
    for data in options.data or DRAWS + RANKINGS:
        started = time.perf_counter()
        result = study(data, options.method, options.replicates, **settings)
        seconds = time.perf_counter() - started
        with options.table.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(COLUMNS)
                new = False
            for (weight, name), (mean, se) in result.items():
                cells = [data, options.method, weight, name, options.replicates]
                today = datetime.date.today().isoformat()
                writer.writerow([*cells, f"{mean:.4f}", f"{se:.4f}", f"{seconds:.0f}", today])
                print(f"{data:22s} {weight:14s} {name:42s} {mean:.3f} +- {se:.3f}")


if __name__ == "__main__":
    main()
