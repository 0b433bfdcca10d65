"""How often each combination of values occurs in some columns of a frame."""

import narwhals as nw
import numpy as np

from bayesrank.data.columns import collect

__all__ = ["tally"]

_CELLS = 4_000_000  # combinations that are counted in a table, and not by sorting


def tally(frame, keys):
    """Return a frame with one row for each combination that occurs, and ``total``, their number.

    Where the rows are in memory, each column's values are numbered first: the engine's own
    group-by would make several columns of eight bytes a row, more than the frame may take.

    Parameters
    ----------
    frame : narwhals frame
        Eager or lazy.
    keys : list of str
        The columns.
    """
    numbered = None if isinstance(frame, nw.LazyFrame) else [_numbered(frame[key]) for key in keys]
    if not numbered or any(column is None for column in numbered) or not len(frame):
        return collect(frame.group_by(*keys).agg(nw.len().alias("total")))
    codes = [column[0] for column in numbered]
    sizes = [len(column[1]) for column in numbered]
    cell, total = _count(codes, sizes)
    table = {}
    for key, (_, distinct), size in reversed(list(zip(keys, numbered, sizes, strict=True))):
        cell, position = np.divmod(cell, size)
        table[key] = distinct[position].alias(key)
    table = dict(reversed(table.items()))
    total = nw.new_series("total", total, backend=frame.implementation)
    return nw.from_dict(table | {"total": total})


def _count(codes, sizes):
    """Return the combinations that occur, numbered row by row of their table, and how often."""
    rows, cells = len(codes[0]), int(np.prod([float(size) for size in sizes]))
    if cells > min(_CELLS, 16 * rows + 10_000):
        return np.unique(_combined(codes, sizes, slice(None)), return_counts=True)
    counts, step = np.zeros(cells, dtype=np.int64), max(65_536, cells)
    for start in range(0, rows, step):
        part = _combined(codes, sizes, slice(start, start + step))
        counts += np.bincount(part, minlength=cells)
    cell = np.flatnonzero(counts)
    return cell, counts[cell]


def _combined(codes, sizes, rows):
    combined = codes[0][rows].astype(np.int64)
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        combined *= size
        combined += code[rows]
    return combined


def _numbered(column):
    """Return a number for each row and the distinct values that the numbers stand for.

    None where some value is missing or the engine is not known: others can say which rows.
    """
    engine, native = column.implementation, column.to_native()
    if engine.is_pandas():
        return _numbered_in_pandas(native)
    if engine.is_polars() and not native.null_count():
        return _numbered_in_polars(native)
    if engine.is_pyarrow() and not native.null_count:
        return _numbered_in_arrow(native)
    return None


def _numbered_in_pandas(native):
    import pandas as pd

    if isinstance(native.dtype, pd.CategoricalDtype):
        codes, distinct = native.cat.codes.to_numpy(), native.cat.categories
    else:
        codes, distinct = pd.factorize(native)
    if codes.min(initial=0) < 0:
        return None
    distinct = pd.Series(distinct)
    if pd.api.types.is_string_dtype(distinct.dtype):
        distinct = distinct.astype(object)  # which is what they become later
    return codes, nw.from_native(distinct, series_only=True)


def _numbered_in_polars(native):
    import polars as pl

    distinct = native.unique()
    smallest = np.min_scalar_type(len(distinct))
    if native.dtype in (pl.String, pl.Categorical, pl.Enum):
        # Numbers of categories may be those of a larger pool.
        native, pool = native.cast(pl.Categorical), distinct.cast(pl.Categorical)
        place = pool.to_physical().to_numpy()
        lookup = np.zeros(place.max(initial=0) + 1, dtype=smallest)
        lookup[place] = np.arange(len(place), dtype=smallest)
        codes = lookup[native.to_physical().to_numpy()]
    else:
        distinct = distinct.sort()
        values = distinct.to_numpy()
        if values.dtype.kind not in "biu":
            return None
        codes = np.searchsorted(values, native.to_numpy()).astype(smallest)
    return codes, nw.from_native(distinct, series_only=True)


def _numbered_in_arrow(native):
    import pyarrow as pa

    encoded = native.combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = encoded.dictionary_encode()
    distinct = pa.chunked_array([encoded.dictionary])
    return encoded.indices.to_numpy(), nw.from_native(distinct, series_only=True)
