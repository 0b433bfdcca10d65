"""How far estimated worths are from the true ones."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["worth_error"]


def worth_error(score: "ArrayLike", worth: "ArrayLike") -> Any:
    """Return the mean squared error of the worths that scores stand for, softmax(score).

    Parameters
    ----------
    score : array, (...,) items
        Estimates, on the log scale; a constant added to all of a row changes nothing.
    worth : array, (...,) items
        The truth (positive, each row sums to one).

    Examples
    --------
    >>> float(worth_error([0.0, 0.0], [0.75, 0.25]))
    0.0625
    """
    score, worth = np.asarray(score, dtype=float), np.asarray(worth, dtype=float)
    if score.shape[-1:] != worth.shape[-1:] or score.ndim == 0:
        raise ValueError(
            f"`score` and `worth` must be of the same items, got shapes {score.shape} and "
            f"{worth.shape}."
        )
    if not np.isfinite(score).all():
        raise ValueError("`score` must be finite.")
    total = worth.sum(axis=-1)
    # A sum of many rounded numbers is not exactly one.
    if not (np.all(worth >= 0) and np.allclose(total, 1.0, rtol=0, atol=1e-6)):
        raise ValueError(
            f"`worth` must not be negative and sum to one, got a sum of {total.flat[0]:.6g}."
        )
    return np.mean((softmax(score, axis=-1) - worth) ** 2, axis=-1)
