"""The rankings at many times, compact, for the panel of the page where the time is chosen."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus
from bayesrank.data.times import time_texts, years_of
from bayesrank.report.arrays import packed, packed_numbers
from bayesrank.report.words import about_time, label

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MOST_FOLLOWED", "MOST_TIMES", "gather_history", "shown_times"]

# So much is kept that the panel is at most about as large as the pairs, 1 MB.
MOST_TIMES = 60
MOST_FOLLOWED = 500


def shown_times(fit: Any) -> list[Any]:
    """Return the times that the page can show, among them the one that the fit is about.

    They are those of the data; of very many, some that are evenly spread among them.
    """
    if fit.specification.moves is None:
        return []
    times = fit.specification.data.times
    kept = np.linspace(0, len(times) - 1, min(len(times), MOST_TIMES)).round().astype(int)
    return sorted({*(times[k] for k in kept), fit._moment.time})


def gather_history(
    fit: Any, order: np.ndarray, prob: float, advance: Callable[[], object]
) -> dict[str, Any] | None:
    """Return the rankings at the times that are shown.

    Parameters
    ----------
    fit : Fit
        Of scores that move.
    order : ndarray of int
        The items that the fit ranks, the best first, as positions among these.
    prob : float
        Probability of the intervals.
    advance : callable
        Called after each time.

    Returns
    -------
    dict or None
        None if there is a single time. Items are numbered: first those that the fit ranks, then
        the others, whose names are in ``others``. All that is packed has one entry for each time
        and item that was ranked then, sorted by time and rank; ``start`` is where times begin.
    """
    import pandas as pd

    times = shown_times(fit)
    if len(times) < 2:
        return None
    specification, point = fit.specification, fit.kind.is_point
    moments, tables = [], []
    for time in times:
        moment = fit._moments.at(time, fit._window)
        index = pd.RangeIndex(len(moment.items))
        table = consensus.ranking_table(moment.scores, index, prob, point=point, rule=None)
        tables.append(table.set_index(moment.items[table.index]))
        moments.append(moment)
        advance()
    followed = _best_ever(tables, len(specification.data.items))
    present = fit._moment.items[order]
    others = followed[~np.isin(followed, present)]
    number = np.full(len(specification.data.items), -1)
    number[[*present, *others]] = np.arange(len(present) + len(others))
    kept = [table[np.isin(table.index, followed)] for table in tables]
    joined = pd.concat(kept)
    columns = (
        ["score", "rank"] if point else ["score", "low", "high", "rank", "rank_low", "rank_high"]
    )
    return {
        "times": time_texts(times),
        "places": _places(times),
        "dates": isinstance(times[0], datetime),
        "now": times.index(fit._moment.time),
        "window": fit._window,
        "of_times": len(specification.data.times),
        "about": [about_time(fit, moment) for moment in moments],
        "ranked": [len(moment.items) for moment in moments],
        "others": [label(specification.data.items[k]) for k in others],
        "followed": number[followed].tolist(),
        "since": _since(fit, times)[followed].tolist(),
        "of_items": len(np.unique(specification.states.item)),
        "start": np.cumsum([0, *map(len, kept)]).tolist(),
        "item": packed_numbers(number[joined.index]),
        **{column: packed_numbers(joined[column]) for column in columns},
        "p_best": None if point else packed(joined["p_best"].to_numpy()),
    }


def _best_ever(tables: "list[pd.DataFrame]", n: int) -> np.ndarray:
    """Return the items that were ranked, as many as are kept, by the best rank each ever had."""
    best = np.full(n, np.inf)
    for table in tables:
        best[table.index] = np.minimum(best[table.index], table["rank"])
    return np.argsort(best, kind="stable")[: min(MOST_FOLLOWED, np.isfinite(best).sum())]


def _since(fit: Any, times: list[Any]) -> np.ndarray:
    """Return of each item the first of the times at which it had been seen."""
    states = fit.specification.states
    years = years_of([fit.specification.data.times[0], *times])[1:]
    found = np.zeros(len(fit.specification.data.items), dtype=int)
    first = states.years[states.time[states.first]]
    found[states.item[states.first]] = np.searchsorted(years, first - 1e-9)
    return found


def _places(times: list[Any]) -> list[float]:
    """Return times as numbers: those of dates as JavaScript counts them, in milliseconds."""
    if not isinstance(times[0], datetime):
        return [float(time) for time in times]
    return [round(1000.0 * time.replace(tzinfo=UTC).timestamp()) for time in times]
