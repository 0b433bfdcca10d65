"""What results are expected to tell, against what that is by definition."""

import numpy as np
import pytest

from bayesrank.consensus.asking import (
    Goal,
    Told,
    choose_pairs,
    entropy,
    information,
    screen,
    sharpness,
    shortlist,
)

SIGN = np.array([[1.0, -1.0], [-1.0, 1.0]])
GOALS = {
    "order": Goal.order,
    "best": Goal.best,
    "top": lambda scores: Goal.top(scores, 2),
    "scores": Goal.of_scores,
}


def davidson(difference, nu=0.5):
    """Return the probabilities of win, loss and tie."""
    parts = np.stack(
        [np.exp(difference / 2), np.exp(-difference / 2), np.full_like(difference, nu)]
    )
    return parts / parts.sum(axis=0)


def some_scores(items, draws, seed=1, spread=0.5):
    """Return correlated normal scores."""
    rng = np.random.default_rng(seed)
    mixed = np.eye(items) + 0.4 * rng.normal(size=(items, items))
    scores = rng.normal(0.0, 0.6, items) + spread * rng.normal(size=(draws, items)) @ mixed
    return scores - scores.mean(axis=1, keepdims=True)


def all_pairs(scores):
    """Return left, right, and the probabilities of all pairs: outcomes by pairs by draws."""
    left, right = np.triu_indices(scores.shape[1], 1)
    return left, right, davidson((scores[:, left] - scores[:, right]).T)


def listed(goal, scores):
    """Return the events of a goal one by one, and whether just one happens."""
    if not goal.orders:
        return goal.events, goal.one
    left, right = np.triu_indices(scores.shape[1], 1)
    return scores[:, left] > scores[:, right], False


def together(*p):
    """Return the probabilities of all combinations of the outcomes of some pairs."""
    found = p[0]
    for more in p[1:]:
        found = (found[:, None] * more).reshape(-1, found.shape[-1])
    return found


def drop(p, events, one):
    """Return by how much the entropy of events is expected to fall, draws being all there is."""
    columns = [events] if one else [np.column_stack([e, ~e]) for e in events.T]
    total = 0.0
    for one_of in columns:
        after = [entropy((y @ one_of) / y.sum()) * y.mean() for y in p]
        total += entropy(one_of.mean(axis=0)) - sum(after)
    return total


@pytest.mark.parametrize("name", ["best", "top"])
def test_information_is_the_drop_of_entropy(name):
    """To 2 %: of the few draws with an event, those in which it hardly happens are corrected."""
    scores = some_scores(4, 4000)
    goal = GOALS[name](scores)
    left, _, p = all_pairs(scores)
    of_scores, of_goal = information(p, goal.events, goal.one)
    for pair in range(len(left)):
        assert of_goal[pair] == pytest.approx(drop(p[:, pair], goal.events, goal.one), rel=0.02)
        posterior = p[:, pair] / p[:, pair].sum(axis=1, keepdims=True)
        fall = np.log2(4000) - p[:, pair].mean(axis=1) @ entropy(posterior, axis=1)
        assert of_scores[pair] == pytest.approx(fall, rel=1e-3)
    assert goal.open == pytest.approx(sum(
        entropy(np.stack([share, 1 - share])) for share in goal.events.mean(axis=0)
    ) if name == "top" else entropy(goal.events.mean(axis=0)))  # fmt: skip


def test_few_draws_do_not_look_like_information():
    """What has nothing to do with an event tells nothing of it, on average over draws."""
    found = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        p = davidson(rng.normal(size=(50, 60)))
        events = rng.integers(8, size=60)[:, None] == np.arange(8)
        given = [entropy(p[..., e].mean(axis=-1)) * e.mean() for e in events.T]
        plain = entropy(p.mean(axis=-1)) - sum(given)
        found.append((information(p, events, one=True)[1].mean(), plain.mean()))
    corrected, plain = np.mean(found, axis=0)
    # Strays to both sides are left, of which what tells less than nothing is cut off.
    assert 0.0 <= corrected < 0.25 * plain


def test_columns_may_be_swapped_and_items_renamed():
    scores = some_scores(5, 500)
    left, right, p = all_pairs(scores)
    order = np.random.default_rng(2).permutation(5)
    renamed = scores[:, order]
    place = np.argsort(order)
    for make in GOALS.values():
        goal, other = make(scores), make(renamed)
        swapped = information(p[[1, 0, 2]], goal.events, goal.one)
        np.testing.assert_allclose(swapped, information(p, goal.events, goal.one), rtol=1e-9)
        sharp = sharpness(swapped[0], Told(scores).variance(left, right))
        worth = Told(scores, goal).worth(left, right, sharp)
        again = Told(renamed, other).worth(place[right], place[left], sharp)
        np.testing.assert_allclose(again, worth, rtol=1e-9)


def test_screening_sees_the_same():
    scores = some_scores(5, 300)
    left, right, p = all_pairs(scores)

    def outcomes(draw, left, right):
        return davidson(scores[draw, left] - scores[draw, right])

    np.testing.assert_allclose(screen(outcomes, np.arange(300), left, right), information(p)[0])


def joint_gain(p, goal, scores):
    """Return what some pairs tell together, by enumeration of their outcomes."""
    joint = together(*p)
    if goal.events is None and not goal.orders:
        return entropy(joint.mean(axis=1)) - entropy(joint).mean()
    return drop(joint, *listed(goal, scores))


@pytest.mark.parametrize("name", GOALS)
@pytest.mark.parametrize("spread", [0.3, 0.8])
def test_batches_against_all_combinations_of_outcomes(name, spread):
    """What the first, second and third pair of a batch add to those before, by enumeration.

    What is told of the scores is right to 1 % of the largest gain; of events, whose covariances
    with the scores are not all there is to know of them, to 6 %.
    """
    scores = some_scores(5, 6000, spread=spread)
    left, right, p = all_pairs(scores)
    goal = GOALS[name](scores)
    every, alone = information(p, goal.events, goal.one)
    sharp = sharpness(every, Told(scores).variance(left, right))
    told = Told(scores, goal)
    first = told.worth(left, right, sharp)
    alone = first if goal.events is None else alone
    chosen, before = [], 0.0
    for _ in range(3):
        new = np.setdiff1d(np.arange(len(left)), chosen)
        exact = [joint_gain(p[:, [*chosen, k]].swapaxes(0, 1), goal, scores) for k in new]
        exact = np.array(exact) - before
        guess = (alone * told.worth(left, right, sharp) / first)[new]
        assert np.abs(guess - exact).max() < (0.01 if name == "scores" else 0.06) * exact.max()
        best = np.argmax(exact)
        chosen, before = [*chosen, new[best]], before + exact[best]
        told.tell(np.array([left[new[best]], right[new[best]]]), sharp[new[best]] * SIGN)


@pytest.mark.parametrize("name", GOALS)
def test_what_has_been_told_does_not_depend_on_the_order(name):
    """And a set is the same as its pairs, one after the other."""
    scores = some_scores(5, 2000)
    goal = GOALS[name](scores)
    ways = [Told(scores, goal) for _ in range(3)]
    pairs = [(np.array([0, 1]), 0.5 * SIGN), (np.array([1, 3]), 2.0 * SIGN)]
    for way, order in zip(ways, (pairs, pairs[::-1]), strict=False):
        for items, precision in order:
            way.tell(items, precision)
    together = np.zeros((3, 3))
    together[:2, :2] += 0.5 * SIGN
    together[1:, 1:] += 2.0 * SIGN
    ways[2].tell(np.array([0, 1, 3]), together)
    left, right = np.triu_indices(5, 1)
    worth = [way.worth(left, right, np.ones(10)) for way in ways]
    np.testing.assert_allclose(worth[1], worth[0], rtol=1e-8)
    np.testing.assert_allclose(worth[2], worth[0], rtol=1e-8)


def test_few_draws_of_many_items_do_not_look_like_information_either():
    """Covariances of 200 draws stray, and what they stray by adds up over 1,770 pairs of items."""
    rng = np.random.default_rng(1)
    mean, spread = np.linspace(0.0, 6.0, 60), rng.uniform(0.3, 0.6, 60)
    left, right = np.arange(59), np.arange(1, 60)

    def worth(draws):
        scores = rng.normal(mean, spread, (draws, 60))
        return Told(scores, Goal.order(scores)).worth(left, right, np.ones(59)).mean()

    few = [worth(200) for _ in range(30)]
    error = np.std(few) / np.sqrt(30)
    assert abs(np.mean(few) - worth(20_000)) < 4.0 * error


def test_a_pair_is_a_set_of_two():
    scores = some_scores(5, 2000)
    left, right = np.triu_indices(5, 1)
    sharp = np.linspace(0.1, 3.0, 10)
    for make in GOALS.values():
        told = Told(scores, make(scores))
        worth = told.worth_of(np.column_stack([left, right]), sharp[:, None, None] * SIGN)
        np.testing.assert_allclose(worth, told.worth(left, right, sharp), rtol=1e-8)


def test_goals_may_be_about_the_first_items_only():
    """As for scores over all, where comparisons are made in a category."""
    scores = some_scores(6, 2000)
    goal = Goal.order(scores[:, :3])
    told = Told(scores, goal, 3)
    inner = Told(scores[:, :3], goal)
    left, right = np.triu_indices(3, 1)
    np.testing.assert_allclose(
        told.worth(left, right, np.ones(3)), inner.worth(left, right, np.ones(3))
    )


def test_no_pair_comes_twice_before_all_have_come_once():
    scores = some_scores(4, 1000)
    left, right, p = all_pairs(scores)
    every, alone = information(p)
    sharp = sharpness(every, Told(scores).variance(left, right))
    chosen, added = choose_pairs(alone, sharp, left, right, Told(scores), 15)
    assert sorted(chosen[:6]) == sorted(chosen[6:12]) == list(range(6))
    assert np.all(np.diff(added[:6]) < 0.0) and added[:6].sum() < alone.sum()
    # Of one pair that is far dearer than the others, the others come first.
    cost = np.ones(6)
    cost[chosen[0]] = 1e6
    dear, _ = choose_pairs(alone, sharp, left, right, Told(scores), 6, cost)
    assert dear[-1] == chosen[0] and dear[0] == chosen[1]


def test_a_short_list_has_every_item():
    left, right = np.triu_indices(30, 1)
    value = np.random.default_rng(1).random(len(left)) + 10.0 * (left == 0)
    kept = shortlist(value, left, right, 5)
    assert set(np.argsort(-value)[:5]) <= set(kept) and len(kept) < len(left) / 2
    assert set(left[kept]) | set(right[kept]) == set(range(30))


def test_what_is_settled_tells_nothing():
    scores = np.array([0.0, 10.0, 1.0]) + 0.1 * some_scores(3, 500)
    assert Goal.best(scores).is_settled and Goal.top(scores, 1).is_settled
    assert not Goal.order(scores).is_settled and not Goal.of_scores(scores).is_settled
    assert Goal.best(scores).open == 0.0
    left, right, p = all_pairs(scores)
    for goal in (Goal.best(scores), Goal.top(scores, 1)):
        np.testing.assert_allclose(information(p, goal.events, goal.one)[1], 0.0, atol=1e-12)
        worth = Told(scores, goal).worth(left, right, np.ones(3))
        np.testing.assert_allclose(worth, 0.0, atol=1e-12)
