r"""SVP: scores from a matrix of preferences that is completed at rank two.

Gleich and Lim, Rank aggregation via nuclear norm minimization (2011). Y holds the mean difference
of ranks of each two documents, over the lists that have both. Scores s would make it the matrix
s e' - e s', which is skew-symmetric and of rank two. The entries that nobody knows are filled by
singular value projection: a gradient step towards the known ones, then the nearest matrix of rank
two,

    X  <-  P_2( X + step * known * (Y - X) ),        s  =  X e / n

Where all entries are known, by as many lists each, Y is of that form and s is Borda's count but for
its scale and origin.
"""

import numpy as np
from scipy import linalg

from bayesrank.baselines.list_ranks import list_ranks
from bayesrank.inference.threads import one_blas_thread

__all__ = ["svp"]


def svp(places, query=None, *, best="smallest", absent="ignored", steps=100, tolerance=1e-3):
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
    array([ 1., -0., -1.])
    """
    score = np.zeros(len(places))
    with one_blas_thread():
        for members, ranks in list_ranks(places, query, best=best, absent=absent):
            score[members] = _complete(*_differences(ranks), steps, tolerance).mean(axis=1)
    return score


def _differences(ranks):
    """Return how much better each document is ranked than each other, and whether it is known."""
    has = ~np.isnan(ranks)
    plain = np.where(has, ranks, 0.0)
    both = has.astype(float) @ has.T
    worse = plain @ has.T  # sum of a document's ranks where the other is listed too
    total = worse.T - worse
    return np.divide(total, both, out=np.zeros_like(total), where=both > 0), both > 0


def _complete(y, known, steps, tolerance):
    x = np.zeros_like(y)
    # The projection of a random share of the entries is this much shorter than that of all.
    step = known.size / max(known.sum(), 1)
    for _ in range(steps):
        ahead = _rank_two(x + step * np.where(known, y - x, 0.0))
        change = np.abs(ahead - x).max(initial=0.0)
        x = ahead
        if change <= tolerance * np.abs(x).max(initial=0.0):
            break
    return x


def _rank_two(x):
    """Return the nearest matrix of rank two; singular values of skew matrices come in pairs."""
    if len(x) < 3:
        return x
    # The two right vectors are all that is needed, and eigenvectors take a third of the time.
    right = linalg.eigh(x.T @ x, subset_by_index=[len(x) - 2, len(x) - 1])[1]
    return x @ right @ right.T
