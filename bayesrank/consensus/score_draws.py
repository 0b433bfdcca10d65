"""Draws of scores in any form, with labels: the door for what was sampled elsewhere."""

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.answers import RankingAnswers
from bayesrank.consensus.deciding import require_question
from bayesrank.consensus.labels import require_sequence
from bayesrank.consensus.tables import ranking_table
from bayesrank.consensus.tiers import require_tiers_rule
from bayesrank.consensus.verdicts import Verdict
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ScoreDraws"]


class ScoreDraws(RankingAnswers):
    """Posterior draws of items' scores, and all that can be said of their ranks.

    Parameters
    ----------
    draws : array, xarray.DataArray, data frame or Fit
        Draws by items, or chains by draws by items; of a DataArray the dimensions other than
        chain, draw and sample are the items; of a data frame the columns are.
    items : list, optional
        Labels, instead of those that the draws have, or of 1, 2, 3, and so on.

    Examples
    --------
    >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 0.5, size=(1000, 3))
    >>> br.ScoreDraws(draws, ["a", "b", "c"]).consensus("kendall").order
    ['c', 'b', 'a']
    """

    def __init__(self, draws: Any, items: Sequence[Any] | None = None) -> None:
        if isinstance(draws, RankingAnswers):
            scores, own = draws._labelled("scores")
        else:
            scores, own = _flatten(draws)
        if items is None:
            items = own if own is not None else range(1, scores.shape[1] + 1)
        # A copy: what the user does to the array later changes no answer.
        self._scores = np.array(scores)
        self._items = _labels(items)
        self._check()

    def _check(self) -> None:
        draws, n = self._scores.shape
        if len(self._items) != n:
            raise ValueError(
                f"`items` must have a label for each of the {n} items, got {len(self._items)}."
            )
        repeated = self._items[self._items.duplicated()].unique()
        if len(repeated):
            raise ValueError(f"`items` must be different; repeated: {listing(list(repeated))}.")
        if n < 2:
            raise ValueError(f"`draws` must be of at least two items, got {n}.")
        if draws < 2:
            raise ValueError(
                f"`draws` must hold at least two draws, got {draws}: a single point has no "
                "uncertainty."
            )
        bad = ~np.isfinite(self._scores)
        if bad.any():
            where = [f"{self._items[k]} in draw {s}" for s, k in np.argwhere(bad)[:5]]
            count = int(bad.sum())
            more = f" and {count - 5:,} more" if count > 5 else ""
            raise ValueError(
                f"`draws` must be finite numbers; {count:,} are not: {', '.join(where)}{more}."
            )

    def __repr__(self) -> str:
        draws, n = self._scores.shape
        return f"ScoreDraws: {n:,} items, {draws:,} draws"

    def _labelled(self, what: str, *, point: bool = False) -> "tuple[np.ndarray, pd.Index]":
        return self._scores, self._items

    def scores(self) -> np.ndarray:
        """Return the draws, all chains together: draws by items.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.scores().shape
        (4000, 3)
        """
        return self._scores

    def ranking(self, prob: float = 0.95, *, tiers: str = "expected") -> "pd.DataFrame":
        """Return the items, best first, with what is known of their scores and ranks.

        The table of `Fit.ranking`.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.ranking()[["score", "rank_low", "rank_high", "p_best"]].round(2)
              score  rank_low  rank_high  p_best
        item
        c      2.97         1          2    0.91
        b      0.98         1          3    0.08
        a      0.01         2          3    0.01
        """
        require_tiers_rule(tiers, "tiers")
        return ranking_table(self._scores, self._items, prob, rule=tiers)

    def decided(
        self,
        goal: str = "best",
        prob: float = 0.95,
        *,
        k: int | None = None,
        indifference: float = 0.0,
    ) -> Verdict:
        """Return whether it is decided who is best, who the first k are, or in which order.

        As `Fit.decided`, which has more about the arguments. How many more results it takes is
        not known from draws alone.

        Examples
        --------
        >>> draws = np.random.default_rng(1).normal([0.0, 1.0, 3.0], 1.0, size=(4000, 3))
        >>> answers = br.ScoreDraws(draws, ["a", "b", "c"])
        >>> answers.decided("top", k=2)
        Verdict: Not decided at 95% who the first 2 are: c and b, with probability 0.749; open are
        b and a.
        >>> bool(answers.decided("best", indifference=1.0))
        True
        """
        require_question(goal, prob, k, indifference, len(self._items))
        return Verdict.of(self._scores, self._items, goal, prob, k, indifference)


def _labels(items: Any) -> "pd.Index":
    """Return labels as an index of plain Python objects."""
    import pandas as pd

    require_sequence("items", items)
    labels = items.tolist() if hasattr(items, "tolist") else list(items)
    bad = [label for label in labels if not _usable(label)]
    if bad:
        raise ValueError(f"`items` must be texts, numbers or tuples of them, got {listing(bad)}.")
    return pd.Index(labels, name="item", dtype=object, tupleize_cols=False)


def _usable(label: Any) -> bool:
    """Return whether a label can be looked up and is not missing."""
    try:
        hash(label)
        return label is not None and bool(label == label)
    except (TypeError, ValueError):
        return False


def _flatten(draws: Any) -> tuple[np.ndarray, Any]:
    """Return draws by items, and the items if the draws have labels."""
    items = None
    if hasattr(draws, "data_vars"):
        raise TypeError(
            "`draws` must be the draws of one variable, such as dataset['score'], got a data set."
        )
    if hasattr(draws, "dims") and hasattr(draws, "transpose"):
        draws, items = _of_data_array(draws)
    elif hasattr(draws, "columns"):
        items = list(draws.columns)
        draws = draws.to_numpy()
    if isinstance(draws, np.ma.MaskedArray):
        draws = draws.astype(float).filled(np.nan)  # type: ignore[attr-defined]
    array = _real_numbers(draws)
    if array.ndim not in (2, 3):
        raise ValueError(
            "`draws` must be draws by items or chains by draws by items, got an array of "
            f"{array.ndim} dimensions."
        )
    return array.astype(float).reshape(int(np.prod(array.shape[:-1])), array.shape[-1]), items


def _real_numbers(draws: Any) -> np.ndarray:
    try:
        array = np.asarray(draws)
        if array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.ravel()):
            array = array.astype(float)
    except ValueError as error:
        raise ValueError(f"`draws` must be a full array of numbers: {error}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"`draws` must be real numbers, got {array.dtype}.")
    return array


def _of_data_array(draws: Any) -> tuple[np.ndarray, Any]:
    """Return an array with the items last, and their labels."""
    sampled = [dim for dim in ("chain", "draw", "sample") if dim in draws.dims]
    others = [dim for dim in draws.dims if dim not in sampled]
    if len(others) != 1 or not sampled:
        raise ValueError(
            "`draws` must have one dimension of items beside chain and draw, got "
            f"{', '.join(map(str, draws.dims))}."
        )
    (item,) = others
    draws = draws.transpose(*sampled, item)
    items = draws.coords[item].values.tolist() if item in draws.coords else None
    return draws.values, items
