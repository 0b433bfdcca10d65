"""Whether draws can be trusted, in the words of whoever reads."""

import re

import numpy as np
import pytest

import bayesrank as br
from bayesrank import _compat
from bayesrank.model.specification import Specification
from bayesrank.report.page import gather
from bayesrank.results.diagnostics import diagnose
from bayesrank.text import at_the_terminal

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")


def test_diagnostics_in_words(nuts_fit):
    found = nuts_fit.diagnostics()
    assert found.ok and found.divergences == 0 and found.max_rhat < 1.01
    assert "0 divergences" in str(found)


def test_a_failed_fit_warns_in_the_words_of_whoever_reads(pudding):
    """In Python by itself, at the terminal in its flags, on the page in plain words."""
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False}
    python = r"Do not trust this fit yet. R-hat .*: tune=40, draws=40\."
    with pytest.warns(UserWarning, match=python):
        short = br.fit(pudding, "davidson", **few)
    found = short.diagnostics()
    assert any("Make more draws: draws=1000." in message for message in found.messages)
    with at_the_terminal():
        assert "the draws: --tune 40 --draws 40." in str(found)
        br.fit(pudding, "davidson", **few)  # the terminal shows its diagnostics anyway
    plain = [finding.plain for finding in found.findings]
    assert any(text.endswith("Double the warm-up and the draws.") for text in plain)
    data = gather(short)["diagnostics"]
    assert data["messages"] == plain


def test_diagnostics_say_what_to_do(nuts_fit):
    # Chains in different places, and draws that diverged.
    bad = br.Fit.from_idata(nuts_fit.specification, "nuts", nuts_fit.idata.copy())
    score = bad.idata["posterior"]["score"].copy()
    score[0] = score[0] + 5.0
    posterior = _compat.to_dataset(bad.idata, "posterior").assign(score=score)
    stats = _compat.to_dataset(bad.idata, "sample_stats")
    diverging = stats["diverging"].copy()
    diverging[0, :7] = True
    bad.idata["posterior"], bad.idata["sample_stats"] = posterior, stats.assign(diverging=diverging)
    text = str(diagnose(bad))
    assert "7 of 4000 draws diverged" in text and "R-hat" in text and "tune" in text


@FEW
def test_too_few_draws_are_no_good_news(pudding):
    """Where nothing can be computed, that is said, and not taken for agreement."""
    few = br.fit(pudding, "davidson", draws=3, tune=20, chains=2, seed=1, progress=False)
    found = few.diagnostics()
    assert np.isnan(found.min_ess_bulk) and not found.ok
    assert any("There are too few draws" in message for message in found.messages)


def test_where_an_approximation_was_found_wanting_it_is_said():
    votes = br.Rankings.from_lists(
        [["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]], agents=["x", "y", "z"]
    )
    options = {"method": "laplace", "seed": 1, "draws": 50, "chains": 2, "progress": False}
    learned = br.fit(votes, "mpm", **options).diagnostics()
    assert not learned.ok and "found too certain" in str(learned)
    assert br.fit(votes, "mpm", adherence=1.0, **options).diagnostics().ok
    assert br.fit(votes, "plackett-luce", **options).diagnostics().ok
    options |= {"method": "advi", "steps": 20}
    learned = br.fit(votes, "plackett-luce", **options).diagnostics()
    assert learned.ok and "too certain of the prior scale" in str(learned)
    assert br.fit(votes, "plackett-luce", full_rank=True, scale=1.0, **options).diagnostics().ok
    ties = br.fit(votes, "pmop", **options).diagnostics()
    assert not ties.ok and "models of ties as results" in str(ties)
    full = br.fit(votes, "plackett-luce", full_rank=True, **options).diagnostics()
    assert not full.ok and "cannot follow a learned prior scale" in str(full)


def test_too_few_independent_draws(pudding):
    """Of five draws the best item is the same in all, or nearly so, whatever the posterior."""
    options = {"seed": 1, "progress": False, "chains": 1}
    for method, more in (("laplace", {}), ("advi", {"steps": 20})):
        few = br.fit(pudding, method=method, draws=5, **options, **more).diagnostics()
        assert not few.ok
        assert few.messages[0].startswith("There are only 5 draws (should be 100 or more): ")
        assert few.messages[0].endswith("Make more draws: draws=1000.")
        assert not few.findings[0].failed
        assert br.fit(pudding, method=method, draws=100, **options, **more).diagnostics().ok
    points = np.zeros((1, 99, Specification(pudding, "davidson", scale=1.0).size))
    own = br.Fit.from_points(Specification(pudding, "davidson", scale=1.0), "my own", points)
    assert "There are only 99 draws" in str(own.diagnostics())


def unbeaten():
    return br.Comparisons(
        [0, 0, 1], [1, 2, 2], [[4, 0, 0], [4, 0, 0], [3, 1, 0]], ["ann", "bob", "cyd"]
    )


@pytest.mark.parametrize(
    ("method", "options", "advice"),
    [
        ("nuts", {}, r"these distances, or fix the prior scale: scale=1\.0\.$"),
        ("nuts", {"scale": 2.0}, r"Do not read much into these distances\.$"),
        ("laplace", {}, r'half as wide as it should be\. Sample by NUTS .*: method="nuts"\.$'),
        ("advi", {"steps": 20}, r'half as wide as it should be\. Sample by NUTS .*"nuts"\.$'),
        ("map", {}, r'the mode is nearer to the other items .* Sample by NUTS .*"nuts"\.$'),
    ],
)
def test_what_the_data_leave_to_the_prior_is_said(method, options, advice):
    """It is no fault of the draws, and nobody is warned; but it is there to be read."""
    draws = {} if method == "map" else {"draws": 500}
    fit = br.fit(unbeaten(), method=method, seed=1, progress=False, **draws, **options)
    found = fit.diagnostics()
    assert found.ok and len(found.messages) == 1
    assert found.messages[0].startswith("Never beaten: ann. How far above the others they are ")
    assert re.search(advice, found.messages[0])
    shown = gather(fit)["diagnostics"]
    assert shown["ok"] and shown["messages"] == [found.findings[0].plain]


def test_what_is_said_of_approximations_where_all_results_went_one_way():
    """They agree on the order; half of the width is what they may miss, and the mode is short."""
    data = br.Rankings.from_lists([list("abcdef")], weights=[1000]).to_comparisons(warn=False)
    options = {"seed": 1, "progress": False}
    fits = {method: br.fit(data, "thurstone-pairs", method=method, **options)
            for method in ("nuts", "laplace", "advi", "map")}  # fmt: skip
    best = {method: fit.scores()[:, 0] for method, fit in fits.items()}
    for method in ("laplace", "advi"):
        assert 0.4 < best[method].std() / best["nuts"].std() < 0.8
        assert abs(best[method].mean() - best["nuts"].mean()) < best["nuts"].std()
        assert fits[method].ranking()["p_best"]["a"] == 1.0
    assert -1.5 < (best["map"][0] - best["nuts"].mean()) / best["nuts"].std() < -0.5
    assert all(list(fit.ranking().index) == list("abcdef") for fit in fits.values())
