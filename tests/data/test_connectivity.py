"""Whether wins lead from all items to all, in one instance and in each of several."""

import pandas as pd
import pytest

from bayesrank.data import Comparisons, Rankings
from tests.data.random_instances import RATED, random_ratings


def test_connectivity_looks_at_each_instance():
    def linked(*games):
        rows = pd.DataFrame(games, columns=["query", "left", "right", "outcome"])
        data = Comparisons.from_frame(rows, instance="query")
        return data, data.connectivity()

    round_one = [("q1", "a", "b", "a"), ("q1", "b", "c", "b"), ("q1", "c", "a", "c")]
    data, both = linked(*round_one, ("q2", "a", "b", "tie"))
    assert both.strong and both.connected and both.n_instances == 2
    assert both.components == [["q1 / a", "q1 / b", "q1 / c"], ["q2 / a", "q2 / b"]]
    assert str(both).startswith("connected: in each of the 2 instances")
    alone = data.subset(["a"])
    assert alone.instances == ["q1", "q2"] and alone.connectivity().strong
    data, one_way = linked(*round_one, ("q2", "a", "b", "b"))
    assert one_way.connected and not one_way.strong
    assert one_way.loose == ["q2"] and one_way.split == []
    assert one_way.never_lose == ["q2 / b"] and one_way.never_win == ["q2 / a"]
    assert str(one_way) == (
        "wins do not lead from all to all in 1 of 2 instances (q2); never beaten: q2 / b; "
        "never won: q2 / a"
    )
    data, apart = linked(*round_one, ("q2", "a", "b", "tie"), ("q2", "c", "d", "tie"))
    assert not apart.connected and apart.split == apart.loose == ["q2"]
    assert str(apart) == "groups never meet in 1 of 2 instances (q2)"
    assert not data.subset(instances=["q2"]).connectivity().connected
    many = [(f"q{k}", *pair, "tie") for k in range(7) for pair in (("a", "b"), ("c", "d"))]
    data, apart = linked(*many)
    assert "never meet in 7 of 7 instances (q0, q1, q2, q3, q4 and 2 more)" in str(apart)


@pytest.mark.parametrize("seed", range(4))
def test_connectivity_of_rankings_is_that_of_each_instance(seed):
    frame = pd.DataFrame(random_ratings(seed, queries=4, agents=1 + seed // 2, docs=4))
    data = Rankings.from_ratings(frame, **RATED)
    whole = data.connectivity()
    parts = {query: data.subset(instances=[query]).connectivity() for query in data.instances}
    assert whole.split == [query for query, part in parts.items() if not part.connected]
    assert whole.loose == [query for query, part in parts.items() if not part.strong]
    assert whole.connected == (not whole.split) and whole.strong == (not whole.loose)
    for name in ("never_lose", "never_win"):
        texts = [
            f"{query} / {item}" for query, part in parts.items() for item in getattr(part, name)
        ]
        assert getattr(whole, name) == texts
    assert len(whole.components) == sum(len(part.components) for part in parts.values())


def test_connectivity():
    def graph(*games):
        rows = pd.DataFrame(games, columns=["left", "right", "outcome"])
        return Comparisons.from_frame(rows).connectivity()

    circle = graph(("a", "b", "a"), ("b", "c", "b"), ("c", "a", "c"))
    assert circle.strong and circle.connected
    ladder = graph(("a", "b", "a"), ("b", "c", "b"), ("c", "b", "c"))
    assert not ladder.strong and ladder.connected
    assert ladder.components == [["b", "c"], ["a"]]
    assert ladder.never_lose == ["a"] and ladder.never_win == []
    tied = graph(("a", "b", "tie"))
    assert tied.strong
    apart = graph(("a", "b", "tie"), ("c", "d", "tie"))
    assert not apart.connected and apart.islands == [["a", "b"], ["c", "d"]]
    assert "never meet" in str(apart)
    one_way = graph(("a", "b", "tie"), ("c", "d", "tie"), ("a", "c", "a"))
    assert one_way.connected and not one_way.strong and not one_way.never_lose
    assert "go one way" in str(one_way)
