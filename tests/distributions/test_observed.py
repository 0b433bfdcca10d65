"""What was observed is looked at when a variable is made, in arrays and in `pm.Data` alike."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest

import bayesrank as br
from tests.modes import FAST

SCORE = np.zeros((3, 3))
ORDERS = np.array([[2, 1, 0], [0, 1, 2], [1, 0, 2]])


@pytest.fixture(params=["array", "data"])
def given(request):
    """Return observed values as they are, or as `pm.Data`."""
    as_data = request.param == "data"
    return lambda values: pm.Data("values", values) if as_data else values


def refused(message):
    return pytest.raises(ValueError, match=message)


RANKINGS = {
    "plackett-luce": br.PlackettLuce,
    "partitioned": br.PartitionedPlackettLuce,
    "pmop": br.PMOP,
    "thurstone": br.Thurstone,
}


@pytest.mark.parametrize("distribution", RANKINGS.values(), ids=RANKINGS)
def test_ranks_that_start_at_zero(distribution, given):
    rng = np.random.default_rng(1)
    utility = np.array([2.0, 0.0, -2.0]) + rng.gumbel(size=(200, 3))
    ranks = (-utility).argsort(axis=1).argsort(axis=1)
    with pm.Model(), refused("exactly one 0 in every row.* add 1 to all ranks"):
        distribution("y", np.zeros((200, 3)), observed=given(ranks))
    with pm.Model():
        distribution("y", np.zeros((200, 3)), observed=given(ranks + 1))


def test_ranks_that_start_at_zero_in_containers():
    entries = np.tile([0, 1, 2], (3, 1))
    with refused("`ranks` holds exactly one 0 in every row"):
        br.Rankings(entries, ORDERS, ["a", "b", "c"])
    with refused("Every row of `ranks` holds exactly one 0"):
        br.Rankings.from_matrix(ORDERS, ["a", "b", "c"])
    again = br.Rankings.from_matrix(ORDERS + 1, ["a", "b", "c"])
    assert again.entries[:, 0].tolist() == [2, 0, 1]
    missing = np.where(ORDERS == 0, np.nan, ORDERS)
    assert br.Rankings.from_matrix(missing, ["a", "b", "c"]).entries[0].tolist() == [1, 0]


def test_the_last_item_may_be_the_only_one_without_a_rank():
    """As in rankings of our own, which stand best first."""
    votes = br.Rankings.from_lists([["a", "b"], ["c", "a"]], unranked="below")
    assert votes.ranks.tolist() == [[1, 2, 0], [1, 2, 0]]
    with pm.Model() as model:
        br.PlackettLuce("y", np.zeros((2, 3)), observed=votes.ranks)
    assert model.compile_logp()({}) == pytest.approx(-2 * np.log(6))


def test_slots_without_an_item_need_not_be_named(given):
    """Where `offered` is not said, the observed ranks say it, also after they change."""
    ranks = np.array([[1, 2, -1], [2, 1, 3]])
    with pm.Model() as model:
        br.PlackettLuce("y", np.zeros((2, 3)), observed=given(ranks))
    assert model.compile_logp()({}) == pytest.approx(-np.log(2) - np.log(6))
    if "values" in model.named_vars:
        with model:
            pm.set_data({"values": np.array([[1, 2, -1], [2, 1, -1]])})
        assert model.compile_logp()({}) == pytest.approx(-2 * np.log(2))


def test_ranks_and_offered_slots_must_agree(given):
    offered = np.array([[True, True, False], [True, True, True], [True, True, True]])
    ranks = np.array([[1, 2, 3], [1, 2, 3], [1, 2, -1]])
    message = r"-1 in slots that are not `offered`.* row 0 holds \[1, 2, 3\]; row 2"
    with pm.Model(), refused(message):
        br.PlackettLuce("y", SCORE, offered, observed=given(ranks))


def test_ties_of_rankings(given):
    ranks = np.array([[1, 1, 2], [1, 2, 3], [1, 1, 1]])
    with pm.Model(), refused(r"ties are outside the support: row 0 holds \[1, 1, 2\]; row 2"):
        br.PlackettLuce("y", SCORE, observed=given(ranks))
    with pm.Model(), refused("Ties of more than 2 items are outside the support: row 2"):
        br.PMOP("y", SCORE, tie=[0.5], observed=given(ranks))
    with pm.Model(), refused("ties are outside the support: row 0"):
        br.PMOP("y", SCORE, tie=0.0, observed=given(ranks))
    with pm.Model():
        br.PMOP("y", SCORE, tie=[0.5, 0.1], observed=given(ranks))


def test_unranked_items_of_backward_models(given):
    ranks = np.array([[1, 0, 0], [1, 2, 3], [1, 2, 3]])
    with pm.Model(), refused("Unranked items .* row 0"):
        br.PMOP("y", SCORE, direction="backward", observed=given(ranks))


PAIRS = {
    "bradley-terry": (br.BradleyTerry, {}),
    "davidson": (br.Davidson, {"nu": 1.0}),
    "rao-kupper": (br.RaoKupper, {"theta": 2.0}),
    "thurstone": (br.ThurstonePairs, {}),
}
pairs = pytest.mark.parametrize(("distribution", "options"), PAIRS.values(), ids=PAIRS)


@pairs
def test_counts_that_are_none(distribution, options, given):
    def observe(counts, **more):
        with pm.Model():
            counts = np.array(counts)
            distribution("y", np.zeros(2), np.zeros(2), **options, **more, observed=given(counts))

    with refused(r"counts from 0 up: row 1 holds \[3, -1, 0\]"):
        observe([[1, 0, 0], [3, -1, 0]])
    with refused(r"must add up to `n`: row 1 holds \[3, 1, 0\]"):
        observe([[1, 4, 0], [3, 1, 0]], n=5)
    with refused(r"on its last axis, got shape \(2, 2\)"):
        observe([[1, 4], [3, 1]])
    observe([[1, 4, 0], [3, 1, 0]])


@pairs
def test_missing_counts(distribution, options):
    """PyMC itself refuses them in `pm.Data`."""
    counts = np.array([[1, np.nan, 0], [3, 1, 0]])
    message = r"finite counts, 0 where there are none: row 0 holds \[1.0, nan, 0.0\]"
    with pm.Model(), refused(message):
        distribution("y", np.zeros(2), np.zeros(2), **options, observed=counts)


def test_ties_of_pairs(given):
    counts = np.array([[1, 0, 0], [3, 1, 2]])
    for distribution in (br.BradleyTerry, br.ThurstonePairs):
        message = r"outside the support of .*use Davidson.* row 1 holds \[3, 1, 2\]"
        with pm.Model(), refused(message):
            distribution("y", np.zeros(2), np.zeros(2), observed=given(counts))
    with pm.Model():
        br.ThurstonePairs("y", np.zeros(2), np.zeros(2), threshold=0.5, observed=given(counts))


def test_counts_of_containers():
    with refused(r"finite and not negative: \[1.0, nan, 0.0\] in row 1"):
        br.Comparisons([0, 1], [1, 0], [[1, 0, 0], [1, np.nan, 0]], ["a", "b"])
    with refused(r"not negative: \[1, -2, 0\] in row 0"):
        br.Comparisons([0], [1], [[1, -2, 0]], ["a", "b"])
    with refused(r"for each of the 1 rows, got shape \(1, 2\)"):
        br.Comparisons([0], [1], [[1, 2]], ["a", "b"])


def test_counts_whose_sum_no_integer_holds():
    score, large = np.zeros(2), [[1, 1, 0], [2**62, 2**62, 0]]
    with pm.Model(), refused(r"must add up to less than 2\*\*63, or be floats: row 1 holds"):
        br.BradleyTerry("y", score, score, observed=np.array(large))
    with pm.Model() as model:
        br.BradleyTerry("y", score, score, observed=np.array(large, dtype=float))
    assert np.isfinite(model.point_logps()["y"])


def test_counts_that_are_larger_than_any_float():
    with pm.Model(), refused(r"`observed` must hold counts below 1\.8e\+308"):
        br.BradleyTerry("y", 0.0, 0.0, observed=np.array([10**400, 1, 0], dtype=object))


PAIRS = {
    "davidson": lambda *sides, **more: br.Davidson("y", *sides, 0.5, **more),
    "thurstone": lambda *sides, **more: br.ThurstonePairs("y", *sides, **more),
}


def predicted(model):
    """Return draws of the observed variable from the prior."""
    with model:
        return pm.draw(model["y"], 5, random_seed=1, mode=FAST)


@pytest.mark.parametrize("make", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("rows", [2, 3])
def test_counts_of_other_pairs_are_not_made_up(make, rows):
    """Other pairs may have been compared more often or less, however many there are."""
    counts = np.array([[3, 1, 0], [2, 2, 0]])
    with pm.Model() as model:
        left, right = pm.Data("left", [0, 1]), pm.Data("right", [1, 2])
        score = pm.Normal("score", shape=3)
        make(score[left], score[right], observed=counts)
    assert np.array_equal(predicted(model).sum(axis=-1), np.full((5, 2), 4))
    new = {"left": np.array([2, 0, 1][:rows]), "right": np.array([0, 1, 2][:rows])}
    with model:
        pm.set_data(new)
    with refused("`n` comes from `observed`, which stays as it is, but left, right changed"):
        predicted(model)
    with pm.Model() as model:
        left, right, n = pm.Data("left", [0, 1]), pm.Data("right", [1, 2]), pm.Data("n", [4, 4])
        score = pm.Normal("score", shape=3)
        make(score[left], score[right], n=n, observed=pm.Data("counts", counts))
        unknown = np.zeros((rows, 3), dtype=int)
        pm.set_data(new | {"n": np.arange(1, rows + 1), "counts": unknown})
    assert np.array_equal(predicted(model).sum(axis=-1), [np.arange(1, rows + 1)] * 5)


def test_no_counts_are_not_predicted_as_none():
    with pm.Model() as model:
        counts = pm.Data("counts", np.array([[3, 1, 0], [2, 2, 0]]))
        br.Davidson("y", np.zeros(2), np.zeros(2), 0.5, observed=counts)
        pm.set_data({"counts": np.array([[0, 0, 0], [0, 0, 0]])})
    with refused("`n` comes from `observed`, in which nothing is"):
        predicted(model)


@pytest.mark.parametrize("rows", [2, 3])
def test_ties_of_other_rankings_are_not_made_up(rows):
    ranks = np.array([[1, 2, 2], [1, 1, 2]])
    entries = np.array([[2, 1, 0], [1, 0, 2], [0, 1, 2]])[:rows]
    for distribution in (br.PartitionedPlackettLuce, br.Thurstone):
        with pm.Model() as model:
            races = pm.Data("races", np.array([[0, 1, 2], [0, 1, 2]]))
            distribution("y", pm.Normal("score", shape=3)[races], observed=ranks)
        found = predicted(model)
        assert (np.sort(found) == np.sort(ranks)).all()
        with model:
            pm.set_data({"races": entries[:2]})  # of another number only where `observed` is data
        with refused("comes from `observed`, which stays as it is, but races changed"):
            predicted(model)
        with pm.Model() as model:
            races = pm.Data("races", np.array([[0, 1, 2], [0, 1, 2]]))
            blocks = pm.Data("blocks", np.array([[1, 2, 0], [2, 1, 0]]))
            score = pm.Normal("score", shape=3)[races]
            distribution("y", score, blocks=blocks, observed=pm.Data("ranks", ranks))
            single, unknown = np.ones((rows, 3), dtype=int), np.zeros((rows, 3), dtype=int)
            pm.set_data({"races": entries, "blocks": single, "ranks": unknown})
        assert (np.sort(predicted(model)) == [1, 2, 3]).all()
        with pm.Model() as model:
            distribution("y", np.zeros((2, 3)), observed=pm.Data("ranks", ranks))
            pm.set_data({"ranks": np.zeros((2, 3), dtype=int)})
        with refused("`blocks` comes from `observed`, in which nothing is"):
            predicted(model)


def test_design_of_numbers_may_change():
    """What would have been at other values of a feature is asked of the same rows."""
    with pm.Model() as model:
        x = pm.Data("x", np.array([[0.0, 1.0, 2.0]]))
        br.PartitionedPlackettLuce("y", pm.Normal("slope") * x, observed=[[1, 2, 2]])
        pm.set_data({"x": np.array([[2.0, 1.0, 0.0]])})
    assert (np.sort(predicted(model)) == [1, 2, 2]).all()


@pytest.mark.parametrize("distribution", RANKINGS.values(), ids=RANKINGS)
def test_rankings_that_are_not_observed_are_drawn_and_not_sampled(distribution):
    with pm.Model() as model:
        score = pm.Normal("score", shape=3)
        distribution("y", score)
    assert predicted(model).shape == (5, 3)
    with refused("The ranking 'y' is not observed"):
        model.logp()
    observed = pm.observe(model, {"y": np.array([1, 2, 3])})
    assert np.isfinite(observed.point_logps(observed.initial_point())["y"])


COUNTS = np.tile([[3, 1, 0], [2, 2, 1]], (10, 1))
RANKS = np.tile([[1, 2, 3], [3, 1, 2]], (10, 1))


def pairs(score, **more):
    left, right = np.tile([0, 1], 10), np.tile([1, 2], 10)
    return br.Davidson("y", score[left], score[right], 0.5, **more)


def rankings(score, **more):
    return br.PartitionedPlackettLuce("y", score, **more)


def log_density(make, observed):
    with pm.Model() as model:
        make(pm.Normal("score", shape=3), observed=observed)
    return model.compile_logp(mode=FAST)({"score": np.array([0.3, 0.0, -0.1])})


@pytest.mark.parametrize(("make", "values"), [(pairs, COUNTS), (rankings, RANKS)])
def test_frames_are_what_they_hold(make, values):
    found = log_density(make, pd.DataFrame(values, index=list("abcdefghij") * 2))
    assert found == log_density(make, values)
    missing = pd.DataFrame(values).astype("Int64")
    missing.iloc[3, 1] = pd.NA
    with refused(r"must not have missing values, write (0|-1) where .*: row 3 holds .*<NA>"):
        log_density(make, missing)


@pytest.mark.parametrize(("make", "values"), [(pairs, COUNTS), (rankings, RANKS)])
def test_rows_must_be_those_of_the_scores(make, values):
    rows = "rankings" if make is rankings else "pairs"
    with refused(f"must have one row for each {rows[:-1]}, got 20 rows and 5 {rows}"), pm.Model():
        if make is pairs:
            br.Davidson("y", np.zeros(5), 0.0, 0.5, observed=values)
        else:
            rankings(np.zeros((5, 3)), observed=values)


@pytest.mark.parametrize("kind", ["int64", "int32", "float64"])
def test_minibatches(kind):
    """On average a batch has the log-density of all, whatever type the numbers have."""
    left, right = np.tile([0, 1], 10), np.tile([1, 2], 10)
    for of_pairs in (True, False):
        with pm.Model() as model:
            score = pm.Normal("score", shape=3)
            if of_pairs:
                i, j, counts = pm.Minibatch(left, right, COUNTS.astype(kind), batch_size=10)
                br.Davidson("y", score[i], score[j], 0.5, observed=counts, total_size=20)
            else:
                ranks = pm.Minibatch(RANKS.astype(kind), batch_size=10)
                rankings(score, observed=ranks, total_size=20)
        whole = log_density(pairs if of_pairs else rankings, COUNTS if of_pairs else RANKS)
        value = model.compile_logp(mode=FAST)
        found = [value({"score": np.array([0.3, 0.0, -0.1])}) for _ in range(200)]
        error = np.std(found) / np.sqrt(len(found))
        assert error > 0.0 and abs(np.mean(found) - whole) < 5.0 * error
