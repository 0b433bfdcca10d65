"""The claims of ordered partitions on a small simulation, and its fits by hand."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.baselines import break_ties
from models import ordered_partitions as study
from models.ordered_partitions import graded_documents, gradient_cost
from tests.modes import AS_WRITTEN


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graded_documents, "data_folder", lambda name: None)
        return folder, *study.main(["--quick", "--out", str(folder)])


@pytest.fixture(scope="module")
def documents():
    raw = [graded_documents.simulated(n, 4, np.random.default_rng(n)) for n in (12, 6)]
    return graded_documents.prepared(*raw)


def differences(table, order):
    part = table[table["features"] == order]
    return {name: study.difference(part, name) for name in part["method"].unique()}


def test_pmop_is_at_or_above_list_mle(run):
    """Four differences of 60 queries each; three standard errors leave a half of 1 % to chance."""
    for order in ("first", "second"):
        found = differences(run[1], order)
        for name in ("PMOP-FD", "PMOP geometric, exact"):
            mean, error = found[name]
            assert error > 0 and mean > -3.0 * error, (order, name)


def test_the_order_of_the_file_leaks(run):
    """Documents are sorted by a feature. In ten simulations the loss was four errors or more."""
    for order in ("first", "second"):
        mean, error = differences(run[1], order)["ListMLE, file order"]
        assert mean < -0.05 and mean < -3.0 * error


def test_products_of_features_help_where_relevance_has_one(run):
    """It has one of the second and third. In ten simulations 29 of 30 gains were above 0."""
    wide = run[1].pivot_table(index="query", columns=["features", "method"], values="NDCG@5")
    for name in ("PMOP-FD", "RankNet", "ListMLE"):
        assert (wide["second", name] - wide["first", name]).mean() > 0.0, name


def test_all_methods_are_beside_the_paper(run, capsys):
    folder, table = run[:2]
    assert set(study.PAPER) < set(table["method"])
    shown = study.summary(table[table["features"] == "first"])
    assert len(shown) == table["method"].nunique() == 15
    row = shown.set_index("method").loc["PMOP-FD"]
    assert "(0.6762)" in row["NDCG@5"] and row["in the paper"] == "+0.0057"
    study.print_scores(table)
    assert "simulated" in capsys.readouterr().out
    kept = pd.read_csv(folder / "ordered_partitions.csv")
    assert len(kept) == 30 and {"difference", "difference se"} < set(kept.columns)
    assert (folder / "ordered_partitions.png").read_bytes().startswith(b"\x89PNG")


def test_a_lost_claim_is_said(run):
    part = run[1][run[1]["features"] == "first"].copy()
    part.loc[part["method"] == "PMOP-FD", "NDCG@5"] -= 0.5
    shown = study.summary(part).set_index("method")
    assert shown.loc["PMOP-FD", "here"] == "below"
    assert study.verdict(0.3, 0.1) == "above" and study.verdict(-0.1, 0.1) == "as good"


def test_posteriors(run, monkeypatch):
    """ADVI with a full covariance is all but Laplace's; independent weights are too sure.

    The spread of 300 draws is right to 4 %, and a posterior of 40 queries is not quite normal.
    """
    table = run[3].set_index(["likelihood", "method"])
    for name in ("pmop", "plackett-luce"):
        full, alone = (table.loc[(name, m), "sd of weights"] for m in ("advi, full rank", "advi"))
        assert alone < full
    monkeypatch.setattr(graded_documents, "data_folder", lambda name: None)
    train = graded_documents.prepared(*graded_documents.folds_of("mq2008", True, 0)[1][0])[0]
    data = train.of_queries(train.queries[:40]).to_graded_rankings()
    normal = br.fit(data, "pmop", method="laplace", scale=1.0, seed=1, progress=False)
    spread = normal.posterior["beta"].std(axis=(0, 1)).mean()
    row = table.loc[("pmop", "advi, full rank")]
    assert row["sd of weights"] == pytest.approx(spread, rel=0.3)
    assert row["low"] < row["difference"] < row["high"] and 0.0 <= row["better"] <= 1.0
    # Ties in random order count as so many results: those weights are far too sure.
    other = table.loc[("plackett-luce", "advi, full rank"), "sd of weights"]
    assert other < 0.5 * row["sd of weights"]


@pytest.mark.parametrize("likelihood", ["pmop", "pmop-geometric", "plackett-luce"])
def test_the_model_is_that_of_fit(documents, likelihood):
    data = documents[0].to_graded_rankings()
    if likelihood == "plackett-luce":
        data = break_ties(data, seed=1)
    made = study.model(data, likelihood)
    specification = br.Specification(data, likelihood, scale=1.0)
    beta = np.array([0.4, -0.3, 0.2, 0.9])
    # The features are in units of their spread within queries already.
    assert specification.observation.features.spread == pytest.approx(np.ones(4), rel=1e-9)
    value = made.compile_logp(mode=AS_WRITTEN)({"beta": beta})
    assert float(value) == pytest.approx(specification.objective(beta)[0], rel=1e-9)


def test_pairs_with_ties_see_the_features_of_their_own_documents(documents):
    """Davidson's weights are where the gradient of all pairs of a query vanishes."""
    train = documents[0]
    beta = study.by_pairs_with_ties(train, "davidson").posterior["beta"][0, 0]

    def penalised(beta, nu):
        total = -0.5 * beta @ beta
        for q in range(len(train.queries)):
            own = train.query == q
            score, grade = train.values[own] @ beta, train.relevance[own]
            i, j = np.triu_indices(own.sum(), 1)
            swap = grade[i] < grade[j]
            d = np.where(swap, score[j] - score[i], score[i] - score[j])
            z = np.log(np.exp(d / 2) + np.exp(-d / 2) + nu)
            total += np.where(grade[i] == grade[j], np.log(nu), d / 2).sum() - z.sum()
        return total

    # The best tie parameter for these weights, then no better weights near by.
    grid = np.exp(np.linspace(-1.0, 5.0, 2001))
    nu = grid[np.argmax([penalised(beta, nu) for nu in grid])]
    for step in 0.02 * np.concatenate([np.eye(4), -np.eye(4)]):
        assert penalised(beta + step, nu) < penalised(beta, nu)


def test_measures_by_hand():
    """Grades 0, 2 and 1 in this order; and a query without a relevant document."""
    given = graded_documents.simulated(5, 4, np.random.default_rng(0))
    given = graded_documents.replace(
        given, query=np.array([0, 0, 0, 1, 1]), relevance=np.array([0, 2, 1, 0, 0]),
        queries=[0, 1], values=np.zeros((5, 4)), documents=list(range(5)),
    )  # fmt: skip
    found = study.measures(np.array([3.0, 2.0, 1.0, 2.0, 1.0]), given)
    gain = 3 / np.log2(3) + 1 / 2
    best = 3 + 1 / np.log2(3)
    assert found["NDCG@5"] == pytest.approx([gain / best, 1.0])
    assert found["NDCG@1"] == pytest.approx([0.0, 1.0])
    assert found["ERR"] == pytest.approx([3 / 16 / 2 + 13 / 16 / 16 / 3, 0.0])
    assert found["LETOR NDCG@5"][1] == 0.0


def test_costs(run):
    """Times are not asserted: only that exponents are slopes, and that pairs are all pairs."""
    cost = run[2]
    assert (cost["seconds"] > 0).all() and cost.groupby("method").size().eq(3).all()
    size = np.array([30, 100, 300])
    made = [
        pd.DataFrame({"documents": size, "method": str(p), "seconds": 1e-6 * size**p})
        for p in (1.0, 2.0)
    ]
    assert gradient_cost.exponents(pd.concat(made)) == pytest.approx({"1.0": 1.0, "2.0": 2.0})
    taken = gradient_cost.whole_pass(20, 300, 3)
    assert set(taken) == {*cost["method"], "features"} and min(taken.values()) > 0.0


def test_stopping_as_the_paper_does_comes_near_the_minimum(documents):
    """A last step that gains less than 1e-5 leaves far less than a hundredth to be gained."""
    fit = study.by_likelihood(documents[0], "pmop-geometric")
    early = study.stopped(fit.specification)
    best = fit.posterior["beta"][0, 0]
    lost = fit.specification.objective(best)[0] - fit.specification.objective(early)[0]
    assert 0.0 <= lost < 1e-2 * abs(fit.specification.objective(best)[0])
    assert study.rival("PMOP-FD, stopped") == "ListMLE, stopped"
    assert study.rival("PMOP-FD") == study.rival("ListMLE") == "ListMLE"
