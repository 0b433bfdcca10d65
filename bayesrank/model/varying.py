"""What differs between agents, items and categories: arguments, checks, and the terms they make."""

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bayesrank.model.terms.agents import AgentDiscrimination, AgentOrderEffects, AgentTies
from bayesrank.model.terms.by_item import ItemOrderEffects, ItemTies
from bayesrank.model.terms.categories import CategoryScores, CategoryTies
from bayesrank.model.terms.effects import Effects
from bayesrank.text import either, in_terminal, listing, models, option

__all__ = ["SPREADS", "Varying", "split_scores"]

AGENT, ITEM, CATEGORY = "by-agent", "by-item", "by-category"
# Terms by the name of their spread.
SPREADS: dict[str, type[Effects]] = {
    term.key: term
    for term in (
        AgentDiscrimination, AgentOrderEffects, ItemOrderEffects, AgentTies, ItemTies,
        CategoryTies, CategoryScores,
    )
}  # fmt: skip


def split_scores(scores: Any) -> tuple[str, bool]:
    """Return how scores move, and whether they differ between categories."""
    parts = _parts("scores", scores, ("constant", "walk", "mean-reverting", CATEGORY))
    moves = [part for part in parts if part != CATEGORY]
    if len(moves) > 1:
        raise ValueError(f"`scores` may hold one of {listing(moves)}, not both.")
    return (moves or ["constant"])[0], CATEGORY in parts


def _parts(name: str, value: Any, known: tuple[str, ...]) -> list[str]:
    """Return the parts of an argument that may be one word or several."""
    parts = [value] if isinstance(value, str) else value
    several = isinstance(parts, Iterable)
    if not several or any(part not in known for part in parts) or not list(parts):
        words = either([f'"{word}"' for word in known])
        raise ValueError(f"`{name}` must be {words}, or a tuple of these, got {value!r}.")
    if len(set(parts)) < len(list(parts)):
        raise ValueError(f"`{name}` holds the same word twice: {value!r}.")
    return list(parts)


def _said(term: type[Effects]) -> str:
    """Return how a user asks for a term, set apart from the words of a sentence."""
    said = option(*term.argument)
    return said if in_terminal() else f"`{said}`"


class Varying:
    """What a specification was told of what differs.

    Parameters
    ----------
    data : Comparisons or Rankings
    kind : row of `bayesrank.model.likelihoods`
    by_category : bool
    order_effect, ties, discrimination
        As `Specification` takes them.
    flat : bool
        Whether the prior is flat.
    """

    def __init__(
        self, data: Any, kind: Any, *, by_category: bool, order_effect: Any, ties: Any,
        discrimination: Any, flat: bool,
    ) -> None:  # fmt: skip
        self.data, self.kind = data, kind
        self.order_effect, order = self._order_effect(order_effect)
        rates = [] if ties is None else _parts("ties", ties, ("common", AGENT, ITEM, CATEGORY))
        if discrimination not in (None, AGENT):
            raise ValueError(f'`discrimination` must be "{AGENT}" or None, got {discrimination!r}.')
        wanted = {
            "discrimination": discrimination == AGENT,
            "order_effect_by_agent": AGENT in order, "order_effect_by_item": ITEM in order,
            "ties_by_agent": AGENT in rates, "ties_by_item": ITEM in rates,
            "ties_by_category": CATEGORY in rates,
            "score_by_category": by_category,
        }  # fmt: skip
        self.names = [name for name, asked in wanted.items() if asked]
        for name in self.names:
            self._require_use(SPREADS[name])
            if flat:
                scale = "--scale" if in_terminal() else "`scale`"
                raise ValueError(
                    f"{_said(SPREADS[name])} needs a prior: give a finite {scale}, or none, which "
                    "learns it."
                )
        # Of one agent or one category nothing differs.
        self._made = {
            name: SPREADS[name].of(data)
            for name in self.names
            if len(SPREADS[name].labels(data) or ()) > 1
        }

    @property
    def by_agent(self) -> bool:
        """Whether anything differs between agents."""
        return any(SPREADS[name].column == "agent" for name in self.names)

    @staticmethod
    def _order_effect(argument: Any) -> tuple[bool, list[str]]:
        if isinstance(argument, (bool, np.bool_)):
            return bool(argument), []
        if not isinstance(argument, (str, Iterable)):
            return bool(argument), []
        return True, _parts("order_effect", argument, (AGENT, ITEM))

    def _require_use(self, term: type[Effects]) -> None:
        """Refuse what a likelihood, or data, have no use for, or know nothing of."""
        argument, title = _said(term), self.kind.title
        if self.kind.has_adherences:
            raise ValueError(
                f"{argument} is not for {title}, whose agents have adherences; it is for every "
                "other model."
            )
        if self.data.instances is not None:
            raise ValueError(f"{argument} is for one instance, not for several.")
        if term.of_pairs and self.data.row != "pair":
            raise ValueError(f"{argument} is for comparisons, not for rankings.")
        learned = self.kind.has_ties and getattr(self.kind, "ties", "learned") == "learned"
        if term.has_tie_shift and not learned:
            raise ValueError(
                f"{argument} needs a model that learns how often ties occur, which {title} does "
                f"not; use {models('davidson', 'davidson-luce')}."
            )
        if term.labels(self.data) is None:
            said = {"agent": ("who judged", "judge"), "category": ("its category", "topic")}
            what, example = said[str(term.column)]
            raise ValueError(
                f"{argument} needs to know {what} of each row: name that column as "
                f"{option(str(term.column), example)} when you read the data."
            )

    def terms(self, spreads: Mapping[str, float], *, centered: bool) -> list[Any]:
        """Return the terms, with spreads that are given or learned; a spread of 0 makes none."""
        found = []
        for name, term in self._made.items():
            spread = spreads.get(name)
            if spread != 0:
                found.append(term.again(spread=spread, centered=centered))
        return found

    def spreads(self, given: Any) -> dict[str, float]:
        """Return the spreads that were given, or say which may be."""
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            raise TypeError(f"`spreads` must be a mapping from names to numbers, got {given!r}.")
        for name, value in given.items():
            if name not in self.names:
                known = either([f'"{known}"' for known in self.names]) if self.names else "nothing"
                raise ValueError(f"`spreads` may be given for {known} here, got {name!r}.")
            number = isinstance(value, numbers.Real) and not isinstance(value, bool)
            if not (number and 0 <= value < np.inf):
                raise ValueError(
                    f"`spreads` must hold numbers from 0 up, got {value!r} for {name}."
                )
        return {name: float(value) for name, value in given.items()}
