"""The claims of partitioned preference, at small sizes."""

import gzip

import numpy as np
import pytest

import bayesrank as br
from models import partitioned_preference as study
from models.partitioned_preference import gradient_cost
from models.study import options

QUICK = options("", ["--quick"])


def test_rankings_are_cut_as_the_paper_cuts_them():
    worth, data, full = study.simulate(700, 30, np.random.default_rng(1))
    assert worth.sum() == pytest.approx(1.0) and worth.max() / worth.min() < 700
    above = (data.ranks > 0).sum(axis=1)
    assert above.max() <= study.MOST and np.all(data.ranks.max(axis=1) == study.BLOCKS - 1)
    assert np.array_equal(above, full.ranks.max(axis=1))
    assert not full.has_ties and np.unique(above).size > 20


def test_the_likelihood_of_the_blocks_finds_the_worths():
    """Far below all rivals, and near the oracle, which knows more, in every data set.

    In ten data sets of this size the best rival's error was 2.1 to 20 times as large, PL-LB's 16
    times or more, and the oracle's smaller by a factor of up to 2.6.
    """
    table = study.worth_table(QUICK, [(100, 300, 3)])
    wide = table.pivot(index="set", columns="method", values="error")
    for name in study.RIVALS:
        assert np.all(wide["PL-Partition"] < wide[name]), name
    assert wide["PL-Partition"].mean() < 5.0 * wide["PL-TopK"].mean()
    assert wide["PL-LB"].mean() > 5.0 * wide["PL-Partition"].mean()
    (row,) = study.worth_summary(table).to_dict("records")
    assert row["PL-Partition the best but the oracle"] == "yes"


def test_a_lost_claim_is_said():
    table = study.worth_table(QUICK, [(20, 10, 1)])
    table.loc[table["method"] == "RankSVM", "error"] = 0.0
    (row,) = study.worth_summary(table).to_dict("records")
    assert "RankSVM" in row["PL-Partition the best but the oracle"]


def test_the_model_is_that_of_fit():
    _, data, _ = study.simulate(8, 15, np.random.default_rng(2))
    made = study.model(data)
    specification = br.Specification(data, "partitioned-plackett-luce", scale=study.SCALE)
    x = np.random.default_rng(3).normal(size=7)
    value = made.compile_logp(jacobian=False)({made.value_vars[0].name: x})
    assert float(value) == pytest.approx(specification.objective(x)[0], rel=1e-9)


def test_costs_are_of_all_methods():
    table = study.cost_summary(study.cost_table(QUICK, [20, 50]))
    assert list(table.columns) == ["N", *study.OBJECTIVES] and len(table) == 2


def test_memory_is_that_of_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(gradient_cost, "OBJECTIVES", {"PL-LB": study.OBJECTIVES["PL-LB"]})
    (row,) = study.cost_table(options("", []), [200_000]).to_dict("records")
    # The derivative alone has 20 rankings of 200 000 numbers of 8 bytes: 30 megabytes.
    # Elsewhere than on Linux it is not known.
    assert np.isnan(row["megabytes"]) or 30 < row["megabytes"] < 100


def test_labels_in_front_are_right_more_often():
    """The exact likelihood against its bound on simulated pages, both trained to the end.

    In six such sets each of the four differences was above 0.9 points; that of PSP@1 goes either
    way.
    """
    sets = study.simulated_labels(np.random.default_rng(0), pages=(1600, 800), labels=100)
    table = study.label_table(
        sets, ["PL-Partition", "PL-LB"], [5e-3], 1, progress=False, hidden=48, epochs=40
    )
    mean = table.groupby(["method", "measure", "cutoff"])["value"].mean()
    for measure, cutoff in (("P", 5), ("P", 10), ("PSP", 5), ("PSP", 10)):
        assert mean["PL-Partition", measure, cutoff] > mean["PL-LB", measure, cutoff]
    common = np.tile(sets[0][1].sum(axis=0), (len(sets[1][1]), 1))
    ones = np.ones(common.shape[1])
    by_frequency = study.label_measures(common, sets[1][1], ones)["P"][2]
    assert mean["PL-Partition", "P", 5] > by_frequency + 10.0
    assert len(study.label_summary(table, published=False)) == 8


def test_a_file_is_read(tmp_path):
    lines = ["@relation x", *(f"@attribute a{k} {{0,1}}" for k in range(5)), "@data", "{0 1,4 1}"]
    with gzip.open(tmp_path / "x.arff.gz", "wt") as file:
        file.write("\n".join([*lines, "{}", "{1 1,3 1}"]) + "\n")
    x, labels = study.read_labels(tmp_path / "x.arff.gz", features=2)
    assert np.array_equal(x, [[1, 0], [0, 0], [0, 1]])
    assert np.array_equal(labels, [[0, 0, 1], [0, 0, 0], [0, 1, 0]])


def test_the_study_runs(capsys, tmp_path):
    study.main(["--quick", "--part", "simulation", "--out", str(tmp_path)])
    out = capsys.readouterr().out
    assert "PL-TopK" in out and "no:" not in out
    assert (tmp_path / "partitioned_preference_simulation.png").stat().st_size > 10_000
