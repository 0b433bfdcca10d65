"""Ratings of low rank are found by factors."""

import numpy as np

from models.multinomial_preference.rating_factors import best_penalty, factorise


def test_factors_find_ratings_of_low_rank():
    rng = np.random.default_rng(0)
    truth = 3.0 + rng.normal(size=(60, 2)) @ rng.normal(size=(2, 50))
    user, film = np.nonzero(rng.random(truth.shape) < 0.5)
    rating = truth[user, film]
    guess = factorise(user, film, rating, truth.shape, rank=2, penalty=1e-3, sweeps=50)
    # Half the entries are unseen; a constant is off by 1.4. Left is what so small a penalty does.
    assert np.sqrt(np.mean((guess - truth) ** 2)) < 0.05
    noisy = np.clip(np.rint(rating + rng.normal(size=rating.size)), 1, 5)
    penalties = (0.01, 5.0)
    chosen, error = best_penalty(user, film, noisy, truth.shape, penalties)
    assert chosen == 5.0 and error < noisy.std()
