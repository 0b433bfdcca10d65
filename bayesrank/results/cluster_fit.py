"""A fit of several clusters of agents, and what can be asked of it."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from bayesrank import _compat, consensus
from bayesrank.results.cluster_tables import Clusters, clusters_of, parameters_of
from bayesrank.results.comparison import LeaveOneOut, leave_one_out
from bayesrank.results.diagnostics import Diagnostics, Finding, of_chains
from bayesrank.results.methods import Method, method_of
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from bayesrank.model.clusters import ClusteredSpecification

__all__ = ["SAME_MODE", "ClusterFit"]

SAME_MODE = 0.01  # by which heights of one mode may differ
_RIVAL = 5.0  # another mode that is lower by less may be the better one
_ALIKE = 0.8  # of the agents that two chains put into the same clusters


class ClusterFit:
    """The result of `bayesrank.fit` with ``clusters``: one ranking for each cluster of agents.

    All rows of an agent are of one cluster; a ranking without an agent is an agent by itself.
    Clusters have the numbers 1, 2, and so on, the largest first.

    Attributes
    ----------
    specification : ClusteredSpecification
        The model and its data; ``specification.single`` is that of one cluster.
    method : str
        How it was fitted.
    posterior : dict of ndarray
        Draws of the shares and of every named quantity, chains by draws by clusters by its own
        shape. A MAP fit has one.
    note : str
        How the highest mode was found.
    seed : int or None
        The seed that was given.
    tune : int or None
        Warm-up of each chain, if it is known.
    heights : ndarray
        Log-posterior densities of the modes that were found, one for each start, the highest first;
        at a prior scale of 1, if that is learned.

    Examples
    --------
    >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
    >>> fit = br.fit(votes, "plackett-luce", clusters=2, method="map", scale=1.0)
    >>> fit.clusters().sizes[["share", "members", "best"]].round(2)
             share  members     best
    cluster
    1         0.67     20.0  a, b, c
    2         0.33     10.0  d, b, c
    """

    def __init__(
        self, specification: "ClusteredSpecification", method: str, points: np.ndarray,
        stats: "xr.Dataset | None" = None, note: str = "",
    ) -> None:  # fmt: skip
        self.specification, self.method, self.note = specification, method, note
        self.seed: int | None = None
        self.tune: int | None = None
        self.heights = np.zeros(0)
        self.far = False  # whether the scores of a cluster run off
        self._stats, self._points = stats, points
        self.overlap = self._match_chains()
        share = np.exp([[specification.split(x)[1] for x in chain] for chain in self._points])
        order = np.argsort(-share.mean(axis=(0, 1)), kind="stable")
        self._points = specification.in_order(self._points, order)
        self.posterior = self._quantities(share[..., order])

    def _match_chains(self) -> float:
        """Name the clusters of all chains alike; return how alike the least alike chain is."""
        model, least = self.specification, 1.0
        if len(self._points) == 1:
            return least
        means = [model.expect(chain.mean(axis=0))[1] for chain in self._points]
        for c in range(1, len(means)):
            shared = (model.times[:, None] * means[0]).T @ means[c] / model.times.sum()
            first, order = linear_sum_assignment(-shared)
            self._points[c] = model.in_order(self._points[c], order)
            # What two chains would share if they agreed is less than one where agents are between.
            usual = float(np.sum(model.times @ means[0] ** 2) / model.times.sum())
            least = min(least, float(shared[first, order].sum()) / usual)
        return least

    def _quantities(self, share: np.ndarray) -> dict[str, np.ndarray]:
        model, found = self.specification, {"share": share}
        for c, chain in enumerate(self._points):
            for d, x in enumerate(chain):
                for k, part in enumerate(model.split(x)[0]):
                    for name, value in model.members[0].constrain(part).items():
                        if name not in found:
                            shape = (*share.shape, *np.shape(value))
                            found[name] = np.empty(shape)
                        found[name][c, d, k] = value
        return found

    def __repr__(self) -> str:
        chains, draws = self.shape
        size = "" if self.kind.is_point else f", {chains} x {draws} draws"
        lines = [f"Fit of {self.specification!r} by {self.method}{size}"]
        for k, row in self.clusters().sizes.iterrows():
            lines.append(f"{k}: {100 * row['share']:.0f}%, best: {row['best']}")
        return "\n  ".join([*lines, self.diagnostics().summary])

    @property
    def kind(self) -> Method:
        """What the method can do.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> br.fit(votes, clusters=2, method="map", scale=1.0).kind.is_point
        True
        """
        return method_of(self.method)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of chains and of draws in each.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> br.fit(votes, clusters=2, method="map", scale=1.0).shape
        (1, 1)
        """
        return self.posterior["share"].shape[:2]

    @cached_property
    def _expected(self) -> tuple[np.ndarray, np.ndarray]:
        """Log-likelihoods, draws by units, and mean probabilities, units by clusters."""
        model, points = self.specification, self._points.reshape(-1, self.specification.size)
        values = np.empty((len(points), len(model.units)))
        mean = np.zeros((len(model.units), model.clusters))
        for d, x in enumerate(points):
            values[d], probability = model.expect(x)
            mean += probability / len(points)
        return values, mean

    def clusters(self, prob: float = 0.95) -> Clusters:
        """Return who belongs where: sizes of the clusters, and probabilities of each agent.

        Parameters
        ----------
        prob : float
            Probability of the intervals.

        Returns
        -------
        Clusters
            With the frames ``sizes`` and ``agents``.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> found = br.fit(votes, clusters=2, method="map", scale=1.0).clusters()
        >>> found.agents.tail(2).round(2)
                 cluster   p_1   p_2
        ranking
        28             2  0.0  1.0
        29             2  0.0  1.0
        """
        return clusters_of(self, self._expected[1], prob)

    def _flat(self, name: str) -> np.ndarray:
        values = self.posterior[name]
        return values.reshape(-1, *values.shape[2:])

    def scores(self, cluster: int) -> np.ndarray:
        """Return draws of the scores in a cluster: draws by items.

        Parameters
        ----------
        cluster : int
            Its number, from 1 up.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> br.fit(votes, clusters=2, method="map", scale=1.0).scores(1).shape
        (1, 4)
        """
        known = self.specification.clusters
        if isinstance(cluster, bool) or cluster not in range(1, known + 1):
            raise ValueError(f"`cluster` must be a number from 1 to {known}, got {cluster!r}.")
        return self._flat("score")[:, int(cluster) - 1]

    def ranking(self, cluster: int, prob: float = 0.95) -> "pd.DataFrame":
        """Return the items as a cluster has them, best first; the table of `Fit.ranking`.

        Parameters
        ----------
        cluster : int
            Its number, from 1 up.
        prob : float
            Probability of the intervals, and what it takes to tell two tiers apart.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> br.fit(votes, clusters=2, method="map", scale=1.0).ranking(2).index.tolist()
        ['d', 'b', 'c', 'a']
        """
        items = self.specification.data.items
        return consensus.ranking_table(self.scores(cluster), items, prob, point=self.kind.is_point)

    def cluster(self, cluster: int) -> "consensus.ScoreDraws":
        """Return the draws of a cluster's scores, for all that `ScoreDraws` can answer.

        Parameters
        ----------
        cluster : int
            Its number, from 1 up.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> fit = br.fit(votes, clusters=2, seed=1, draws=200, progress=False)
        >>> fit.cluster(1).consensus("kendall").order
        ['a', 'b', 'c', 'd']
        """
        self._require_draws("cluster")
        return consensus.ScoreDraws(self.scores(cluster), self.specification.data.items)

    def parameters(self, prob: float = 0.95) -> "pd.DataFrame":
        """Return the shares and every parameter that is one number in each cluster.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> fit = br.fit(votes, clusters=2, method="map", scale=1.0)
        >>> fit.parameters()["mean"].round(2)
        parameter  cluster
        share      1          0.67
                   2          0.33
        Name: mean, dtype: float64
        """
        return parameters_of(self, prob)

    @property
    def log_likelihood(self) -> np.ndarray:
        """Log-likelihood of each draw and agent, whatever cluster the agent belongs to.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> fit = br.fit(votes, clusters=2, method="map", scale=1.0)
        >>> fit.log_likelihood.shape
        (1, 30)
        """
        return self._expected[0]

    def loo(self) -> LeaveOneOut:
        """Return approximate leave-one-out cross-validation, which leaves out one agent at a time.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> fit = br.fit(votes, clusters=2, seed=1, draws=200, progress=False)
        >>> fit.loo().unit
        'ranking'
        """
        return leave_one_out(self)  # type: ignore[arg-type]

    def units(self) -> tuple[Any, np.ndarray, np.ndarray]:
        """Return the agents, how many there are of each, and log-likelihoods, draws by agents.

        Where no agents are known they are the rankings.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> labels, times, values = br.fit(votes, clusters=2, method="map", scale=1.0).units()
        >>> len(labels), times.sum(), values.shape
        (30, np.float64(30.0), (1, 30))
        """
        import pandas as pd

        model = self.specification
        labels = pd.Index(model.units, name=model.unit_name, tupleize_cols=False)
        return labels, model.times, self._expected[0]

    @cached_property
    def idata(self) -> Any:
        """Posterior draws, and the sampler's statistics, as ArviZ groups.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> fit = br.fit(votes, clusters=2, method="map", scale=1.0)
        >>> fit.idata.posterior["score"].dims
        ('chain', 'draw', 'cluster', 'item')
        """
        import xarray as xr

        model, dims = self.specification, ("chain", "draw", "cluster")
        inner = {name: model.single.dims(name) for name in self.posterior}
        coords: dict[str, Any] = {"cluster": np.arange(1, model.clusters + 1)}
        known = model.single.coords
        coords |= {
            name: [str(label) for label in known[name]] for used in inner.values() for name in used
        }
        chains, draws = self.shape
        coords |= {"chain": np.arange(chains), "draw": np.arange(draws)}
        variables = {name: ((*dims, *inner[name]), v) for name, v in self.posterior.items()}
        groups = {"posterior": xr.Dataset(variables, coords)}
        if self._stats is not None:
            groups["sample_stats"] = self._stats
        return _compat.make_idata(groups)

    def diagnostics(self) -> Diagnostics:
        """Return whether the clusters can be trusted, in words, and what to do if not.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([list("abcd")] * 20 + [list("dbca")] * 10)
        >>> br.fit(votes, clusters=2, method="map", scale=1.0).diagnostics().ok
        True
        """
        if self.kind.is_point:
            found = Diagnostics(f"{self.note} A single point: no uncertainty.")
        else:
            found = of_chains(self)
        return replace(found, findings=[*self._of_modes(), *found.findings])

    def _of_modes(self) -> list[Finding]:
        """Return whether there may be other clusters than these."""
        found, fewer = [], {"clusters": self.specification.clusters - 1}
        if self.far:
            found.append(
                Finding(
                    "The scores of a cluster run off to infinity: the likelihood has no highest "
                    "point, and where they stopped says nothing.",
                    "Give a prior",
                    {"scale": 1.0},
                )
            )
        if self.overlap < _ALIKE:
            found.append(
                Finding(
                    "Chains sit in different modes: they put agents into different clusters, and "
                    "how probable each of these is nobody knows from them.",
                    "Try fewer clusters",
                    fewer,
                )
            )
        empty = np.setdiff1d(np.arange(fewer["clusters"] + 1), self._expected[1].argmax(axis=1))
        if empty.size:
            numbers = listing([str(k + 1) for k in empty])
            found.append(
                Finding(
                    f"To nobody is this cluster the most probable one: {numbers}.",
                    "Try fewer clusters",
                    fewer,
                    failed=False,
                )
            )
        gap = self.heights[:1] - self.heights
        if gap.size > 1 and gap[1] > SAME_MODE:
            found.append(
                Finding(
                    f"Only one of {gap.size} starts came to the highest mode: there may be a "
                    "higher one.",
                    "Try fewer clusters",
                    fewer,
                    failed=False,
                )
            )
        rival = gap[(gap > SAME_MODE) & (gap < _RIVAL)]
        if rival.size:
            found.append(
                Finding(
                    f"From other starts came another mode, lower by only {rival.min():.2g} on the "
                    "logarithmic scale: the clusters may as well be those.",
                    "Try fewer clusters",
                    fewer,
                    failed=False,
                )
            )
        return found

    def _require_draws(self, what: str) -> None:
        if self.kind.is_point:
            raise ValueError(
                f"`{what}` needs posterior draws, and a MAP fit has none; fit again with "
                'method="nuts".'
            )
