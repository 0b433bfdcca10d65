"""Mixtures against sums over their components, for every distribution of rankings and of pairs."""

from itertools import permutations, product

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from pymc.logprob.utils import ParameterValueError
from scipy.special import logsumexp

import bayesrank as br
from bayesrank import _compat
from tests.distributions.densities import logp
from tests.modes import AS_WRITTEN, FAST

RANKS = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1], [1, 2, 0], [2, 1, 3]])
COUNTS = np.array([[2, 1, 0], [0, 3, 0], [1, 1, 0], [0, 1, 0], [4, 0, 0]])
SHARE = np.array([0.3, 0.7])
AGENT = np.array([0, 2, 0, 1, 2])
SCORES = np.random.default_rng(0).normal(size=(2, 5, 3))

PAIR = {"n": COUNTS.sum(axis=1)}
CASES = {
    "PlackettLuce": (lambda s: br.PlackettLuce.dist(s), RANKS),
    "PartitionedPlackettLuce": (lambda s: br.PartitionedPlackettLuce.dist(s), RANKS),
    "PMOP": (lambda s: br.PMOP.dist(s, tie=0.4), RANKS),
    "PMOP geometric": (lambda s: br.PMOP.dist(s, tie=0.4, potential="geometric"), RANKS),
    "Thurstone": (lambda s: br.Thurstone.dist(s), RANKS),
    "BradleyTerry": (lambda s: br.BradleyTerry.dist(s[:, 0], s[:, 1], **PAIR), COUNTS),
    "Davidson": (lambda s: br.Davidson.dist(s[:, 0], s[:, 1], 0.6, **PAIR), COUNTS),
    "RaoKupper": (lambda s: br.RaoKupper.dist(s[:, 0], s[:, 1], 1.5, **PAIR), COUNTS),
    "ThurstonePairs": (lambda s: br.ThurstonePairs.dist(s[:, 0], s[:, 1], **PAIR), COUNTS),
}


def by_agent(make, value, share=SHARE, agent=AGENT):
    """Return the log-probability of each agent's rows, from the components' own."""
    rows = np.stack([logp(make(s), value) for s in SCORES], axis=-1)
    sums = np.zeros((agent.max() + 1, 2))
    np.add.at(sums, agent, rows)
    return logsumexp(np.log(share) + sums, axis=-1)


@pytest.mark.parametrize("name", CASES)
def test_rows_of_an_agent_belong_together(name):
    make, value = CASES[name]
    mixture = br.Mixture.dist(SHARE, [make(s) for s in SCORES], agent=AGENT)
    np.testing.assert_allclose(logp(mixture, value), by_agent(make, value), rtol=1e-12)


@pytest.mark.parametrize("name", ["PlackettLuce", "Davidson"])
def test_gradient(name):
    make, value = CASES[name]

    def total(x):
        s = x.reshape((2, 5, 3))
        mixture = br.Mixture.dist(SHARE, [make(s[0]), make(s[1])], agent=AGENT)
        return pm.logp(mixture, value).sum()

    x = pt.vector("x", shape=(30,))
    at = SCORES.ravel()
    found = pt.grad(total(x), x).eval({x: at}, mode=AS_WRITTEN)
    value_at = total(x)
    for k in (0, 7, 16, 29):
        h = 1e-5 * (np.arange(30) == k)
        slope = (
            value_at.eval({x: at + h}, mode=AS_WRITTEN)
            - value_at.eval({x: at - h}, mode=AS_WRITTEN)
        ) / 2e-5
        assert found[k] == pytest.approx(slope, abs=1e-8)


def two_rankings(agents):
    """Return a mixture in which each agent ranks the same three items twice."""
    score = np.array([[1.5, 0.0, -1.0], [-1.0, 0.5, 0.5]])
    components = [br.PlackettLuce.dist(np.tile(s, (2 * agents, 1))) for s in score]
    return br.Mixture.dist(SHARE, components, agent=np.repeat(np.arange(agents), 2))


def test_probabilities_of_all_outcomes_sum_to_one():
    orders = list(permutations([1, 2, 3]))
    outcomes = np.array(list(product(orders, orders))).reshape(-1, 3)
    p = np.exp(logp(two_rankings(36), outcomes))
    assert p.sum() == pytest.approx(1.0, abs=1e-12)


def test_draws_agree_with_the_density():
    orders = list(permutations([1, 2, 3]))
    outcomes = np.array(list(product(orders, orders)))
    p = np.exp(logp(two_rankings(36), outcomes.reshape(-1, 3)))
    agents = 20_000
    drawn = pm.draw(two_rankings(agents), random_seed=1, mode=FAST).reshape(agents, 2, 3)
    share = np.array([(drawn == outcome).all(axis=(1, 2)).mean() for outcome in outcomes])
    z = (share - p) / np.sqrt(p * (1.0 - p) / agents)
    assert np.abs(z).max() < 5.0  # of 36 shares: once in a hundred thousand times


def test_rows_alone_are_a_mixture_of_rows():
    """As PyMC's own mixture has it, of one component with an axis of components."""
    ours = br.Mixture.dist(SHARE, [br.PlackettLuce.dist(s) for s in SCORES])
    theirs = pm.Mixture.dist(w=SHARE, comp_dists=br.PlackettLuce.dist(np.moveaxis(SCORES, 0, 1)))
    np.testing.assert_allclose(logp(ours, RANKS), logp(theirs, RANKS), rtol=1e-12)


def test_shares_may_differ_between_agents_and_agents_may_count_more_than_once():
    make, value = CASES["PlackettLuce"]
    share, weight = np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]), np.array([1.0, 3.0, 0.5])
    mixture = br.Mixture.dist(share, [make(s) for s in SCORES], agent=AGENT, weight=weight)
    with np.errstate(divide="ignore"):
        expected = weight * by_agent(make, value, share)
    np.testing.assert_allclose(logp(mixture, value), expected, rtol=1e-12)


def test_one_ranking_of_scores_serves_all_rows():
    one = [br.PlackettLuce.dist(s[0]) for s in SCORES]
    full = [br.PlackettLuce.dist(np.tile(s[0], (5, 1))) for s in SCORES]
    values = [logp(br.Mixture.dist(SHARE, x, agent=AGENT), RANKS) for x in (one, full)]
    np.testing.assert_allclose(*values, rtol=1e-12)


@pytest.fixture(scope="module")
def model():
    with pm.Model() as model:
        share = pm.Dirichlet("share", [1.0, 1.0])
        score = pm.ZeroSumNormal("score", 1.0, shape=(2, 3))
        groups = [br.PlackettLuce.dist(score[k]) for k in range(2)]
        br.Mixture("ranks", share, groups, agent=AGENT, observed=RANKS)
    return model


def test_probabilities_of_components_and_log_likelihood_of_agents(model):
    rng = np.random.default_rng(0)
    share = rng.dirichlet([1.0, 1.0], size=(1, 4))
    score = rng.normal(size=(1, 4, 2, 3))
    score -= score.mean(axis=-1, keepdims=True)
    dims = ("chain", "draw")
    draws = xr.Dataset(
        {"share": ((*dims, "k"), share), "score": ((*dims, "group", "item"), score)},
        coords={"chain": [0], "draw": np.arange(4)},
    )
    found = br.Mixture.probabilities(draws, model=model)
    assert found.dims == ("chain", "draw", "agent", "component") and found.shape == (1, 4, 3, 2)
    rows = [[logp(br.PlackettLuce.dist(s), RANKS) for s in score[0, d]] for d in range(4)]
    sums = np.zeros((3, 4, 2))
    np.add.at(sums, AGENT, np.moveaxis(rows, -1, 0))
    joint = np.log(share[0]) + sums
    total = logsumexp(joint, axis=-1)
    np.testing.assert_allclose(
        found.values[0], np.moveaxis(np.exp(joint - total[..., None]), 0, 1), rtol=1e-9
    )
    idata = _compat.make_idata({"posterior": draws})
    with model:
        values = pm.compute_log_likelihood(idata, progressbar=False, extend_inferencedata=False)
    np.testing.assert_allclose(np.asarray(values["ranks"])[0], total.T, rtol=1e-9)


def test_what_cannot_be_is_refused(model):
    make, _ = CASES["PlackettLuce"]
    two = [make(s) for s in SCORES]
    with pytest.raises(ValueError, match="two or more, got 1"):
        br.Mixture.dist([1.0], two[:1])
    with pytest.raises(ValueError, match="each of the 2 components"):
        br.Mixture.dist([0.2, 0.3, 0.5], two)
    with pytest.raises(TypeError, match=r"made with \.dist"):
        br.Mixture.dist(SHARE, [pm.Normal.dist(), pm.Normal.dist()])
    with pytest.raises(ValueError, match="Nothing says how many rows"):
        br.Mixture.dist(SHARE, [make(s[0]) for s in SCORES])
    with pytest.raises(ValueError, match="position from 0 up"):
        br.Mixture.dist(SHARE, two, agent=[0, -1, 1, 1, 1])
    with pytest.raises(NotImplementedError, match="no `size`"):
        br.Mixture.dist(SHARE, two, size=3)
    with pytest.raises(ParameterValueError, match="sum"):
        logp(br.Mixture.dist([0.5, 0.6], two), RANKS)
    with pytest.raises(ValueError, match="must be one of the model's observed mixtures: ranks"):
        br.Mixture.probabilities(None, "other", model)
    with pm.Model():
        with pytest.raises(ValueError, match="leave `dims` out"):
            br.Mixture("a", SHARE, two, agent=AGENT, observed=RANKS, dims=("row", "slot"))
        with pytest.raises(ValueError, match=r"without a gap.*row 0 holds"):
            br.Mixture("b", SHARE, two, agent=AGENT, observed=2 * RANKS)
        pairs = [br.BradleyTerry.dist(s[:, 0], s[:, 1]) for s in SCORES]
        with pytest.raises(ValueError, match=r"add up to `n`.*n=counts\.sum"):
            br.Mixture("c", SHARE, pairs, agent=AGENT, observed=COUNTS)
        with pytest.raises(ValueError, match="must hold -1 in slots that are not `offered`"):
            br.Mixture("e", SHARE, two, observed=np.where(RANKS == 3, -1, RANKS))
        with pytest.raises(ValueError, match="one row for each row of a component, got 3 rows"):
            br.Mixture("d", SHARE, two, observed=RANKS[:3])


def test_an_unobserved_mixture_is_drawn_and_not_sampled():
    with pm.Model() as model:
        br.Mixture("free", SHARE, [br.PlackettLuce.dist(s) for s in SCORES], agent=AGENT)
    with pytest.raises(ValueError, match="'free' is not observed"):
        model.logp()
