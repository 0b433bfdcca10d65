r"""Geometric PMOP learned as its paper does: contrastive divergence with a few chain steps.

The gradient of one stage is the centre of the observed block minus the expected centre of a
subset. Truyen, Phung and Venkatesh (2011, section 3.4) start a Markov chain at the observed
block X and put its first n states S in the place of the expectation:

    w  <-  w + rate * sum over stages k of ( centre of X_k  -  mean over l of centre of S_k^(l) )

The exact gradient costs little more, `bayesrank.fit` with "pmop-geometric" has it: this is here to
be compared with it.
"""

import copy
import math
from numbers import Integral, Real

import numpy as np

from bayesrank.baselines.subset_chains import chain_code, log_factorials, step
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.suffix_sums import gather
from bayesrank.model.ranking_observation import RankingObservation
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar
from bayesrank.results.fit import Fit

__all__ = ["fit_sampled_pmop", "sampled_gradient"]


@compiled(cache=True)
def sampled_gradient(score, tie, order, sizes, code, steps, average, log_factorial, state):
    """Return, per ranking and slot, the observed minus the sampled share in the blocks' centres.

    ``tie`` is one tie prevalence, an array of one by one; ``order`` and ``sizes`` are those of
    `bayesrank.kernels.partitions.partition`, and the rest that of
    `bayesrank.baselines.subset_chains.step`. ``average`` says whether all states of a chain
    count, or only the last.
    """
    rows, slots = score.shape
    by_score = np.zeros((rows, slots))
    start = np.empty(slots + 1, dtype=np.int64)
    x, gradient = np.empty(slots), np.empty(slots)
    chosen = np.empty(slots, dtype=np.bool_)
    index = np.empty(slots, dtype=np.int64)
    log_tie = math.log(tie[0, 0])
    share = 1.0 / steps if average else 1.0
    for n in range(rows):
        blocks, ranked = gather(score[n], order[n], sizes[n], x, start)
        items = start[blocks]
        gradient[:items] = 0.0
        for s in range(ranked):
            first, last = start[s], start[s + 1]
            left = items - first
            inside, places = chosen[:left], index[:left]
            for i in range(left):
                inside[i] = first + i < last
                places[i] = i
            for p in range(first, last):
                gradient[p] += 1.0 / (last - first)
            for k in range(steps):
                step(x[first:items], log_tie, code, inside, places, log_factorial, state)
                if average or k == steps - 1:
                    weight = share / inside.sum()
                    for i in range(left):
                        if inside[i]:
                            gradient[first + i] -= weight
        for p in range(items):
            by_score[n, order[n, p]] = gradient[p]
    return by_score


class _SampledObservation(RankingObservation):
    """The same rankings, whose gradient is sampled; their log-likelihood is left at zero."""

    def __init__(self, observation, *chain):
        vars(self).update(vars(observation))
        self._chain = chain

    def _rows(self, values, slots, order, sizes):
        (tie,) = self._tie(values)
        return np.zeros(len(slots)), sampled_gradient(slots, tie, order, sizes, *self._chain)


def fit_sampled_pmop(
    data,
    *,
    sampler="gibbs",
    proposal="corrected",
    steps=1,
    average=True,
    rate=0.1,
    iterations=1000,
    scale=np.inf,
    features=None,
    item_effects=None,
    seed=None,
    progress=False,
):
    """Fit PMOP with the geometric potential by contrastive divergence.

    Each iteration runs a chain for every stage of every ranking and moves the parameters along
    the gradient, averaged over rankings; features count in units of their standard deviation
    within rankings. The number of iterations is fixed: with many items, each in few of the
    rankings, the paper's 1 000 at a rate of 0.1 may not be enough, and the fit's ``note`` says how
    far the second half of them still went.

    Parameters
    ----------
    data : Rankings
    sampler : "gibbs" or "metropolis"
    proposal : "corrected" or "paper"
        Whether Metropolis-Hastings allows for its unequal proposals, or not, as in the paper; see
        `bayesrank.baselines.subset_chains`.
    steps : int
        Length of the chains: sweeps over all remaining items, or proposals.
    average : bool
        Whether the sampled centre is the mean over all steps, as in the paper, or that of the
        last step alone.
    rate : float
        Learning rate (positive), the same throughout.
    iterations : int
    scale : float
        Prior standard deviation of the items' effects; infinity is a flat prior for everything.
    features, item_effects : optional
        As in `bayesrank.fit`.
    seed : int, optional
    progress : bool
        Whether to show progress.

    Returns
    -------
    Fit
        A single point, as from method "map".

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> found = fit_sampled_pmop(races, sampler="metropolis", steps=3, scale=1.0, seed=1)
    >>> found.ranking().index.tolist()
    ['c', 'b', 'a']
    """
    code = chain_code(sampler, proposal)
    for name, value in (("steps", steps), ("iterations", iterations)):
        if not isinstance(value, Integral) or value < 1:
            raise ValueError(f"`{name}` must be a whole number from 1 up, got {value!r}.")
    for name, value in (("rate", rate), ("scale", scale)):
        if not isinstance(value, Real) or not value > 0:
            raise ValueError(f"`{name}` must be a positive number, got {value!r}.")
    if seed is not None and (not isinstance(seed, Integral) or seed < 0):
        raise ValueError(f"`seed` must be a whole number from 0 up, got {seed!r}.")
    specification = Specification(
        data, "pmop-geometric", scale=scale, features=features, item_effects=item_effects
    )
    # With features alone the number of iterations bounds what the data may not; items that
    # nothing links would look as if they were comparable.
    if specification.flat and specification.item_effects:
        require_finite_estimate(specification)
    state = np.random.default_rng(seed).integers(0, 2**62, size=1, dtype=np.uint64)
    sampled = copy.copy(specification)
    sampled.observation = _SampledObservation(
        specification.observation, code, steps, bool(average),
        log_factorials(data.entries.shape[1]), state,
    )  # fmt: skip
    pace = rate / data.weights.sum()
    x = midway = np.zeros(specification.size)
    with progress_bar("contrastive divergence", iterations, progress) as advance:
        for iteration in range(iterations):
            if iteration == iterations // 2:
                midway = x
            x = x + pace * sampled.objective(x)[1]
            advance()
    chain = f"{sampler}, {proposal} proposal" if sampler == "metropolis" else sampler
    note = (
        f"Contrastive divergence ({chain}, steps={steps}), not maximum likelihood: "
        f"{iterations:,} iterations at rate {rate:g}, whose second half moved no parameter by more "
        f"than {np.max(np.abs(x - midway)):.1g}."
    )
    return Fit.from_points(specification, "map", x[None, None], note=note)
