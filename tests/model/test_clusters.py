"""Models of clusters against mixtures of one-cluster models, value and gradient."""

import numpy as np
import pymc as pm
import pytest

import bayesrank as br
from bayesrank.model.clusters import ClusteredSpecification
from tests.judged_votes import votes_by_judges
from tests.modes import AS_WRITTEN

rng = np.random.default_rng(0)
LISTS = [list(rng.permutation(list("abcd"))) for _ in range(12)]
BY_AGENT = br.Rankings.from_lists(LISTS, agents=[k % 5 for k in range(12)])
ALONE = br.Rankings.from_lists(LISTS, weights=rng.integers(1, 5, size=12))
TIED = br.Rankings.from_lists([[{"a", "b"}, "c"], ["c", {"a", "b"}], ["a", "b", "c"]])
PAIRS = br.Comparisons.from_frame(votes_by_judges(votes=10), agent="judge")

CASES = {
    "agents": (BY_AGENT, "plackett-luce", {"scale": 0.7}),
    "learned scale": (BY_AGENT, "plackett-luce", {}),
    "flat": (ALONE, "plackett-luce", {"scale": np.inf}),
    "learned ties": (TIED, "davidson-luce", {"scale": 1.0}),
    "fixed ties": (TIED, "pmop", {"scale": 1.0}),
    "unseen order": (TIED, "partitioned-plackett-luce", {"scale": 1.0}),
    "pairs": (PAIRS, "davidson", {"order_effect": True}),
}


def clustered(name, clusters=2):
    data, likelihood, options = CASES[name]
    return ClusteredSpecification(br.Specification(data, likelihood, **options), clusters)


def written_out(model, x):
    """Return the log-posterior from that of one cluster and the likelihood of its rows."""
    inside, log_share = model.split(x)
    single, value, joint = model.single, 0.0, []
    for part, log_weight in zip(inside, log_share, strict=True):
        values = single.split(part)
        rows = single.observation.log_likelihood(values)
        value += single.objective(part, jacobian=True)[0] - rows.sum()
        if single.data.agents is None:
            joint.append(single.observation.single_log_likelihood(values) + log_weight)
        else:
            joint.append(np.bincount(single.data.agent, rows) + log_weight)
    times = single.data.weights if single.data.agents is None else 1.0
    value += np.sum(times * np.logaddexp.reduce(joint, axis=0))
    if not single.flat:
        value += np.log(1.0)  # Gamma(2), the density of shares of two clusters
    return value + np.log(2.0) + log_share.sum()


@pytest.mark.parametrize("name", CASES)
def test_objective(name):
    model = clustered(name)
    x = np.random.default_rng(1).normal(size=model.size)
    value, gradient = model.objective(x, jacobian=True)
    assert value == pytest.approx(written_out(model, x), rel=1e-11)
    for e in np.eye(model.size):
        slope = [model.objective(x + h * e, jacobian=True)[0] for h in (1e-5, -1e-5)]
        assert gradient @ e == pytest.approx((slope[0] - slope[1]) / 2e-5, rel=1e-5, abs=1e-5)


def test_objective_is_that_of_a_mixture_in_pymc():
    model = clustered("agents", 3)
    data = model.data
    with pm.Model() as by_hand:
        score = [pm.ZeroSumNormal(f"score_{k}", np.float64(0.7), shape=4) for k in range(3)]
        share = pm.Dirichlet("share", np.ones(3))
        groups = [br.PlackettLuce.dist(s[data.entries], data.offered) for s in score]
        br.Mixture("ranks", share, groups, agent=data.agent, observed=data.ranks)
    x = np.random.default_rng(2).normal(size=model.size)
    point = {f"score_{k}_zerosum__": x[3 * k : 3 * k + 3] for k in range(3)}
    point["share_simplex__"] = x[9:]
    with by_hand:
        expected = by_hand.compile_logp(mode=AS_WRITTEN)(point)
    assert model.objective(x, jacobian=True)[0] == pytest.approx(float(expected), rel=1e-11)


def test_the_model_of_one_cluster_is_left_as_it_was():
    data, likelihood, options = CASES["pairs"]
    single = br.Specification(data, likelihood, **options)
    x = np.random.default_rng(1).normal(size=single.size)
    before = single.objective(x)[0]
    model = ClusteredSpecification(single, 2)
    model.objective(np.zeros(model.size))
    assert single.objective(x)[0] == before
    assert br.Specification(data, likelihood, **options).objective(x)[0] == before


def test_the_order_of_clusters():
    model = clustered("agents", 3)
    x = np.random.default_rng(3).normal(size=(2, model.size))
    order = np.array([2, 0, 1])
    for one, other in zip(x, model.in_order(x, order), strict=True):
        np.testing.assert_allclose(model.split(other)[1], model.split(one)[1][order], rtol=1e-12)
        np.testing.assert_array_equal(model.split(other)[0], model.split(one)[0][order])
        assert model.objective(other)[0] == pytest.approx(model.objective(one)[0], rel=1e-12)
    inside, log_share = model.split(x[0])
    np.testing.assert_allclose(model.joined(inside, np.exp(log_share)), x[0], rtol=1e-9)


def test_what_clusters_are_not_for_is_refused():
    games, timed = br.load_dataset("pudding"), br.load_dataset("bundesliga")
    for data, likelihood, options, why in [
        (BY_AGENT, "mpm", {}, 'not for "mpm"'),
        (games, "davidson", {}, 'who judged.*agent="judge"'),
        (timed, "davidson", {"scores": "walk"}, "who judged|cannot be combined"),
        (PAIRS, "davidson", {"ties": "by-agent"}, "cannot be combined"),
    ]:
        single = br.Specification(data, likelihood, **options)
        with pytest.raises(ValueError, match=why):
            ClusteredSpecification(single, 2)
    single = br.Specification(BY_AGENT, "plackett-luce")
    with pytest.raises(ValueError, match="fewer than there are agents, got 5 for 5"):
        ClusteredSpecification(single, 5)
    with pytest.raises(ValueError, match="whole number from 2 up"):
        ClusteredSpecification(single, 1)
