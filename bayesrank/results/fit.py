"""A fit and what can be asked of it."""

from functools import cached_property
from itertools import pairwise

import numpy as np

from bayesrank import consensus
from bayesrank.consensus.answers import RankingAnswers
from bayesrank.model.features import entry_matrix
from bayesrank.plots.methods import ModelPictures
from bayesrank.results.diagnostics import Diagnostics, diagnose
from bayesrank.results.files import DIMS, complete, posterior_dataset
from bayesrank.results.predictions import ModelPredictions
from bayesrank.results.preference_tables import agent_table, item_variances, one_instance

__all__ = ["Fit"]


class Fit(RankingAnswers, ModelPredictions, ModelPictures):
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
    seed : int or None
        That was given for its random numbers.
    tune : int or None
        Warm-up of each chain, where it is known.
    part : bool
        Whether it is one instance of a fit of several.

    Examples
    --------
    >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
    >>> fit.ranking()[["rank", "rank_low", "rank_high", "tier"]]
          rank  rank_low  rank_high  tier
    item
    6        1         1          6     1
    2        2         1          6     1
    4        3         1          6     1
    3        4         1          6     1
    5        5         1          6     1
    1        6         1          6     1
    >>> fit.parameters().round(2)
              mean    sd   low  high
    scale     0.10  0.09  0.00  0.34
    nu        0.75  0.06  0.64  0.87
    tie_rate  0.27  0.02  0.24  0.30
    """

    def __init__(self, specification, method, posterior, idata=None, note=""):
        self.specification = specification
        self.method = method
        self.posterior = posterior
        self.note = note
        self.seed = None
        self.tune = None
        self.part = False
        self._idata = idata
        self._stats = None

    @classmethod
    def from_points(cls, specification, method, points, stats=None, note=""):
        """Make a fit from points in the unconstrained space: chains by draws by free numbers.

        Parameters
        ----------
        specification : Specification
        method : str
        points : ndarray
        stats : xarray.Dataset, optional
            What a sampler said of each draw.
        note : str

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("baseball"), "bradley-terry", scale=1.0)
        >>> points = np.zeros((1, 10, model.size))  # one chain of ten draws, all at zero
        >>> br.Fit.from_points(model, "my own", points).scores().shape
        (10, 7)
        """
        draws = [[specification.constrain(point) for point in chain] for chain in points]
        posterior = {
            name: np.array([[draw[name] for draw in chain] for chain in draws])
            for name in draws[0][0]
        }
        made = cls(specification, method, posterior, note=note)
        made._stats = stats
        return made

    @classmethod
    def from_idata(cls, specification, method, idata):
        """Make a fit from a sampler's results.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> again = br.Fit.from_idata(fit.specification, "laplace", fit.idata)
        >>> np.array_equal(again.scores(), fit.scores())
        True
        """
        names = [*specification.names, "effect"]
        group = idata["posterior"]
        posterior = {name: group[name].values for name in names if name in group}
        return cls(specification, method, posterior, idata=complete(specification, idata))

    def __repr__(self):
        chains, draws = self.shape
        size = "" if self.method == "map" else f", {chains} x {draws} draws"
        lines = [f"Fit of {self.specification!r} by {self.method}{size}"]
        if self.specification.has_scores:
            data = self.specification.data
            best = np.argsort(-self.scores().mean(axis=0), kind="stable")
            if data.instances is None:
                lines.append(f"best: {', '.join(str(data.items[k]) for k in best[:5])}")
            else:
                lines.append(f"{len(data.instances):,} instances; fit.ranking() has them all")
        return "\n  ".join([*lines, self.diagnostics().summary])

    def _index(self, name="item"):
        """Return the items as an index, by instance where there are several."""
        import pandas as pd

        data = self.specification.data
        if data.instances is None:
            return pd.Index(data.items, name=name, tupleize_cols=False)
        where = [data.instances[q] for q in data.instance]
        return pd.MultiIndex.from_arrays([where, data.items], names=["instance", name])

    def instance(self, label):
        """Return the fit of one instance, such as one query, of all that were fitted together.

        Examples
        --------
        >>> lists = [["a", "b"], ["b", "a"], ["c", "d"]]
        >>> data = br.Rankings.from_lists(
        ...     lists, agents=["x", "y", "x"], instances=["first", "first", "second"]
        ... )
        >>> fit = br.fit(data, "mpm", method="map")
        >>> fit.instance("second").ranking()[["rank"]]
              rank
        item
        c        1
        d        2
        """
        return one_instance(self, label)

    def _require_one_instance(self, what):
        instances = self.specification.data.instances
        if instances is not None:
            raise ValueError(
                f"`{what}` is for one instance, and there are {len(instances):,}: choose one, "
                f"such as fit.instance({instances[0]!r}).{what}."
            )

    @property
    def shape(self):
        """Numbers of chains and of draws in each.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.shape
        (1, 4000)
        """
        return next(iter(self.posterior.values())).shape[:2]

    def scores(self, features=None):
        """Return draws of scores, all chains together: draws by items, or by rows of features.

        Parameters
        ----------
        features : data frame or array, rows by columns, optional
            New items or documents, described by the columns that the model was fitted to. Their
            score is what the features say: relative to the average item where features belong
            to items, and to each other where they belong to the entries of a ranking.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.scores().shape
        (4000, 7)
        """
        if features is not None:
            rows = self._new_rows(features)
            return self._flat("beta") @ rows.T
        if not self.specification.has_scores:
            raise ValueError(
                "Items have no scores of their own in this model, only entries have, by their "
                "features: use fit.scores(features) or fit.predict(features)."
            )
        return self._flat("score")

    def _flat(self, name):
        values = self.posterior[name]
        return values.reshape(-1, *values.shape[2:])

    def _new_rows(self, features):
        names = self.specification.feature_names
        if not names:
            raise ValueError("This model was fitted without features.")
        matrix = entry_matrix(features, names, self.specification.given_feature_names)
        means = self.specification.feature_means
        return matrix if means is None else matrix - means

    @cached_property
    def model(self):
        """The model as a `pm.Model`.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> sorted(variable.name for variable in fit.model.free_RVs)
        ['scale', 'score', 'tie_rate']
        """
        return self.specification.pymc()

    @property
    def idata(self):
        """Everything as ArviZ groups: posterior, observed_data, constant_data, and so on.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.idata.posterior["score"].dims
        ('chain', 'draw', 'item')
        """
        if self._idata is None:
            from bayesrank import _compat

            groups = {"posterior": posterior_dataset(self.specification, self.posterior)}
            if self._stats is not None:
                groups["sample_stats"] = self._stats
            self._idata = complete(self.specification, _compat.make_idata(groups))
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
            rank only, the rest is empty. Where there are several instances, they follow each
            other, each with ranks of its own.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.ranking(0.9)[["score", "low", "high", "rank_low", "rank_high", "p_best"]].round(2)
                   score   low  high  rank_low  rank_high  p_best
        item
        Milwaukee   0.44  0.13  0.76         1          4    0.54
        Detroit     0.32  0.02  0.64         1          5    0.25
        Toronto     0.21 -0.10  0.50         1          5    0.11
        New York    0.16 -0.13  0.46         1          5    0.07
        Boston      0.04 -0.26  0.35         2          6    0.02
        Cleveland  -0.31 -0.61  0.01         5          6    0.00
        Baltimore  -0.87 -1.24 -0.50         7          7    0.00
        """
        import pandas as pd

        scores, index, point = self.scores(), self._index(), self.method == "map"
        start = self.specification.item_start
        if start is None:
            return consensus.ranking_table(scores, index, prob, point=point)
        parts = [slice(*bounds) for bounds in pairwise(start)]
        return pd.concat(
            consensus.ranking_table(scores[:, part], index[part], prob, point=point)
            for part in parts
        )

    def items(self, prob=0.95):
        """Return what is known of each item, best first: score, rank, and of "mpm" the variance.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            score, sd, low, high and rank as in `ranking`; for "mpm" also variance,
            variance_sd, variance_low and variance_high, and ballots, the number of ballots
            that the item is on. A small variance means that agents agree on the item.

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> fit.items()[["rank", "ballots"]]
              rank  ballots
        item
        a        1        4
        b        2        4
        c        3        4
        """
        table = self.ranking(prob)[["score", "sd", "low", "high", "rank"]]
        if self.specification.likelihood != "mpm":
            return table
        return table.join(item_variances(self, prob), how="left")

    def agents(self, prob=0.95):
        """Return how far each agent follows the ranking, the most faithful first.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by agent: adherence (posterior mean) with sd, low and high; ballots and
            preferences, how many the agent has cast. Nothing is known but the prior of an agent
            with none.

        Examples
        --------
        >>> ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x", "x", "y", "z"])
        >>> fit = br.fit(votes, "mpm", method="laplace", seed=1)
        >>> fit.agents().index.tolist()
        ['x', 'y', 'z']
        >>> fit.agents().columns.tolist()
        ['adherence', 'sd', 'low', 'high', 'ballots', 'preferences']
        """
        if self.specification.likelihood != "mpm":
            raise ValueError(
                f'Only "mpm" has adherences of agents, not "{self.specification.likelihood}".'
            )
        return agent_table(self, prob)

    def parameters(self, prob=0.95):
        """Return every parameter that is not of an item or an agent: mean, sd, low, high.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> fit.parameters().round(2)
                  mean    sd   low  high
        scale     0.10  0.09  0.00  0.34
        nu        0.75  0.06  0.64  0.87
        tie_rate  0.27  0.02  0.24  0.30
        """
        import pandas as pd

        rows = {}
        for name in self.specification.names:
            if name == "score":
                continue
            values = self._flat(name)
            if values.ndim == 1:
                rows[name] = values
                continue
            (dim,) = DIMS[name]
            if dim in ("item", "agent", "place"):
                continue  # these have tables of their own
            for k, label in enumerate(self.specification.coords[dim]):
                rows[f"{name}[{label}]"] = values[:, k]
        table = pd.DataFrame({"mean": {name: values.mean() for name, values in rows.items()}})
        for column in ("sd", "low", "high"):
            table[column] = np.nan
        if self.method != "map":
            for name, values in rows.items():
                low, high = consensus.interval(values, prob)
                table.loc[name, ["sd", "low", "high"]] = values.std(ddof=1), low, high
        return table

    def diagnostics(self):
        """Return whether the draws can be trusted, in words, and what to do if not.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.diagnostics().messages
        []
        """
        return self._diagnostics

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        return diagnose(self)

    def influence(self, loss="spearman", *, refit=None):
        """Return how much the consensus owes to each agent, the most influential first.

        Each agent is left out in turn, by importance weights of the draws. Where those are too
        uneven to be trusted, ``pareto_k`` is above 0.7.

        Parameters
        ----------
        loss : str
            Of the consensus, as in `consensus`.
        refit : bool, optional
            Fit the model again, by the same method, where the weights are not to be trusted. By
            default where that is quick, which is for Laplace.

        Returns
        -------
        pandas.DataFrame
            Indexed by agent: mean_shift, by how many ranks items move on average (root mean
            square of the changes of expected ranks); reversals, the pairs that change their
            order in the consensus; item, the one that moves most, and its shift (positive is
            down) without this agent; first, who then leads; pareto_k; refitted.

        Examples
        --------
        >>> ballots = [["a", "b", "c"]] * 5 + [["a", "c", "b"]] * 4 + [["c", "b", "a"]]
        >>> votes = br.Rankings.from_lists(ballots, agents=["x"] * 5 + ["y"] * 4 + ["z"])
        >>> fit = br.fit(votes, "plackett-luce", method="laplace", seed=1)
        >>> fit.influence().loc[["x", "z"], ["reversals", "first"]]
               reversals first
        agent
        x              1     a
        z              0     a
        """
        from bayesrank.results.influence import influence

        refit = self.method == "laplace" if refit is None else refit
        return influence(self, loss, refit)

    def report(self, path, *, title=None, prob=0.95):
        """Write one self-contained HTML page with everything that is known.

        Parameters
        ----------
        path : str or path
            Ending in .html.
        title : str, optional
        prob : float
            Probability of the intervals, sets and tiers.

        Returns
        -------
        pathlib.Path

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> page = fit.report(Path(tempfile.mkdtemp()) / "baseball.html", title="Baseball")
        >>> page.name
        'baseball.html'
        """
        from bayesrank.report import write_report

        return write_report(self, path, title=title, prob=prob)

    def _labelled(self, what, *, point=False):
        scores = self.scores()  # which says so where items have none
        if not point:
            self._require_draws(what)
        self._require_one_instance(f"{what}()")
        return scores, self._index()

    def _require_draws(self, what):
        if self.method == "map":
            raise ValueError(
                f"`{what}` needs posterior draws, and a MAP fit has none; fit again with "
                'method="nuts", "advi" or "laplace".'
            )

    def spaced_draws(self, draws):
        """Return the positions of some draws, evenly spaced, chains laid end to end.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.spaced_draws(5).tolist()
        [0, 999, 1999, 2999, 3999]
        """
        total = self.shape[0] * self.shape[1]
        return np.unique(np.linspace(0, total - 1, min(draws, total)).astype(int))

    def values(self, draw):
        """Return the parameters of one draw, chains laid end to end.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> sorted(fit.values(0))
        ['score', 'tie_rate']
        """
        chain, draw = divmod(draw, self.shape[1])
        names = ("score", "tie_rate", "order_effect", "beta", "variance", "adherence")
        names += ("adherence_here",)
        return {n: self.posterior[n][chain, draw] for n in names if n in self.posterior}

    def save(self, path):
        """Write the fit, with its data and model, to a netCDF file.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> path = Path(tempfile.mkdtemp()) / "baseball.nc"
        >>> fit.save(path)
        >>> br.Fit.load(path).ranking().equals(fit.ranking())
        True
        """
        from bayesrank.results.files import save

        save(self, path)

    @classmethod
    def load(cls, path):
        """Read a fit that `save` wrote.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> path = Path(tempfile.mkdtemp()) / "baseball.nc"
        >>> fit.save(path)
        >>> br.Fit.load(path).method
        'laplace'
        """
        from bayesrank.results.files import load

        return load(path)
