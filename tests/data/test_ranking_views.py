"""Subsets of rankings with several instances."""

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Rankings
from tests.data.random_instances import RATED, random_ratings


def test_subsets_of_rankings():
    frame = pd.DataFrame(random_ratings(3))
    data = Rankings.from_ratings(frame, **RATED)
    part = data.subset(instances=["q3", "q1"])
    assert part.same_as(Rankings.from_ratings(frame[frame["query"].isin(["q1", "q3"])], **RATED))
    one = data.subset(instances=["q2"])
    assert one.instances is None and one.names == [f"q2 / {k}" for k in range(4)]
    only = frame[frame["query"] == "q2"].drop(columns="query")
    rated = {name: column for name, column in RATED.items() if name != "instance"}
    assert np.array_equal(one.entries, Rankings.from_ratings(only, **rated).entries)
    both = data.subset(agents=[1], rankings=np.arange(10), instances=["q0", "q1"])
    assert both.names == ["q0 / 1", "q1 / 1"] and both.agents == [1]
    with pytest.raises(ValueError, match="`instances` has labels that do not occur: q9"):
        data.subset(instances=["q9"])
    with pytest.raises(ValueError, match="there is only one instance"):
        one.subset(instances=["q2"])
