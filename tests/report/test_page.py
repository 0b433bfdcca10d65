"""What the page says is what the fit says."""

import json
import re

import numpy as np
import pytest

import bayesrank as br
from bayesrank import consensus
from bayesrank.report import page
from bayesrank.report.page import LOSSES, gather
from bayesrank.report.words import percent
from tests.report.fits import made_fit
from tests.report.unpacking import PACKED, unpacked, unpacked_ranks

NAMES = [f"item {k}" for k in range(7)]


@pytest.fixture(scope="module")
def fit():
    return made_fit(NAMES, likelihood="davidson", order_effect=True)


@pytest.fixture(scope="module")
def gathered(fit):
    return gather(fit)


def test_the_ranking_is_that_of_the_fit(fit, gathered):
    table = fit.ranking()
    assert gathered["items"] == list(table.index)
    for column in table:
        assert gathered["ranking"][column] == table[column].tolist()
    together = fit.rank_intervals(simultaneous=True).loc[table.index]
    assert gathered["ranking"]["all_low"] == together["low"].tolist()
    assert gathered["ranking"]["all_high"] == together["high"].tolist()
    joint = fit.rank_intervals(simultaneous="posterior")
    assert gathered["ranking"]["joint_low"] == joint["low"].tolist()
    assert gathered["ranking"]["joint_high"] == joint["high"].tolist()


def test_matrices_are_those_of_the_fit_in_the_order_of_ranks(fit, gathered):
    order, n = fit.ranking().index, len(NAMES)
    off = ~np.eye(n, dtype=bool)
    ranks = unpacked_ranks(gathered["ranks"], (n, n))
    np.testing.assert_allclose(ranks, fit.rank_probabilities().loc[order], **PACKED)
    above = unpacked(gathered["pairs"]["above"]).reshape(n, n)
    expected = fit.probability_above().loc[order, order].to_numpy()
    np.testing.assert_allclose(above[off], expected[off], **PACKED)
    # The page has no left item.
    win = unpacked(gathered["pairs"]["win"]).reshape(n, n)
    expected = fit.win_probabilities(neutral=True).loc[order, order].to_numpy()
    np.testing.assert_allclose(win[off], expected[off], **PACKED)
    assert gathered["pairs"]["neutral"]


def test_of_many_items_only_the_first_are_paired(fit, monkeypatch):
    monkeypatch.setattr(page, "MOST_PAIRED", 3)
    few, order = gather(fit), fit.ranking().index
    assert few["pairs"]["size"] == 3
    win = unpacked(few["pairs"]["win"]).reshape(3, 3)
    expected = fit.win_probabilities(neutral=True).loc[order[:3], order[:3]].to_numpy()
    np.testing.assert_allclose(win[0, 1:], expected[0, 1:], **PACKED)
    # Seven ranks in at most three groups: 1 to 3, 4 to 6, and 7.
    assert few["ranks"]["width"] == 3
    ranks = unpacked_ranks(few["ranks"], (7, 3))
    expected = fit.rank_probabilities().loc[order]
    np.testing.assert_allclose(ranks[:, 0], expected[[1, 2, 3]].sum(axis=1), **PACKED)
    np.testing.assert_allclose(ranks[:, 2], expected[7], **PACKED)


def test_consensus_and_parameters_are_those_of_the_fit(fit, gathered):
    assert [found["loss"] for found in gathered["consensus"]] == list(LOSSES)
    for found in gathered["consensus"]:
        result = fit.consensus(found["loss"])
        assert [gathered["items"][k] for k in found["order"]] == result.order
        assert found["expected_loss"] == result.expected_loss
        assert found["proof"] == result.proof
    table = fit.parameters()
    assert [row["name"] for row in gathered["parameters"]] == list(table.index)
    assert [row["mean"] for row in gathered["parameters"]] == table["mean"].tolist()
    assert all(row["meaning"] for row in gathered["parameters"])


def test_the_answer_names_the_first_the_set_and_the_tiers(fit, gathered):
    table = fit.ranking()
    first, rest = gathered["answer"]
    assert first.startswith("“item 0” comes first") and percent(table["p_best"].iloc[0]) in first
    likely, possible = fit.best()["credible"].sum(), fit.best()["in_set"].sum()
    assert 1 < likely < possible < len(NAMES)
    assert f"one of {likely}: “item 0”" in rest
    assert f"whatever the true scores are, {possible} cannot be ruled out" in rest
    assert table["tier"].nunique() > 1
    promised = "of the pairs they separate, at most 5% are expected to be in the wrong order"
    assert f"fall into {table['tier'].nunique()} tiers: {promised}." in rest
    assert gathered["tiers"] == promised


def test_the_rule_of_the_tiers(fit):
    page = gather(fit, prob=0.9, tiers="certain")
    tier = fit.tiers(0.9, "certain")
    assert page["ranking"]["tier"] == tier.tolist()
    assert 1 < tier.max() < fit.tiers(0.9).max()
    promised = "the order of every pair they separate is at least 90% certain"
    assert f"fall into {tier.max()} tiers: {promised}." in page["answer"][1]
    assert page["tiers"] == promised
    one = gather(made_fit(NAMES, spread=50.0), tiers="certain")["answer"][1]
    assert "one tier: no cut between them is 95% certain" in one
    with pytest.raises(ValueError, match="`tiers` must be"):
        gather(fit, tiers="strict")


def test_the_answer_when_all_is_clear_and_when_nothing_is():
    clear = " ".join(gather(made_fit(NAMES, spread=0.001))["answer"])
    assert "more than 99.9%" in clear and "no other item is the best" in clear
    assert "7 tiers" in clear
    open_question = " ".join(gather(made_fit(NAMES, spread=50.0))["answer"])
    assert "none of the 7 items can be ruled out" in open_question
    assert "in one tier: more of them would have too many pairs" in open_question
    assert "Who is best is decided at 95%." in clear
    assert "Who is best is not decided at 95%." in open_question


def test_the_answer_says_how_many_more_results_it_takes(fit, gathered):
    verdict = fit.decided("best")
    assert verdict.more is not None and not verdict
    said = f"Who is best is not decided at 95%. {verdict.outlook(advice=False)}"
    assert gathered["answer"][0].endswith(said.strip())
    assert "indifference" not in said  # nobody can ask a page again


def test_the_answer_says_when_another_is_likelier_to_be_the_best():
    fit = made_fit(["steady", "wild", "last"])
    rng = np.random.default_rng(0)
    wild = rng.choice([-2.0, 2.0], 400)
    score = np.stack([np.full(400, 0.5), wild, -0.5 - wild], axis=1)
    fit.posterior["score"] = score[None][..., [2, 0, 1]]  # items are sorted: last, steady, wild
    (first, _) = gather(fit)["answer"]
    assert first.startswith("“steady” comes first on average, with probability less than 0.1%")
    assert re.search("“(wild|last)” is the likeliest best", first)


def test_a_mode_has_scores_and_ranks_and_says_why():
    fit = br.fit(br.load_dataset("pudding"), "davidson", method="map", progress=False)
    gathered = gather(fit)
    assert gathered["point"] and gathered["ranks"] is None and gathered["consensus"] == []
    assert gathered["pairs"]["above"] is None
    assert gathered["ranking"]["score"] == fit.ranking()["score"].tolist()
    assert gathered["ranking"]["low"] == [None] * 6
    assert "single point" in " ".join(gathered["answer"])
    json.dumps(gathered, allow_nan=False)


def test_data_and_model_in_words(gathered):
    facts = dict(gathered["facts"])
    assert facts["Observed"] == "28 comparisons of 7 items, in 7 ordered pairs"
    assert facts["Ties"] == "7 (25%)"
    assert "help or harm" in facts["Order effect"]
    assert facts["Links between items"].startswith("Connected")
    assert gathered["model"]["name"] == "Davidson"
    priors = " ".join(gathered["model"]["priors"])
    assert "standard deviation 1, made to sum to zero" in priors and "uniform" in priors


def test_rankings_in_words():
    votes = br.Rankings.from_lists([["a", {"b", "c"}], ["b", "a"]], weights=[2, 1])
    facts = dict(gather(br.fit(votes, method="laplace", seed=1, progress=False))["facts"])
    assert facts["Observed"] == "2 rankings of 2 to 3 items each, 5 entries, 3 items in all"
    assert facts["Ties"] == "2 entries (40%) share their rank"
    assert facts["Weights"].endswith("3 in all")
    assert "Order effect" not in facts


def test_agents_and_variances_of_the_preference_model():
    votes = br.Rankings.from_lists([["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]])
    fit = br.fit(votes, "mpm", method="laplace", seed=1, progress=False)
    gathered = gather(fit)
    table = fit.agents()
    assert [row["adherence"] for row in gathered["agents"]["rows"]] == table["adherence"].tolist()
    assert [row["name"] for row in gathered["variances"]["rows"]] == gathered["items"]
    assert "weighted" in gathered["model"]["words"]


def test_of_many_agents_both_ends_are_listed(monkeypatch):
    monkeypatch.setattr(page, "MOST_LISTED", 2)
    votes = br.Rankings.from_lists([["a", "b", "c"]] * 4 + [["c", "a", "b"]])
    fit = br.fit(votes, "mpm", method="laplace", seed=1, progress=False)
    agents = gather(fit)["agents"]
    assert agents["left_out"] == 3
    table = fit.agents()
    assert [row["name"] for row in agents["rows"]] == [str(table.index[0]), str(table.index[-1])]


def test_made_says_with_what(gathered):
    made = dict(gathered["made"])
    assert made["Draws"] == "400" and made["Method"] == "laplace"
    assert made["Random seed"] == "none was given"
    assert f"bayesrank {br.__version__}" in made["Versions"] and "numpy" in made["Versions"]


def test_every_loss_is_on_the_page():
    assert tuple(LOSSES) == consensus.LOSSES


def test_names_that_would_run_as_formulas_have_another_form_for_spreadsheets():
    page = gather(made_fit(["=1+1", "plain", "-5", "'=1"]))
    found = {page["items"][int(k)]: text for k, text in page["spreadsheet_names"].items()}
    assert found == {"=1+1": "'=1+1", "-5": "'-5"}
