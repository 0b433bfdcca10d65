"""Films ranked from ratings: the claims on simulated ratings, and MovieLens."""

import numpy as np
import pandas as pd
import pytest

from models.multinomial_preference import film_measures, film_rankings
from models.multinomial_preference.film_ratings import films_of, movielens, simulated
from models.study import data_folder, options


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return folder, *film_rankings.run(options("", ["--quick", "--out", str(folder)]))


def raters(lists, model, stage):
    own = lists[(lists["model"] == model) & (lists["stage"] == stage)]
    assert len(own) == 10
    return own["raters"]


def test_the_optimum_lists_films_that_few_have_rated(quick):
    """Early steps hold them back somewhat, a prior does; over seeds the ratio is 4 to 20."""
    lists = quick[1]
    few = raters(lists, "Bradley-Terry", "optimum").median()
    assert few <= 3
    assert raters(lists, "Bradley-Terry", "100 steps").median() > few
    assert raters(lists, "Bradley-Terry", "posterior").median() > 3 * few
    few = raters(lists, "Plackett-Luce", "optimum").median()
    assert raters(lists, "Plackett-Luce", "100 steps").median() > few
    assert raters(lists, "Plackett-Luce", "posterior").median() > few


def test_mpm_lists_films_that_many_have_rated(quick):
    lists = quick[1]
    for stage in film_measures.STAGES:
        for model in ("MPM", "MPM with variances"):
            least = 3 * raters(lists, "Bradley-Terry", "optimum").median()
            assert raters(lists, model, stage).median() > least


def test_variances_fall_with_raters_and_at_both_ends(quick):
    """Bootstrap errors are near 0.01 for the correlation and 0.1 for the ends."""
    table = quick[3].set_index(["stage", "quantity"])
    for stage in film_measures.STAGES:
        assert table.loc[(stage, "correlation with raters"), "value"] < -0.8
    for stage in ("100 steps", "posterior"):
        for end in ("first", "last"):
            value, error = table.loc[(stage, f"{end} tenth - middle"), ["value", "se"]]
            assert value + 2.0 * error < 0.0


def test_little_rated_films_cost_gain(quick):
    """Figure 4: MPM above Bradley-Terry with every constant, most where it is low."""
    found = quick[2]
    apart = [
        (found["MPM", "100 steps", c] - found["Bradley-Terry", "100 steps", c]).mean(axis=0)
        for c in (0.0, 3.5)
    ]
    assert np.all(apart[0] > apart[1])
    table = film_measures.difference_table(found).set_index(["difference", "stage"])
    row = table.loc[("MPM - Bradley-Terry", "100 steps")]
    assert row["constants: above"] == 24


def test_what_is_written(quick):
    folder, lists, found, _ = quick
    name = "multinomial_preference_films"
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    table = pd.read_csv(folder / f"{name}.csv")
    assert not table.isna().any().any()
    kept = table[(table["model"] == "MPM") & (table["stage"] == "posterior")]
    value = kept.set_index(["label", "quantity"])["value"]
    expected = found["MPM", "posterior", "factors"][:, 4].mean()
    assert value["filled by factors", "NDCG@5"] == pytest.approx(expected, abs=1e-5)  # as rounded
    chances = lists.loc[lists["stage"] == "posterior", "probability"]
    assert chances.between(0.0, 1.0).all() and (chances > 0.5).any()


def test_the_optimum_of_mpm_is_the_order_of_net_wins():
    films = films_of(*simulated(40, 30, 400, seed=3))
    net = np.zeros(films.titles.size)
    for i, j, (wins, losses, _) in zip(
        films.pairs.left, films.pairs.right, films.pairs.counts, strict=True
    ):
        net[i] += wins - losses
        net[j] += losses - wins
    for fit in (film_rankings.optimum("MPM", films), film_rankings.early("MPM", films)):
        # In the order of net wins scores never fall; equal ones by the optimiser's last digits.
        assert np.diff(fit.score[np.argsort(net)]).min() > -1e-6


def test_the_posterior_has_the_scale_of_its_draws():
    """The scale is found to 5 %, and then left there."""
    films = films_of(*simulated(60, 50, 1000, seed=1))
    found = film_rankings.posterior("Bradley-Terry", films)
    square = np.square(found.draws).sum(axis=1).mean() / (films.titles.size - 1)
    assert np.sqrt(square) == pytest.approx(found.scale, rel=0.1)
    assert film_rankings.posterior("MPM", films, scale=0.5).scale == 0.5


@pytest.fixture(scope="module")
def lens():
    folder = data_folder("ml-100k")
    if folder is None:
        pytest.skip("MovieLens-100K is not at hand")
    return films_of(*movielens(folder))


@pytest.mark.parametrize(
    ("model", "first", "last"),
    [
        ("Bradley-Terry", 5, 5),
        ("Plackett-Luce", 4, 5),  # all four that the text names
        ("MPM", 5, None),
        ("MPM with variances", None, 5),
    ],
)
def test_lists_of_the_paper_after_100_steps(lens, model, first, last):
    found = film_rankings.listed(lens, {(model, "100 steps"): film_rankings.early(model, lens)})
    shared = found.groupby("end")["in paper"].sum()
    assert first is None or shared["first"] == first
    assert last is None or shared["last"] == last
