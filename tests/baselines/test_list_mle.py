"""ListMLE against plain sums over orders, and against the exact likelihood of blocks."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

import bayesrank as br
from bayesrank.baselines import break_ties, fit_list_mle
from bayesrank.baselines.list_mle import _orders, _stacked, _strict

LISTS = [["a", {"b", "c"}, "d"], [{"a", "d"}, "c"], ["d", "c", "b", "a"], ["c", {"a", "b", "d"}]]


def log_probability(score):
    """Return Plackett and Luce's log-probability of scores, the best first."""
    return sum(score[k] - np.log(np.exp(score[k:]).sum()) for k in range(len(score)))


def plain_mean(blocks, score):
    """Return its mean over all orders of the ties."""
    inside = [list(itertools.permutations(block)) for block in blocks]
    orders = [sum(order, ()) for order in itertools.product(*inside)]
    return np.mean([log_probability(np.array([score[i] for i in order])) for order in orders])


@pytest.mark.parametrize(
    "lists", [[[{"a", "b"}, "c"], ["c", "a"]], [[{"a", "b", "c"}], ["a", "b"], ["b", "a"]]]
)
def test_what_exists_is_found_whatever_the_first_order(lists):
    """In one order of the ties b never loses, or c never wins; in fifty it does both."""
    for seed in range(8):
        fit = fit_list_mle(br.Rankings.from_lists(lists), orders=50, seed=seed)
        assert np.abs(fit.scores()).max() < 5.0


def test_what_is_known_of_rankings_goes_along():
    plain = br.Rankings.from_lists(LISTS)
    about = {"agents": list("pqpq"), "categories": list("stst"), "times": [1, 2, 3, 3]}
    known = br.Rankings.from_lists(LISTS, **about)
    one, other = (fit_list_mle(data, orders=10, seed=1) for data in (plain, known))
    np.testing.assert_array_equal(one.scores(), other.scores())


def with_features(seed=0, rankings=30):
    """Return graded documents: two features, and a third by which documents are listed."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in range(rankings):
        x = rng.normal(size=(8, 3))
        x = x[np.argsort(-x[:, 2])]
        grade = np.digitize(x @ [1.0, -0.5, 0.0] + rng.normal(size=8), [0.5, 1.5])
        for k in range(8):
            rows.append({"query": query, "document": 8 * query + k, "grade": float(grade[k])}
                        | dict(zip("uvw", x[k], strict=True)))  # fmt: skip
    return br.Rankings.from_ratings(
        pd.DataFrame(rows), "query", "document", "grade", features=["u", "v", "w"]
    )


def test_ties_are_put_in_every_order_and_nothing_else_moves():
    """Of 600 random orders each of the six of b, c and d comes up 100 times or so."""
    lists, items = [["a", {"b", "c", "d"}]] * 600, list("abcde")
    data = br.Rankings.from_lists(lists, items=items, unranked="not offered")
    below = br.Rankings.from_lists(lists, items=items, unranked="below")
    strict = break_ties(below, seed=1)
    assert not strict.has_ties
    assert np.all(strict.ranks == [1, 2, 3, 4, 0]) and np.all(strict.entries[:, [0, 4]] == [0, 4])
    _, counts = np.unique(strict.entries, axis=0, return_counts=True)
    # A chi-square of five degrees of freedom: above 25.7 once in ten thousand.
    assert counts.size == 6 and ((counts - 100.0) ** 2 / 100.0).sum() < 25.7
    assert break_ties(data, seed=1).same_as(break_ties(data, seed=1))
    assert not break_ties(data, seed=1).same_as(break_ties(data, seed=2))


def test_features_and_ratings_move_with_their_entries():
    data = with_features()
    strict = break_ties(data, seed=3)
    by_item = {
        int(item): row
        for item, row in zip(data.entries.ravel(), data.features.reshape(-1, 3), strict=True)
    }
    expected = np.array([by_item[int(item)] for item in strict.entries.ravel()])
    np.testing.assert_array_equal(strict.features.reshape(-1, 3), expected)
    frame = pd.DataFrame({"u": ["x"] * 3, "i": list("abc"), "s": [5.0, 3.0, 3.0]})
    rated = break_ties(br.Rankings.from_ratings(frame, "u", "i", "s"), seed=1)
    assert rated.ratings.tolist() == [[5.0, 3.0, 3.0]]


def test_the_mean_over_all_orders_is_the_plain_sum():
    """With every order of every tie once, value and gradient are those of the definition."""
    data = br.Rankings.from_lists(LISTS)
    # Two, two, one and six orders: 12 that hold each ranking's own equally often.
    choices = []
    for row in range(len(data)):
        ranks = data.ranks[row]
        slots = np.flatnonzero(ranks > 0)
        blocks = [slots[ranks[slots] == r] for r in np.unique(ranks[slots])]
        rest = tuple(np.flatnonzero(ranks <= 0))
        choices.append([
            sum(parts, ()) + rest
            for parts in itertools.product(*(itertools.permutations(b) for b in blocks))
        ])  # fmt: skip
    orders = [[np.array(own[k % len(own)]) for own in choices] for k in range(12)]
    held = [[row[data.ranks[n, row] >= 0] for n, row in enumerate(order)] for order in orders]
    flat = [np.concatenate([data.start[n] + row for n, row in enumerate(one)]) for one in held]
    parts = [_strict(data, order) for order in flat]
    specification = br.Specification(_stacked(parts), "plackett-luce", scale=2.0)
    x = np.array([0.3, -0.8, 0.5])
    score = dict(zip(data.items, specification.split(x)["score"], strict=True))
    found = specification.observation.log_likelihood(specification.split(x))
    found = found.reshape(12, -1).sum(axis=0)
    blocks = [[tuple(b) if isinstance(b, set) else (b,) for b in one] for one in LISTS]
    assert found == pytest.approx([plain_mean(one, score) for one in blocks], rel=1e-12)
    _, gradient = specification.objective(x)
    slow = optimize.approx_fprime(x, lambda x: specification.objective(x)[0], 1e-7)
    np.testing.assert_allclose(gradient, slow, atol=1e-5)


def test_without_ties_it_is_plackett_luce():
    data = br.Rankings.from_lists([["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"], ["a", "c"]])
    fit = fit_list_mle(data, orders=7, seed=1)
    exact = br.fit(data, "plackett-luce", method="map", scale=np.inf, progress=False)
    np.testing.assert_allclose(fit.scores(), exact.scores(), atol=1e-7)
    assert "ties as listed" in fit.note


def test_the_order_of_the_file_counts_only_where_it_is_asked_for():
    """Documents are listed by their third feature, which says nothing of relevance."""
    data = with_features(rankings=60)
    turned = {}
    listed = fit_list_mle(data, orders=None, scale=1.0).posterior["beta"][0, 0]
    shuffled = break_ties(data, seed=5)  # the slots in another order, and then the grades again
    grades = data.ranks
    other = br.Rankings(
        shuffled.entries, grades, data.items, features=shuffled.features,
        feature_names=data.feature_names, instance=data.instance, instances=data.instances,
    )  # fmt: skip
    for name, rankings in (("file", data), ("shuffled", other)):
        means = fit_list_mle(rankings, orders=200, scale=1.0, seed=2)
        turned[name] = means.posterior["beta"][0, 0]
        assert "mean over 200 orders" in means.note
    # Listed by w the coefficient of w is large, whatever relevance says.
    assert listed[2] > 0.8 and abs(turned["file"][2]) < 0.2
    # Means over 200 orders differ by chance; in six seeds by 0.015 or less.
    np.testing.assert_allclose(turned["file"], turned["shuffled"], atol=0.03)
    # Ties in random order pull the scores of a query together.
    exact = br.fit(data, "partitioned-plackett-luce", method="map", scale=1.0, progress=False)
    exact = exact.posterior["beta"][0, 0]
    assert np.all(np.abs(turned["file"][:2]) < np.abs(exact[:2]))
    assert np.all(np.sign(turned["file"][:2]) == np.sign(exact[:2]))


def test_orders_keep_blocks_apart():
    data = br.Rankings([[0, 1, 2, 3, -1, 4]], [[2, 1, 0, 1, -1, 0]], list("abcde"))
    for order in _orders(data, 20, 0):
        assert set(order[:2]) == {1, 3} and order[2] == 0 and set(order[3:]) == {2, 4}
    (listed,) = _orders(data, None, None)
    assert listed.tolist() == [1, 3, 0, 2, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"orders": 0}, "`orders` must be a whole number from 1 up, or None, got 0"),
        ({"seed": -1}, "`seed` must be a whole number from 0 up, got -1"),
        ({"scale": 0.0}, "`scale` must be a positive number, got 0.0"),
        ({"features": np.zeros((4, 4, 1))}, "`features` must be of items"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit_list_mle(br.Rankings.from_lists(LISTS), **arguments)


def test_an_estimate_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="estimate does not exist"):
        fit_list_mle(br.Rankings.from_lists([["a", {"b", "c"}], ["a", "c"]]), seed=1)


def test_documents_of_one_query_each_with_ties():
    """Learning to rank as it comes: maximum likelihood of the features alone."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "query": np.repeat(np.arange(30), 6),
            "document": np.arange(180),
            "grade": rng.integers(0, 3, 180),
            "x": rng.normal(size=180),
        }
    )
    data = br.Rankings.from_ratings(
        frame, agent="query", item="document", rating="grade", features=["x"]
    )
    fit = fit_list_mle(data, seed=1)
    assert not fit.specification.item_effects
    assert np.isfinite(fit.parameters().loc["beta[x]", "mean"])
