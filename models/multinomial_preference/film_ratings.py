"""Ratings of films as rankings and as pairs, read from MovieLens-100K or simulated."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy import stats

import bayesrank as br

__all__ = ["Films", "films_of", "movielens", "simulated"]


@dataclass(frozen=True)
class Films:
    """Ratings as rankings and as pairs; films in the order of ``rankings.items``.

    ``strict`` has films with equal stars in the order of their numbers, as in the paper. ``pairs``
    counts differences of stars; ``weighted`` is the same with each user's weight.
    """

    titles: np.ndarray
    rankings: br.Rankings
    strict: br.Rankings
    pairs: br.Comparisons
    weighted: br.Comparisons
    raters: np.ndarray
    won: np.ndarray
    lost: np.ndarray

    @property
    def triples(self):
        """Users, films and stars, with one entry per rating."""
        row, slot = np.nonzero(self.rankings.offered)
        stars = self.rankings.ratings[row, slot]
        return row, self.rankings.entries[row, slot], stars.astype(float)

    @property
    def shape(self):
        return len(self.rankings), self.titles.size


def films_of(ratings, titles):
    """Return `Films` of a frame with user, film and stars, and titles by film."""
    rankings = br.Rankings.from_ratings(ratings, agent="user", item="film", rating="stars")
    n, offered = len(rankings.items), rankings.offered
    places = np.where(offered, np.arange(1, offered.shape[1] + 1), -1)
    effective = br.Specification(rankings, "mpm", variances=False, adherence=1.0).observation.weight
    weighted = replace(rankings, weights=effective).to_comparisons("difference", warn=False)
    unit = rankings.to_comparisons("unit", warn=False)
    ends, wins = np.concatenate([unit.left, unit.right]), unit.counts[:, :2]
    return Films(
        titles=titles.loc[rankings.items].to_numpy(),
        rankings=rankings,
        strict=br.Rankings(rankings.entries, places, rankings.items),
        pairs=rankings.to_comparisons("difference", warn=False),
        weighted=weighted,
        raters=np.bincount(rankings.entries[offered], minlength=n),
        won=np.bincount(ends, wins.T.ravel(), minlength=n).astype(int),
        lost=np.bincount(ends, wins[:, ::-1].T.ravel(), minlength=n).astype(int),
    )


def movielens(folder):
    """Return the ratings and titles of MovieLens-100K."""
    columns = ["user", "film", "stars", "time"]
    ratings = pd.read_csv(folder / "u.data", sep="\t", header=None, names=columns)
    titles = pd.read_csv(
        folder / "u.item", sep="|", header=None, encoding="latin-1", usecols=[0, 1], index_col=0
    )[1]
    return ratings, titles


def simulated(films=1682, users=943, ratings=100_000, seed=0):
    """Return ratings, where few films have many raters and many films have few, and titles."""
    rng = np.random.default_rng(seed)
    # The numbers of the films are in random order: of equal stars the lower number comes first.
    popular = -1.3 * np.log(rng.permutation(films) + 1.0)
    good = 0.5 * rng.normal(size=films) + 0.25 * stats.zscore(popular)
    least = min(20, ratings // users)
    sizes = least + np.rint(rng.exponential(ratings / users - least, users)).astype(int)
    rows = []
    for user, size in enumerate(np.minimum(sizes, films // 2)):
        seen = np.argsort(-(popular + rng.gumbel(size=films)))[:size]
        stars = np.clip(np.rint(3.4 + good[seen] + rng.normal(size=size)), 1, 5)
        rows.append(pd.DataFrame({"user": user, "film": seen, "stars": stars.astype(int)}))
    names = pd.Series([f"Film {k + 1}" for k in range(films)])
    return pd.concat(rows, ignore_index=True), names
