"""How often each combination of values occurs in some columns of a frame."""

import math

import narwhals as nw
import numpy as np

from bayesrank.data.columns import collect

__all__ = ["count_combinations"]

_CELLS = 4_000_000  # up to so many combinations are counted in a table, more by sorting


def count_combinations(frame, keys):
    """Return a frame with one row for each combination that occurs, and ``total``, their number.

    Where the rows are in memory, each column's values are numbered first: the engine's own
    group-by would make several columns of eight bytes per row, which may be more than the frame
    itself takes.

    Parameters
    ----------
    frame : narwhals frame
        Eager or lazy.
    keys : list of str
        The columns.
    """
    numbered = None if isinstance(frame, nw.LazyFrame) else [_numbered(frame[key]) for key in keys]
    if not numbered or any(column is None for column in numbered) or not len(frame):
        return _grouped(frame, keys)
    codes, values = (list(part) for part in zip(*numbered, strict=True))
    sizes = [len(distinct) for distinct in values]
    if math.prod(sizes) >= 2**62:  # combinations that could not be numbered
        return _grouped(frame, keys)
    cell, total = _count(codes, sizes)
    del codes, numbered  # one number per row, not needed any more when the table is made
    table = {}
    for key, distinct, size in reversed(list(zip(keys, values, sizes, strict=True))):
        cell, position = np.divmod(cell, size)
        table[key] = distinct[position].alias(key)
    table = dict(reversed(table.items()))
    total = nw.new_series("total", total, backend=frame.implementation)
    return nw.from_dict(table | {"total": total})


def _grouped(frame, keys):
    return collect(frame.group_by(*keys).agg(nw.len().alias("total")))


def _count(codes, sizes):
    """Return the combinations that occur, numbered row by row of their table, and how often."""
    rows, cells = len(codes[0]), math.prod(sizes)
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
        combined += code[rows].astype(np.int64)
    return combined


def _numbered(column):
    """Return a number for each row and the distinct values that the numbers stand for.

    Return None where a value is missing, so that the caller can say in which rows, and where it
    is not known how to number columns of this engine or type.
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

    category = isinstance(native.dtype, pd.CategoricalDtype)
    if category:
        codes, distinct = native.cat.codes.to_numpy(), native.cat.categories
    else:
        codes, distinct = pd.factorize(native)
    if codes.min(initial=0) < 0:
        return None
    distinct = _labels(pd.Series(distinct), category)
    if distinct.dtype == nw.String:
        # What they become later: once for each distinct value, not once for each row.
        distinct = nw.from_native(distinct.to_native().astype(object), series_only=True)
    return codes, distinct


def _numbered_in_polars(native):
    import polars as pl

    category = native.dtype in (pl.Categorical, pl.Enum)
    if category or native.dtype == pl.String:
        native = native.cast(pl.Categorical)
        distinct = native.unique()
        # Categories may be numbered in a larger pool, of which only some occur here.
        place = distinct.to_physical().to_numpy()
        smallest = np.min_scalar_type(len(place))
        lookup = np.zeros(place.max(initial=0) + 1, dtype=smallest)
        lookup[place] = np.arange(len(place), dtype=smallest)
        return lookup[native.to_physical().to_numpy()], _labels(distinct, True)
    if not (native.dtype.is_integer() or native.dtype == pl.Boolean):
        return None
    distinct = native.unique().sort()
    codes = np.searchsorted(distinct.to_numpy(), native.to_numpy())
    return codes.astype(np.min_scalar_type(len(distinct))), _labels(distinct, False)


def _numbered_in_arrow(native):
    import pyarrow as pa

    kinds = pa.types
    category = kinds.is_dictionary(native.type)
    known = (kinds.is_string, kinds.is_large_string, kinds.is_integer, kinds.is_boolean)
    if not category and not any(is_known(native.type) for is_known in known):
        return None
    encoded = native.combine_chunks()
    encoded = encoded if category else encoded.dictionary_encode()
    if not isinstance(encoded, pa.DictionaryArray):  # texts that one array cannot hold
        return None
    return encoded.indices.to_numpy(), _labels(pa.chunked_array([encoded.dictionary]), category)


def _labels(distinct, category):
    """Return the distinct values; those of categories are texts, whatever they were made from."""
    distinct = nw.from_native(distinct, series_only=True)
    return distinct.cast(nw.String) if category else distinct
