"""Which items may be asked about, and what each draw says of them, also of those never seen."""

import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from bayesrank.consensus.labels import require_sequence
from bayesrank.data.labels import is_missing, map_positions
from bayesrank.results.histories import BY_ITEM
from bayesrank.text import argument, listing

__all__ = ["Askable"]


class Askable:
    """The items that may be asked about, with draws of their scores.

    Parameters
    ----------
    fit : Fit
        As seen at the time and in the category that are asked about.
    among : list, optional
        Labels; by default all items that are ranked.
    agent : int, optional
        Position of the agent who is asked.
    rng : Generator
        For scores of items that were never seen.

    Attributes
    ----------
    labels : list
    new : list
        Labels that the data do not have.
    scores : ndarray, draws by items
    """

    def __init__(
        self, fit: Any, among: Sequence[Any] | None, agent: int | None, rng: np.random.Generator
    ) -> None:
        self.fit, self.agent, self.rng = fit, agent, rng
        self.model = fit.specification
        self.observation = self.model.observation
        scores, index = fit._labelled("suggest")
        ranked = list(index)
        self.labels = ranked if among is None else _checked(among)
        known = map_positions(self.model.data.items)
        self.new = [label for label in self.labels if label not in known]
        if self.new:
            self._require_prior()
            _say_new(self.new, self.model.data.items)
        # Positions in the data; items that were never seen come after all others.
        count = len(known)
        later = {label: count + k for k, label in enumerate(self.new)}
        self.place = np.array([known.get(label, later.get(label)) for label in self.labels])
        self.scores = self._scores(scores, map_positions(ranked), known)
        self._by_item = {name: self._with_new(name) for name in BY_ITEM if name in fit.posterior}

    def _require_prior(self) -> None:
        """Refuse new items where nothing is known of what they could be."""
        new, model = listing(self.new), self.model
        if model.features is not None:
            raise ValueError(
                f"{argument('among')} has items that the data do not have: {new}. Items have "
                "features in this model, and those of new ones are not known: fit again with "
                "them among the items of the data."
            )
        if model.flat:
            raise ValueError(
                f"{argument('among')} has items that the data do not have: {new}. Nothing is known "
                f"of them where the prior is flat: fit with a finite {argument('scale')}."
            )

    def _scores(
        self, scores: np.ndarray, ranked: dict[Any, int], known: dict[Any, int]
    ) -> np.ndarray:
        """Return draws of the scores of all items that may be asked about."""
        seen = [label for label in self.labels if label in known]
        if all(label in ranked for label in seen):
            found = scores[:, [ranked[label] for label in seen]]
        else:
            # Of items that are not ranked at the time, as they were not seen lately, or not yet.
            positions = np.array([known[label] for label in seen])
            found = self.fit._moments.of(positions, self.fit._moment.time)
            found = self.fit._in_this_category(found, positions)
        if not self.new:
            return found
        scale = self._spread(self.model.scale, "scale")
        if self.fit._category is not None:
            name = "score_by_category_spread"
            own = self._spread(self.model.spreads.get("score_by_category"), name)
            scale = np.sqrt(scale**2 + own**2)
        old = np.array([label in known for label in self.labels])
        scores = np.empty((len(found), len(self.labels)))
        scores[:, old] = found
        scores[:, ~old] = scale[:, None] * self.rng.standard_normal((len(found), len(self.new)))
        return scores

    def _spread(self, given: float | None, name: str) -> np.ndarray:
        """Return draws of a spread that is given or learned; of effects that are not there, 0."""
        if name in self.fit.posterior:
            return self.fit._flat(name)
        draws = self.fit.shape[0] * self.fit.shape[1]
        return np.full(draws, 0.0 if given is None else given)

    def _with_new(self, name: str) -> np.ndarray:
        """Return draws of an effect of the items, for those that may be asked about."""
        values = self.fit._flat(name)
        if self.new:
            spread = self._spread(self.model.spreads.get(name), f"{name}_spread")
            drawn = self.rng.standard_normal((len(values), len(self.new)))
            values = np.column_stack([values, spread[:, None] * drawn])
        return values[:, self.place]

    def values(self, draw: int) -> dict[str, Any]:
        """Return the parameters of one draw, with those of items as they are listed here."""
        found = self.fit.values(draw) | {"score": self.scores[draw]}
        found |= {name: values[draw] for name, values in self._by_item.items()}
        if self.fit._category is not None:
            found["category"] = self.fit._category
        if self.agent is not None:
            found["agent"] = self.agent
        return found

    def outcomes(self, draw: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the probabilities of a win, a loss and maybe a tie of pairs: outcomes by pairs."""
        values, of = self.values(draw), self.observation.pair_probability
        win = of(values, 0, left, right)
        if not self.model.has_ties:
            return np.stack([win, 1.0 - win])
        loss = of(values, 1, left, right)
        return np.stack([win, loss, np.maximum(1.0 - win - loss, 0.0)])

    def sides(self) -> np.ndarray:
        """Return how often each item was on the left, less how often on the right."""
        data = self.model.data
        total, count = data.counts.sum(axis=1), len(data.items)
        lead = np.bincount(data.left, total, count) - np.bincount(data.right, total, count)
        return np.append(lead, np.zeros(len(self.new)))[self.place]


def _checked(among: Any) -> list[Any]:
    """Return the labels that may be asked about."""
    name = argument("among")
    require_sequence("among", among)
    labels = among.tolist() if hasattr(among, "tolist") else list(among)
    bad = [label for label in labels if not isinstance(label, Hashable) or is_missing(label)]
    if bad:
        raise ValueError(f"{name} must hold labels of items, got {listing(bad)}.")
    repeated = [label for label, times in Counter(labels).items() if times > 1]
    if repeated:
        raise ValueError(f"{name} must hold each item once; repeated: {listing(repeated)}.")
    if len(labels) < 2:
        raise ValueError(f"{name} must hold at least two items, got {len(labels)}.")
    return labels


def _say_new(new: list[Any], items: list[Any]) -> None:
    """Say that labels are taken for new items, and which known ones look much alike."""
    texts = [str(item) for item in items]
    alike = []
    for label in new:
        near = get_close_matches(str(label), texts, 1, 0.8)
        alike += [f"{label} looks like {near[0]}"] if near else []
    hint = f" Is that meant? {listing(alike)}." if alike else ""
    one = len(new) == 1
    warnings.warn(
        f"{argument('among')} has {'an item' if one else f'{len(new):,} items'} that the data do "
        f"not have, of which only the prior is known: {listing(new)}.{hint}",
        stacklevel=5,
    )
