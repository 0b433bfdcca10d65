"""A line of the table of speed: what was measured, against whom, and how sure that is."""

import statistics
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import numpy as np

__all__ = ["Line", "compare", "limit", "take_turns", "versions"]


@dataclass(frozen=True)
class Line:
    """One measurement.

    Attributes
    ----------
    part : str
        Which part of the suite it belongs to.
    what : str
        What was done, and on what.
    peer : str
        Who else did it, with its version; empty where a line is held against a limit.
    ours, theirs : float
        Medians, in `unit`; ``theirs`` is the limit where there is no peer.
    unit : str
        "s" for seconds, "1/s" for a rate, "x" for a pure number.
    ratio : float
        How many times better we are: above 1 is faster, or smaller.
    low, high : float
        Where the middle 80 % of the ratio's rounds are; NaN where there was one round.
    asked : float or None
        What the ratio should be at least; none where nothing is asked.
    note : str
        What a reader has to know to read it right.
    """

    part: str
    what: str
    peer: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    low: float
    high: float
    asked: float | None = None
    note: str = ""


def take_turns(tasks, rounds, *, warm=1):
    """Return the times of each task, the tasks taking turns, so that all share what slows a round.

    Parameters
    ----------
    tasks : dict of callables
    rounds : int
    warm : int
        Rounds before, which are not counted.

    Returns
    -------
    dict of ndarray
        Seconds of each round.
    """
    times = {name: [] for name in tasks}
    for turn in range(warm + rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            if turn >= warm:
                times[name].append(time.perf_counter() - start)
    return {name: np.array(values) for name, values in times.items()}


def compare(part, what, peer, ours, theirs, *, unit="s", asked=None, note=""):
    """Return the line of our rounds against a peer's, round by round.

    Parameters
    ----------
    part, what, peer, unit, asked, note
        As in `Line`.
    ours, theirs : array
        Seconds (less is better), or rates (unit "1/s", more is better), of the same rounds.
    """
    ours, theirs = np.atleast_1d(ours).astype(float), np.atleast_1d(theirs).astype(float)
    better = ours / theirs if unit == "1/s" else theirs / ours
    low, high = np.quantile(better, [0.1, 0.9]) if better.size > 1 else (np.nan, np.nan)
    mine, other = statistics.median(ours), statistics.median(theirs)
    ratio = mine / other if unit == "1/s" else other / mine
    return Line(part, what, peer, mine, other, unit, ratio, low, high, asked, note)


def limit(part, what, measured, most, *, unit="s", note=""):
    """Return the line of something that must not exceed a limit: its ratio is limit / measured."""
    return compare(part, what, "", measured, np.full(np.size(measured), most), unit=unit, asked=1.0,
                   note=note)  # fmt: skip


def versions(*packages):
    """Return the packages with their versions, or without where they are not installed."""
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} (not installed)")
    return ", ".join(found)
