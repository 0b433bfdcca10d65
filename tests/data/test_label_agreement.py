"""Agreement of agents with labels, against a plain loop over all pairs."""

import itertools
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Comparisons, Rankings, ranking_pairs
from bayesrank.data.label_agreement import agreement
from tests.data.random_instances import COLUMNS, RATED, random_counts, random_ratings
from tests.data.random_rankings import random_rankings


def slow_agreement(data, labels):
    """Return the mean share of pairs that are preferred as the labels say, one by one."""
    where = np.zeros(len(data.items), dtype=int) if data.instances is None else data.instance
    net = defaultdict(float)
    if isinstance(data, Comparisons):
        for k in range(len(data)):
            i, j, (wins, losses, _) = data.left[k], data.right[k], data.counts[k]
            net[data.agent[k], min(i, j), max(i, j)] += (wins - losses) * (1 if i < j else -1)
    else:
        for k in range(len(data)):
            last = data.ranks[k].max()
            for a, b in itertools.permutations(np.flatnonzero(data.offered[k]), 2):
                i, j = data.entries[k, a], data.entries[k, b]
                better = (data.ranks[k, b] or last + 1) - (data.ranks[k, a] or last + 1)
                if i < j:
                    net[data.agent[k], i, j] += data.weights[k] * np.sign(better)
    result = []
    for agent in range(len(data.agents)):
        shares = []
        for instance in range(where.max() + 1):
            agrees = [
                (value > 0) == (labels[i] > labels[j])
                for (who, i, j), value in net.items()
                if who == agent and where[i] == instance and value and labels[i] != labels[j]
            ]
            if agrees:
                shares.append(np.mean(agrees))
        result.append(np.mean(shares) if shares else np.nan)
    return result


def some_labels(data, seed):
    return np.random.default_rng(seed).permutation(len(data.items)) // 2


def check(data, labels):
    found = agreement(data, labels)
    assert found.name == "adherence" and found.index.name == "agent"
    assert found.index.tolist() == data.agents
    # Both are means of the same few fractions, up to the order of their sums.
    np.testing.assert_allclose(found, slow_agreement(data, labels), rtol=1e-12)
    assert found.nunique() > 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [1, 0.1])
def test_comparisons(seed, share):
    frame = pd.DataFrame(random_counts(seed))
    frame["wins"] *= share
    data = Comparisons.from_counts(frame, **COLUMNS)
    check(data, some_labels(data, seed))
    check(data.completed(), some_labels(data, seed))
    data = Comparisons.from_counts(frame, agent="agent")
    check(data, some_labels(data, seed))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_once", [10**6, 4])
def test_rankings(monkeypatch, seed, at_once):
    """Ratings, one ranking an agent and instance; in one go or some pairs at a time."""
    monkeypatch.setattr(ranking_pairs, "AT_ONCE", at_once)
    data = Rankings.from_ratings(pd.DataFrame(random_ratings(seed)), **RATED)
    labels = some_labels(data, seed)
    check(data, labels)
    pairs = data.to_comparisons("difference", by_agent=True, warn=False)
    pd.testing.assert_series_equal(agreement(data, labels), agreement(pairs, labels))


@pytest.mark.parametrize("seed", range(3))
def test_several_rankings_of_the_same_items_by_an_agent(seed):
    """Weighted, with ties and unranked items; some agents have one ranking in an instance."""
    data = random_rankings(seed)
    check(data, some_labels(data, seed))
    frame = data.to_frame().assign(query=lambda rows: rows["ranking"] // 5)
    about = {"agent": "agent", "weight": "weight", "unranked": "below", "instance": "query"}
    data = Rankings.from_frame(frame, "ranking", **about)
    place = data.agent * 3 + data.instance[data.entries[:, 0]]
    assert {1, 2} <= set(np.bincount(place))
    check(data, some_labels(data, seed))


def test_opposite_preferences_cancel():
    """Exactly, though 0.1 + 0.2 is not 0.3 in floating point."""
    rows = {"left": ["a", "a", "b", "b"], "right": ["b", "b", "a", "c"], "agent": ["x"] * 4}
    frame = pd.DataFrame(rows | {"wins": [0.1, 0.2, 0.3, 1.0], "losses": [0.0] * 4})
    data = Comparisons.from_counts(frame, agent="agent")
    assert agreement(data, {"a": 0, "b": 1, "c": 0}).tolist() == [1.0]
    close = frame.assign(wins=[10**10, 1, 10**10, 0])
    data = Comparisons.from_counts(close, agent="agent")
    assert agreement(data, {"a": 0, "b": 1, "c": 0}).tolist() == [0.0]
    lists = Rankings.from_lists([["a", "b"], ["b", "a"], ["b", "c"]], agents=["x"] * 3)
    assert agreement(lists, {"a": 0, "b": 1, "c": 2}).tolist() == [0.0]


def test_labels_may_come_in_several_ways():
    data = Rankings.from_ratings(pd.DataFrame(random_ratings(5)), **RATED)
    labels = some_labels(data, 5)
    keys = [(data.instances[k], item) for k, item in zip(data.instance, data.items, strict=True)]
    expected = agreement(data, labels)
    mapping = dict(zip(keys, labels, strict=True)) | {("q99", "d1"): 3}
    shuffled = pd.Series(mapping).sample(frac=1, random_state=1)
    assert isinstance(shuffled.index, pd.MultiIndex)
    for given in (mapping, shuffled, labels.tolist()):
        pd.testing.assert_series_equal(agreement(data, given), expected)
    one = data.subset(instances=["q3"])
    labels = some_labels(one, 5)
    by_item = pd.Series(labels, one.items)[::-1]
    pd.testing.assert_series_equal(agreement(one, by_item), agreement(one, labels))


def test_agents_without_a_telling_pair_are_missing():
    lists = [["a", "b"], ["b", "c"], [["a", "c"]]]
    data = Rankings.from_lists(lists, agents=["x", "y", "z"])
    with pytest.warns(UserWarning, match="2 of 3 agents .* unknown: x, z") as caught:
        found = agreement(data, {"a": 1, "b": 1, "c": 0})
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(found, [np.nan, 1.0, np.nan])


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ({"a": 1, "b": 2}, ValueError, "for each item, by the item's label; it has none for c"),
        ({"a": 1, "b": 2, "c": np.nan}, ValueError, "`labels` must hold finite numbers: nan for c"),
        ({"a": 1, "b": 2, "c": "x"}, ValueError, "`labels` must hold numbers"),
        ([1, 2], ValueError, r"one number for each of the 3 items, got shape \(2,\)"),
        (pd.Series([1, 2, 3, 4], list("abca")), ValueError, "`labels` has items twice: a"),
    ],
)
def test_bad_labels(labels, error, message):
    data = Rankings.from_lists([["a", "b", "c"]], agents=["x"])
    with pytest.raises(error, match=message):
        agreement(data, labels)


def test_what_has_no_agreement():
    plain = Rankings.from_lists([["a", "b"]])
    with pytest.raises(ValueError, match="`data` must have agents"):
        agreement(plain, [1, 0])
    with pytest.raises(TypeError, match="`data` must be Comparisons or Rankings, got list"):
        agreement([["a", "b"]], [1, 0])
    several = Rankings.from_lists([["a", "b"]] * 2, agents=["x"] * 2, instances=["p", "q"])
    with pytest.raises(ValueError, match=r"by \(instance, item\); it has none for p / a, p / b, q"):
        agreement(several, {"a": 1, "b": 0})
