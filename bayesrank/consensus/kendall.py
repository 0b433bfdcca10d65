"""The order with the fewest expected reversals of pairs (Kemeny's rule on posterior draws).

Given P(i above j) for all pairs, the expected Kendall distance of an order is the sum over its
pairs of the probability that they are the other way round. To minimise it is the linear ordering
problem. Items fall into knots: sets in which majorities (P above one half) form cycles. Between
knots all majorities agree, so every best order has the knots in their order, and only the inside
of a knot is a search. Inside, an integer program with a variable x_ij for each pair, 1 where i is
before j, and 0 <= x_ij + x_jk - x_ik <= 1 for each triple. The triples are added when they are
violated; each relaxation on the way is a lower bound, and shifting single items of its rounded
solution gives an order. The two meet, or their gap is reported. A lower bound that needs no
program, and is all that very large knots get, counts majorities that run in a circle of three:
every order goes against one of them.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from bayesrank.progress import progress_bar

__all__ = ["EXACT_KNOT", "expected_reversals", "fewest_reversals"]

EXACT_KNOT = 20  # items of a knot that is always solved to the end, whatever time it takes
_LARGEST_PROGRAM = 300  # items of a knot for which programs are solved within reasonable time
_TRIPLES = 5_000  # violated triples that are added at once, the worst first
_PRECISION = 1e-9  # of a sum of probabilities


def expected_reversals(above: np.ndarray, order: np.ndarray) -> float:
    """Return the expected number of pairs that an order has the other way round."""
    sorted_above = above[np.ix_(order, order)]
    return float(np.tril(sorted_above, -1).sum())


def fewest_reversals(above: np.ndarray, seconds: float = 30.0) -> tuple[np.ndarray, float]:
    """Return the best order that was found, and a lower bound of its expected reversals.

    Parameters
    ----------
    above : ndarray, items by items
        Probability that the row's item is above the column's.
    seconds : float
        For all knots of more than `EXACT_KNOT` items together.
    """
    count, knot = connected_components(csr_array(above >= above.T), connection="strong")
    wins = (above > above.T).sum(axis=1)
    knots = [np.flatnonzero(knot == k) for k in range(count)]
    knots.sort(key=lambda members: -wins[members].mean())
    slack, end = 0.0, monotonic() + seconds
    with progress_bar("Kendall consensus", None) as advance:
        for members in sorted(knots, key=len):
            if len(members) > 1:
                inside = above[np.ix_(members, members)]
                within, bound = _untie(inside, end, advance)
                slack += expected_reversals(inside, within) - bound
                members[:] = members[within]
    order = np.concatenate(knots)
    return order, expected_reversals(above, order) - slack


def _untie(above: np.ndarray, end: float, advance: Callable[[], None]) -> tuple[np.ndarray, float]:
    """Return the order of a knot and a lower bound."""
    n = len(above)
    end = np.inf if n <= EXACT_KNOT else end
    order = shift_items(above, np.argsort(-above.sum(axis=1), kind="stable"))
    best = expected_reversals(above, order)
    first, second = np.triu_indices(n, 1)
    cost = above[second, first] - above[first, second]
    constant = above[first, second].sum()
    bound = constant + np.minimum(cost, 0.0).sum() + _circles(above, order)
    rows = np.empty((0, 3), dtype=int)
    whole = False  # whether variables must be whole numbers
    while best - bound > _PRECISION and n <= _LARGEST_PROGRAM:
        left = end - monotonic()
        if left <= 0:
            break
        advance()
        found = _relaxation(cost, rows, n, whole, left)
        if found is None:
            break
        x, value = found
        bound = max(bound, constant + value)
        matrix = np.zeros((n, n))
        matrix[first, second], matrix[second, first] = x, 1.0 - x
        candidate = shift_items(above, np.argsort(-matrix.sum(axis=1), kind="stable"))
        if (reached := expected_reversals(above, candidate)) < best:
            order, best = candidate, reached
        violated = _violated(matrix)
        if len(violated):
            rows = np.concatenate([rows, violated])
        elif whole:
            break  # an order, and the best one
        else:
            whole = True
    return order, min(bound, best)


def _circles(above: np.ndarray, order: np.ndarray) -> float:
    """Return what every order loses at least to circles of three majorities.

    Each majority, by how much it exceeds its minority, is shared out among circles. One that
    stands against the order closes circles with the items between its two, those that stand near
    each other first, as they have the fewest.
    """
    left = np.maximum((above - above.T)[np.ix_(order, order)], 0.0)
    later, earlier = np.nonzero(np.tril(left, -1))
    total = 0.0
    for e in np.argsort(later - earlier, kind="stable"):
        i, j = later[e], earlier[e]
        between = np.minimum(left[j, j + 1 : i], left[j + 1 : i, i])
        largest = np.argsort(-between)
        share = np.diff(np.minimum(np.cumsum(between[largest]), left[i, j]), prepend=0.0)
        items = j + 1 + largest
        left[j, items] -= share
        left[items, i] -= share
        total += share.sum()
    return total


def _relaxation(
    cost: np.ndarray, rows: Any, n: int, whole: bool, seconds: float
) -> tuple[np.ndarray, float] | None:
    """Return the best variables under some of the triples, and a lower bound of their cost."""
    constraints = ()
    if len(rows):
        i, j, k = rows.T
        columns = np.stack([_pair(i, j, n), _pair(j, k, n), _pair(i, k, n)], axis=1)
        values = np.tile([1.0, 1.0, -1.0], len(rows))
        # The solver of SciPy 1.13 takes positions of 32 bits only.
        columns, start = columns.ravel(), np.arange(0, values.size + 1, 3)
        matrix = csr_array((values, columns.astype(np.int32), start.astype(np.int32)))
        matrix.resize(len(rows), len(cost))
        constraints = LinearConstraint(matrix, 0.0, 1.0)
    options = {"mip_rel_gap": 0.0}
    if np.isfinite(seconds):
        options["time_limit"] = seconds
    result = milp(
        cost, integrality=np.full(len(cost), int(whole)), bounds=Bounds(0.0, 1.0),
        constraints=constraints, options=options,
    )  # fmt: skip
    if result.x is None or (result.status != 0 and not whole):
        return None  # out of time
    value = result.mip_dual_bound if whole else result.fun
    return np.clip(result.x, 0.0, 1.0), value


def _pair(i: Any, j: Any, n: int) -> Any:
    """Return the position of the pair i < j in the upper triangle, row by row."""
    return i * n - i * (i + 1) // 2 + j - i - 1


def _violated(x: np.ndarray) -> np.ndarray:
    """Return the triples i < j < k that no order has, the worst ones first."""
    n = len(x)
    found, amount = [], []
    for i in range(n - 2):
        # Rows j and columns k, all above i.
        total = x[i, i + 1 :, None] + x[i + 1 :, i + 1 :] - x[i, i + 1 :]
        excess = np.triu(np.maximum(total - 1.0, -total), 1)
        j, k = np.nonzero(excess > 1e-6)
        found.append(np.stack([np.full(len(j), i), i + 1 + j, i + 1 + k], axis=1))
        amount.append(excess[j, k])
    worst = np.argsort(-np.concatenate(amount), kind="stable")[:_TRIPLES]
    return np.concatenate(found)[worst]


def shift_items(above: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return an order that no shift of a single item makes better."""
    order = np.array(order)
    n = len(order)
    gain = above - above.T
    for _ in range(n):
        moved = False
        for item in order.copy():
            at = int(np.flatnonzero(order == item)[0])
            rest = np.delete(order, at)
            # Cost of standing before the first, after the first, after the second, and so on.
            cost = np.concatenate([[0.0], np.cumsum(gain[item, rest])])
            to = int(np.argmin(cost))
            if cost[to] < cost[at] - _PRECISION:
                order = np.insert(rest, to, item)
                moved = True
        if not moved:
            break
    return order
