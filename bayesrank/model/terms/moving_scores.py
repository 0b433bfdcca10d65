"""Scores that move in time: a random walk, or one that reverts to the mean.

Each state of an item is what is left of the state before plus a step. Steps are standard normal
until they are stretched, so the free numbers do not depend on how far scores move.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesrank import _compat
from bayesrank.kernels.posterior.moves import REVERT, WALK
from bayesrank.kernels.tridiagonal import states_of
from bayesrank.model.parameters import Positive, Probability, Real
from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.states import States
from bayesrank.model.terms.term import PlainTerm

__all__ = ["LARGEST", "MOVES", "SMALLEST", "MovingScores", "Reverting", "Walk"]

# Drifts and scales between which numbers keep enough digits.
SMALLEST, LARGEST = 1e-6, 1e4


class Walk:
    """s(t + dt) is normal around s(t), with variance drift squared times dt, in years."""

    operation = WALK
    name = "drift"
    high = None
    meaning = "standard deviation of a score's change over one year"
    words = (
        "Scores move in time like a random walk: between two times an item's score changes by a "
        "normal step, and the longer the time, the further it may go. Nothing draws it back."
    )
    formula = "sᵢ(t + Δ) ~ Normal(sᵢ(t), drift √Δ),  Δ in years"
    parameter: Parameter = Positive("drift", "Drift (how far a score moves in a year)")
    rule = f"a number from {SMALLEST:g} to {LARGEST:g}"

    @staticmethod
    def allows(value: float) -> bool:
        return SMALLEST <= value <= LARGEST

    @staticmethod
    def kept(rate: Any, gap: Any, maths: Any) -> Any:
        """Return how much is left of a state after so many years."""
        return 0.0 * gap + 1.0

    @staticmethod
    def spread(rate: Any, scale: Any, gap: Any, maths: Any) -> Any:
        """Return the standard deviation of what is added in so many years."""
        return rate * maths.sqrt(gap)

    @staticmethod
    def prior(scale: str, rate: str) -> str:
        """Return the prior of scores in words, with the scale and the drift as they are called."""
        return (
            f"Scores: an item's first is normal with mean 0 and a standard deviation of {scale}; "
            f"then it moves by normal steps with mean 0 and a standard deviation of {rate} times "
            "the square root of the years between."
        )


class Reverting:
    """s(t + dt) is normal around r s(t), with r = persistence to the power dt.

    Its variance is scale squared times 1 - r squared, so that every state alone has the variance
    scale squared.
    """

    operation = REVERT
    name = "persistence"
    high = 1.0
    meaning = "correlation of a score with itself one year later"
    words = (
        "Scores move in time and are drawn back to the mean: of an item's distance from the mean a "
        "part is left after a year, which is called the persistence, and something new is added, "
        "so that scores stay as far apart on the whole."
    )
    formula = "sᵢ(t + Δ) ~ Normal(r sᵢ(t), scale √(1 \u2212 r²)),  r = persistence^Δ,  Δ in years"
    parameter: Parameter = Probability(
        "persistence", "Persistence (the part of a score that is left after a year)"
    )
    rule = "a number between 0 and 1"

    @staticmethod
    def allows(value: float) -> bool:
        return 0 < value < 1 - 1e-13  # beyond which nothing moves

    @staticmethod
    def kept(rate: Any, gap: Any, maths: Any) -> Any:
        return maths.exp(gap * maths.log(rate))

    @staticmethod
    def spread(rate: Any, scale: Any, gap: Any, maths: Any) -> Any:
        return scale * maths.sqrt(-maths.expm1(2.0 * gap * maths.log(rate)))

    @staticmethod
    def prior(scale: str, rate: str) -> str:
        return (
            f"Scores: normal with mean 0 and a standard deviation of {scale} at any time; what is "
            f"left of the score before, on average, is {rate} to the power of the years between."
        )


MOVES: dict[str, Any] = {"walk": Walk, "mean-reverting": Reverting}


@dataclass(frozen=True)
class _Steps(Real):
    """Standard normal numbers, of which scores are made; what follows for scores is told."""

    told: str = ""

    @property
    def sentence(self) -> str:
        return self.told


class MovingScores(PlainTerm):
    """The score of each state.

    Parameters
    ----------
    states : States
    move : type
        A value of `MOVES`.
    scale, rate : float, optional
        Standard deviation of the first state of each item, and the drift or the persistence; what
        is not given is learned.
    alone : bool
        Whether nothing else is added to the scores.
    """

    def __init__(
        self,
        states: States,
        move: Any,
        *,
        scale: float | None = None,
        rate: float | None = None,
        alone: bool = True,
    ) -> None:
        self.states, self.move, self.scale, self.rate = states, move, scale, rate
        told = move.prior(
            *(
                f"the {name}" if known is None else f"{known:g}"
                for name, known in (("scale", scale), (move.name, rate))
            )
        )
        self.step = _Steps("step", np.ones(len(states)), "Scores", "state", told)

    @property
    def hyperparameters(self) -> list[Parameter]:
        """What is learned of how far scores are apart and how they move."""
        words = "Scale (the standard deviation of a newcomer's score)"
        found: list[Parameter] = [Positive("scale", words)] if self.scale is None else []
        return found + ([self.move.parameter] if self.rate is None else [])

    @property
    def working_names(self) -> list[str]:
        return ["step"]

    @property
    def parameters(self) -> list[Parameter]:
        return [*self.hyperparameters, self.step]

    @property
    def quantities(self) -> list[Quantity]:
        found = []
        if self.scale is None:
            meaning = "standard deviation of the scores of newcomers"
            found.append(Quantity("scale", (), meaning, low=0.0, enters=False))
        if self.rate is None:
            name, meaning, high = self.move.name, self.move.meaning, self.move.high
            found.append(Quantity(name, (), meaning, low=0.0, high=high, enters=False))
        return found

    @property
    def coords(self) -> dict[str, list[Any]]:
        return {"state": self.states.labels}

    def moves(self, values: Values, maths: Any) -> tuple[Any, Any]:
        """Return what each state keeps of the one before, and how far its step is stretched."""
        scale = self.scale if self.scale is not None else values["scale"]
        rate = self.rate if self.rate is not None else values[self.move.name]
        first, gap = self.states.first, np.where(self.states.first, 1.0, self.states.gap)
        kept = self.move.kept(rate, gap, maths)
        spread = self.move.spread(rate, scale, gap, maths)
        return maths.where(first, 0.0, kept), maths.where(first, scale, spread)

    def score(self, values: Values, maths: Any) -> Any:
        kept, spread = self.moves(values, maths)
        if maths is np:
            return states_of(kept, spread, np.ascontiguousarray(values["step"], dtype=float))
        # One state after the other: what is left of the last one, and a step.
        return _compat.scan(
            lambda share, move, state: share * state + move,
            [kept, spread * values["step"]],
            maths.zeros(()),
        )

    def compile_score(self, program: Program, score: int) -> None:
        n = len(self.states)
        gap = np.where(self.states.first, -1.0, self.states.gap)
        fixed = [0.0 if known is None else known for known in (self.scale, self.rate)]
        scale = program.place("scale") if self.scale is None else -1
        rate = program.place(self.move.name) if self.rate is None else -1
        program.operate(
            self.move.operation, program.place("step"), n, score, n, program.hold(gap), scale, rate,
            program.hold(fixed),
        )  # fmt: skip
