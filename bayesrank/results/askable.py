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

# Between differences of scores so far apart, and at most so many to a side, probabilities are
# interpolated: they are right to four digits.
_STEP, _MOST = 0.25, 1000


class Askable:
    """The items that may be asked about, in one category or several, with draws of their scores.

    Parameters
    ----------
    fit : Fit
        As seen at the time that is asked about, and in the category that the goal is about.
    among : list, optional
        Labels; by default all items that are ranked.
    categories : list, optional
        Labels of categories in which may be asked, where that is not the one of the goal.
    agent : int, optional
        Position of the agent who is asked.
    rng : Generator
        For scores of items that were never seen.

    Attributes
    ----------
    labels : list
    new : list
        Labels that the data do not have.
    scores : ndarray, draws by columns
        Of the goal's items, then of the items in each of the categories.
    """

    def __init__(
        self, fit: Any, among: Sequence[Any] | None, categories: list[Any] | None,
        agent: int | None, rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self.fit, self.agent, self.rng, self.categories = fit, agent, rng, categories
        self.model = fit.specification
        _, index = fit._labelled("suggest")
        ranked = list(index)
        self.labels = ranked if among is None else _checked(among)
        known = map_positions(self.model.data.items)
        self.new = [label for label in self.labels if label not in known]
        if self.new:
            self._require_prior()
            _say_new(self.new, self.model.data.items)
        # Positions in the data; items that were never seen come after all others.
        later = {label: len(known) + k for k, label in enumerate(self.new)}
        self.place = np.array([(known | later)[label] for label in self.labels])
        if self.new:
            count = (fit.shape[0] * fit.shape[1], len(self.new))
            self._drawn = self._spread("scale", self.model.scale)[:, None]
            self._drawn = self._drawn * rng.standard_normal(count)
        views = [fit, *(fit.in_category(label) for label in categories or [])]
        self.scores = np.column_stack([self._scores(view, ranked) for view in views])
        # The category of each block of columns, by position; none is over all.
        self.blocks = [view._category for view in views]
        self._by_item = {name: self._with_new(name) for name in BY_ITEM if name in fit.posterior}
        self._curve: Any = None

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def goal_scores(self) -> np.ndarray:
        """The scores that the goal is about."""
        return self.scores[:, : len(self)]

    @property
    def askable_blocks(self) -> range:
        """The blocks of columns in which may be asked."""
        return range(1, len(self.blocks)) if self.categories else range(1)

    def _require_prior(self) -> None:
        """Refuse new items where nothing is known of what they could be."""
        start = f"{argument('among')} has items that the data do not have: {listing(self.new)}."
        if self.model.features is not None:
            raise ValueError(
                f"{start} Items have features in this model, and those of new ones are not known: "
                "fit again with them among the items of the data."
            )
        if self.model.flat:
            raise ValueError(
                f"{start} Nothing is known of them where the prior is flat: fit with a finite "
                f"{argument('scale')}."
            )

    def _scores(self, view: Any, ranked: list[Any]) -> np.ndarray:
        """Return draws of the scores of the items, in the category of the view."""
        old = [place for place in self.place if place < len(self.model.data.items)]
        column = map_positions(ranked)
        seen = [label for label in self.labels if label not in set(self.new)]
        if all(label in column for label in seen):
            found = view.scores()[:, [column[label] for label in seen]]
        else:
            # Some are not ranked at the time: they were not seen lately, or not yet.
            positions = np.array(old)
            found = view._in_this_category(
                self.fit._moments.of(positions, self.fit._moment.time), positions
            )
        if not self.new:
            return found
        drawn = self._drawn
        if view._category is not None:
            name = "score_by_category"
            spread = self._spread(f"{name}_spread", self.model.spreads.get(name))
            drawn = drawn + spread[:, None] * self.rng.standard_normal(drawn.shape)
        is_new = self.place >= len(self.model.data.items)
        scores = np.empty((len(found), len(self)))
        scores[:, ~is_new], scores[:, is_new] = found, drawn
        return scores

    def _spread(self, name: str, given: float | None) -> np.ndarray:
        """Return draws of a spread that is learned or given; of effects that are not there, 0."""
        if name in self.fit.posterior:
            learned: np.ndarray = self.fit._flat(name)
            return learned
        return np.full(self.fit.shape[0] * self.fit.shape[1], 0.0 if given is None else given)

    def _with_new(self, name: str) -> np.ndarray:
        """Return draws of an effect of the items that may be asked about."""
        values = self.fit._flat(name)
        if self.new:
            spread = self._spread(f"{name}_spread", self.model.spreads.get(name))
            drawn = self.rng.standard_normal((len(values), len(self.new)))
            values = np.column_stack([values, spread[:, None] * drawn])
        chosen: np.ndarray = values[:, self.place]
        return chosen

    def values(self, draw: int, block: int = 0) -> dict[str, Any]:
        """Return the parameters of one draw, with those of items as they are listed here."""
        here = slice(block * len(self), (block + 1) * len(self))
        found = self.fit.values(draw) | {"score": self.scores[draw, here]}
        found |= {name: values[draw] for name, values in self._by_item.items()}
        if self.blocks[block] is not None:
            found["category"] = self.blocks[block]
        if self.agent is not None:
            found["agent"] = self.agent
        return found

    def outcomes(self, draw: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the probabilities of a win, a loss and maybe a tie of pairs: outcomes by pairs.

        Pairs are positions of columns.
        """
        found = np.empty((3 if self.model.has_ties else 2, len(left)))
        where = left // len(self)
        for block in np.unique(where):
            chosen = where == block
            first = block * len(self)
            pair = left[chosen] - first, right[chosen] - first
            found[:, chosen] = self._outcomes(draw, block, *pair)
        return found

    def _outcomes(self, draw: int, block: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        values = self.values(draw, block)
        if not self.model.draws_rankings:
            return self._exact(values, left, right)
        score = values["score"]
        if set(values) == {"score"}:
            # Nothing else differs between draws.
            self._curve = self._curve or self._curve_of(values, np.ptp(self.scores, axis=1).max())
            curve = self._curve
        else:
            curve = self._curve_of(values, np.ptp(score))
        found: np.ndarray = np.clip(curve(score[left] - score[right]), 0.0, 1.0)
        return found

    def _curve_of(self, values: dict[str, Any], most: float) -> Any:
        """Return the probabilities of outcomes as a function of the difference of scores.

        Of rankings of two only this difference counts, and the kernels of some models are slow.
        """
        from scipy.interpolate import CubicSpline

        most = most + _STEP  # at the ends the curve is not as close
        size = 2 * int(np.clip(np.ceil(most / _STEP), 2, _MOST)) + 1
        grid = np.linspace(-most, most, size)
        values = values | {"score": np.append(grid, 0.0)}
        return CubicSpline(grid, self._exact(values, np.arange(size), np.full(size, size)), axis=1)

    def _exact(self, values: dict[str, Any], left: np.ndarray, right: np.ndarray) -> np.ndarray:
        of = self.model.observation.pair_probability
        win = of(values, 0, left, right)
        if not self.model.has_ties:
            return np.stack([win, 1.0 - win])
        loss = of(values, 1, left, right)
        return np.stack([win, loss, np.maximum(1.0 - win - loss, 0.0)])

    def lead(self) -> np.ndarray:
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
    hint = f" Is that meant? {'; '.join(alike[:5])}." if alike else ""
    what = "an item" if len(new) == 1 else f"{len(new):,} items"
    warnings.warn(
        f"{argument('among')} has {what} that the data do not have, of which only the prior is "
        f"known: {listing(new)}.{hint}",
        stacklevel=5,
    )
