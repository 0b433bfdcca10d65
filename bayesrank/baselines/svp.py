r"""SVP: scores from a matrix of preferences that is completed at rank two.

Gleich and Lim, Rank aggregation via nuclear norm minimization (2011). Y holds the mean difference
of ranks of each two documents, over the lists that have both. Scores s would make it the matrix
s e' - e s', which is skew-symmetric and of rank two. The entries that nobody knows are filled by
singular value projection: the known ones are put in, then comes the nearest matrix of rank two,

    X  <-  P_2( X + known * (Y - X) ),        s  =  X e / n

which never takes X further from what is known. (The authors' longer step is for entries known at
random; those of lists come in blocks, where it diverges.) Where every list has every document, Y
is of that form and s is Borda's count but for its scale and origin. Where no list links two groups
of documents, rank two has room for one of them only, and the others' scores are 0.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from bayesrank.baselines.list_ranks import list_ranks
from bayesrank.data.checks import whole_number
from bayesrank.inference.threads import one_blas_thread

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["svp"]


def svp(
    places: Any,
    query: "ArrayLike | None" = None,
    *,
    best: str = "smallest",
    absent: str = "ignored",
    steps: int = 100,
    tolerance: float = 1e-3,
) -> np.ndarray:
    """Return each document's score by singular value projection of mean rank differences.

    Parameters
    ----------
    places, query, best, absent
        As in `bayesrank.baselines.borda`.
    steps : int
        Most projections of a query.
    tolerance : float
        Relative change of the matrix at which to stop.

    Examples
    --------
    >>> svp([[1, 1], [2, np.nan], [3, 2]]).round(3)
    array([ 0.833,  0.   , -0.833])
    """
    whole_number("steps", steps, 1)
    score = np.zeros(len(places))
    with one_blas_thread():
        for members, ranks in list_ranks(places, query, best=best, absent=absent):
            score[members] = _complete(*_differences(ranks), steps, tolerance).mean(axis=1)
    return score


def _differences(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how much better each document is ranked than each other, and whether it is known."""
    has = ~np.isnan(ranks)
    plain = np.where(has, ranks, 0.0)
    both = has.astype(float) @ has.T
    worse = plain @ has.T  # sum of a document's ranks where the other is listed too
    total = worse.T - worse
    return np.divide(total, both, out=np.zeros_like(total), where=both > 0), both > 0


def _complete(y: np.ndarray, known: np.ndarray, steps: int, tolerance: float) -> np.ndarray:
    x = np.zeros_like(y)
    for _ in range(steps):
        ahead = _rank_two(np.where(known, y, x))
        change = np.abs(ahead - x).max(initial=0.0)
        x = ahead
        if change <= tolerance * np.abs(x).max(initial=0.0):
            break
    return x


def _rank_two(x: np.ndarray) -> np.ndarray:
    """Return the nearest skew-symmetric matrix of rank two to a skew-symmetric one.

    Times i it is Hermitian: its eigenvalues are pairs +-w, of which the largest is needed.
    """
    last = len(x) - 1
    value, vector = linalg.eigh(1j * x, subset_by_index=[last, last])
    return 2.0 * value[0] * (vector @ vector.conj().T).imag
