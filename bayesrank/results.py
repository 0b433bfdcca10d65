"""A fit and what can be asked of it."""

from functools import cached_property

import numpy as np

from bayesrank import consensus
from bayesrank.data.comparisons import OUTCOMES
from bayesrank.diagnostics import Diagnostics, diagnose
from bayesrank.storage import complete, posterior_dataset

__all__ = ["Fit"]


class Fit:
    """The result of `bayesrank.fit`.

    Attributes
    ----------
    specification : Specification
        The model and its data.
    method : str
        How it was fitted.
    posterior : dict of ndarray
        Draws of every named quantity, chains by draws by its own shape. A MAP fit has one.
    note : str
        What the method itself reported.
    """

    def __init__(self, specification, method, posterior, idata=None, note=""):
        self.specification = specification
        self.method = method
        self.posterior = posterior
        self.note = note
        self._idata = idata

    @classmethod
    def from_unconstrained(cls, specification, method, points, note):
        """Make a fit from points in the unconstrained space, a row a draw."""
        draws = [specification.constrain(point) for point in points]
        posterior = {name: np.array([draw[name] for draw in draws])[None] for name in draws[0]}
        return cls(specification, method, posterior, note=note)

    @classmethod
    def from_idata(cls, specification, method, idata):
        """Make a fit from a sampler's results."""
        names = [*specification.names, "effect"]
        group = idata["posterior"]
        posterior = {name: group[name].values for name in names if name in group}
        return cls(specification, method, posterior, idata=complete(specification, idata))

    def __repr__(self):
        best = self.ranking().index[:5]
        chains, draws = self.posterior["score"].shape[:2]
        size = "" if self.method == "map" else f", {chains} x {draws} draws"
        return (
            f"Fit of {self.specification!r} by {self.method}{size}\n"
            f"  best: {', '.join(str(item) for item in best)}\n"
            f"  {self.diagnostics().summary}"
        )

    @property
    def items(self):
        """Labels of the items."""
        return self.specification.data.items

    @property
    def scores(self):
        """Draws of the scores, all chains together: draws by items."""
        score = self.posterior["score"]
        return score.reshape(-1, score.shape[-1])

    @cached_property
    def model(self):
        """The model as a `pm.Model`."""
        return self.specification.pymc()

    @property
    def idata(self):
        """Everything as ArviZ groups: posterior, observed_data, constant_data, and so on."""
        if self._idata is None:
            from bayesrank import _compat

            posterior = posterior_dataset(self.specification, self.posterior)
            self._idata = complete(self.specification, _compat.make_idata({"posterior": posterior}))
        return self._idata

    # Answers ----------------------------------------------------------------------------------

    def ranking(self, prob=0.95):
        """Return the items, best first, with what is known of their scores and ranks.

        Parameters
        ----------
        prob : float
            Probability of the intervals, and what it takes to tell two tiers apart.

        Returns
        -------
        pandas.DataFrame
            Indexed by item: score (posterior mean), sd, low and high; rank (of the mean
            score), rank_low and rank_high; p_best, p_top3; tier. A MAP fit has score and
            rank only, the rest is empty.
        """
        import pandas as pd

        scores = self.scores
        mean = scores.mean(axis=0)
        table = pd.DataFrame({"score": mean}, index=pd.Index(self.items, name="item"))
        table["rank"] = consensus.rank_draws(mean[None])[0]
        columns = ["sd", "low", "high", "rank_low", "rank_high", "p_best", "p_top3", "tier"]
        if self.method == "map":
            table[columns] = np.nan
        else:
            ranks = consensus.rank_draws(scores)
            table["sd"] = scores.std(axis=0, ddof=1)
            table["low"], table["high"] = consensus.interval(scores, prob)
            low, high = consensus.interval(ranks, prob)
            table["rank_low"] = np.floor(low).astype(int)
            table["rank_high"] = np.ceil(high).astype(int)
            table["p_best"] = (ranks == 1).mean(axis=0)
            table["p_top3"] = (ranks <= 3).mean(axis=0)
            table["tier"] = consensus.tiers(scores, prob)
        order = ["score", "sd", "low", "high", "rank", *columns[3:]]
        return table[order].sort_values("rank")

    def parameters(self, prob=0.95):
        """Return every parameter that is not an item's score: mean, sd, low, high."""
        import pandas as pd

        rows = {}
        for name in self.specification.names:
            if name == "score":
                continue
            values = self.posterior[name]
            values = values.reshape(-1, *values.shape[2:])
            if name == "beta":
                for k, feature in enumerate(self.specification.feature_names):
                    rows[f"beta[{feature}]"] = values[:, k]
            else:
                rows[name] = values
        table = pd.DataFrame({"mean": {name: values.mean() for name, values in rows.items()}})
        for column in ("sd", "low", "high"):
            table[column] = np.nan
        if self.method != "map":
            for name, values in rows.items():
                low, high = consensus.interval(values, prob)
                table.loc[name, ["sd", "low", "high"]] = values.std(ddof=1), low, high
        return table

    def rank_probabilities(self):
        """Return the probability of each item (row) to have each rank (column)."""
        import pandas as pd

        self._require_draws("rank_probabilities")
        ranks = pd.RangeIndex(1, len(self.items) + 1, name="rank")
        index = pd.Index(self.items, name="item")
        return pd.DataFrame(consensus.rank_probabilities(self.scores), index, ranks)

    def win_probabilities(self, outcome="win", *, neutral=False, draws=500):
        """Return the probability that the row's item beats the column's, the next time they meet.

        Parameters
        ----------
        outcome : "win", "loss" or "tie"
            From the row's point of view.
        neutral : bool
            Leave out the order effect; otherwise the row is the left item.
        draws : int
            Posterior draws to average over, evenly spaced.
        """
        import pandas as pd

        if outcome not in OUTCOMES:
            raise ValueError(f'`outcome` must be "win", "loss" or "tie", got {outcome!r}.')
        if draws < 1:
            raise ValueError(f"`draws` must be at least 1, got {draws}.")
        n = len(self.items)
        left, right = np.divmod(np.arange(n * n), n)
        mean = np.zeros(n * n)
        chosen = self._spaced(draws)
        counts = np.zeros((3, n * n))
        counts[OUTCOMES.index(outcome)] = 1.0
        for draw in chosen:
            values = self._values(draw)
            shift = -values["order_effect"] if neutral and "order_effect" in values else None
            logp = self.specification.rows(values, counts, left, right, shift)[0]
            mean += np.exp(logp) / len(chosen)
        matrix = mean.reshape(n, n)
        np.fill_diagonal(matrix, np.nan)
        index = pd.Index(self.items, name="item")
        return pd.DataFrame(matrix, index, pd.Index(self.items, name="opponent"))

    def log_likelihood(self):
        """Return the log-likelihood of each row in each draw; also kept in ``idata``."""
        import xarray as xr

        shape = self.posterior["score"].shape[:2]
        rows = [
            self.specification.log_likelihood(self._values(draw))
            for draw in range(shape[0] * shape[1])
        ]
        dims, coords = ("chain", "draw", "pair"), {"pair": self.specification.coords["pair"]}
        array = xr.DataArray(np.reshape(rows, (*shape, -1)), coords, dims, name="counts")
        coordinates = {"chain": np.arange(shape[0]), "draw": np.arange(shape[1])}
        self.idata["log_likelihood"] = array.to_dataset().assign_coords(coordinates)
        return array

    def posterior_predictive(self, *, seed=None):
        """Return new counts for the observed pairs, one set a draw; also kept in ``idata``."""
        import xarray as xr

        n = self.specification.data.counts.sum(axis=1)
        if not np.issubdtype(n.dtype, np.integer):
            raise ValueError(
                "The counts are fractional (weighted), so there is no distribution to draw "
                "new counts from."
            )
        rng = np.random.default_rng(seed)
        shape = self.posterior["score"].shape[:2]
        drawn = np.empty((shape[0] * shape[1], len(n), 3), dtype=np.int64)
        for draw in range(len(drawn)):
            p = self.specification.outcome_probabilities(self._values(draw))
            drawn[draw] = rng.multinomial(n, p / p.sum(axis=1, keepdims=True))
        dims = ("chain", "draw", "pair", "outcome")
        coords = {name: self.specification.coords[name] for name in ("pair", "outcome")}
        coords |= {"chain": np.arange(shape[0]), "draw": np.arange(shape[1])}
        array = xr.DataArray(drawn.reshape(*shape, len(n), 3), coords, dims, name="counts")
        self.idata["posterior_predictive"] = array.to_dataset()
        return array

    def diagnostics(self):
        """Return whether the draws can be trusted, in words, and what to do if not."""
        return self._diagnostics

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        return diagnose(self)

    def plot_ranking(self, prob=0.95, ax=None):
        """Draw the ranking with its intervals and tiers; return the axes."""
        from bayesrank.plots import plot_ranking

        return plot_ranking(self, prob=prob, ax=ax)

    def _require_draws(self, what):
        if self.method == "map":
            raise ValueError(
                f"`{what}` needs posterior draws, and a MAP fit has none; fit again with "
                'method="nuts", "advi" or "laplace".'
            )

    def _spaced(self, draws):
        total = len(self.scores)
        return np.unique(np.linspace(0, total - 1, min(draws, total)).astype(int))

    def _values(self, draw):
        """Return the parameters of one draw, chains laid end to end."""
        chain, draw = divmod(draw, self.posterior["score"].shape[1])
        names = ("score", "tie_rate", "order_effect")
        return {n: self.posterior[n][chain, draw] for n in names if n in self.posterior}

    def save(self, path):
        """Write the fit, with its data and model, to a netCDF file."""
        from bayesrank.storage import save

        save(self, path)

    @classmethod
    def load(cls, path):
        """Read a fit that `save` wrote."""
        from bayesrank.storage import load

        return load(path)
