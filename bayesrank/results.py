"""A fit and what can be asked of it."""

import json
from functools import cached_property

import numpy as np

from bayesrank import consensus
from bayesrank.data.comparisons import OUTCOMES, Comparisons
from bayesrank.diagnostics import Diagnostics, diagnose
from bayesrank.modelling import Specification

__all__ = ["Fit", "compare"]

DIMS = {"score": ("item",), "effect": ("item",), "beta": ("feature",)}


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
        names = [*_names(specification), "effect"]
        group = idata["posterior"]
        posterior = {name: group[name].values for name in names if name in group}
        return cls(specification, method, posterior, idata=_complete(specification, idata))

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

            self._idata = _complete(
                self.specification, _compat.make_idata({"posterior": self._posterior_dataset()})
            )
        return self._idata

    def _posterior_dataset(self):
        import xarray as xr

        variables = {
            name: (("chain", "draw", *DIMS.get(name, ())), values)
            for name, values in self.posterior.items()
        }
        chains, draws = self.posterior["score"].shape[:2]
        coords = {"chain": np.arange(chains), "draw": np.arange(draws)}
        used = {dim for dims, _ in variables.values() for dim in dims}
        coords |= {k: v for k, v in self.specification.coords.items() if k in used}
        return xr.Dataset(variables, coords)

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
        for name in _names(self.specification):
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

    # Storage ----------------------------------------------------------------------------------

    def save(self, path):
        """Write the fit, with its data and model, to a netCDF file."""
        spec, data = self.specification, self.specification.data
        record = {
            "likelihood": spec.likelihood, "scale": spec.scale, "centered": spec.centered,
            "order_effect": spec.order_effect, "item_effects": spec.item_effects,
            "method": self.method, "note": self.note, "items": data.items,
            "agents": data.agents, "feature_names": spec.feature_names,
        }  # fmt: skip
        try:
            text = json.dumps(record)
        except TypeError:
            raise ValueError(
                "Only items and agents that are texts or numbers can be saved; rename them."
            ) from None
        self.idata["constant_data"].attrs["bayesrank"] = text
        self.idata.to_netcdf(str(path), engine="h5netcdf")

    @classmethod
    def load(cls, path):
        """Read a fit that `save` wrote."""
        from bayesrank import _compat

        idata = _compat.open_idata(path)
        constant, posterior = idata["constant_data"], idata["posterior"]
        record = json.loads(constant.attrs["bayesrank"])
        data = Comparisons(
            constant["left"].values,
            constant["right"].values,
            idata["observed_data"]["counts"].values,
            record["items"],
            constant["agent"].values if "agent" in constant else None,
            record["agents"],
        )
        features = None
        if record["feature_names"]:
            import pandas as pd

            features = pd.DataFrame(
                constant["features"].values, index=data.items, columns=record["feature_names"]
            )
        specification = Specification(
            data, record["likelihood"], scale=record["scale"], features=features,
            order_effect=record["order_effect"], item_effects=record["item_effects"],
            centered=record["centered"],
        )  # fmt: skip
        names = [*_names(specification), "effect"]
        draws = {name: posterior[name].values for name in names if name in posterior}
        return cls(specification, record["method"], draws, idata, record["note"])


def _names(specification):
    """Return the names a user asks for: scores and parameters."""
    names = ["score"]
    for parameter in specification.parameters:
        if parameter.name not in ("score", "effect"):
            names.append(parameter.name)
    if specification.family.tie is not None:
        names.insert(names.index("tie_rate"), specification.family.tie.name)
    return names


def _complete(specification, idata):
    """Add the data, and drop what netCDF cannot hold."""
    import xarray as xr

    from bayesrank import _compat

    data, coords = specification.data, specification.coords
    constant = {"left": ("pair", data.left), "right": ("pair", data.right)}
    if data.agent is not None:
        constant["agent"] = ("pair", data.agent)
    used = ["pair"]
    if specification.features is not None:
        constant["features"] = (("item", "feature"), specification.features)
        used += ["item", "feature"]
    idata["constant_data"] = xr.Dataset(constant, {name: coords[name] for name in used})
    idata["observed_data"] = xr.Dataset(
        {"counts": (("pair", "outcome"), data.counts)},
        {name: coords[name] for name in ("pair", "outcome")},
    )
    if "sample_stats" in _compat.group_names(idata):
        stats = _compat.to_dataset(idata, "sample_stats")
        # nutpie's messages about single divergences are objects.
        idata["sample_stats"] = stats.drop_vars([n for n in stats if stats[n].dtype == object])
    return idata


def compare(fits):
    """Compare fits of the same data by approximate leave-one-out cross-validation.

    Each row of the data (an ordered pair with all its comparisons) is left out in turn.

    Parameters
    ----------
    fits : dict of str to Fit

    Returns
    -------
    pandas.DataFrame
        Best first: elpd (expected log predictive density) and its standard error se, p
        (effective number of parameters), elpd_diff from the best with its standard error
        diff_se, the stacking weight, and bad_k, the number of rows for which the
        approximation is doubtful (Pareto k above ArviZ's limit).
    """
    import pandas as pd

    from bayesrank import _compat

    if len(fits) < 2:
        raise ValueError(f"`fits` must name at least two fits, got {len(fits)}.")
    first = next(iter(fits.values())).specification.data
    results, pointwise, rows = {}, {}, {}
    for name, one in fits.items():
        one._require_draws("compare")
        if not one.specification.data.same_as(first):
            raise ValueError(f"`{name}` was fitted to other data than the first fit.")
        if "log_likelihood" not in _compat.group_names(one.idata):
            one.log_likelihood()
        results[name], pointwise[name], p, k = _compat.loo(one.idata)
        rows[name] = {
            "elpd": pointwise[name].sum(),
            "se": _se_of_sum(pointwise[name]),
            "p": float(p),
            "bad_k": int((k > results[name].good_k).sum()),
        }
    table = pd.DataFrame(rows).T.sort_values("elpd", ascending=False)
    best = table.index[0]
    table["elpd_diff"] = table["elpd"] - table.loc[best, "elpd"]
    table["diff_se"] = [_se_of_sum(pointwise[name] - pointwise[best]) for name in table.index]
    table["weight"] = pd.Series(_compat.stacking_weights(results))
    table["bad_k"] = table["bad_k"].astype(int)
    return table[["elpd", "se", "p", "elpd_diff", "diff_se", "weight", "bad_k"]]


def _se_of_sum(terms):
    return float(np.sqrt(len(terms) * np.var(terms, ddof=1)))
