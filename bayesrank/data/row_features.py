"""Features of comparisons: what is known of each row, as the left side's value minus the right's.

A table has them as columns of differences, or as pairs of columns, one for each side. What other
modules call a feature's role is "feature 0", "feature 1", ...; the columns of the two sides are
"feature 0 left" and "feature 0 right".
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np

from bayesrank.data.checks import as_floats
from bayesrank.data.columns import as_float_column, name_rows, numbers_of, require_numbers
from bayesrank.text import in_terminal, listing

__all__ = [
    "checked_features",
    "feature_columns",
    "feature_roles",
    "feature_sources",
    "feature_values",
    "require_no_outcome",
    "turned",
    "with_differences",
]

# Other columns of a table of counts, which no feature may be called like.
_OTHERS = {
    "left", "right", "wins", "losses", "ties", "agent", "instance", "time", "category", "both_bad",
}  # fmt: skip


def feature_columns(features: Any) -> dict[str, tuple[Any, ...]]:
    """Return the columns of each feature by its name: one of differences, or two of both sides.

    Parameters
    ----------
    features : None, str, list of str, or mapping
        Columns of differences, or by name such a column or a pair of columns.
    """
    if features is None:
        return {}
    if isinstance(features, Mapping):
        given = [(str(name), columns) for name, columns in features.items()]
    else:
        names = [features] if isinstance(features, str) else list(features)
        if any(isinstance(name, (tuple, list)) for name in names):
            raise TypeError(
                "`features` as a list must hold names of columns of differences. Two columns, of "
                f"both sides, need a name: {_pair_of_columns()}."
            )
        given = [(str(name), name) for name in names]
    _require_names([name for name, _ in given], advice=_renamed(given))
    return {name: _columns(name, columns) for name, columns in given}


def _renamed(given: list[tuple[str, Any]]) -> str:
    """Return how to give a feature another name, in words of the reader's interface."""
    for name, columns in given:
        if name in _OTHERS and not in_terminal():
            return f": features={{{f'my {name}'!r}: {columns!r}}}"
        if name in _OTHERS:
            several = isinstance(columns, (tuple, list))
            columns = ",".join(map(str, columns)) if several else columns
            return f": --feature 'my {name}={columns}'"
    return ""


def _pair_of_columns() -> str:
    if in_terminal():
        return "--feature length=length_left,length_right"
    return 'features={"length": ("length_left", "length_right")}'


def _columns(name: str, columns: Any) -> tuple[Any, ...]:
    """Return the one or two columns of a feature."""
    found = tuple(columns) if isinstance(columns, (tuple, list)) else (columns,)
    if len(found) not in (1, 2) or any(column is None for column in found):
        raise ValueError(
            "`features` must say of each feature one column of differences, or two columns, of "
            f"left and right: {_pair_of_columns()}; `{name}` has {listing(found)}."
        )
    if len(set(found)) < len(found):
        raise ValueError(
            f"`features`: both sides of `{name}` are the same column, `{found[0]}`, so that all "
            "differences are 0."
        )
    return found


def _require_names(names: list[str], advice: str = "") -> None:
    """Refuse names of features that are not distinct, or that other columns have."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"`features` has names twice: {listing(twice)}.")
    taken = sorted(_OTHERS.intersection(names))
    if taken:
        raise ValueError(
            f"No feature may be called {listing(taken)}, as other columns of comparisons are. "
            f"Give it another name{advice}."
        )


def require_no_outcome(chosen: dict[str, tuple[Any, ...]], outcomes: list[Any]) -> None:
    """Refuse features that are made from columns of the outcome, or of counts."""
    for name, columns in chosen.items():
        known = [column for column in columns if column in outcomes]
        if known:
            raise ValueError(
                f"`features` must not hold `{known[0]}`, the outcome to be explained: see `{name}`."
            )


def feature_roles(chosen: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """Return the columns of all features by role."""
    roles: dict[str, Any] = {}
    for k, columns in enumerate(chosen.values()):
        roles |= dict(zip(_sources(k, columns), columns, strict=True))
    return roles


def feature_sources(chosen: dict[str, tuple[Any, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the roles that each feature is computed from, by the feature's own role."""
    return {f"feature {k}": _sources(k, columns) for k, columns in enumerate(chosen.values())}


def _sources(k: int, columns: tuple[Any, ...]) -> tuple[str, ...]:
    role = f"feature {k}"
    return (role,) if len(columns) == 1 else (f"{role} left", f"{role} right")


def with_differences(frame: Any, chosen: dict[str, tuple[Any, ...]]) -> Any:
    """Return a frame whose columns have roles with a column for each feature.

    Differences are taken of floats: those of unsigned whole numbers would wrap around.
    """
    require_numbers(frame, feature_roles(chosen), feature_roles(chosen))
    pairs = {role: pair for role, pair in feature_sources(chosen).items() if len(pair) == 2}
    lazy = isinstance(frame, nw.LazyFrame)
    floats = [
        nw.col(source).cast(nw.Float64) if lazy else as_float_column(frame[source])
        for pair in pairs.values()
        for source in pair
    ]
    if not floats:
        return frame
    frame = frame.with_columns(*floats)
    return frame.with_columns(
        **{role: nw.col(left) - nw.col(right) for role, (left, right) in pairs.items()}
    )


def feature_values(
    table: Any, frame: Any, chosen: dict[str, tuple[Any, ...]]
) -> dict[str, np.ndarray | list[str] | None]:
    """Return the features of each row of a table, which must be finite.

    Parameters
    ----------
    table : narwhals DataFrame
        What was made from ``frame``; its rows may stand for several.
    frame : narwhals frame
        The user's rows, whose numbers the user knows.
    chosen : dict
        What `feature_columns` returned.
    """
    if not chosen:
        return {}
    values = np.empty((len(table), len(chosen)))
    for k, sources in enumerate(feature_sources(chosen).values()):
        values[:, k] = numbers_of(table[f"feature {k}"])
        if np.isfinite(values[:, k]).all():
            continue
        names = feature_roles(chosen)
        for role in sources:
            where = name_rows(frame, ~nw.col(role).is_finite())
            if where:
                raise ValueError(f"`{names[role]}` must hold finite numbers: {where}.")
        where = name_rows(frame, ~nw.col(f"feature {k}").is_finite())
        columns = " and ".join(f"`{names[role]}`" for role in sources)
        raise ValueError(f"The difference of {columns} is too large for a number: {where}.")
    return {"features": values, "feature_names": list(chosen)}


def turned(features: np.ndarray) -> np.ndarray:
    """Return features of rows whose sides are exchanged, without negative zeros."""
    return 0.0 - features


def checked_features(features: Any, names: Any, rows: int) -> tuple[np.ndarray, list[str]] | None:
    """Return features and their names, or refuse what are not finite numbers with names."""
    if (features is None) != (names is None):
        raise ValueError("`features` and `feature_names` go together: numbers, and what they are.")
    if features is None:
        return None
    names = [names] if isinstance(names, str) else list(names)
    _require_names(names)
    try:
        matrix = as_floats(features)
    except (TypeError, ValueError):
        raise TypeError("`features` must hold numbers.") from None
    if matrix.shape != (rows, len(names)):
        raise ValueError(
            f"`features` must have a row for each of the {rows} rows and a column for each of the "
            f"{len(names)} `feature_names`, got shape {matrix.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if bad.size:
        raise ValueError(
            f"`features` must be finite: row {listing(bad.tolist())} (the first row is 0)."
        )
    return matrix, names
