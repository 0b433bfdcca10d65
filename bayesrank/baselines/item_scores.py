"""Scores of items that maximise any objective of rankings, by L-BFGS.

The objectives are functions of arrays, like the likelihoods in `bayesrank.kernels`:
``objective(score, order, sizes)`` returns a value for each ranking and its derivative by the score
of each slot. The same functions give a network its gradient.
"""

import warnings
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import optimize

from bayesrank.baselines.block_pairs import count_wins, counted_pairs
from bayesrank.inference.threads import one_blas_thread
from bayesrank.kernels.partitions import partition
from bayesrank.progress import progress_bar

if TYPE_CHECKING:
    from bayesrank.data.rankings import Rankings

__all__ = ["fit_item_pairs", "fit_item_scores"]


def fit_item_scores(
    data: "Rankings",
    objective: Callable[..., Any],
    *,
    scale: float = np.inf,
    tolerance: float = 1e-7,
    progress: bool = False,
) -> np.ndarray:
    """Return the scores that maximise an objective of rankings, which sum to zero.

    Parameters
    ----------
    data : Rankings
    objective : callable
        ``objective(score, order, sizes)``, such as `bayesrank.baselines.pl_lower_bound`,
        `bayesrank.baselines.attention_rank` or a kernel.
    scale : float
        Standard deviation of a normal prior of the scores (positive), which is added; infinity is
        none. Without one, an item that is always in the last block runs off until the slope
        cannot be seen.
    tolerance : float
        Largest derivative, divided by the number of rankings, at which to stop.
    progress : bool
        Whether to show progress.

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> fit_item_scores(races, pl_lower_bound, scale=1.0).round(2)
    array([-0.1, -0.1,  0.2])
    """
    order, sizes, _ = partition(data.ranks, data.offered)
    # Empty slots point at an item, with derivative zero.
    entries = np.maximum(data.entries, 0)

    def total(score: np.ndarray) -> tuple[float, np.ndarray]:
        value, by_slot = objective(score[entries], order, sizes)
        by_slot *= data.weights[:, None]
        gradient = np.bincount(entries.ravel(), by_slot.ravel(), minlength=score.size)
        return float(value @ data.weights), gradient

    return _maximise(total, data, scale, tolerance, progress)


def fit_item_pairs(
    data: "Rankings",
    loss: str = "logistic",
    *,
    scale: float = np.inf,
    tolerance: float = 1e-7,
    progress: bool = False,
) -> np.ndarray:
    """Return the scores that minimise a loss of all pairs of items in different blocks.

    With scores of items, RankNet is Bradley-Terry; here it is found from the table of all pairs,
    which rankings of thousands of items fill.

    Parameters
    ----------
    data : Rankings
        Each of which counts once.
    loss : "logistic" or "hinge"
        RankNet's or Ranking SVM's. The hinge loss has kinks, where L-BFGS stops close to, but not
        at, a minimum; `bayesrank.baselines.fit_pair_loss` is exact, and slower.
    scale, tolerance, progress
        As in `fit_item_scores`.

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> fit_item_pairs(races, scale=1.0).round(2)
    array([-0.  , -0.25,  0.25])
    """
    if loss not in ("logistic", "hinge"):
        raise ValueError(f'`loss` must be "logistic" or "hinge", got {loss!r}.')
    if np.any(data.weights != 1.0):
        raise ValueError("`data` must have rankings of weight 1.")
    order, sizes, _ = partition(data.ranks, data.offered)
    wins = count_wins(np.maximum(data.entries, 0), order, sizes, len(data.items))
    hinge = loss == "hinge"
    return _maximise(
        lambda score: counted_pairs(score, wins, hinge), data, scale, tolerance, progress,
        kinks=hinge,
    )  # fmt: skip


def _maximise(
    total: Callable[[np.ndarray], tuple[float, np.ndarray]],
    data: "Rankings",
    scale: float,
    tolerance: float,
    progress: bool,
    kinks: bool = False,
) -> np.ndarray:
    """Return the maximum of a function of the items' scores with its gradient."""
    for name, value in (("scale", scale), ("tolerance", tolerance)):
        if not (isinstance(value, Real) and value > 0):
            raise ValueError(f"`{name}` must be a positive number, got {value!r}.")
    rankings = data.weights.sum()

    def loss(score: np.ndarray) -> tuple[float, np.ndarray]:
        # Centred, the prior is that of scores which sum to zero.
        apart = score - score.mean()
        value, gradient = total(apart)
        value -= 0.5 * apart @ apart / scale**2
        gradient = gradient - apart / scale**2
        advance()
        return -value / rankings, -(gradient - gradient.mean()) / rankings

    options = {"maxiter": 2000, "maxfun": 4000, "maxcor": 20, "ftol": 0.0, "gtol": tolerance}
    if kinks:
        # At a kink the gradient does not vanish: stop where the loss does not fall any more.
        options["ftol"] = 1e-8
    with one_blas_thread(), progress_bar("Scores", None, progress) as advance:
        report = optimize.minimize(
            loss, np.zeros(len(data.items)), jac=True, method="L-BFGS-B", options=options
        )
    # At the last digit the line search may give up although the gradient is all but zero.
    steepest = np.max(np.abs(report.jac))
    if not kinks and steepest > 100 * tolerance:
        warnings.warn(
            f"The optimiser stopped early ({report.message}), with a gradient of {steepest:.1g} "
            "per ranking.",
            stacklevel=3,
        )
    return report.x - report.x.mean()
