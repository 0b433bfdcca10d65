"""Count how often whoever stops when it is decided is wrong, and how good forecasts of that are.

    python3 -m benchmarks.stopping [--quick] [--save]

Races: results come in a few at a time, the model is fitted again after each few, by Laplace's
approximation, and each question is stopped at when it is first decided. The truth is drawn from
the prior, scale and tie rate included, or fixed. Where items are truly equal no answer is wrong,
and the share of races that stop at all says how often equals are told apart.

Forecasts: races that are not decided after their first results go on until they are, and the
number of results that this takes is held against the interval that `Fit.decided` gave.
"""

import argparse
import csv
import itertools
import os
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import bayesrank as br
from bayesrank.consensus import ScoreDraws
from bayesrank.data import Comparisons, Rankings
from bayesrank.progress import progress_bar
from benchmarks.table import replace_section

__all__ = ["Race", "forecast", "main", "race"]

ITEMS, SLOTS, TOP = 6, 4, 3
PROBS = (0.95, 0.8)
GOALS = {"best": {}, "top": {"k": TOP}, "order": {}}
TRUTHS = ("prior", "even", "leader", "equal", "equal, width 0.3")
# Results at the first look and at the last; from one look to the next they grow by 30%, or twice
# that where no answer is half as probable as asked for.
LOOKS = {"davidson": (15, 2000), "plackett-luce": (5, 700)}
GROWTH = 1.3
REPLICATES = {"prior": 1000}  # and of every other truth
OTHERS = 100
# Of forecasts: likelihood, items, results at the start, and what is asked.
FORECASTS = [
    ("davidson", 6, 60, "best", 0.95),
    ("davidson", 10, 200, "best", 0.95),
    ("davidson", 6, 60, "top", 0.9),
    ("davidson", 6, 60, "order", 0.8),
    ("plackett-luce", 6, 20, "best", 0.95),
    ("plackett-luce", 10, 60, "best", 0.95),
    ("plackett-luce", 6, 20, "top", 0.9),
    ("plackett-luce", 6, 20, "order", 0.8),
]
BUDGET = 20  # times as many results as at the start, where a race is given up
FOLDER = Path(__file__).parent
RACE = ["model", "truth", "goal", "prob", "races", "stopped", "wrong", "se", "results"]
FORECAST = ["model", "items", "start", "goal", "prob", "races", "decided", "below", "se"]
FORECAST += ["above median", "above"]


@dataclass
class Race:
    """Results of a likelihood at true parameters, which come in bit by bit.

    Pairs, or the entries of rankings, are drawn at random.
    """

    likelihood: str
    items: int
    truth: str
    rng: np.random.Generator
    score: np.ndarray = field(init=False)
    seen: np.ndarray = field(init=False)

    def __post_init__(self):
        n = self.items
        self.pairs = self.likelihood == "davidson"
        if self.pairs:
            self.left, self.right = np.triu_indices(n, 1)
            self.seen = np.zeros((self.left.size, 3), dtype=int)
        else:
            self.orders = list(itertools.permutations(range(n), SLOTS))
            self.place = {order: k for k, order in enumerate(self.orders)}
            self.seen = np.zeros(len(self.orders), dtype=int)
        scale = abs(self.rng.standard_normal())
        self.score = {
            "prior": scale * self.rng.standard_normal(n),
            "even": np.linspace(0.75, -0.75, n),
            "leader": np.where(np.arange(n) == 0, 0.75, 0.0),
        }.get(self.truth, np.zeros(n))
        self.score = self.score - self.score.mean()
        self.tie_rate = self.rng.uniform() if self.truth == "prior" else 0.2

    @property
    def width(self):
        return float(self.truth.partition("width ")[2] or 0.0)

    @property
    def results(self):
        return int(self.seen.sum())

    def add(self, results):
        """Let so many results come in."""
        rng = self.rng
        if self.pairs:
            met = rng.multinomial(results, np.full(self.left.size, 1.0 / self.left.size))
            every = Comparisons(self.left, self.right, self.seen + 1, self._labels)
            model = br.Specification(every, self.likelihood, scale=1.0)
            truth = {"score": self.score, "tie_rate": self.tie_rate}
            p = model.observation.outcome_probabilities(truth)
            self.seen += rng.multinomial(met, p / p.sum(axis=1, keepdims=True))
            return
        noisy = self.score + rng.gumbel(size=(results, self.items))
        chosen = rng.permuted(np.tile(np.arange(self.items), (results, 1)), axis=1)[:, :SLOTS]
        best = np.argsort(-np.take_along_axis(noisy, chosen, axis=1), axis=1)
        for order in np.take_along_axis(chosen, best, axis=1).tolist():
            self.seen[self.place[tuple(order)]] += 1

    @property
    def _labels(self):
        return list(range(self.items))

    def fit(self, draws=1000, method="laplace", **options):
        """Return the fit of the results so far; None while they say nothing of who is better."""
        if self.pairs:
            if not self.seen[:, :2].any():
                return None
            met = self.seen.any(axis=1)
            data = Comparisons(self.left[met], self.right[met], self.seen[met], self._labels)
        else:
            met = np.flatnonzero(self.seen)
            entries = np.array([self.orders[k] for k in met])
            ranks = np.tile(np.arange(1, SLOTS + 1), (len(met), 1))
            data = Rankings(entries, ranks, self._labels, weights=self.seen[met].astype(float))
        options = {"chains": 1, "progress": False} | options
        seed = int(self.rng.integers(2**31))
        with warnings.catch_warnings():
            # The first few results may leave items out; the prior links them.
            warnings.simplefilter("ignore", UserWarning)
            return br.fit(data, self.likelihood, method=method, draws=draws, seed=seed, **options)

    def is_right(self, verdict):
        """Return whether an answer is true."""
        chosen = verdict.choice if isinstance(verdict.choice, tuple) else (verdict.choice,)
        true, width = self.score[list(chosen)], verdict.indifference + 1e-12
        if verdict.goal == "order":
            return bool(np.max(true[1:] - np.minimum.accumulate(true)[:-1]) <= width)
        rest = np.delete(self.score, list(chosen))
        return bool(true.min() >= rest.max() - width)


def race(likelihood, truth, rng, last=None):
    """Return, by goal and probability, the results at which it was stopped, and if it was right."""
    here = Race(likelihood, ITEMS, truth, rng)
    more, found = LOOKS[likelihood][0], {}
    last = last or LOOKS[likelihood][1]
    while here.results + more <= last and len(found) < len(GOALS) * len(PROBS):
        here.add(more)
        more, nearest = max(1, int((GROWTH - 1.0) * here.results)), 0.0
        fit = here.fit()
        if fit is None:
            continue
        draws = ScoreDraws(fit)  # without forecasts
        for (goal, options), prob in itertools.product(GOALS.items(), PROBS):
            if (goal, prob) not in found:
                verdict = draws.decided(goal, prob, indifference=here.width, **options)
                if verdict:
                    found[goal, prob] = here.results, here.is_right(verdict)
                nearest = max(nearest, verdict.probability / prob)
        more *= 1 if nearest > 0.5 else 2
    return found


def races(likelihood, truth, replicates, seed=0, progress=True, last=None):
    """Return a row of the table of races for each goal and probability."""
    runs = []
    with progress_bar(f"{likelihood}, {truth}", replicates, progress) as advance:
        for k in range(replicates):
            runs.append(race(likelihood, truth, np.random.default_rng([seed, k]), last))
            advance()
    rows = []
    for key in itertools.product(GOALS, PROBS):
        stopped = [found[key] for found in runs if key in found]
        wrong = np.array([not right for _, right in stopped], dtype=float)
        share = wrong.mean() if len(wrong) else np.nan
        error = np.sqrt(share * (1.0 - share) / len(wrong)) if len(wrong) else np.nan
        took = np.median([results for results, _ in stopped]) if stopped else np.nan
        rows.append(
            [likelihood, truth, *key, replicates, len(stopped) / replicates, share, error, took]
        )
    return rows


def forecast(likelihood, items, start, goal, prob, rng):
    """Return a forecast's 10%, 50% and 90% points, and how many results it really took.

    None where it is decided at once; infinity where it is not decided within the budget.
    """
    here = Race(likelihood, items, "prior", rng)
    here.tie_rate *= 0.7  # nearly all ties would take for ever
    here.add(start)
    fit = here.fit(4000)
    if fit is None:
        return None
    options = GOALS[goal] | {"goal": goal, "prob": prob}
    verdict = fit.decided(**options)
    if verdict:
        return None
    ends = verdict.interval[0], verdict.more, verdict.interval[1]
    more = max(1, start // 50)
    while here.results + more <= (1 + BUDGET) * start:
        here.add(more)
        more = max(1, int(0.25 * (here.results - start)))
        if ScoreDraws(here.fit()).decided(**options):
            return (*ends, here.results - start)
    return (*ends, np.inf)


def forecasts(likelihood, items, start, goal, prob, replicates, seed=0, progress=True):
    """Return a row of the table of forecasts."""
    found, name = [], f"{likelihood}, {items} items, {goal} at {prob}"
    with progress_bar(name, replicates, progress) as advance:
        for k in range(replicates):
            rng = np.random.default_rng([seed, k])
            found.append(forecast(likelihood, items, start, goal, prob, rng))
            advance()
    found = np.array([one for one in found if one is not None]).reshape(-1, 4)
    low, median, high, took = found.T
    below = np.mean(took < low) if len(took) else np.nan
    error = np.sqrt(below * (1.0 - below) / len(took)) if len(took) else np.nan
    # Beyond the budget it is not known which of two numbers is larger.
    late = [
        np.mean((took > end)[end <= BUDGET * start]) if (end <= BUDGET * start).any() else np.nan
        for end in (median, high)
    ]
    decided = np.mean(np.isfinite(took)) if len(took) else np.nan
    return [likelihood, items, start, goal, prob, len(found), decided, below, error, *late]


def _by_goal(rows):
    """Return rows of the table of races with the probabilities side by side."""
    found = {}
    for row in rows:
        stopped, wrong, error, results = row[5:]
        said = f"{wrong:.3f} ± {error:.3f}" if stopped else "-"
        found.setdefault(tuple(row[:3]), []).extend([stopped, said, results])
    return [[*key, *cells] for key, cells in found.items()]


def _lines(heads, rows):
    """Return a table in Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for row in rows:
        cells = [_cell(head, value) for head, value in zip(heads, row, strict=True)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _cell(head, value):
    if not isinstance(value, float) or head == "prob":
        return f"{value:,}" if isinstance(value, int) else str(value)
    if np.isnan(value):
        return "-"
    return f"{value:,.0f}" if head.startswith("results") else f"{value:.2f}"


def _races(options):
    """Return the rows of the table of races, and how they are shown."""
    rows = []
    for likelihood, truth in itertools.product(LOOKS, TRUTHS):
        number = 2 if options.quick else REPLICATES.get(truth, OTHERS)
        rows += races(likelihood, truth, number, options.seed, last=60 if options.quick else None)
        for row in [] if options.quick else rows[-len(GOALS) * len(PROBS) :]:
            print(*row, sep=", ", file=sys.stderr, flush=True)
    heads = [f"{head} at {prob}" for prob in PROBS for head in ("stopped", "wrong", "results")]
    return rows, _lines([*RACE[:3], *heads], _by_goal(rows))


def _forecasts(options):
    """Return the rows of the table of forecasts, and how they are shown."""
    number = 1 if options.quick else 100
    rows = []
    for asked in FORECASTS:
        rows.append(forecasts(*asked, number, options.seed))
        if not options.quick:
            print(*rows[-1], sep=", ", file=sys.stderr, flush=True)
    return rows, _lines(FORECAST, rows)


PARTS = {"races": (_races, RACE), "forecasts": (_forecasts, FORECAST)}


def main(arguments=None):
    """Run the study, print the tables, and keep them if asked to."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.stopping")
    parser.add_argument("--quick", action="store_true", help="a few races only")
    parser.add_argument("--save", action="store_true", help="write CSV files and the README")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=PARTS)
    options = parser.parse_args(arguments)
    for part in [options.only] if options.only else PARTS:
        run, heads = PARTS[part]
        rows, lines = run(options)
        print("\n".join(lines), flush=True)
        if options.save:
            with (FOLDER / f"stopping_{part}.csv").open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([heads, *rows])
            readme, ends = FOLDER / "README.md", (f"<!-- {part} -->", f"<!-- /{part} -->")
            readme.write_text(replace_section(readme.read_text(), "\n".join(lines), *ends))


if __name__ == "__main__":
    main()
