"""The labelled answers: each is its plain function with labels, in the promised order."""

import json
from itertools import count

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank import consensus
from bayesrank.consensus.intervals import credible_set
from tests.consensus.posteriors import KINDS, posterior

LABELS = ["d", "b", "e", "a", "c"]
SCORES = posterior("correlated", 4, draws=60, n=5, spread=1.0)
DRAWS = br.ScoreDraws(SCORES, LABELS)
BEST_FIRST = [LABELS[k] for k in np.argsort(-SCORES.mean(axis=0))]
RULES = ("expected", "certain")


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_of_every_kind_of_draws(kind):
    """No question fails, or warns, for draws that are ties, twins or all the same."""
    for seed, draws in enumerate((2, 3, 30)):
        answers = br.ScoreDraws(posterior(kind, seed, draws=draws, n=4))
        n = 4
        for table in (
            answers.ranking(), answers.rank_probabilities(), answers.expected_ranks(),
            answers.probability_above(), answers.rank_intervals(), answers.best(),
            answers.top(n), answers.tiers(), answers.worths(),
        ):  # fmt: skip
            assert len(table) == n
        assert answers.worths().notna().all(axis=None)
        for loss in consensus.LOSSES:
            found = answers.consensus(loss)
            assert answers.expected_loss(found.order, loss) == pytest.approx(found.expected_loss)


def test_ranking():
    table = DRAWS.ranking(0.8)
    assert table.index.tolist() == BEST_FIRST and table["rank"].tolist() == [1, 2, 3, 4, 5]
    where = [LABELS.index(label) for label in BEST_FIRST]
    ranks = consensus.rank_draws(SCORES)[:, where]
    np.testing.assert_allclose(table["score"], SCORES.mean(axis=0)[where])
    np.testing.assert_allclose(table["sd"], SCORES.std(axis=0, ddof=1)[where])
    np.testing.assert_allclose(table["p_best"], (ranks == 1).mean(axis=0))
    np.testing.assert_allclose(table["p_top3"], (ranks <= 3).mean(axis=0))
    np.testing.assert_array_equal(table["tier"], consensus.tiers(SCORES, 0.8)[where])
    low, high = consensus.rank_intervals(SCORES, 0.8, simultaneous=False)
    np.testing.assert_array_equal(table["rank_low"], low[where])
    np.testing.assert_array_equal(table["rank_high"], high[where])


def test_matrices_keep_the_order_of_the_data():
    p = DRAWS.rank_probabilities()
    assert p.index.tolist() == LABELS and p.columns.tolist() == [1, 2, 3, 4, 5]
    np.testing.assert_array_equal(p, consensus.rank_probabilities(SCORES))
    above = DRAWS.probability_above()
    assert above.index.tolist() == above.columns.tolist() == LABELS
    assert above.columns.name == "other" and np.isnan(np.diag(above)).all()
    assert above.loc["a", "b"] == pytest.approx(np.mean(SCORES[:, 3] > SCORES[:, 1]))


def test_tables_are_best_first():
    where = [LABELS.index(label) for label in BEST_FIRST]
    expected = DRAWS.expected_ranks()
    ranks = consensus.rank_draws(SCORES)[:, where]
    assert expected.index.tolist() == BEST_FIRST
    np.testing.assert_allclose(expected["mean"], ranks.mean(axis=0))
    np.testing.assert_allclose(expected["sd"], ranks.std(axis=0, ddof=1))
    np.testing.assert_allclose(expected["sucra"], (5 - ranks.mean(axis=0)) / 4)
    for simultaneous in (True, False, "posterior"):
        table = DRAWS.rank_intervals(0.8, simultaneous=simultaneous)
        low, high = consensus.rank_intervals(SCORES, 0.8, simultaneous=simultaneous)
        assert table.index.tolist() == BEST_FIRST and table["rank"].tolist() == [1, 2, 3, 4, 5]
        np.testing.assert_array_equal(table[["low", "high"]], np.stack([low, high], 1)[where])
    tier = DRAWS.tiers(0.7)
    assert isinstance(tier, pd.Series) and tier.index.tolist() == BEST_FIRST
    np.testing.assert_array_equal(tier, consensus.tiers(SCORES, 0.7)[where])


def test_the_rule_of_tiers_wherever_it_is_asked_for():
    where = [LABELS.index(label) for label in BEST_FIRST]
    expected, certain = (consensus.tiers(SCORES, 0.6, rule)[where] for rule in RULES)
    assert expected.max() > certain.max() > 1
    for rule, tier in zip(RULES, (expected, certain), strict=True):
        np.testing.assert_array_equal(DRAWS.tiers(0.6, rule), tier)
        np.testing.assert_array_equal(DRAWS.ranking(0.6, tiers=rule)["tier"], tier)
        assert len(DRAWS.plot_ranking(0.6, tiers=rule).texts) == tier.max()
    for name, ask in (
        ("rule", lambda: DRAWS.tiers(0.9, "strict")),
        ("tiers", lambda: DRAWS.ranking(0.9, tiers="strict")),
        ("tiers", lambda: DRAWS.plot_ranking(0.9, tiers=None)),
    ):
        with pytest.raises(ValueError, match=f'`{name}` must be "expected" or "certain", got'):
            ask()


@pytest.mark.parametrize("k", [1, 2, 5, np.int64(2), np.uint8(3)])
def test_top(k):
    table = DRAWS.top(k, 0.8)
    assert np.all(np.diff(table["p_top"]) <= 0)
    p = dict(zip(LABELS, consensus.probability_top(SCORES, k), strict=True))
    chosen = dict(zip(LABELS, consensus.confidence_set(SCORES, k, 0.8), strict=True))
    assert table["p_top"].to_dict() == pytest.approx(p)
    assert table["in_set"].to_dict() == chosen
    credible = dict(zip(LABELS, credible_set(SCORES, k, 0.8), strict=True))
    assert table["credible"].to_dict() == credible
    assert table["in_set"][table["credible"]].all()
    if k == 1:
        pd.testing.assert_frame_equal(DRAWS.best(0.8), table)


def test_worths():
    scores = SCORES / SCORES.std()
    table = br.ScoreDraws(scores, LABELS).worths(0.8)
    worth = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    where = [LABELS.index(label) for label in table.index]
    assert table.index.tolist() == BEST_FIRST
    np.testing.assert_allclose(table["worth"], worth.mean(axis=0)[where])
    np.testing.assert_allclose(table["low"], np.quantile(worth, 0.1, axis=0)[where])
    np.testing.assert_allclose(table["high"], np.quantile(worth, 0.9, axis=0)[where])
    np.testing.assert_allclose(table["quasi_sd"] ** 2, table["quasi_variance"])
    # The promise: no deviation of a difference is off by more than this.
    q = table["quasi_variance"].to_numpy()
    off = []
    for i in range(5):
        for j in range(i):
            spread = np.std(scores[:, where[i]] - scores[:, where[j]], ddof=1)
            off.append(abs(np.sqrt(q[i] + q[j]) / spread - 1))
    assert table.attrs["quasi_error"] == pytest.approx(max(off))


def test_consensus_and_expected_loss():
    for loss in consensus.LOSSES:
        found, plain = DRAWS.consensus(loss), consensus.best_order(SCORES, loss)
        assert found.order == [LABELS[k] for k in plain.order]
        assert found.expected_loss == plain.expected_loss
        for order in (LABELS, tuple(LABELS), np.array(LABELS), pd.Series(LABELS), iter(LABELS)):
            expected = consensus.expected_loss(SCORES, range(5), loss)
            assert DRAWS.expected_loss(order, loss) == expected


def test_orders_of_numbers_can_be_written_down():
    order = br.ScoreDraws(SCORES).consensus().order
    assert json.loads(json.dumps(order)) == order


@pytest.mark.parametrize(
    ("order", "error", "words"),
    [
        (["a", "b", "c", "d"], ValueError, "missing: e"),
        ([], ValueError, "missing: d, b, e, a, c"),
        ([*LABELS, "f"], ValueError, "unknown: f"),
        ([*LABELS, None], ValueError, "unknown: None"),
        ([*LABELS, "a"], ValueError, "repeated: a"),
        ([["a"], "b", "c", "d", "e"], ValueError, "unknown"),
        ([0, 1, 2, 3, 4], ValueError, "unknown: 0, 1, 2, 3, 4"),
        ("abcde", TypeError, "'abcde'"),
        (None, TypeError, "None"),
        (5, TypeError, "5"),
        (set(LABELS), TypeError, ""),
    ],
    ids=count(),
)
def test_orders_that_are_refused(order, error, words):
    with pytest.raises(error, match=f"`order` must .*{words}"):
        DRAWS.expected_loss(order)


@pytest.mark.parametrize(
    "k", [0, -1, 6, 10**30, True, np.True_, 2.5, "2", "two", None, float("nan"), float("inf"), [1]]
)
def test_k_that_is_refused(k):
    with pytest.raises(ValueError, match=r"`k` must be a whole number from 1 to .* 5, got"):
        DRAWS.top(k)


@pytest.mark.parametrize(
    "prob", [0, 1, 95, -0.1, float("nan"), True, "0.9", None, [0.9], np.array([0.8, 0.9])], ids=str
)
@pytest.mark.parametrize(
    "ask",
    [
        lambda prob: DRAWS.ranking(prob),
        lambda prob: DRAWS.rank_intervals(prob),
        lambda prob: DRAWS.rank_intervals(prob, simultaneous=False),
        lambda prob: DRAWS.rank_intervals(prob, simultaneous="posterior"),
        lambda prob: DRAWS.best(prob),
        lambda prob: DRAWS.top(2, prob),
        lambda prob: DRAWS.tiers(prob),
        lambda prob: DRAWS.worths(prob),
        lambda prob: DRAWS.compare_ranking(DRAWS, prob),
    ],
    ids=count(),
)
def test_prob_that_is_refused(ask, prob):
    with pytest.raises(ValueError, match="`prob` must be between 0 and 1, got"):
        ask(prob)


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), "2", None, True])
def test_seconds_that_are_refused(seconds):
    with pytest.raises(ValueError, match="`seconds` must be a positive number, got"):
        DRAWS.consensus(seconds=seconds)


@pytest.mark.parametrize("simultaneous", ["prior", None, 2, [True]])
def test_simultaneous_that_is_refused(simultaneous):
    with pytest.raises(ValueError, match="`simultaneous` must be"):
        DRAWS.rank_intervals(simultaneous=simultaneous)


@pytest.mark.parametrize("loss", ["brier", None, 3, ["kendall"]])
def test_loss_that_is_refused(loss):
    for ask in (lambda: DRAWS.consensus(loss), lambda: DRAWS.expected_loss(LABELS, loss)):
        with pytest.raises(ValueError, match='`loss` must be one of "kendall", "spearman"'):
            ask()


def test_fits_answer_too(pudding):
    fit = br.fit(pudding, "davidson", method="laplace", seed=1, progress=False)
    found = fit.consensus("spearman")
    assert found.order == fit.expected_ranks().sort_values("mean").index.tolist()
    assert fit.expected_loss(found.order, "spearman") == pytest.approx(found.expected_loss)
    assert fit.probability_above().index.tolist() == pudding.items
    assert fit.worths()["worth"].sum() == pytest.approx(1.0)


def test_map_fits_say_what_they_lack(pudding):
    fit = br.fit(pudding, "davidson", method="map")
    worths = fit.worths()
    assert worths["worth"].sum() == pytest.approx(1.0)
    assert worths[["low", "high", "quasi_variance", "quasi_sd"]].isna().all(axis=None)
    for ask in (
        fit.rank_probabilities, fit.expected_ranks, fit.probability_above, fit.rank_intervals,
        fit.best, lambda: fit.top(2), fit.tiers, fit.consensus, fit.influence,
        lambda: fit.expected_loss(list("123456")), lambda: fit.compare_ranking(DRAWS),
        lambda: DRAWS.compare_ranking(fit),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="needs posterior draws, and a MAP fit has none"):
            ask()
