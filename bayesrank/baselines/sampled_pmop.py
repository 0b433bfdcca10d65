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
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.baselines.subset_chains import chain_code, log_factorials, step
from bayesrank.data.checks import whole_number
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.given_slopes import native_slopes
from bayesrank.kernels.maths.suffix_sums import gather
from bayesrank.kernels.partitions import partition
from bayesrank.model.ranking_observation import RankingObservation
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar
from bayesrank.results.fit import Fit

if TYPE_CHECKING:
    from bayesrank.data.rankings import Rankings

__all__ = ["fit_sampled_pmop", "sampled_gradient", "sampled_slopes"]


@compiled(cache=True)
def sampled_slopes(
    score: np.ndarray,
    tie: Any,
    order: np.ndarray,
    sizes: np.ndarray,
    code: int,
    steps: int,
    average: bool,
    log_factorial: np.ndarray,
    state: Any,
) -> np.ndarray:
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


def sampled_gradient(
    score: np.ndarray,
    order: np.ndarray,
    sizes: np.ndarray,
    *,
    sampler: str = "gibbs",
    steps: int = 1,
    state: np.ndarray | None = None,
) -> np.ndarray:
    """Return the gradient of geometric PMOP by the scores, sampled by short chains.

    Parameters
    ----------
    score : ndarray, rankings by slots
    order, sizes : ndarray of int, rankings by slots
        The slots from best to worst, and the sizes of the blocks; the unranked are a last block
        of negative size.
    sampler : "gibbs" or "metropolis"
    steps : int
        Length of the chains, whose states are averaged.
    state : ndarray of one unsigned number, optional
        Where the random numbers go on; it is moved forward.

    Returns
    -------
    ndarray, rankings by slots

    Examples
    --------
    >>> order, sizes = np.array([[0, 1, 2]]), np.array([[1, 2, 0]])
    >>> found = sampled_gradient(np.zeros((1, 3)), order, sizes, steps=1000)
    >>> bool(abs(found.sum()) < 1e-9)  # shares that are gained are lost elsewhere
    True
    """
    state = np.array([1], dtype=np.uint64) if state is None else state
    chain = chain_code(sampler, "corrected"), steps, True, log_factorials(score.shape[1])
    return sampled_slopes(score, np.ones((1, 1)), order, sizes, *chain, state)


class _SampledObservation(RankingObservation):
    """The same rankings, whose gradient is sampled; their log-likelihood is left at zero."""

    def __init__(self, observation: Any, *chain: Any) -> None:
        vars(self).update(vars(observation))
        self._chain = chain
        self._slopes = np.zeros(self.data.n_entries)
        self._blocks = partition(self.data.ranks, self.data.offered)[:2]

    def compile(self, program: Any, score: int | None) -> None:
        """Let the compiled posterior pull back the derivatives that were sampled last."""
        super().compile(program, score)
        table = [program.hold(self.data.start, np.int64), program.hold(self._slopes)]
        program.observe(native_slopes, table, [-1], rows=len(self.data), slot_start=self.data.start)

    def sample(self, values: dict[str, Any]) -> None:
        """Sample the derivatives by the entries at some values of the parameters."""
        data = self.data
        slots = data.padded(self.entry_scores(values), 0.0)
        by_slot = sampled_slopes(slots, *self._tie(values), *self._blocks, *self._chain)
        by_entry = by_slot * data.weights[:, None]
        self._slopes[:] = by_entry[data.entry_ranking, data.entry_slot][self.order]


def fit_sampled_pmop(
    data: "Rankings",
    *,
    sampler: str = "gibbs",
    proposal: str = "corrected",
    steps: int = 1,
    average: bool = True,
    rate: float = 0.1,
    iterations: int = 1000,
    scale: float = np.inf,
    features: Any = None,
    item_effects: bool | None = None,
    seed: int | None = None,
    progress: bool = False,
) -> Fit:
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
    _require_options(steps, iterations, rate, scale, seed)
    specification = Specification(
        data, "pmop-geometric", scale=scale, features=features, item_effects=item_effects
    )
    # With features alone the number of iterations bounds what the data may not; items that
    # nothing links would look as if they were comparable.
    if specification.flat and specification.item_effects:
        require_finite_estimate(specification)
    sampled = _with_sampled_gradient(specification, code, steps, bool(average), seed)
    x, midway = _climb(sampled, rate / data.weights.sum(), iterations, progress)
    chain = f"{sampler}, {proposal} proposal" if sampler == "metropolis" else sampler
    note = (
        f"Contrastive divergence ({chain}, steps={steps}), not maximum likelihood: "
        f"{iterations:,} iterations at rate {rate:g}, whose second half moved no parameter by more "
        f"than {np.max(np.abs(x - midway)):.1g}."
    )
    return Fit.from_points(specification, "map", x[None, None], note=note)


def _require_options(steps: Any, iterations: Any, rate: Any, scale: Any, seed: Any) -> None:
    """Refuse numbers that are of the wrong kind or size."""
    whole_number("steps", steps, 1)
    whole_number("iterations", iterations, 1)
    for name, value in (("rate", rate), ("scale", scale)):
        if not isinstance(value, Real) or not value > 0:  # type: ignore[operator]
            raise ValueError(f"`{name}` must be a positive number, got {value!r}.")
    if seed is not None:
        whole_number("seed", seed, 0)


def _with_sampled_gradient(
    specification: Specification, code: int, steps: int, average: bool, seed: int | None
) -> Specification:
    """Return a copy of the specification whose gradient is sampled."""
    state = np.random.default_rng(seed).integers(0, 2**62, size=1, dtype=np.uint64)
    table = log_factorials(specification.data.n_slots)
    sampled = copy.copy(specification)
    sampled.observation = _SampledObservation(
        specification.observation, code, steps, average, table, state
    )
    return sampled


def _climb(
    sampled: Specification, pace: Any, iterations: int, progress: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the steps along the sampled gradient end, and where they were halfway."""
    x = midway = np.zeros(sampled.size)
    with progress_bar("contrastive divergence", iterations, progress) as advance:
        for iteration in range(iterations):
            if iteration == iterations // 2:
                midway = x
            sampled.observation.sample(sampled.split(x))
            x = x + pace * sampled.objective(x)[1]
            advance()
    return x, midway
