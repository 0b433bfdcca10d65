"""When something was observed: columns of dates, date-times or numbers, and periods of time.

Times are kept as sorted labels, dates as `datetime.datetime` in universal time and numbers, which
count years, as floats. What was observed at the same time shares a label. Whole numbers that are
all dates without dashes, such as 20190601, are read as dates.
"""

from datetime import UTC, date, datetime, timedelta
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np

from bayesrank.data.columns import numbers_of, refuse
from bayesrank.text import argument, in_terminal, listing, option

__all__ = [
    "PERIODS",
    "as_time",
    "kept_times",
    "number_times",
    "require_every_with_time",
    "span_of",
    "time_texts",
    "years_before",
    "years_of",
]

PERIODS = ("day", "week", "month", "quarter", "year")
_YEAR = 365.25 * 86_400e6  # microseconds
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_UNIT = "datetime64[us]"
_YEARS = 1e7  # numbers of years that are larger are something else


def number_times(
    column: Any, name: str, every: Any = None, *, numbered: bool = True
) -> tuple[list[Any], np.ndarray]:
    """Return the distinct times of a column, sorted, and the position of each row's among them.

    Parameters
    ----------
    column : narwhals Series or list
        Without missing values.
    name : str
        What the user calls it.
    every : str or float, optional
        The period whose rows share a time, called by its start: one of `PERIODS` for dates, a
        number of years for numbers.
    numbered : bool
        Whether rows have numbers.
    """
    values = _numbers(column, name, numbered)
    if every is not None:
        values = _starts(values, every, name)
    distinct, position = np.unique(values, return_inverse=True)
    return distinct.tolist(), position


def _numbers(column: Any, name: str, numbered: bool) -> np.ndarray:
    """Return times as floats, or as datetime64 in universal time."""
    if isinstance(column, list):
        values = [_plain(value) for value in column]
        if all(isinstance(value, (int, float)) for value in values):
            return _finite(np.array(values, dtype=float), name, numbered)
        return _dates(values, name, numbered)
    kind = column.dtype
    if kind.is_numeric():
        return _finite(numbers_of(column), name, numbered)
    if kind == nw.Date:
        return column.to_numpy().astype("datetime64[D]").astype(_UNIT)
    if kind == nw.Datetime:
        if getattr(kind, "time_zone", None):
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return column.to_numpy().astype(_UNIT)
    return _dates([_plain(value) for value in column.to_list()], name, numbered)


def _plain(value: Any) -> Any:
    """Return a number or a date-time of NumPy's, or a period of pandas', as one of Python's."""
    if isinstance(value, np.datetime64):
        return value.astype(_UNIT).item()  # nanoseconds would be a number
    if isinstance(value, np.generic):
        return value.item()
    return value.to_timestamp() if hasattr(value, "to_timestamp") else value


def _finite(values: np.ndarray, name: str, numbered: bool) -> np.ndarray:
    """Return numbers of years, or dates that were written as numbers."""
    refuse(~np.isfinite(values), f"`{name}` must hold finite times", values, numbered)
    whole = bool(np.all((values == np.round(values)) & (values >= _YEARS) & (values < 1e8)))
    dates = [_read(f"{value:.0f}") for value in np.unique(values)] if whole else [None]
    if None not in dates:
        return np.array(dates, dtype=_UNIT)[np.unique(values, return_inverse=True)[1]]
    how = '; in pandas, pd.to_datetime(..., unit="s") makes them of seconds' * (not in_terminal())
    rule = f"`{name}` holds numbers that are too large for years: write dates instead{how}. These"
    refuse(np.abs(values) >= _YEARS, rule, values, numbered)
    return values


def _dates(values: list[Any], name: str, numbered: bool) -> np.ndarray:
    """Return a list of dates, date-times or texts as datetime64 in universal time.

    Texts may also be numbers, as a table of texts has them.
    """
    if all(isinstance(value, str) and _is_number(value) for value in values):
        return _finite(np.array(values, dtype=float), name, numbered)
    read = [_read(value) for value in values]
    bad = [k for k, value in enumerate(read) if value is None]
    if bad:
        shown = listing([f"{values[k]!r} in row {k}" if numbered else repr(values[k]) for k in bad])
        how = "In pandas, pd.to_datetime reads most other ways to write them."
        raise ValueError(
            f"`{name}` must hold times: dates, date-times, numbers, or texts such as 2019-06-01 "
            f"or 2019-06-01T18:30. Not times: {shown}. "
            f"{'Write them so in the table.' if in_terminal() else how}"
        )
    known = [value for value in read if value is not None]
    zoned = np.array([value.tzinfo is not None for value in known])
    if zoned.any() and not zoned.all():
        rare = np.flatnonzero(zoned if zoned.mean() < 0.5 else ~zoned)
        word = "with" if zoned.mean() < 0.5 else "without"
        rows = "row" if rare.size == 1 else "rows"
        where = f"{rows} {listing(rare.tolist())}" if numbered else f"{rare.size} {rows}"
        raise ValueError(
            f"`{name}` holds times with a time zone and times without one ({word} one: {where}): "
            "which came first is not known. Give all of them a zone, or none."
        )
    return np.array([_universal(value) for value in known], dtype=_UNIT)


def _read(value: Any) -> datetime | None:
    """Return a date, a date-time or a text of the usual form as a date-time, or None."""
    if isinstance(value, datetime):
        return value if value == value else None  # pandas' own missing time is none
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if len(text) == 7:
        text = f"{text}-01"  # a month, by its first day
    plain = len(text) == 8 and text.isdigit()
    if not plain and (len(text) < 10 or text[4] != "-"):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _universal(value: datetime) -> datetime:
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)


def _starts(values: np.ndarray, every: Any, name: str) -> np.ndarray:
    """Return the start of the period that each time is in."""
    if values.dtype.kind == "f":
        good = isinstance(every, Real) and not isinstance(every, bool)
        if not (good and 1e-9 <= every < np.inf):
            raise ValueError(
                f"{argument('every')} must be a positive number of years, as `{name}` holds "
                f"numbers, got {every!r}."
            )
        # The quotient of two numbers may be the last digit short of a whole one.
        return np.floor(values / float(every) + 1e-9) * float(every)
    if not isinstance(every, str) or every not in PERIODS:
        allowed = listing([period if in_terminal() else f'"{period}"' for period in PERIODS])
        raise ValueError(
            f"{argument('every')} must be one of {allowed}, as `{name}` holds dates, got {every!r}."
        )
    if every in _MONTHS:
        months = values.astype("datetime64[M]").astype(np.int64)
        return (months // _MONTHS[every] * _MONTHS[every]).astype("datetime64[M]").astype(_UNIT)
    days = values.astype("datetime64[D]").astype(np.int64)
    if every == "week":
        days = days - (days + 3) % 7  # the first day of 1970 was a Thursday; weeks start on Monday
    return days.astype("datetime64[D]").astype(_UNIT)


def years_of(times: Any) -> np.ndarray:
    """Return times as numbers of years, of which only the differences mean something."""
    values = np.array(times)
    if values.dtype.kind in "iuf":
        return values.astype(float)
    values = values.astype(_UNIT)
    return (values - values[:1]).astype(np.int64) / _YEAR + _since_zero(values[0])


def _since_zero(value: np.datetime64) -> float:
    return float(1970.0 + value.astype(np.int64) / _YEAR)


def years_before(time: Any, years: float) -> Any:
    """Return the time so many years before: of dates the same day of the year, none before year 1.

    The day after the last of February is taken for one that such a year does not have.
    """
    if not isinstance(time, datetime):
        return time - years
    whole = int(min(years, 10_000))
    if time.year <= whole:
        return datetime.min
    try:
        then = time.replace(year=time.year - whole)
    except ValueError:
        then = time.replace(year=time.year - whole, month=3, day=1)
    try:
        return then - timedelta(days=(years - whole) * 365.25)
    except OverflowError:
        return datetime.min


def as_time(value: Any, times: list[Any]) -> Any:
    """Return what a user means by a time, as the data's own times are.

    Parameters
    ----------
    value : date, datetime, str or float
    times : list
        Those of the data.
    """
    value, given = _plain(value), value
    if isinstance(times[0], datetime):
        read = _read(value)
        if read is None and isinstance(value, str) and value.strip().isdigit():
            read = _read(f"{value.strip()}-01-01")
        if read is None or read != read:
            raise ValueError(
                f"{argument('at')} must be a date, or a text such as 2019-06-01, got {given!r}."
            )
        return _universal(read)
    try:
        number = np.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not abs(number) < _YEARS:
        raise ValueError(
            f"{argument('at')} must be a number of years, as the times of these data are, got "
            f"{given!r}."
        )
    return number


def time_texts(times: list[Any]) -> list[str]:
    """Return times as short texts, no two alike: dates without hours where all are at midnight."""
    if not times or not isinstance(times[0], datetime):
        return _number_texts(times)
    whole = all((t.hour, t.minute, t.second, t.microsecond) == (0, 0, 0, 0) for t in times)
    return [t.date().isoformat() if whole else t.isoformat(" ") for t in times]


def _number_texts(times: list[Any]) -> list[str]:
    """Return numbers with as many digits as it takes to tell them apart, six at least."""
    distinct, texts = len(set(times)), []
    for digits in (6, 9, 12, 17):
        texts = [f"{time:.{digits}g}" for time in times]
        if len(set(texts)) == distinct:
            break
    return texts


def require_every_with_time(time: Any, every: Any) -> None:
    """Refuse a period without a column of times."""
    if every is not None and time is None:
        needed = f"{option('time', 'date')}, the column with the times"
        raise ValueError(f"{argument('every')} needs {needed}.")


def kept_times(data: Any, rows: np.ndarray) -> dict[str, Any]:
    """Return the times of some rows of the data, without those that no other row has."""
    if data.time is None:
        return {}
    used, position = np.unique(data.time[rows], return_inverse=True)
    return {"time": position, "times": [data.times[k] for k in used]}


def span_of(times: list[Any]) -> str:
    """Return how many times there are, and from when to when, as a text."""
    first, last = time_texts([times[0], times[-1]])
    return f"{len(times):,} times from {first} to {last}" if len(times) > 1 else f"at {first}"
