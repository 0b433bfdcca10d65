"""What to compare next: how long it takes, and how right the gains are.

    python3 -m benchmarks.suggestions

(a) the time and the memory of `Fit.suggest`, with 4 000 draws;
(b) what the first, second and third pair of a batch add, against enumeration of all outcomes: six
    items, after 15 and 100 comparisons, scores from the prior, Bradley-Terry's model;
(c) how far the gains stray with the number of draws, and what is lost by choosing by them.

Times are of one run, compiled code being ready: by the clock, and of the processor, which is what
counts where others use the machine. Memory is the peak of all arrays beyond the fit, from a second
run.
"""

import argparse
import os
import warnings

# Before NumPy is loaded: times are of one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import bayesrank as br
from bayesrank.consensus.asking import Goal, Told, entropy, information, sharpness
from bayesrank.progress import progress_bar
from benchmarks.consensus import peak_of, row, seconds_of

SIGN = np.array([[1.0, -1.0], [-1.0, 1.0]])
GOALS = {
    "order": Goal.order,
    "best": Goal.best,
    "top 2": lambda scores: Goal.top(scores, 2),
    "scores": Goal.of_scores,
}


def known(items, draws, likelihood="davidson"):
    """Return a fit of which the draws are made up, some items known better than others."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=items) + rng.uniform(0.2, 0.6, items) * rng.normal(size=(draws, items))
    left = np.arange(items - 1)
    data = br.Comparisons(left, left + 1, np.ones((items - 1, 3), dtype=int), list(range(items)))
    found = {
        "score": scores[None] - scores.mean(axis=1)[None, :, None],
        "tie_rate": 0.2 + 0.01 * rng.normal(size=(1, draws)),
    }
    return br.Fit(br.Specification(data, likelihood, scale=1.0), "laplace", found)


def ballots(items, draws):
    """Return a fit of rankings of five."""
    rng = np.random.default_rng(1)
    lists = [rng.permutation(items)[:5].tolist() for _ in range(4 * items)]
    data = br.Rankings.from_lists(lists, unranked="not offered")
    return br.fit(data, "plackett-luce", scale=1.0, method="laplace", seed=1, draws=draws, chains=1)


def times(quick):
    """Time suggestions (a)."""
    sizes = (
        ((12, 200, ""), (20, 200, ""))
        if quick
        else ((129, 4000, "2 s"), (1000, 4000, "30 s, 1 GB"))
    )
    known(5, 20).suggest(2)
    for items, draws, asked in sizes:
        for likelihood in ("davidson", "glenn-david"):
            fit = known(items, draws, likelihood)
            for goal in ({"goal": "order"}, {"goal": "best"}, {"goal": "top", "k": 5}):
                name = (
                    f"{items:,} items, {likelihood}, {' '.join(map(str, goal.values()))}: 20 pairs"
                )
                seconds, _ = seconds_of(lambda fit=fit, goal=goal: fit.suggest(20, **goal))
                row(
                    "a",
                    name,
                    seconds,
                    peak_of(lambda fit=fit, goal=goal: fit.suggest(20, **goal)),
                    asked,
                )
    items, draws = (8, 200) if quick else (40, 4000)
    fit = ballots(items, draws)
    for goal in ("order", "best"):
        seconds, _ = seconds_of(lambda goal=goal: fit.suggest(10, goal=goal, seed=1))
        row(
            "a",
            f"{items} items, plackett-luce, {goal}: 10 sets of 5",
            seconds,
            asked="a few seconds",
        )


def posterior(items, comparisons, draws, rng):
    """Return draws of a normal approximation to the posterior of simulated comparisons."""
    truth, left = rng.normal(size=items), rng.integers(items, size=comparisons)
    right = (left + rng.integers(1, items, comparisons)) % items
    won = rng.random(comparisons) < 1.0 / (1.0 + np.exp(truth[right] - truth[left]))
    design = np.eye(items)[left] - np.eye(items)[right]
    score = np.zeros(items)
    for _ in range(20):
        p = 1.0 / (1.0 + np.exp(-design @ score))
        curvature = np.eye(items) + design.T @ (design * (p * (1.0 - p))[:, None])
        score += np.linalg.solve(curvature, design.T @ (won - p) - score)
    return rng.multivariate_normal(score, np.linalg.inv(curvature), draws)


def pairs_of(scores):
    """Return left, right, and the probabilities of outcomes: outcomes by pairs by draws."""
    left, right = np.triu_indices(scores.shape[1], 1)
    p = 1.0 / (1.0 + np.exp(scores[:, right] - scores[:, left])).T
    return left, right, np.stack([p, 1.0 - p])


def joint(p, goal, scores):
    """Return what some pairs tell together, by all combinations of their outcomes."""
    every = p[0]
    for more in p[1:]:
        every = (every[:, None] * more).reshape(-1, every.shape[-1])
    if goal.events is None and not goal.orders:
        return entropy(every.mean(axis=1)) - entropy(every).mean()
    if goal.orders:
        left, right = np.triu_indices(scores.shape[1], 1)
        events = scores[:, left] > scores[:, right]
    else:
        events = goal.events
    inside, total = events.astype(float), entropy(every.mean(axis=1))
    weight = inside.mean(axis=0)
    within = entropy(every @ inside / np.maximum(inside.sum(axis=0), 1.0))
    if goal.one:
        return total - within @ weight
    without = entropy(every @ (1.0 - inside) / np.maximum((1.0 - inside).sum(axis=0), 1.0))
    return (total - within * weight - without * (1.0 - weight)).sum()


def batch_errors(scores, goal):
    """Return for each of three steps: error with and without what was told, and what is kept.

    Errors are root mean squares over pairs, in the largest gain; what is kept is the gain of the
    pair that would be chosen, in that gain too.
    """
    left, right, p = pairs_of(scores)
    every, alone = information(p, goal.events, goal.one)
    sharp = sharpness(every, Told(scores).variance(left, right))
    told = Told(scores, goal)
    first = np.maximum(told.worth(left, right, sharp), 1e-300)
    alone = first if goal.events is None else alone
    chosen, before, found = [], 0.0, []
    for _ in range(3):
        new = np.setdiff1d(np.arange(len(left)), chosen)
        exact = [joint(p[:, [*chosen, k]].swapaxes(0, 1), goal, scores) for k in new]
        exact = np.array(exact) - before
        guess = (alone * told.worth(left, right, sharp) / first)[new]
        errors = [np.sqrt(np.mean((g - exact) ** 2)) / exact.max() for g in (guess, alone[new])]
        found.append((*errors, exact[np.argmax(guess)] / exact.max()))
        best = np.argmax(exact)
        chosen, before = [*chosen, new[best]], before + exact[best]
        told.tell(np.array([left[new[best]], right[new[best]]]), sharp[new[best]] * SIGN)
    return np.array(found)


def batches(quick):
    """Compare batches with enumeration (b)."""
    repeats, draws = (2, 1000) if quick else (40, 8000)
    print("\n| comparisons | goal | pair | error | without what was told | kept | at worst |")
    print("|---" * 7 + "|")
    for comparisons in (15, 100):
        for name, make in GOALS.items():
            found = []
            with progress_bar(f"{name}, {comparisons}", repeats) as advance:
                for seed in range(repeats):
                    scores = posterior(6, comparisons, draws, np.random.default_rng(seed))
                    goal = make(scores)
                    if not goal.is_settled:
                        found.append(batch_errors(scores, goal))
                    advance()
            mean, worst = np.mean(found, axis=0), np.min(found, axis=0)
            for step in range(3):
                error, without, kept = (f"{value:.1%}" for value in mean[step])
                cells = [comparisons, name, step + 1, error, without, kept, f"{worst[step, 2]:.1%}"]
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def draws_needed(quick):
    """Show how far gains stray with the number of draws (c).

    As in `Fit.suggest`, covariances are from all 4 000 draws, and the outcomes' probabilities from
    some of them.
    """
    items, repeats, most = (6, 3, 1000) if quick else (40, 20, 4000)
    print("\n| goal | draws | gains stray by | kept |")
    print("|---" * 4 + "|")
    many = posterior(items, 10 * items, 10 * most, np.random.default_rng(2))
    for name, make in GOALS.items():
        exact = gains_of(many, make(many), Told(many, make(many)), 10 * most)
        best = np.argsort(-exact)[:20]
        for draws in (most // 40, most // 8, most // 2):
            found = []
            for seed in range(repeats):
                rng = np.random.default_rng(seed)
                some = rng.permutation(many)[:most]
                goal = make(some)
                found.append(gains_of(some, goal, Told(some, goal), draws))
            stray = np.std([gain[best] for gain in found], axis=0).mean() / exact[best].mean()
            kept = np.mean([exact[np.argmax(gain)] for gain in found]) / exact.max()
            print(f"| {name} | {draws:,} | {stray:.1%} | {kept:.1%} |", flush=True)


def gains_of(scores, goal, told, draws):
    """Return the gains of all pairs, the probabilities of outcomes being from some draws."""
    used = np.linspace(0, len(scores) - 1, draws).astype(int)
    events = None if goal.events is None else goal.events[used]
    gains = []
    left, right = np.triu_indices(scores.shape[1], 1)
    for block in np.array_split(np.arange(len(left)), max(len(left) * draws // 2_000_000, 1)):
        difference = (scores[used][:, left[block]] - scores[used][:, right[block]]).T
        p = 1.0 / (1.0 + np.exp(-difference))
        every, of_events = information(np.stack([p, 1.0 - p]), events, goal.one)
        precise = sharpness(every, difference.var(axis=1))
        worth = told.worth(left[block], right[block], precise)
        gains.append(worth if events is None else of_events)
    return np.concatenate(gains)


def main(arguments=None):
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices="abc", help="one part")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it out")
    options = parser.parse_args(arguments)
    if options.only in (None, "a"):
        print("| | what | clock | processor | peak | asked | |")
        print("|---" * 7 + "|")
        times(options.quick)
    with warnings.catch_warnings():
        if options.only in (None, "b"):
            batches(options.quick)
        if options.only in (None, "c"):
            draws_needed(options.quick)


if __name__ == "__main__":
    main()
