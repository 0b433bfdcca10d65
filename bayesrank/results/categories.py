"""A fit as seen in one category, and all categories side by side."""

from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank import consensus
from bayesrank.results.parts import FitPart
from bayesrank.text import listing, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Categories"]

_SMALL, _LARGE = (
    0.25,
    0.75,
)  # shares of the spread between items: words for how far categories differ


class Categories(FitPart):
    """Scores by category. Where there are none, everything is about all results."""

    _category: int | None = None

    def in_category(self, category: Any) -> Self:
        """Return the fit as seen in a category: whatever it is asked is about that category.

        Parameters
        ----------
        category : label

        Examples
        --------
        >>> rows = [["x", "y", "x", "code"], ["y", "x", "y", "art"]] * 20
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome", "topic"])
        >>> votes = br.Comparisons.from_frame(df, category="topic")
        >>> fit = br.fit(votes, scores="by-category", method="laplace", seed=1)
        >>> fit.in_category("code").ranking().index[0]
        'x'
        >>> fit.in_category("art").ranking().index[0]
        'y'
        """
        self._require_categories("in_category()")
        known = self.specification.data.categories
        if category not in known:
            raise ValueError(f"`category` must be one of {listing(known)}, got {category!r}.")
        other = copy(self)
        other.__dict__.pop("_separation", None)
        other._category = known.index(category)
        return other

    def _require_categories(self, what: str) -> None:
        if "score_by_category" not in self.specification.varying.names:
            raise ValueError(
                f"`{what}` is for scores that differ between categories; fit with "
                f"{option('scores', 'by-category')}."
            )

    def _category_effects(self, category: int) -> np.ndarray:
        """Return what a category adds to each item's score, draws by items."""
        n = len(self.specification.data.items)
        if "score_by_category" not in self.posterior:  # one category, or a spread of 0
            return np.zeros((self.shape[0] * self.shape[1], n))
        return self._flat("score_by_category")[:, category * n : (category + 1) * n]

    def _in_this_category(self, scores: np.ndarray, items: Any = slice(None)) -> np.ndarray:
        """Return scores of some items with what the category adds to them."""
        if self._category is None:
            return scores
        scores = scores + self._category_effects(self._category)[:, items]
        return scores - scores.mean(axis=1, keepdims=True)

    def categories(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return the ranks of all items in all categories, and over all, side by side.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by item, the best over all first. Columns are pairs: "overall" or a category,
            and score, low, high, rank and p_best.

        Examples
        --------
        >>> rows = [["x", "y", "x", "code"], ["y", "x", "y", "art"]] * 20
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome", "topic"])
        >>> votes = br.Comparisons.from_frame(df, category="topic")
        >>> fit = br.fit(votes, scores="by-category", method="laplace", seed=1)
        >>> fit.categories().xs("rank", axis=1, level=1).columns.tolist()
        ['overall', 'art', 'code']
        """
        import pandas as pd

        self._require_categories("categories()")
        index, point = self._index(), self.kind.is_point
        views = {"overall": self._overall()} | {
            label: self.in_category(label) for label in self.specification.data.categories
        }
        tables = {}
        for label, view in views.items():
            table = consensus.ranking_table(view.scores(), index, prob, point=point, rule=None)
            tables[label] = table[["score", "low", "high", "rank", "p_best"]]
        order = tables["overall"].index
        return pd.concat({label: table.loc[order] for label, table in tables.items()}, axis=1)

    @property
    def about_categories(self) -> str:
        """How much categories differ, in a sentence; empty where there are none.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> fit.about_categories
        ''
        """
        if "score_by_category" not in self.posterior:
            return ""
        own = self._flat("score_by_category")
        draws, n = len(own), len(self.specification.data.items)
        between = own.reshape(draws, -1, n).std(axis=1).mean()
        overall = self.scores() if self._category is None else self._overall().scores()
        spread = overall.std(axis=1).mean()
        share = between / max(spread, 1e-12)
        word = "little" if share < _SMALL else "much" if share > _LARGE else "to some extent"
        return (
            f"Categories differ {word}: an item's score varies by {between:.2f} between categories "
            f"(standard deviation), and scores by {spread:.2f} between items."
        )

    def _overall(self) -> Self:
        other = copy(self)
        other._category = None
        return other
