"""Films ranked from ratings: the claims on simulated ratings, the pieces by hand, and MovieLens."""

import numpy as np
import pandas as pd
import pytest

from models import film_measures, film_rankings
from models.film_ratings import films_of, movielens, simulated
from models.rating_factors import best_penalty, completed, factorise
from models.study import data_folder, gradient_steps, options


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return folder, *film_rankings.run(options("", ["--quick", "--out", str(folder)]))


def raters(lists, model, stage):
    own = lists[(lists["model"] == model) & (lists["stage"] == stage)]
    assert len(own) == 10
    return own["raters"]


# The claims -------------------------------------------------------------------------------------


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


# The pieces -------------------------------------------------------------------------------------


def test_films_by_hand():
    """Ann: a 5, b 3, c 3; Bob: b 4, a 1."""
    ratings = pd.DataFrame(
        {"user": ["ann"] * 3 + ["bob"] * 2, "film": list("abcba"), "stars": [5, 3, 3, 4, 1]}
    )
    films = films_of(ratings, pd.Series({"a": "A", "b": "B", "c": "C", "d": "never seen"}))
    assert films.titles.tolist() == ["A", "B", "C"]
    assert films.raters.tolist() == [2, 2, 1]
    assert films.won.tolist() == [2, 1, 0]
    assert films.lost.tolist() == [1, 1, 1]
    assert films.strict.ranks.tolist() == [[1, 2, 3], [1, 2, -1]]
    counts = {}
    for i, j, row in zip(films.pairs.left, films.pairs.right, films.pairs.counts, strict=True):
        counts["abc"[i] + "abc"[j]] = row.tolist()
    assert counts == {"ab": [2, 3, 0], "ac": [2, 0, 0]}
    user, film, stars = films.triples
    assert sorted(zip(user, film, stars, strict=True)) == [
        (0, 0, 5.0), (0, 1, 3.0), (0, 2, 3.0), (1, 0, 1.0), (1, 1, 4.0),
    ]  # fmt: skip


def test_gradient_steps_by_hand():
    """Each step of a parabola leaves a fixed share of the way."""
    steps = gradient_steps(lambda x: (-0.5 * (x - 3) ** 2, 3 - x), [0.0], 0.1, 7)
    assert steps == pytest.approx([3 * (1 - 0.9**7)])


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


def test_gain_of_one_user_by_hand():
    """Equation 15 with missing ratings of 1, for a ranking of films a, b and c."""
    found = film_measures.ndcg([3.0, 2.0, 1.0], [1.0, 5.0, 3.0], k=[2])
    discount = 1.0 / np.log2([2, 3])
    assert found[0, 0] == pytest.approx(np.dot([1, 31], discount) / np.dot([31, 7], discount))
    filled = completed([0, 0], [1, 2], [5.0, 3.0], (1, 3), 1.0)
    assert filled.tolist() == [[1.0, 5.0, 3.0]]


def test_factors_find_ratings_of_low_rank():
    rng = np.random.default_rng(0)
    truth = 3.0 + rng.normal(size=(60, 2)) @ rng.normal(size=(2, 50))
    user, film = np.nonzero(rng.random(truth.shape) < 0.5)
    rating = truth[user, film]
    guess = factorise(user, film, rating, truth.shape, rank=2, penalty=1e-3, sweeps=50)
    # Half the entries are unseen; a constant is off by 1.4. Left is what so small a penalty does.
    assert np.sqrt(np.mean((guess - truth) ** 2)) < 0.05
    noisy = np.clip(np.rint(rating + rng.normal(size=rating.size)), 1, 5)
    penalties = (0.01, 5.0)
    chosen, error = best_penalty(user, film, noisy, truth.shape, penalties)
    assert chosen == 5.0 and error < noisy.std()


# MovieLens ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lens():
    folder = data_folder("ml-100k")
    if folder is None:
        pytest.skip("MovieLens-100K is not at hand")
    return films_of(*movielens(folder))


def test_counts_of_the_paper(lens):
    for title, counts in (
        ("Sabrina (1995)", (190, 10190, 12347)),
        ("Mrs. Doubtfire (1993)", (192, 13251, 17551)),
        ("Ghost (1990)", (170, 11785, 14452)),
    ):
        (k,) = np.flatnonzero(lens.titles == title)
        assert (lens.raters[k], lens.won[k], lens.lost[k]) == counts


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
