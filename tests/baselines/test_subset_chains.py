"""The chains against transition matrices written out, and those against the model."""

from itertools import permutations
from math import comb

import numpy as np
import pytest
from scipy import stats

from bayesrank.baselines import subset_frequencies

FOUR = [1.3, 0.4, -0.2, -1.5]
FIVE = [0.9, -1.1, 0.2, 1.6, -0.6]
# Fixed seeds, so each chi-square fails by chance or never; 1e-4 is the chance that it does.
LEVEL = 1e-4


def members(k):
    return [i for i in range(k.bit_length()) if k >> i & 1]


def potentials(score, tie):
    """Return the potential of every subset, by its bits; that of the empty set is zero."""
    subsets = [members(k) for k in range(1, 2 ** len(score))]
    phi = [tie ** (len(s) - 1) * np.exp(np.mean([score[i] for i in s])) for s in subsets]
    return np.array([0.0, *phi])


def gibbs_matrix(score, tie):
    """Return the probabilities to go from subset to subset in a sweep of random order."""
    n, phi = len(score), potentials(score, tie)
    updates = []
    for i in range(n):
        update = np.zeros((2**n, 2**n))
        for k in range(1, 2**n):
            inside, outside = k | 1 << i, k & ~(1 << i)
            update[k, inside] = phi[inside] / (phi[inside] + phi[outside])
            update[k, outside] = phi[outside] / (phi[inside] + phi[outside])
        updates.append(update)
    orders = list(permutations(range(n)))
    return sum(np.linalg.multi_dot([updates[i] for i in order]) for order in orders) / len(orders)


def metropolis_matrix(score, tie, corrected):
    """Return the probabilities to go from subset to subset by one proposal."""
    n, phi = len(score), potentials(score, tie)
    ways = np.array([comb(n, k.bit_count()) for k in range(2**n)])
    matrix = np.zeros((2**n, 2**n))
    for k in range(1, 2**n):
        for other in range(1, 2**n):
            ratio = phi[other] / phi[k] * (ways[other] / ways[k] if corrected else 1.0)
            matrix[k, other] = min(1.0, ratio) / (n * ways[other])
        matrix[k, k] += 1.0 - matrix[k].sum()
    return matrix


def matrix_of(sampler, proposal, score, tie):
    if sampler == "gibbs":
        return gibbs_matrix(score, tie)
    return metropolis_matrix(score, tie, proposal == "corrected")


def p_value(counts, probability):
    """Return the chi-square p-value of counts over the non-empty subsets."""
    assert counts[0] == 0
    expected = counts.sum() * probability[1:] / probability[1:].sum()
    assert expected.min() > 5  # what the chi-square approximation asks for
    return stats.chisquare(counts[1:], expected).pvalue


CHAINS = [("gibbs", "corrected"), ("metropolis", "corrected"), ("metropolis", "paper")]


@pytest.mark.parametrize(("score", "tie"), [(FOUR, 1.0), (FIVE, 0.6)])
@pytest.mark.parametrize(("sampler", "proposal"), CHAINS)
@pytest.mark.parametrize("start", [1, 6, 15])
def test_a_step_goes_where_it_should(score, tie, sampler, proposal, start):
    """From a single item, two and four."""
    counts = subset_frequencies(
        score, sampler=sampler, proposal=proposal, tie=tie, steps=1, chains=200_000,
        start=members(start), seed=start,
    )  # fmt: skip
    assert p_value(counts, matrix_of(sampler, proposal, score, tie)[start]) > LEVEL


@pytest.mark.parametrize(("score", "tie"), [(FOUR, 1.0), (FIVE, 1.0), (FIVE, 0.4)])
@pytest.mark.parametrize(("sampler", "proposal"), CHAINS)
def test_chains_converge_to_the_model_and_the_paper_s_to_another(score, tie, sampler, proposal):
    """Ends of independent chains: their start is forgotten to 1e-6, by the second eigenvalue.

    The paper's chain has the stationary law Phi(S) / C(N, |S|), by detailed balance with its
    proposal; that is what it must match, and the model what it must not.
    """
    steps, phi = 150, potentials(score, tie)
    speed = np.sort(np.abs(np.linalg.eigvals(matrix_of(sampler, proposal, score, tie)[1:, 1:])))
    assert speed[-1] == pytest.approx(1.0) and speed[-2] ** steps < 1e-6
    counts = subset_frequencies(
        score, sampler=sampler, proposal=proposal, tie=tie, steps=steps, chains=50_000, seed=3
    )
    if proposal == "paper":
        assert p_value(counts, phi) < 1e-6
        phi = phi / [comb(len(score), k.bit_count()) for k in range(len(phi))]
    assert p_value(counts, phi) > LEVEL


@pytest.mark.parametrize(("sampler", "proposal"), CHAINS)
def test_extreme_scores(sampler, proposal):
    """A thousand above the rest: a proposal finds it alone in 1 of 9 steps, and it stays."""
    counts = subset_frequencies(
        [0.0, 1000.0, 0.0], sampler=sampler, proposal=proposal, steps=200, chains=50, seed=0
    )
    assert counts[2] == 50
    assert subset_frequencies([0.3], sampler=sampler, proposal=proposal).tolist() == [0, 1000]


def test_the_same_seed_gives_the_same_counts():
    first, again, other = (subset_frequencies(FOUR, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sampler": "slice"}, '`sampler` must be "gibbs" or "metropolis", got \'slice\''),
        ({"proposal": "none"}, '`proposal` must be "corrected" or "paper", got \'none\''),
        ({"score": [0.0] * 17}, "`score` must hold 1 to 16 numbers"),
        ({"score": [0.0, np.nan]}, "`score` must hold 1 to 16 numbers"),
        ({"tie": 0.0}, "`tie` must be positive, got 0.0"),
        ({"steps": 0}, "`steps` must be a whole number from 1 up, got 0"),
        ({"chains": 1.5}, "`chains` must be a whole number from 1 up, got 1.5"),
        ({"start": []}, "`start` must name at least one position from 0 to 3, got \\[\\]"),
        ({"start": [4]}, "`start` must name at least one position from 0 to 3, got \\[4\\]"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        subset_frequencies(**{"score": FOUR} | arguments)
