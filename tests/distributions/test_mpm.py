"""The multinomial preference model against plain references, and against itself."""

from itertools import combinations, product

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from pymc.logprob.utils import ParameterValueError
from scipy import stats
from scipy.special import gammaln

import bayesrank as br
from tests.distributions.mpm_cases import (
    LEFT,
    RIGHT,
    ROWS,
    SCORE,
    SEVERAL,
    VARIANCE,
    outcomes,
    variances,
)
from tests.modes import AS_WRITTEN, FAST


def logp(variable, value):
    return pm.logp(variable, np.asarray(value)).eval(mode=AS_WRITTEN)


def probabilities(score, variance, adherence):
    """Return the probability that any of all ordered pairs is what an agent prefers next."""
    variance = np.broadcast_to(variance, score.shape)
    pairs = [(i, j) for i, j in product(range(score.size), repeat=2) if i != j]
    weights = [
        np.exp(adherence * (score[i] - score[j]) / (variance[i] + variance[j])) for i, j in pairs
    ]
    return dict(zip(pairs, np.array(weights) / np.sum(weights), strict=True))


def reference(score, variance, adherence, left, right, counts):
    """Return the log-probability of one ballot whose rows are different pairs."""
    p = probabilities(score, variance, adherence)
    seen = dict.fromkeys(p, 0)
    for i, j, (wins, losses, _) in zip(left, right, counts, strict=True):
        seen[i, j] += wins
        seen[j, i] += losses
    seen = np.array([seen[pair] for pair in p])
    return stats.multinomial.logpmf(seen, seen.sum(), list(p.values()))


SCORES = np.append(SCORE, [0.3, -0.3])
ADHERENCES = np.array([np.nan, 0.4, np.nan, np.nan, 0.9])  # those of others are not looked at


@pytest.mark.parametrize("variance", [0.4, np.append(VARIANCE, [0.2, 1.5])], ids=["one", "by item"])
def test_logp_has_one_term_for_each_agent_and_instance(variance):
    rng = np.random.default_rng(0)
    counts = np.insert(rng.integers(0, 5, size=(7, 2)), 2, 0, axis=1)
    n = [counts[rows].sum() for rows in ROWS]
    variable = br.MPM.dist(SCORES, variance, ADHERENCES, **SEVERAL, n=n)
    own = np.broadcast_to(variance, SCORES.shape)
    parts = [(0, 3, 0.4), (0, 3, 0.9), (3, 5, 0.9)]
    expected = [
        reference(
            SCORES[start:stop], own[start:stop], adherence, SEVERAL["left"][rows] - start,
            SEVERAL["right"][rows] - start, counts[rows],
        )
        for rows, (start, stop, adherence) in zip(ROWS, parts, strict=True)
    ]  # fmt: skip
    np.testing.assert_allclose(logp(variable, counts), expected, rtol=1e-12)
    weighted = br.MPM.dist(SCORES, variance, ADHERENCES, **SEVERAL, n=n, weight=[0.5, 2.0, 0.1])
    np.testing.assert_allclose(logp(weighted, counts), expected * np.array([0.5, 2.0, 0.1]))


def test_one_adherence_and_one_weight_are_for_all():
    counts = np.insert(np.ones((7, 2), dtype=int), 2, 0, axis=1)
    several = br.MPM.dist(
        SCORES, 0.5, np.full(5, 0.7), **SEVERAL, weight=np.full(3, 0.1), n=[6, 6, 2]
    )
    for adherence in (0.7, [0.7]):
        single = br.MPM.dist(SCORES, 0.5, adherence, **SEVERAL, weight=0.1, n=[6, 6, 2])
        np.testing.assert_allclose(logp(single, counts), logp(several, counts), rtol=1e-14)


@variances
@pytest.mark.parametrize("n", [2, 3])
def test_probabilities_of_all_outcomes_sum_to_one(variance, n):
    value, adherence = pt.lmatrix("value"), pt.dscalar("adherence")
    variable = br.MPM.dist(SCORE, variance, adherence, LEFT, RIGHT, n=n)
    f = pytensor.function([value, adherence], pm.logp(variable, value), mode=AS_WRITTEN)
    for theta in (0.0, 0.6, 1.0):
        total = sum(np.exp(f(outcome, theta)[0]) for outcome in outcomes(n))
        assert total == pytest.approx(1.0, abs=1e-12)


def chi_square(draws, values, p):
    """Return the statistic and its degrees of freedom, and that nothing else was drawn."""
    observed = np.array([np.all(draws == value, axis=(1, 2)).sum() for value in values])
    assert observed.sum() == len(draws)
    return stats.chisquare(observed, len(draws) * p).statistic, len(values) - 1


@variances
def test_sampler_matches_logp(variance):
    value = pt.lmatrix("value")
    variable = br.MPM.dist(SCORE, variance, 0.7, LEFT, RIGHT, n=2)
    f = pytensor.function([value], pm.logp(variable, value), mode=AS_WRITTEN)
    p = np.exp([f(outcome)[0] for outcome in outcomes(2)])
    draws = pm.draw(variable, draws=10_000, random_seed=5, mode=FAST)
    # One chi-square at a fixed seed; a right sampler fails it once in ten thousand seeds.
    assert stats.chi2.sf(*chi_square(draws, outcomes(2), p)) > 1e-4


def test_agents_and_instances_are_drawn_independently():
    """Each ballot by its own probabilities, and ballots together by their product."""
    rows = [(i, j, a) for a in range(2) for i, j in combinations(range(3), 2)]
    rows += [(3, 4, 0), (3, 4, 1)]
    left, right, agent = np.array(rows)[np.random.default_rng(1).permutation(8)].T
    own = np.append(VARIANCE, [0.2, 1.5])
    theta = [0.3, 1.0]
    instance = SEVERAL["instance"]
    variable = br.MPM.dist(SCORES, own, theta, left, right, agent, instance=instance)
    draws = pm.draw(variable, draws=8000, random_seed=2, mode=FAST)
    assert not draws[:, :, 2].any()

    def drawn(a, first, size):
        """Return which ordered pair was drawn each time, and the pairs' probabilities."""
        rows = np.flatnonzero((agent == a) & (instance[left] == instance[first]))
        assert np.all(draws[:, rows].sum(axis=(1, 2)) == 1)
        p = probabilities(SCORES[first : first + size], own[first : first + size], theta[a])
        pairs = [(left[r] - first, right[r] - first) for r in rows]
        pairs = [pair for i, j in pairs for pair in ((i, j), (j, i))]
        which = draws[:, rows, :2].reshape(len(draws), -1).argmax(axis=1)
        return which, np.array([p[pair] for pair in pairs])

    ballots = [drawn(0, 0, 3), drawn(1, 0, 3), drawn(0, 3, 2), drawn(1, 3, 2)]
    statistic, freedom = 0.0, 0
    for (one, p), (other, q) in ((ballots[0], ballots[1]), (ballots[2], ballots[3])):
        observed = np.bincount(one * q.size + other, minlength=p.size * q.size)
        result = stats.chisquare(observed, len(draws) * np.outer(p, q).ravel())
        statistic, freedom = statistic + result.statistic, freedom + observed.size - 1
    assert stats.chi2.sf(statistic, freedom) > 1e-4


def test_draws_compile_with_numba():
    """Warnings are errors here, and Numba warns when it falls back to object mode."""
    variable = br.MPM.dist(SCORE, VARIANCE, 0.5, LEFT, RIGHT, n=5)
    draws = pm.draw(variable, draws=3, random_seed=1, mode="NUMBA")
    assert draws.shape == (3, 3, 3) and np.all(draws.sum(axis=(1, 2)) == 5)


def test_impossible_counts_have_probability_zero():
    """For the ballot that holds them; others keep their own."""
    agent, n = np.repeat([0, 1, 2], 3), np.array([2, 2, 2])
    value = pt.lmatrix("value")
    variable = br.MPM.dist(SCORE, 0.5, 0.5, np.tile(LEFT, 3), np.tile(RIGHT, 3), agent, n=n)
    f = pytensor.function([value], pm.logp(variable, value), mode=AS_WRITTEN)
    usual = np.tile([[1, 0, 0], [0, 1, 0], [0, 0, 0]], (3, 1))
    expected = f(usual)
    assert np.isfinite(expected).all()
    for bad in ([1, 0, 1], [-1, 2, 0], [2, -1, 0], [3, 0, 0], [0, 0, 0], [1, 1, -1]):
        for ballot in range(3):
            changed = usual.copy()
            changed[3 * ballot] = bad
            others = np.arange(3) != ballot
            result = f(changed)
            assert result[ballot] == -np.inf, bad
            np.testing.assert_array_equal(result[others], expected[others])


@pytest.mark.parametrize(
    "parameters",
    [
        {"adherence": 1.01},
        {"adherence": -0.01},
        {"adherence": np.nan},
        {"variance": 0.0},
        {"variance": -0.5},
        {"variance": [0.5, 0.0, 0.5]},
        {"variance": [0.5, -1.0, 0.5]},
        {"weight": 0.0},
        {"weight": -1.0},
    ],
    ids=str,
)
def test_parameters_outside_their_range_are_refused(parameters):
    given = {"variance": 0.5, "adherence": 0.5} | parameters
    variable = br.MPM.dist(SCORE, left=LEFT, right=RIGHT, **given)
    with pytest.raises(ParameterValueError, match="0 <= adherence <= 1, variance > 0, weight > 0"):
        logp(variable, [[1, 0, 0], [0, 0, 0], [0, 0, 0]])


def test_the_ends_of_the_range_are_inside():
    value = np.array([[3, 1, 0], [0, 2, 0], [1, 1, 0]])
    for adherence in (0.0, 1.0):
        variable = br.MPM.dist(SCORE, VARIANCE, adherence, LEFT, RIGHT, n=8)
        expected = reference(SCORE, VARIANCE, adherence, LEFT, RIGHT, value)
        np.testing.assert_allclose(logp(variable, value), [expected], rtol=1e-12)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([0, 1], [1, 2]),
        ([0, 0, 1, 1], [1, 2, 2, 0]),
        ([0, 0, 1], [1, 1, 2]),
    ],
    ids=["a pair is missing", "a pair is there twice", "both"],
)
@pytest.mark.parametrize("score", [SCORE, np.zeros(3)], ids=["unequal", "equal"])
def test_drawing_needs_every_pair_once(left, right, score):
    variable = br.MPM.dist(score, 0.5, 0.9, np.array(left), np.array(right), n=5)
    with pytest.raises(ValueError, match=r"List all pairs \(Comparisons.completed\(\)\)"):
        pm.draw(variable, mode=FAST)


def test_pairs_that_are_not_listed_count_in_the_normaliser():
    counts = np.array([[3, 1, 0], [0, 2, 0]])
    some = br.MPM.dist(SCORE, VARIANCE, 0.9, LEFT[:2], RIGHT[:2], n=6)
    every = br.MPM.dist(SCORE, VARIANCE, 0.9, LEFT, RIGHT, n=6)
    np.testing.assert_allclose(
        logp(some, counts), logp(every, np.vstack([counts, [0, 0, 0]])), rtol=1e-13
    )


@variances
def test_rows_of_the_same_pair_add_up(variance):
    """Turned round or not, they differ from one row by a constant, the ways to share out counts."""
    score = pt.vector("score", shape=(3,))
    once = br.MPM.dist(score, variance, 0.9, LEFT, RIGHT, n=10)
    often = br.MPM.dist(
        score, variance, 0.9, np.append(LEFT, [1, 0]), np.append(RIGHT, [0, 1]), n=10
    )
    terms = [
        pm.logp(once, np.array([[4, 3, 0], [0, 2, 0], [1, 0, 0]])).sum(),
        pm.logp(often, np.array([[1, 2, 0], [0, 2, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0]])).sum(),
    ]
    outputs = [*terms, *(pytensor.grad(term, score) for term in terms)]
    f = pytensor.function([score], outputs, mode=AS_WRITTEN)
    results = [f(x) for x in (SCORE, 3.0 * SCORE, np.zeros(3))]
    differences = [one - other for one, other, _, _ in results]
    np.testing.assert_allclose(differences, differences[0], rtol=1e-12)
    for _, _, one, other in results:
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def test_support_point_is_possible():
    variable = br.MPM.dist(SCORES, 0.5, ADHERENCES, **SEVERAL, n=[3, 1, 7])
    point = pm.distributions.distribution.support_point(variable).eval(mode=FAST)
    assert [point[rows].sum() for rows in ROWS] == [3, 1, 7]
    assert np.isfinite(logp(variable, point)).all()


def test_in_a_model():
    """Totals come from the data; predictions keep them; one term of the likelihood a ballot."""
    left, right, agent = np.tile(LEFT, 2), np.tile(RIGHT, 2), np.repeat([0, 1], 3)
    counts = np.array([[2, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 2, 0], [0, 5, 0]])
    with pm.Model() as model:
        score = pm.ZeroSumNormal("score", 1.0, shape=3)
        adherence = pm.Uniform("adherence", 0.0, 1.0, shape=2)
        observed = pm.Data("observed", counts)
        br.MPM("y", score, VARIANCE, adherence, left, right, agent, observed=observed)
    options = {"random_seed": 1, "compile_kwargs": {"mode": FAST}}
    with model:
        prior = pm.sample_prior_predictive(draws=4, **options)
        predicted = prior["prior_predictive"]["y"].values
        assert predicted.shape == (1, 4, 6, 3)
        assert np.all(predicted.reshape(4, 2, 9).sum(axis=2) == [4, 7])
        prior["posterior"] = prior["prior"]
        terms = pm.compute_log_likelihood(
            prior, extend_inferencedata=False, progressbar=False, compile_kwargs={"mode": FAST}
        )
    terms = terms["y"] if "y" in terms else terms["log_likelihood"]["y"]
    assert terms.shape == (1, 4, 2)
    for draw in range(4):
        point = {name: prior["prior"][name].values[0, draw] for name in ("score", "adherence")}
        for a in range(2):
            rows = slice(3 * a, 3 * a + 3)
            expected = reference(
                point["score"], VARIANCE, point["adherence"][a], LEFT, RIGHT, counts[rows]
            )
            assert terms.values[0, draw, a] == pytest.approx(expected, rel=1e-10)


def test_items_that_nobody_mentions_come_last():
    """Also where PyTensor does not know how many items there are."""
    counts = np.array([[2, 1, 0], [0, 0, 0], [0, 1, 0]])
    with pm.Model(coords={"item": list("abcd")}) as model:
        score = pm.ZeroSumNormal("score", 1.0, dims="item")
        br.MPM("y", score, 0.5, 1.0, LEFT, RIGHT, observed=counts)
    f = model.compile_fn(model.logp(vars=[model["y"]]), mode=FAST)
    expected = reference(np.zeros(4), 0.5, 1.0, LEFT, RIGHT, counts)
    assert f(model.initial_point()) == pytest.approx(expected, rel=1e-12)


def test_weighted_counts_are_not_truncated():
    counts = np.array([[2.5, 1.0, 0.0], [0.25, 0.0, 0.0], [0.0, 0.0, 0.0]])
    with pm.Model() as model:
        br.MPM("y", SCORE, VARIANCE, 0.8, LEFT, RIGHT, observed=counts)
    p = probabilities(SCORE, VARIANCE, 0.8)
    expected = 2.5 * np.log(p[0, 1]) + np.log(p[1, 0]) + 0.25 * np.log(p[0, 2])
    expected += gammaln(counts.sum() + 1) - gammaln(counts + 1).sum()
    assert model.compile_logp(mode=FAST)({}) == pytest.approx(expected, rel=1e-12)


NONE = {"score": SCORE, "variance": 0.5, "adherence": 1.0, "left": LEFT, "right": RIGHT}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": np.zeros((3, 1))}, "`score` must be a vector"),
        ({"score": np.zeros(2)}, "point at item 2, but there are 2 scores"),
        ({"left": LEFT[:2]}, r"`right` must have one number a row, got shape \(3,\)"),
        ({"left": LEFT[None]}, "`left` must have one number a row"),
        ({"left": LEFT[:0], "right": RIGHT[:0]}, "`left` must have one number a row"),
        ({"left": LEFT.astype(float)}, "`left` must hold positions from 0 up"),
        ({"right": -RIGHT}, "`right` must hold positions from 0 up"),
        ({"agent": np.array([0, 1])}, r"`agent` must have one number a row, got shape \(2,\)"),
        ({"agent": np.array([0, -1, 0])}, "`agent` must hold positions from 0 up"),
        ({"right": np.array([1, 0, 2])}, "preferred to itself: row 1"),
        (
            {"adherence": np.ones(2), "agent": np.array([0, 1, 2])},
            "`agent` points at 2, but there are 2 adherences",
        ),
        ({"instance": np.zeros(2, dtype=int)}, r"each of the 3 items, got shape \(2,\)"),
        ({"instance": np.zeros(3)}, "`instance` must hold a whole number .* of float64"),
        ({"instance": np.array([1, 1, 1])}, "`instance` must number the instances 0, 1"),
        ({"instance": np.array([0, 2, 2])}, "`instance` must number the instances 0, 1"),
        ({"instance": np.array([0, 0, 1])}, "A pair must lie in one instance: row 1"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        br.MPM.dist(**(NONE | arguments))


@pytest.mark.parametrize(
    ("observed", "message"),
    [
        (np.zeros((3, 2), dtype=int), r"\(left wins, right wins, ties\) on its last axis"),
        (np.zeros(3, dtype=int), r"got shape \(3,\)"),
        (np.array([[1, 0, 0], [0, -1, 0], [0, 0, 0]]), r"from 0 up: row 1 holds \[0, -1, 0\]"),
        (np.array([[1.0, np.nan, 0], [0, 0, 0], [0, 0, 0]]), "finite counts.* row 0"),
        (np.array([[1, 0, 0], [0, 0, 0], [0, 0, 2]]), r"Ties.* are outside .* row 2"),
        (np.zeros((4, 3), dtype=int), "`observed`"),
        (np.zeros((2, 3), dtype=int), "`observed`"),
    ],
    ids=["two columns", "no rows", "negative", "missing", "ties", "too many rows", "too few rows"],
)
def test_observed_counts_that_do_not_fit_are_refused(observed, message):
    with pm.Model(), pytest.raises(ValueError, match=message):
        br.MPM("y", **NONE, observed=observed)


def test_there_are_no_batches():
    with pytest.raises(NotImplementedError, match="no batch dimensions"):
        br.MPM.dist(**NONE, size=4)
