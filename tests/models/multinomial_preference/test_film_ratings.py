"""Ratings as rankings and pairs, by hand and as the paper counts them."""

import numpy as np
import pandas as pd
import pytest

from models.multinomial_preference.film_ratings import films_of, movielens
from models.study import data_folder


def test_films_by_hand():
    """Ann: a 5, b 3, c 3; Bob: b 4, a 1."""
    ratings = pd.DataFrame(
        {"user": ["ann"] * 3 + ["bob"] * 2, "film": list("abcba"), "stars": [5, 3, 3, 4, 1]}
    )
    films = films_of(ratings, pd.Series({"a": "A", "b": "B", "c": "C", "d": "never seen"}))
    assert films.titles.tolist() == ["A", "B", "C"]
    assert films.raters.tolist() == [2, 2, 1]
    assert films.won.tolist() == [2, 1, 0]
    assert films.lost.tolist() == [1, 1, 1]
    assert films.strict.ranks.tolist() == [[1, 2, 3], [1, 2, -1]]
    counts = {}
    for i, j, row in zip(films.pairs.left, films.pairs.right, films.pairs.counts, strict=True):
        counts["abc"[i] + "abc"[j]] = row.tolist()
    assert counts == {"ab": [2, 3, 0], "ac": [2, 0, 0]}
    user, film, stars = films.triples
    assert sorted(zip(user, film, stars, strict=True)) == [
        (0, 0, 5.0), (0, 1, 3.0), (0, 2, 3.0), (1, 0, 1.0), (1, 1, 4.0),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def lens():
    folder = data_folder("ml-100k")
    if folder is None:
        pytest.skip("MovieLens-100K is not at hand")
    return films_of(*movielens(folder))


def test_counts_of_the_paper(lens):
    for title, counts in (
        ("Sabrina (1995)", (190, 10190, 12347)),
        ("Mrs. Doubtfire (1993)", (192, 13251, 17551)),
        ("Ghost (1990)", (170, 11785, 14452)),
    ):
        (k,) = np.flatnonzero(lens.titles == title)
        assert (lens.raters[k], lens.won[k], lens.lost[k]) == counts
