"""Search results fused by the pairwise preferences in the systems' lists.

Carterette and Petkova, Learning a ranking from pairwise preferences (SIGIR 2006): every list is
broken into all its pairs, and the documents are scored by a probit model of the pairs or by a
linear support vector machine on their +-1 vectors.
"""

from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg
from scipy.special import log_ndtr

from bayesrank.inference.threads import one_blas_thread
from bayesrank.text import listing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["list_preferences", "probit_fusion", "svm_fusion"]


def list_preferences(
    documents: Any,
    systems: "ArrayLike | None" = None,
    *,
    absent: str = "ignored",
    weights: "ArrayLike | None" = None,
) -> tuple[np.ndarray, ...]:
    """Return the preferences that systems express by their lists.

    Parameters
    ----------
    documents : JudgedDocuments
        Places of documents in the systems' lists; smaller is better.
    systems : array of int, optional
        Columns to use, by default all.
    absent : "ignored" or "below"
        Whether a document that a system does not list is below all that it lists. Documents in
        no list of a query have no preferences.
    weights : array, queries by systems, optional
        How often a system's preferences count; by default once.

    Returns
    -------
    winners, losers : ndarray of int
        Rows of the two documents of each pair.
    counts : ndarray
        How often, or with what weight, the first is preferred.

    Examples
    --------
    >>> from bayesrank.data.formats.judged_documents import JudgedDocuments
    >>> places = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, np.nan]])  # documents by systems
    >>> documents = JudgedDocuments(np.zeros(3, int), ["q"], ["x", "y", "z"], places, ["s", "t"])
    >>> winners, losers, counts = list_preferences(documents)
    >>> winners, losers, counts
    (array([0, 0, 1, 1]), array([1, 2, 0, 2]), array([1., 1., 1., 1.]))
    """
    if absent not in ("ignored", "below"):
        raise ValueError(f'`absent` must be "ignored" or "below", got {absent!r}.')
    columns = documents.values.shape[1]
    systems = np.arange(columns) if systems is None else np.asarray(systems)
    if systems.ndim != 1 or systems.size == 0 or not np.issubdtype(systems.dtype, np.integer):
        raise ValueError(f"`systems` must be a list of column numbers, got {systems.tolist()!r}.")
    wrong = systems[(systems < 0) | (systems >= columns)]
    if wrong.size:
        raise ValueError(
            f"`systems` must be from 0 to {columns - 1}, got {listing(wrong.tolist())}."
        )
    shape = (len(documents.queries), systems.size)
    weights = np.ones(shape) if weights is None else np.asarray(weights, dtype=float)
    if weights.shape != shape:
        raise ValueError(
            f"`weights` must have a row for each of {shape[0]} queries and a column for each of "
            f"{shape[1]} systems, got shape {weights.shape}."
        )
    if not np.all((weights >= 0) & (weights < np.inf)):
        raise ValueError("`weights` must be finite and not negative.")
    by_query = np.argsort(documents.query, kind="stable")
    ends = np.cumsum(np.bincount(documents.query, minlength=shape[0]))[:-1]
    found = [(np.empty(0, dtype=np.intp),) * 2 + (np.empty(0),)]
    for rows, weight in zip(np.split(by_query, ends), weights, strict=True):
        place = documents.values[np.ix_(rows, systems)]
        listed = ~np.isnan(place).all(axis=1)
        rows, place = rows[listed], place[listed]
        count = np.zeros((rows.size, rows.size))
        for own, one in zip(place.T, weight, strict=True):
            above = own[:, None] < own  # never true of what is not listed
            if absent == "below":
                above |= ~np.isnan(own)[:, None] & np.isnan(own)
            count += one * above
        i, j = np.nonzero(count)
        found.append((rows[i], rows[j], count[i, j]))
    return tuple(np.concatenate(part) for part in zip(*found, strict=True))


def svm_fusion(
    query: "ArrayLike",
    winners: "ArrayLike",
    losers: "ArrayLike",
    counts: "ArrayLike",
    *,
    cost: float = 1.0,
) -> np.ndarray:
    """Return the documents' scores by a support vector machine; NaN for one in no pair.

    The minimum of ``|s|^2 / 2 + cost * sum of counts * max(0, 1 - (s_winner - s_loser))^2``. The
    paper prints the plain hinge with an intercept, and cites the solver of Keerthi and DeCoste,
    which is for the squared one; an intercept would say that winners are listed first.

    Parameters
    ----------
    query : array of int
        The query of each document.
    winners, losers, counts : array
        Preferences, as `list_preferences` returns them.
    cost : float
        What a pair that is short of its margin costs.

    Examples
    --------
    >>> svm_fusion([1, 1, 1], [0, 1, 0], [1, 2, 2], [3, 2, 4]).round(2)
    array([ 0.84, -0.02, -0.82])
    """
    _positive("cost", cost)

    def loss(margin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        short = np.maximum(0.0, 1.0 - margin)
        return cost * short**2, -2.0 * cost * short, 2.0 * cost * (short > 0.0)

    return _minimum(query, winners, losers, counts, loss, 1.0)


def probit_fusion(
    query: "ArrayLike",
    winners: "ArrayLike",
    losers: "ArrayLike",
    counts: "ArrayLike",
    *,
    scale: float = 1.0,
) -> np.ndarray:
    """Return the documents' scores by the probit model of pairs; NaN for one in no pair.

    The mode of P(winner over loser) = Phi(s_winner - s_loser), noise of variance one half on each
    score. Some documents never lose, and some groups are never compared, so that the likelihood
    alone has no maximum, or no single one; hence a normal prior. It is the mode that
    `bayesrank.fit` finds with "thurstone-pairs"; query by query, Newton's method has it sooner.

    Parameters
    ----------
    query : array of int
        The query of each document.
    winners, losers, counts : array
        Preferences, as `list_preferences` returns them.
    scale : float
        Standard deviation of the prior.

    Examples
    --------
    >>> probit_fusion([1, 1, 1], [0, 1, 0], [1, 2, 2], [3, 2, 4]).round(2)
    array([ 1.01, -0.08, -0.93])
    """
    _positive("scale", scale)

    def loss(margin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        log_won = log_ndtr(margin)
        slope = np.exp(-0.5 * margin**2 - log_won) / np.sqrt(2.0 * np.pi)
        return -log_won, -slope, slope * (slope + margin)

    return _minimum(query, winners, losers, counts, loss, scale**-2.0)


def _minimum(
    query: Any, winners: Any, losers: Any, counts: Any, loss: Callable[..., Any], penalty: float
) -> np.ndarray:
    """Return the scores that minimise a loss of the margins plus penalty times |s|^2 / 2."""
    query, winners, losers = (np.asarray(part) for part in (query, winners, losers))
    counts = np.asarray(counts, dtype=float)
    _check(query, winners, losers, counts)
    score = np.full(len(query), np.nan)
    if winners.size == 0:
        return score
    number = np.unique(query, return_inverse=True)[1][winners]
    by_query = np.argsort(number, kind="stable")
    with one_blas_thread():
        for pairs in np.split(by_query, np.cumsum(np.bincount(number))[:-1]):
            both = np.concatenate([winners[pairs], losers[pairs]])
            seen, place = np.unique(both, return_inverse=True)
            winner, loser = np.split(place, 2)
            score[seen] = _newton(winner, loser, counts[pairs], loss, penalty)
    return score


def _check(query: np.ndarray, winners: np.ndarray, losers: np.ndarray, counts: np.ndarray) -> None:
    if winners.ndim != 1 or not winners.shape == losers.shape == counts.shape:
        raise ValueError(
            "`winners`, `losers` and `counts` must be one-dimensional and of one length, got "
            f"shapes {winners.shape}, {losers.shape} and {counts.shape}."
        )
    if winners.size == 0:
        return
    for name, rows in (("winners", winners), ("losers", losers)):
        if not np.issubdtype(rows.dtype, np.integer):
            raise ValueError(f"`{name}` must hold whole numbers, got {rows.dtype}.")
        bad = rows[(rows < 0) | (rows >= query.size)]
        if bad.size:
            raise ValueError(
                f"`{name}` must be from 0 to {query.size - 1}, got {listing(bad.tolist())}."
            )
    apart = np.flatnonzero((query[winners] != query[losers]) | (winners == losers))
    if apart.size:
        raise ValueError(
            "`winners` and `losers` must be two documents of one query, but are not in pairs "
            f"{listing(apart.tolist())} (the first is 0)."
        )
    bad = np.flatnonzero(~((counts >= 0) & (counts < np.inf)))
    if bad.size:
        raise ValueError(
            "`counts` must be finite and not negative, but are not in pairs "
            f"{listing(bad.tolist())} (the first is 0)."
        )


def _positive(name: str, value: Any) -> None:
    if not isinstance(value, Real) or not 0 < value < np.inf:  # type: ignore[operator]
        raise ValueError(f"`{name}` must be a positive number, got {value!r}.")


def _newton(
    winner: np.ndarray,
    loser: np.ndarray,
    count: np.ndarray,
    loss: Callable[..., Any],
    penalty: float,
) -> np.ndarray:
    n = max(winner.max(initial=-1), loser.max(initial=-1)) + 1
    score = np.zeros(n)

    def objective(score: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        value, slope, curvature = loss(score[winner] - score[loser])
        return count @ value + 0.5 * penalty * score @ score, count * slope, count * curvature

    value, slope, curvature = objective(score)
    for _ in range(100):
        pull = np.bincount(winner, slope, n) - np.bincount(loser, slope, n)
        gradient = pull + penalty * score
        if np.abs(gradient).max(initial=0.0) < 1e-8 * penalty:
            break
        linked = np.bincount(winner * n + loser, curvature, n * n).reshape(n, n)
        linked = linked + linked.T
        hessian = np.diag(linked.sum(axis=1) + penalty) - linked
        step = linalg.solve(hessian, -gradient, assume_a="pos")
        # The squared hinge has kinks in its slope, past which a step may go too far.
        length = 1.0
        while True:
            ahead = objective(score + length * step)
            if ahead[0] <= value + 1e-4 * length * gradient @ step or length < 1e-6:
                break
            length *= 0.5
        if ahead[0] >= value:  # to the last digit
            break
        score = score + length * step
        value, slope, curvature = ahead
    return score
