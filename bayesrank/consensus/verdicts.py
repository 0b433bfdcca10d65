"""Whether a question is decided, what is open, and how many more results it may take, in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank.consensus.deciding import settle
from bayesrank.text import decimals, level, name, option, short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Verdict"]

_NAMED = 5  # items in a sentence
_WHAT = {"best": "who is best", "order": "in which order the items are"}


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """Whether it is decided who is best, who the first are, or in which order the items are.

    It is true or false itself, so that ``if fit.decided("best"):`` reads as it should.

    Attributes
    ----------
    decided : bool
        Whether ``probability`` is at least ``prob``.
    goal : "best", "top" or "order"
    prob : float
        What was asked for.
    probability : float
        The probability that ``choice`` is right.
    choice : label or tuple of labels
        The item; the first k items; or all of them in order. The best first.
    open : pandas.DataFrame
        What is open, if it is not decided. Indexed by item: p_best, the probability of being
        the best, or as good up to the indifference, of items that may be; or p_top, of being
        among the first k, of items that may be or not, and chosen, whether they are in
        ``choice``. Of an order, indexed by place: above and below, the items of a pair of
        neighbours, and p_in_order.
    more : float or None
        About how many more results like those so far it would take, the median. Infinite if it
        may never be decided, and None if that cannot be said.
    interval : tuple of float or None
        Between which numbers that is with 80% probability.
    k : int or None
    indifference : float
        Up to which difference of scores an answer is right.
    unit : str
        What results are called.

    Examples
    --------
    >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
    >>> br.ScoreDraws(draws, ["a", "b", "c"]).decided("best", 0.9)
    Verdict: Decided at 90% who is best: c, with probability 0.911.
    """

    decided: bool
    goal: str
    prob: float
    probability: float
    choice: Any
    open: "pd.DataFrame"
    more: float | None = None
    interval: tuple[float, float] | None = None
    k: int | None = None
    indifference: float = 0.0
    unit: str = "results"

    @classmethod
    def of(
        cls, scores: np.ndarray, index: "pd.Index", goal: str, prob: float, k: int | None,
        indifference: float, needed: Callable[[], tuple[float, float, float] | None] | None = None,
        unit: str = "results",
    ) -> Self:  # fmt: skip
        """Return what draws (by items) say of a question.

        ``needed`` returns quantiles of how many more results it takes, and is only called if the
        question is open.
        """
        found = settle(scores, goal, prob, k, indifference)
        choice = tuple(index[found.choice])
        quantiles: tuple[float, float, float] | None = (0.0, 0.0, 0.0)
        if not found.decided:
            quantiles = None if needed is None else needed()
        return cls(
            decided=found.decided, goal=goal, prob=prob, probability=found.probability,
            choice=choice[0] if goal == "best" else choice,
            open=_open(goal, index, found), k=k, indifference=float(indifference), unit=unit,
            more=None if quantiles is None else quantiles[1],
            interval=None if quantiles is None else (quantiles[0], quantiles[2]),
        )  # fmt: skip

    def __bool__(self) -> bool:
        return self.decided

    def __repr__(self) -> str:
        return f"Verdict: {self.sentence}"

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """What is decided, what is open, and how many more results it may take."""
        return " ".join(filter(None, (self._found(), self.outlook())))

    def outlook(self, *, advice: bool = True) -> str:
        """Return how many more results it may take; empty if it is decided or cannot be said.

        Parameters
        ----------
        advice : bool
            Whether the reader can ask again, with an indifference width.
        """
        if self.decided or self.more is None or self.interval is None:
            return ""
        low, high = self.interval
        if np.isinf(self.more):
            if self.indifference:
                return f"{_capital(self.unit)} like these may never settle it."
            how = f"; give an indifference width, such as {option('indifference', 0.1)}"
            return f"It may never be decided, as scores may be equal{how if advice else ''}."
        ends = f"at least {_about(low)}, perhaps without end" if np.isinf(high) else (
            f"{_about(low)} to {_about(high)}"
        )  # fmt: skip
        unit = self.unit.removesuffix("s") if self.more == 1 else self.unit
        return f"About {_about(self.more)} more {unit} like these would settle it ({ends})."

    def _found(self) -> str:
        what = _WHAT.get(self.goal) or f"who the first {self.k} are"
        if self.k == 1:
            what = "who is first"
        if self.indifference:
            what += f", to within {self.indifference:g}"
        said = f"{'Decided' if self.decided else 'Not decided'} at {level(self.prob)} {what}: "
        said += f"{self._answer()}, with probability {self._probability()}"
        return f"{said}." if self.decided else f"{said}; {self._rest()}."

    def _answer(self) -> str:
        if self.goal == "order":
            return "by their scores"
        return _names([self.choice] if self.goal == "best" else list(self.choice), "and", 10)

    def _probability(self) -> str:
        if self.probability > 0.9995:
            return "above 0.999"
        if self.probability < 0.0005:
            return "below 0.001"
        said = decimals(self.probability)
        # Rounding must not make it look like enough.
        return said if self.decided or float(said) < self.prob else f"just below {self.prob:g}"

    def _rest(self) -> str:
        """Return what is open, in words."""
        if self.goal == "order":
            pairs = len(self.choice) - 1
            least = self.open.sort_values("p_in_order", kind="stable").iloc[0]
            names = _names([least["above"], least["below"]], "and", 2)
            if pairs == 1:
                return "the only pair is open"
            return f"{len(self.open)} of {pairs} pairs of neighbours are open, most of all {names}"
        if self.goal == "best" or self.k == 1:
            first = self.choice if self.goal == "best" else self.choice[0]
            return f"{_names([item for item in self.open.index if item != first], 'or')} may be"
        return f"open are {_names(list(self.open.index), 'and')}"


def _open(goal: str, index: "pd.Index", found: Any) -> "pd.DataFrame":
    import pandas as pd

    where = found.open
    if goal == "order":
        above, below = index[found.choice[where]], index[found.choice[where + 1]]
        columns = {"above": above, "below": below, "p_in_order": found.chances}
        return pd.DataFrame(columns, pd.Index(where + 1, name="place"))
    if goal == "best":
        return pd.DataFrame({"p_best": found.chances}, index[where])
    columns = {"p_top": found.chances, "chosen": np.isin(where, found.choice)}
    return pd.DataFrame(columns, index[where])


def _names(items: list[Any], word: str, limit: int = _NAMED) -> str:
    """Return items as "a, b and c", or "a, b and 7 more" where there are many."""
    shown = [short(name(item)) for item in items]
    if len(shown) > limit:
        shown = [*shown[: limit - 1], f"{len(shown) - limit + 1:,} more"]
    return f" {word} ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _about(number: float) -> str:
    """Return a number with two digits."""
    return f"{float(f'{number:.2g}'):,.0f}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
