"""How many judges are put into the right group, in small."""

import runpy

import numpy as np
import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.fixture(scope="module")
def clusters():
    return runpy.run_path(str(FOLDER / "clusters.py"))


def test_judges_of_many_ballots_are_put_into_the_right_group(clusters):
    """With ten ballots of six items each, nearly all of 200."""
    (right, sure, known), _ = clusters["study"](10, "map", 2)
    assert right > 0.97 and sure > 0.97 and known > 0.97


def test_who_knows_everything_is_right_as_often_as_probabilities_say(clusters):
    """Of 3,000 judges of two ballots: a standard error of 0.006."""
    data, *_ = clusters["simulate"](2, np.random.default_rng(1))
    assert len(data) == 200 and data.sizes.max() == data.sizes.min() == 6
    drawn = [clusters["simulate"](2, np.random.default_rng(seed)) for seed in range(30)]
    right = np.mean([known == group for _, group, known in drawn])
    assert 0.85 < right < 0.97


def test_the_table(clusters, capsys):
    clusters["main"](["--replicates", "2", "--ballots", "5"])
    assert capsys.readouterr().out.splitlines()[-1].startswith("| 5 | 0.")
