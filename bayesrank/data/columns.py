"""The columns of a user's table: choosing them, and refusing those that cannot be used.

Each refusal names the column, the rule and the rows.
"""

import narwhals as nw
import numpy as np

from bayesrank.text import listing

__all__ = [
    "as_float_column",
    "collect",
    "column_names",
    "find_missing",
    "is_category",
    "labels_of",
    "missing_in_rows",
    "name_rows",
    "numbers_of",
    "refuse",
    "require_columns",
    "require_finite_total",
    "require_numbers",
    "require_present",
    "require_rows",
    "select",
    "text_of",
]


def column_names(frame):
    """Return the names of a frame's columns, or say that it is not a frame."""
    try:
        return nw.from_native(frame).collect_schema().names()
    except TypeError:
        raise TypeError(
            "Expected a data frame (pandas, Polars, PyArrow, DuckDB, Dask, Spark, ...), "
            f"got {type(frame).__name__}."
        ) from None


def require_columns(frame, columns):
    """Refuse names that are not columns."""
    known = column_names(frame)
    unknown = [name for name in columns.values() if name is not None and name not in known]
    if unknown:
        raise ValueError(
            f"Unknown column {listing([f'`{name}`' for name in unknown])}; "
            f"the table has {listing([f'`{name}`' for name in known], 12)}."
        )


def select(frame, columns, *, texts=True):
    """Return the wanted columns, named by their roles; a lazy frame stays lazy.

    Parameters
    ----------
    frame : data frame
    columns : dict of str
        Columns by role; roles without one are left out.
    texts : bool
        Whether categories become texts. Categories of two columns cannot be compared with each
        other, but texts of a million rows take far more memory than their categories.
    """
    frame = nw.from_native(frame)
    roles = {role: name for role, name in columns.items() if name is not None}
    if not texts:
        return frame.select(**{role: nw.col(name) for role, name in roles.items()})
    return frame.select(**{role: text_of(frame, name) for role, name in roles.items()})


def is_category(dtype):
    """Return whether a column holds categories."""
    return dtype in (nw.Categorical, nw.Enum)


def text_of(frame, name):
    """Return the expression for a column, as texts if it holds categories."""
    column = nw.col(name)
    return column.cast(nw.String) if is_category(frame.collect_schema()[name]) else column


def collect(frame):
    """Return the frame with its rows in memory."""
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def labels_of(table, role):
    """Return a column as an array, categories as texts, or None if it is not there."""
    if role not in table.columns:
        return None
    column = table[role]
    column = column.cast(nw.String) if is_category(column.dtype) else column
    if column.dtype == nw.String:
        # NumPy's own texts all take the memory of the longest, and lose zeros at their ends.
        return np.array(column.to_list(), dtype=object)
    return column.to_numpy()


def as_float_column(series):
    """Return a column of numbers as one of floats; missing ones stay missing."""
    if series.implementation.is_pyarrow():
        # By default its cast refuses whole numbers that are not exact as floats.
        native = series.to_native().cast("float64", safe=False)
        return nw.from_native(native, series_only=True).alias(series.name)
    return series.cast(nw.Float64)


def numbers_of(series):
    """Return a column of numbers as floats, NaN where they are missing."""
    values = as_float_column(series).to_numpy()
    return np.where(series.is_null().to_numpy(), np.nan, values)


def name_rows(frame, condition):
    """Name the rows where a condition holds; of a lazy frame, without row numbers, count them."""
    if isinstance(frame, nw.LazyFrame):
        count = frame.filter(condition).select(nw.len().alias("count")).collect()["count"][0]
        return f"{count} rows" if count else ""
    found = frame.with_row_index("row number").filter(condition)["row number"].to_list()
    plural = "s" if len(found) > 1 else ""
    return f"row{plural} {listing(found)} (the first row is 0)" if found else ""


def refuse(bad, rule, values, numbered=True):
    """Raise for the rows marked bad, which have numbers unless the frame was lazy."""
    found = np.flatnonzero(bad)
    if not found.size:
        return
    if not numbered:
        distinct = list(dict.fromkeys(values[found].tolist()))
        raise ValueError(f"{rule}: {listing(distinct)}, {found.size} rows.")
    shown = listing([f"{values[row]} in row {row}" for row in found])
    raise ValueError(f"{rule}: {shown} (the first row is 0).")


def require_finite_total(what, values):
    """Refuse finite numbers whose sum is not finite."""
    with np.errstate(over="ignore"):
        total = np.sum(values)
    if not np.isfinite(total):
        largest = np.finfo(float).max
        raise ValueError(f"{what} must have a finite sum, below {largest:.2g}, got {total}.")


def require_numbers(frame, columns, roles):
    """Refuse columns of texts where numbers are needed."""
    schema = frame.collect_schema()
    for role in roles:
        if schema[role] == nw.Object and not isinstance(frame, nw.LazyFrame):
            _refuse_too_large(frame[role].to_list(), columns[role])
        if not schema[role].is_numeric():
            raise ValueError(
                f"Column `{columns[role]}` must hold numbers, but its type is {schema[role]}."
            )


def _refuse_too_large(values, name):
    """Refuse whole numbers that no column of integers holds; a column of objects has them."""
    bad = [k for k, value in enumerate(values) if isinstance(value, int) and abs(value) >= 2**63]
    if bad:
        plural = "s" if len(bad) > 1 else ""
        raise ValueError(
            f"Column `{name}` holds whole numbers that are too large, 2**63 or more: row{plural} "
            f"{listing(bad)} (the first row is 0). Make it a column of floats."
        )


def require_rows(table, what="comparison"):
    """Refuse an empty table."""
    if len(table) == 0:
        raise ValueError(f"The table has no rows: at least one {what} is needed.")


def require_present(
    table, frame, columns, roles, sources=None, advice="Drop these rows or fill them in first."
):
    """Refuse missing values; all offending columns and rows in one message.

    ``sources`` says from which columns of the frame a role of the table was computed.
    """
    problems = []
    for role in roles:
        if not find_missing(table[role]).any():
            continue
        for source in (sources or {}).get(role, (role,)):
            found = name_rows(frame, missing_in_rows(frame, source))
            if found:
                problems.append(f"`{columns[source]}` in {found}")
    if problems:
        raise ValueError(f"Missing values: {'; '.join(problems)}. {advice}")


def missing_in_rows(frame, role):
    """Return the condition under which a row has no value in a column."""
    condition = nw.col(role).is_null()
    if frame.collect_schema()[role].is_float():
        condition = condition | nw.col(role).is_nan()
    return condition


def find_missing(series):
    """Return which values of a column are missing."""
    return series.is_null() | series.is_nan() if series.dtype.is_float() else series.is_null()
