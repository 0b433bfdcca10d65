"""Preferences from specification to answers: two faces, exact facts, fits, refusals."""

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy.special import expit

import bayesrank as br
from bayesrank.inference.curvature import hessian
from bayesrank.inference.mode import find_mode
from bayesrank.model.specification import Specification
from tests.data.random_instances import COLUMNS, RATED, random_counts, random_ratings
from tests.faces import assert_faces_agree


def compared(instances):
    """Return counts of preferences by three agents, in pairs of either order."""
    frame = pd.DataFrame(random_counts(1)).assign(ties=0)
    data = br.Comparisons.from_counts(frame, **COLUMNS)
    return data if instances == "several" else data.subset(instances=[10])


def rated(instances):
    """Return star ratings with many ties; each agent has one ranking in each instance."""
    data = br.Rankings.from_ratings(pd.DataFrame(random_ratings(2)), **RATED)
    return data if instances == "several" else data.subset(instances=["q0"])


def ranked(instances):
    """Return rankings with ties, some of a part of the items, others with items unranked."""
    lists = [["a", {"b", "c"}, "d"], ["d", "a"], ["c", "b"], ["b", "d", "c", "a"]]
    lists = [*lists, ["d", {"a", "b"}], ["c", "a", "b"]]
    agents = ["x", "y", "z", "x", "y", "z"]
    several = [1, 1, 1, 2, 2, 2] if instances == "several" else None
    if several is None:
        lists, agents = lists[:3], agents[:3]
    return br.Rankings.from_lists(
        lists, agents=agents, instances=several, unranked="below", items=list("abcd")
    )


DATA = {"comparisons": compared, "ratings": rated, "ranks": ranked}
SETTINGS = {
    "variances": ("learned", "none", "given"),
    "adherence": ("learned", "by-instance", "given", "one"),
    "instances": ("one", "several"),
    "data": tuple(DATA),
    "scale": ("learned", "fixed"),
}


def specified(variances, adherence, instances, data, scale, **options):
    """Return the specification that a choice of settings stands for."""
    data = DATA[data](instances)
    rng = np.random.default_rng(0)
    given = rng.uniform(0.2, 1.5, len(data.items))
    own = {
        "variances": {"learned": True, "none": False, "given": given}[variances],
        "adherence": {"given": rng.random(len(data.agents)), "one": 1.0}.get(adherence, adherence),
        "scale": {"learned": None, "fixed": 2.0}[scale],
    }
    return Specification(data, "mpm", **(own | options))


def possible(settings):
    """Adherences differ between instances only where there are several."""
    return not (settings["adherence"] == "by-instance" and settings["instances"] == "one")


# In each row: variances, adherence, instances, data, scale; all pairs of settings occur.
FACES = [
    ("learned", "learned", "several", "comparisons", "learned"),
    ("learned", "by-instance", "several", "ratings", "fixed"),
    ("learned", "given", "one", "ranks", "learned"),
    ("learned", "one", "several", "comparisons", "fixed"),
    ("none", "learned", "one", "ratings", "fixed"),
    ("none", "by-instance", "several", "ranks", "learned"),
    ("none", "given", "several", "comparisons", "fixed"),
    ("none", "one", "one", "ratings", "learned"),
    ("given", "learned", "several", "ranks", "fixed"),
    ("given", "by-instance", "several", "comparisons", "learned"),
    ("given", "given", "several", "ratings", "learned"),
    ("given", "one", "one", "ranks", "fixed"),
    ("none", "learned", "one", "comparisons", "learned"),
]
# What else may be said, here and there.
EXTRAS = [
    {},
    {"adherence_spread": 0.5},
    {"weight": 0.3},
    {"centered": False},
    {"weight": "effective"},
    {"centered": False},
]


def test_all_pairs_of_settings_have_their_faces_compared():
    rows = [dict(zip(SETTINGS, row, strict=True)) for row in FACES]
    assert all(possible(row) for row in rows)
    for one, other in combinations(SETTINGS, 2):
        seen = {(row[one], row[other]) for row in rows}
        wanted = set(product(SETTINGS[one], SETTINGS[other]))
        assert seen == {(a, b) for a, b in wanted if {a, b} != {"by-instance", "one"}} | (
            {("one", "one")} if {one, other} == {"adherence", "instances"} else set()
        )


@pytest.mark.parametrize("row", range(len(FACES)), ids=lambda row: "-".join(FACES[row]))
def test_the_two_faces_agree(row):
    extra = EXTRAS[row % len(EXTRAS)] if row else {}
    if "adherence_spread" in extra and FACES[row][1] != "by-instance":
        extra = {}
    specification = specified(*FACES[row], **extra)
    x = np.random.default_rng(row).normal(scale=0.6, size=specification.size)
    assert_faces_agree(specification, x, jacobian=row % 2 == 0)


def test_the_two_faces_agree_with_features():
    for k, (instances, options) in enumerate(
        (("one", {"centered": False}), ("several", {"item_effects": False, "weight": 2.0}))
    ):
        items = len(compared(instances).items)
        features = np.random.default_rng(1).normal(size=(items, 2))
        row = ("learned", "learned", instances, "comparisons", "learned")
        specification = specified(*row, features=features, **options)
        x = np.random.default_rng(2).normal(scale=0.6, size=specification.size)
        assert_faces_agree(specification, x, jacobian=k == 0)


def test_the_two_faces_agree_on_items_and_agents_of_whom_nothing_is_said():
    """They have no part in the data, but they have parameters."""
    frame = pd.DataFrame(
        {
            "left": list("abay"), "right": list("bccz"), "wins": [2, 1, 0, 0],
            "losses": [1, 0, 3, 0], "agent": ["one", "one", "two", "silent"],
        }
    )  # fmt: skip
    data = br.Comparisons.from_counts(frame, agent="agent")
    specification = Specification(data, "mpm")
    assert specification.observation.silent == ["silent"]
    assert specification.observation.unseen == ["y", "z"]
    x = np.random.default_rng(3).normal(size=specification.size)
    assert_faces_agree(specification, x, jacobian=True)


def test_the_two_faces_agree_on_several_rankings_of_one_agent():
    """Which share the agent's adherence in their instance."""
    lists = [list("abc"), list("cab"), list("bca"), list("ab"), list("ba"), ["a", {"b", "c"}]]
    data = br.Rankings.from_lists(
        lists, agents=list("xxyyxy"), instances=[1, 1, 1, 2, 2, 1], weights=[1, 2, 1, 3, 1, 1]
    )
    specification = Specification(data, "mpm", adherence="by-instance")
    sizes = {parameter.name: parameter.size for parameter in specification.parameters}
    assert sizes["adherence"] == 2 and sizes["adherence_offset"] == 4
    x = np.random.default_rng(3).normal(size=specification.size)
    assert_faces_agree(specification, x, jacobian=True)
    assert_gradient(specification, x, jacobian=False)


def assert_gradient(specification, x, *, jacobian):
    """Compare the gradient with differences of the value, to what rounding leaves of them."""
    value, gradient = specification.objective(x, jacobian=jacobian)
    differences = [
        specification.objective(x + step, jacobian=jacobian)[0]
        - specification.objective(x - step, jacobian=jacobian)[0]
        for step in np.eye(x.size) * 1e-5
    ]
    np.testing.assert_allclose(
        gradient, np.array(differences) / 2e-5, rtol=1e-6, atol=1e-10 * abs(value) / 1e-5
    )


def test_gradients_match_finite_differences():
    """Every combination of settings."""
    rng = np.random.default_rng(4)
    for k, row in enumerate(product(*SETTINGS.values())):
        if possible(dict(zip(SETTINGS, row, strict=True))):
            specification = specified(*row, **EXTRAS[3 * (k % 2)])
            x = rng.normal(scale=0.6, size=specification.size)
            assert_gradient(specification, x, jacobian=k % 3 > 0)


def test_adherences_near_their_ends_stay_finite():
    for adherence in ("learned", "by-instance"):
        row = ("learned", adherence, "several", "comparisons", "fixed")
        specification = specified(*row)
        start = 0
        for parameter in specification.parameters:
            if parameter.name == "adherence":
                break
            start += parameter.size
        for logit in (-30.0, 30.0):
            x = np.zeros(specification.size)
            x[start] = logit
            value, gradient = specification.objective(x, jacobian=True)
            assert np.isfinite(value) and np.isfinite(gradient).all()


@pytest.mark.parametrize("make", [rated, ranked], ids=["ratings", "ranks"])
@pytest.mark.parametrize("instances", SETTINGS["instances"])
def test_rankings_are_their_differences(make, instances):
    """Given as they are or as comparisons, where each agent has one ranking in an instance."""
    data = make(instances)
    pairs = data.to_comparisons("difference", by_agent=True, warn=False)
    rng = np.random.default_rng(5)
    for variances in (True, False):
        for weight in (1.0, "effective"):
            for adherence in ("learned", *["by-instance"] * (instances == "several"), 0.6):
                options = {"variances": variances, "weight": weight, "adherence": adherence}
                one = Specification(data, "mpm", scale=1.0, **options)
                other = Specification(pairs, "mpm", scale=1.0, **options)
                # Ballots are called by their ranking or their agent, but come in one order.
                ballots = one.observation.ballots, other.observation.ballots
                assert np.array_equal(ballots[0].agent, ballots[1].agent)
                x = rng.normal(size=one.size)
                value, gradient = one.objective(x)
                assert other.objective(x)[0] == pytest.approx(value, rel=1e-12)
                np.testing.assert_allclose(other.objective(x)[1], gradient, rtol=1e-9, atol=1e-10)


def test_sides_and_rows_do_not_matter():
    """Columns exchanged, or rows of a pair merged and empty ones added."""
    for instances in SETTINGS["instances"]:
        data = compared(instances)
        for variances in (True, False):
            given = [
                Specification(form, "mpm", scale=1.0, variances=variances)
                for form in (data, data.swapped(), data.completed())
            ]
            points = np.random.default_rng(6).normal(size=(3, given[0].size))
            values = np.array([[one.objective(x)[0] for one in given] for x in points])
            np.testing.assert_allclose(values[:, 1], values[:, 0], rtol=1e-12)
            # Merged rows leave fewer ways to share out the counts, the same at every point.
            np.testing.assert_allclose(np.ptp(values[:, 2] - values[:, 0]), 0.0, atol=1e-9)
            gradients = [one.objective(points[0])[1] for one in given]
            for gradient in gradients[1:]:
                np.testing.assert_allclose(gradient, gradients[0], rtol=1e-9, atol=1e-10)


def test_weights_count_rankings():
    """A weight of three is the ranking three times."""
    lists, agents = [list("abc"), list("cab"), list("bca")], ["x", "y", "x"]
    one = br.Rankings.from_lists(lists, agents=agents, weights=[1, 3, 1])
    other = br.Rankings.from_lists([*lists, lists[1], lists[1]], agents=[*agents, "y", "y"])
    for variances in (True, False):
        specifications = [
            Specification(data, "mpm", scale=1.0, variances=variances) for data in (one, other)
        ]
        x = np.random.default_rng(7).normal(size=specifications[0].size)
        (value, gradient), (again, same) = (s.objective(x) for s in specifications)
        assert again == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(same, gradient, rtol=1e-10, atol=1e-12)


# Exact facts ----------------------------------------------------------------------------------


def random_votes(rng, items, agents, rows, most=4):
    left = rng.integers(0, items, rows)
    frame = pd.DataFrame(
        {
            "left": left,
            "right": (left + rng.integers(1, items, rows)) % items,
            "wins": rng.integers(0, most, rows),
            "losses": rng.integers(0, most, rows),
            "agent": rng.integers(0, agents, rows),
        }
    )
    return br.Comparisons.from_counts(frame, agent="agent")


def pooled(data, adherence):
    """Return net counts by item, weighted by the agents' adherences, and all counts likewise."""
    net = np.zeros(len(data.items))
    for i, j, a, (wins, losses, _) in zip(
        data.left, data.right, data.agent, data.counts, strict=True
    ):
        net[i] += adherence[a] * (wins - losses)
        net[j] -= adherence[a] * (wins - losses)
    return net, adherence[data.agent] @ data.counts.sum(axis=1)


@pytest.mark.parametrize("weighted", [False, True])
def test_maximum_likelihood_orders_items_by_net_counts(weighted):
    rng = np.random.default_rng(8)
    for _ in range(15):
        data = random_votes(rng, 6, 4, 25)
        adherence = rng.random(len(data.agents)) if weighted else np.ones(len(data.agents))
        fit = br.fit(
            data, "mpm", method="map", scale=np.inf, weight=1.0, variances=False,
            adherence=adherence.tolist() if weighted else 1.0,
        )  # fmt: skip
        net, _ = pooled(data, adherence)
        i, j = np.triu_indices(len(net), 1)
        by_net, by_score = net[i] - net[j], fit.scores()[0][i] - fit.scores()[0][j]
        equal = np.abs(by_net) < 1e-9
        assert np.array_equal(np.sign(by_net[~equal]), np.sign(by_score[~equal]))
        # A thousandth of a standard deviation is what the optimiser promises.
        assert np.all(np.abs(by_score[equal]) < 1e-3)


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


def test_effective_weight_of_a_strict_ranking():
    for m in range(2, 12):
        data = br.Rankings.from_lists([list(range(m)), list(range(m))[::-1]])
        specification = Specification(data, "mpm")
        np.testing.assert_allclose(specification.observation.weight, 4.0 / m**2, rtol=1e-13)
        np.testing.assert_allclose(specification.observation.ballots.total, m * (m * m - 1) / 6)
        again = Specification(data, "mpm", weight=0.3)
        assert np.all(again.observation.weight == 0.3)
    assert Specification(compared("one"), "mpm").observation.weight.tolist() == [1.0] * 3


def every_ranking():
    return br.Rankings.from_lists([list(order) for order in permutations("abcd")])


def every_short_ranking():
    return br.Rankings.from_lists(
        [list(order) for order in permutations("abcd", 3)], unranked="not offered"
    )


def every_rating():
    rows = [
        (agent, item, star)
        for agent, stars in enumerate(product([0.1, 0.2, 0.5], repeat=4))
        for item, star in zip("abcd", stars, strict=True)
    ]
    return br.Rankings.from_ratings(pd.DataFrame(rows, columns=["agent", "item", "rating"]))


@pytest.mark.parametrize("make", [every_ranking, every_short_ranking, every_rating])
def test_random_rankings_carry_the_information_that_the_likelihood_claims(make):
    """Over all rankings, equally likely: squares of the score vector add up to the curvature.

    That is what the effective weight is for; without it they differ, whatever the unit.
    """
    data = make()
    options = {"variances": False, "adherence": 0.7, "scale": np.inf}
    for weight, holds in (("effective", True), (1.0, False)):
        everything = Specification(data, "mpm", weight=weight, **options)
        nothing = np.zeros(everything.size)
        claimed = -hessian(everything, nothing, jacobian=False)
        scores = []
        for row in np.flatnonzero(data.ranks.max(axis=1) > 1):
            alone = Specification(data.subset(rankings=[row]), "mpm", weight=weight, **options)
            scores.append(alone.objective(nothing)[1])
        squares = np.array(scores).T @ np.array(scores)
        size = np.abs(claimed).max()
        assert np.allclose(squares, claimed, rtol=0.0, atol=1e-6 * size) == holds


def consensus(agents=6, *more):
    """Return one order by several agents, the contrary by one, and what else is said."""
    lists = [list("abcde")] * agents + [list("edcba"), *more]
    names = [f"agent {k}" for k in range(agents)] + ["contrary"] + ["silent"] * len(more)
    return br.Rankings.from_lists(lists, agents=names)


@pytest.mark.parametrize("variances", [True, False])
def test_the_mode_of_an_adherence_may_be_at_its_ends(variances):
    table = br.fit(consensus(), "mpm", method="map", variances=variances).agents()
    assert table["adherence"]["contrary"] == pytest.approx(0.0, abs=1e-9)
    assert table["adherence"]["agent 0"] == pytest.approx(1.0, abs=1e-9)
    assert table.index[-1] == "contrary" and table[["sd", "low", "high"]].isna().all(axis=None)


def test_the_optimiser_does_not_stop_on_its_way_to_an_end():
    """Where several adherences go to their ends, L-BFGS-B may call a standstill convergence."""
    for items in (3, 5, 6):
        for agents in range(4, 12):
            lists = [list(range(items))] * agents + [list(range(items))[::-1]]
            data = br.Rankings.from_lists(lists, agents=list(range(agents + 1)))
            for weight in (1.0, 0.37):
                specification = Specification(
                    data, "mpm", scale=1.0, variances=False, weight=weight
                )
                mode, report = find_mode(specification)
                # Divided by the number of preferences; what holds at an end is left out.
                assert np.max(np.abs(report.jac)) < 1e-4
                assert np.all(expit(mode[-agents - 1 : -1]) > 1.0 - 1e-9)


def test_modes_between_the_ends_are_stationary():
    """Of the constrained density, in all parameters that are not at an end."""
    fit = br.fit(compared("several"), "mpm", method="map", scale=1.0)
    specification = fit.specification
    adherence = fit.agents()["adherence"]
    assert ((adherence > 0.01) & (adherence < 0.99)).any()
    log_variance = np.log(2.0 * fit._flat("variance")[0])
    values = {"score": fit.scores()[0], "adherence": fit._flat("adherence")[0]}
    values["log_variance"] = log_variance
    _, gradients = specification.observation.value_and_gradients(values)
    start = specification.item_start
    for name, sigma in (("score", 1.0), ("log_variance", 0.5)):
        slope = gradients[name] - values[name] / sigma**2
        for first, last in pairwise(start):
            # Only sums to zero are free to move.
            assert np.ptp(slope[first:last]) < 0.05
    inside = (values["adherence"] > 1e-6) & (values["adherence"] < 1.0 - 1e-6)
    assert np.all(np.abs(gradients["adherence"][inside]) < 0.05)
    assert np.all(gradients["adherence"][values["adherence"] >= 1.0 - 1e-6] >= 0.0)


def test_agents_who_prefer_nothing_are_kept():
    data = consensus(6, [{"a", "b", "c"}])
    with pytest.warns(UserWarning, match="1 of 8 agents prefer nothing: silent"):
        fit = br.fit(data, "mpm", method="laplace", seed=1)
    row = fit.agents().loc["silent"]
    # The mean of 4000 draws between 0 and 1.
    assert row["adherence"] == pytest.approx(0.5, abs=4 * row["sd"] / np.sqrt(4000))
    assert row["sd"] > 0.2 and row["ballots"] == 0 and row["preferences"] == 0
    with pytest.warns(UserWarning, match="prefer nothing"):
        assert br.fit(data, "mpm", method="map").agents()["adherence"]["silent"] == 0.5


def test_a_ranking_that_is_one_tie_says_nothing_whatever_the_rating():
    """Sums of equal numbers that cancel only up to rounding included."""
    for star in (3.0, 0.1, 4.7, 1 / 3):
        for items in range(2, 12):
            rows = [("flat", k, star) for k in range(items)] + [("x", k, k) for k in range(items)]
            frame = pd.DataFrame(rows, columns=["agent", "item", "rating"])
            data = br.Rankings.from_ratings(frame)
            assert Specification(data, "mpm").observation.silent == ["flat"]


# Fits -----------------------------------------------------------------------------------------


def simulated(seed, items=5, preferences=150, adherence=(0.2, 0.5, 0.8, 1.0)):
    """Return comparisons drawn from the model with every pair listed, and the true scores."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=items)
    score = 2.0 * (score - score.mean()) / score.std()
    left, right = np.triu_indices(items, 1)
    d = score[left] - score[right]
    frames = []
    for k, theta in enumerate(adherence):
        weights = np.exp(np.concatenate([theta * d, -theta * d]))
        wins, losses = rng.multinomial(preferences, weights / weights.sum()).reshape(2, -1)
        counts = {"left": left, "right": right, "wins": wins, "losses": losses}
        frames.append(pd.DataFrame(counts).assign(agent=f"agent {k}"))
    return br.Comparisons.from_counts(pd.concat(frames), agent="agent"), score


def test_laplace_recovers_what_was_drawn():
    data, score = simulated(1)
    fit = br.fit(data, "mpm", method="laplace", variances=False, scale=2.0, seed=1)
    table = fit.items().sort_index()
    # Five scores and four adherences, each within four standard deviations.
    assert np.all(np.abs(table["score"] - score) < 4.0 * table["sd"])
    assert table["sd"].max() < 0.3 * np.ptp(score)
    assert np.all(table["variance"] == 0.5) and table["variance_sd"].isna().all()
    agents = fit.agents().sort_index()
    assert np.all(np.abs(agents["adherence"] - [0.2, 0.5, 0.8, 1.0]) < 4.0 * agents["sd"])
    assert np.all(agents["preferences"] == 150) and np.all(agents["ballots"] == 1)
    assert list(fit.agents().index) == list(agents.sort_values("adherence").index[::-1])


@pytest.fixture(scope="module")
def advi():
    return br.fit(simulated(2)[0], "mpm", method="advi", scale=1.0, seed=1, progress=False)


def test_advi_agrees_with_laplace(advi):
    """Within one posterior standard deviation: scores trade against adherences."""
    laplace = br.fit(advi.specification.data, "mpm", method="laplace", scale=1.0, seed=1)
    sd = laplace.scores().std(axis=0)
    assert np.all(np.abs(advi.scores().mean(axis=0) - laplace.scores().mean(axis=0)) < sd)
    one, other = advi.agents().sort_index(), laplace.agents().sort_index()
    assert np.all(np.abs(one["adherence"] - other["adherence"]) < other["sd"])
    assert advi.parameters().empty and "variance" in advi.items()
    for table in (advi.items(), advi.agents(), laplace.items()):
        assert not table.isna().any(axis=None)


def test_win_probabilities_are_those_of_a_faithful_agent():
    """Of the two ways to prefer one item of a pair, with every pair enumerated."""
    data, _ = simulated(3)
    fit = br.fit(data, "mpm", method="map")
    score, variance = fit.scores()[0], fit._flat("variance")[0]
    weight = np.exp((score[:, None] - score) / (variance[:, None] + variance))
    expected = weight / (weight + weight.T)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_allclose(fit.win_probabilities(), expected, rtol=1e-12)
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(fit.win_probabilities("loss").to_numpy(), expected.T, rtol=1e-12)
    assert np.all(fit.win_probabilities("tie").to_numpy()[off] == 0.0)


def test_predictions_keep_totals_and_follow_the_model():
    data, _ = simulated(4, items=3, preferences=50)
    fit = br.fit(data, "mpm", method="laplace", seed=1, draws=100, chains=2)
    predicted = fit.posterior_predictive(seed=1)
    assert predicted.dims == ("chain", "draw", "pair", "outcome")
    for k in range(4):
        assert np.all(predicted.values[:, :, data.agent == k].sum(axis=(2, 3)) == 50)
    expected = np.zeros(data.counts.shape)
    for score, variance, adherence in zip(
        fit.scores(), fit._flat("variance"), fit._flat("adherence"), strict=True
    ):
        d = (score[:, None] - score) / (variance[:, None] + variance)
        weight = np.exp(adherence[:, None, None] * d) * (1.0 - np.eye(3))
        p = weight / weight.sum(axis=(1, 2), keepdims=True)
        expected[:, 0] += 50 * p[data.agent, data.left, data.right] / 200
        expected[:, 1] += 50 * p[data.agent, data.right, data.left] / 200
    # Means of 200 counts whose standard deviation is at most sqrt(50 / 4).
    error = np.sqrt(50 / 4 / 200)
    assert np.max(np.abs(predicted.values.mean(axis=(0, 1)) - expected)) < 4.5 * error
    incomplete = br.fit(random_votes(np.random.default_rng(1), 6, 2, 8), "mpm", method="map")
    with pytest.raises(ValueError, match=r"List all pairs \(Comparisons.completed\(\)\)"):
        incomplete.posterior_predictive()
    for fit in (
        br.fit(ranked("one"), "mpm", method="map"),
        br.fit(data, "mpm", method="map", weight=0.5),
    ):
        with pytest.raises(ValueError, match="no distribution to draw new ones from"):
            fit.posterior_predictive()


def test_there_is_no_next_ranking():
    """The model is of preferences between pairs: it cannot draw the outcome of a ranking."""
    fit = br.fit(ranked("one"), "mpm", method="map")
    with pytest.raises((TypeError, ValueError), match="predict"):
        fit.predict()


ARGUMENTS = [
    ("comparisons", "one", "map", {"adherence": "learned"}),
    ("comparisons", "several", "laplace", {"adherence": "by-instance"}),
    ("comparisons", "one", "map", {"variances": False, "adherence": {0: 0.1}, "scale": 0.5}),
    ("ratings", "several", "map", {"variances": False, "weight": "effective"}),
    ("ratings", "one", "laplace", {"adherence": 1.0, "weight": 0.25}),
    ("ratings", "several", "map", {"variances": "given", "adherence": "by-instance"}),
    ("ranks", "several", "laplace", {"adherence": "given", "scale": 2.0}),
    ("ranks", "one", "map", {"variances": 0.8, "adherence": "list", "scale": np.inf}),
]


@pytest.mark.parametrize(("data", "instances", "method", "options"), ARGUMENTS, ids=str)
def test_saved_fits_come_back(data, instances, method, options, tmp_path):
    data, options = DATA[data](instances), dict(options)
    some = np.random.default_rng(10).uniform(0.3, 0.9, 50)
    if isinstance(options.get("adherence"), dict) or options.get("adherence") == "given":
        options["adherence"] = dict(zip(data.agents, some.tolist(), strict=False))
    elif options.get("adherence") == "list":
        options["adherence"] = some[: len(data.agents)].tolist()
    if options.get("variances") == "given":
        labels = zip((data.instances[q] for q in data.instance), data.items, strict=True)
        options["variances"] = dict(zip(labels, some.tolist(), strict=False))
    fit = br.fit(data, "mpm", method=method, seed=1, draws=20, chains=2, **options)
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.specification.data.same_as(data) and repr(again) == repr(fit)
    for table in ("ranking", "items", "agents", "parameters"):
        pd.testing.assert_frame_equal(getattr(again, table)(), getattr(fit, table)())
    np.testing.assert_allclose(again.log_likelihood(), fit.log_likelihood(), rtol=1e-12)
    x = np.random.default_rng(11).normal(size=fit.specification.size)
    assert again.specification.objective(x)[0] == fit.specification.objective(x)[0]


def test_saved_approximations_come_back(advi, tmp_path):
    advi.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.items(), advi.items())
    pd.testing.assert_frame_equal(again.agents(), advi.agents())


@pytest.mark.parametrize("make", DATA.values(), ids=list(DATA))
@pytest.mark.parametrize("adherence", ["learned", "by-instance", 0.7])
@pytest.mark.parametrize("variances", [True, False])
def test_one_instance_of_many(make, adherence, variances):
    """It has the scores, variances, adherences and likelihood that it has among the others."""
    data = make("several")
    fit = br.fit(
        data, "mpm", method="laplace", adherence=adherence, variances=variances, seed=1, draws=5,
        chains=2,
    )  # fmt: skip
    terms = fit.log_likelihood().values
    start = fit.specification.observation.ballots.ballot_start
    for q, label in enumerate(data.instances):
        one = fit.instance(label)
        assert one.specification.data.instances is None
        expected = fit.items().loc[label]
        # An instance that stands alone has intervals and ranks of its own.
        pd.testing.assert_frame_equal(one.items(), expected)
        np.testing.assert_allclose(
            one.log_likelihood().values, terms[:, :, start[q] : start[q + 1]], rtol=1e-10
        )
        assert one.win_probabilities().shape == (len(expected),) * 2
        assert "adherence" in one.agents()
    with pytest.raises(ValueError, match=r"must be one of the instances \(.*\), got 'none'"):
        fit.instance("none")
    with pytest.raises(ValueError, match=r"choose one, such as fit\.instance"):
        fit.win_probabilities()


def test_one_instance_without_agents():
    frame = pd.DataFrame(random_counts(1)).assign(ties=0)
    data = br.Comparisons.from_counts(frame, instance="query")
    for adherence in (None, "learned"):
        fit = br.fit(data, "mpm", method="map", adherence=adherence)
        one = fit.instance(10)
        assert list(one.agents().index) == ["all"] and len(one.items()) == 5


def test_parameters_that_are_of_nobody_in_particular(tmp_path):
    """Spread and scale are in the table; what belongs to items, agents and ballots is not."""
    data = compared("several")
    specification = Specification(data, "mpm", adherence="by-instance")
    names = ["score", "scale", "variance", "adherence", "adherence_spread", "adherence_here"]
    assert specification.names == names
    points = np.random.default_rng(12).normal(scale=0.3, size=(10, specification.size))
    fit = br.Fit.from_points(specification, "laplace", points[None])
    assert list(fit.parameters().index) == ["scale", "adherence_spread"]
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.parameters(), fit.parameters())
    features = np.random.default_rng(13).normal(size=(len(data.items), 1))
    fit = br.fit(data, "mpm", method="map", features=features)
    assert list(fit.parameters().index) == ["scale", "beta[x1]"]


@pytest.mark.parametrize("kind", [list, np.array, tuple, pd.Series, dict])
def test_adherences_are_given_in_any_form(kind):
    """Also as `agreement` returns them."""
    data = ranked("one")
    given = {"x": 0.9, "y": 0.2, "z": 0.6}
    adherence = kind(given) if kind in (pd.Series, dict) else kind(list(given.values()))
    fit = br.fit(data, "mpm", method="map", adherence=adherence)
    assert fit.agents()["adherence"].to_dict() == given


def test_variances_are_given_in_any_form():
    data = ranked("one")
    given = {"a": 0.9, "b": 0.2, "c": 0.6, "d": 1.0}
    values = list(given.values())
    for variances in (given, values, np.array(values), pd.Series(given)):
        fit = br.fit(data, "mpm", method="map", adherence=1.0, variances=variances)
        assert fit.items()["variance"].to_dict() == given
    fit = br.fit(data, "mpm", method="map", adherence=1.0, variances=0.5)
    plain = br.fit(data, "mpm", method="map", adherence=1.0, variances=False)
    np.testing.assert_allclose(fit.scores(), plain.scores(), atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"adherence": 1.1}, ValueError, "`adherence` must be from 0 to 1: 1.1 for x"),
        ({"adherence": -0.1}, ValueError, "`adherence` must be from 0 to 1: -0.1 for x"),
        ({"adherence": [0.5, np.nan, 0.1]}, ValueError, "from 0 to 1: nan for y"),
        ({"adherence": {"x": 1.0, "z": 1.0}}, ValueError, "`adherence` has no number for agent y"),
        ({"adherence": [0.5, 0.5]}, ValueError, r"each of the 3 agents, got shape \(2,\)"),
        ({"adherence": True}, ValueError, r"each of the 3 agents, got shape \(\)"),
        ({"adherence": "yes"}, ValueError, "`adherence` must be \"learned\", .* got 'yes'"),
        ({"adherence": ["a", "b", "c"]}, TypeError, "`adherence` must hold numbers"),
        ({"adherence": "by-instance"}, ValueError, "needs data with instances"),
        ({"variances": 0.0}, ValueError, "`variances` must be positive and finite: 0 for a"),
        ({"variances": [1, 1, 1, np.inf]}, ValueError, "positive and finite: inf for d"),
        ({"variances": {"a": 1.0}}, ValueError, "`variances` has no number for item b, c, d"),
        ({"variances": [1.0]}, ValueError, r"each of the 4 items, got shape \(1,\)"),
        ({"variances": "yes"}, TypeError, "`variances` must hold numbers"),
        ({"weight": 0}, ValueError, '`weight` must be "effective" or a positive number, got 0'),
        ({"weight": -1.0}, ValueError, "`weight` must be .* got -1.0"),
        ({"weight": np.inf}, ValueError, "`weight` must be .* got inf"),
        ({"weight": True}, ValueError, "`weight` must be .* got True"),
        ({"weight": "honest"}, ValueError, "`weight` must be .* got 'honest'"),
        ({"weight": np.ones(3)}, ValueError, "`weight` must be"),
        ({"scale": np.inf}, ValueError, "matter only by their product"),
        ({"order_effect": True}, ValueError, "`order_effect` is for comparisons"),
        ({"features": np.zeros((3, 4, 1))}, ValueError, "has features of items only"),
    ],
    ids=str,
)
def test_refusals(arguments, error, message):
    with pytest.raises(error, match=message):
        br.fit(ranked("one"), "mpm", method="map", **arguments)


@pytest.mark.parametrize("name", ["variances", "adherence", "weight"])
def test_other_models_have_no_such_arguments(name):
    data = br.load_dataset("pudding")
    for value in (1.0, np.ones(6)):
        with pytest.raises(ValueError, match=f'`{name}` is for "mpm", not for "davidson"'):
            br.fit(data, "davidson", method="map", **{name: value})
    fit = br.fit(data, "davidson", method="map")
    with pytest.raises(ValueError, match='Only "mpm" has adherences'):
        fit.agents()
    assert list(fit.items().columns) == ["score", "sd", "low", "high", "rank"]


def test_data_without_preferences():
    with pytest.raises(ValueError, match=r'hold 202 ties .* but "mpm" has none'):
        br.fit(br.load_dataset("pudding"), "mpm", method="map")
    nothing = pd.DataFrame({"left": ["a"], "right": ["b"], "wins": [0], "losses": [0]})
    with pytest.raises(ValueError, match="Nobody prefers any item"):
        br.fit(br.Comparisons.from_counts(nothing), "mpm", method="map")
    tied = br.Rankings.from_lists([[{"a", "b"}], [{"b", "c"}]])
    with pytest.raises(ValueError, match="Nobody prefers any item"):
        br.fit(tied, "mpm", method="map")
    with pytest.raises(TypeError, match='"mpm" needs Comparisons or Rankings, got DataFrame'):
        Specification(nothing, "mpm")
    with pytest.raises(ValueError, match="There are no instances in this fit"):
        br.fit(ranked("one"), "mpm", method="map").instance(1)


def test_too_many_items_for_variances_are_refused(monkeypatch):
    monkeypatch.setattr("bayesrank.model.preference_observation._LARGEST", 2)
    votes = br.Rankings.from_lists([["a", "b", "c"], ["b", "c", "a"]], agents=["x", "y"])
    for variances in (None, True, {"a": 0.5, "b": 1.0, "c": 2.0}):
        with pytest.raises(ValueError, match=r"2 items at most .* have 3. Use variances=False"):
            br.fit(votes, "mpm", method="map", variances=variances)
    assert len(br.fit(votes, "mpm", method="map", variances=False).ranking()) == 3
