"""Scores that move, at one time: of items that were seen lately, relative to each other."""

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from bayesrank.data.times import as_time, time_texts, years_before, years_of
from bayesrank.text import argument, in_terminal, listing

__all__ = ["WINDOW", "Moment", "Moments", "Presence", "who_is_left_out", "who_is_there"]

WINDOW = 1.0  # years
_SAME = 1e-9  # years between which times are the same


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


class Presence(NamedTuple):
    """Who was seen up to a time, among the items that were seen at all."""

    time: Any
    year: float
    last: np.ndarray  # position of each item's last state so far
    known: np.ndarray  # whether there is one
    recent: np.ndarray  # and whether it is in the window


def who_is_there(states: Any, time: Any = None, window: float | None = WINDOW) -> Presence:
    """Return who is ranked at a time; refuse a time at which nobody is.

    Parameters
    ----------
    states : States
    time : date, datetime, str or float, optional
        By default the last time of the data.
    window : float, optional
        In years; none has no limit.
    """
    times = states.data.times
    time = times[-1] if time is None else as_time(time, times)
    if window is not None and not (isinstance(window, Real) and window >= 0):
        raise ValueError(
            f"{argument('window')} must be a number of years, 0 or more, got {window!r}."
        )
    # Who is active is known up to the last result; predictions are about these.
    until = min(time, times[-1])
    start = until if window is None else years_before(until, float(window))
    year, end, begin = (float(years_of([*times[:1], each])[1]) for each in (time, until, start))
    when = states.years[states.time]
    first = states.starts[:-1]  # where each item's states begin
    count = np.add.reduceat((when <= year + _SAME).astype(int), first)
    last, known = first + count - 1, count > 0
    if not known.any():
        texts = time_texts([times[0], time])
        raise ValueError(
            f"{argument('at')} is {texts[1]}, before the first result, and nothing is known then. "
            f"Ask for a time from {texts[0]} on."
        )
    recent = known.copy()
    if window is not None:
        # Whoever was last seen so many years before to the day is not active any more.
        seen = when[last[known]]
        recent[known] = (seen > begin + _SAME) | (seen >= end - _SAME)
    if recent.sum() < 2:
        # Two items at least are seen at any time of the data.
        years = int(np.ceil(end - np.sort(when[last[known]])[-2] + 2.0 * _SAME))
        texts = time_texts([times[0], times[-1], time])
        how = f"--window {years}" if in_terminal() else f"fit.at(time, window={years})"
        raise ValueError(
            f"Fewer than two items were seen in the {_years(float(window or 0))} up to {texts[2]}; "
            f"the data are from {texts[0]} to {texts[1]}. Ask for a time among these, or for a "
            f"wider window: {how}."
        )
    return Presence(time, year, last, known, recent)


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
        states = self.states
        there = who_is_there(states, time, window)
        here, recent, when = there.last[there.recent], there.recent, states.years[states.time]
        after = here + 1
        has_next = after < states.starts[1:][recent]
        after = np.where(has_next, after, here)
        scores = self._between(here, after, has_next, there.year, when)
        items = states.seen[recent]
        if self.constant is not None:
            scores = scores + self.constant[:, items]
        left_out = [self.data.items[k] for k in states.seen[there.known & ~recent]]
        seen = np.abs(when[here] - there.year) <= _SAME
        to_come = int(np.sum(~there.known))
        until = min(there.time, self.data.times[-1])
        return Moment(there.time, items, scores, left_out, to_come, seen, until)

    def of(self, items: np.ndarray, time: Any) -> np.ndarray:
        """Return draws of scores of some items at a time, by the prior where they were not seen."""
        rng = np.random.default_rng([0 if self.seed is None else self.seed, 1])
        scores = self.scale[:, None] * rng.standard_normal((len(self.scale), len(items)))
        if self.constant is not None:
            scores += self.constant[:, items]
        if time >= self.data.times[0]:
            moment = self.at(time, None)
            known = np.isin(items, moment.items)
            place = np.searchsorted(moment.items, items[known])
            scores[:, known] = (moment.scores + moment.level)[:, place]
        return scores - scores.mean(axis=1, keepdims=True)

    def _between(
        self, here: Any, after: Any, has_next: Any, year: float, when: np.ndarray
    ) -> np.ndarray:
        """Return draws of scores at a time after one state, and before the next if any."""
        since, until = year - when[here], when[after] - year
        scores = self.draws[:, here].copy()
        moved = since > _SAME
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
