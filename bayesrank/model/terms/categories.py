"""What differs between categories, such as topics: scores of items, and how often they tie."""

from typing import Any, Self

import numpy as np

from bayesrank.kernels.posterior.operations import DIFFER, GATHER
from bayesrank.model.protocols import Program, Values
from bayesrank.model.terms.effects import Effects

__all__ = ["CategoryScores", "CategoryTies"]


class CategoryScores(Effects):
    """What a category adds to the score of each item; within a category these sum to zero.

    A cell is an item in a category; the cells of a category follow each other.

    Parameters
    ----------
    categories, items : list
        Labels.
    left : ndarray of int
        The cell of each left side, or of each entry of rankings.
    right : ndarray of int, optional
        The cell of each right side.
    """

    name = "score_by_category"
    key = "score_by_category"
    argument = ("scores", "by-category")
    column = "category"
    dim = "cell"
    words = "What categories add to the scores"
    spread_words = "Spread of what categories add to the scores"
    meaning = "what this category adds to the item's score"
    spread_meaning = "how far scores differ between categories (standard deviation)"
    says = (
        "Each category adds something of its own to each item's score; within "
        "a category these sum to zero."
    )
    of_slots = ("left", "right")

    def __init__(
        self,
        categories: list[Any],
        items: list[Any],
        left: np.ndarray,
        right: np.ndarray | None = None,
        **more: Any,
    ) -> None:
        starts = len(items) * np.arange(len(categories) + 1)
        super().__init__(len(categories) * len(items), starts=starts, **more)
        self.categories, self.items, self.left, self.right = categories, items, left, right

    @classmethod
    def of(cls, data: Any) -> Self:
        n = len(data.items)
        if data.row == "pair":
            sides = data.category * n + data.left, data.category * n + data.right
            return cls(data.categories, data.items, *sides)
        cell = data.category[data.entry_ranking] * n + data.entry_item
        return cls(data.categories, data.items, cell)

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        return data.categories

    @property
    def coords(self) -> dict[str, list[Any]]:
        """One label for each cell: category and item."""
        return {"cell": [f"{where} / {item}" for where in self.categories for item in self.items]}

    def in_order(self, order: np.ndarray) -> Any:
        return self.at_slots(order)

    def slots(self, values: Values, maths: Any) -> Any:
        effects = self.effects(values)
        if self.right is None:
            return effects[self.left]
        return effects[self.left] - effects[self.right]

    def compile_slots(self, program: Program, to: int) -> None:
        taken, n = self.place(program), self.length
        left = program.hold(self.left, np.uint32)
        if self.right is None:
            program.operate_slots(GATHER, taken, n, left, to=to)
        else:
            right = program.hold(self.right, np.uint32)
            program.operate_slots(DIFFER, taken, n, left, right, to=to)


class CategoryTies(Effects):
    """What a category adds to the logit of the tie rate."""

    name = "ties_by_category"
    key = "ties_by_category"
    argument = ("ties", "by-category")
    dim = column = "category"
    has_tie_shift = True
    of_slots = ("category",)
    words = "What categories add to the logit of the tie rate"
    spread_words = "Spread of what categories add to the logit of the tie rate"
    says = "Categories differ in how often ties occur."
    meaning = "what this category adds to the logit of the tie rate"
    spread_meaning = "how far categories differ in how often ties occur (standard deviation)"

    def __init__(self, categories: list[Any], category: np.ndarray, **more: Any) -> None:
        super().__init__(len(categories), **more)
        self.categories, self.category = categories, category

    @classmethod
    def of(cls, data: Any) -> Self:
        pairs = data.row == "pair"
        return cls(data.categories, data.category if pairs else data.category[data.entry_ranking])

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        return data.categories

    @property
    def coords(self) -> dict[str, list[Any]]:
        """The categories."""
        return {"category": list(self.categories)}

    def tie_shift(self, values: Values, maths: Any) -> Any:
        return self.effects(values)[self.category]

    def new_tie_shift(self, values: Values, left: Any, right: Any) -> Any:
        # Of a new comparison the category is known where a fit is seen in one.
        return self.effects(values)[values["category"]] if "category" in values else None

    def compile_tie_shift(self, program: Program, to: int) -> None:
        index = program.hold(self.category, np.uint32)
        program.operate_slots(GATHER, self.place(program), self.length, index, to=to)
