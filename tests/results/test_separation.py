"""Which distances between items come from the prior, and for whom that is said."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.model.specification import Specification
from bayesrank.results.separation import left_to_the_prior
from tests.random_tables import random_table


def pairs(*rows):
    """Return comparisons of rows such as "ann bob 2 0": left, right, wins, losses."""
    frame = pd.DataFrame([row.split() for row in rows], columns=["left", "right", "wins", "losses"])
    return br.Comparisons.from_counts(frame.astype({"wins": int, "losses": int}))


def said(data, likelihood="bradley-terry", **options):
    return left_to_the_prior(Specification(data, likelihood, **options))


@pytest.mark.parametrize("name", ["baseball", "citations", "german_parties", "pudding"])
def test_nothing_is_said_of_ordinary_data(name):
    data = br.load_dataset(name)
    assert said(data, "davidson" if data.has_ties else "bradley-terry") == ("", "")


def test_one_item_above_or_below_all_others():
    season = ["ann bob 2 0", "ann cyd 2 0", "bob cyd 1 1"]
    assert said(pairs(*season)) == (
        "",
        "Never beaten: ann. How far above the others they are comes from the prior.",
    )
    last = [*season, "bob zoe 2 0", "cyd zoe 2 0"]
    assert said(pairs(*last))[1] == (
        "Never beaten: ann. Never won: zoe. How far above or below the others they are comes from "
        "the prior."
    )
    assert said(pairs(*last, "zoe ann 1 0")) == ("", "")


def test_groups_and_orders_without_contradiction():
    groups = pairs("a b 6 4", "c d 5 5", "a c 9 0", "b d 9 0")
    assert said(groups)[1].startswith("All results between these groups went one way: ")
    assert {"a, b", "c, d"} <= set(said(groups)[1].partition("way: ")[2].split(".")[0].split("; "))
    same = br.Rankings.from_lists([list("cabdef")], weights=[1000])
    assert said(same, "plackett-luce")[1] == (
        "No result contradicts another, among a, b, c, d, e and 1 more. How far apart these items "
        "are comes from the prior."
    )


def test_groups_that_never_meet():
    assert said(pairs("a b 6 4", "c d 5 5")) == (
        "2 groups of items never meet: a, b; c, d. How these stand to each other comes from the "
        "prior.",
        "",
    )
    apart, one_way = said(pairs("a b 6 0", "c d 5 5"))
    assert apart and one_way.startswith("Never beaten: a. Never won: b.")
    many = said(pairs(*(f"x{k} y{k} 1 1" for k in range(6))))[0]
    assert "6 groups" in many and many.count(";") == 4 and "and 2 more" in many


def test_ties_link_where_they_bind():
    tied = br.Rankings.from_lists([["a", {"b", "c"}], [{"a", "b"}, "c"]])
    assert said(tied, "davidson-luce") == ("", "")
    assert said(tied, "partitioned-plackett-luce")[1].startswith("Never below another: a.")


def test_where_only_features_or_no_prior_decide():
    one_way = pairs("a b 3 0", "b c 3 0")
    x = np.array([[1.0], [0.5], [0.0]])
    assert said(one_way, features=x, item_effects=False) == ("", "")
    assert said(one_way, features=x)[1]
    assert said(one_way, scale=np.inf) == ("", "")


def test_preferences():
    """There an item that wins and loses holds all scores of its instance."""
    assert said(pairs("a b 6 0", "c d 5 0"), "mpm") == (
        "",
        "All prefer a, c to b, d. How far apart these are comes from the prior.",
    )
    assert said(pairs("a b 6 0", "b c 5 0"), "mpm") == ("", "")
    lists = [list("abc"), list("bca"), list("ab"), list("ab")]
    places = {"agents": ["x", "y", "x", "y"], "instances": ["good", "good", "bad", "bad"]}
    votes = br.Rankings.from_lists(lists, **places)
    for adherence in ("learned", 1.0):
        found = said(votes, "mpm", adherence=adherence)[1]
        assert found.startswith("No item is preferred to one and behind another in bad.")


def test_instances_are_named():
    rows = pd.DataFrame(
        [
            ["p", "a", "b", 2, 0],
            ["q", "a", "b", 1, 1],
            ["r", "a", "b", 1, 1],
            ["r", "c", "d", 1, 1],
        ],
        columns=["q", "left", "right", "wins", "losses"],
    )
    apart, one_way = said(br.Comparisons.from_counts(rows, instance="q"))
    assert "never meet in r." in apart and "one way in p." in one_way


def test_it_is_said_where_the_maximum_likelihood_does_not_exist():
    """For scores alone that is the same question, and there the answer is exact."""
    found = {True: 0, False: 0}
    for seed in range(60):
        data = random_table(seed, items=4, ties=False, per_pair=1)
        specification = Specification(data, "bradley-terry", scale=np.inf)
        try:
            require_finite_estimate(specification)
            exists = True
        except ValueError:
            exists = False
        assert any(said(data)) != exists
        found[exists] += 1
    assert min(found.values()) > 5
