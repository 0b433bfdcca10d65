"""Documents of many queries at once: who belongs together, in which order, and who is tied.

The documents of all queries are one flat array, so that nothing loops over queries.

Equal scores leave the order open. With ``ties="file"`` such documents keep the order in which they
came, as LETOR's scripts have it: the value then depends on the order of the file, and flatters
where that is by relevance. With ``ties="expected"`` it is the exact mean over all orders of equal
scores, each equally likely (McSherry and Najork, 2008).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.checks import is_whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "OrderedDocuments",
    "checked_cutoffs",
    "checked_ties",
    "flatten",
    "judged",
    "midranks",
]


def flatten(query: "ArrayLike | None", **columns: "ArrayLike") -> tuple[np.ndarray, ...]:
    """Return columns as flat arrays of floats, after the number of each one's query.

    Queries are numbered 0, 1, ... as they first occur. Without `query`, each row of matrices is
    a query, and flat arrays are of one.
    """
    arrays = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
    shapes = {name: values.shape for name, values in arrays.items()}
    if len(set(shapes.values())) > 1:
        shown = ", ".join(f"`{name}` {shape}" for name, shape in shapes.items())
        raise ValueError(f"All must have the same shape: {shown}.")
    shape = next(iter(shapes.values()))
    if len(shape) not in ((1, 2) if query is None else (1,)) or 0 in shape:
        wanted = "flat, as `query` is," if query is not None else "flat, or have a row a query,"
        names = " and ".join(f"`{name}`" for name in arrays)
        raise ValueError(f"{names} must be {wanted} and not empty, got shape {shape}.")
    for name, values in arrays.items():
        bad = np.flatnonzero(np.isnan(values))
        if bad.size:
            raise ValueError(f"`{name}` must not be missing: {bad.size} of {values.size} are NaN.")
    if query is None:
        rows = shape[0] if len(shape) == 2 else 1
        number = np.repeat(np.arange(rows), values.size // rows)
    else:
        query = np.asarray(query)
        if query.shape != shape:
            raise ValueError(
                f"`query` must name the query of each document: it has shape {query.shape} where "
                f"the documents have {shape}."
            )
        _, first, number = np.unique(query, return_index=True, return_inverse=True)
        number = np.argsort(np.argsort(first))[number]
    return number, *(values.ravel() for values in arrays.values())


def judged(
    query: "ArrayLike | None", score: "ArrayLike", relevance: "ArrayLike"
) -> tuple[np.ndarray, ...]:
    """Return the flat arrays of documents with their relevance, or say what it must be."""
    query, score, relevance = flatten(query, score=score, relevance=relevance)
    if not (np.isfinite(relevance).all() and relevance.min() >= 0):
        raise ValueError(
            f"`relevance` must be finite and not negative, got {relevance.min():g} to "
            f"{relevance.max():g}."
        )
    return query, score, relevance


def midranks(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Return ranks within each group, 1 for the smallest value; equal values share their mean."""
    order = np.lexsort((values, group))
    sorted_values, sorted_group = values[order], group[order]
    opens = np.ones(values.size, dtype=bool)
    opens[1:] = (sorted_values[1:] != sorted_values[:-1]) | (sorted_group[1:] != sorted_group[:-1])
    start = np.flatnonzero(opens)
    size = np.diff(start, append=values.size)
    sizes = np.bincount(group)
    before = (np.cumsum(sizes) - sizes)[sorted_group[start]]
    rank = np.empty(values.size)
    rank[order] = np.repeat(start - before + (size + 1) / 2, size)
    return rank


class OrderedDocuments:
    """The documents sorted by query, then by score, the highest first.

    Attributes
    ----------
    order : ndarray of int
        Where each sorted document was; equal scores keep their order.
    query, rank : ndarray of int
        The query of each, and its rank in it from 1.
    block : ndarray of int
        Number of its block: documents of a query with equal scores.
    sizes : ndarray of int
        Number of documents of each query.
    """

    def __init__(self, query: np.ndarray, score: np.ndarray) -> None:
        self.order = np.lexsort((-score, query))
        self.query, score = query[self.order], score[self.order]
        self.sizes = np.bincount(query)
        self.rank = np.arange(1, score.size + 1) - (np.cumsum(self.sizes) - self.sizes)[self.query]
        opens = self.rank == 1
        opens[1:] |= score[1:] != score[:-1]
        self.block = np.cumsum(opens) - 1

    def sort(self, values: np.ndarray, ties: str = "file") -> np.ndarray:
        """Return values in this order; if ties are "expected", the mean over each block."""
        values = values[self.order]
        if checked_ties(ties) == "file":
            return values
        return (np.bincount(self.block, values) / np.bincount(self.block))[self.block]

    def rectangle(
        self, sorted_values: np.ndarray, columns: int, padding: float = 0.0
    ) -> np.ndarray:
        """Return the first of each query's sorted values, queries by columns."""
        table = np.full((self.sizes.size, columns), padding)
        within = self.rank <= columns
        table[self.query[within], self.rank[within] - 1] = sorted_values[within]
        return table


def checked_ties(ties: str) -> str:
    """Return the rule for equal scores, or say which there are."""
    if ties not in ("file", "expected"):
        raise ValueError(f'`ties` must be "file" or "expected", got {ties!r}.')
    return ties


def checked_cutoffs(k: Any, longest: int) -> tuple[np.ndarray, bool]:
    """Return cutoffs as an array, and whether one was asked for; None is the longest query."""
    one = k is None or np.ndim(k) == 0
    cutoffs = [longest if k is None else k] if one else list(k)
    if not cutoffs or not all(is_whole_number(cutoff, 1) for cutoff in cutoffs):
        raise ValueError(f"`k` must be a positive whole number, or several, got {k!r}.")
    return np.array(cutoffs), one
