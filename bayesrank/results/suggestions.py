"""What to compare next."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
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
from bayesrank.data.checks import is_whole_number, whole_number
from bayesrank.results.askable import Askable
from bayesrank.results.parts import FitPart
from bayesrank.text import argument, either, listing, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GOALS", "Suggestions"]

GOALS: dict[str, Callable[..., Goal]] = {
    "order": lambda scores, k: Goal.order(scores),
    "best": lambda scores, k: Goal.best(scores),
    "top": Goal.top,
}
_DRAWS = 2000  # the information of a pair is then right to 3 % (one standard error)
_SCREENING = 2_000_000  # pairs times draws by which pairs are picked for a closer look
_FEWEST = 100
_BLOCK = 2_000_000  # pairs times draws that are looked at together
_MOST_ITEMS = 5_000


class Suggestions(FitPart):
    """What to compare next."""

    def suggest(
        self, n: int = 10, *, goal: str = "order", k: int | None = None,
        among: Sequence[Any] | None = None, cost: Any = None, size: int | None = None,
        agent: Any = None, category: Any = None, at: Any = None, seed: int | None = None,
    ) -> "pd.DataFrame":  # fmt: skip
        """Return what to compare next, the most useful first.

        How useful a comparison is, is what its result is expected to tell, in bits. A comparison of
        equals whose scores are uncertain tells much, one whose result is nearly sure tells
        little. What the ones above it in the table will have told is not counted again.

        Parameters
        ----------
        n : int
            How many. Each pair comes once before any comes again.
        goal : {"order", "best", "top"}
            What is to be known: the scores of all items; who is the best; or who is among the
            first ``k``.
        k : int, optional
            For "top": how many are wanted. With ``k=1`` it asks of each item whether it is the
            best, and adds that up; "best" asks who it is, which is one question.
        among : list, optional
            Items to be compared, of which the goal is about; by default all that are ranked. Labels
            that the data do not have are new items, of which only the prior is known.
        cost : mapping or function, optional
            What an item costs, by its label, a comparison costing as much as its items
            together; or a function that returns what the comparison of a tuple of items costs.
            Then the most useful for their cost come first.
        size : int, optional
            Of rankings: how many items are ranked together; by default as many as is usual in
            the data.
        agent : label, optional
            Who is asked; by default an average agent. For models in which agents differ.
        category : label, optional
            In which category, which the goal is then about, too; by default over all. For scores
            that differ between categories.
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.
        seed : int, optional
            For the scores of new items, and the rankings that are tried.

        Returns
        -------
        pandas.DataFrame
            One row per comparison: left and right; gain, by how many bits what is open is
            expected to fall, beyond the rows above; alone, the same without these; p_left,
            p_right and p_tie, the probabilities of the outcomes; and, if costs were given, cost and
            gain_per_cost. ``attrs`` has the goal, and as ``open`` how many bits are open now: of
            who is best; of who is among the first, summed over items; of who is above whom, summed
            over pairs.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.suggest(3, goal="best")[["left", "right"]]
                left      right
        0    Detroit  Milwaukee
        1  Milwaukee    Toronto
        2  Milwaukee   New York
        """
        view = self if at is None else self.at(at)
        view = view if category is None else view.in_category(category)
        view._require_draws("suggest")
        view._require_one_instance("suggest()")
        whole_number("n", n, 1)
        _require_askable(view.specification)
        items = Askable(view, among, _agent(view, agent), np.random.default_rng(seed))
        wanted = _goal(goal, k, items)
        size = _size(view.specification, size, len(items.labels))
        price = _Price(cost, items.labels)
        table = _pairs(items, wanted, n, price)
        table.attrs = {"goal": goal, "open": wanted.entropy, "new_items": items.new}
        if k is not None:
            table.attrs["k"] = k
        return table


def _require_askable(specification: Any) -> None:
    if specification.of_preferences:
        raise ValueError(
            f'"{specification.likelihood}" takes which pairs agents compare as part of what they '
            "prefer, so that pairs that somebody chose would mislead it: fit another model to "
            "these data."
        )


def _goal(goal: str, k: int | None, items: Askable) -> Goal:
    """Return the goal, or say what it may be."""
    if goal not in GOALS:
        known = either([f'"{name}"' for name in GOALS])
        raise ValueError(f"{argument('goal')} must be {known}, got {goal!r}.")
    if goal != "top" and k is not None:
        raise ValueError(f"{argument('k')} is for {option('goal', 'top')}, not for {goal!r}.")
    count = len(items.labels)
    if goal == "top" and (k is None or not (is_whole_number(k, 1) and k < count)):
        raise ValueError(
            f"{option('goal', 'top')} needs {argument('k')}, a whole number from 1 to one less "
            f"than the number of items, {count - 1}, got {k!r}."
        )
    if count > _MOST_ITEMS:
        raise ValueError(
            f"Suggestions are for {_MOST_ITEMS:,} items at most, and there are {count:,}: give "
            f"those that matter as {argument('among')}."
        )
    return GOALS[goal](items.scores, k)


def _size(specification: Any, size: Any, items: int) -> int:
    """Return how many items are compared at a time."""
    if size is None:
        return 2
    whole_number("size", size, 2)
    if not specification.draws_rankings and size != 2:
        raise ValueError(f"{argument('size')} is for rankings; a comparison has 2 items.")
    if size > items:
        raise ValueError(
            f"{argument('size')} must be at most the number of items, {items}, got {size}."
        )
    return size


def _agent(fit: Any, agent: Any) -> int | None:
    """Return the position of an agent, or say who may be asked."""
    if agent is None:
        return None
    name, data, varying = argument("agent"), fit.specification.data, fit.specification.varying
    if not varying.by_agent:
        raise ValueError(
            f"{name} is for models in which agents differ; fit with "
            f"{option('discrimination', 'by-agent')}, {option('order_effect', 'by-agent')} or "
            f"{option('ties', 'by-agent')}."
        )
    if agent not in data.agents:
        raise ValueError(f"{name} must be one of {listing(data.agents)}, got {agent!r}.")
    position: int = data.agents.index(agent)
    return position


class _Price:
    """What comparisons cost.

    Parameters
    ----------
    cost : mapping or function, optional
    labels : list
    """

    def __init__(self, cost: Any, labels: list[Any]) -> None:
        self.cost, self.labels, self.by_item = cost, labels, None
        if isinstance(cost, Mapping) or hasattr(cost, "items"):
            known = dict(cost.items())
            missing = [label for label in labels if label not in known]
            if missing:
                raise ValueError(f"{argument('cost')} has no number for {listing(missing)}.")
            for label in labels:
                self._require_positive(known[label], label)
            self.by_item = np.array([float(known[label]) for label in labels])
        elif cost is not None and not callable(cost):
            raise TypeError(
                f"{argument('cost')} must be a mapping from items to numbers, or a function of a "
                f"tuple of items, got {cost!r}."
            )

    def __bool__(self) -> bool:
        return self.cost is not None

    def of(self, *columns: np.ndarray) -> np.ndarray:
        """Return the cost of each comparison; each column holds positions of items."""
        if self.by_item is not None:
            total: np.ndarray = sum(self.by_item[column] for column in columns)
            return total
        found = np.empty(len(columns[0]))
        for row, places in enumerate(zip(*columns, strict=True)):
            of = tuple(self.labels[place] for place in places)
            value = self.cost(of)
            self._require_positive(value, of)
            found[row] = value
        return found

    @staticmethod
    def _require_positive(value: Any, of: Any) -> None:
        real = isinstance(value, Real) and not isinstance(value, bool)
        if not (real and 0.0 < value < np.inf):
            raise ValueError(
                f"{argument('cost')} must hold positive numbers, got {value!r} for {of!r}."
            )


def _pairs(items: Askable, goal: Goal, n: int, price: _Price) -> "pd.DataFrame":
    """Return the table of suggested pairs."""
    told = Told(items.scores, goal.events)
    left, right = np.triu_indices(len(items.labels), 1)
    cost = price.of(left, right) if price else None
    keep = _promising(items, told, left, right, cost, n)
    left, right, cost = left[keep], right[keep], None if cost is None else cost[keep]
    gain, precise, _ = _measure(items, goal, told, left, right)
    chosen, added = choose_pairs(gain, precise, left, right, told, n, cost)
    left, right = _sides(items, left[chosen], right[chosen])
    share = added / np.maximum(gain[chosen], 1e-300)
    gain, _, mean = _measure(items, goal, told, left, right)
    return _table(
        items, left, right, gain * share, gain, mean, None if cost is None else cost[chosen]
    )


def _draws(items: Askable, most: int) -> np.ndarray:
    """Return draws, evenly spaced."""
    spaced: np.ndarray = items.fit.spaced_draws(most)
    return spaced


def _promising(
    items: Askable, told: Told, left: np.ndarray, right: np.ndarray, cost: np.ndarray | None, n: int
) -> np.ndarray:
    """Return the positions of pairs that deserve a closer look."""
    size = 2000 + 20 * n
    if len(left) <= size:
        return np.arange(len(left))
    used = _draws(items, int(np.clip(_SCREENING // len(left), _FEWEST, _DRAWS)))
    bits = screen(items.outcomes, used, left, right)
    here = Told(items.scores[used])
    precise = sharpness(bits, here.variance(left, right))
    value = told.worth(left, right, precise)
    return shortlist(value if cost is None else value / cost, left, right, size)


def _measure(
    items: Askable, goal: Goal, told: Told, left: np.ndarray, right: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of each pair what it tells, how sharply, and the probabilities of its outcomes."""
    used = _draws(items, _DRAWS)
    events = None if goal.events is None else goal.events[used]
    variance = Told(items.scores[used]).variance(left, right)
    gain, every, means = [], [], []
    step = max(_BLOCK // len(used), 1)
    for first in range(0, len(left), step):
        block = slice(first, first + step)
        p = np.stack([items.outcomes(draw, left[block], right[block]) for draw in used], axis=2)
        all_of_it, wanted = information(p, events, goal.one)
        gain.append(wanted)
        every.append(all_of_it)
        means.append(p.mean(axis=2))
    precise = sharpness(np.concatenate(every), variance)
    return np.concatenate(gain), precise, np.concatenate(means, axis=1)


def _sides(items: Askable, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return who is on the left: where that matters, whoever has been there less often."""
    if not items.model.order_effect:
        return left, right
    lead, left, right = items.sides(), left.copy(), right.copy()
    for row in range(len(left)):
        if lead[left[row]] > lead[right[row]]:
            left[row], right[row] = right[row], left[row]
        lead[left[row]] += 1.0
        lead[right[row]] -= 1.0
    return left, right


def _table(
    items: Askable, left: np.ndarray, right: np.ndarray, gain: np.ndarray, alone: np.ndarray,
    mean: np.ndarray, cost: np.ndarray | None,
) -> "pd.DataFrame":  # fmt: skip
    import pandas as pd

    labels = np.empty(len(items.labels), dtype=object)
    labels[:] = items.labels
    columns = {"left": labels[left], "right": labels[right], "gain": gain, "alone": alone}
    columns |= dict(zip(("p_left", "p_right", "p_tie"), mean, strict=False))
    if cost is not None:
        columns |= {"cost": cost, "gain_per_cost": gain / cost}
    return pd.DataFrame(columns)
