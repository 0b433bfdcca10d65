"""The kinds of likelihoods: of pairs, of rankings and of preferences. Nothing heavy is imported."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bayesrank.text import argument

if TYPE_CHECKING:
    from bayesrank.model.pair_observation import PairObservation
    from bayesrank.model.preference_observation import PreferenceObservation
    from bayesrank.model.ranking_observation import RankingObservation

__all__ = ["PairLikelihood", "PreferenceLikelihood", "RankingLikelihood"]


@dataclass(frozen=True)
class PairLikelihood:
    """A pair model.

    Attributes
    ----------
    title, words, formula : str
        What it is called, and what it says in words and as a formula of the scores s.
    kernel : str
        Name in `bayesrank.kernels.KERNELS`.
    distribution : str
        "module:class" in `bayesrank.distributions`.
    tie : str, optional
        Its tie parameter, a name in `bayesrank.model.terms.ties.TIES`.
    make_structure : callable
        Returns the arrays that the kernel takes after the data.
    options : dict
        Arguments of the distribution that are always the same.
    """

    title: str
    words: str
    formula: str
    kernel: str
    distribution: str
    tie: str | None = None
    make_structure: Callable[[], tuple[Any, ...]] = tuple
    options: dict[str, Any] = field(default_factory=dict)
    data = ("pair",)
    has_adherences = False  # agents have adherences, and items variances
    of_preferences = False  # a result is what an agent prefers, not who wins
    draws_rankings = False  # new rankings can be drawn
    takes_order_effect = True  # the left item may have an advantage
    remedy = "make them with br.Comparisons.from_frame, br.Comparisons.from_counts"
    conversion = "rankings become comparisons by .to_comparisons()"
    takes_entry_features = True
    exact_with_features = True

    @cached_property
    def structure(self) -> tuple[Any, ...]:
        """Arrays that the kernel takes after the data."""
        return self.make_structure()

    def check(self, model: Any, **own: Any) -> None:
        """Refuse arguments that this likelihood has no use for."""
        _refuse_own(model, own)
        if model.order_effect and not model.data.sided:
            raise ValueError(
                "`order_effect` needs to know who was on the left, and these comparisons only say "
                "who won: give them with a left and a right side."
            )

    def observe(self, model: Any, by_entry: Any, own: dict[str, Any]) -> "PairObservation":
        """Return the data under this likelihood."""
        from bayesrank.model.pair_observation import PairObservation

        return PairObservation(
            model.results, model.likelihood, self, order_effect=model.order_effect,
            flat=bool(model.flat), features=by_entry,
        )  # fmt: skip

    @property
    def has_ties(self) -> bool:
        """Whether a tie is a possible result."""
        return self.tie is not None

    @property
    def ties(self) -> str:
        """What ties are, in the words of `RankingLikelihood`."""
        return "learned" if self.has_ties else "none"


@dataclass(frozen=True)
class RankingLikelihood:
    """A ranking model; see `PairLikelihood` for what is not said here.

    ``ties`` is "none" (impossible), "unseen" (the order inside a block was not seen), "fixed"
    (a result, with prevalence ``tie``) or "learned" (a result whose prevalence is a parameter).
    ``noise`` draws the noise of models that sort noisy scores. ``sums_worths`` says whether a block
    counts by the sum of its worths, as in PMOP with the additive potential: then the scores inside
    a tie are not told apart, and there may be several peaks. ``effort`` is roughly how many
    microseconds the log-probability of a ranking of five takes; it says how many may be tried.
    """

    title: str
    words: str
    formula: str
    kernel: str
    distribution: str
    ties: str
    tie: float = 0.0
    make_structure: Callable[[], tuple[Any, ...]] = tuple
    options: dict[str, Any] = field(default_factory=dict)
    noise: Callable[..., Any] | None = None
    sums_worths: bool = False
    effort: float = 0.1
    data = ("ranking",)
    has_adherences = False
    of_preferences = False
    draws_rankings = True
    takes_order_effect = False
    remedy = "make them with br.Rankings.from_frame, from_lists, from_matrix or from_ratings"
    conversion = "comparisons have no order of more than two items; give the rankings themselves"
    takes_entry_features = True
    exact_with_features = True

    @cached_property
    def structure(self) -> tuple[Any, ...]:
        """Arrays that the kernel takes after the data."""
        return self.make_structure()

    def check(self, model: Any, **own: Any) -> None:
        """Refuse arguments that this likelihood has no use for."""
        if model.order_effect:
            raise ValueError("`order_effect` is for comparisons; rankings have no left side.")
        _refuse_own(model, own)

    def observe(self, model: Any, by_entry: Any, own: dict[str, Any]) -> "RankingObservation":
        """Return the data under this likelihood."""
        from bayesrank.model.ranking_observation import RankingObservation

        return RankingObservation(model.results, model.likelihood, self, features=by_entry)

    @property
    def has_ties(self) -> bool:
        """Whether a tie is a possible result, and not only an order that was not seen."""
        return self.ties in ("fixed", "learned")

    @property
    def ties_bind(self) -> bool:
        """Whether a tie holds the scores of its items together; otherwise only their sum counts."""
        return self.has_ties and not self.sums_worths


@dataclass(frozen=True)
class PreferenceLikelihood:
    """The multinomial preference model, of counts by agents or of rankings as such counts."""

    title: str
    words: str
    formula: str
    kernel: str
    distribution: str
    data = ("pair", "ranking")
    has_adherences = True
    of_preferences = True
    draws_rankings = False
    takes_order_effect = False
    has_ties = False
    remedy = "make them with br.Comparisons.from_counts or br.Rankings.from_ratings"
    conversion = ""
    takes_entry_features = False
    exact_with_features = False

    def check(self, model: Any, **own: Any) -> None:
        """Refuse arguments that this likelihood has no use for."""
        import numpy as np

        features = model.arguments["features"]
        if model.moves is not None:
            raise ValueError(
                f"Scores of {model.likelihood} cannot move; leave out {argument('scores')}."
            )
        if model.order_effect:
            what = "rankings have" if model.data.row == "ranking" else f'"{model.likelihood}" has'
            raise ValueError(f"`order_effect` is for comparisons; {what} no left side.")
        if np.ndim(features) == 3:
            raise ValueError(f'"{model.likelihood}" has features of items only, not of entries.')
        known = "features" if model.data.row == "pair" else "entry_features"
        if features is None and getattr(model.data, known) is not None:
            warnings.warn(
                f'"{model.likelihood}" does not use the features that the data hold for their '
                f"{'rows' if model.data.row == 'pair' else 'entries'}.",
                stacklevel=4,
            )

    def observe(self, model: Any, by_entry: Any, own: dict[str, Any]) -> "PreferenceObservation":
        """Return the data under this likelihood."""
        from bayesrank.model.preference_observation import PreferenceObservation

        return PreferenceObservation(
            model.data, model.likelihood, self, flat=bool(model.flat), **own
        )


def _refuse_own(model: Any, own: dict[str, Any]) -> None:
    for name, value in own.items():
        if value is not None:
            raise ValueError(f'`{name}` is for "mpm", not for "{model.likelihood}".')
