"""The three faces of the multinomial preference model, for all pairs of its settings."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.model.preference_data import DATA, SETTINGS, compared


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
def test_the_three_faces_agree(row):
    extra = EXTRAS[row % len(EXTRAS)] if row else {}
    if "adherence_spread" in extra and FACES[row][1] != "by-instance":
        extra = {}
    specification = specified(*FACES[row], **extra)
    x = np.random.default_rng(row).normal(scale=0.6, size=specification.size)
    assert_faces_agree(specification, x, jacobian=row % 2 == 0)


def test_the_three_faces_agree_with_features():
    for k, (instances, options) in enumerate(
        (("one", {"centered": False}), ("several", {"item_effects": False, "weight": 2.0}))
    ):
        items = len(compared(instances).items)
        features = np.random.default_rng(1).normal(size=(items, 2))
        row = ("learned", "learned", instances, "comparisons", "learned")
        specification = specified(*row, features=features, **options)
        x = np.random.default_rng(2).normal(scale=0.6, size=specification.size)
        assert_faces_agree(specification, x, jacobian=k == 0)


def test_the_three_faces_agree_on_items_and_agents_of_whom_nothing_is_said():
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


def test_the_three_faces_agree_on_several_rankings_of_one_agent():
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
