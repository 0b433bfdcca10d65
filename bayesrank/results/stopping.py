"""Whether enough is known, and how much more it takes."""

from typing import Any

import numpy as np

from bayesrank.consensus.deciding import require_question
from bayesrank.consensus.prospects import results_needed
from bayesrank.consensus.verdicts import Verdict
from bayesrank.results.parts import FitPart

__all__ = ["Stopping"]


class Stopping(FitPart):
    """Whether enough is known, and how much more it takes."""

    def decided(
        self,
        goal: str = "best",
        prob: float = 0.95,
        *,
        k: int | None = None,
        indifference: float = 0.0,
        at: Any = None,
        category: Any = None,
    ) -> Verdict:
        """Return whether it is decided who is best, and about how many more results it takes.

        Whoever stops as soon as it is decided is wrong with probability 1 - ``prob`` at most,
        where the model and its prior are right. How long that may take is simulated from the
        posterior, for more results like those so far, of the same items in the same proportions.

        Parameters
        ----------
        goal : "best", "top" or "order"
            What is to be decided: which item is the best; which are the first ``k``, in any
            order; or the order of all items, which is that of the mean scores.
        prob : float
            How probable the answer must be.
        k : int, optional
            For "top".
        indifference : float
            A width on the scale of the scores: an answer is right if no item that comes first,
            or before another, is truly below it by more than this. Equal items are never told
            apart without one.
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.
        category : label, optional
            Where scores differ between categories: in which one, by default over all.

        Returns
        -------
        Verdict
            True if it is decided. Has probability, choice, open, more, interval and sentence.
            Where scores move or differ between categories, and where the place of more than 150
            items is open, how many more results it takes is not known (None).

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.decided("best").open.round(2)
                   p_best
        item
        Milwaukee    0.54
        Detroit      0.25
        Toronto      0.11
        New York     0.07
        >>> bool(fit.decided("best", indifference=0.5))
        True
        """
        if at is not None:
            return self.at(at).decided(
                goal, prob, k=k, indifference=indifference, category=category
            )
        if category is not None:
            return self.in_category(category).decided(goal, prob, k=k, indifference=indifference)
        scores, index = self._labelled("decided")
        require_question(goal, prob, k, indifference, len(index))
        data = self.specification.data
        pairs = data.row == "pair"
        seen = float(data.counts.sum() if pairs else data.weights.sum())

        def needed() -> tuple[float, float, float] | None:
            variances = self._prior_variances()
            if variances is None:
                return None
            return results_needed(scores, variances, seen, goal, prob, k, float(indifference))

        unit = "comparisons" if pairs else "rankings"
        return Verdict.of(scores, index, goal, prob, k, indifference, needed, unit)

    def _prior_variances(self) -> np.ndarray | None:
        """Return the prior variance of a score, by draw or one for all.

        None where more results of the same kind do not add up to more information about the
        scores: where these belong to a time, or are what categories have in common.
        """
        model = self.specification
        if model.moves is not None or "score_by_category" in model.varying.names:
            return None
        variances = np.zeros(1)
        if model.item_effects:
            if model.scale is None and "scale" not in self.posterior:
                return None  # draws from elsewhere need not have it
            scale = self._flat("scale") if model.scale is None else np.array([model.scale])
            variances = variances + scale**2
        if model.features is not None:
            # Coefficients are standard normal, per standard deviation of their column.
            variances = variances + (np.inf if model.flat else model.features.shape[1])
        return variances
