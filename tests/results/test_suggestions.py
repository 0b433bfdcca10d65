"""What to compare next: what is asked, in every model, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS, RANKING_LIKELIHOODS
from tests.model.moving_data import games_over_time
from tests.model.ranked_lists import rankings_for
from tests.model.varying_data import ballots_by_agents, votes_by_agents

QUICK = {"method": "laplace", "seed": 1, "draws": 200, "chains": 1, "progress": False}
ITEMS = ["a", "b", "c", "d", "e"]


def games(items, likelihood="bradley-terry", *, sided=False):
    """Return the model of one game of each item with the next."""
    left = np.arange(len(items) - 1)
    counts = np.tile([1, 1, likelihood == "davidson"], (len(left), 1))
    data = br.Comparisons(left, left + 1, counts, list(items))
    return br.Specification(data, likelihood, scale=1.0, order_effect=sided)


def fit_of(scores, items=ITEMS, likelihood="bradley-terry", **more):
    """Return a fit with these draws of scores."""
    scores = scores - scores.mean(axis=1, keepdims=True)
    draws = {name: np.full((1, len(scores)), value) for name, value in more.items()}
    model = games(items, likelihood, sided="order_effect" in more)
    return br.Fit(model, "laplace", {"score": scores[None], **draws})


def some_scores(mean=(0.0, 0.2, 0.4, 0.6, 0.8), spread=0.5, draws=1500, seed=1):
    return np.random.default_rng(seed).normal(mean, spread, (draws, len(mean)))


def pairs_of(table):
    return [frozenset(pair) for pair in table[["left", "right"]].itertuples(index=False)]


def bits(p):
    p = np.asarray(p)
    return -(p * np.log2(np.maximum(p, 1e-300))).sum()


def test_gains_by_enumeration():
    """Of three items, from all draws one by one; so few have an event that it takes a correction.

    That is what is allowed for.
    """
    scores = some_scores((0.0, 0.3, 0.5), draws=500)
    fit = fit_of(scores, ["a", "b", "c"])
    first = np.eye(3)[scores.argmax(axis=1)]
    for goal in ("scores", "best"):
        table = fit.suggest(3, goal=goal).set_index(["left", "right"])
        for (left, right), row in table.iterrows():
            d = scores[:, "abc".index(left)] - scores[:, "abc".index(right)]
            p = 1.0 / (1.0 + np.exp(-d))
            assert row["p_left"] == pytest.approx(p.mean(), abs=1e-6)
            told = bits([p.mean(), 1 - p.mean()]) - np.mean([bits([q, 1 - q]) for q in p])
            if goal == "best":
                after = [y.mean() * bits(y @ first / y.sum()) for y in (p, 1 - p)]
                told = bits(first.mean(axis=0)) - sum(after)
            assert row["alone"] == pytest.approx(told, rel=0.02)
    assert fit.suggest(goal="best").attrs["open"] == pytest.approx(bits(first.mean(axis=0)))


@pytest.mark.parametrize("goal", [{"goal": "order"}, {"goal": "best"}, {"goal": "top", "k": 2}])
def test_names_and_columns_do_not_matter(goal):
    scores, order = some_scores(), np.array([3, 1, 4, 0, 2])
    table = fit_of(scores).suggest(8, **goal)
    renamed = fit_of(scores[:, order], [ITEMS[k] for k in order]).suggest(8, **goal)
    assert pairs_of(renamed) == pairs_of(table)
    np.testing.assert_allclose(renamed["gain"], table["gain"], rtol=1e-9)
    fit = fit_of(scores)
    data = fit.specification.data
    swapped = replace(data, left=data.right, right=data.left, counts=data.counts[:, [1, 0, 2]])
    fit.specification = br.Specification(swapped, "bradley-terry", scale=1.0)
    assert fit.suggest(8, **goal).equals(table)


def test_pairs_come_once_before_any_comes_again():
    table = fit_of(some_scores()).suggest(25)
    found = pairs_of(table)
    assert len(set(found[:10])) == len(set(found[10:20])) == 10 and set(found[20:]) <= set(found)
    assert (table["gain"] <= table["alone"] * (1 + 1e-12)).all()
    assert table["gain"].sum() < 0.8 * table["alone"].sum() and table["gain"].idxmax() == 0
    # A batch does not spend all on one item, however little is known of it.
    unknown = fit_of(some_scores(spread=(0.3, 0.3, 0.3, 0.3, 2.0))).suggest(5, goal="scores")
    assert 2 <= sum("e" in pair for pair in pairs_of(unknown)) < 5
    assert "e" in pairs_of(unknown)[0]


def test_the_best_is_not_found_among_the_hopeless():
    fit = fit_of(some_scores((0.0, 0.1, 3.0, 3.1, 3.2), 0.3))
    table = fit.suggest(10, goal="best")
    assert set(pairs_of(table)[:3]) == {frozenset("cd"), frozenset("ce"), frozenset("de")}
    hopeless = pairs_of(table).index(frozenset("ab"))
    assert table["gain"][hopeless] < 0.01 * table["gain"][0]
    # Nor who is among the first three, which is known; then the scores are asked for.
    with pytest.warns(UserWarning, match='goal="top" has the same answer in nearly all draws'):
        table = fit.suggest(3, goal="top", k=3)
    assert table["gain"].equals(fit.suggest(3, goal="scores")["gain"])
    assert table.attrs["open"] < 0.01


def test_best_and_top_ask_the_same_in_other_words():
    """Of two items, both questions of "top" are the one of "best", and so it counts twice."""
    fit = fit_of(some_scores((0.0, 0.3)), ["a", "b"])
    best, top = fit.suggest(1, goal="best"), fit.suggest(1, goal="top", k=1)
    assert top["gain"][0] == pytest.approx(2.0 * best["gain"][0])
    assert top.attrs["open"] == pytest.approx(2.0 * best.attrs["open"])
    fit = fit_of(some_scores())
    assert pairs_of(fit.suggest(1, goal="best")) == pairs_of(fit.suggest(1, goal="top", k=1))


def test_items_that_nobody_knows_come_first():
    fit = fit_of(some_scores(spread=0.1))
    with pytest.warns(UserWarning, match="2 items that the data do not have.*: new, aa"):
        table = fit.suggest(4, among=[*ITEMS, "new", "aa"], seed=1)
    assert all({"new", "aa"} & pair for pair in pairs_of(table))
    assert table.attrs["new_items"] == ["new", "aa"]
    # Their prior has the scale of the model, and the same seed draws the same from it.
    with pytest.warns(UserWarning):
        again = fit.suggest(4, among=[*ITEMS, "new", "aa"], seed=1)
    assert again.equals(table)
    with pytest.warns(UserWarning, match="Is that meant. Boson looks like Boston"):
        ball = br.fit(br.load_dataset("baseball"), **QUICK)
        ball.suggest(2, among=["Detroit", "Boson"])


def test_an_item_of_the_data_without_games_is_an_item():
    data = br.Comparisons([0, 1, 0], [1, 2, 2], np.array([[9, 3, 0]] * 3), [*"abc", "new"])
    with pytest.warns(UserWarning, match="2 groups never meet"):
        fit = br.fit(data, "bradley-terry", scale=1.0, **QUICK)
    table = fit.suggest(3)
    assert all("new" in pair for pair in pairs_of(table)[:2]) and not table.attrs["new_items"]


def test_only_some_items():
    table = fit_of(some_scores()).suggest(9, among=["e", "b", "c"])
    assert set().union(*pairs_of(table)) == {"b", "c", "e"}
    inner = fit_of(some_scores()[:, [4, 1, 2]], ["e", "b", "c"]).suggest(9)
    assert pairs_of(inner) == pairs_of(table)


def test_sides_take_turns():
    """Where the left has an advantage, whoever was on the right more often goes to the left."""
    table = fit_of(some_scores(), order_effect=1.0).suggest(20)
    sides = table["left"].value_counts() - table["right"].value_counts()
    before = {"a": 2, "b": 0, "c": 0, "d": 0, "e": -2}  # each was on the left of the next
    assert max(abs(sides.get(item, 0) + lead) for item, lead in before.items()) <= 2
    # An advantage makes equals less equal, as the probabilities say.
    assert table["p_left"].mean() > 0.6


def test_what_it_costs():
    fit = fit_of(some_scores(spread=0.5))
    cost = {"a": 1.0, "b": 1.0, "c": 50.0, "d": 1.0, "e": 1.0}
    table = fit.suggest(10, cost=cost)
    assert all("c" in pair for pair in pairs_of(table)[6:])
    assert table["cost"][0] == 2.0 and table["cost"].iloc[-1] == 51.0
    np.testing.assert_allclose(table["gain_per_cost"], table["gain"] / table["cost"])
    same = fit.suggest(10, cost=lambda items: sum(cost[item] for item in items))
    assert same.equals(table)
    plain = fit.suggest(10)
    assert pairs_of(fit.suggest(10, cost=dict.fromkeys(ITEMS, 3))) == pairs_of(plain)


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
def test_every_pair_model(likelihood):
    ties = PAIR_LIKELIHOODS[likelihood].has_ties
    fit = br.fit(votes_by_agents(ties=ties), likelihood, **QUICK)
    table = fit.suggest(5)
    outcomes = table.filter(regex="^p_")
    assert list(outcomes) == ["p_left", "p_right", *(["p_tie"] if ties else [])]
    np.testing.assert_allclose(outcomes.sum(axis=1), 1.0, rtol=1e-9)
    wins = fit.win_probabilities(neutral=True, draws=600)
    for _, row in table.iterrows():
        assert row["p_left"] == pytest.approx(wins.loc[row["left"], row["right"]], abs=1e-9)


@pytest.mark.parametrize("likelihood", RANKING_LIKELIHOODS)
def test_every_ranking_model(likelihood):
    fit = br.fit(rankings_for(likelihood, unranked="not offered"), likelihood, scale=1.0, **QUICK)
    table = fit.suggest(3, size=3, seed=1)
    assert list(table) == ["items", "gain", "alone"]
    assert len({frozenset(items) for items in table["items"]}) == 3
    assert table["items"].map(len).eq(3).all() and (table["gain"] > 0.0).all()
    pair = fit.suggest(1, size=2)
    wins = fit.win_probabilities()
    assert 0.2 < wins.loc[pair["items"][0]] < 0.8
    assert 0.0 < pair["gain"][0] < table["alone"].max()


def test_sets_of_a_usual_size():
    fit = br.fit(ballots_by_agents(items=6), "plackett-luce", scale=1.0, **QUICK)
    table = fit.suggest(3, goal="best", seed=1)
    assert table["items"].map(len).tolist() == [4, 4, 4]
    leaders = fit.ranking()["p_best"].nlargest(2).index
    assert all(set(leaders) <= set(items) for items in table["items"][:1])
    # All items together are one set, which comes again.
    table = fit.suggest(3, size=6, seed=1)
    assert {frozenset(items) for items in table["items"]} == {frozenset(fit.ranking().index)}
    assert table["gain"].is_monotonic_decreasing and "cost" not in table
    dear = {item: 1.0 + 99.0 * (item == leaders[0]) for item in fit.ranking().index}
    assert all(leaders[0] not in items for items in fit.suggest(2, cost=dear, size=3)["items"])


def test_sharper_judges_tell_more():
    fit = br.fit(votes_by_agents(), "davidson", discrimination="by-agent", ties="by-agent", **QUICK)
    sharp = {"agent 0": 3.0, "agent 1": 1.0, "agent 2": 1e-3}
    fit.posterior["discrimination"][:] = list(sharp.values())
    fit.posterior["ties_by_agent"][:] = [0.0, 0.0, -2.0]
    found = {agent: fit.suggest(1, agent=agent) for agent in sharp}
    gain = [table["gain"][0] for table in found.values()]
    assert gain[0] > gain[1] > 0.0
    assert found["agent 2"]["p_tie"][0] < 0.5 * found["agent 1"]["p_tie"][0]
    ballots = br.fit(ballots_by_agents(), discrimination="by-agent", **QUICK)
    ballots.posterior["discrimination"][:] = list(sharp.values())
    gain = [ballots.suggest(1, agent=agent, seed=1)["gain"][0] for agent in sharp]
    assert gain[0] > gain[1] > 10.0 * gain[2]


def test_categories():
    fit = br.fit(
        votes_by_agents(categories=3), "davidson", scores="by-category", order_effect="by-item",
        ties=("by-item", "by-category"), **QUICK,
    )  # fmt: skip
    inside = fit.suggest(4, category="topic 1")
    assert inside.equals(fit.in_category("topic 1").suggest(4))
    assert not inside["p_left"].equals(fit.suggest(4)["p_left"])
    table = fit.suggest(40, category="all", goal="best")
    assert set(table["category"]) == {"topic 0", "topic 1", "topic 2"}
    once = list(zip(pairs_of(table), table["category"], strict=True))[:18]
    assert len(set(once)) == 18
    some = fit.suggest(4, category=["topic 2"], among=["item 0", "item 1", "item 3"])
    assert set(some["category"]) == {"topic 2"} and "item 2" not in set(some["left"])
    # What is told of all scores through those of one category is less than of the category's own.
    assert some["gain"][0] > 0.0
    ballots = br.fit(ballots_by_agents(categories=3), scores="by-category", **QUICK)
    table = ballots.suggest(4, category="all", size=3, seed=1)
    assert list(table)[:2] == ["items", "category"]


def test_at_another_time():
    fit = br.fit(games_over_time(items=5, rows=60), "davidson", scores="walk", **QUICK)
    first, last = fit.specification.data.times[0], fit.specification.data.times[-1]
    assert fit.suggest(4, at=last).equals(fit.suggest(4))
    early = fit.suggest(4, at=first + 0.01, among=["a", "b", "c", "d", "e"])
    assert len(early) == 4  # items that were not seen yet have their prior, and are items
    assert not early.attrs["new_items"]
    late = fit.suggest(1, at=last + 20.0, among=["a", "b"], goal="scores")
    assert late["gain"][0] > fit.suggest(1, among=["a", "b"], goal="scores")["gain"][0]


def test_new_items_in_models_with_more():
    fit = br.fit(
        votes_by_agents(), "davidson", scores="by-category", order_effect="by-item",
        ties="by-item", **QUICK,
    )  # fmt: skip
    with pytest.warns(UserWarning, match="an item that the data do not have"):
        table = fit.suggest(6, among=["new", "item 0", "item 1"], category="topic 0", seed=1)
    assert "new" in set(table["left"]) | set(table["right"])
    np.testing.assert_allclose(table.filter(regex="^p_").sum(axis=1), 1.0)
    flat = br.fit(br.load_dataset("baseball"), scale=np.inf, **QUICK)
    with pytest.raises(ValueError, match="Nothing is known of them where the prior is flat"):
        flat.suggest(among=["Boston", "new"])
    features = np.arange(7.0)[:, None]
    known = br.fit(br.load_dataset("baseball"), features=features, **QUICK)
    with pytest.raises(ValueError, match="those of new ones are not known"):
        known.suggest(among=["Boston", "new"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 0}, "`n` must be a whole number from 1 up, got 0"),
        ({"n": 2.5}, "`n` must be a whole number"),
        ({"goal": "first"}, '`goal` must be "order", "best", "top" or "scores", got \'first\''),
        ({"goal": "top"}, 'goal="top" needs `k`, a whole number from 1 to .*4, got None'),
        ({"goal": "top", "k": 5}, "got 5"),
        ({"goal": "top", "k": 0}, "got 0"),
        ({"goal": "top", "k": True}, "got True"),
        ({"goal": "best", "k": 1}, '`k` is for goal="top", not for goal="best"'),
        ({"among": ["a"]}, "`among` must hold at least two items, got 1"),
        ({"among": ["a", "b", "a"]}, "`among` must hold each item once; repeated: a"),
        ({"among": ["a", None]}, "`among` must hold labels of items, got None"),
        ({"cost": {"a": 1.0}}, "`cost` has no number for b, c, d, e"),
        ({"cost": dict.fromkeys(ITEMS, -1.0)}, "`cost` must be positive numbers, got -1.0 for 'a'"),
        ({"cost": dict.fromkeys(ITEMS, np.nan)}, "positive numbers, got nan"),
        ({"cost": dict.fromkeys(ITEMS, "much")}, "positive numbers, got 'much'"),
        ({"cost": lambda items: 0.0}, r"positive numbers, got 0.0 for \('a', 'b'\)"),
        ({"size": 3}, "`size` is for rankings; a comparison has 2 items, got 3"),
        ({"agent": "x"}, "`agent` is for models in which agents differ"),
        ({"category": "x"}, "for scores that differ between categories"),
        ({"category": "all"}, "for scores that differ between categories"),
        ({"at": 2020.0}, "for scores that move"),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        fit_of(some_scores(draws=50)).suggest(**options)


def test_arguments_of_other_kinds_are_refused():
    fit = fit_of(some_scores(draws=50))
    with pytest.raises(TypeError, match="`among` must be a list of labels, got 'ab'"):
        fit.suggest(among="ab")
    with pytest.raises(TypeError, match=r"`cost` must be a mapping .* got 3"):
        fit.suggest(cost=3)
    ballots = br.fit(ballots_by_agents(), discrimination="by-agent", **QUICK)
    for options, words in (
        ({"size": 1}, "`size` must be a whole number from 2 up, got 1"),
        ({"size": 6}, "`size` must be at most the number of items, 5, got 6"),
        ({"agent": "nobody"}, "`agent` must be one of agent 0, agent 1, agent 2, got 'nobody'"),
    ):
        with pytest.raises(ValueError, match=words):
            ballots.suggest(**options)
    topics = br.fit(votes_by_agents(), "davidson", scores="by-category", **QUICK)
    with pytest.raises(ValueError, match=r"`category` must hold some of .*got \['x'\]"):
        topics.suggest(category=["x"])


def test_fits_that_cannot_say():
    ball = br.load_dataset("baseball")
    with pytest.raises(
        ValueError, match=r"`suggest` needs posterior draws, and a MAP fit has none"
    ):
        br.fit(ball, method="map").suggest()
    ballots = ballots_by_agents()
    with pytest.raises(ValueError, match='"mpm" takes which pairs agents compare for a part'):
        br.fit(ballots, "mpm", **QUICK).suggest()
    lists = [["a", "b"], ["b", "a"], ["c", "d"]]
    several = br.Rankings.from_lists(lists, instances=["x", "x", "y"])
    with pytest.raises(ValueError, match="for one instance, and there are 2: choose one"):
        br.fit(several, "plackett-luce", **QUICK).suggest()
