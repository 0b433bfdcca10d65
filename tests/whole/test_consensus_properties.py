"""What holds for any draws of scores, with and without equal ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import bayesrank as br
from bayesrank import consensus
from bayesrank.consensus.intervals import credible_set
from tests.consensus.test_orders import PRECISION, all_losses, brute
from tests.consensus.test_tiers import brute_certain, keeps_its_promise
from tests.odd_names import names

shapes = st.tuples(st.integers(2, 7), st.integers(2, 4))
probabilities = st.sampled_from([0.25, 0.5, 0.8, 0.95, 0.99]) | st.floats(0.01, 0.99)
# Few values, so that many are equal; and any values.
few = arrays(float, shapes, elements=st.integers(-2, 2).map(float))
draws = few | arrays(float, shapes, elements=st.floats(-1e6, 1e6))


@st.composite
def strict_draws(draw):
    """Return draws without equal scores: among equals, labels may decide by chance."""
    rows, items = draw(shapes)
    orders = [draw(st.permutations(range(items))) for _ in range(rows)]
    spread = draw(arrays(float, (rows, 1), elements=st.integers(1, 5).map(float)))
    return np.array(orders, dtype=float) * spread


@given(draws)
def test_ranks_are_doubly_stochastic(scores):
    n = scores.shape[1]
    ranks = consensus.rank_draws(scores)
    assert np.all(np.sort(ranks, axis=1) == np.arange(1, n + 1))
    table = consensus.rank_probabilities(scores)
    np.testing.assert_allclose(table.sum(axis=0), 1.0, atol=PRECISION)
    np.testing.assert_allclose(table.sum(axis=1), 1.0, atol=PRECISION)
    np.testing.assert_allclose(
        table @ np.arange(1, n + 1), consensus.expected_ranks(scores), atol=PRECISION
    )
    above = consensus.probability_above(scores)
    np.testing.assert_allclose(above + above.T, 1.0, atol=PRECISION)
    # An item is expected at one place after those that are above it.
    np.testing.assert_allclose(
        0.5 + above.sum(axis=0), consensus.expected_ranks(scores), atol=PRECISION
    )


@pytest.mark.parametrize("loss", consensus.LOSSES)
@given(scores=draws)
def test_no_order_loses_less(loss, scores):
    found = consensus.best_order(scores, loss)
    assert sorted(found.order) == list(range(scores.shape[1]))
    assert found.expected_loss == pytest.approx(brute(scores, found.order, loss), abs=PRECISION)
    assert found.expected_loss <= min(all_losses(scores, loss)) + PRECISION
    assert found.optimal


@given(draws, probabilities)
def test_tiers_are_cuts_of_the_order(scores, prob):
    certain = consensus.tiers(scores, prob, "certain")
    np.testing.assert_array_equal(certain, brute_certain(scores, prob))
    tier = consensus.tiers(scores, prob)
    assert keeps_its_promise(scores, tier, prob)
    order = np.argsort(-scores.mean(axis=0), kind="stable")
    for along in (tier[order], certain[order]):
        assert along[0] == 1 and set(np.diff(along)) <= {0, 1}
    # What is certain for each pair is so for all together.
    assert np.all(np.diff(tier[order]) >= np.diff(certain[order]))


@given(draws, probabilities, probabilities)
def test_intervals_and_sets_are_nested_in_prob(scores, one, other):
    low, high = sorted([one, other])
    for simultaneous in (True, False, "posterior"):
        inner = consensus.rank_intervals(scores, low, simultaneous=simultaneous)
        outer = consensus.rank_intervals(scores, high, simultaneous=simultaneous)
        assert np.all((outer[0] <= inner[0]) & (inner[1] <= outer[1])), simultaneous
        assert np.all((1 <= outer[0]) & (outer[1] <= scores.shape[1]))
    for k in range(1, scores.shape[1] + 1):
        assert np.all(consensus.confidence_set(scores, k, low)
                      <= consensus.confidence_set(scores, k, high))  # fmt: skip
        assert np.all(credible_set(scores, k, low) <= credible_set(scores, k, high))
    order = np.argsort(-scores.mean(axis=0), kind="stable")
    for rule in ("expected", "certain"):
        few, many = (consensus.tiers(scores, prob, rule)[order] for prob in (high, low))
        assert np.all(np.diff(few) <= np.diff(many)), rule


@given(strict_draws(), st.data(), probabilities)
def test_labels_do_not_matter(scores, data, prob):
    n = scores.shape[1]
    turn = np.array(data.draw(st.permutations(range(n))))
    turned = scores[:, turn]
    for ask in (
        consensus.rank_probabilities,
        consensus.expected_ranks,
        lambda draws: np.transpose(consensus.rank_intervals(draws, prob)),
        lambda draws: consensus.confidence_set(draws, 1, prob),
    ):
        np.testing.assert_allclose(ask(turned), ask(scores)[turn], atol=PRECISION)
    if len(set(scores.mean(axis=0))) == n:
        np.testing.assert_array_equal(
            consensus.tiers(turned, prob), consensus.tiers(scores, prob)[turn]
        )
    for loss in consensus.LOSSES:
        found, again = (consensus.best_order(x, loss).expected_loss for x in (scores, turned))
        assert found == pytest.approx(again, abs=PRECISION)


@given(st.lists(names(), min_size=2, max_size=4, unique=True), st.data())
def test_names_come_back_from_every_table(labels, data):
    shape = (3, len(labels))
    scores = data.draw(arrays(float, shape, elements=st.integers(-9, 9).map(float)))
    answers = br.ScoreDraws(scores, labels)
    for table in (
        answers.ranking(),
        answers.rank_probabilities(),
        answers.probability_above(),
        answers.rank_intervals(),
        answers.expected_ranks(),
        answers.top(1),
        answers.worths(),
    ):
        assert sorted(table.index) == sorted(labels)
    assert sorted(answers.consensus().order) == sorted(labels)
    assert len(answers.versus(labels[0])) == len(labels) - 1
