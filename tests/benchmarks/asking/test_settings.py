"""Settings of all parts."""

import pytest

from benchmarks.asking.needed import GOALS
from benchmarks.asking.settings import PARTS, settings


@pytest.mark.parametrize("part", PARTS)
def test_every_truth_of_a_goal_is_asked_of_its_strategy(part):
    found = {setting.truth: setting for setting in settings(part)}
    for goal, (_, truths, _) in GOALS.items():
        for truth in truths:
            assert {"random", "ASAP", f"suggest {goal}"} <= set(found[truth].budgets)
    assert all(one.items <= 6 for one in settings(part, quick=True))
