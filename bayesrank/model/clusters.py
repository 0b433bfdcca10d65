"""Several clusters of agents, each with the whole model for itself: a mixture.

All rows of an agent belong to one cluster. Given who belongs where, each cluster is a model of its
own, whose rows count as much as their agents belong to it; and the gradient of the mixture is that
of these models. So clusters need nothing of a likelihood but its rows.
"""

import warnings
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaln

from bayesrank.data.checks import whole_number
from bayesrank.text import argument, option

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["ClusteredSpecification"]


class ClusteredSpecification:
    """A model of several clusters.

    The flat vector holds that of the one-cluster model for each cluster, and then the shares of the
    clusters in PyMC's unconstrained coordinates of a simplex. Each cluster has the priors of the
    one-cluster model, a learned scale of its own among them; all shares are as likely before the
    data.

    Parameters
    ----------
    single : Specification
        The model of one cluster.
    clusters : int

    Attributes
    ----------
    members : list of Specification
        The model of each cluster, whose rows can be weighed.
    units : list
        Labels of the agents, or of the rankings where there are none.
    unit : ndarray of int
        The unit of each row.
    times : ndarray
        How often each unit was seen.
    """

    def __init__(self, single: "Specification", clusters: int) -> None:
        whole_number("clusters", clusters, 2, booleans=True)
        _require_simple(single)
        self.single, self.clusters = single, int(clusters)
        data = single.data
        self.unit_name = "agent" if data.agents is not None else "ranking"
        if data.agents is not None:
            seen = np.bincount(data.agent, minlength=len(data.agents)) > 0
            self.units = [name for name, there in zip(data.agents, seen, strict=True) if there]
            self.unit = (np.cumsum(seen) - 1)[data.agent]
            self.times = np.ones(len(self.units))
        else:
            self.units, self.unit = list(data.names), np.arange(len(data.names))
            self.times = np.asarray(data.weights, dtype=float)
        if len(self.units) <= clusters:
            raise ValueError(
                f"{argument('clusters')} must be fewer than there are {self.unit_name}s, got "
                f"{clusters} for {len(self.units)}."
            )
        self.members = [_apart(single) for _ in range(self.clusters)]

    def __repr__(self) -> str:
        return f"{self.single!r}, {self.clusters} clusters of {len(self.units):,} {self.unit_name}s"

    @property
    def data(self) -> Any:
        """What was observed."""
        return self.single.data

    @property
    def observation(self) -> Any:
        """The data under the likelihood."""
        return self.single.observation

    @property
    def kind(self) -> Any:
        """The likelihood."""
        return self.single.kind

    @property
    def size(self) -> int:
        """Length of the flat vector."""
        return self.clusters * (self.members[0].size + 1) - 1

    def at_scales(self, scales: np.ndarray) -> "ClusteredSpecification":
        """Return the model with the prior scale of each cluster given."""
        other = copy(self)
        other.__dict__.pop("_constant", None)
        other.members = [
            member.replace(scale=float(scale), centered=True)
            for member, scale in zip(self.members, scales, strict=True)
        ]
        return other

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the flat vector of each cluster, and the logarithms of the shares."""
        size = self.members[0].size
        inside, free = x[: self.clusters * size], x[self.clusters * size :]
        whole = np.append(free, -free.sum())
        return inside.reshape(self.clusters, size), whole - np.logaddexp.reduce(whole)

    def joined(self, inside: np.ndarray, share: np.ndarray) -> np.ndarray:
        """Return the flat vector of clusters with these vectors and shares."""
        free = np.log(np.maximum(share, 1e-12))
        return np.concatenate([np.ravel(inside), (free - free.mean())[:-1]])

    def in_order(self, x: np.ndarray, order: np.ndarray) -> np.ndarray:
        """Return the flat vectors, one a row, with the clusters in another order."""
        size, last = self.members[0].size, self.clusters * self.members[0].size
        inside, free = x[..., :last], x[..., last:]
        inside = inside.reshape(*x.shape[:-1], self.clusters, size)[..., order, :]
        whole = np.concatenate([free, -free.sum(axis=-1, keepdims=True)], axis=-1)[..., order]
        return np.concatenate([inside.reshape(*x.shape[:-1], last), whole[..., :-1]], axis=-1)

    def by_unit(self, inside: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of each unit in each cluster, units by clusters."""
        found = np.empty((len(self.units), self.clusters))
        for k, (member, x) in enumerate(zip(self.members, inside, strict=True)):
            observation, values = self.single.observation, member.split(x)
            if self.unit_name == "agent":
                rows = observation.log_likelihood(values)
                found[:, k] = np.bincount(self.unit, rows, minlength=len(self.units))
            else:
                found[:, k] = observation.single_log_likelihood(values)
        return found

    def weigh(self, probability: np.ndarray | None) -> None:
        """Let each cluster count its share of the rows, or none at all."""
        for k, member in enumerate(self.members):
            share = np.zeros(self.unit.size) if probability is None else probability[self.unit, k]
            member.observation.weigh(share)

    def expect(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log-likelihood of each unit, and how probable it is in each cluster."""
        inside, log_share = self.split(x)
        joint = self.by_unit(inside) + log_share
        total = np.logaddexp.reduce(joint, axis=1)
        return total, np.exp(joint - total[:, None])

    @cached_property
    def _constant(self) -> float:
        """What the compiled posterior of a cluster adds that depends on no parameter."""
        zero, member = np.zeros(self.members[0].size), self.members[0]
        member.observation.weigh(np.ones(self.unit.size))
        whole = member.objective(zero)[0]
        member.observation.weigh(np.zeros(self.unit.size))
        rows = self.single.observation.log_likelihood(member.split(zero)).sum()
        return float(member.objective(zero)[0] - (whole - rows))

    def of_shares(
        self, log_share: np.ndarray, probability: np.ndarray, jacobian: bool
    ) -> tuple[float, np.ndarray]:
        """Return what the shares' prior adds to the log-posterior, and their whole gradient."""
        k, share = self.clusters, np.exp(log_share)
        value = 0.0 if self.single.flat else float(gammaln(k))
        slope = self.times @ probability - self.times.sum() * share
        if jacobian:
            value += np.log(k) + log_share.sum()
            slope = slope + 1.0 - k * share
        return value, slope[:-1] - slope[-1]

    def objective(self, x: np.ndarray, *, jacobian: bool = False) -> tuple[float, np.ndarray]:
        """Return the log-posterior and its gradient at a flat vector; see `Specification`."""
        inside, log_share = self.split(x)
        constant = self._constant
        with np.errstate(invalid="ignore", over="ignore"):
            total, probability = self.expect(x)
            value, of_shares = self.of_shares(log_share, probability, jacobian)
            value += float(self.times @ total)
        self.weigh(None)
        for member, part in zip(self.members, inside, strict=True):
            value += member.objective(part, jacobian=jacobian)[0] - constant
        if not np.isfinite(value):
            return -np.inf, np.zeros(x.size)
        self.weigh(probability)
        slopes = [
            member.objective(part, jacobian=jacobian)[1]
            for member, part in zip(self.members, inside, strict=True)
        ]
        return value, np.concatenate([*slopes, of_shares])

    def warn_of_few_items(self) -> None:
        """Warn where so many clusters cannot be told apart by what they say of so few items."""
        items = len(self.single.data.items)
        if items < 2 * self.clusters:
            warnings.warn(
                f"{self.clusters} clusters of rankings need at least {2 * self.clusters} items to "
                f"be told apart for certain, and there are {items}: others may fit as well.",
                stacklevel=4,
            )


def _apart(single: "Specification") -> "Specification":
    """Return a model of which rows can be weighed."""
    other = copy(single)
    other.observation = single.observation.apart()
    return other


def _require_simple(single: "Specification") -> None:
    """Refuse models and data of which clusters are not known to work."""
    data, given = single.data, argument("clusters")
    if single.of_preferences:
        raise ValueError(
            f'{given} is not for "{single.likelihood}", in which agents differ anyway.'
        )
    if data.row == "pair" and data.agents is None:
        raise ValueError(
            f"{given} needs to know who judged: one comparison does not show which cluster it is "
            f"of. Name the column: {option('agent', 'judge')}."
        )
    if data.instances is not None:
        raise ValueError(f"{given} is for data of one instance; take one with .subset(instances=).")
    if single.moves is not None or single.varying.names:
        raise ValueError(
            f"{given} cannot be combined with scores that move, or with what differs between "
            "agents, items or categories."
        )
    if not single.has_scores:
        raise ValueError(f"{given} needs items with scores, and here only entries have features.")
