"""Columns of times: what they may hold, what they are taken for, and what is refused."""

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import bayesrank as br
from bayesrank.data.times import (
    as_time,
    number_times,
    span_of,
    time_texts,
    years_before,
    years_of,
)
from bayesrank.text import at_the_terminal

DAYS = ["2019-06-01", "2018-01-31", "2019-06-01", "2020-02-29"]
DAYS_IN_ORDER = ["2018-01-31", "2019-06-01", "2020-02-29"]
SORTED = [datetime(2018, 1, 31), datetime(2019, 6, 1), datetime(2020, 2, 29)]
FRAMES = {
    "texts": pd.DataFrame({"t": DAYS}),
    "pandas": pd.DataFrame({"t": pd.to_datetime(DAYS)}),
    "dates": pd.DataFrame({"t": [date.fromisoformat(day) for day in DAYS]}),
    "polars dates": pl.DataFrame({"t": [date.fromisoformat(day) for day in DAYS]}),
    "nanoseconds": pd.DataFrame({"t": np.array(DAYS, dtype="datetime64[ns]")}),
    "seconds": pd.DataFrame({"t": np.array(DAYS, dtype="datetime64[s]")}),
    "universal": pd.DataFrame({"t": pd.to_datetime(DAYS).tz_localize("UTC")}),
    "zoned texts": pd.DataFrame({"t": [f"{day}T02:00+02:00" for day in DAYS]}),
}


def numbered(frame, every=None):
    return number_times(nw.from_native(frame)["t"], "t", every)


@pytest.mark.parametrize("name", FRAMES)
def test_the_same_times_in_many_ways(name):
    times, position = numbered(FRAMES[name])
    assert times == SORTED
    assert position.tolist() == [1, 0, 1, 2]


def test_numbers_and_texts_of_numbers():
    for column in ([2019, 2018.5, 2019], ["2019", "2018.5", "2019"]):
        times, position = numbered(pd.DataFrame({"t": column}))
        assert times == [2018.5, 2019.0]
        assert position.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("every", "starts"),
    [
        ("day", ["2018-01-31", "2019-06-01", "2020-02-29"]),
        ("week", ["2018-01-29", "2019-05-27", "2020-02-24"]),
        ("month", ["2018-01-01", "2019-06-01", "2020-02-01"]),
        ("quarter", ["2018-01-01", "2019-04-01", "2020-01-01"]),
        ("year", ["2018-01-01", "2019-01-01", "2020-01-01"]),
    ],
)
def test_periods_are_called_by_their_start(every, starts):
    times, _ = numbered(FRAMES["texts"], every)
    assert time_texts(times) == starts


def test_weeks_start_on_mondays_before_1970_too():
    days = pd.date_range("1969-11-01", "1970-03-01").to_frame(name="t")
    times, _ = numbered(days, "week")
    assert {time.weekday() for time in times} == {0}
    assert all(later - time == timedelta(7) for time, later in pairwise(times))


def test_periods_of_numbers_are_years():
    times, position = number_times([0.0, 1.9, 2.0, 5.5], "t", 2)
    assert times == [0.0, 2.0, 4.0]
    assert position.tolist() == [0, 0, 1, 2]


def test_rounding_does_not_move_numbers_into_the_period_before():
    """Three tenths are the last digit short of three times a tenth."""
    times, _ = number_times([0.3, 0.6, 0.7, -0.3], "t", 0.1)
    assert times == pytest.approx([-0.3, 0.3, 0.6, 0.7])
    assert number_times([1.0, 2.5], "t", np.int64(2))[0] == [0.0, 2.0]


def test_years_before_are_those_of_the_calendar():
    """A leap year is as long as any other, and what is not in a year comes after it."""
    for year in (2020, 2021, 2022):
        assert years_before(datetime(year, 1, 1), 1.0) == datetime(year - 1, 1, 1)
    assert years_before(datetime(2020, 2, 29), 1.0) == datetime(2019, 3, 1)
    assert years_before(datetime(2020, 2, 29), 4.0) == datetime(2016, 2, 29)
    assert years_before(datetime(2020, 1, 1), 0.5) == datetime(2019, 7, 2, 9)
    for years in (2019.9, 2020.0, 1e300, np.inf):
        assert years_before(datetime(2020, 1, 1), years).year == 1
    assert years_before(7.5, 3.0) == 4.5


def test_years_are_those_of_the_calendar():
    years = years_of(SORTED)
    assert np.diff(years) == pytest.approx([486 / 365.25, 273 / 365.25])
    assert years[0] == pytest.approx(2018.08, abs=0.01)
    assert years_of([1.5, 3.0]).tolist() == [1.5, 3.0]


@pytest.mark.parametrize(
    "column",
    [
        [20180131, 20190601, 20200229],
        ["20180131", "20190601", "20200229"],
        [np.datetime64(day, "ns") for day in DAYS_IN_ORDER],
        [np.datetime64(day, "D") for day in DAYS_IN_ORDER],
        [pd.Period(day, "D") for day in DAYS_IN_ORDER],
    ],
    ids=["numbers", "texts", "nanoseconds", "days", "periods"],
)
def test_other_ways_to_write_dates(column):
    frame = pd.DataFrame({"t": column})
    for given in (column, nw.from_native(frame)["t"]):
        assert [str(time.date()) for time in number_times(given, "t")[0]] == DAYS_IN_ORDER
    lists = br.Rankings.from_lists([["x", "y"]] * 3, times=column)
    assert [str(time.date()) for time in lists.times] == DAYS_IN_ORDER


def test_months_are_called_by_their_first_day():
    for column in (["2019-06", "2019-07"], pd.period_range("2019-06", periods=2, freq="M")):
        times, _ = number_times(list(column), "t")
        assert times == [datetime(2019, 6, 1), datetime(2019, 7, 1)]


@pytest.mark.parametrize("column", [[1.56e9, 1.57e9], [20190631, 20190701], ["1560000000", "5"]])
def test_numbers_that_cannot_be_years_are_refused(column):
    """Such as seconds since 1970, or what looks like a date but is none."""
    with pytest.raises(ValueError, match=r"`t` holds numbers.*pd.to_datetime.*in row 0"):
        number_times(column, "t")
    with at_the_terminal(), pytest.raises(ValueError, match=r"write dates instead\. These:"):
        number_times(column, "t")


GAMES = pd.DataFrame({"winner": list("xyz"), "loser": list("yzx"), "t": DAYS[:3]})
ZONE = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["2019-06-01", "last week", "2019-06-02"], "'last week' in row 1"),
        (["2019-06-01", "1.6.2019", "2019-06-02"], "pd.to_datetime reads most"),
        (["2019-06-01", None, "2019-06-02"], "row 1"),
        (pd.to_datetime(["2019-06-01", None, "2019-06-02"]), "row 1"),
        ([2019.0, np.nan, 2020.0], "row 1"),
        ([2019.0, np.inf, 2020.0], "must hold finite times.*row 1"),
        (["2019-06-01T10:00+01:00", "2019-06-01T10:00", "2019-06-01T10:00Z"], "without one: row"),
        (
            pd.Series([SORTED[0], SORTED[1], SORTED[2].replace(tzinfo=UTC)], dtype=object),
            "with one: row 2",
        ),
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused_with_its_rows(column, message):
    with pytest.raises(ValueError, match=message):
        br.Comparisons.from_frame(GAMES.assign(t=column), winner="winner", loser="loser", time="t")


@pytest.mark.parametrize(
    ("column", "every", "message"),
    [
        (DAYS[:3], "fortnight", '"day", "week", "month", "quarter"'),
        (DAYS[:3], 2.0, '"day", "week", "month", "quarter"'),
        ([1, 2, 3], "month", "positive number of years"),
        ([1, 2, 3], -1.0, "positive number of years"),
        ([1, 2, 3], True, "positive number of years"),
    ],
)
def test_periods_that_do_not_fit_are_refused(column, every, message):
    with pytest.raises(ValueError, match=message):
        br.Comparisons.from_frame(
            GAMES.assign(t=column), winner="winner", loser="loser", time="t", every=every
        )


def test_a_period_without_times_is_refused():
    with pytest.raises(ValueError, match='`every` needs time="date"'):
        br.Comparisons.from_frame(GAMES, winner="winner", loser="loser", every="year")


def test_what_users_mean_by_a_time():
    for value in ("2019-06-01", date(2019, 6, 1), datetime(2019, 6, 1),
                  np.datetime64("2019-06-01"), pd.Timestamp("2019-06-01"),
                  datetime(2019, 6, 1, 1, tzinfo=ZONE)):  # fmt: skip
        assert as_time(value, SORTED) == datetime(2019, 6, 1)
    assert as_time("2019", SORTED) == datetime(2019, 1, 1)
    assert as_time("2019.5", [1.0, 2.0]) == 2019.5
    for value in ("20190601", np.datetime64("2019-06-01", "ns"), "2019-06", pd.Period("2019-06")):
        assert as_time(value, SORTED) == datetime(2019, 6, 1)


@pytest.mark.parametrize("value", ["soon", 2019, None, pd.NaT])
def test_times_asked_for_that_are_none(value):
    with pytest.raises(ValueError, match="`at` must be a date"):
        as_time(value, SORTED)


@pytest.mark.parametrize("value", ["soon", "2019-06-01", np.nan, [1], 10**400, 1e300, True])
def test_numbers_asked_for_that_are_none(value):
    with pytest.raises(ValueError, match="`at` must be a number"):
        as_time(value, [1.0, 2.0])


def test_texts_of_times():
    assert time_texts([]) == []
    assert time_texts([2019.0, 1.5]) == ["2019", "1.5"]
    assert time_texts([2019.1233, 2019.1234]) == ["2019.1233", "2019.1234"]
    assert time_texts([2019.0, np.nextafter(2019.0, 3000)])[0] == "2019"
    assert time_texts([datetime(476, 9, 4)]) == ["0476-09-04"]
    assert time_texts([datetime(2019, 1, 1, 18, 30)]) == ["2019-01-01 18:30:00"]
    assert span_of([1.0]) == "at 1"
    assert span_of([1.0, 2.0, 5.0]) == "3 times from 1 to 5"


# What data do with times ---------------------------------------------------------------------


def games(**options):
    return br.Comparisons.from_frame(GAMES, winner="winner", loser="loser", time="t", **options)


def races(frame=None, **options):
    frame = pd.DataFrame(
        [["p", "x", 1, 2020], ["p", "y", 2, 2020], ["q", "y", 1, 2022], ["q", "x", 2, 2022],
         ["r", "z", 1, 2020], ["r", "x", 2, 2020]],
        columns=["group", "item", "rank", "t"],
    ) if frame is None else frame  # fmt: skip
    return br.Rankings.from_frame(frame, time="t", unranked="not offered", **options)


@pytest.mark.parametrize("data", [games(), races()], ids=["pairs", "rankings"])
def test_tables_and_parts_keep_times(data):
    frame = data.to_frame()
    assert "time" in frame
    if data.row == "pair":
        again = br.Comparisons.from_counts(frame, time="time")
        assert again.to_frame().equals(frame)  # of which item is left says nothing here
    else:
        again = br.Rankings.from_frame(frame, "ranking", time="time", unranked="not offered")
        assert again.same_as(data)
    part = data.subset(items=["x", "y"])
    assert len(part.times) <= len(data.times)
    assert part.times == sorted(part.times)


def test_rankings_at_two_times_are_refused():
    frame = races().to_frame()
    frame.loc[0, "time"] = 2021.0
    with pytest.raises(ValueError, match="time"):
        br.Rankings.from_frame(frame, "ranking", time="time")


def test_rows_of_one_pair_at_two_times_stay_apart():
    frame = pd.DataFrame({"left": list("xxx"), "right": list("yyy"), "wins": [1, 2, 4],
                          "losses": 1, "ties": 0, "t": [2020, 2021, 2021]})  # fmt: skip
    data = br.Comparisons.from_counts(frame, time="t")
    assert data.to_frame()["wins"].tolist() == [1, 6]
    assert data.same_as(br.Comparisons.from_counts(frame.iloc[::-1], time="t"))


def test_ratings_of_an_agent_at_two_times_are_two_rankings():
    frame = pd.DataFrame({"agent": ["p"] * 4, "item": list("xyxy"), "rating": [1, 2, 2, 1],
                          "t": [2020, 2020, 2021, 2021]})  # fmt: skip
    data = br.Rankings.from_ratings(frame, time="t")
    assert len(data) == 2
    assert data.times == [2020.0, 2021.0]


def test_lists_with_times():
    data = br.Rankings.from_lists([["x", "y"], ["y", "x"]], times=["2020-01-01", "2019-01-01"])
    assert [data.times[k].year for k in data.time] == [2020, 2019]
    with pytest.raises(ValueError, match="one time for each of the 2 rankings, got 1"):
        br.Rankings.from_lists([["x", "y"], ["y", "x"]], times=["2020-01-01"])


def test_rows_at_times_that_look_alike_have_names_of_their_own():
    frame = pd.DataFrame({"agent": ["p"] * 4, "item": list("xyxy"), "rating": [1, 2, 2, 1],
                          "t": [2019.1233, 2019.1233, 2019.1234, 2019.1234]})  # fmt: skip
    assert br.Rankings.from_ratings(frame, time="t").names == ["p / 2019.1233", "p / 2019.1234"]
    pairs = pd.DataFrame({"winner": list("xx"), "loser": list("yy"), "t": [2019.1233, 2019.1234]})
    data = br.Comparisons.from_frame(pairs, winner="winner", loser="loser", time="t")
    assert data.coords["pair"] == ["x vs y (2019.1233)", "x vs y (2019.1234)"]


def test_the_command_that_reads_files_reads_times(tmp_path):
    GAMES.to_csv(tmp_path / "games.csv", index=False)
    data = br.read(tmp_path / "games.csv", winner="winner", loser="loser", time="t", every="year")
    assert time_texts(data.times) == ["2018-01-01", "2019-01-01"]
    with pytest.raises(ValueError, match="when"):
        br.read(tmp_path / "games.csv", winner="winner", loser="loser", time="when")
