"""Subsets and all pairs of comparisons with several instances, against plain loops."""

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Comparisons
from tests.data.random_instances import COLUMNS, as_dict, random_counts, summed


def test_subsets_of_comparisons():
    rows = random_counts(4)
    data = Comparisons.from_counts(pd.DataFrame(rows), **COLUMNS)
    part = data.subset(instances=[9, 7])
    assert part.instances == [7, 9] and part.agents == data.agents
    assert as_dict(part) == {key: row for key, row in summed(rows).items() if key[0] in (7, 9)}
    # A label stands for the items of that name in all instances; 8 and 10 have none of them.
    some = ["d10", "d12", "d13"]
    part = data.subset(some, agents=["agent 1"])
    assert part.instances == [7, 9] and set(part.items) == set(some)
    assert as_dict(part) == {
        key: row
        for key, row in summed(rows).items()
        if key[1] == "agent 1" and {*key[2:]} <= {*some}
    }
    one = data.subset(instances=[8])
    assert one.instance is None and one.instances is None and "instance" not in one.coords
    assert one.coords["item"] == one.items
    frame = pd.DataFrame(rows)
    expected = Comparisons.from_counts(frame[frame["query"] == 8], agent="agent")
    assert one.to_frame().equals(expected.to_frame())
    with pytest.raises(ValueError, match="`instances` has labels that do not occur: 3"):
        data.subset(instances=[8, 3])


@pytest.mark.parametrize("agents", [True, False])
@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("share", [1, 0.1])
def test_completed_has_every_pair_once(agents, several, share):
    frame = pd.DataFrame(random_counts(5)).assign(
        agent=lambda rows: rows["agent"] if agents else "x"
    )
    if not several:
        frame = frame[frame["query"] == 8].assign(query="q")
    frame[["wins", "losses", "ties"]] *= share
    data = Comparisons.from_counts(
        frame, instance="query" if several else None, agent="agent" if agents else None
    )
    full = data.completed()
    where = data.instance if several else np.zeros(len(data.items), dtype=int)
    expected = {}
    for agent in range(len(data.agents) if agents else 1):
        for i in range(len(data.items)):
            for j in range(i + 1, len(data.items)):
                if where[i] == where[j]:
                    expected[agent, i, j] = np.zeros(3)
    who = data.agent if agents else np.zeros(len(data), dtype=int)
    for agent, i, j, counts in zip(who, data.left, data.right, data.counts, strict=True):
        expected[agent, min(i, j), max(i, j)] += counts if i < j else counts[[1, 0, 2]]
    assert full.left.tolist() == [i for _, i, _ in expected]
    assert full.right.tolist() == [j for _, _, j in expected]
    assert np.array_equal(full.counts, list(expected.values()))
    assert full.counts.dtype == data.counts.dtype and not full.derived
    if agents:
        assert full.agent.tolist() == [agent for agent, _, _ in expected]
    else:
        assert full.agent is None
    assert full.completed().same_as(full) and full.instances == data.instances
