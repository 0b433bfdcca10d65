r"""Missing ratings by a factorisation of users and films (Salakhutdinov and Mnih, 2008).

A rating is the mean of all plus u' v, with normal priors for the factors u of the user and v of the
film. The posterior mode minimises

    sum over ratings of (rating - mean - u' v)^2  +  penalty (sum of |u|^2 + sum of |v|^2)

in turns: given the films each user is a small ridge regression, and given the users each film is.
"""

import numpy as np

__all__ = ["best_penalty", "completed", "factorise"]


def factorise(user, film, rating, shape, *, rank=5, penalty=6.0, sweeps=15, seed=0):
    """Return predicted ratings, users by films.

    Parameters
    ----------
    user, film : array of int
        Who rated what, from 0.
    rating : array
    shape : (int, int)
        Numbers of users and films.
    rank : int
        Number of factors.
    penalty : float
        Variance of a rating over that of a factor.
    sweeps : int
        Number of turns of users and films.
    seed : int
    """
    mean = rating.mean()
    rest = rating - mean
    users = np.zeros((shape[0], rank))
    films = np.random.default_rng(seed).normal(scale=0.1, size=(shape[1], rank))
    by_user, by_film = _groups(user, shape[0]), _groups(film, shape[1])
    for _ in range(sweeps):
        _regress(users, by_user, films, film, rest, penalty)
        _regress(films, by_film, users, user, rest, penalty)
    return mean + users @ films.T


def _groups(label, n):
    """Return the rows of each label."""
    order = np.argsort(label, kind="stable")
    return np.split(order, np.cumsum(np.bincount(label, minlength=n))[:-1])


def _regress(factors, groups, others, other, rest, penalty):
    """Replace factors by the ridge regressions on the others."""
    ridge = penalty * np.eye(factors.shape[1])
    for k, rows in enumerate(groups):
        x = others[other[rows]]
        factors[k] = np.linalg.solve(x.T @ x + ridge, x.T @ rest[rows])


def best_penalty(user, film, rating, shape, penalties=(3.0, 6.0, 12.0), *, rank=5, seed=0):
    """Return the penalty that predicts a held out tenth best, and its root mean squared error."""
    out = np.random.default_rng(seed).random(rating.size) < 0.1
    errors = []
    for penalty in penalties:
        guess = factorise(user[~out], film[~out], rating[~out], shape, rank=rank, penalty=penalty)
        off = np.clip(guess[user[out], film[out]], 1.0, 5.0) - rating[out]
        errors.append(np.sqrt(np.mean(off**2)))
    best = int(np.argmin(errors))
    return penalties[best], errors[best]


def completed(user, film, rating, shape, fill):
    """Return ratings, users by films, with missing ones filled in (a number, or a matrix)."""
    matrix = np.array(np.broadcast_to(fill, shape), dtype=float)
    matrix[user, film] = rating
    return matrix
