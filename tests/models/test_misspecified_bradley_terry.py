"""The claims of the study of misspecified Bradley-Terry, at its quick size."""

import numpy as np
import pytest
from scipy.stats import norm

from bayesrank.baselines.pair_losses import LOSSES, fit_pair_loss
from models import misspecified_bradley_terry as study
from tests.modes import AS_WRITTEN

RANKINGS, LOUDER, PAIRS = study.DESIGNS


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return folder, *study.main(["--quick", "--out", str(folder)])


def chosen(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def test_the_limit_by_an_integral_is_that_of_many_pairs():
    """Means over 30 sets of 1 000 observations, right to one percent or so."""
    for name in (RANKINGS, PAIRS):
        for row in study.ratio_table(name, [1000], 30, seed=7, progress=False):
            plain = row["beta-hat/beta*"].mean()
            error = row["se"] / row["beta*/beta-hat"].mean() * plain
            # Four standard errors, and the bias of a few thousandths of 1 000 single pairs.
            assert abs(plain - row["limit"]) < 4.0 * error + 0.01 * row["limit"]


def test_known_limits():
    """The squared loss has one in closed form: E[u y] / E[u^2], which is a normal integral."""
    for design in study.DESIGNS.values():
        signal = 2.0 * design.features * study.BETA @ study.BETA
        expected = np.sqrt(2.0 / np.pi) / np.sqrt(signal + 2.0 * design.noise)
        assert study.limit(design, "squared") == pytest.approx(expected, rel=1e-6)


def test_single_pairs_give_the_papers_number_for_bradley_terry():
    """Table 3.1: 0.576. Rankings of four, as the paper describes them, have the limit 0.5655."""
    assert abs(1.0 / study.limit(study.DESIGNS[PAIRS], "logistic") - 0.576) < 0.002
    assert 1.0 / study.limit(study.DESIGNS[RANKINGS], "logistic") == pytest.approx(0.5655, abs=1e-4)
    assert 1.0 / study.limit(study.DESIGNS[LOUDER], "logistic") == pytest.approx(0.8128, abs=1e-4)


def test_ratios_are_equal_across_coefficients(run):
    """Three differences each, which are related; four standard errors leave 2e-4 to chance."""
    ratios = run[1]
    rows = chosen(ratios, n=1000)
    assert len(rows) == 9
    for row in rows:
        assert row["apart"] < 4.0, (row["design"], row["method"])
        # Within a tenth of each other, where the coefficients differ by a factor of two.
        assert np.ptp(row["beta*/beta-hat"]) < 0.1 * row["beta*/beta-hat"].mean()


def test_losses_have_their_order(run):
    """Logistic below hinge below exponential, as in the paper, for every coefficient and design."""
    ratios = run[1]
    for design in study.DESIGNS:
        by_loss = [
            chosen(ratios, design=design, method=loss, n=1000)[0]["beta*/beta-hat"]
            for loss in ("logistic", "hinge", "exponential")
        ]
        assert np.all(np.diff(by_loss, axis=0) > 0.1)


def test_ratios_settle(run):
    """Ten times the observations divide the spread by the root of ten.

    The logarithm of a standard deviation of 40 has an error of 0.11, a ratio of two 0.16.
    """
    ratios = run[1]
    for design in (RANKINGS, LOUDER):
        for loss in study.PAPER:
            few, many = (
                chosen(ratios, design=design, method=loss, n=n)[0]["beta-hat/beta* sd"]
                for n in (100, 1000)
            )
            assert np.all(np.abs(np.log(few / many) - np.log(10.0) / 2.0) < 4 * 0.16)


def test_standard_deviations_are_those_of_single_pairs(run):
    """The paper's, 0.042, 0.066 and 0.038 at n = 1 000; an sd of 40 is right to a ninth."""
    ratios = run[1]
    paper = np.array(study.PAPER["logistic"][1000][1])
    single, four = (
        chosen(ratios, design=design, method="logistic", n=1000)[0]["beta*/beta-hat sd"]
        for design in (PAIRS, RANKINGS)
    )
    assert np.all(np.abs(single / paper - 1.0) < 0.35)
    assert np.all(paper / four > 1.7)


def test_without_features_probabilities_are_biased(run):
    """Figure 4.1 without noise: too high in the middle, too low at the end, by under one point."""
    found = run[2]
    off = found["bradley-terry, limit"] - found["true"]
    assert off.max() > 0.005 and off[found["true"] > 0.97].max() < -0.001
    assert np.abs(off).max() < 0.012


def test_the_posterior_by_nuts(run):
    """NUTS on the model written out, against Laplace: 400 draws, 100 rankings."""
    by_nuts, normal = run[4]
    assert [by_nuts["method"], normal["method"]] == [
        "bradley-terry, nuts",
        "bradley-terry, laplace",
    ]
    # A standard deviation of 400 draws is right to 4 %, a skewed posterior differs by more.
    assert np.all(np.abs(by_nuts["mean"] - normal["mean"]) < 0.5 * normal["sd"])
    assert np.all(np.abs(by_nuts["sd"] / normal["sd"] - 1.0) < 0.3)


def test_the_model_of_whole_rankings():
    """Of two documents a ranking is a pair: the normal distribution function of the difference."""
    x = study.simulate(study.DESIGNS[PAIRS], 5, np.random.default_rng(0))
    beta = np.array([0.3, -0.2, 0.5])
    made = study.model(x, "thurstone")
    found = made.compile_fn(made.observedlogp, mode=AS_WRITTEN)({"beta": beta})
    assert found == pytest.approx(norm.logcdf((x[:, 0] - x[:, 1]) @ beta).sum(), rel=1e-9)


def test_the_calibrated_spread_is_that_of_repetitions():
    """Pairs as if they were separate give too little spread in the coefficients' size."""
    design = study.DESIGNS[RANKINGS]
    size, pairs, calibrated = [], [], []
    for k in range(150):
        rng = np.random.default_rng([11, k])
        x = study.simulate(design, 100, rng)
        beta = fit_pair_loss(*study.all_pairs(x), x.reshape(-1, 3))
        size.append(beta @ study.BETA)
        difference = x.reshape(-1, 3)[np.stack(study.all_pairs(x))]
        difference = difference[0] - difference[1]
        p = 1.0 / (1.0 + np.exp(-difference @ beta))
        covariance = np.linalg.inv((difference * (p * (1.0 - p))[:, None]).T @ difference)
        pairs.append(study.BETA @ covariance @ study.BETA)
        calibrated.append(np.var(study.sandwich(x, 500, rng) @ study.BETA))
    # A variance of 150 numbers is right to 12 %, that of skewed ones to 20 % or so.
    ratio = np.mean(calibrated) / np.var(size, ddof=1)
    assert 0.5 < ratio < 1.6
    assert np.mean(pairs) < np.mean(calibrated)


def test_both_ratios_are_printed_and_kept(run, capsys):
    folder, ratios = run[0], run[1]
    study.print_ratios(chosen(ratios, design=RANKINGS))
    printed = capsys.readouterr().out
    assert "| β*/β̂ |" in printed and "| β̂/β* |" in printed
    text = (folder / "misspecified_bradley_terry.csv").read_text()
    for quantity in ("beta*/beta-hat", "beta-hat/beta*", "limit", "paper", "coefficients se"):
        assert f",{quantity}," in text
    assert (folder / "misspecified_bradley_terry.png").stat().st_size > 10_000


def test_every_loss_of_the_paper_is_a_loss_of_ours():
    assert set(study.PAPER) < set(LOSSES)
