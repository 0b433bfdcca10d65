"""Whether draws settle a question, against counting in plain Python."""

from itertools import combinations

import numpy as np
import pytest

from bayesrank.consensus.deciding import require_question, settle

WIDTHS = (0.0, 0.3, 1.0)


def small_draws(seed, items=5, draws=40):
    rng = np.random.default_rng(seed)
    return rng.normal(np.linspace(1.0, 0.0, items), 0.7, size=(draws, items))


def right(draw, goal, answer, width):
    """Return whether an answer is right in a draw, by the definition."""
    if goal == "best":
        return draw[answer] >= max(draw) - width
    if goal == "top":
        rest = [draw[j] for j in range(len(draw)) if j not in answer]
        return min(draw[i] for i in answer) >= max(rest, default=-np.inf) - width
    pairs = combinations(answer, 2)
    return all(draw[after] - draw[before] <= width for before, after in pairs)


def share(scores, goal, answer, width):
    return np.mean([right(draw, goal, answer, width) for draw in scores])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_shares_of_draws(seed, width):
    scores = small_draws(seed)
    best = settle(scores, "best", width=width)
    assert best.probability == max(share(scores, "best", item, width) for item in range(5))
    assert best.probability == share(scores, "best", best.choice[0], width)
    for k in (2, 3, 4):
        top = settle(scores, "top", k=k, width=width)
        assert top.probability == share(scores, "top", set(top.choice.tolist()), width)
        means = scores.mean(axis=0)[top.choice]
        assert len(means) == k and np.all(np.diff(means) <= 0)
        if width == 0.0:
            sets = combinations(range(5), k)
            assert top.probability == max(share(scores, "top", set(one), 0.0) for one in sets)
    order = settle(scores, "order", width=width)
    assert order.choice.tolist() == np.argsort(-scores.mean(axis=0)).tolist()
    assert order.probability == share(scores, "order", order.choice, width)


def test_the_first_one_is_the_best():
    scores = small_draws(1)
    for width in WIDTHS:
        best, top = settle(scores, "best", width=width), settle(scores, "top", k=1, width=width)
        assert best.probability == top.probability
        assert best.open.tolist() == top.open.tolist()


def test_all_items_are_the_first_of_all():
    every = settle(small_draws(1), "top", 0.999, k=5)
    assert every.decided and every.probability == 1.0 and len(every.open) == 0


@pytest.mark.parametrize("question", [("best", None), ("top", 2), ("top", 3), ("order", None)])
@pytest.mark.parametrize("seed", range(6))
def test_answers_are_surer_the_less_is_asked(seed, question):
    """Wider indifference never lowers a probability; higher levels never close what is open."""
    goal, k = question
    scores = small_draws(seed)
    found = [settle(scores, goal, k=k, width=width) for width in np.linspace(0.0, 4.0, 41)]
    probabilities = [one.probability for one in found]
    assert probabilities == sorted(probabilities) and probabilities[-1] > 0.9
    levels = [settle(scores, goal, prob, k=k) for prob in (0.1, 0.4, 0.7, 0.9, 0.99)]
    decided = [one.decided for one in levels]
    assert decided == sorted(decided, reverse=True)
    open_ = [len(one.open) for one in levels]
    assert open_ == sorted(open_)
    assert all(one.decided == (len(one.open) == 0) for one in levels)
    assert all(one.decided == (one.probability >= p - 1e-9)
               for one, p in zip(levels, (0.1, 0.4, 0.7, 0.9, 0.99), strict=True))  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_open_is_right_often_enough(seed):
    """Without indifference: by ranks, in as many draws as asked for, and no shorter list would."""
    scores, prob = small_draws(seed, draws=200), 0.9
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    best = settle(scores, "best", prob)
    held = np.isin(scores.argmax(axis=1), best.open).mean()
    assert held >= prob > held - best.chances[-1]
    assert best.chances.tolist() == [(ranks[:, i] == 0).mean() for i in best.open]
    top = settle(scores, "top", prob, k=2)
    chosen = np.isin(np.arange(5), top.choice)
    wrong = (ranks < 2) != chosen
    closed = np.setdiff1d(np.arange(5), top.open)
    assert np.mean(~wrong[:, closed].any(axis=1)) >= prob
    assert top.chances.tolist() == [(ranks[:, i] < 2).mean() for i in top.open]
    surest = top.open[np.argmin(wrong.mean(axis=0)[top.open])]
    assert np.mean(~wrong[:, [*closed, surest]].any(axis=1)) < prob
    order = settle(scores, "order", prob)
    in_order = np.diff(scores[:, order.choice], axis=1) <= 0
    closed = np.setdiff1d(np.arange(4), order.open)
    assert np.mean(in_order[:, closed].all(axis=1)) >= prob
    assert order.chances.tolist() == in_order.mean(axis=0)[order.open].tolist()


def test_items_far_apart_may_be_reversed_while_neighbours_are_not():
    """Each step is within the width, all of them together are not: something has to be open."""
    reversed_ = np.tile([-0.4, 0.0, 0.4], (10, 1))
    scores = np.concatenate([np.tile([3.0, 0.0, -3.0], (10, 1)), reversed_])
    order = settle(scores, "order", 0.9, width=0.5)
    assert order.probability == 0.5 and len(order.open) == 1
    # The best two of four: the first is too far below the last, and all others are near.
    crossed = np.tile([0.0, 0.55, 0.6, 1.0], (10, 1))
    scores = np.concatenate([np.tile([3.0, 2.0, -2.0, -3.0], (10, 1)), crossed])
    top = settle(scores, "top", 0.9, k=2, width=0.7)
    assert top.probability == 0.5 and top.open.tolist() == [0, 3]


def test_no_order_of_labels_decides_between_equals():
    scores = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]] * 10)
    assert sorted(settle(scores, "best", 0.4).open) == []
    assert sorted(settle(scores, "best", 0.6).open) == [0, 1]
    assert settle(np.zeros((5, 3)), "order").decided  # where all are equal, no order is wrong


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (("worst", 0.9, None, 0.0), '`goal` must be "best", "top" or "order", got \'worst\''),
        ((None, 0.9, None, 0.0), "`goal` must be"),
        (("top", 0.9, None, 0.0), "`goal=\"top\"` needs the number of items: give `k`"),
        (("top", 0.9, 0, 0.0), "from 1 to the number of items, 4, got 0"),
        (("top", 0.9, 5, 0.0), "from 1 to the number of items, 4, got 5"),
        (("top", 0.9, 2.5, 0.0), "got 2.5"),
        (("best", 0.9, 2, 0.0), '`k` is for goal="top"; leave it out for goal="best", got 2'),
        (("order", 0.9, 2, 0.0), '`k` is for goal="top"'),
        (("best", 95, None, 0.0), "`prob` must be between 0 and 1, got 95"),
        (("best", 1.0, None, 0.0), "`prob` must be between 0 and 1"),
        (("best", 0.9, None, -0.1), "0 or more, got -0.1"),
        (("best", 0.9, None, float("nan")), "0 or more, got nan"),
        (("best", 0.9, None, float("inf")), "0 or more, got inf"),
        (("best", 0.9, None, "wide"), "0 or more, got 'wide'"),
        (("best", 0.9, None, True), "0 or more, got True"),
    ],
)  # fmt: skip
def test_questions_without_an_answer_are_refused(question, said):
    with pytest.raises(ValueError) as refused:
        require_question(*question, 4)
    assert said in str(refused.value)
