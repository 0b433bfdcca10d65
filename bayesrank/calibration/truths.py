"""The truth that data are drawn from: scores, ties, an order effect, agents."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real as Number
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.data.checks import is_whole_number, whole_number
from bayesrank.data.labels import number_rows
from bayesrank.data.ranking_lists import check_distinct
from bayesrank.model.likelihoods import likelihood_named
from bayesrank.model.numbers_by_label import numbers_by_label
from bayesrank.model.specification import Specification
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Truth", "truth_of"]

_TIED = 0.25  # of results of equal items, and of neighbours whose order was not seen


@dataclass(frozen=True, eq=False)
class Truth:
    """True values, and the model that draws from them.

    Attributes
    ----------
    model : Specification
        Of the items, with any results.
    values : dict
        Of every quantity of the model.
    agents : list, optional
        Labels, sorted.
    discrimination : ndarray
        Of each agent; of one where nobody is named.
    differ : bool
        Whether discriminations were given.
    unseen : float
        Probability that the order of neighbours in a ranking is not seen.
    """

    model: Specification
    values: dict[str, Any]
    agents: list[Any] | None
    discrimination: np.ndarray
    differ: bool
    unseen: float

    @property
    def items(self) -> list[Any]:
        """Labels of the items."""
        return self.model.data.items

    @property
    def of_pairs(self) -> bool:
        """Whether results are of pairs."""
        return self.model.data.row == "pair"

    @cached_property
    def scores(self) -> "pd.Series":
        """The true scores by item."""
        import pandas as pd

        index = pd.Index(self.items, name="item", tupleize_cols=False)
        return pd.Series(self.values["score"], index, name="truth")

    @cached_property
    def parameters(self) -> "pd.Series":
        """The other true values by name."""
        import pandas as pd

        found = {}
        for name in self.model.names:
            if name == "score":
                continue
            if np.ndim(self.values[name]) == 0:
                found[name] = float(self.values[name])
                continue
            (dim,) = self.model.dims(name)
            labels = self.model.coords[dim]
            found |= {f"{name}[{x}]": v for x, v in zip(labels, self.values[name], strict=True)}
        if self.differ:
            known = zip(self.agents or [], self.discrimination, strict=True)
            found |= {f"discrimination[{agent}]": value for agent, value in known}
        return pd.Series(found, dtype=float, name="truth")

    def draw(self, sets: np.ndarray, rng: np.random.Generator) -> Any:
        """Return results of a design, given by positions of items; -1 is no item."""
        agent = None
        if self.agents is not None:
            agent = rng.permutation(np.arange(len(sets)) % len(self.agents))
        asked = (
            self._comparisons(sets, agent) if self.of_pairs else self._rankings(sets, agent, rng)
        )
        drawn = asked.with_outcomes(self._results(asked, rng))
        return drawn if self.of_pairs else _best_first(drawn)

    def _results(self, asked: Any, rng: np.random.Generator) -> np.ndarray:
        """Return results of the same rows by the model's own sampler."""
        seen = asked if asked.agent is None else self._as_seen(asked)
        score = np.outer(self.discrimination, self.values["score"]).ravel()
        observation = self.model.observation.with_data(seen)
        return observation.draw(self.values | {"score": score}, rng)

    def _as_seen(self, asked: Any) -> Any:
        """Return rows in which an item as one agent sees it is an item of its own."""
        n = len(self.items)
        items = list(range(n * len(self.discrimination)))
        if self.of_pairs:
            first = n * asked.agent
            return Comparisons(first + asked.left, first + asked.right, asked.counts, items)
        entries = asked.entries + n * asked.agent[:, None]
        return Rankings(np.where(asked.offered, entries, -1), asked.ranks, items)

    def _comparisons(self, sets: np.ndarray, agent: np.ndarray | None) -> Comparisons:
        """Return how often each ordered pair is compared, by each agent."""
        codes = [sets[:, 0], sets[:, 1]]
        codes += [] if agent is None else [agent]
        _, first, count = np.unique(number_rows(*codes), return_index=True, return_counts=True)
        counts = np.zeros((first.size, 3), dtype=np.int64)
        counts[:, 0] = count
        return Comparisons(
            sets[first, 0], sets[first, 1], counts, self.items,
            agent=None if agent is None else agent[first], agents=self.agents,
        )  # fmt: skip

    def _rankings(
        self, sets: np.ndarray, agent: np.ndarray | None, rng: np.random.Generator
    ) -> Rankings:
        """Return rankings with ties where the order will not be seen."""
        parted = rng.random(sets.shape) >= self.unseen
        parted[:, 0] = True
        ranks = np.where(sets >= 0, np.cumsum(parted, axis=1), -1)
        return Rankings(sets, ranks, self.items, agent=agent, agents=self.agents)


def _best_first(data: Any) -> Rankings:
    """Return the same rankings with the items in each in the order of their ranks."""
    ranks, entries = data.ranks, data.entries
    place = np.where(ranks > 0, ranks, np.iinfo(np.int64).max)
    order = np.lexsort((entries, place), axis=1)
    return Rankings(
        np.take_along_axis(entries, order, axis=1), np.take_along_axis(ranks, order, axis=1),
        data.items, agent=data.agent, agents=data.agents,
    )  # fmt: skip


def truth_of(
    likelihood: str, items: list[Any], *, scores: Any, scale: float | None, ties: Any,
    order_effect: Any, agents: Any, size: int, rng: np.random.Generator,
) -> Truth:  # fmt: skip
    """Return the truth that a user describes, see `simulate`; what is left open is drawn."""
    kind: Any = likelihood_named(likelihood)
    if scores is not None and scale is not None:
        raise ValueError("`scale` is of the prior that scores are drawn from; `scores` are given.")
    if scale is not None and not (_is_number(scale) and 0 < scale < np.inf):
        raise ValueError(f"`scale` must be positive and finite, got {scale!r}.")
    effect = _order_effect(kind, likelihood, order_effect)
    rates = _tie_rates(kind, likelihood, ties, size)
    data = _any_results(kind, items, rates)
    model = Specification(
        data, likelihood, scale=1.0 if scale is None else float(scale), order_effect=effect != 0.0
    )
    drawn = model.prior(1, seed=int(rng.integers(2**32)))
    values = {name: value[0] for name, value in drawn.items()} | {"order_effect": effect}
    if scores is not None:
        given = numbers_by_label("scores", scores, items, "item", -np.inf, np.inf)
        _require_known("scores", scores, items)
        values["score"] = given - given.mean()
    if "tie_rate" in values:
        known = np.array(list(rates.values()))
        values["tie_rate"] = known if np.ndim(values["tie_rate"]) else known[0]
    for term in model.terms:
        values |= term.derive(values, np)
    labels, discrimination, differ = _agents(agents)
    unseen = next(iter(rates.values()), 0.0) if kind.ties == "unseen" else 0.0
    return Truth(model, values, labels, discrimination, differ, unseen)


def _any_results(kind: Any, items: list[Any], rates: dict[int, float]) -> Any:
    """Return the least data that have a model of the same items and ties."""
    if "pair" in kind.data:
        return Comparisons(np.array([0]), np.array([1]), np.array([[1, 0, 0]]), items)
    n = len(items)
    sizes = list(rates) if kind.ties == "learned" else []
    tied = [np.r_[np.ones(m, dtype=int), np.full(n - m, -1)] for m in sizes]
    ranks = np.array([np.arange(1, n + 1), *tied])
    return Rankings(np.where(ranks > 0, np.arange(n), -1), ranks, items)


def _tie_rates(kind: Any, likelihood: str, ties: Any, size: int) -> dict[int, float]:
    """Return how often ties of each size occur."""
    if kind.ties in ("none", "fixed"):
        if ties is not None and not (kind.ties == "none" and _is_number(ties) and ties == 0):
            why = "no ties" if kind.ties == "none" else "ties of a prevalence that is fixed"
            raise ValueError(f'`ties` cannot be given: "{likelihood}" has {why}; got {ties!r}.')
        return {}
    by_size = kind.ties == "learned" and "ranking" in kind.data
    if ties is None:
        # Of `size` equal items the first place is shared by two so often.
        weight = 2.0 * _TIED / (1.0 - _TIED) / (size - 1.0)
        return {2: weight / (2.0 + weight) if by_size else _TIED}
    if isinstance(ties, Mapping):
        if not by_size:
            raise TypeError(f'`ties` of "{likelihood}" must be one number, got {ties!r}.')
        for m in ties:
            if not (is_whole_number(m, 2) and m <= size):
                rule = f"sizes of ties, from 2 to {size}, the items of a ranking"
                raise ValueError(f"`ties` must have rates by {rule}; got {m!r}.")
        rates = {int(m): rate for m, rate in sorted(ties.items())}
    else:
        rates = {2: ties}
    for rate in rates.values():
        if not (_is_number(rate) and 0.0 <= rate < 1.0):
            raise ValueError(f"`ties` must be from 0 to less than 1, got {rate!r}.")
    return {m: float(rate) for m, rate in rates.items() if rate or not by_size}


def _order_effect(kind: Any, likelihood: str, effect: Any) -> float:
    """Return the order effect, refused where there is no left side."""
    if not _is_number(effect) or not np.isfinite(effect):
        raise ValueError(f"`order_effect` must be a finite number, got {effect!r}.")
    if effect and not kind.takes_order_effect:
        raise ValueError(f'`order_effect` is for comparisons; "{likelihood}" has no left side.')
    return float(effect)


def _agents(agents: Any) -> tuple[list[Any] | None, np.ndarray, bool]:
    """Return labels of agents, their discriminations, and whether these were given."""
    if agents is None:
        return None, np.ones(1), False
    if isinstance(agents, Mapping) or hasattr(agents, "to_dict"):
        labels = check_distinct("agents", agents.keys())
        given = numbers_by_label("agents", agents, labels, "agent", np.finfo(float).tiny, np.inf)
        return labels, given / np.exp(np.log(given).mean()), True
    if isinstance(agents, str | bytes) or not (np.iterable(agents) or np.isscalar(agents)):
        rule = "a number, labels or discriminations by label"
        raise TypeError(f"`agents` must be {rule}, got {agents!r}.")
    if np.iterable(agents):
        labels = check_distinct("agents", agents)
    else:
        n = whole_number("agents", agents, 1)
        labels = [f"agent {k:0{len(str(n))}d}" for k in range(1, n + 1)]
    if not labels:
        raise ValueError("`agents` is empty: give at least one, or leave it out.")
    return labels, np.ones(len(labels)), False


def _require_known(argument: str, values: Any, labels: list[Any]) -> None:
    """Refuse numbers by label of which some are for nobody."""
    if isinstance(values, Mapping) or hasattr(values, "to_dict"):
        known = set(labels)
        unknown = [label for label in values.keys() if label not in known]
        if unknown:
            raise ValueError(f"`{argument}` has labels that are no items: {listing(unknown)}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool)
