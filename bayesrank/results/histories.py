"""What a fit of scores that move knows of other times than the last one."""

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank import consensus
from bayesrank.consensus.labels import positions
from bayesrank.data.times import time_texts
from bayesrank.progress import progress_bar
from bayesrank.results.moments import WINDOW, Moment, Moments, who_is_left_out
from bayesrank.results.parts import FitPart
from bayesrank.text import option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BY_ITEM", "Histories"]

# What each item has besides its score.
BY_ITEM = ("order_effect_by_item", "ties_by_item")


class Histories(FitPart):
    """Scores over time. Of scores that do not move there is only one time."""

    _time: Any = None
    _window: float | None = WINDOW

    def at(self, time: Any = None, *, window: float | None = WINDOW) -> Self:
        """Return the fit as seen at another time: whatever it is asked is about that time.

        Parameters
        ----------
        time : date, datetime, str or float, optional
            By default the last time of the data. Later ones are predictions: scores drift.
        window : float, optional
            Items are ranked that were seen less than so many years before, or before the last
            time of the data where that is earlier; none ranks all that were ever seen by then.
            ``left_out`` has the others.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> fit.at("2015-01-01").ranking().index[:2].tolist()
        ['Bayern', 'Dortmund']
        >>> fit.at("2024-01-01").ranking().index[:2].tolist()
        ['Bayern', 'Leverkusen']
        """
        self._require_moving("at()")
        other = copy(self)
        for name in ("_moment", "_separation"):
            other.__dict__.pop(name, None)
        other._time, other._window = time, window
        other._moment  # noqa: B018, which refuses a time at which nothing is known
        return other

    @property
    def left_out(self) -> list[Any]:
        """Items that were seen before, but not lately, so that they are not ranked.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="map")
        >>> fit.left_out[:3]
        ['Bielefeld', 'Düsseldorf', 'Fürth']
        """
        return [] if self.specification.moves is None else self._moment.left_out

    @property
    def about_time(self) -> str:
        """Which time answers are about and who is left out, in words; empty where scores stay.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="map")
        >>> fit.at("2015-01-01").about_time
        'At 2015-01-01. 10 items were not seen until later.'
        """
        if self.specification.moves is None:
            return ""
        (text,) = time_texts([self._moment.time])
        return f"At {text}. {who_is_left_out(self._moment, self._window)}".strip()

    @cached_property
    def _moments(self) -> Moments:
        return Moments(self)

    @cached_property
    def _moment(self) -> Moment:
        return self._moments.at(self._time, self._window)

    def _require_moving(self, what: str) -> None:
        if self.specification.moves is None:
            raise ValueError(
                f"`{what}` is for scores that move; fit with {option('scores', 'walk')} or "
                f"{option('scores', 'mean-reverting')}."
            )

    def _item_values(self, draw: int) -> dict[str, Any]:
        """Return the parameters of one draw, with scores of the items that are ranked."""
        values = self.values(draw)
        if self.specification.moves is None and self._category is None:
            return values
        ranked = slice(None) if self.specification.moves is None else self._moment.items
        values |= {name: values[name][ranked] for name in BY_ITEM if name in values}
        known = {} if self._category is None else {"category": self._category}
        return values | known | {"score": self.scores()[draw]}

    def history(
        self, items: Sequence[Any] | None = None, *, prob: float = 0.95, window: float = WINDOW
    ) -> "pd.DataFrame":
        """Return scores and ranks over time, one row per item and time.

        At each time of the data, items are ranked that were seen in the years before, the window.
        Scores are relative to the mean of these.

        Parameters
        ----------
        items : list, optional
            By default all.
        prob : float
            Probability of the intervals.
        window : float
            In years.

        Returns
        -------
        pandas.DataFrame
            item, time, score, low, high, rank, rank_low, rank_high and p_best. A MAP fit has score
            and rank only, the rest is empty.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> table = fit.history(["Bayern", "Leverkusen"])
        >>> table.columns.tolist()
        ['item', 'time', 'score', 'low', 'high', 'rank', 'rank_low', 'rank_high', 'p_best']
        >>> len(table)
        20
        """
        import pandas as pd

        self._require_moving("history()")
        wanted = self._wanted(items)
        labels = np.array(self.specification.data.items, dtype=object)
        parts = []
        for moment in self._all_moments(window):
            place = np.flatnonzero(np.isin(moment.items, wanted))
            if not place.size:
                continue
            table = consensus.ranking_table(
                moment.scores,
                pd.RangeIndex(len(moment.items)),
                prob,
                point=self.kind.is_point,
                rule=None,
            ).loc[place]
            table.insert(0, "item", labels[moment.items[place]])
            table.insert(1, "time", moment.time)
            parts.append(table)
        table = pd.concat(parts, ignore_index=True)
        columns = [
            "item", "time", "score", "low", "high", "rank", "rank_low", "rank_high", "p_best",
        ]  # fmt: skip
        return table[columns].sort_values(["item", "time"], ignore_index=True)

    def _wanted(self, items: Sequence[Any] | None) -> np.ndarray:
        import pandas as pd

        known = pd.Index(self.specification.data.items, name="item", tupleize_cols=False)
        if items is None:
            return np.arange(len(known))
        return positions("items", items, known, all_of_them=False)

    def _all_moments(self, window: float | None) -> Any:
        """Yield what is known at each time of the data, as soon as two items are."""
        times = self.specification.data.times
        seen = np.zeros(len(self.specification.data.items), dtype=bool)
        states = self.specification.states
        with progress_bar("History", len(times), len(times) > 50) as advance:
            for k, time in enumerate(times):
                seen[states.item[states.time == k]] = True
                if seen.sum() > 1:
                    yield self._moments.at(time, window)
                advance()

    def peaks(self, prob: float = 0.95, *, window: float = WINDOW) -> "pd.DataFrame":
        """Return the highest that each item ever was, relative to the others at that time.

        Of each item, the times count at which it was seen.

        Parameters
        ----------
        prob : float
            Probability of the interval.
        window : float
            Items are compared with those that were seen in so many years before.

        Returns
        -------
        pandas.DataFrame
            Indexed by item, the highest first: score, low and high of the peak; time, when it most
            probably was; p_time, how probable that is; and p_best_ever, the probability that no
            other item was ever higher. A MAP fit has score and time only.

        Examples
        --------
        >>> games = br.load_dataset("bundesliga")
        >>> fit = br.fit(games, scores="walk", order_effect=True, method="laplace", seed=1)
        >>> fit.peaks().index[0]
        'Bayern'
        """
        import pandas as pd

        self._require_moving("peaks()")
        data, point = self.specification.data, self.kind.is_point
        draws, n = len(self._moments.draws), len(data.items)
        peak, when = np.full((draws, n), -np.inf), np.zeros((draws, n), dtype=int)
        for moment in self._all_moments(window):
            k = data.times.index(moment.time)
            items, scores = moment.items[moment.seen], moment.scores[:, moment.seen]
            higher = scores > peak[:, items]
            peak[:, items] = np.where(higher, scores, peak[:, items])
            when[:, items] = np.where(higher, k, when[:, items])
        seen = np.isfinite(peak[0])
        peak, when = peak[:, seen], when[:, seen]
        count = np.array([np.bincount(column, minlength=len(data.times)) for column in when.T])
        table = pd.DataFrame(
            {"score": peak.mean(axis=0)},
            pd.Index([data.items[k] for k in np.flatnonzero(seen)], name="item"),
        )
        table["low"], table["high"] = (np.nan, np.nan) if point else consensus.interval(peak, prob)
        table["time"] = [data.times[k] for k in count.argmax(axis=1)]
        table["p_time"] = np.nan if point else count.max(axis=1) / draws
        ever = np.bincount(peak.argmax(axis=1), minlength=peak.shape[1]) / draws
        table["p_best_ever"] = np.nan if point else ever
        return table.sort_values("score", ascending=False, kind="stable")
