"""What a user says of a table, sorted by what it is about: arguments of `bayesrank.read`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

__all__ = ["TableArguments", "given", "named_columns", "require_one_kind"]

# Arguments by what they are about. Of a switch, False is the same as not said.
_KINDS = {
    "pairs": ("left", "right", "outcome", "tie_value"),
    "beaten": ("winner", "loser"),
    "counts": ("wins", "losses", "ties", "both_bad"),
    "entries": ("group", "item", "rank", "rating", "unranked", "close_gaps"),
    "about": ("weight", "agent", "instance", "time", "every", "category", "features"),
    "table": ("choices", "where", "encoding", "wide", "cross", "fold_names"),
}
_SWITCHES = ("close_gaps", "wide", "cross", "fold_names")


@dataclass(frozen=True)
class TableArguments:
    """What the user said about a table, by the layout that it belongs to; None is not said.

    Attributes
    ----------
    pairs : dict
        Columns of raw comparisons: left, right, outcome; and tie_value.
    beaten : dict
        Columns of raw comparisons without sides: winner, loser.
    counts : dict
        Columns of counts: wins, losses, ties, both_bad.
    entries : dict
        Columns of rankings and ratings: group, item, rank, rating; and unranked and close_gaps.
    about : dict
        Columns of any layout: weight, agent, instance, time, category, features; and every.
    table : dict
        What is about the whole table: choices, where, encoding, wide, cross, fold_names.
    """

    pairs: dict[str, Any]
    beaten: dict[str, Any]
    counts: dict[str, Any]
    entries: dict[str, Any]
    about: dict[str, Any]
    table: dict[str, Any]

    @classmethod
    def sort(cls, **arguments: Any) -> Self:
        """Sort the arguments of `bayesrank.read` by what they are about."""
        for name in _SWITCHES:
            arguments[name] = arguments[name] or None
        kinds = _KINDS.items()
        return cls(**{kind: {name: arguments[name] for name in names} for kind, names in kinds})

    @property
    def comparisons(self) -> dict[str, Any]:
        """All that is about tables of comparisons."""
        return self.pairs | self.beaten | self.counts

    @property
    def named(self) -> dict[str, Any]:
        """All that is about the columns of one layout."""
        return self.comparisons | self.entries

    @property
    def tidy(self) -> dict[str, Any]:
        """All that a layout with a column per item or per choice has no use for."""
        names = ("item", "rank", "rating", "close_gaps")
        entries = {name: self.entries[name] for name in names}
        return self.comparisons | entries | {"features": self.about["features"]}

    def given(self) -> list[str]:
        """Return the names of all arguments that were given."""
        return given(self.named | self.about | self.table)


def require_one_kind(
    some: dict[str, Any], kind: str, others: dict[str, Any], other_kind: str
) -> None:
    """Refuse columns of two kinds of tables together."""
    one, other = given(some), given(others)
    if one and other:
        raise ValueError(
            f"`{one[0]}` belongs to a table of {kind} and `{other[0]}` to a table of "
            f"{other_kind}: give one or the other."
        )


def given(arguments: Mapping[str, Any]) -> list[str]:
    """Return the names of the arguments that were given."""
    return [name for name, value in arguments.items() if value is not None]


def named_columns(arguments: Mapping[Any, Any]) -> list[str]:
    """Return all names in the values of arguments: texts, and lists or mappings of them."""
    found: list[str] = []
    for value in arguments.values():
        if isinstance(value, Mapping):
            found += named_columns(value)
        elif isinstance(value, (list, tuple)):
            found += named_columns(dict(enumerate(value)))
        elif isinstance(value, str):
            found.append(value)
    return found
