"""Observations under a fitted model: how likely those seen are, and what comes next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus import ranking_table
from bayesrank.consensus.labels import positions
from bayesrank.data.checks import is_whole_number, whole_number
from bayesrank.data.comparisons import OUTCOMES
from bayesrank.data.labels import map_positions
from bayesrank.results.parts import FitPart
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from bayesrank.results.comparison import LeaveOneOut

__all__ = ["ModelPredictions"]


class ModelPredictions(FitPart):
    """Observations under a fitted model: those seen, and those to come."""

    def spaced_draws(self, draws: int) -> np.ndarray:
        """Return the positions of some draws, evenly spaced, chains laid end to end.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.spaced_draws(5).tolist()
        [0, 999, 1999, 2999, 3999]
        """
        total = self.shape[0] * self.shape[1]
        return np.unique(np.linspace(0, total - 1, min(draws, total)).astype(int))

    def predict(
        self,
        features: Any = None,
        *,
        items: Sequence[Any] | None = None,
        prob: float = 0.95,
        draws: int = 1000,
        seed: int | None = None,
        at: Any = None,
    ) -> "pd.DataFrame":
        """Return what is to be expected of a new ranking: its true order, and its outcome.

        Parameters
        ----------
        features : data frame or array, rows by columns, optional
            The documents of an unseen query, or other new entries.
        items : list, optional
            Known items, for a new ranking among them. With ``features`` of entries, the labels
            of the rows (by default the index of a frame): those that are known items have their
            own scores added to what the features add up to. New ones have the score of their
            features alone, without an effect of their own.
        prob : float
            Probability of the intervals.
        draws : int
            Posterior draws, evenly spaced, from which an outcome is drawn.
        seed : int, optional
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.

        Returns
        -------
        pandas.DataFrame
            The columns of `ranking` for these entries, and for the next outcome under the model:
            p_first, the probability of coming first (alone or tied), and mean_place.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("netflix"), "plackett-luce", method="laplace", seed=1)
        >>> new = fit.predict(items=["Mean Girls", "The Mummy Returns"], seed=1)
        >>> new[["rank", "p_best", "p_first", "mean_place"]].round(1)
                           rank  p_best  p_first  mean_place
        item
        Mean Girls            1     1.0      0.6         1.4
        The Mummy Returns     2     0.0      0.4         1.6
        """
        self._require_one_instance("predict()")
        return _new_ranking(self if at is None else self.at(at), features, items, prob, draws, seed)

    def win_probabilities(
        self,
        outcome: str = "win",
        *,
        neutral: bool = False,
        draws: int = 500,
        items: Sequence[Any] | None = None,
        at: Any = None,
    ) -> "pd.DataFrame":
        """Return the probability that the row's item beats the column's, the next time they meet.

        Parameters
        ----------
        outcome : "win", "loss" or "tie"
            From the row's point of view.
        neutral : bool
            Leave out the order effect; otherwise the row is the left item.
        draws : int
            Posterior draws to average over, evenly spaced.
        items : list, optional
            Items to be compared, in this order; by default all.
        at : date, datetime, str or float, optional
            Where scores move: at which time, by default the last one of the data.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> fit.win_probabilities("tie", items=["1", "6"]).round(2)
        opponent     1     6
        item
        1          NaN  0.27
        6         0.27   NaN
        """
        import pandas as pd

        if outcome not in OUTCOMES:
            raise ValueError(f'`outcome` must be "win", "loss" or "tie", got {outcome!r}.')
        if not is_whole_number(draws, 1):
            raise ValueError(f"`draws` must be at least 1, got {draws!r}.")
        self._require_one_instance("win_probabilities()")
        if at is not None:
            return self.at(at).win_probabilities(outcome, neutral=neutral, draws=draws, items=items)
        self.scores()  # which raises an error where items have none
        index = self._index()
        place = np.arange(len(index))
        if items is not None:
            place = positions("items", items, index, all_of_them=False)
        index, n = index[place], len(place)
        left, right = np.repeat(place, n), np.tile(place, n)
        mean = np.zeros(n * n)
        used = self.spaced_draws(draws)
        for draw in used:
            mean += self.specification.observation.pair_probability(
                self._item_values(draw), OUTCOMES.index(outcome), left, right, neutral=neutral
            )
        matrix = mean.reshape(n, n) / len(used)
        np.fill_diagonal(matrix, np.nan)
        return pd.DataFrame(matrix, index, index.rename("opponent"))

    def log_likelihood(self) -> "xr.DataArray":
        """Return the log-likelihood of each row in each draw; also kept in ``idata``.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.log_likelihood().shape
        (1, 4000, 42)
        """
        import xarray as xr

        chains, draws = self.shape
        observation = self.specification.observation
        rows = [observation.log_likelihood(self.values(draw)) for draw in range(chains * draws)]
        dims = ("chain", "draw", observation.row)
        coords = {observation.row: self.specification.coords[observation.row]}
        array = xr.DataArray(
            np.reshape(rows, (chains, draws, -1)), coords, dims, name=observation.name
        )
        coordinates = {"chain": np.arange(chains), "draw": np.arange(draws)}
        self.idata["log_likelihood"] = array.to_dataset().assign_coords(coordinates)
        return array

    def loo(self, unit: str | None = None) -> "LeaveOneOut":
        """Return how well what is left out is predicted, one unit at a time.

        Parameters
        ----------
        unit : {"comparison", "ranking", "row", "agent", "instance"}, optional
            What is left out at a time. By default a single result: one comparison of those that
            a row of counts pools, or one ranking of those that its weight stands for; for "mpm"
            a ballot, which is a row. "row" leaves out rows whole.

        Returns
        -------
        LeaveOneOut
            elpd with its standard error se, p, bad_k, and the terms of all units. Where the
            approximation is doubtful a warning says so.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> fit.loo().bad_k
        0
        >>> round(fit.loo().p)
        3
        """
        from bayesrank.results.comparison import leave_one_out

        return leave_one_out(self, unit)

    def posterior_predictive(self, *, seed: int | None = None) -> "xr.DataArray":
        """Return new observations like those seen, one set per draw; also kept in ``idata``.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.posterior_predictive(seed=1).dims
        ('chain', 'draw', 'pair', 'outcome')
        """
        import xarray as xr

        chains, draws = self.shape
        observation = self.specification.observation
        rng = np.random.default_rng(seed)
        drawn = np.array(
            [observation.draw(self.values(draw), rng) for draw in range(chains * draws)]
        )
        dims = ("chain", "draw", *observation.dims)
        coords: dict[str, Any] = {
            name: self.specification.coords[name] for name in observation.dims
        }
        coords |= {"chain": np.arange(chains), "draw": np.arange(draws)}
        shape = (chains, draws, *drawn.shape[1:])
        array = xr.DataArray(drawn.reshape(shape), coords, dims, name=observation.name)
        self.idata["posterior_predictive"] = array.to_dataset()
        return array


def _new_ranking(
    fit: Any, features: Any, items: Sequence[Any] | None, prob: float, draws: int, seed: int | None
) -> "pd.DataFrame":
    """Return the table of `ModelPredictions.predict`."""
    import pandas as pd
    from scipy.stats import rankdata

    if fit.specification.data.row == "pair":
        raise TypeError("`predict` is for rankings; use win_probabilities for comparisons.")
    if not fit.specification.draws_rankings:
        raise ValueError(
            '"mpm" says which items agents prefer to which, not how they rank, so that there is '
            "nothing to predict: use ranking() or win_probabilities()."
        )
    whole_number("draws", draws, 1, booleans=True)
    scores, labels = _entries(fit, features, items)
    table = ranking_table(scores, labels, prob, point=fit.kind.is_point)
    # A single point stands for all draws.
    chosen = np.zeros(draws, dtype=int) if fit.kind.is_point else fit.spaced_draws(draws)
    rng = np.random.default_rng(seed)
    offered = np.ones((1, len(labels)), dtype=bool)
    observation = fit.specification.observation
    places = np.array(
        [observation.draw_slots(fit.values(d), scores[d][None], offered, rng)[0] for d in chosen]
    )
    index = pd.Index(labels, name="item")
    table["p_first"] = pd.Series((places == 1).mean(axis=0), index)
    # Tied entries share the mean of the places that they take up.
    taken = rankdata(places, method="average", axis=1)
    table["mean_place"] = pd.Series(taken.mean(axis=0), index)
    return table


def _entries(fit: Any, features: Any, items: Sequence[Any] | None) -> tuple[np.ndarray, list[Any]]:
    """Return draws of the scores of the new ranking's entries, and their labels."""
    if isinstance(items, str):
        raise TypeError(f"`items` must be a list of labels, got the text {items!r}.")
    known = map_positions(
        fit._index() if fit.specification.has_scores else fit.specification.data.items
    )
    if features is not None:
        scores = fit.scores(features)
        if items is None:
            named = hasattr(features, "columns") and hasattr(features, "index")
            labels = list(features.index if named else range(scores.shape[1]))
        else:
            labels = list(items)
    else:
        labels = list(known) if items is None else list(items)
        unknown = [label for label in labels if label not in known]
        if unknown:
            raise ValueError(f"`items` has labels that do not occur: {listing(unknown)}.")
        scores = fit.scores()[:, [known[label] for label in labels]]
    if len(labels) != scores.shape[1] or len(set(labels)) < len(labels):
        raise ValueError(f"`items` must hold {scores.shape[1]} different labels.")
    if len(labels) < 2:
        raise ValueError("A ranking needs at least two entries.")
    if features is not None and items is not None and fit.specification.has_own_scores:
        # Known items bring what is known of them besides the features of their entries.
        own = fit.scores()
        for k, label in enumerate(labels):
            if label in known:
                scores[:, k] += own[:, known[label]]
    return scores, labels
