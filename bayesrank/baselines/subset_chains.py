r"""Markov chains over the non-empty subsets of the items that remain at one stage of PMOP.

The target is ``p(S) ~ tie^(|S| - 1) exp(mean of f over S)``. The chains are those of Algorithm 1
of Truyen, Phung and Venkatesh (2011), with two repairs:

- Gibbs decides of each item in turn whether it is in, given all others. Given that the set is not
  empty, an item that is alone stays.
- Metropolis-Hastings proposes a size m at random and then m items at random: a subset S with
  probability ``1 / (N C(N, |S|))``. So the ratio of the potentials must be multiplied by
  ``C(N, |S|) / C(N, |X|)``, X being the current subset. The paper leaves that out, and its chain
  converges to ``Phi(S) / C(N, |S|)``, far fewer ties; it is kept as the proposal "paper".

One step is one sweep of Gibbs over all items, or one proposal.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.data.checks import whole_number
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.samplers import uniform as uniform

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["chain_code", "log_factorials", "step", "subset_frequencies"]

# What compiled code calls the chains.
_GIBBS, _METROPOLIS, _PAPER = 0, 1, 2
_MOST_ITEMS = 16  # of which frequencies are counted: 65 536 subsets


def chain_code(sampler: str, proposal: str) -> int:
    """Return the number by which `step` knows a chain."""
    if sampler not in ("gibbs", "metropolis"):
        raise ValueError(f'`sampler` must be "gibbs" or "metropolis", got {sampler!r}.')
    if proposal not in ("corrected", "paper"):
        raise ValueError(f'`proposal` must be "corrected" or "paper", got {proposal!r}.')
    if sampler == "gibbs":
        return _GIBBS
    return _METROPOLIS if proposal == "corrected" else _PAPER


def log_factorials(n: int) -> np.ndarray:
    """Return log 0!, log 1!, ..., log n!."""
    return np.array([math.lgamma(k + 1.0) for k in range(n + 1)])


@compiled()
def _swap_in(index: np.ndarray, i: int, state: np.ndarray) -> int:
    """Put a random one of the positions from i on at place i, and return it."""
    j = i + int(uniform(state) * (index.size - i))
    index[i], index[j] = index[j], index[i]
    return index[i]


@compiled()
def _gibbs_sweep(
    f: np.ndarray, log_tie: float, chosen: np.ndarray, index: np.ndarray, state: np.ndarray
) -> None:
    # The order of the sweep must not depend on the subset, or the chain has another target.
    # Rankings hold their items best first, so that order would; hence a random one.
    # Sums instead of branches: half of these would be guessed wrong.
    total, size = 0.0, 0
    for i in range(f.size):
        total += f[i] * chosen[i]
        size += chosen[i]
    for place in range(f.size):
        i = _swap_in(index, place, state)
        total -= f[i] * chosen[i]
        size -= chosen[i]
        inside = True
        if size > 0:
            log_odds = log_tie + (size * f[i] - total) / (size * (size + 1.0))
            inside = uniform(state) * (1.0 + math.exp(-log_odds)) < 1.0
        chosen[i] = inside
        total += f[i] * inside
        size += inside


@compiled()
def _metropolis_step(
    f: np.ndarray,
    log_tie: float,
    correct: bool,
    chosen: np.ndarray,
    index: np.ndarray,
    log_factorial: np.ndarray,
    state: np.ndarray,
) -> None:
    items = f.size
    total, size = 0.0, 0
    for i in range(items):
        total += f[i] * chosen[i]
        size += chosen[i]
    proposed = 1 + int(uniform(state) * items)
    proposed_total = 0.0
    for place in range(proposed):
        proposed_total += f[_swap_in(index, place, state)]
    log_ratio = proposed_total / proposed - total / size + (proposed - size) * log_tie
    if correct:
        # log of C(N, |S|) / C(N, |X|)
        log_ratio += log_factorial[size] + log_factorial[items - size]
        log_ratio -= log_factorial[proposed] + log_factorial[items - proposed]
    if uniform(state) < math.exp(log_ratio):
        chosen[:] = False
        for place in range(proposed):
            chosen[index[place]] = True


@compiled()
def step(
    f: np.ndarray,
    log_tie: float,
    code: int,
    chosen: np.ndarray,
    index: np.ndarray,
    log_factorial: np.ndarray,
    state: np.ndarray,
) -> None:
    """Move the subset ``chosen`` of the items with scores ``f`` by one step of a chain.

    ``index`` holds the positions of the items in any order, ``log_factorial`` is as long as there
    are items and ``state`` is that of the generator; the first and last are overwritten.
    """
    if code == _GIBBS:
        _gibbs_sweep(f, log_tie, chosen, index, state)
    else:
        _metropolis_step(f, log_tie, code == _METROPOLIS, chosen, index, log_factorial, state)


@compiled(cache=True)
def _count_ends(
    f: np.ndarray,
    log_tie: float,
    code: int,
    start: np.ndarray,
    steps: int,
    chains: int,
    log_factorial: np.ndarray,
    state: np.ndarray,
) -> np.ndarray:
    items = f.size
    counts = np.zeros(2**items, dtype=np.int64)
    index = np.arange(items)
    chosen = np.empty(items, dtype=np.bool_)
    for _ in range(chains):
        chosen[:] = start
        for _ in range(steps):
            step(f, log_tie, code, chosen, index, log_factorial, state)
        end = 0
        for i in range(items):
            end += int(chosen[i]) << i
        counts[end] += 1
    return counts


def subset_frequencies(
    score: "ArrayLike",
    *,
    sampler: str = "gibbs",
    proposal: str = "corrected",
    tie: float = 1.0,
    steps: int = 100,
    chains: int = 1000,
    start: Sequence[int] | None = None,
    seed: int | None = None,
) -> np.ndarray:
    """Count where independent chains end.

    Parameters
    ----------
    score : array
        Scores of the items that remain, at most 16.
    sampler : "gibbs" or "metropolis"
    proposal : "corrected" or "paper"
        Whether Metropolis-Hastings allows for its unequal proposals, or not, as in the paper.
    tie : float
        Tie prevalence (positive); a subset of m items has the factor ``tie ** (m - 1)``.
    steps, chains : int
        Length and number of the chains.
    start : list of int, optional
        Positions of the items in the subset from which all chains start; by default all items.
    seed : int, optional

    Returns
    -------
    ndarray of int
        Number of chains by subset: item i is in subset k if bit i of k is 1. Entry 0, the empty
        set, is 0.

    Examples
    --------
    >>> counts = subset_frequencies([0.5, 0.0, -0.5], sampler="metropolis", chains=1000, seed=1)
    >>> int(counts.sum()), int(counts[0])
    (1000, 0)
    """
    code = chain_code(sampler, proposal)
    f = np.asarray(score, dtype=float)
    if f.ndim != 1 or not 1 <= f.size <= _MOST_ITEMS or not np.isfinite(f).all():
        raise ValueError(f"`score` must hold 1 to {_MOST_ITEMS} numbers, got {score!r}.")
    if not tie > 0:
        raise ValueError(f"`tie` must be positive, got {tie!r}.")
    whole_number("steps", steps, 1)
    whole_number("chains", chains, 1)
    inside = np.zeros(f.size, dtype=bool)
    positions = np.arange(f.size) if start is None else np.asarray(start, dtype=np.int64)
    if positions.size == 0 or positions.min() < 0 or positions.max() >= f.size:
        raise ValueError(
            f"`start` must name at least one position from 0 to {f.size - 1}, got {start!r}."
        )
    inside[positions] = True
    state = np.random.default_rng(seed).integers(0, 2**62, size=1, dtype=np.uint64)
    return _count_ends(
        f, math.log(tie), code, inside, steps, chains, log_factorials(f.size), state
    )  # fmt: skip
