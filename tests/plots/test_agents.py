"""Pictures of agents: what is drawn is what the table says, and names can be read."""

from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bayesrank.plots import plot_agents
from bayesrank.plots.labels import shown
from tests.judged_votes import EVERYTHING, fit_of_votes, votes_by_judges
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import ODD_NAMES, assert_readable, row_texts


@lru_cache
def judged(judges, votes=20, method="laplace"):
    frame = votes_by_judges(judges=judges, votes=votes)
    odd = {f"judge {k}": name for k, name in enumerate(ODD_NAMES)}
    frame["judge"] = frame["judge"].replace(odd)
    few = {"discrimination": "by-agent", "ties": "by-agent"}
    return fit_of_votes(method=method, frame=frame, **few)


@pytest.mark.parametrize("judges", [5, 40, 124])
def test_names_can_be_read(judges):
    fit = judged(judges)
    axes = plot_agents(fit)
    assert [ax.get_xlabel().split()[0] for ax in axes] == ["discrimination", "tie"]
    assert row_texts(axes[0]) == [shown(label) for label in fit.agents().index]
    assert_readable(*axes)


def test_points_and_intervals_are_those_of_the_table():
    fit = fit_of_votes(**EVERYTHING)
    axes, table = fit.plot_agents(0.8), fit.agents(0.8)
    assert len(axes) == 3
    for ax, name in zip(axes, ("discrimination", "order_effect", "tie_rate"), strict=True):
        points = np.concatenate(
            [c.get_offsets() for c in ax.collections if not hasattr(c, "get_segments")]
        )
        points = points[points[:, 1].argsort()]
        np.testing.assert_allclose(points[:, 0], table[name])
        lines = [p for c in ax.collections if hasattr(c, "get_segments") for p in c.get_segments()]
        ends = {int(line[0, 1]): line[:, 0] for line in lines}
        expected = table[[f"{name}_low", f"{name}_high"]].to_numpy()
        np.testing.assert_allclose([ends[k] for k in range(len(table))], expected)
    assert axes[0].get_xscale() == "log"
    assert [line.get_xdata()[0] for ax in axes for line in ax.lines] == [1.0, 0.0]


def test_who_always_takes_one_side_is_marked_too():
    frame = votes_by_judges(judges=10, votes=60)
    for k, side in ((3, "left"), (4, "right")):
        frame.loc[frame["judge"] == f"judge {k}", "outcome"] = side
    axes = fit_of_votes(frame=frame, order_effect="by-agent").plot_agents()
    said = {text.get_text() for text in axes[0].get_legend().get_texts()}
    assert {"nearly always left (1)", "nearly always right (1)"} <= said


def test_who_stands_out_is_marked_and_labelled():
    fit = judged(10, votes=60)
    axes, words = fit.plot_agents(), fit.agents()["words"].tolist()
    stand = {k: said for k, said in enumerate(words) if said in ("looks random", "contrarian")}
    assert "contrarian" in stand.values()
    assert {round(text.xy[1]): text.get_text() for text in axes[-1].texts} == stand
    said = {text.get_text() for text in axes[0].get_legend().get_texts()}
    assert said == {f"{word} ({words.count(word)})" for word in stand.values()}


def test_a_mode_has_no_intervals_and_axes_may_be_given():
    fit = judged(5, method="map")
    given = plt.subplots(1, 2)[1]
    axes = fit.plot_agents(ax=given)
    assert list(axes) == list(given) and "posterior mode" in axes[0].get_title(loc="left")
    assert not any(hasattr(c, "get_segments") for ax in axes for c in ax.collections)
    with pytest.raises(ValueError, match=r"`ax` must hold 2 axes, one for each panel, got 1\."):
        fit.plot_agents(ax=given[0])


def test_refusals():
    with pytest.raises(ValueError, match=r'fit with discrimination="by-agent", order_effect='):
        plot_agents(pair_fit(5))
    with pytest.raises(ValueError, match="whose agents have adherences: `plot_adherences"):
        plot_agents(preference_fit())
    with pytest.raises(TypeError, match="needs a fit, got str"):
        plot_agents("fit")
