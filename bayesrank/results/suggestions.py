"""What to compare next."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.asking import Goal
from bayesrank.data.checks import is_whole_number, whole_number
from bayesrank.results.askable import Askable
from bayesrank.results.parts import FitPart
from bayesrank.results.suggested_pairs import suggested_pairs
from bayesrank.results.suggested_sets import suggested_sets
from bayesrank.text import argument, either, listing, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GOALS", "Suggestions"]

GOALS: dict[str, Callable[[np.ndarray, int | None], Goal]] = {
    "order": lambda scores, k: Goal.order(scores),
    "best": lambda scores, k: Goal.best(scores),
    "top": lambda scores, k: Goal.top(scores, k or 1),
    "scores": lambda scores, k: Goal.of_scores(scores),
}
_MOST_ITEMS = 2_000
_USUAL = 10  # items that are ranked together, at most, where nobody says how many


class Suggestions(FitPart):
    """What to compare next."""

    def suggest(
        self, n: int = 10, *, goal: str = "order", k: int | None = None,
        among: Sequence[Any] | None = None, cost: Any = None, size: int | None = None,
        agent: Any = None, category: Any = None, at: Any = None, seed: int | None = None,
    ) -> "pd.DataFrame":  # fmt: skip
        """Return what to compare next, the most useful first.

        A comparison is as useful as its result is expected to tell about the goal, in bits. One bit
        is what a coin tells. Equals of whom little is known tell much; where the result is nearly
        sure, or decides nothing, it tells little. What the comparisons above it in the table will
        have told is not counted again.

        Parameters
        ----------
        n : int
            How many. Each comes once before any comes again.
        goal : {"order", "best", "top", "scores"}
            What is to be known: who is above whom, summed over all pairs; who is the best; who is
            among the first ``k``, summed over the items; or the scores, whatever for.
        k : int, optional
            For "top". With ``k=1`` it asks of each item whether it is the best, where "best" asks
            who it is: that is one question, and its bits are fewer.
        among : list, optional
            The items to be compared, which the goal is about; by default all that are ranked.
            Labels that the data do not have are new items, of which only the prior is known.
        cost : mapping or function, optional
            What an item costs, by its label, a comparison costing as much as its items
            together; or a function that returns what the comparison of a tuple of items costs.
            Then those that tell most for their cost come first.
        size : int, optional
            Of rankings: how many items are ranked together; by default as many as is usual in
            the data, ten at most.
        agent : label, optional
            Who is asked, in models in which agents differ; by default an average agent.
        category : label or list, optional
            Where scores differ between categories: in which one, and the goal is about it, too. Of
            several, or of "all" of them, those are chosen that tell most about the ranking over all
            of them. By default the comparison is in no category, and so over all.
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.
        seed : int, optional
            For the scores of new items, and for rankings that are tried.

        Returns
        -------
        pandas.DataFrame
            One row per comparison: left and right, or for rankings items, a tuple; category, if
            there are several; gain, by how many bits what is open is expected to fall, beyond what
            the rows above do; alone, the same without these; for pairs p_left, p_right and p_tie,
            the probabilities of the outcomes; and cost and gain_per_cost, if there are costs.
            ``attrs`` has the goal, as ``open`` how many bits of it are open now, and as
            ``new_items`` those that the data do not have.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.suggest(3, goal="best")[["left", "right", "gain"]].round(3)
                left      right   gain
        0    Detroit  Milwaukee  0.008
        1  Milwaukee    Toronto  0.006
        2  Milwaukee   New York  0.005
        """
        _require_askable(self.specification)
        whole_number("n", n, 1)
        view, categories = self if at is None else self.at(at), None
        if _several(category):
            view._require_categories("suggest()")
            categories = _categories(category, self.specification.data.categories)
        elif category is not None:
            view = view.in_category(category)
        asked = _agent(self, agent)
        items = Askable(view, among, categories, asked, np.random.default_rng(seed))
        size = _size(self.specification, size, len(items))
        wanted = _goal(goal, k, items)
        price = Price(cost, items.labels)
        make = suggested_pairs if size == 2 else suggested_sets
        if wanted.is_settled:
            warnings.warn(
                f"Nothing is open: {option('goal', goal)} has the same answer in nearly all draws. "
                "These comparisons are those that tell most of the scores.",
                stacklevel=2,
            )
        table = make(
            items, Goal.of_scores(items.scores) if wanted.is_settled else wanted, n, price, size
        )
        table.attrs = {"goal": goal, "new_items": items.new}
        if np.isfinite(wanted.open):
            table.attrs["open"] = wanted.open
        return table


def _require_askable(specification: Any) -> None:
    if specification.of_preferences:
        raise ValueError(
            f'"{specification.likelihood}" takes which pairs agents compare for a part of what '
            "they prefer, so that pairs which somebody chose for them would mislead it. Fit "
            "another model to these data for suggestions."
        )


def _several(category: Any) -> bool:
    return isinstance(category, list | tuple) or category == "all"


def _categories(category: Any, known: list[Any]) -> list[Any]:
    """Return several categories."""
    if category == "all":
        return list(known)
    unknown = [label for label in category if label not in known]
    if unknown or not category or len(set(category)) < len(category):
        raise ValueError(
            f"{argument('category')} must hold some of {listing(known)}, each once, got "
            f"{category!r}."
        )
    return list(category)


def _goal(goal: str, k: int | None, items: Askable) -> Goal:
    """Return the goal, or say what it may be."""
    count = len(items)
    if goal not in GOALS:
        known = either([f'"{name}"' for name in GOALS])
        raise ValueError(f"{argument('goal')} must be {known}, got {goal!r}.")
    if goal != "top" and k is not None:
        raise ValueError(
            f"{argument('k')} is for {option('goal', 'top')}, not for {option('goal', goal)}."
        )
    if goal == "top" and (k is None or not (is_whole_number(k, 1) and k < count)):
        raise ValueError(
            f"{option('goal', 'top')} needs {argument('k')}, a whole number from 1 to one less "
            f"than the number of items, {count - 1}, got {k!r}."
        )
    if items.scores.shape[1] > _MOST_ITEMS:
        raise ValueError(
            f"Suggestions are among {_MOST_ITEMS:,} items at most, in each category anew, and "
            f"there are {items.scores.shape[1]:,}: give those that matter as {argument('among')}."
        )
    return GOALS[goal](items.goal_scores, k)


def _size(specification: Any, size: Any, items: int) -> int:
    """Return how many items are compared at a time."""
    if not specification.draws_rankings:
        if size is not None and (isinstance(size, bool) or size != 2):
            raise ValueError(
                f"{argument('size')} is for rankings; a comparison has 2 items, got {size!r}."
            )
        return 2
    if size is None:
        usual = int(np.median(specification.data.sizes))
        return max(2, min(usual, _USUAL, items))
    whole_number("size", size, 2)
    if size > items:
        raise ValueError(
            f"{argument('size')} must be at most the number of items, {items}, got {size}."
        )
    return int(size)


def _agent(fit: Any, agent: Any) -> int | None:
    """Return the position of an agent, or say who may be asked."""
    if agent is None:
        return None
    name, data = argument("agent"), fit.specification.data
    if not fit.specification.varying.by_agent:
        raise ValueError(
            f"{name} is for models in which agents differ: fit with "
            f"{option('discrimination', 'by-agent')}, {option('order_effect', 'by-agent')} or "
            f"{option('ties', 'by-agent')}."
        )
    if agent not in data.agents:
        raise ValueError(f"{name} must be one of {listing(data.agents)}, got {agent!r}.")
    position: int = data.agents.index(agent)
    return position


class Price:
    """What comparisons cost.

    Parameters
    ----------
    cost : mapping or function, optional
    labels : list

    Attributes
    ----------
    by_item : ndarray, optional
        What each item costs, if that is what was given.
    """

    def __init__(self, cost: Any, labels: list[Any]) -> None:
        self.cost, self.labels, self.by_item = cost, labels, None
        if cost is None or callable(cost):
            return
        if not (isinstance(cost, Mapping) or hasattr(cost, "items")):
            raise TypeError(
                f"{argument('cost')} must be a mapping from items to numbers, or a function of a "
                f"tuple of items, got {cost!r}."
            )
        known = dict(cost.items())
        missing = [label for label in labels if label not in known]
        if missing:
            raise ValueError(f"{argument('cost')} has no number for {listing(missing)}.")
        self.by_item = np.array([_positive(known[label], label) for label in labels])

    def of(self, items: np.ndarray) -> np.ndarray | None:
        """Return the cost of each comparison, comparisons by items; None without costs."""
        if self.cost is None:
            return None
        items = items % len(self.labels)
        if self.by_item is not None:
            total: np.ndarray = self.by_item[items].sum(axis=1)
            return total
        groups = [tuple(self.labels[place] for place in row) for row in items]
        return np.array([_positive(self.cost(group), group) for group in groups])


def _positive(value: Any, of: Any) -> float:
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and 0.0 < float(value) < np.inf):
        raise ValueError(f"{argument('cost')} must be positive numbers, got {value!r} for {of!r}.")
    return float(value)
