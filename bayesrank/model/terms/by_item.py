"""What differs between items beside their scores: playing at home, and how often they tie."""

from typing import Any, Self

import numpy as np

from bayesrank.kernels.posterior.operations import GATHER
from bayesrank.model.protocols import Program, Values
from bayesrank.model.terms.effects import Effects

__all__ = ["ItemOrderEffects", "ItemTies"]


class ItemOrderEffects(Effects):
    """What an item has added to its score when it is on the left, beyond what all items have."""

    name = "order_effect_by_item"
    key = "order_effect_by_item"
    argument = ("order_effect", "by-item")
    dim = "item"
    of_pairs = True
    words = "Order effects of the items, beyond the common one"
    spread_words = "Spread of order effects among items"
    meaning = "what this item has added to its score on the left, beyond the common effect"
    spread_meaning = "how far items differ in their order effects (standard deviation)"
    says = "Each item adds something of its own to the order effect when it is on the left."
    of_slots = ("left",)

    @classmethod
    def of(cls, data: Any) -> Self:
        return cls(len(data.items), data.left)

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        return data.items

    def __init__(self, items: int, left: np.ndarray, **more: Any) -> None:
        super().__init__(items, **more)
        self.left = left

    def shift(self, values: Values, maths: Any) -> Any:
        return self.effects(values)[self.left]

    def new_shift(self, values: Values, left: np.ndarray, right: np.ndarray) -> Any:
        return self.effects(values)[left]

    def compile_shift(self, program: Program) -> None:
        index = program.hold(self.left, np.uint32)
        program.operate_slots(GATHER, self.place(program), self.length, index)


class ItemTies(Effects):
    """What the two items of a comparison each add to the logit of the tie rate."""

    name = "ties_by_item"
    key = "ties_by_item"
    argument = ("ties", "by-item")
    of_pairs = True
    has_tie_shift = True
    dim = "item"
    words = "What items add to the logit of the tie rate"
    spread_words = "Spread of what items add to the logit of the tie rate"
    meaning = "what this item adds to the logit of the tie rate"
    spread_meaning = "how far items differ in how often they tie (standard deviation of the logit)"
    says = "Each of the two items adds something of its own to the logit of the tie rate."
    of_slots = ("left", "right")

    @classmethod
    def of(cls, data: Any) -> Self:
        return cls(len(data.items), data.left, data.right)

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        return data.items

    def __init__(self, items: int, left: np.ndarray, right: np.ndarray, **more: Any) -> None:
        super().__init__(items, **more)
        self.left, self.right = left, right

    def tie_shift(self, values: Values, maths: Any) -> Any:
        effects = self.effects(values)
        return effects[self.left] + effects[self.right]

    def new_tie_shift(self, values: Values, left: np.ndarray, right: np.ndarray) -> Any:
        effects = self.effects(values)
        return effects[left] + effects[right]

    def compile_tie_shift(self, program: Program, to: int) -> None:
        taken = self.place(program)
        for side in (self.left, self.right):
            index = program.hold(side, np.uint32)
            program.operate_slots(GATHER, taken, self.length, index, to=to)
