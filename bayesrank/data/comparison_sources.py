"""Where comparisons come from: single comparisons, tables of counts, and cross tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from bayesrank.data.counted_rows import counted_rows
from bayesrank.data.cross_tables import cross_table
from bayesrank.data.frames import aggregate_counts, aggregate_outcomes
from bayesrank.data.instances import number_items
from bayesrank.data.labels import number_labels

__all__ = ["ComparisonSources", "Features"]

# Columns of differences, or by name such a column or those of both sides.
Features = Mapping[str, str | Sequence[str]] | Sequence[str] | None


class ComparisonSources:
    """The constructors of `Comparisons`."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        left: str = "left", right: str = "right", outcome: str | Sequence[str] = "outcome",
        *,
        weight: str | None = None, agent: str | None = None, instance: str | None = None,
        winner: str | None = None, loser: str | None = None, tie_value: Any = None,
        fold_names: bool = False, time: str | None = None, every: str | float | None = None,
        category: str | None = None, features: Features = None,
    ) -> Self:  # fmt: skip
        """Count raw rows, one comparison each, with the frame's own group-by.

        Parameters
        ----------
        frame : any frame that narwhals knows (pandas, Polars, PyArrow, DuckDB, Dask, Spark, ...)
        left, right : str
            Columns with the two items.
        outcome : str or pair of str
            A column with the winner's name, or left/right/tie, or home/away/draw or their
            letters H/A/D, or A/B, or +1/0/-1 (left won, tie, right won), or 1/0.5/0 as in chess,
            or scores such as 2-1, or True/False (left won or not); or two columns with the
            scores of left and right, the higher one winning. Votes that both were bad, such as
            "tie (bothbad)", are kept apart, in ``both_bad``: they are not ties.
        weight : str, optional
            Column with the weight of each row; 1 by default.
        agent : str, optional
            Column with who judged.
        instance : str, optional
            Column with the instance (such as a query) that the pair belongs to.
        winner, loser : str, optional
            Columns with who won and who lost, instead of ``left``, ``right`` and ``outcome``.
            Which side an item was on is then not known: the first by name is on the left.
        tie_value : optional
            A value of ``outcome`` that means a tie, besides the usual ones.
        fold_names : bool
            Whether names that differ only in capitals, spaces or the coding of accents are one
            item, called by its most frequent spelling; otherwise a warning names them.
        time : str, optional
            Column with when it was: dates, date-times (those with a zone are taken to universal
            time), texts such as 2019-06-01, or numbers, which count years; 20190601 is a date.
        every : str or float, optional
            The period whose rows share a time: "day", "week", "month", "quarter" or "year"; for
            numbers so many years.
        category : str, optional
            Column with what it was about, such as a topic.
        features : mapping, list of str or str, optional
            What is known of each row, by name: two columns, of left and right, whose difference
            is taken; or one column of differences, left minus right. A list has such columns.

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [["x", "y", 2, 1, 30], ["y", "z", 1, 1, 5], ["z", "x", 0, 3, 20]],
        ...     columns=["home", "away", "goals", "against", "rest"],
        ... )
        >>> br.Comparisons.from_frame(
        ...     df, left="home", right="away", outcome=("goals", "against"), features=["rest"]
        ... )
        Comparisons: 3 items, 3 ordered pairs, 3 comparisons, 1 ties (33%), features rest
          items: x, y, z
          never beaten: x
        """
        if (winner is None) != (loser is None):
            raise ValueError("`winner` and `loser` go together: give both columns.")
        if winner is not None and loser is not None:
            if (left, right, outcome, tie_value) != ("left", "right", "outcome", None):
                raise ValueError(
                    "`winner` and `loser` take the place of `left`, `right`, `outcome` and "
                    "`tie_value`: give the ones or the others."
                )
            left, right = winner, loser
        made = cls._from_labels(
            **aggregate_outcomes(
                frame, left, right, outcome, weight, agent, instance, tie_value, fold_names,
                always_left=winner is not None, time=time, every=every, category=category,
                features=features,
            )
        )  # fmt: skip
        return made if winner is None else replace(made, sided=False)  # type: ignore[type-var]

    @classmethod
    def from_counts(
        cls,
        frame: Any,
        left: str = "left",
        right: str = "right",
        wins: str = "wins",
        losses: str = "losses",
        ties: str | None = None,
        *,
        agent: str | None = None,
        instance: str | None = None,
        duplicates: str = "sum",
        fold_names: bool = False,
        time: str | None = None,
        every: str | float | None = None,
        category: str | None = None,
        features: Features = None,
        both_bad: str | None = None,
    ) -> Self:
        """Read a table that already holds counts.

        Items and agents whose counts are all zero are kept.

        Parameters
        ----------
        frame : any data frame that narwhals knows
        left, right : str
            Columns with the two items.
        wins, losses, ties : str
            Columns with the left item's wins, the right item's wins, and the ties; by default
            the column "ties" if there is one, and no ties otherwise.
        agent : str, optional
            Column with who judged.
        instance : str, optional
            Column with the instance (such as a query) that the pair belongs to.
        duplicates : {"sum", "error"}
            Whether rows that agree in left and right item, agent, instance, time, category and
            features are added up or refused.
        fold_names, time, every, category, features : optional
            As in `from_frame`.
        both_bad : str, optional
            Column that counts votes that both were bad, which are kept apart; by default the
            column "both_bad" if there is one.

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [["x", "y", 3, 2], ["y", "z", 5, 4]], columns=["left", "right", "wins", "losses"]
        ... )
        >>> br.Comparisons.from_counts(df).counts
        array([[3, 2, 0],
               [5, 4, 0]])
        """
        return cls._from_labels(
            **aggregate_counts(
                frame, left, right, wins, losses, ties, agent, instance, duplicates, fold_names,
                time, every, category, features, both_bad,
            )
        )  # fmt: skip

    @classmethod
    def from_matrix(
        cls, wins: Any, items: Sequence[Any] | None = None, *, ties: Any = None
    ) -> Self:
        """Read a cross table: how often the item of each row beat the item of each column.

        Parameters
        ----------
        wins : data frame or array, items by items
            Counts; the diagonal is ignored. A frame's columns name the items, and its index, or
            its first column if that holds texts, must name them too.
        items : list, optional
            Labels of the rows and columns of an array.
        ties : data frame or array, optional
            How often each pair tied, in the same layout; each tie is counted once, whether one
            half of the table or both have it.

        Examples
        --------
        >>> br.Comparisons.from_matrix([[0, 3], [1, 0]], ["x", "y"]).counts
        array([[3, 1, 0]])
        """
        made = cls._from_labels(**cross_table(wins, items, ties))
        return replace(made, sided=False)  # type: ignore[type-var]

    @classmethod
    def _from_labels(
        cls,
        left: np.ndarray,
        right: np.ndarray,
        counts: np.ndarray,
        agent: np.ndarray | None = None,
        instance: np.ndarray | None = None,
        time: np.ndarray | None = None,
        times: list[Any] | None = None,
        category: np.ndarray | None = None,
        features: np.ndarray | None = None,
        feature_names: list[str] | None = None,
        both_bad: np.ndarray | None = None,
    ) -> Self:
        """Make the container: number labels, and add up rows that agree in all but counts."""
        both = None if instance is None else np.concatenate([instance, instance])
        items, position, about = number_items(np.concatenate([left, right]), both)
        rows = len(left)
        about |= {"agents": None, "times": times, "feature_names": feature_names}
        parts = {}
        if category is not None:
            about["categories"], parts["category"] = number_labels(category)
        if time is not None:
            parts["time"] = time
        if agent is not None:
            about["agents"], parts["agent"] = number_labels(agent)
        fields, _ = counted_rows(
            position[:rows], position[rows:], counts, len(items), parts=parts, features=features,
            both_bad=both_bad,
        )  # fmt: skip
        return cls(items=items, **fields, **about)  # type: ignore[call-arg]
