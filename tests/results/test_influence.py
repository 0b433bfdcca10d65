"""What a consensus owes to each agent, against fits without that agent."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.results.influence import DOUBTFUL

ITEMS = list("abcdef")
SCORES = np.linspace(1.0, -1.0, 6)
LAPLACE = {"method": "laplace", "seed": 1, "progress": False}
DRAWS = 4000  # of `br.fit`, all chains together


def lists():
    """Return rankings by nineteen agents who agree with each other, and by one who does not."""
    rng = np.random.default_rng(0)
    noise = rng.gumbel(size=(19, 6))
    agreeing = [[ITEMS[k] for k in np.argsort(-(SCORES + own))] for own in noise]
    return [*agreeing, ITEMS[::-1]]


def comparisons(contrary=6):
    """Return six comparisons each of nineteen agents, and some by one who thinks the reverse."""
    rng = np.random.default_rng(1)
    rows = []
    for agent in range(20):
        for _ in range(6 if agent < 19 else contrary):
            i, j = rng.choice(6, size=2, replace=False)
            sign = 1.0 if agent < 19 else -6.0
            won = rng.random() < 1.0 / (1.0 + np.exp(sign * (SCORES[j] - SCORES[i])))
            rows.append((ITEMS[i], ITEMS[j], "left" if won else "right", f"agent {agent}"))
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome", "agent"])
    return br.Comparisons.from_frame(frame, agent="agent")


def without(data, agent):
    if data.agents is not None:
        return data.subset(agents=[label for label in data.agents if label != agent])
    return data.subset(rankings=np.array([name != agent for name in data.names]))


@pytest.mark.parametrize(
    ("data", "likelihood"),
    [
        (br.Rankings.from_lists(lists(), agents=[f"agent {k}" for k in range(20)]),
         "plackett-luce"),
        (br.Rankings.from_lists(lists()), "plackett-luce"),
        (br.Rankings.from_lists(lists(), weights=[1.0] * 18 + [3.0, 1.0]), "plackett-luce"),
        # Two rankings each.
        (br.Rankings.from_lists(lists(), agents=[f"agent {k // 2}" for k in range(20)]),
         "plackett-luce"),
        (comparisons(), "bradley-terry"),
        (comparisons(), "mpm"),
        (br.Rankings.from_lists(lists(), agents=[f"agent {k}" for k in range(20)]), "mpm"),
    ],
    ids=["agents", "names", "weights", "two each", "pairs", "mpm pairs", "mpm rankings"],
)  # fmt: skip
def test_against_fits_without_the_agent(data, likelihood):
    fit = br.fit(data, likelihood, **LAPLACE)
    table = fit.influence(refit=False)
    labels = data.names if data.agents is None else data.agents
    assert set(table.index) == set(labels) and table.index.name == "agent"
    assert np.all(np.diff(table["mean_shift"]) <= 0)
    assert not table["refitted"].any()
    expected = fit.expected_ranks()["mean"]
    trusted = table[table["pareto_k"] < 0.5]
    # Ranks vary by about one: four standard deviations of two independent means. Draws of the
    # normal approximation are near enough to the posterior for that only at a smaller Pareto k.
    atol = 4.0 * np.sqrt(2.0 / DRAWS) + 0.01
    assert trusted["shift"].abs().max() > 2 * atol
    for agent, row in trusted[:4].iterrows():
        again = br.fit(without(data, agent), likelihood, **{**LAPLACE, "seed": 2})
        moved = again.expected_ranks()["mean"] - expected
        assert row["shift"] == pytest.approx(moved[row["item"]], abs=atol)
        assert row["mean_shift"] == pytest.approx(np.sqrt(np.mean(moved**2)), abs=atol)
        assert abs(moved[row["item"]]) > moved.abs().max() - 2 * atol


def test_the_contrarian_is_the_first():
    data = comparisons(contrary=40)
    fit = br.fit(data, "bradley-terry", **LAPLACE)
    table = fit.influence()
    assert table.index[0] == "agent 19"
    first = table.iloc[0]
    # His weights are too uneven, so the fit is made again: by the same method, with as many draws.
    assert first["pareto_k"] > DOUBTFUL and first["refitted"]
    assert table["refitted"].tolist() == (table["pareto_k"] > DOUBTFUL).tolist()
    again = br.fit(without(data, "agent 19"), "bradley-terry", **{**LAPLACE, "seed": 0})
    moved = again.expected_ranks()["mean"] - fit.expected_ranks()["mean"]
    assert first["mean_shift"] == pytest.approx(np.sqrt(np.mean(moved**2)))
    assert first["item"] == moved.abs().idxmax()
    assert first["shift"] == pytest.approx(moved[first["item"]])
    for loss in ("spearman", "kendall"):
        row = table.iloc[0] if loss == "spearman" else fit.influence(loss).loc["agent 19"]
        order, changed = fit.consensus(loss).order, again.consensus(loss).order
        assert row["first"] == changed[0]
        pairs = [(a, b) for k, a in enumerate(order) for b in order[k + 1 :]]
        reversals = sum(changed.index(a) > changed.index(b) for a, b in pairs)
        assert row["reversals"] == reversals


def test_one_who_said_nothing():
    """Equal weights, which are to be trusted."""
    frame = pd.DataFrame(
        {
            "left": list("abca"), "right": list("bcac"), "wins": [3, 2, 1, 0],
            "losses": [1, 1, 3, 0], "agent": ["one", "one", "two", "silent"],
        }
    )  # fmt: skip
    data = br.Comparisons.from_counts(
        frame, left="left", right="right", wins="wins", losses="losses", agent="agent"
    )
    row = br.fit(data, "bradley-terry", **LAPLACE).influence().loc["silent"]
    assert row["mean_shift"] == pytest.approx(0.0, abs=1e-12)
    assert row["reversals"] == 0 and not row["refitted"]


@pytest.mark.parametrize("draws", [2, 10])
def test_too_few_draws_to_trust_any_weights(draws):
    data = br.Rankings.from_lists(lists())
    fit = br.fit(data, "plackett-luce", draws=draws, chains=1, **LAPLACE)
    table = fit.influence(refit=False)
    assert len(table) == 20 and np.isfinite(table["mean_shift"]).all()
    assert np.all(table["pareto_k"] > DOUBTFUL)


def test_an_item_that_only_one_agent_ranked():
    """Without this agent it is left to the prior, and is still in the ranking."""
    data = br.Rankings.from_lists([list("abc"), list("abc"), list("acb"), list("dabc")])
    fit = br.fit(data, "plackett-luce", **LAPLACE)
    row = fit.influence().loc[3]
    assert row["item"] == "d" and row["shift"] > 0.0


def test_refusals(pudding):
    with pytest.raises(ValueError, match="These comparisons have no agents"):
        br.fit(pudding, "davidson", **LAPLACE).influence()
    with pytest.raises(ValueError, match="a MAP fit has none"):
        br.fit(pudding, "davidson", method="map").influence()
    one = br.fit(br.Rankings.from_lists([list("abc")]), "plackett-luce", **LAPLACE)
    with pytest.raises(ValueError, match="only one agent"):
        one.influence()
    data = br.Rankings.from_lists([list("abc"), list("bca")] * 2, instances=[1, 1, 2, 2])
    with pytest.raises(ValueError, match="for one instance, and there are 2"):
        br.fit(data, "plackett-luce", **LAPLACE).influence()
    two = br.fit(br.Rankings.from_lists([list("abc"), list("bca")]), "plackett-luce", **LAPLACE)
    with pytest.raises(ValueError, match='`loss` must be one of "kendall"'):
        two.influence("brier")
    for refit in ("yes", 2):
        with pytest.raises((TypeError, ValueError), match="`refit` must be"):
            two.influence(refit=refit)


def test_one_instance_of_several_does_not_know_what_agents_say_elsewhere(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        {"engine": e, "query": q, "page": f"{q}{p}", "stars": rng.integers(1, 6)}
        for e in "abc" for q in "xy" for p in range(4)
    ]  # fmt: skip
    data = br.Rankings.from_ratings(
        pd.DataFrame(rows), agent="engine", item="page", rating="stars", instance="query"
    )
    fit = br.fit(data, "mpm", method="laplace", seed=1, draws=100, chains=1)
    with pytest.raises(ValueError, match="is for one instance"):
        fit.influence()
    part = fit.instance("x")
    part.save(tmp_path / "x.nc")
    for one in (part, br.Fit.load(tmp_path / "x.nc")):
        with pytest.raises(ValueError, match="speak in other instances too"):
            one.influence()


def test_where_scores_move_items_and_time_stay_the_same():
    """Of who is new at the last time only the judge of that time knows anything."""
    ranked = [["a", "b", "c"], ["b", "a", "c"]] * 4 + [["d", "a", "b"], ["d", "b", "a"]] * 6
    times = [*range(1, 9), *[9] * 12]
    agents = ["x", "y"] * 4 + ["z"] * 12
    votes = br.Rankings.from_lists(ranked, times=times, agents=agents, unranked="not offered")
    fit = br.fit(votes, "plackett-luce", scores="walk", **LAPLACE)
    for asked in (fit, fit.at(9, window=None), fit.at(4)):
        table = asked.influence(refit=True)
        assert table.loc["z", "refitted"]
        assert set(table["item"]) <= set(asked.ranking().index)
        assert np.isfinite(table["mean_shift"]).all()
    # Without that judge the new one is as likely above the others as below.
    moved = fit.influence(refit=True).loc["z"]
    assert moved["item"] == "d"
    assert moved["shift"] == pytest.approx(2.5 - fit.expected_ranks().loc["d", "mean"], abs=0.25)
    # Those who came earlier are known as without it at their own time.
    early = votes.subset(["a", "b", "c"], agents=["x", "y"])
    alone = br.fit(early, "plackett-luce", scores="walk", **LAPLACE)
    known = alone._moments.of(np.array([0, 1, 2]), 4)
    assert known == pytest.approx(alone.at(4, window=None).scores())
