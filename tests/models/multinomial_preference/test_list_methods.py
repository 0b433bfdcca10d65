"""Ways to join lists, by hand and against counts."""

import numpy as np
import pytest

from bayesrank.data import JudgedDocuments
from bayesrank.metrics import kendall_tau
from models.multinomial_preference import list_methods
from models.multinomial_preference.list_measures import CASES
from models.multinomial_preference.list_methods import METHODS, Case

NAN = np.nan


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(8)
    return Case(list_methods.simulated(6, 15, rng), np.arange(15) % 5)


def by_hand():
    """Two lists, two queries alike: a b c with a gap, and c a; d is in neither."""
    values = np.array([[1.0, 2.0], [2.0, NAN], [9.0, 1.0], [NAN, NAN]])
    documents = JudgedDocuments(
        np.repeat([0, 1], 4), ["q", "r"], list("abcdabcd"), np.tile(values, (2, 1)), ["x", "y"],
        relevance=np.tile([1, 0, 2, 0], 2), relevant=np.array([2, 2]),
    )  # fmt: skip
    return Case(documents, np.zeros(2, dtype=int))


def test_the_weight_is_what_the_method_says(case):
    """Shorter lists weigh more by ours, so that it is another order than that of net counts."""
    ignored = Case(case.documents, case.part, "smallest", "ignored")
    plain, weighted = (METHODS[name](ignored) for name in ("MPM", "MPM, our weight"))
    tau = kendall_tau(np.round(plain, 6), np.round(weighted, 6), case.documents.query)
    assert np.nanmean(tau) < 0.98


@pytest.mark.parametrize("reading", CASES)
def test_mpm_without_variances_is_a_count(case, reading):
    """Its scores are in the order of net counts, which makes it a Borda count of its own."""
    here = Case(case.documents, case.part, *reading)
    counts = here.counts
    net = counts.counts[:, 0] - counts.counts[:, 1]
    size = len(here.rankings.items)
    net = np.bincount(counts.left, net, size) - np.bincount(counts.right, net, size)
    net = here.in_order(here.rankings, net)
    score = METHODS["MPM"](here)
    for q in range(15):
        own = here.documents.query == q
        by_net, by_score = (np.sign(x[own][:, None] - x[own]) for x in (net, np.round(score, 6)))
        np.testing.assert_array_equal(by_net, by_score)


def test_counts_of_places_by_hand():
    """Ignored: a has 1 + 8 in the first list and loses 1 in the second."""
    one = by_hand()
    ignored = Case(one.documents, one.part, "smallest", "ignored")
    once = list_methods.net_places(ignored)[:4]
    np.testing.assert_array_equal(once, [9 - 1, 6, -15 + 1, 0])
    # Below: absent documents are at 10 in the first list, at 3 in the second.
    below = list_methods.net_places(one)
    np.testing.assert_array_equal(below[:4], [18 + 1, 14 - 3, -14 + 5, -18 - 3])
    np.testing.assert_array_equal(below[:4], below[4:])


def test_folds_and_supervised_adherences():
    rng = np.random.default_rng(1)
    documents = list_methods.simulated(3, 10, rng)
    whole = Case(documents, np.arange(10) % 5)
    train, test, rows = whole.folds[4]  # fold 1 trains on S1, S2, S3 and tests on S5
    assert np.unique(train.part).tolist() == [0, 1, 2] and np.unique(test.part).tolist() == [4]
    np.testing.assert_array_equal(test.documents.values, documents.values[rows])
    # Labels put c over a over b and d. Of these five pairs the first list has all but a and b
    # behind c right; the second, with b and d below, all.
    theta = list_methods.adherences(by_hand())
    assert theta["x"] == pytest.approx(3 / 5) and theta["y"] == 1.0


def test_steps_rise_from_net_counts(case):
    """The first step is along the net counts, and the others lead on."""
    plain = METHODS["MPM"](case)
    few, many = (list_methods.early_scores(case, 1.0, steps=steps) for steps in (1, 100))
    for q in range(15):
        own = case.documents.query == q
        by_net, by_step = (
            np.sign(x[own][:, None] - x[own]) for x in (np.round(plain, 6), np.round(few, 12))
        )
        np.testing.assert_array_equal(by_net, by_step)
    assert np.abs(many).max() > 5.0 * np.abs(few).max()
