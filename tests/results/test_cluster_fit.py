"""What a fit of several clusters answers, from points that are known."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.clusters import ClusteredSpecification
from bayesrank.results.cluster_fit import ClusterFit

VOTES = br.Rankings.from_lists([list("abcd")] * 12 + [list("dcba")] * 8)


def model():
    return ClusteredSpecification(br.Specification(VOTES, "plackett-luce", scale=1.0), 2)


def points(*chains):
    """Return draws around given scores: for each chain those of both clusters."""
    made, rng = model(), np.random.default_rng(0)
    rows = []
    for first, second, share in chains:
        free = [np.linalg.lstsq(_zero_sum(), np.array(s), rcond=None)[0] for s in (first, second)]
        x = made.joined(np.array(free), np.array([share, 1.0 - share]))
        rows.append(x + 0.05 * rng.normal(size=(50, x.size)))
    return np.array(rows)


def _zero_sum():
    single = br.Specification(VOTES, "plackett-luce", scale=1.0)
    return np.array([single.constrain(e)["score"] for e in np.eye(3)]).T


UP, DOWN = [2.0, 1.0, -1.0, -2.0], [-2.0, -1.0, 1.0, 2.0]


def test_clusters_of_all_chains_are_named_alike_and_the_largest_is_first():
    fit = ClusterFit(model(), "nuts", points((DOWN, UP, 0.4), (UP, DOWN, 0.6)))
    np.testing.assert_allclose(fit.posterior["score"].mean(axis=1)[:, 0], [UP, UP], atol=0.1)
    np.testing.assert_allclose(fit.posterior["share"].mean(axis=1)[:, 0], 0.6, atol=0.05)
    assert fit.overlap > 0.99
    found = fit.clusters()
    assert found.sizes["members"].tolist() == [12.0, 8.0]
    assert found.sizes["best"].tolist() == ["a, b, c", "d, c, b"]
    assert found.agents["cluster"].tolist() == [1] * 12 + [2] * 8
    np.testing.assert_allclose(found.agents[["p_1", "p_2"]].sum(axis=1), 1.0)
    assert repr(found) == found.sizes.to_string()


def test_probabilities_are_means_over_draws():
    made = model()
    fit = ClusterFit(made, "nuts", points((UP, DOWN, 0.6)))
    expected = np.mean([made.expect(x)[1] for x in points((UP, DOWN, 0.6))[0]], axis=0)
    np.testing.assert_allclose(fit.clusters().agents[["p_1", "p_2"]], expected, rtol=1e-10)
    total = [made.expect(x)[0] for x in points((UP, DOWN, 0.6))[0]]
    np.testing.assert_allclose(fit.log_likelihood, total, rtol=1e-10)


def test_chains_in_different_modes_are_told_apart():
    """One chain tells two orders apart, the other splits nobody from anybody."""
    same, apart = (UP, DOWN, 0.6), (UP, UP, 0.6)
    assert not ClusterFit(model(), "nuts", points(same, same))._of_modes()
    finding = ClusterFit(model(), "nuts", points(same, apart))._of_modes()[0]
    assert finding.failed and "Chains sit in different modes" in str(finding)
    assert "clusters=1" in str(finding)


def test_a_cluster_of_nobody_is_told():
    (finding,) = ClusterFit(model(), "map", points((UP, UP, 0.9))[:, :1])._of_modes()
    assert "To nobody is this cluster the most probable one: 2." in str(finding)


def test_another_mode_that_is_nearly_as_high_is_told():
    fit = ClusterFit(model(), "map", points((UP, DOWN, 0.6))[:, :1], note="Found.")
    assert fit.diagnostics().ok and fit.diagnostics().summary.startswith("Found.")
    fit.heights = np.array([-10.0, -10.0, -11.5, -40.0])
    assert "lower by only 1.5" in fit.diagnostics().messages[0]
    fit.heights = np.array([-10.0, -10.001, -40.0])
    assert fit.diagnostics().ok
    fit.heights = np.array([-10.0, -16.0, -40.0])
    assert "Only one of 3 starts" in fit.diagnostics().messages[0]
    fit.far = True
    assert "run off to infinity" in fit.diagnostics().messages[0]


def test_answers_of_one_cluster():
    fit = ClusterFit(model(), "nuts", points((UP, DOWN, 0.6)))
    assert fit.ranking(2).index.tolist() == list("dcba")
    assert fit.cluster(2).ranking().equals(fit.ranking(2))
    assert fit.idata.posterior["score"].sel(cluster=1, item="a").mean() == pytest.approx(2, abs=0.1)
    low, high = fit.parameters().loc[("share", 1), ["low", "high"]]
    assert low < 0.6 < high
    assert "%, best: a, b, c\n  2: " in repr(ClusterFit(model(), "map", fit._points[:, :1]))
    for bad in (0, 3, "1", True):
        with pytest.raises(ValueError, match="a number from 1 to 2"):
            fit.scores(bad)


def test_a_point_has_no_draws():
    fit = ClusterFit(model(), "map", points((UP, DOWN, 0.6))[:, :1])
    for answer in (lambda: fit.cluster(1), fit.loo, lambda: br.compare({"a": fit, "b": fit})):
        with pytest.raises(ValueError, match="needs posterior draws"):
            answer()
    assert fit.clusters().sizes[["low", "high"]].isna().all(axis=None)
