"""Data from a known truth, for planning and for teaching."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.calibration.designs import DESIGNS, given_sets
from bayesrank.calibration.truths import Truth, truth_of
from bayesrank.data import Comparisons, Rankings
from bayesrank.data.checks import whole_number
from bayesrank.data.ranking_lists import check_distinct
from bayesrank.model.likelihoods import LIKELIHOODS, likelihood_named
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Simulation", "simulate"]

_USUAL = 100  # comparisons or rankings
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """Data, and the truth that they were drawn from.

    Attributes
    ----------
    data : Comparisons or Rankings
    scores : pandas.Series
        The true score of each item, called "truth"; they sum to zero.
    parameters : pandas.Series
        The other true values, under the names that they have in ``fit.parameters()``;
        ``discrimination[agent]`` where agents differ.
    likelihood : str

    Examples
    --------
    >>> votes = br.simulate(4, n=200, seed=1)
    >>> fit = br.fit(votes.data, votes.likelihood, method="laplace", seed=1)
    >>> fit.ranking()[["score", "low", "high"]].join(votes.scores).round(1)
          score  low  high  truth
    item
    C       2.1  1.6   2.7    1.9
    B       0.2 -0.2   0.6    0.5
    A      -0.6 -1.0  -0.2   -0.5
    D      -1.7 -2.3  -1.2   -1.8
    """

    data: Comparisons | Rankings
    scores: "pd.Series"
    parameters: "pd.Series"
    likelihood: str
    _truth: Truth = field(kw_only=True)
    _size: int = field(kw_only=True)

    def answers(
        self, design: Any = "random", n: int | None = None, *, seed: int | None = None
    ) -> Comparisons | Rankings:
        """Return new data from the same truth: what comparisons that are asked for would say.

        Parameters
        ----------
        design, n
            As in `simulate`: a frame of pairs or sets, such as ``fit.suggest()`` makes, or a list.
        seed : int, optional

        Returns
        -------
        Comparisons or Rankings
            Of all items, whether they were asked about or not.

        Examples
        --------
        >>> votes = br.simulate(["a", "b", "c"], n=50, seed=1)
        >>> votes.answers([["a", "c"], ["b", "c"]], seed=2).counts.sum()
        np.int64(2)
        """
        truth, rng = self._truth, np.random.default_rng(seed)
        design, n = _design(design, n, truth.items, truth.of_pairs)
        return truth.draw(_sets(design, n, self._size, len(truth.items), rng), rng)

    def __repr__(self) -> str:
        first, *_ = repr(self.data).split("\n")
        best = self.scores.sort_values(ascending=False)
        parts = [
            f'Simulated by "{self.likelihood}": {first}',
            f"true scores: {_numbers(best)}",
        ]
        if len(self.parameters):
            parts.append(f"true parameters: {_numbers(self.parameters)}")
        return "\n  ".join(parts)


def _numbers(values: "pd.Series") -> str:
    """Return numbers by label in one line."""
    return listing([f"{label} {value:.2f}" for label, value in values.items()], 8)


def simulate(
    items: Any = 10, likelihood: str = "davidson", n: int | None = None, *, scores: Any = None,
    scale: float | None = None, ties: Any = None, order_effect: float = 0.0,
    size: int | None = None, agents: Any = None, design: Any = "random", seed: int | None = None,
) -> Simulation:  # fmt: skip
    """Draw data from a known truth.

    Use it to plan (how many votes will I need?), to try out a model, and to teach.

    Parameters
    ----------
    items : int, list or mapping
        How many items there are, or their labels, or the true score of each, by label.
    likelihood : str
        Of pairs or rankings, as in `fit`; "mpm" is not among them.
    n : int, optional
        Comparisons, or rankings: 100 by default. Where `design` names pairs or sets, each of these
        once by default, and in turn if there are more.
    scores : array or mapping, optional
        True scores, in the order of the items or by label. Their mean is subtracted. By default
        they are drawn from the prior.
    scale : float, optional
        Standard deviation of that prior; 1 by default.
    ties : float or mapping, optional
        How often ties occur. Of pairs: the probability that two equal items tie, 0.25 by default.
        Of rankings in which a tie is a result: the same, or a mapping from sizes of ties to the
        probability that so many equal items all tie rather than one of them being best; by
        default two share the first place in a quarter of the rankings of equal items. Of rankings
        in which a tie is an order that was not seen: the probability that two neighbours share a
        rank, 0.25 by default.
    order_effect : float
        What the left item has added to its score.
    size : int, optional
        Items in each ranking; by default all.
    agents : int, list or mapping, optional
        Who judges, each about as often: how many, or their labels, or by label their
        discriminations, which multiply differences of scores (scaled to a geometric mean of 1).
    design : "random", "round-robin", frame, array or list
        Who is compared with whom: pairs or sets at random; all items equally often (pairs in turn,
        then with sides exchanged); or as a frame or a list says. A frame of pairs has columns
        "left" and "right", a frame of sets a column "items" of lists, or a column for each slot.
    seed : int, optional

    Returns
    -------
    Simulation
        With ``data``, ``scores``, ``parameters`` and ``likelihood``; and ``answers(design)`` for
        more data from the same truth.

    Examples
    --------
    >>> br.simulate(4, n=200, seed=1)
    Simulated by "davidson": Comparisons: 4 items, 12 ordered pairs, 200 comparisons, 42 ties (21%)
      true scores: C 1.86, B 0.45, A -0.49, D -1.82
      true parameters: nu 0.67, tie_rate 0.25
    >>> races = br.simulate({"a": 1.0, "b": 0.0, "c": -1.0}, "plackett-luce", 20, seed=1)
    >>> races.data
    Rankings: 3 items, 20 rankings of 3 items, 60 entries
      items: a, b, c
      connected: every item is linked to every other by wins in both directions
    """
    pairs = _of_pairs(likelihood)
    labels, scores = _items(items, scores)
    design, n = _design(design, n, labels, pairs)
    size = _size(size, len(labels), pairs, design)
    rng = np.random.default_rng(seed)
    truth = truth_of(
        likelihood, labels, scores=scores, scale=scale, ties=ties, order_effect=order_effect,
        agents=agents, size=size, rng=rng,
    )  # fmt: skip
    data = truth.draw(_sets(design, n, size, len(labels), rng), rng)
    return Simulation(data, truth.scores, truth.parameters, likelihood, _truth=truth, _size=size)


def _of_pairs(likelihood: str) -> bool:
    """Return whether a likelihood is of pairs; refuse one that has no design."""
    kind = likelihood_named(likelihood)
    if kind.of_preferences:
        known = [f'"{name}"' for name, other in LIKELIHOODS.items() if not other.of_preferences]
        raise ValueError(
            f"`likelihood` must be one of {listing(known, 99)}; "
            f'"{likelihood}" draws what agents prefer among all pairs, not results of a design.'
        )
    return "pair" in kind.data


def _design(design: Any, n: Any, items: list[Any], pairs: bool) -> tuple[Any, int]:
    """Return the name of a design or its sets, as positions, and how many are to be asked."""
    if n is not None:
        whole_number("n", n, 1)
    if isinstance(design, str) and design in DESIGNS:
        return design, _USUAL if n is None else n
    sets = given_sets(design, items, pairs=pairs)
    return sets, len(sets) if n is None else n


def _size(size: int | None, items: int, pairs: bool, design: Any) -> int:
    """Return how many items are in each comparison or ranking, at most."""
    named = isinstance(design, str)
    if size is None:
        return 2 if pairs else items if named else design.shape[1]
    if pairs or not named:
        why = "a comparison has two items" if pairs else "`design` says who is in each"
        raise ValueError(f"`size` is for rankings whose items are drawn, got {size!r}: {why}.")
    if whole_number("size", size, 2) > items:
        raise ValueError(f"`size` must be at most {items}, all items, got {size!r}.")
    return size


def _sets(design: Any, n: int, size: int, items: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions of the items of each comparison or ranking, one row each."""
    if isinstance(design, str):
        return DESIGNS[design](items, size, n, rng)
    return design[np.arange(n) % len(design)]


def _items(items: Any, scores: Any) -> tuple[list[Any], Any]:
    """Return the labels of the items, sorted, and their scores by label, or None."""
    if isinstance(items, Mapping) or hasattr(items, "to_dict"):
        if scores is not None:
            raise ValueError("`scores` are in `items` already: give only one of the two.")
        if getattr(items, "ndim", 1) > 1:
            raise TypeError("`items` must be scores by item, got a frame: give a column.")
        given, scores = list(items.keys()), items
    elif isinstance(items, str | bytes) or not (np.iterable(items) or np.isscalar(items)):
        raise TypeError(f"`items` must be a number, labels or scores by label, got {items!r}.")
    elif np.iterable(items):
        given = list(items)
    else:
        given = _numbered(whole_number("items", items, 2))
    labels = check_distinct("items", given)
    if len(labels) < 2:
        raise ValueError(f"`items` must be at least two, got {len(labels)}.")
    if scores is None or isinstance(scores, Mapping) or hasattr(scores, "to_dict"):
        return labels, scores
    values = np.asarray(scores)
    if values.shape != (len(given),):
        raise ValueError(
            f"`scores` must hold a number for each of the {len(given)} items, got shape "
            f"{values.shape}."
        )
    return labels, dict(zip(given, values, strict=True))


def _numbered(n: int) -> list[str]:
    """Return labels that sort in the order of their numbers."""
    if n <= len(_ALPHABET):
        return list(_ALPHABET[:n])
    return [f"item {k:0{len(str(n))}d}" for k in range(1, n + 1)]
