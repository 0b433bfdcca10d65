"""What the command line refuses before the work is what the pictures would refuse after it."""

import pytest

import bayesrank as br
from bayesrank.cli.pictures import PICTURES
from tests.judged_votes import EVERYTHING, fit_of_votes


@pytest.fixture(scope="module")
def fits():
    votes = br.Rankings.from_lists([list("abc"), list("acb"), list("cba")], agents=["x", "x", "y"])
    few = {"draws": 20, "chains": 1, "seed": 1}
    return {
        "point": br.fit(votes, "mpm", method="map"),
        "preferences": br.fit(votes, "mpm", method="laplace", **few),
        "judged": fit_of_votes(**EVERYTHING),
        "pairs": br.fit(br.load_dataset("pudding"), "davidson", method="laplace", **few),
    }


@pytest.fixture(autouse=True)
def no_windows():
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("agg")
    yield
    plt.close("all")


def refusal(fit, picture):
    try:
        getattr(fit, picture.method)(**({"draws": 5} if picture.draws_data else {}))
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_needs_what_its_row_says(name, fits):
    picture = PICTURES[name]
    assert ("needs posterior draws" in refusal(fits["point"], picture)) == picture.needs_draws
    assert ('Only "mpm" has' in refusal(fits["pairs"], picture)) == picture.needs_adherences
    assert (
        "that differs between agents" in refusal(fits["pairs"], picture)
    ) == picture.needs_agents
    said = "scores that differ between categories"
    assert (said in refusal(fits["pairs"], picture)) == picture.needs_categories
    if picture.needs_agents or picture.needs_categories:
        assert refusal(fits["judged"], picture) == ""
    said = refusal(fits["preferences"], picture)
    assert ("no replicated rankings" in said) == picture.draws_data


def test_a_check_may_be_of_one_statistic():
    assert PICTURES["check-ties"].statistic == "ties" and PICTURES["check"].statistic == ""
    assert PICTURES["check-ties"].method == PICTURES["check"].method == "plot_check"
