"""Situations at the extremes of what data and priors may be, for every likelihood."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS, RANKING_LIKELIHOODS

__all__ = ["AFTER", "LONG", "METHODS", "SITUATIONS", "Situation"]

METHODS = ("map", "laplace", "nuts", "advi", "objective")
AGENTS = 3


@dataclass(frozen=True)
class Situation:
    """Data, options of the fit, and what is known of the result beforehand.

    ``data`` takes a likelihood's name and returns data, or None where there are no such data for
    it. ``sd`` is the posterior standard deviation of the scores before they are made to sum to
    zero, where the prior alone settles it.
    """

    data: object
    options: dict = field(default_factory=dict)
    methods: tuple = METHODS[:4]
    sd: float | None = None


def _ties(likelihood):
    """Whether a likelihood knows ties, or order that was not seen."""
    if likelihood in PAIR_LIKELIHOODS:
        return PAIR_LIKELIHOODS[likelihood].tie is not None
    return likelihood in RANKING_LIKELIHOODS and RANKING_LIKELIHOODS[likelihood].ties != "none"


def _comparisons(likelihood, rows):
    """Return comparisons from rows of left, right, wins, losses, ties."""
    frame = pd.DataFrame(list(rows), columns=["left", "right", "wins", "losses", "ties"])
    if likelihood != "mpm":
        return br.Comparisons.from_counts(frame)
    frame["agent"] = np.arange(len(frame)) % AGENTS
    return br.Comparisons.from_counts(frame, agent="agent")


def _rankings(likelihood, lists, **options):
    """Return rankings from lists, by several agents where these matter."""
    if likelihood == "mpm":
        options["agents"] = [k % AGENTS for k in range(len(lists))]
    return br.Rankings.from_lists(lists, **({"unranked": "not offered"} | options))


def by_pairs(likelihood):
    """Whether the situations take pairs for a likelihood, or rankings."""
    return likelihood not in RANKING_LIKELIHOODS


def tournament(likelihood, items, rounds=5, weight=1):
    """Return results of items with normal scores, each of which is in as many rounds.

    Items are paired at random in each round, or meet in rankings of five. One pair in five ties,
    and the first two of every third ranking, where the likelihood knows ties.
    """
    rng = np.random.default_rng(items)
    score, ties = rng.standard_normal(items), _ties(likelihood)
    if by_pairs(likelihood):
        half = items // 2
        shuffled = np.array([rng.permutation(items)[: 2 * half] for _ in range(rounds)])
        left, right = shuffled[:, :half].ravel(), shuffled[:, half:].ravel()
        wins = score[left] - score[right] + rng.logistic(size=left.size) > 0
        tied = (np.arange(left.size) % 5 == 4) & ties
        counts = np.stack([wins & ~tied, ~wins & ~tied, tied], axis=1) * weight
        rows = [(*pair, *count) for *pair, count in zip(left, right, counts, strict=True)]
        return _comparisons(likelihood, rows)
    slots, lists = min(5, items), []
    for _ in range(rounds):
        order = rng.permutation(items)
        utility = score + rng.gumbel(size=items)
        for start in range(0, items - slots + 1, slots):
            chosen = order[start : start + slots]
            best = chosen[np.argsort(-utility[chosen])].tolist()
            if ties and slots > 2 and len(lists) % 3 == 2:
                best = [best[:2], *best[2:]]
            lists.append(best)
    weights = None if weight == 1 else np.full(len(lists), float(weight))
    return _rankings(likelihood, lists, items=list(range(items)), weights=weights)


def _circle(likelihood, weight=1):
    """Return results of five items, each of which won and lost: all estimates exist."""
    if by_pairs(likelihood):
        tie = weight if _ties(likelihood) else 0
        rows = [
            (i, j, (2 if i < j else 1) * weight, weight, tie)
            for i in range(5) for j in range(5) if i != j
        ]  # fmt: skip
        return _comparisons(likelihood, rows)
    lists = [[(i + k) % 5 for k in range(5)] for i in range(5)] + [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3]]
    if _ties(likelihood):
        lists += [[0, [1, 2], 3, 4], [[3, 4], 1, 0, 2], [2, 4, [0, 3], 1]]
    weights = None if weight == 1 else np.full(len(lists), float(weight))
    return _rankings(likelihood, lists, weights=weights)


def two_items(likelihood):
    """Return three results between two items."""
    if by_pairs(likelihood):
        return _comparisons(likelihood, [(0, 1, 2, 1, int(_ties(likelihood)))])
    return _rankings(likelihood, [[0, 1], [0, 1], [1, 0]])


def one_result(likelihood):
    """Return a single game, or a single ranking of three."""
    if by_pairs(likelihood):
        return _comparisons(likelihood, [(0, 1, 1, 0, 0)])
    return _rankings(likelihood, [[0, 1, 2]])


def all_ties(likelihood, wins=0, ties=4):
    """Return ties between all of four items, and so many wins of one of them over another."""
    if not _ties(likelihood):
        return None
    if by_pairs(likelihood):
        rows = [(i, j, wins * (i + j == 1), 0, ties) for i in range(4) for j in range(i)]
        return _comparisons(likelihood, rows)
    lists = [[[0, 1, 2, 3]], [[0, 1]], [[2, 3]]]
    return _rankings(
        likelihood, lists + [[0, 1]] * wins, weights=np.array([ties] * 3 + [1] * wins, float)
    )


def one_always_wins(likelihood):
    """Return results of five items of which the first always wins and the others share."""
    if by_pairs(likelihood):
        rows = [(0, j, 20, 0, 0) for j in range(1, 5)]
        rows += [(i, j, 2, 2, int(_ties(likelihood))) for j in range(1, 5) for i in range(1, j)]
        return _comparisons(likelihood, rows)
    return _rankings(likelihood, [[0, *np.roll([1, 2, 3, 4], k).tolist()] for k in range(20)])


def total_order(likelihood):
    """Return results of ten items that always come in the same order."""
    if by_pairs(likelihood):
        return _comparisons(likelihood, [(i, j, 20, 0, 0) for j in range(10) for i in range(j)])
    return _rankings(likelihood, [list(range(10))] * 20)


def never_compared(likelihood):
    """Return results of five items and a sixth without any."""
    known = _circle(likelihood)
    if by_pairs(likelihood):
        frame = known.to_frame()
        rest = frame.iloc[[-1]].assign(left=4, right=5, wins=0, losses=0, ties=0)
        agent = "agent" if likelihood == "mpm" else None
        return br.Comparisons.from_counts(pd.concat([frame, rest]), agent=agent)
    return br.Rankings(known.entries, known.ranks, list(range(6)))


def disconnected(likelihood):
    """Return results of two groups of three items that never met."""
    if by_pairs(likelihood):
        tie = int(_ties(likelihood))
        pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
        return _comparisons(likelihood, [(i, j, 3, 2, tie) for i, j in pairs])
    groups = ([0, 1, 2], [3, 4, 5])
    return _rankings(likelihood, [np.roll(g, k).tolist() for g in groups for k in (0, 0, 1, 2)])


def identical(likelihood, times):
    """Return the same game, or ranking of three, over and over."""
    if by_pairs(likelihood):
        return _comparisons(likelihood, [(0, 1, times, 0, 0), (1, 2, times, 0, 0)])
    return _rankings(likelihood, [[0, 1, 2]], weights=np.array([float(times)]))


def uneven(likelihood, times):
    """Return so many results between two items, and a handful that link two others to them."""
    if by_pairs(likelihood):
        return _comparisons(likelihood, [(0, 1, times, times, 0), (1, 2, 0, 5, 0), (2, 3, 4, 1, 0)])
    weights = np.array([times, times, 5.0, 3.0, 1.0])
    return _rankings(likelihood, [[0, 1], [1, 0], [2, 1, 0], [2, 3], [3, 2]], weights=weights)


def one_ranking(likelihood, items):
    """Return one ranking of many items."""
    if likelihood in PAIR_LIKELIHOODS:
        return None
    return _rankings(likelihood, [np.random.default_rng(1).permutation(items).tolist()])


def large_ties(likelihood, size):
    """Return three rankings with a tie of many items before, between or after ten others."""
    if likelihood in PAIR_LIKELIHOODS or likelihood == "plackett-luce":
        return None
    rest, tied = list(range(10)), list(range(10, 10 + size))
    return _rankings(likelihood, [[*rest, tied], [*rest[:5], tied, *rest[5:]], [tied, *rest[::-1]]])


ALL, NOT_SLOW, MODES = METHODS[:4], METHODS[:3], METHODS[:2]
SITUATIONS = {
    "extreme vectors": Situation(_circle, {"scale": (1.0, np.inf, 1e-6, 1e6)}, ("objective",)),
    "extreme vectors, learned scale": Situation(
        _circle, {"centered": (True, False)}, ("objective",)
    ),
    "2 items": Situation(two_items),
    "one result": Situation(one_result),
    "all ties": Situation(all_ties),
    "a million ties, one win": Situation(partial(all_ties, wins=1, ties=1_000_000)),
    "one always wins": Situation(one_always_wins),
    "always one order": Situation(total_order),
    "item never compared": Situation(never_compared),
    "disconnected groups": Situation(disconnected),
    "1e6 results": Situation(partial(_circle, weight=1_000_000)),
    "1e6 identical results": Situation(partial(identical, times=1_000_000)),
    "1e12 identical results": Situation(partial(identical, times=10**12)),
    "1e6 results beside ten": Situation(partial(uneven, times=10**6)),
    "1e8 results beside ten": Situation(partial(uneven, times=10**8)),
    "1e10 results beside ten": Situation(partial(uneven, times=10**10)),
    "weights 1e-6": Situation(partial(_circle, weight=1e-6), {"scale": 1.0}, sd=1.0),
    "scale 1e-6": Situation(_circle, {"scale": 1e-6}, sd=1e-6),
    "scale 1e-3": Situation(_circle, {"scale": 1e-3}, sd=1e-3),
    "scale 1e3": Situation(_circle, {"scale": 1e3}),
    "scale 1e6": Situation(_circle, {"scale": 1e6}),
    "scale 1e6, always one order": Situation(total_order, {"scale": 1e6}),
    "scale inf": Situation(_circle, {"scale": np.inf}, MODES),
    "scale inf, one always wins": Situation(one_always_wins, {"scale": np.inf}, MODES),
    "scale inf, one order": Situation(total_order, {"scale": np.inf}, MODES),
    "scale inf, disconnected": Situation(disconnected, {"scale": np.inf}, MODES),
    "scale inf, never compared": Situation(never_compared, {"scale": np.inf}, MODES),
    "scale inf, 1e6 results": Situation(partial(_circle, weight=10**6), {"scale": np.inf}, MODES),
    "scale inf, weights 1e-6": Situation(partial(_circle, weight=1e-6), {"scale": np.inf}, MODES),
    "ties of 50": Situation(partial(large_ties, size=50), methods=NOT_SLOW),
    "ranking of 1,000": Situation(partial(one_ranking, items=1000), methods=NOT_SLOW),
    "ranking of 5,000": Situation(partial(one_ranking, items=5000), methods=MODES),
    "10 items": Situation(partial(tournament, items=10)),
    "100 items": Situation(partial(tournament, items=100)),
    "1,000 items": Situation(partial(tournament, items=1000), methods=NOT_SLOW),
    "10,000 items": Situation(partial(tournament, items=10_000), methods=MODES),
    "100,000 items": Situation(partial(tournament, items=100_000), methods=MODES),
}
# What takes long, and what is not tried where the smaller one was too much.
LONG = ("ranking of 1,000", "ranking of 5,000", "1,000 items", "10,000 items", "100,000 items")
AFTER = {"ranking of 5,000": "ranking of 1,000"}
