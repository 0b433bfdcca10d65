"""Lines of the table: ratios of medians, and tasks that take turns."""

import math

import pytest

from benchmarks.lines import compare, take_turns


def test_lines_are_ratios_of_medians(lines):
    short, one_round, within = lines
    assert short.ratio == 3.0 and (short.ours, short.theirs) == (1.0, 3.0)
    # The rounds' own ratios are 2, 3 and 2.
    assert (short.low, short.high) == pytest.approx((2.0, 2.8))
    assert one_round.ratio == pytest.approx(500.0) and math.isnan(one_round.low)
    assert within.asked == 1.0 and within.ratio == pytest.approx(3.0)
    rate = compare("sampling", "draws", "peer", [600.0], [200.0], unit="1/s")
    assert rate.ratio == pytest.approx(3.0)


def test_tasks_take_turns():
    order = []
    times = take_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert order == ["a", "b"] * 3
    assert {name: len(values) for name, values in times.items()} == {"a": 2, "b": 2}
