"""Fits of several clusters: printed numbers, simulated groups, and the sampler's coordinates."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference.clusters import _ClusterCoordinates, _Mode
from bayesrank.inference.options import Options
from bayesrank.model.clusters import ClusteredSpecification

# How 2,262 Germans ranked four political goals: order, a say, prices, free speech.
# Croon (1989), with the counts of each of the 24 rankings.
GOALS = {
    "1234": 137, "1243": 29, "1324": 309, "1342": 52, "1423": 255, "1432": 93, "2134": 48,
    "2143": 23, "2314": 330, "2341": 21, "2413": 294, "2431": 30, "3124": 61, "3142": 33,
    "3214": 117, "3241": 29, "3412": 70, "3421": 35, "4123": 55, "4132": 59, "4213": 69,
    "4231": 52, "4312": 34, "4321": 27,
}  # fmt: skip
QUIET = {"progress": False}


@pytest.fixture(scope="module")
def goals():
    ranks = np.array([[int(rank) for rank in key] for key in GOALS])
    return br.Rankings.from_matrix(
        ranks, ["order", "say", "prices", "speech"], weights=list(GOALS.values())
    )


def two_groups(seed, agents=40):
    """Return three ballots of each agent, and which of two orders it follows."""
    rng = np.random.default_rng(seed)
    group = (np.arange(agents) >= 0.6 * agents).astype(int)
    score = np.array([[2.0, 1.2, 0.4, -0.4, -1.2, -2.0], [-1.2, 2.0, -2.0, 0.4, 1.2, -0.4]])
    agent = np.repeat(np.arange(agents), 3)
    order = np.argsort(-(score[group[agent]] + rng.gumbel(size=(agent.size, 6))), axis=1)
    lists = np.array(list("abcdef"))[order].tolist()
    return br.Rankings.from_lists(lists, agents=agent.tolist()), group, score


def test_printed_likelihoods_and_shares(goals):
    """Of one, two and three clusters: -6427.050, -6311.686 and -6281.361."""
    one = br.fit(goals, "plackett-luce", method="map", scale=np.inf, clusters=1, **QUIET)
    assert isinstance(one, br.Fit)
    single = one.specification.observation.single_log_likelihood(one.values(0))
    assert goals.weights @ single == pytest.approx(-6427.050, abs=6e-4)
    found = {}
    for clusters, printed in ((2, -6311.686), (3, -6281.361)):
        options = {"method": "map", "scale": np.inf, "clusters": clusters, **QUIET}
        if clusters == 3:
            with pytest.warns(UserWarning, match="at least 6 items"):
                fit = br.fit(goals, "plackett-luce", **options)
        else:
            fit = br.fit(goals, "plackett-luce", **options)
        assert goals.weights @ fit.log_likelihood[0] == pytest.approx(printed, abs=6e-4)
        found[clusters] = fit
    share = found[3].clusters().sizes["share"]
    np.testing.assert_allclose(share, [0.453, 0.322, 0.225], atol=2e-3)
    assert found[3].clusters().sizes["members"].sum() == 2262


@pytest.mark.parametrize("scale", [1.0, None])
def test_simulated_groups_are_found(scale):
    data, group, score = two_groups(1)
    fit = br.fit(data, "plackett-luce", clusters=2, method="map", scale=scale, **QUIET)
    found = fit.clusters()
    # Who knows the scores errs for one agent in about four hundred.
    right = found.agents["cluster"].to_numpy() - 1 == group[[int(k) for k in found.agents.index]]
    assert right.mean() >= 0.95
    assert (
        found.sizes["members"].tolist() == [right.size * 0.6, right.size * 0.4] or right.mean() < 1
    )
    for k in range(2):
        assert np.corrcoef(fit.scores(k + 1)[0], score[k])[0, 1] > 0.9
    if scale is None:
        assert "prior scales" in fit.note and (fit.posterior["scale"] > 0.5).all()


def test_coordinates_of_the_sampler():
    model = ClusteredSpecification(
        br.Specification(two_groups(2)[0], "plackett-luce", scale=1.0), 2
    )
    mode = _Mode(model, Options())
    coordinates = _ClusterCoordinates(model, mode.x)
    z = np.random.default_rng(0).normal(size=(3, model.size))
    value, gradient = coordinates.objective(z[0])
    there = coordinates.points(z)
    # The map is linear where the scale is given, so its Jacobian is the same everywhere.
    other = [coordinates.objective(row)[0] - value for row in z[1:]]
    known = [model.objective(x, jacobian=True)[0] for x in there]
    np.testing.assert_allclose(other, np.array(known[1:]) - known[0], rtol=1e-8)
    for e in np.eye(model.size)[::3]:
        ends = [coordinates.objective(z[0] + h * e)[0] for h in (1e-5, -1e-5)]
        assert gradient @ e == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-5)


@pytest.mark.filterwarnings("ignore:Leaving out one agent")  # of so few
def test_draws_of_the_posterior():
    """Around the mode, to within Monte-Carlo error and the skewness of so few ballots."""
    data, group, score = two_groups(3)
    fit = br.fit(data, "plackett-luce", clusters=2, seed=1, draws=150, tune=100, chains=2, **QUIET)
    assert fit.shape == (2, 150) and fit.overlap > 0.9
    assert fit.posterior["score"].shape == (2, 150, 2, 6)
    found = fit.clusters()
    who = np.array([int(k) for k in found.agents.index])
    assert np.mean(found.agents["cluster"].to_numpy() - 1 == group[who]) >= 0.95
    assert found.sizes.loc[1, "low"] < 0.6 < found.sizes.loc[1, "high"]
    table = fit.ranking(1)
    truth = score[0][[ord(item) - ord("a") for item in table.index]]
    inside = (table["low"] - 1.5 * table["sd"] < truth) & (
        truth < table["high"] + 1.5 * table["sd"]
    )
    assert inside.all()
    one = br.fit(data, "plackett-luce", seed=1, draws=150, tune=100, chains=2, **QUIET)
    compared = br.compare({"one": one, "two": fit})
    assert compared.index[0] == "two"
    assert compared.loc["one", "elpd_diff"] < -4 * compared.loc["one", "diff_se"]
    assert one.loo("agent").unit == fit.loo().unit == "agent"


def test_the_same_seed_gives_the_same_fit():
    data, *_ = two_groups(4, 10)
    options = {"clusters": 2, "seed": 3, "draws": 20, "tune": 20, "chains": 1, **QUIET}
    first, second = (br.fit(data, "plackett-luce", scale=1.0, **options) for _ in range(2))
    np.testing.assert_array_equal(first.posterior["score"], second.posterior["score"])


def test_what_cannot_be_combined_is_refused(goals, tmp_path):
    for options, why in [
        ({"method": "laplace"}, 'needs method="nuts" or method="map"'),
        ({"store": tmp_path / "x"}, "cannot be combined"),
        ({"groups": ["log_likelihood"]}, "cannot be combined"),
        ({"sampler": "pymc"}, "cannot be combined"),
        ({"clusters": 1.5}, "whole number"),
    ]:
        with pytest.raises(ValueError, match=why):
            br.fit(goals, "plackett-luce", **({"clusters": 2} | options), **QUIET)
    with pytest.raises(ValueError, match="one data set at a time"):
        br.fit_many({"a": goals}, "plackett-luce", clusters=2)
