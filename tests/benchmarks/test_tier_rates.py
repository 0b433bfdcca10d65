"""Rates of tiers, in small."""

import numpy as np
import pytest

import bayesrank as br
from benchmarks import tier_rates


def test_tiers_are_held_against_the_truth():
    """Draws that leave no doubt: 0 above 1 and 2, which nobody can tell apart, above 3."""
    draws = np.random.default_rng(1).normal([9.0, 0.0, 0.0, -9.0], 0.1, size=(400, 4))
    fit = br.ScoreDraws(draws, range(4))
    found = tier_rates.held_against(fit, np.array([1.0, 1.0, 0.0, 2.0]))
    assert found[0.95, "certain"] == found[0.8, "certain"] == [3, 5, 3, 1]
    # With one coin flip a twelfth of the pairs is expected to be wrong.
    assert found[0.95, "expected"] == [3, 5, 3, 1]
    assert found[0.8, "expected"][:2] == [4, 6]


def test_a_ratio_of_sums_and_its_error():
    share, error = tier_rates.ratio([1, 0], [3, 1])
    assert share == 0.25
    assert error == pytest.approx(np.sqrt(2 * (0.25**2 + 0.25**2)) / 4)
    assert np.isnan(tier_rates.ratio([0, 0], [0, 0])).all()


def test_all_segmentations():
    separated, cuts = tier_rates.all_segmentations(3)
    assert separated.sum(axis=(1, 2)).tolist() == [0, 2, 2, 3]
    assert cuts.tolist() == [[False, False], [False, True], [True, False], [True, True]]


@pytest.mark.parametrize("seed", range(8))
def test_the_most_tiers_by_brute_force(seed):
    scores = tier_rates.simulated_draws(np.random.default_rng(seed))
    separated, cuts = tier_rates.all_segmentations(scores.shape[1])
    doubt = (scores[:, :, None] <= scores[:, None, :]).mean(axis=0)
    pairs = separated.sum(axis=(1, 2))
    kept = (separated * doubt).sum(axis=(1, 2)) <= 0.1 * pairs + 1e-9
    ends = tier_rates.most_tiers(scores, 0.9)
    assert len(ends) - 1 == 1 + cuts.sum(axis=1)[kept].max()
    assert kept[(cuts == np.isin(np.arange(1, scores.shape[1]), ends)).all(axis=1)].all()


def test_rates_are_kept_where_scores_are_drawn_from_the_prior():
    """Over 40 data sets, within four standard errors."""
    table = tier_rates.rates([("bradley-terry", 10, "prior", "many")], 40)
    assert list(zip(table["prob"], table["rule"], strict=True)) == [
        (prob, rule) for prob in (0.95, 0.8) for rule in ("expected", "certain")
    ]
    assert np.all(table["reversed"] <= 1 - table["prob"] + 4 * table["reversed_se"])
    assert table["tiers"][0] > table["tiers"][1] > 1
    assert table["pairs"].between(0, 1).all() and table["pairs"][0] > table["pairs"][1]


def test_against_the_best():
    table = tier_rates.against_the_best(40)
    shares = table.filter(regex="most_|share|nested")
    assert np.all((shares >= 0) & (shares <= 1))
    assert np.all(table["most_pairs"] <= table["share_of_pairs"])
    assert np.all((table["fewer_tiers"] == 0) == (table["most_tiers"] == 1))


def test_the_best_that_are_nested_and_that_are_not():
    """Three ways to cut three items once or twice; the best one changes its place, or does not."""
    cuts = np.array([[False, False], [False, True], [True, False], [True, True]])
    pairs, mistakes = np.array([0, 2, 2, 3]), np.array([0.0, 0.02, 0.1, 0.6])
    assert tier_rates._best_are_nested(mistakes, pairs, pairs, cuts)
    once = np.array([0, 2, 3, 0])  # as if the second of them had more pairs
    assert not tier_rates._best_are_nested(mistakes, once, once, cuts)


def test_the_tables_are_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tier_rates, "HERE", tmp_path)
    tables = {part: tmp_path / f"{part}.csv" for part in tier_rates.TABLES}
    monkeypatch.setattr(tier_rates, "TABLES", tables)
    monkeypatch.setattr(tier_rates, "SETTINGS", [("plackett-luce", 10, "leader", "few")])
    monkeypatch.setattr(tier_rates, "_votes", lambda: None)
    readme = tmp_path / "README.md"
    marks = [(tier_rates.START.format(part), tier_rates.END.format(part)) for part in tables]
    readme.write_text("\n".join(f"{start}\nold\n{end}" for start, end in marks))
    found = tier_rates.main(["--n", "2", "--only", "rates", "data", "--save"])
    assert set(found) == {"rates", "data"}
    assert len(tables["rates"].read_text().splitlines()) == 5
    printed, text = capsys.readouterr().out, readme.read_text()
    assert "| one leader, others equal | few | 0.95 | expected |" in text
    assert "| a season of 36 races (nascar) | 87 | 0.95 | " in text
    assert text.count("old") == 1 and "| one leader, others equal | few |" in printed


def test_small_runs_are_not_kept(capsys):
    with pytest.raises(SystemExit):
        tier_rates.main(["--quick", "--save"])
    assert "leave out --quick" in capsys.readouterr().err
