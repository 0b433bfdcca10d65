"""Preference kernels against all pairs one by one, and at everything that could break them."""

from itertools import permutations

import mpmath as mp
import numpy as np
import pytest

from bayesrank.kernels import mpm
from bayesrank.kernels.maths.exponential_sums import bin_points

ADHERENCES = [0.0, 1.0, 1e-9, 1e-3, 0.31, 0.5, 0.77]


def enumerated(score, variance, adherence, preferences):
    """Return logp and its gradients by adherence, scores and variances, from all ordered pairs.

    ``preferences`` are triples: preferred item, other item, count.
    """
    i, j = np.nonzero(~np.eye(score.size, dtype=bool))
    d = (score[i] - score[j]) / (variance[i] + variance[j])
    shifted = np.exp(adherence * d - (adherence * d).max())
    log_norm = np.log(shifted.sum()) + (adherence * d).max()
    count = np.zeros(i.size)
    for better, worse, times in preferences:
        count[(i == better) & (j == worse)] += times
    surplus = count - count.sum() * shifted / shifted.sum()
    by_difference = adherence * surplus / (variance[i] + variance[j])
    by_score, by_variance = np.zeros(score.size), np.zeros(score.size)
    for item, sign in ((i, 1.0), (j, -1.0)):
        by_score += sign * np.bincount(item, by_difference, score.size)
        by_variance -= np.bincount(item, by_difference * d, score.size)
    logp = adherence * (count @ d) - count.sum() * log_norm
    return logp, surplus @ d, by_score, by_variance


def arranged(instances):
    """Return the kernels' arguments, by name, for (scores, variances, ballots) of each instance.

    A ballot is an adherence and its preferences, in positions of the instance's own items.
    """
    item_start = np.cumsum([0, *(len(score) for score, _, _ in instances)])
    ballots = [
        (adherence, [(first + i, first + j, count) for i, j, count in preferences])
        for first, (_, _, cast) in zip(item_start, instances, strict=False)
        for adherence, preferences in cast
    ]
    wins = []
    for _, preferences in ballots:
        wins.append({})
        for i, j, count in preferences:
            wins[-1][i] = wins[-1].get(i, 0.0) + count
            wins[-1][j] = wins[-1].get(j, 0.0) - count
    cells = [cell for _, preferences in ballots for cell in preferences]
    left, right, count = np.array(cells or np.empty((0, 3))).T
    return {
        "score": np.concatenate([score for score, _, _ in instances]),
        "variance": np.concatenate([variance for _, variance, _ in instances]),
        "adherence": np.array([adherence for adherence, _ in ballots]),
        "item_start": item_start,
        "ballot_start": np.cumsum([0, *(len(cast) for _, _, cast in instances)]),
        "entry_start": np.cumsum([0, *(len(net) for net in wins)]),
        "item": np.array([item for net in wins for item in net], dtype=np.int32),
        "wins": np.array([value for net in wins for value in net.values()], dtype=float),
        "cell_start": np.cumsum([0, *(len(preferences) for _, preferences in ballots)]),
        "left": left.astype(np.int32),
        "right": right.astype(np.int32),
        "net": count.astype(float),
        "total": np.array([sum(c for *_, c in preferences) for _, preferences in ballots], float),
    }


EVEN = ("score", "adherence", "item_start", "ballot_start", "entry_start", "item", "wins", "total")
VARIED = (
    "score", "variance", "adherence", "item_start", "ballot_start", "cell_start", "left", "right",
    "net", "total",
)  # fmt: skip


def run(kernel, arguments, factor=None):
    """Return logp and derivative by adherence, by ballot, and the gradients of a weighted sum."""
    arrays = [arguments[name] for name in (EVEN if kernel == "even" else VARIED)]
    value, pull = (getattr(mpm, kernel), getattr(mpm, f"{kernel}_pull"))
    logp, by_adherence, shares = value(*arrays)
    factor = np.ones(logp.size) if factor is None else factor
    pulled = pull(factor, shares, *arrays)
    return logp, by_adherence, *(pulled if isinstance(pulled, tuple) else (pulled,))


def some_preferences(rng, items, rows=5):
    pairs = [rng.choice(items, 2, replace=False).tolist() for _ in range(rows)]
    return [(i, j, int(rng.integers(0, 5))) for i, j in pairs]


def random_instance(rng, items, ballots, spread=2.0, even=False):
    variance = np.full(items, 0.5) if even else 0.5 * np.exp(rng.normal(size=items))
    cast = [(rng.choice(ADHERENCES), some_preferences(rng, items)) for _ in range(ballots)]
    return spread * rng.normal(size=items), variance, cast


def assert_enumerated(kernel, instances, rng, *, tolerance):
    """Compare with all pairs, errors in units of the terms that the sums are made of."""
    arguments = arranged(instances)
    factor = rng.normal(size=arguments["adherence"].size)
    results = run(kernel, arguments, factor)
    assert all(np.isfinite(result).all() for result in results)
    ballot = 0
    for q, (score, variance, cast) in enumerate(instances):
        variance = np.full(score.size, 0.5) if kernel == "even" else variance
        far = np.max(np.abs(score[:, None] - score) / (variance[:, None] + variance))
        far = max(far, 1e-300)  # below that numbers have no digits to compare
        by_score, by_variance, unit = np.zeros(score.size), np.zeros(score.size), 1e-300
        for adherence, preferences in cast:
            logp, by_adherence, *gradients = enumerated(score, variance, adherence, preferences)
            total = arguments["total"][ballot]
            size = max(abs(logp), total * adherence * far)
            assert abs(results[0][ballot] - logp) <= tolerance * size
            # The series of a bin has one term less for this slope: (1/12)^7 / 7! = 6e-12.
            assert abs(results[1][ballot] - by_adherence) <= 6.0 * tolerance * total * far
            by_score += factor[ballot] * gradients[0]
            by_variance += factor[ballot] * gradients[1]
            unit += abs(factor[ballot]) * total * adherence / (2.0 * variance.min())
            ballot += 1
        here = slice(*arguments["item_start"][q : q + 2])
        assert np.max(np.abs(results[2][here] - by_score)) <= tolerance * unit
        if kernel == "varied":
            assert np.max(np.abs(results[3][here] - by_variance)) <= tolerance * unit * far


kernels = pytest.mark.parametrize("kernel", ["even", "varied"])


@kernels
def test_small_instances_match_enumeration(kernel):
    """Any number of items from two, of instances, and of ballots, empty ones too."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        instances = [
            random_instance(rng, rng.integers(2, 9), rng.integers(0, 4), 10.0 ** rng.uniform(-3, 1))
            for _ in range(rng.integers(1, 4))
        ]
        instances.append(random_instance(rng, 3, 1))
        instances[-1][2].append((0.4, []))
        assert_enumerated(kernel, instances, rng, tolerance=1e-12)


@kernels
@pytest.mark.parametrize("adherence", [0.0, 0.4, 1.0])
def test_high_precision(kernel, adherence):
    """The same with many digits, where the largest term is e^60 times the smallest."""
    score, half = np.array([30.0, -30.0, 1e-3, 4.0]), np.full(4, 0.5)
    variance = half if kernel == "even" else np.array([0.5, 2.0, 0.1, 0.7])
    preferences = [(0, 1, 3), (2, 3, 1), (1, 0, 2)]
    arguments = arranged([(score, variance, [(adherence, preferences)])])
    logp, by_adherence, *_ = run(kernel, arguments)
    with mp.workdps(60):

        def exact(theta):
            s, g = [mp.mpf(x) for x in score], [mp.mpf(x) for x in variance]
            d = {(i, j): (s[i] - s[j]) / (g[i] + g[j]) for i, j in permutations(range(4), 2)}
            log_norm = mp.log(sum(mp.exp(theta * x) for x in d.values()))
            return sum(count * (theta * d[i, j] - log_norm) for i, j, count in preferences)

        value, slope = exact(mp.mpf(adherence)), mp.diff(exact, mp.mpf(adherence))
    assert logp[0] == pytest.approx(float(value), rel=1e-13)
    assert by_adherence[0] == pytest.approx(float(slope), rel=1e-13)


@pytest.mark.parametrize(
    ("kernel", "items", "spreads"),
    [("even", 200, [1e-8, 0.1, 1 / 6, 0.17, 3.0, 8.0]), ("varied", 70, [1e-8, 0.17, 3.0, 20.0])],
)
def test_bins_give_what_all_points_give(kernel, items, spreads):
    rng = np.random.default_rng(1)
    points = items if kernel == "even" else items * (items - 1) // 2
    for spread in spreads:
        for place in (rng.random(items), rng.integers(0, 2, items)):  # spread out, or all at ends
            variance = np.full(items, 0.5) if kernel == "even" else rng.uniform(0.5, 0.8, items)
            place[:2] = 0.0, 1.0
            cast = [(theta, some_preferences(rng, items)) for theta in ADHERENCES]
            moments, _ = bin_points(np.zeros(0), points, spread, 1.0)
            assert len(moments) > 0
            instance = (spread * place, variance, cast)
            assert_enumerated(kernel, [instance], rng, tolerance=1e-12)


@kernels
@pytest.mark.parametrize("spread", [0.0, 5e-324, 1e-310, 1e-8, 300.0, 5000.0, 1e8])
def test_extreme_scores(kernel, spread):
    rng = np.random.default_rng(3)
    for items in (2, 5, 60):
        place = np.append(rng.random(items - 2), [0.0, 1.0])
        score, cast = spread * place, [(t, some_preferences(rng, items)) for t in ADHERENCES]
        if spread > 1e-300:
            score -= score.mean()
        assert_enumerated(kernel, [(score, np.full(items, 0.5), cast)], rng, tolerance=1e-12)


@pytest.mark.parametrize("bounds", [(1e-6, 1e6), (1e-6, 1e-6), (1e6, 1e6)], ids=str)
def test_extreme_variances(bounds):
    rng = np.random.default_rng(4)
    for items in (2, 5, 60):
        for spread in (1e-8, 1.0, 1e4):
            score, _, cast = random_instance(rng, items, 5, spread)
            variance = np.exp(rng.uniform(*np.log(bounds), items))
            assert_enumerated("varied", [(score, variance, cast)], rng, tolerance=1e-12)


@kernels
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["score", "adherence"])
def test_what_is_no_number_spoils_its_own_instance_only(kernel, value, name):
    rng = np.random.default_rng(5)
    arguments = arranged([random_instance(rng, 4, 1), random_instance(rng, 3, 2)])
    usual = run(kernel, arguments)
    arguments[name] = arguments[name].copy()
    arguments[name][0] = value
    spoilt = run(kernel, arguments)
    assert np.isnan(spoilt[0][0]) and np.isnan(spoilt[1][0])
    for result, before in zip(spoilt[2:], usual[2:], strict=True):
        assert np.isnan(result[:4]).all()
        assert np.array_equal(result[4:], before[4:])
    assert np.array_equal(spoilt[0][1:], usual[0][1:])


@kernels
def test_instances_do_not_know_of_each_other(kernel):
    rng = np.random.default_rng(6)
    instances = [random_instance(rng, items, 3) for items in (4, 2, 7)]
    instances.insert(1, random_instance(rng, 3, 0))
    together = run(kernel, arranged(instances))
    apart = [run(kernel, arranged([instance])) for instance in instances if instance[2]]
    for k, result in enumerate(together):
        parts = [part[k] for part in apart]
        if k > 1:
            parts.insert(1, np.zeros(3))  # what nobody speaks of has no gradient
        assert np.array_equal(result, np.concatenate(parts))


@kernels
def test_order_of_items_and_ballots_changes_nothing(kernel):
    rng = np.random.default_rng(7)
    score, variance, cast = random_instance(rng, 7, 4)
    factor = rng.normal(size=4)
    usual = run(kernel, arranged([(score, variance, cast)]), factor)
    items, ballots = rng.permutation(7), rng.permutation(4)
    place = np.argsort(items)
    moved = [
        (cast[k][0], [(place[i], place[j], count) for i, j, count in cast[k][1]]) for k in ballots
    ]
    turned = run(kernel, arranged([(score[items], variance[items], moved)]), factor[ballots])
    for result, before, order in zip(turned, usual, (ballots, ballots, items, items), strict=False):
        np.testing.assert_allclose(result, before[order], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("items", "spread"), [(2, 1.0), (6, 3.0), (80, 0.1), (80, 5.0)])
def test_equal_variances_need_no_pairs(items, spread):
    """`even` is `varied` at one half, whichever of them uses bins."""
    rng = np.random.default_rng(8)
    arguments = arranged([random_instance(rng, items, 6, spread, even=True)])
    even, varied = run("even", arguments), run("varied", arguments)
    for one, other in zip(even, varied, strict=False):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11 * np.abs(other).max())


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        *[("even", name) for name in ("score", "adherence", "total", "entry_start")],
        *[("varied", name) for name in ("score", "variance", "adherence", "total", "cell_start")],
    ],
)
@pytest.mark.parametrize("change", [-1, 1])
def test_arrays_of_other_lengths_are_refused(kernel, name, change):
    """Kernels read without looking, so it is they who must not begin."""
    arguments = arranged([random_instance(np.random.default_rng(9), 5, 3)])
    usual = arguments[name]
    arguments[name] = usual[:-1] if change < 0 else np.append(usual, usual[-1])
    arrays = [arguments[n] for n in (EVEN if kernel == "even" else VARIED)]
    with pytest.raises(ValueError, match="must"):
        getattr(mpm, kernel)(*arrays)
    with pytest.raises(ValueError, match="must"):
        getattr(mpm, f"{kernel}_pull")(np.ones(3), np.ones((3, 2)), *arrays)


@kernels
def test_pulls_need_a_factor_and_shares_for_each_ballot(kernel):
    arguments = arranged([random_instance(np.random.default_rng(10), 5, 3)])
    arrays = [arguments[n] for n in (EVEN if kernel == "even" else VARIED)]
    for factor, shares in ((np.ones(2), np.ones((3, 2))), (np.ones(3), np.ones((2, 2)))):
        with pytest.raises(ValueError, match="one factor, and two shares"):
            getattr(mpm, f"{kernel}_pull")(factor, shares, *arrays)
