"""Scores that move, at one time: of items that were seen lately, relative to each other."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np

from bayesrank.data.times import as_time, time_texts, years_of
from bayesrank.text import listing, option

__all__ = ["WINDOW", "Moment", "Moments", "who_is_left_out"]

WINDOW = 1.0  # years
# Years have different lengths: of a date one year before it must be clear that it is outside.
_DAY = 1.0 / 365.25


class Moment:
    """Draws of scores at one time.

    Attributes
    ----------
    time : datetime or float
    items : ndarray of int
        Positions of the items that were seen in the years before, the window, or at the time.
    scores : ndarray, draws by items
        Their mean over these items is zero in every draw.
    left_out : list
        Labels of the other items that were seen before.
    to_come : int
        How many items were not seen yet.
    seen : ndarray of bool
        Which of the items were seen at this very time.
    until : datetime or float
        Where the window ends: at the time, or at the last one of the data if that is earlier.
    """

    def __init__(
        self, time: Any, items: np.ndarray, scores: np.ndarray, left_out: list[Any], to_come: int,
        seen: np.ndarray, until: Any,
    ) -> None:  # fmt: skip
        self.time, self.items, self.left_out, self.to_come = time, items, left_out, to_come
        self.seen, self.until = seen, until
        self.level = scores.mean(axis=1, keepdims=True)
        self.scores = scores - self.level


class Moments:
    """The scores of a fit at any time.

    Between two states of an item its score is drawn given both; after the last one it drifts, as
    the model says.

    Parameters
    ----------
    fit : Fit
        Of scores that move.
    """

    def __init__(self, fit: Any) -> None:
        specification = fit.specification
        self.states, self.data = specification.states, specification.data
        self.move, self.point = specification.moves, fit.kind.is_point
        self.seed = fit.seed
        draws = fit._flat("score")
        scale, rate = specification.scale, specification.rate
        self.scale = fit._flat("scale") if scale is None else np.full(len(draws), scale)
        self.rate = fit._flat(self.move.name) if rate is None else np.full(len(draws), rate)
        self.draws, self.constant = draws, None
        if specification.features is not None:
            # What items have all along; only the rest moves.
            self.constant = fit._flat("beta") @ specification.features.T
            self.draws = draws - self.constant[:, self.states.item]

    def at(self, time: Any = None, window: float | None = WINDOW) -> Moment:
        """Return the scores at a time, by default the last one of the data."""
        times, states = self.data.times, self.states
        time = times[-1] if time is None else as_time(time, times)
        year = float(years_of([*times[:1], time])[1])
        when = states.years[states.time]
        # Of each item, its last state so far; `starts` is where its states begin.
        begin, end = states.starts[:-1], states.starts[1:]
        count = np.add.reduceat((when <= year + 1e-9).astype(int), begin)
        last = begin + count - 1
        known = count > 0
        recent = known.copy()
        if window is not None:
            # Who is active is known up to the last result; predictions are about these.
            until, slack = min(year, states.years[-1]), _DAY if isinstance(time, datetime) else 1e-9
            seen = when[last[known]]
            recent[known] = (seen > until - window + slack) | (seen >= until - 1e-9)
        if recent.sum() < 2:
            texts = time_texts([times[0], times[-1], time])
            raise ValueError(
                f"Fewer than two items were seen in the {_years(window)} up to {texts[2]}; the "
                f"data are from {texts[0]} to {texts[1]}. Ask for a later time, or for a wider "
                f"window, such as {option('window', 10)}."
                if window is not None
                else f"Fewer than two items were seen up to {texts[2]}; the data start at "
                f"{texts[0]}."
            )
        here, after = last[recent], (last + 1)[recent]
        has_next = after < end[recent]
        after = np.where(has_next, after, here)
        scores = self._between(here, after, has_next, year, when)
        items = states.seen[recent]
        if self.constant is not None:
            scores = scores + self.constant[:, items]
        left_out = [self.data.items[k] for k in states.seen[known & ~recent]]
        seen = np.abs(when[here] - year) <= 1e-9
        to_come = int(np.sum(~known))
        return Moment(time, items, scores, left_out, to_come, seen, min(time, times[-1]))

    def _between(
        self, here: Any, after: Any, has_next: Any, year: float, when: np.ndarray
    ) -> np.ndarray:
        """Return draws of scores at a time after one state, and before the next if any."""
        since, until = year - when[here], when[after] - year
        scores = self.draws[:, here].copy()
        moved = since > 1e-9
        if not moved.any():
            return scores
        rate, scale = self.rate[:, None], self.scale[:, None]
        left = self.move.kept(rate, since[moved], np)
        variance = self.move.spread(rate, scale, since[moved], np) ** 2
        mean = left * scores[:, moved]
        ahead = has_next[moved]
        if ahead.any():
            gap = until[moved][ahead]
            left, noise = self.move.kept(rate, gap, np), self.move.spread(rate, scale, gap, np) ** 2
            towards = self.draws[:, after[moved][ahead]]
            own = variance[:, ahead]
            both = 1.0 / (1.0 / own + left**2 / noise)
            mean[:, ahead] = both * (mean[:, ahead] / own + left * towards / noise)
            variance[:, ahead] = both
        if not self.point:
            seed = 0 if self.seed is None else self.seed
            rng = np.random.default_rng([seed, int(abs(year) * 1e6)])
            mean = mean + np.sqrt(variance) * rng.standard_normal(mean.shape)
        scores[:, moved] = mean
        return scores


def _years(window: float) -> str:
    return "year" if window == 1.0 else f"{window:g} years"


def who_is_left_out(
    moment: Moment, window: float | None, several: Callable[[list[Any]], str] = listing
) -> str:
    """Return in a sentence which items are not ranked at a time, or an empty text.

    ``several`` writes labels as an enumeration.
    """
    said = []
    (text,) = time_texts([moment.until])
    if moment.left_out and window is not None:
        said.append(
            f"Left out, not seen in the {_years(window)} up to {text}: {several(moment.left_out)}."
        )
    if moment.to_come:
        items = "item was" if moment.to_come == 1 else "items were"
        said.append(f"{moment.to_come} {items} not seen until later.")
    return " ".join(said)
