r"""Linear scorers learned from pairs: RankNet, Ranking SVM, RankBoost's loss and Rank Regress.

Of each pair it is known which entry is better. With scores ``f = X beta`` the fit minimises

    sum over pairs of weight * loss(f_better - f_worse)  +  penalty / 2 * |beta|^2

where the loss of a margin m is

- "logistic", ``log(1 + e^-m)``: RankNet with a linear scorer, or Bradley-Terry with features
- "hinge", ``max(0, 1 - m)``: Ranking SVM, whose C is 1 / penalty
- "exponential", ``e^-m``: that of RankBoost
- "squared", ``(1 - m)^2``: Rank Regress

The differences of features are never formed: a pair costs two positions and its margin, whatever
the number of features.
"""

import warnings
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, optimize, sparse
from scipy.sparse import csgraph
from scipy.special import expit

from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar
from bayesrank.text import listing

__all__ = ["LOSSES", "fit_pair_loss", "pair_loss", "pairs_within"]

LOSSES = ("logistic", "hinge", "exponential", "squared")

# Below this margin the exponential goes on as its tangent, so that it cannot overflow. At the
# minimum no pair is there: it alone would cost more than all pairs do with equal scores.
_STEEP = -50.0
_DENSE = 500  # columns up to which Newton's equations are solved directly


def pair_loss(loss: str, margin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the loss of each margin, and its derivative."""
    if loss == "logistic":
        return np.logaddexp(0.0, -margin), -expit(-margin)
    if loss == "hinge":
        return np.maximum(0.0, 1.0 - margin), -(margin < 1.0).astype(float)
    if loss == "squared":
        return (1.0 - margin) ** 2, -2.0 * (1.0 - margin)
    value = np.exp(-np.maximum(margin, _STEEP))
    return value * (1.0 + np.maximum(_STEEP - margin, 0.0)), -value


class _Pairs:
    """Pairs of rows of a matrix, seen through margins and their transpose."""

    def __init__(
        self, features: Any, better: np.ndarray, worse: np.ndarray, weights: np.ndarray
    ) -> None:
        self.features, self.better, self.worse, self.weights = features, better, worse, weights
        self.rows = features.shape[0]

    def margins(self, beta: np.ndarray) -> np.ndarray:
        score = self.features @ beta
        return score[self.better] - score[self.worse]

    def pull(self, by_margin: np.ndarray) -> np.ndarray:
        """Return the sum over pairs of a number times the pair's difference of features."""
        by_row = np.bincount(self.better, by_margin, self.rows)
        by_row -= np.bincount(self.worse, by_margin, self.rows)
        return self.features.T @ by_row

    def gram(self, weights: np.ndarray) -> np.ndarray:
        """Return the weighted products of the differences, by way of the pairs' Laplacian."""
        used = weights != 0.0
        better, worse, w = self.better[used], self.worse[used], weights[used]
        shape = (self.rows, self.rows)
        linked = sparse.coo_array((w, (better, worse)), shape=shape).tocsr()
        degree = np.bincount(better, w, self.rows) + np.bincount(worse, w, self.rows)
        degree = degree.astype(float)  # without any pair NumPy counts in whole numbers
        laplacian = sparse.diags_array(degree) - linked - linked.T
        product = self.features.T @ (laplacian.tocsr() @ self.features)
        return product.toarray() if sparse.issparse(product) else product


def fit_pair_loss(
    better: ArrayLike, worse: ArrayLike, features: Any = None, *, loss: str = "logistic",
    penalty: float = 0.0, weights: ArrayLike | None = None, progress: bool = False,
) -> np.ndarray:  # fmt: skip
    """Minimise a loss of pairs over linear scorers.

    Parameters
    ----------
    better, worse : array of int
        For each pair the row of the better and of the worse entry.
    features : array or sparse array, optional
        What is known of the entries, rows by columns. By default each row is an item with a
        score of its own, and the scores sum to zero.
    loss : "logistic", "hinge", "exponential" or "squared"
    penalty : float
        Weight of half the squared length of the coefficients (penalty >= 0).
    weights : array, optional
        How often each pair counts (positive); by default once.
    progress : bool
        Whether to show progress.

    Returns
    -------
    ndarray
        Coefficients of the columns, or the items' scores. The hinge loss may have several minima,
        of which this is one.

    Examples
    --------
    >>> features = np.array([[1.0, 0.2], [0.3, 0.9], [0.1, 0.4], [0.2, 0.1]])
    >>> better, worse = pairs_within([2, 1, 1, 0])
    >>> fit_pair_loss(better, worse, features, loss="hinge", penalty=1.0).round(2)
    array([1.2, 0.4])
    """
    if loss not in LOSSES:
        names = listing([f'"{name}"' for name in LOSSES])
        raise ValueError(f"`loss` must be one of {names}, got {loss!r}.")
    if not isinstance(penalty, Real) or not 0 <= penalty < np.inf:
        raise ValueError(f"`penalty` must be a number from 0 up, got {penalty!r}.")
    pairs = _checked(better, worse, features, weights)
    unbounded = penalty == 0 and loss in ("logistic", "exponential")
    if unbounded and features is None:
        _require_links(pairs)
    # In units in which all columns have one spread, one size of step suits them all.
    unit = 1.0 / _spread(pairs.features)
    pairs.features = pairs.features @ sparse.diags_array(unit)
    by_column = penalty * unit**2
    with one_blas_thread(), progress_bar(f"{loss} loss", None, progress) as advance:
        if loss == "hinge":
            beta = _minimise_hinge(pairs, by_column, advance)
        else:
            beta = _minimise_smooth(pairs, loss, by_column, advance)
        if unbounded and features is not None:
            _require_contradiction(pairs, loss, beta)
    beta = beta * unit
    # Only differences count, so that without features the sum is rounding error.
    return beta - beta.mean() if features is None else beta


def pairs_within(
    relevance: ArrayLike, query: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of entries of the same query that differ in relevance.

    Parameters
    ----------
    relevance : array
        Relevance of each entry; more is better.
    query : array, optional
        Which query each entry belongs to, in any order; by default all to one.

    Returns
    -------
    better, worse : ndarray of int
        Positions of the entries of each pair, 16 bytes per pair.

    Examples
    --------
    >>> better, worse = pairs_within([2, 0, 1, 0], ["q", "q", "r", "r"])
    >>> better, worse
    (array([0, 2]), array([1, 3]))
    """
    relevance = np.asarray(relevance)
    query = np.zeros(relevance.shape, dtype=int) if query is None else np.asarray(query)
    if relevance.ndim != 1 or query.shape != relevance.shape:
        raise ValueError(
            "`relevance` and `query` must be one-dimensional and of one length, got shapes "
            f"{relevance.shape} and {query.shape}."
        )
    _, number = np.unique(query, return_inverse=True)
    by_query = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number))[:-1]
    better, worse = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for entries in np.split(by_query, ends):
        ahead, behind = np.nonzero(relevance[entries][:, None] > relevance[entries])
        better.append(entries[ahead])
        worse.append(entries[behind])
    return np.concatenate(better), np.concatenate(worse)


def _checked(better: Any, worse: Any, features: Any, weights: Any) -> _Pairs:
    """Return the pairs, or say what is wrong with them."""
    better, worse = np.asarray(better), np.asarray(worse)
    if better.ndim != 1 or better.shape != worse.shape or better.size == 0:
        raise ValueError(
            "`better` and `worse` must be one-dimensional, of one length and not empty, got "
            f"shapes {better.shape} and {worse.shape}."
        )
    for name, rows in (("better", better), ("worse", worse)):
        if not np.issubdtype(rows.dtype, np.integer):
            raise ValueError(f"`{name}` must hold whole numbers, got {rows.dtype}.")
    if features is None:
        features = sparse.eye_array(max(better.max(), worse.max()) + 1, format="csr")
    elif sparse.issparse(features):
        features = sparse.csr_array(features, dtype=float)
    else:
        features = np.ascontiguousarray(features, dtype=float)
    if features.ndim != 2:
        raise ValueError(f"`features` must be rows by columns, got {features.ndim} dimensions.")
    finite = np.isfinite(features.data if sparse.issparse(features) else features)
    if not finite.all():
        raise ValueError("`features` has missing or infinite values.")
    for name, rows in (("better", better), ("worse", worse)):
        bad = np.flatnonzero((rows < 0) | (rows >= features.shape[0]))
        if bad.size:
            raise ValueError(
                f"`{name}` must be from 0 to {features.shape[0] - 1}, got "
                f"{listing(rows[bad].tolist())}."
            )
    same = np.flatnonzero(better == worse)
    if same.size:
        raise ValueError(
            f"`better` and `worse` must differ, but are the same in pair {listing(same.tolist())}."
        )
    weights = np.ones(better.size) if weights is None else np.asarray(weights, dtype=float)
    if weights.shape != better.shape:
        raise ValueError(
            f"`weights` must have one number for each of the {better.size} pairs, got shape "
            f"{weights.shape}."
        )
    bad = np.flatnonzero(~((weights > 0) & (weights < np.inf)))
    if bad.size:
        raise ValueError(f"`weights` must be positive, got {listing(weights[bad].tolist())}.")
    return _Pairs(features, better.astype(np.intp), worse.astype(np.intp), weights)


def _spread(features: Any) -> np.ndarray:
    """Return the standard deviation of each column, or 1 where it has none."""
    mean = np.asarray(features.mean(axis=0)).ravel()
    squares = features.multiply(features) if sparse.issparse(features) else features * features
    variance = np.asarray(squares.mean(axis=0)).ravel() - mean**2
    # What is left of a constant column is rounding error.
    varies = variance > 1e-12 * np.maximum(mean**2, 1e-300)
    return np.sqrt(np.where(varies, variance, 1.0))


def _minimise_smooth(
    pairs: _Pairs, loss: str, penalty: np.ndarray, advance: Callable[[], None]
) -> np.ndarray:
    """Return the minimum by L-BFGS."""
    total = pairs.weights.sum()

    def objective(beta: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = pair_loss(loss, pairs.margins(beta))
        gradient = pairs.pull(pairs.weights * slope) + penalty * beta
        advance()
        return (pairs.weights @ value + 0.5 * penalty @ beta**2) / total, gradient / total

    options = {"maxiter": 20_000, "maxfun": 40_000, "maxcor": 20, "ftol": 0.0, "gtol": 1e-9}
    report = optimize.minimize(
        objective, np.zeros(penalty.size), jac=True, method="L-BFGS-B", options=options
    )
    # At the last digit the line search may give up although the gradient is all but zero.
    steepest = np.max(np.abs(report.jac))
    if steepest > 1e-6:
        warnings.warn(
            f"The optimiser stopped early ({report.message}), with a gradient of {steepest:.1g} "
            "per pair.",
            stacklevel=3,
        )
    return report.x


def _require_links(pairs: _Pairs) -> None:
    """Refuse items whose scores could drift apart for ever."""
    ones = np.ones(pairs.better.size)
    wins = sparse.coo_array((ones, (pairs.better, pairs.worse)), shape=(pairs.rows,) * 2).tocsr()
    groups, label = csgraph.connected_components(wins, connection="strong")
    if groups > 1:
        apart = np.flatnonzero(label != np.bincount(label).argmax())
        raise ValueError(
            f"The minimum does not exist: items {listing(apart.tolist())} are never better, or "
            "never worse, than the rest. Give a positive `penalty`, or drop them."
        )


def _require_contradiction(pairs: _Pairs, loss: str, beta: np.ndarray) -> None:
    """Refuse features along which every pair is fitted better and better.

    There the optimiser stops where it cannot see the slope, nor the curvature, which at a true
    minimum is a fair share of the squared differences of features.
    """
    margin = pairs.margins(beta)
    if not (margin > 0).all():
        if beta.size > _DENSE:
            return
        slope = -pair_loss(loss, margin)[1]
        curvature = slope if loss == "exponential" else slope * (1.0 - slope)
        squares = pairs.gram(pairs.weights)
        values, vectors = linalg.eigh(squares)
        seen = vectors[:, values > 1e-10 * values[-1]] / np.sqrt(
            values[values > 1e-10 * values[-1]]
        )
        share = linalg.eigvalsh(seen.T @ pairs.gram(pairs.weights * curvature) @ seen)
        if share[0] > 1e-6:
            return
    raise ValueError(
        "The minimum does not exist: some combination of the features is never larger for the "
        "worse entry of a pair, and its coefficient grows for ever. Give a positive `penalty`."
    )


def _minimise_hinge(pairs: _Pairs, penalty: np.ndarray, advance: Callable[[], None]) -> np.ndarray:
    """Return a minimum of the hinge loss, by the method of multipliers.

    A pair's multiplier a lies between 0 and its weight. With it the loss is replaced by

        max over a of  a (1 - m) - width / 2 * (a - previous a)^2

    which is smooth, so that Newton's method finds its minimum; and after finitely many rounds the
    multipliers are those of the hinge loss itself. The value of the dual problem, which no
    coefficients can undercut, says when.
    """
    w, total = pairs.weights, pairs.weights.sum()
    beta, multiplier, width = np.zeros(penalty.size), 0.5 * w, 1.0
    gap = np.inf
    for _ in range(200):
        beta, multiplier = _newton(pairs, penalty, beta, multiplier, width, advance)
        primal = w @ np.maximum(1.0 - pairs.margins(beta), 0.0) + 0.5 * penalty @ beta**2
        pull = pairs.pull(multiplier)
        if penalty.any():
            dual = multiplier.sum() - 0.5 * (pull**2 / penalty).sum()
        else:
            # A bound for all coefficients up to twice as large as these.
            dual = multiplier.sum() - 3.0 * np.abs(pull) @ np.abs(beta)
        gap, before = (primal - dual) / total, gap
        if gap <= 1e-10:
            return beta
        if gap > 0.3 * before:
            # Narrower ones would make more of the rounding errors of margins than of margins.
            width = max(0.3 * width, 1e-6)
    if gap > 1e-6:
        warnings.warn(
            f"The optimiser stopped early, up to {gap:.1g} per pair above the minimum.",
            stacklevel=3,
        )
    return beta


def _newton(
    pairs: _Pairs, penalty: np.ndarray, beta: np.ndarray, previous: np.ndarray, width: float,
    advance: Callable[[], None],
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the minimum of one round of the method of multipliers, and its multipliers."""
    w = pairs.weights

    def multipliers(slack: np.ndarray) -> np.ndarray:
        # A pair of weight w is w pairs, each with this width.
        return np.clip(previous + w * slack / width, 0.0, w)

    slack = 1.0 - pairs.margins(beta)
    for _ in range(200):
        a = multipliers(slack)
        gradient = penalty * beta - pairs.pull(a)
        inside = np.where((a > 0.0) & (a < w), w / width, 0.0)
        # To rounding errors, of the sum and of the margins that are divided by the width.
        if np.abs(gradient).max() <= 1e-13 * w.sum() + 1e-15 * inside.sum():
            break
        step = -_solve(pairs, inside, penalty, gradient)
        change = pairs.margins(step)

        def slope(
            t: float,
            beta: np.ndarray = beta,
            step: np.ndarray = step,
            slack: np.ndarray = slack,
            change: np.ndarray = change,
        ) -> float:
            return penalty * (beta + t * step) @ step - multipliers(slack - t * change) @ change

        # Where few pairs are at the kink the step may be far too long.
        t = 1.0
        if slope(1.0) > 0.0:
            if slope(0.0) >= 0.0:  # to the last digit
                break
            t = optimize.brentq(slope, 0.0, 1.0, xtol=1e-300, rtol=1e-10)
        beta = beta + t * step
        slack = 1.0 - pairs.margins(beta)
        advance()
    return beta, multipliers(slack)


def _solve(pairs: _Pairs, weights: np.ndarray, penalty: np.ndarray, gradient: Any) -> np.ndarray:
    """Return Newton's step, with a ridge where too few pairs are at the kink to say which way."""
    ridge = penalty + 1e-9 * pairs.weights.sum() + 1e-12 * weights.sum()
    if penalty.size <= _DENSE:
        return linalg.solve(pairs.gram(weights) + np.diag(ridge), gradient, assume_a="pos")

    def product(v: np.ndarray) -> np.ndarray:
        return pairs.pull(weights * pairs.margins(v)) + ridge * v

    operator = sparse.linalg.LinearOperator((penalty.size,) * 2, matvec=product, dtype=float)
    return sparse.linalg.cg(operator, gradient, rtol=1e-4, maxiter=200)[0]
