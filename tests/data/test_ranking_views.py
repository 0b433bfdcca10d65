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


def test_categories_stay_with_their_rankings():
    lists = [["a", "b", "c"], ["c", "a"], ["b", "a"]]
    data = Rankings.from_lists(lists, categories=["s", "t", "s"], times=[1, 2, 2])
    assert ", 2 times from 1 to 2, 2 categories, " in repr(data)
    assert data.coords["category"] == ["s", "t"]
    part = data.subset(["a", "b"])
    assert part.category.tolist() == [0, 0] and part.categories == ["s", "t"]
    part = data.subset(categories=["s"], rankings=[2, 1])
    assert part.names == [2] and part.categories == ["s"] and part.times == [2.0]
    assert data.with_outcomes(data.ranks).same_as(data)
    assert not data.same_as(Rankings.from_lists(lists, categories=["s", "t", "t"], times=[1, 2, 2]))
    with pytest.raises(ValueError, match="`categories` has labels that do not occur: u"):
        data.subset(categories=["u"])
    with pytest.raises(ValueError, match="`categories` was given, but these rankings have no cat"):
        Rankings.from_lists(lists).subset(categories=["s"])
