"""Matches with dates: of five football leagues, of men's tennis, and simulated ones."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayesrank.data import Comparisons
from models.study import data_folder

__all__ = ["Matches", "football", "simulated", "tennis"]


@dataclass
class Matches:
    """Matches to learn from, and those of the season after.

    Attributes
    ----------
    name : str
    past, future : DataFrame
        left, right, outcome ("left", "right" or "tie") and date.
    home : bool
        Whether the left one plays at home.
    most : float
        The log-loss that we should not exceed; infinite for simulated matches.
    """

    name: str
    past: pd.DataFrame
    future: pd.DataFrame
    home: bool
    most: float = np.inf

    @property
    def ties(self):
        """The share of ties in what is learned from."""
        return float((self.past["outcome"] == "tie").mean())

    @property
    def likelihood(self):
        """The likelihood that fits the outcomes."""
        return "davidson" if self.ties else "bradley-terry"

    def observed(self, every=None):
        """Return what is learned from, as comparisons with times."""
        return Comparisons.from_frame(
            self.past, left="left", right="right", outcome="outcome", time="date", every=every
        )


def football():
    """Return the seasons to 2021-22 and that of 2022-23, or simulated matches without the data."""
    folder = data_folder("football")
    if folder is None:
        return simulated(ties=True)
    table = pd.read_csv(folder / "matches.csv.gz", parse_dates=["date"])
    goals = np.sign(table["home_goals"] - table["away_goals"])
    table["outcome"] = goals.map({1: "left", 0: "tie", -1: "right"})
    table = table.rename(columns={"home": "left", "away": "right"})
    season, columns = table["season"], ["left", "right", "outcome", "date"]
    return Matches(
        "football 2022-23", table.loc[season < "2022-23", columns],
        table.loc[season == "2022-23", columns], True, 1.0030,
    )  # fmt: skip


def tennis(first=2000, test=2014):
    """Return the years before one, and that one, or simulated matches without the data."""
    folder = data_folder("tennis")
    if folder is None:
        return simulated(ties=False)
    table = pd.read_csv(folder / "matches.csv.gz", parse_dates=["date"])
    table = table.rename(columns={"winner": "left", "loser": "right"}).assign(outcome="left")
    year, columns = table["date"].dt.year, ["left", "right", "outcome", "date"]
    past, future = (year >= first) & (year < test), year == test
    return Matches(
        f"tennis {test}", table.loc[past, columns], table.loc[future, columns], False,
        0.6035 if test == 2014 else np.inf,
    )  # fmt: skip


def simulated(ties, players=12, years=3, per_year=60, seed=0):
    """Return matches of players whose strengths walk; the last year is to be predicted."""
    rng = np.random.default_rng(seed)
    count = per_year * (years + 1)
    days = np.sort(rng.integers(0, 365 * (years + 1), count))
    moves = rng.normal(size=(players, years * 4 + 5)) * 0.25
    strength = rng.normal(size=(players, 1)) + moves.cumsum(axis=1)
    left = rng.integers(0, players, count)
    right = (left + rng.integers(1, players, count)) % players
    quarter = days // 92
    noise = rng.logistic(size=count)
    lead = strength[left, quarter] - strength[right, quarter] + (0.3 if ties else 0.0) + noise
    outcome = np.where(lead > 0, "left", "right")
    if ties:
        outcome[np.abs(lead) < 0.6] = "tie"
    table = pd.DataFrame(
        {
            "left": [f"player {k}" for k in left], "right": [f"player {k}" for k in right],
            "outcome": outcome, "date": pd.Timestamp("2000-01-01") + pd.to_timedelta(days, "D"),
        }
    )  # fmt: skip
    last = days >= 365 * years
    kind = "with ties" if ties else "without ties"
    return Matches(f"simulated matches {kind}", table[~last], table[last], ties)
