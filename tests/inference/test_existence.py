"""Whether an estimate exists and is unique, and what is said where it is not."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

import bayesrank as br
from bayesrank.inference.curvature import hessian
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.distributions.ranking_cases import pmop, powers
from tests.model.preference_data import pooled, random_votes
from tests.model.ranked_lists import queries

TIE_MODELS = [name for name, family in PAIR_LIKELIHOODS.items() if family.tie is not None]


@pytest.mark.parametrize(
    ("counts", "options"),
    [
        ([[0, 1, 3, 2]], {"order_effect": True}),
        (
            [[0, 1, 3, 2], [2, 3, 4, 1]],
            {"features": np.array([[0.0], [0], [1], [1]]), "item_effects": False},
        ),
        (
            [[0, 1, 3, 2], [2, 1, 4, 1]],
            {
                "features": np.array([[1.0], [0], [1]]),
                "item_effects": False,
                "order_effect": True,
            },
        ),
    ],
)
def test_an_estimate_that_is_not_unique_is_refused(counts, options):
    left, right, wins, losses = np.array(counts).T
    items = list("abcd")[: max(left.max(), right.max()) + 1]
    data = br.Comparisons(left, right, np.stack([wins, losses, 0 * wins], axis=1), items)
    with pytest.raises(ValueError, match="not unique"):
        br.fit(data, "bradley-terry", method="map", scale=float("inf"), **options)


def games(*rows):
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome"])
    return br.Comparisons.from_frame(frame)


def test_maximum_likelihood_is_refused_where_it_does_not_exist():
    unbeaten = games(("ann", "bob", "ann"), ("bob", "cyd", "bob"), ("cyd", "bob", "cyd"))
    with pytest.raises(ValueError, match="does not exist: never beaten: ann"):
        br.fit(unbeaten, method="map", scale=float("inf"))
    assert br.fit(unbeaten, method="map").ranking().index[0] == "ann"
    apart = games(("a", "b", "tie"), ("c", "d", "tie"), ("a", "b", "a"))
    with pytest.raises(ValueError, match="2 groups never meet"):
        br.fit(apart, method="map", scale=float("inf"))
    with pytest.warns(UserWarning, match="from the prior alone"):
        br.fit(apart, method="map")
    home = games(("a", "b", "a"), ("b", "a", "b"), ("a", "c", "a"), ("c", "a", "c"))
    with pytest.raises(ValueError, match="does not exist: moving the order effect on and on"):
        br.fit(home, method="map", scale=float("inf"), order_effect=True)
    br.fit(home, method="map", scale=float("inf"))


@pytest.mark.parametrize("likelihood", TIE_MODELS)
def test_scores_and_tie_parameter_may_run_off_together(likelihood):
    """Ties link all items here, and yet: a far above c, d between them, everything else a tie."""
    chain = games(("a", "d", "tie"), ("d", "c", "tie"), ("a", "c", "a"))
    assert chain.connectivity().strong
    with pytest.raises(ValueError, match="does not exist: moving a, c, the tie parameter"):
        br.fit(chain, likelihood, method="map", scale=float("inf"))
    held = games(("a", "d", "tie"), ("d", "c", "tie"), ("a", "c", "a"), ("a", "c", "c"))
    fit = br.fit(held, likelihood, method="map", scale=float("inf"))
    assert np.abs(fit.scores()).max() < 5


def test_maximum_likelihood_that_does_not_exist():
    one_way = br.Rankings.from_lists([["a", "b", "c"], ["a", "c", "b"]])
    with pytest.raises(ValueError, match="does not exist: never below another: a"):
        br.fit(one_way, method="map", scale=np.inf)
    # Two items that are always tied: the additive potential sees only their sum.
    tied = br.Rankings.from_lists([[{"a", "b"}, "c"], ["c", {"a", "b"}], ["c", {"a", "b"}]])
    assert np.abs(br.fit(tied, "davidson-luce", method="map", scale=np.inf).scores()).max() < 9
    with pytest.raises(ValueError, match="not unique: a, b are tied wherever they occur"):
        br.fit(tied, "pmop", method="map", scale=np.inf)
    # A feature that orders everything perfectly.
    x = np.linspace(1.0, 0.0, 4)[None, :, None].repeat(3, axis=0)
    perfect = br.Rankings.from_lists([list("abcd"), list("efgh"), list("ijkl")])
    with pytest.raises(ValueError, match="moving x1 on and on"):
        br.fit(perfect, method="map", scale=np.inf, features=x, item_effects=False)
    with pytest.raises(ValueError, match="cannot be told apart"):
        br.fit(queries(4), method="map", scale=np.inf, item_effects=True)
    twice = queries(4).features[:, :, [0, 0]]
    with pytest.warns(UserWarning, match="follow from the columns before them: x2"):
        once = br.fit(queries(4), method="map", scale=np.inf, features=twice, item_effects=False)
    assert once.parameters().index.tolist() == ["beta[x1]"]


def test_tie_prevalences_may_run_off():
    """Where every stage that could tie did, or scores and prevalences run off together."""
    for lists in (
        [[["b", "a"]], ["b", "a"], [["b", "a"]]],
        [["c", ["a", "b"]], [["a", "b", "c"]]],
    ):
        data = br.Rankings.from_lists(lists)
        with pytest.raises(ValueError, match="does not exist"):
            br.fit(data, "davidson-luce", method="map", scale=np.inf)


def test_sums_of_worths_are_not_concave():
    """With the additive potential a tied item may vanish, and alike items make a saddle point."""
    vanishing = br.Rankings.from_lists([[["a", "b"], ["c"]], ["c", "b"], ["a", "c"], ["c", "a"]])
    with pytest.raises(ValueError, match="does not exist or is not unique"):
        br.fit(vanishing, "pmop", method="map", scale=np.inf)
    lists = [[["a", "b"], ["c"]]] * 40 + [["c", "a"]] * 20 + [["c", "b"]] * 20
    fit = br.fit(br.Rankings.from_lists(lists), "pmop", method="map")
    score = fit.ranking()["score"]
    assert abs(score["a"] - score["b"]) > 2.0  # one of two mirrored modes, not the saddle
    assert "other modes" in fit.note
    br.fit(br.Rankings.from_lists(lists), "pmop", method="laplace", draws=10, seed=1)


def test_ties_of_given_prevalence_hold_a_feature():
    """Two entries that tie although their feature differs keep its coefficient finite."""
    data = br.Rankings.from_lists([["c", "b", "a"], [{"c", "b"}]])
    x = np.array([[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [0.0]]])
    options = {"features": x, "item_effects": False, "scale": np.inf, "method": "map"}
    fit = br.fit(data, "pmop-geometric", **options)
    reference = pmop("geometric", powers(1.0))

    def loss(beta):
        p = reference(beta * x[0, :, 0], [1, 2, 3]) * reference(beta * x[1, :2, 0], [1, 1])
        return -np.log(p)

    expected = optimize.minimize_scalar(loss, bounds=(-20.0, 20.0), method="bounded").x
    assert abs(expected) < 10.0
    assert fit.parameters()["mean"]["beta[x1]"] == pytest.approx(expected, abs=1e-4)


def test_when_the_maximum_likelihood_exists():
    """The rule against all directions, and against what an optimiser meets."""
    rng = np.random.default_rng(9)
    found = {True: 0, False: 0}
    for _ in range(120):
        data = random_votes(rng, rng.integers(2, 5), 2, rng.integers(1, 6), most=3)
        adherence = rng.choice([0.0, 0.5, 1.0], len(data.agents))
        net, total = pooled(data, adherence)
        if total == 0:
            continue
        options = {"scale": np.inf, "variances": False, "adherence": adherence.tolist()}
        specification = Specification(data, "mpm", **options)
        # Far out along a direction the log-likelihood gains net wins and loses the total times
        # the range; the gain is linear, so the corners of the cube are all there is to try.
        corners = np.array(list(product([0, 1], repeat=net.size)))[1:-1]
        exists = bool(np.all(corners @ net < total - 1e-9))
        assert (specification.observation.one_sided.size == 0) == exists
        answer = optimize.minimize(
            lambda x, s=specification: tuple(-part for part in s.objective(x)),
            np.zeros(specification.size), jac=True, method="BFGS", options={"gtol": 1e-9},
        )  # fmt: skip
        # Where it does not exist the optimiser stops where all is flat.
        flattest = np.linalg.eigvalsh(-hessian(specification, answer.x, jacobian=False))[0]
        assert (flattest > 1e-4) == exists
        found[exists] += 1
        if not exists:
            with pytest.raises(ValueError, match="estimate does not exist: no item is preferred"):
                br.fit(data, "mpm", method="map", **options)
    assert min(found.values()) > 10


def test_one_contradiction_in_a_thousand_is_enough():
    """Two items: e^d / (e^d + e^-d) is the share of the preferences for the first."""
    frame = pd.DataFrame({"left": ["a"], "right": ["b"], "wins": [1000], "losses": [1]})
    data = br.Comparisons.from_counts(frame)
    fit = br.fit(data, "mpm", method="map", scale=np.inf, variances=False)
    score = fit.ranking()["score"]
    assert score["a"] - score["b"] == pytest.approx(np.log(1000.0) / 2.0, abs=1e-4)


def test_one_sided_instances_are_named():
    lists = [list("abc"), list("bca"), list("ab"), list("ab")]
    data = br.Rankings.from_lists(
        lists, agents=["x", "y", "x", "y"], instances=["good", "good", "bad", "bad"]
    )
    options = {"method": "map", "variances": False, "adherence": 1.0}
    with pytest.raises(ValueError, match="does not exist in bad: "):
        br.fit(data, "mpm", scale=np.inf, **options)
    assert np.isfinite(br.fit(data, "mpm", **options).scores()).all()
