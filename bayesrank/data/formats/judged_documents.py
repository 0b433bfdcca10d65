"""Documents of queries, what is known of each, and how relevant it is."""

import warnings
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from bayesrank.data.entries import checked_unranked
from bayesrank.data.instances import joined_texts, number_items
from bayesrank.data.labels import number_labels
from bayesrank.data.rankings import Rankings
from bayesrank.text import listing, option

__all__ = ["JudgedDocuments"]


@dataclass(frozen=True, eq=False, repr=False)
class JudgedDocuments:
    """One row per document of a query: its places in several lists, or its features.

    Attributes
    ----------
    query : ndarray of int
        Position in ``queries`` of each document's query.
    queries : list
        Labels of the queries, as they first occur.
    documents : list
        Label of each document; distinct in its query.
    values : ndarray, documents by columns
        Places in lists, of which only the order counts, NaN where a list does not have the
        document; or features.
    columns : list
        Labels of the lists or features.
    relevance : ndarray of int, optional
        Grade of each document; 0 is not relevant.
    relevant : ndarray of int, optional
        Number of relevant documents of each query, including those that have no row.
    """

    query: np.ndarray
    queries: list[Any]
    documents: list[Any]
    values: np.ndarray
    columns: list[Any]
    relevance: np.ndarray | None = None
    relevant: np.ndarray | None = None

    def __len__(self):
        return len(self.documents)

    def __repr__(self):
        return (
            f"JudgedDocuments: {len(self):,} documents of {len(self.queries):,} queries, "
            f"{len(self.columns)} columns, {np.isnan(self.values).sum():,} values missing"
        )

    @property
    def has_missing(self):
        """Whether any document is missing in a list."""
        return bool(np.isnan(self.values).any())

    @property
    def index(self):
        """The pairs (query, document) as a pandas index, to put a fit's scores in this order.

        ``fit.ranking()["score"].reindex(documents.index)``
        """
        import pandas as pd

        queries = [self.queries[q] for q in self.query.tolist()]
        return pd.MultiIndex.from_arrays([queries, self.documents], names=["instance", "item"])

    def of_queries(self, queries):
        """Return the documents of some queries, in the order that they have here.

        Parameters
        ----------
        queries : sequence
            Labels of the queries.

        Examples
        --------
        >>> half = documents.of_queries(documents.queries[::2])
        """
        if isinstance(queries, str):
            raise ValueError(f"`queries` must be a sequence of labels, got {queries!r}.")
        wanted = set(queries)
        unknown = wanted.difference(self.queries)
        if unknown:
            raise ValueError(f"`queries` has {listing(sorted(unknown, key=str))}: not there.")
        kept = np.array([label in wanted for label in self.queries], dtype=bool)
        rows = kept[self.query]
        return replace(
            self,
            query=(np.cumsum(kept) - 1)[self.query[rows]],
            queries=[label for label in self.queries if label in wanted],
            documents=list(compress(self.documents, rows)),
            values=self.values[rows],
            relevance=None if self.relevance is None else self.relevance[rows],
            relevant=None if self.relevant is None else self.relevant[kept],
        )

    def to_rankings(self, *, best="smallest", unranked=None):
        """Return the rankings by all lists: each list is an agent, each query an instance.

        A list that says nothing about a query has no ranking there: it has none of the documents,
        or only one, while the others were not offered.

        Parameters
        ----------
        best : {"smallest", "largest"}
            Which places are the best.
        unranked : {"not offered", "below"}, optional
            Whether documents that a list does not have were not offered in it, or are below all
            that it has.
        """
        if best not in ("smallest", "largest"):
            raise ValueError(f'`best` must be "smallest" or "largest", got {best!r}.')
        below = checked_unranked(unranked)
        items, position, about = self._items()
        agents, agent = number_labels(self.columns)
        level = self.values if best == "smallest" else -self.values
        instances, where = number_labels(self.queries)
        # Rankings in the order of instances, then agents, both sorted.
        ranking = (where[self.query][:, None] * len(agents) + agent).ravel()
        item, level = np.repeat(position, len(agents)), level.ravel()
        present = ~np.isnan(level)
        total = len(instances) * len(agents)
        ranked = np.bincount(ranking[present], minlength=total)
        offered = np.bincount(ranking, minlength=total) if below else ranked
        says = (ranked > 0) & (offered > 1)
        if not says.any():
            raise ValueError("No list has two documents of a query: there is nothing to rank by.")
        single = int(((ranked == 1) & ~says).sum())
        if single:
            warnings.warn(
                f"{single:,} of {int((ranked > 0).sum()):,} rankings have one document only, which "
                f"says nothing; they are left out. {option('unranked', 'below')} would put all "
                "others below it.",
                stacklevel=2,
            )
        keep = says[ranking] & (present | below)
        chosen = np.flatnonzero(says)
        names = [agents[k] for k in (chosen % len(agents)).tolist()]
        if about:
            names = joined_texts("agent", instances, chosen // len(agents), names)
        return Rankings._from_entries(
            ranking=(np.cumsum(says) - 1)[ranking[keep]],
            item=item[keep],
            level=np.where(present, level, np.inf)[keep],
            names=names,
            items=items,
            agent=chosen % len(agents),
            agents=agents,
            gaps=True,
            unranked=unranked,
            **about,
        )

    def to_graded_rankings(self):
        """Return one ranking per query, by relevance, with the columns as features.

        Equal grades are ties. A query of one document has no ranking, and a warning says so.
        """
        if self.relevance is None:
            raise ValueError("These documents have no relevance.")
        bad = np.flatnonzero(~np.isfinite(self.values).all(axis=1))
        if bad.size:
            raise ValueError(
                "Features must be finite, but these are places in lists, some of them missing: "
                f"rows {listing(bad.tolist())} (the first is 0). `to_rankings` reads them."
            )
        items, position, about = self._items()
        queries, where = number_labels(self.queries)
        ranking = where[self.query]
        several = np.bincount(ranking) > 1
        if not several.any():
            raise ValueError("No query has two documents: there is nothing to rank.")
        if not several.all():
            alone = [queries[k] for k in np.flatnonzero(~several)]
            warnings.warn(
                f"{len(alone):,} of {len(queries):,} queries have one document only, which says "
                f"nothing; they are left out: {listing(alone)}.",
                stacklevel=2,
            )
        keep = several[ranking]
        known = {}
        if self.columns:
            known["features"] = self.values[keep]
            known["feature_names"] = [str(column) for column in self.columns]
        return Rankings._from_entries(
            ranking=(np.cumsum(several) - 1)[ranking[keep]],
            item=position[keep],
            level=-self.relevance[keep].astype(float),
            names=[queries[k] for k in np.flatnonzero(several)],
            items=items,
            agent=np.flatnonzero(several),
            agents=queries,
            ratings=self.relevance[keep].astype(float),
            gaps=True,
            **about,
            **known,
        )

    def _items(self):
        """Return the documents as items, one for each row."""
        return number_items(self.documents, [self.queries[q] for q in self.query.tolist()])
