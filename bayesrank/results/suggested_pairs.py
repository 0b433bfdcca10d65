"""Pairs to compare next."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.asking import (
    Goal,
    Told,
    choose_pairs,
    information,
    screen,
    sharpness,
    shortlist,
)

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.results.askable import Askable
    from bayesrank.results.suggestions import Price

__all__ = ["screened", "suggested_pairs", "suggestion_table"]

# Draws by which pairs are chosen. What is told of listed events is found from these alone, the rest
# also from the covariance of all: `benchmarks/suggestions.py` has what is lost.
_DRAWS, _DRAWS_OF_EVENTS = 500, 2000
_SCREENED = 2_000_000  # pairs times draws by which pairs are picked for a closer look
_FEWEST = 100  # draws
_LOOKED_AT = 2000  # pairs that are looked at more closely, and 20 for each that is wanted
_BLOCK = 2_000_000  # pairs times draws that are in memory together


def suggested_pairs(
    items: "Askable", goal: Goal, n: int, price: "Price", size: int = 2
) -> "pd.DataFrame":
    """Return the table of suggested pairs."""
    told = Told(items.scores, goal, len(items))
    left, right = _all_pairs(items)
    cost = price.of(np.column_stack([left, right]))
    if len(left) > _LOOKED_AT + 20 * n:
        value = told.worth(left, right, screened(items, left, right))
        keep = shortlist(value if cost is None else value / cost, left, right, _LOOKED_AT + 20 * n)
        left, right, cost = left[keep], right[keep], None if cost is None else cost[keep]
    draws = _DRAWS if goal.events is None else _DRAWS_OF_EVENTS
    alone, precise, _ = _measured(items, goal, told, left, right, draws)
    chosen, added = choose_pairs(alone, precise, left, right, told, n, cost)
    share, alone = added / np.maximum(alone[chosen], 1e-300), alone[chosen]
    left, right = _sides(items, left[chosen], right[chosen])
    before = Told(items.scores, goal, len(items))
    seen, _, mean = _measured(items, goal, before, left, right, _DRAWS_OF_EVENTS)
    if items.model.order_effect:
        alone = seen  # it is not the same from the other side
    cost = None if cost is None else cost[chosen]
    columns = np.column_stack([left, right])
    return suggestion_table(items, columns, alone * share, alone, cost, mean)


def _all_pairs(items: "Askable") -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of columns that may be asked about."""
    first = np.array([block * len(items) for block in items.askable_blocks])[:, None]
    left, right = np.triu_indices(len(items), 1)
    return (first + left).ravel(), (first + right).ravel()


def screened(items: "Askable", left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return how precise a measurement each of many pairs is, from some of the draws."""
    most = int(np.clip(_SCREENED // len(left), _FEWEST, _DRAWS_OF_EVENTS))
    used = items.fit.spaced_draws(most)
    bits = screen(items.outcomes, used, left, right)
    return sharpness(bits, Told(items.scores[used]).variance(left, right))


def _measured(
    items: "Askable", goal: Goal, told: Told, left: np.ndarray, right: np.ndarray, draws: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of each pair what it tells, how precisely, and the probabilities of its outcomes."""
    used = items.fit.spaced_draws(draws)
    events = None if goal.events is None else goal.events[used]
    wanted, every, means = [], [], []
    step = max(_BLOCK // len(used), 1)
    for first in range(0, len(left), step):
        block = slice(first, first + step)
        p = np.stack([items.outcomes(draw, left[block], right[block]) for draw in used], axis=2)
        all_of_it, of_events = information(p, events, goal.one)
        every.append(all_of_it)
        wanted.append(of_events)
        means.append(p.mean(axis=2))
    precise = sharpness(np.concatenate(every), Told(items.scores[used]).variance(left, right))
    # Of events that are not listed there is only what is roughly told of them.
    alone = told.worth(left, right, precise) if events is None else np.concatenate(wanted)
    return alone, precise, np.concatenate(means, axis=1)


def _sides(items: "Askable", left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return who is on the left: where that matters, whoever has been there less often."""
    if not items.model.order_effect:
        return left, right
    lead, left, right = items.lead(), left.copy(), right.copy()
    for row in range(len(left)):
        one, other = left[row] % len(items), right[row] % len(items)
        if lead[one] > lead[other]:
            left[row], right[row], one, other = right[row], left[row], other, one
        lead[one] += 1.0
        lead[other] -= 1.0
    return left, right


def suggestion_table(
    items: "Askable", columns: np.ndarray, gain: np.ndarray, alone: np.ndarray,
    cost: np.ndarray | None, outcomes: np.ndarray | None = None,
) -> "pd.DataFrame":  # fmt: skip
    """Return the table of suggestions.

    Parameters
    ----------
    items : Askable
    columns : ndarray of int, suggestions by items
        What is compared, as positions of columns.
    gain, alone : ndarray
        In bits.
    cost : ndarray, optional
    outcomes : ndarray, outcomes by suggestions, optional
        Probabilities.
    """
    import pandas as pd

    labels = np.empty(len(items), dtype=object)
    labels[:] = items.labels
    chosen, block = labels[columns % len(items)], columns[:, 0] // len(items)
    if items.model.draws_rankings:
        sets = np.empty(len(chosen), dtype=object)
        sets[:] = [tuple(row) for row in chosen]
        found: dict[str, Any] = {"items": sets}
    else:
        found = {"left": chosen[:, 0], "right": chosen[:, 1]}
    if items.categories:
        found["category"] = [items.categories[b - 1] for b in block]
    found |= {"gain": gain, "alone": alone}
    if outcomes is not None and not items.model.draws_rankings:
        found |= dict(zip(("p_left", "p_right", "p_tie"), outcomes, strict=False))
    if cost is not None:
        found |= {"cost": cost, "gain_per_cost": gain / cost}
    return pd.DataFrame(found)
