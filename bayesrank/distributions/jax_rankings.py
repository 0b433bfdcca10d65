"""Rankings in JAX: Plackett-Luce and the additive potential, and blocks of ranks.

Rankings are padded matrices, one row per ranking, as `bayesrank.kernels.padding` takes them.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import cumlogsumexp, stop_gradient
from jax.scipy.special import gammaln

__all__ = ["Layout", "block_sums", "entries", "lay_out", "prevalences", "shares", "still"]

LOW = -1e30  # the logarithm of nothing, without the trouble that infinity makes for derivatives


class Layout(NamedTuple):
    """Where the blocks of each ranking are."""

    entry: jax.Array  # whether there is an entry at a position, best first
    block: jax.Array  # the block of each position
    first: jax.Array  # the first position of each block
    size: jax.Array  # of each block, 0 where there is none
    ranked: jax.Array  # whether each block has a rank
    blocks: jax.Array  # how many each ranking has


def lay_out(sizes):
    """Return the layout of blocks, at once where their sizes are known."""
    with jax.ensure_compile_time_eval():
        sizes = jnp.asarray(sizes)
        rows, slots = sizes.shape
        size = jnp.abs(sizes)
        ends = jnp.cumsum(size, axis=1)
        row = jnp.arange(rows)[:, None]
        marks = jnp.zeros((rows, slots + 1), dtype=int).at[row, ends].add(size > 0)
        block = jnp.minimum(jnp.cumsum(marks[:, :slots], axis=1), slots - 1)
        entry = jnp.arange(slots) < ends[:, -1:]
        first = jnp.minimum(ends - size, slots - 1)
        return Layout(entry, block, first, size, sizes > 0, (size > 0).sum(axis=1))


def still(x):
    """Return a value through which no derivative goes."""
    return stop_gradient(x)


def entries(score, order, layout):
    """Return the scores of entries, best first, the best being 0; and which rows are impossible.

    A row is where a score is infinite: see `bayesrank.kernels.padding.leave_out_infinite`.
    """
    x = jnp.take_along_axis(jnp.asarray(score), jnp.asarray(order).astype(int), axis=1)
    endless = jnp.isinf(x) & layout.entry
    x = jnp.where(layout.entry & ~endless, x, 0.0)
    impossible = endless.any(axis=1)
    highest = jnp.where(layout.entry, x, -jnp.inf).max(axis=1, keepdims=True, initial=LOW)
    x = x - still(jnp.where(layout.entry.any(axis=1, keepdims=True), highest, 0.0))
    return jnp.where(impossible[:, None], 0.0, x), impossible


def remaining(x, layout):
    """Return the log of the sum of worths over what remains at each block."""
    from_here = cumlogsumexp(jnp.where(layout.entry, x, LOW), axis=1, reverse=True)
    return jnp.take_along_axis(from_here, layout.first, axis=1)


def block_sums(x, layout):
    """Return the log of the sum of worths in each block."""
    row = jnp.arange(x.shape[0])[:, None]
    inside = jnp.where(layout.entry, x, LOW)
    highest = still(jnp.full(x.shape, LOW).at[row, layout.block].max(inside))
    relative = jnp.where(layout.entry, x - jnp.take_along_axis(highest, layout.block, axis=1), LOW)
    total = jnp.zeros(x.shape).at[row, layout.block].add(jnp.exp(relative))
    return highest + jnp.log(jnp.where(layout.size > 0, total, 1.0))


@jax.custom_jvp
def _shares(x, layout):
    """Return the log of the product of the blocks' shares in what remains."""
    by_block = block_sums(x, layout) - remaining(x, layout)
    return jnp.where(layout.ranked, by_block, 0.0).sum(axis=1)


@_shares.defjvp
def _shares_and_slope(primals, tangents):
    x, layout = primals
    pull = cumlogsumexp(jnp.where(layout.ranked, -remaining(x, layout), LOW), axis=1)
    inside = jnp.take_along_axis(block_sums(x, layout), layout.block, axis=1)
    ranked = jnp.take_along_axis(layout.ranked, layout.block, axis=1) & layout.entry
    slope = jnp.where(ranked, jnp.exp(jnp.where(ranked, x - inside, 0.0)), 0.0)
    away = jnp.where(layout.entry, x + jnp.take_along_axis(pull, layout.block, axis=1), LOW)
    slope -= jnp.exp(away)
    return _shares(x, layout), (slope * tangents[0]).sum(axis=1)


def shares(score, order, sizes):
    """Return the log-probability of each row; see `bayesrank.kernels.additive.shares`."""
    layout = lay_out(sizes)
    x, impossible = entries(score, order, layout)
    return jnp.where(impossible, -jnp.inf, _shares(x, layout))


def _log_ratio(y):
    """Return log((1 - e^-y) / y) for ``y >= 0``."""
    small = y < 0.3
    z, far = jnp.where(small, y * y, 0.0), jnp.where(small, 1.0, y)
    bend = 1.0 / 181440.0 - z * (1.0 / 9676800.0 - z / 479001600.0)
    near = z * (1.0 / 24.0 - z * (1.0 / 2880.0 - z * bend)) - 0.5 * y
    return jnp.where(small, near, jnp.log(-jnp.expm1(-far)) - jnp.log(far))


def _by_power(tie, size, left, ranked):
    """Return the part of ties where prevalences are powers of one number."""
    rate = jnp.log1p(tie)
    tied = jnp.where(ranked, size - 1.0, 0.0).sum(axis=1, keepdims=True)
    seen = tied > 0.0
    value = jnp.where(seen, tied * jnp.log(jnp.where(seen, tie, 1.0)), 0.0)[:, 0]
    total = left * rate + _log_ratio(left * rate) - rate - _log_ratio(rate)
    return value - jnp.where(ranked, total + jnp.log(jnp.maximum(size, 1.0)), 0.0).sum(axis=1)


def _by_size(tie, size, left, ranked):
    """Return the part of ties where each size of blocks has a prevalence of its own."""
    sizes = jnp.arange(1.0, tie.shape[1] + 2.0)
    factor = jnp.concatenate([jnp.ones((tie.shape[0], 1)), tie], axis=1)
    n = jnp.maximum(left, 1.0)[..., None]
    rest = jnp.maximum(n - sizes, 0.0)
    ways = jnp.where(n >= sizes, gammaln(n) - gammaln(sizes) - gammaln(rest + 1.0), LOW)
    ways -= jnp.log(sizes)
    known = factor[:, None] > 0.0
    logs = jnp.where(known, ways + jnp.log(jnp.where(known, factor[:, None], 1.0)), LOW)
    highest = still(logs.max(axis=-1, keepdims=True))
    total = (jnp.exp(jnp.minimum(ways - highest, 700.0)) * factor[:, None]).sum(axis=-1)
    log_total = highest[..., 0] + jnp.log(total)
    place = jnp.clip(size.astype(int) - 1, 0, tie.shape[1])
    here = jnp.take_along_axis(factor, place, axis=1)
    tied = ranked & (size > 1)
    log_here = jnp.where(tied, jnp.log(jnp.where(tied, here, 1.0)), 0.0)
    log_here = jnp.where(size > tie.shape[1] + 1, -jnp.inf, log_here)
    value = log_here - jnp.log(jnp.maximum(size, 1.0)) - log_total
    return jnp.where(ranked, value, 0.0).sum(axis=1)


def prevalences(tie, sizes, powers):
    """Return the part that depends on ties alone; see `bayesrank.kernels.additive.prevalences`."""
    layout = lay_out(sizes)
    size = layout.size.astype(float)
    left = size.sum(axis=1, keepdims=True) - jnp.cumsum(size, axis=1) + size
    left = jnp.where(layout.ranked, left, 1.0)
    if isinstance(powers, jax.core.Tracer):
        raise NotImplementedError("In JAX `tie` must be known to be one number, or one by size.")
    by_tie = _by_power if np.asarray(powers)[0] != 0.0 else _by_size
    return by_tie(jnp.asarray(tie), size, left, layout.ranked)


def partition(ranks, offered):
    """Return order, block sizes and possible rows; see `bayesrank.kernels.partitions`."""
    ranks, offered = jnp.asarray(ranks), jnp.asarray(offered)
    rows, slots = ranks.shape
    row = jnp.arange(rows)[:, None]
    fits = (ranks >= -1) & (ranks <= slots) & ((ranks >= 0) == offered)
    place = jnp.where(ranks > 0, ranks, jnp.where(ranks == 0, slots + 1, slots + 2))
    place = jnp.clip(place, 1, slots + 2)
    count = jnp.zeros((rows, slots + 3), dtype=int).at[row, place].add(1)
    worst = jnp.clip(ranks.max(axis=1, keepdims=True, initial=0), 0, slots)
    needed = jnp.arange(1, slots + 1) <= worst
    taken = count[:, 1 : slots + 1]
    possible = fits.all(axis=1) & (~needed | (taken > 0)).all(axis=1)
    sizes = taken.at[row, worst].add(-count[:, slots + 1 : slots + 2], mode="drop")
    held = jnp.arange(slots) < (ranks >= 0).sum(axis=1, keepdims=True)
    order = jnp.where(held, jnp.argsort(place, axis=1, stable=True), 0)
    keep = possible[:, None]
    return jnp.where(keep, order, 0).astype("uint32"), jnp.where(keep, sizes, 0), possible
