"""How far two rankings of the same items are from each other.

Both are given by scores, the highest first (or both by ranks, the lowest first). Tied items share
the mean of their ranks; a pair that only one of the two has tied is half in a different order
(Fagin and others, 2006, with p = 1/2).
"""

from typing import TYPE_CHECKING

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.metrics.queries import flatten, midranks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "footrule_distance",
    "kendall_distance",
    "kendall_tau",
    "spearman_distance",
    "spearman_rho",
]


def kendall_distance(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None" = None
) -> np.ndarray:
    """Return how many pairs of items two rankings have in a different order.

    Parameters
    ----------
    first, second : array
        Scores of the same items.
    query : array, optional
        Which ranking each item belongs to, if there are several; see `bayesrank.metrics`.

    Returns
    -------
    ndarray, one value for each query

    Examples
    --------
    >>> kendall_distance([3.0, 2.0, 1.0], [2.0, 3.0, 1.0])
    array([1.])
    """
    counts = _pairs(first, second, query)
    return counts[:, 1] + 0.5 * (counts[:, 2] + counts[:, 3])


def kendall_tau(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None" = None
) -> np.ndarray:
    """Return Kendall's correlation of two rankings, tau-b: NaN where all items of one are tied.

    Parameters
    ----------
    first, second, query
        As in `kendall_distance`.

    Examples
    --------
    >>> kendall_tau([3.0, 2.0, 1.0], [2.0, 3.0, 1.0])
    array([0.33333333])
    """
    same, different, only_first, only_second = _pairs(first, second, query).T
    strict = same + different
    product = (strict + only_first) * (strict + only_second)
    value = np.full(strict.shape, np.nan)
    return np.divide(same - different, np.sqrt(product), out=value, where=product > 0)


def footrule_distance(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None" = None
) -> np.ndarray:
    """Return Spearman's footrule: the differences of ranks, added up over the items.

    Parameters
    ----------
    first, second, query
        As in `kendall_distance`.

    Examples
    --------
    >>> footrule_distance([3.0, 2.0, 1.0], [2.0, 3.0, 1.0])
    array([2.])
    """
    query, left, right = _ranks(first, second, query)
    return np.bincount(query, np.abs(left - right))


def spearman_distance(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None" = None
) -> np.ndarray:
    """Return the squared differences of ranks, added up over the items.

    Parameters
    ----------
    first, second, query
        As in `kendall_distance`.

    Examples
    --------
    >>> spearman_distance([3.0, 2.0, 1.0], [1.0, 3.0, 2.0])
    array([6.])
    """
    query, left, right = _ranks(first, second, query)
    return np.bincount(query, (left - right) ** 2)


def spearman_rho(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None" = None
) -> np.ndarray:
    """Return Spearman's correlation, that of ranks: NaN where all items of one are tied.

    Parameters
    ----------
    first, second, query
        As in `kendall_distance`.

    Examples
    --------
    >>> spearman_rho([3.0, 2.0, 1.0], [1.0, 3.0, 2.0])
    array([-0.5])
    """
    query, left, right = _ranks(first, second, query)
    middle = (np.bincount(query) + 1) / 2
    left, right = left - middle[query], right - middle[query]
    product = np.bincount(query, left**2) * np.bincount(query, right**2)
    value = np.full(middle.shape, np.nan)
    covariance = np.bincount(query, left * right)
    return np.divide(covariance, np.sqrt(product), out=value, where=product > 0)


def _ranks(
    first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    query, first, second = flatten(query, first=first, second=second)
    return query, midranks(-first, query), midranks(-second, query)


def _pairs(first: "ArrayLike", second: "ArrayLike", query: "ArrayLike | None") -> np.ndarray:
    """Return, per query, the pairs in the same and in different order, tied in one only."""
    query, first, second = flatten(query, first=first, second=second)
    order = np.argsort(query, kind="stable")
    return _count_pairs(first[order], second[order], np.bincount(query))


@compiled(cache=True)
def _count_pairs(first: np.ndarray, second: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    counts = np.zeros((sizes.size, 4))
    start = 0
    for q in range(sizes.size):
        for i in range(start, start + sizes[q]):
            for j in range(start, i):
                # Compared, not subtracted: infinity minus infinity is not a number.
                a = int(first[i] > first[j]) - int(first[i] < first[j])
                b = int(second[i] > second[j]) - int(second[i] < second[j])
                if a * b > 0:
                    counts[q, 0] += 1.0
                elif a * b < 0:
                    counts[q, 1] += 1.0
                elif b != 0:
                    counts[q, 2] += 1.0
                elif a != 0:
                    counts[q, 3] += 1.0
        start += sizes[q]
    return counts
