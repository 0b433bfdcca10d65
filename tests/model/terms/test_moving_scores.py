"""Scores that move: faces, closed forms, and what must not matter."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.model.moving_data import games_over_time, races_over_time

PAIRS, RACES, TIED = games_over_time(), races_over_time(), races_over_time(ties=True)
CASES = {
    "davidson": PAIRS,
    "rao-kupper": PAIRS,
    "glenn-david": PAIRS,
    "bradley-terry": games_over_time(ties=False),
    "thurstone-pairs": games_over_time(ties=False),
    "plackett-luce": RACES,
    "thurstone": RACES,
    "partitioned-plackett-luce": TIED,
    "pmop": TIED,
    "davidson-luce": TIED,
}
MOVES = ("walk", "mean-reverting")


@pytest.mark.parametrize("likelihood", CASES)
@pytest.mark.parametrize("scores", MOVES)
def test_faces_agree(likelihood, scores):
    specification = Specification(CASES[likelihood], likelihood, scores=scores)
    x = np.random.default_rng(1).normal(scale=0.7, size=specification.size)
    for jacobian in (True, False):
        assert_faces_agree(specification, x, jacobian=jacobian)


@pytest.mark.parametrize("given", [{"scale": 0.8}, {"drift": 0.3}, {"scale": 0.8, "drift": 0.3}])
def test_faces_agree_with_what_is_given(given):
    specification = Specification(PAIRS, "davidson", scores="walk", order_effect=True, **given)
    assert not set(given) & set(specification.names)
    x = np.random.default_rng(1).normal(scale=0.7, size=specification.size)
    assert_faces_agree(specification, x, jacobian=True)


def test_faces_agree_with_features():
    specification = Specification(PAIRS, "davidson", scores="walk", features=np.eye(3)[:, :1])
    x = np.random.default_rng(1).normal(scale=0.7, size=specification.size)
    assert_faces_agree(specification, x, jacobian=True)


def prior_covariance(specification, values):
    """Return the covariance of the states, from standard normal steps one by one."""
    term, n = specification.terms[0], len(specification.states)
    columns = [term.score(values | {"step": unit}, np) for unit in np.eye(n)]
    return np.array(columns).T @ np.array(columns)


def test_a_walk_has_the_covariance_of_its_definition():
    specification = Specification(PAIRS, "davidson", scores="walk")
    states = specification.states
    year, start = states.years[states.time], states.years[states.time[states.first]]
    since = year - start[states.item]
    same = states.item[:, None] == states.item
    wanted = same * (0.8**2 + 0.3**2 * np.minimum.outer(since, since))
    found = prior_covariance(specification, {"scale": 0.8, "drift": 0.3})
    assert found == pytest.approx(wanted, abs=1e-14)


def test_a_reverting_score_has_the_covariance_of_its_definition():
    specification = Specification(PAIRS, "davidson", scores="mean-reverting")
    states = specification.states
    year = states.years[states.time]
    same = states.item[:, None] == states.item
    wanted = same * 0.8**2 * 0.3 ** np.abs(np.subtract.outer(year, year))
    found = prior_covariance(specification, {"scale": 0.8, "persistence": 0.3})
    assert found == pytest.approx(wanted, abs=1e-14)


def test_one_time_is_the_constant_model():
    frame = PAIRS.to_frame().assign(time=2.0)
    data = br.Comparisons.from_counts(frame, time="time")
    moving = br.fit(data, "davidson", scores="walk", scale=0.7, drift=0.5, method="map")
    constant = br.fit(data, "davidson", scale=0.7, method="map")
    wanted = constant.ranking()["score"]
    assert moving.ranking()["score"].loc[wanted.index].to_numpy() == pytest.approx(
        wanted.to_numpy(), abs=1e-6
    )
    assert moving.posterior["nu"] == pytest.approx(constant.posterior["nu"], abs=1e-6)


@pytest.mark.parametrize(
    "still",
    [{"scores": "walk", "drift": 1e-6}, {"scores": "mean-reverting", "persistence": 1 - 1e-12}],
)
@pytest.mark.parametrize(("data", "likelihood"), [(PAIRS, "davidson"), (RACES, "plackett-luce")])
def test_scores_that_hardly_move_are_constant(still, data, likelihood):
    moving = br.fit(data, likelihood, scale=0.7, method="laplace", seed=1, **still)
    constant = br.fit(data, likelihood, scale=0.7, method="laplace", seed=1)
    wanted, found = (
        constant.ranking(),
        moving.at(window=None).ranking().loc[constant.ranking().index],
    )
    # The noise of 4 000 draws, twice.
    assert np.abs(found["score"] - wanted["score"]).max() < 0.05
    assert found["sd"].to_numpy() == pytest.approx(wanted["sd"].to_numpy(), rel=0.05)


def mode_of(frame, **options):
    data = br.Comparisons.from_frame(frame, time="t")
    return br.fit(data, "davidson", scores="walk", order_effect=True, method="map", **options)


def test_order_of_rows_names_and_the_way_times_are_written_do_not_matter():
    rng = np.random.default_rng(3)
    pairs = np.array([rng.choice(4, 2, replace=False) for _ in range(60)])
    frame = pd.DataFrame(pairs, columns=["left", "right"]).astype(str)
    frame["outcome"] = rng.choice([1, 0, -1], size=60)
    days = rng.integers(0, 2000, size=60)
    frame["t"] = pd.Timestamp("2010-01-01") + pd.to_timedelta(days, unit="D")
    fit = mode_of(frame)
    others = {
        "permuted": frame.sample(frac=1.0, random_state=1),
        "in years": frame.assign(t=days / 365.25),
    }
    for other in others.values():
        found = mode_of(other)
        for name in ("scale", "drift", "order_effect", "nu", "score"):
            assert found.posterior[name] == pytest.approx(fit.posterior[name], abs=1e-4), name
    renamed = mode_of(frame.replace({"left": {"0": "z"}, "right": {"0": "z"}}))
    assert renamed.posterior["drift"] == pytest.approx(fit.posterior["drift"], abs=1e-4)
    assert renamed.ranking()["score"]["z"] == pytest.approx(fit.ranking()["score"]["0"], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": "jump"}, '"constant", "walk"'),
        ({"drift": 0.5}, "`drift` is for"),
        ({"scores": "mean-reverting", "drift": 0.5}, "`drift` is for"),
        ({"scores": "walk", "persistence": 0.5}, "`persistence` is for"),
        ({"scores": ["jump"]}, '"constant", "walk"'),
        ({"scores": "walk", "drift": -1.0}, "`drift` must be a number from 1e-06 to 10000"),
        ({"scores": "walk", "drift": np.inf}, "`drift` must be a number from 1e-06 to 10000"),
        ({"scores": "walk", "scale": np.inf}, "`scale` from 1e-06 to 10000.*got inf"),
        ({"scores": "mean-reverting", "persistence": 1 - 1e-16}, "between 0 and 1"),
        ({"scores": "mean-reverting", "persistence": 1.5}, "between 0 and 1"),
        ({"scores": "walk", "likelihood": "mpm"}, "mpm"),
        ({"scores": "walk", "method": "advi", "full_rank": True}, "`?full_rank"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        br.fit(PAIRS, **({"method": "map"} | options))


def test_replaced_rates_are_checked_too():
    walk = Specification(PAIRS, "davidson", scores="walk", drift=0.5)
    assert walk.replace(drift=0.2).rate == 0.2
    assert walk.replace(drift=None).rate is None
    assert walk.rate == 0.5
    for change, message in (
        ({"drift": -1.0}, "`drift` must be"),
        ({"persistence": 0.5}, '`persistence` is for scores="mean'),
        ({"scale": 1e9}, "`scale`"),
    ):
        with pytest.raises(ValueError, match=message):
            walk.replace(**change)


def written_plainly(frame, scores, feature, x):
    """Return Davidson's log-posterior but for a constant, from rows of results and free numbers."""
    keys = sorted({(row[side], row.time) for row in frame.itertuples() for side in (1, 2)})
    scale, rate = np.exp(x[0]), np.exp(x[1]) if scores == "walk" else 1 / (1 + np.exp(-x[1]))
    steps, beta, tie, order = x[2 : 2 + len(keys)], x[-3], x[-2], x[-1]
    state, before = {}, (None, 0.0)
    for key, step in zip(keys, steps, strict=True):
        gap, old = key[1] - before[1], state.get(before, 0.0)
        if key[0] != before[0]:
            state[key] = scale * step
        elif scores == "walk":
            state[key] = old + rate * np.sqrt(gap) * step
        else:
            state[key] = rate**gap * old + scale * np.sqrt(1 - rate ** (2 * gap)) * step
        before = key
    value = -0.5 * (steps @ steps + beta**2 + order**2) - scale**2 / 2 + x[0]
    value += -(rate**2) / 2 + x[1] if scores == "walk" else np.log(rate * (1 - rate))
    value -= np.logaddexp(0, tie) + np.logaddexp(0, -tie)  # uniform, by its logit
    for row in frame.itertuples():
        sides = [state[row[side], row.time] + beta * feature[row[side]] for side in (1, 2)]
        half = 0.5 * (sides[0] - sides[1] + order)
        logs = np.array([half, -half, np.log(2.0) + tie])
        value += np.array([row.wins, row.losses, row.ties]) @ (logs - np.logaddexp.reduce(logs))
    return value


@pytest.mark.parametrize("scores", MOVES)
def test_the_posterior_is_that_of_its_definition(scores):
    specification = Specification(
        PAIRS, "davidson", scores=scores, order_effect=True, features=np.array([[1.0], [4.0], [2]])
    )
    feature = dict(zip("abc", (np.array([1.0, 4.0, 2.0]) - 7 / 3) / np.std([1, 4, 2]), strict=True))
    one, other = np.random.default_rng(2).normal(scale=0.8, size=(2, specification.size))
    found = [specification.objective(x, jacobian=True)[0] for x in (one, other)]
    wanted = [written_plainly(PAIRS.to_frame(), scores, feature, x) for x in (one, other)]
    assert found[0] - found[1] == pytest.approx(wanted[0] - wanted[1], abs=1e-10)
