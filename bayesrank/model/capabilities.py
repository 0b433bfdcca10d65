"""What the likelihood of a specification has and can do."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayesrank.model.likelihoods import AnyLikelihood

__all__ = ["Capabilities"]


class Capabilities:
    """Questions that a specification passes on to the row of its likelihood, its ``kind``."""

    kind: "AnyLikelihood"

    @property
    def has_adherences(self) -> bool:
        """Whether agents have adherences, and items variances.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_adherences
        False
        """
        return self.kind.has_adherences

    @property
    def has_ties(self) -> bool:
        """Whether a tie is a possible result.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_ties
        True
        """
        return self.kind.has_ties

    @property
    def of_preferences(self) -> bool:
        """Whether a result is what an agent prefers, not who wins.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.of_preferences
        False
        """
        return self.kind.of_preferences

    @property
    def draws_rankings(self) -> bool:
        """Whether new rankings can be drawn.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.draws_rankings
        False
        """
        return self.kind.draws_rankings

    @property
    def takes_order_effect(self) -> bool:
        """Whether the left item may have an advantage.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.takes_order_effect
        True
        """
        return self.kind.takes_order_effect
