"""Partitioned Plackett-Luce in JAX, at the same nodes as `bayesrank.kernels.partitioned`."""

from math import ceil, log

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from bayesrank.distributions.jax_rankings import LOW, block_sums, entries, lay_out, remaining, still

__all__ = ["partitioned"]

_DEPTH, _SPAN = 30.0, 22.0  # as in the kernel
_WIDEST = 50.0  # no integrand is wider at that depth: its slope is one at least on the left


def _log_missing(y):
    """Return log(1 - exp(-e^y))."""
    inner = jnp.clip(y, -40.0, 6.0)
    return jnp.where(y < -38.0, y, jnp.log(-jnp.expm1(-jnp.exp(inner))))


class _Blocks:
    """The integrands of blocks; ``lead`` is by entry, and the rest by block."""

    def __init__(self, lead, inside, layout):
        self.rate = jnp.exp(jnp.clip(lead, -600.0, 600.0))
        self.inside, self.block = inside, layout.block
        self.row = jnp.arange(lead.shape[0])[:, None]

    def sums(self, x):
        """Add up numbers of entries by blocks."""
        x = jnp.where(self.inside, x, 0.0)
        return jnp.zeros(x.shape).at[self.row, self.block].add(x)

    def shape(self, u):
        """Return the log of the integrand and its first two derivatives."""
        t = jnp.exp(u)
        z = jnp.take_along_axis(t, self.block, axis=1) * self.rate
        q = jnp.maximum(-jnp.expm1(-z), 1e-307)
        w = z * (1.0 - q) / q
        height = u - t + self.sums(jnp.log(q))
        return height, 1.0 - t + self.sums(w), self.sums(w * (1.0 - w - z)) - t

    def span(self, size):
        """Return where the integrand has fallen by e^-depth, on both sides of its mode."""
        lowest, highest = jnp.zeros(size.shape), jnp.log1p(size)
        mode, going = 0.5 * highest, jnp.ones(size.shape, dtype=bool)
        for _ in range(8):
            _, slope, curvature = self.shape(mode)
            lowest = jnp.where(going & (slope > 0.0), mode, lowest)
            highest = jnp.where(going & ~(slope > 0.0), mode, highest)
            step = -slope / curvature
            mode = jnp.where(going, jnp.clip(mode + step, lowest, highest), mode)
            going &= jnp.abs(step) >= 1e-2
        peak, _, curvature = self.shape(mode)
        width = jnp.sqrt(-2.0 * _DEPTH / curvature)
        right = jnp.minimum(mode + width, jnp.log(jnp.exp(mode) + _DEPTH + 4.0))
        floor = peak - _DEPTH
        return self.edge(mode - width, floor), self.edge(right, floor)

    def edge(self, u, floor):
        """Return where the log-integrand has fallen to a floor."""
        going = jnp.ones(u.shape, dtype=bool)
        for _ in range(4):
            height, slope, _ = self.shape(u)
            step = (floor - height) / slope
            u = jnp.where(going, u + step, u)
            going &= jnp.abs(step) >= 0.05
        return u


def _beats(lead, inside, layout, nodes):
    """Return log P of each block, whose scores lead the rest's log-sum by ``lead``.

    Entries that are not ``inside`` a block that needs an integral are left out.
    """
    slots = lead.shape[1]
    blocks = _Blocks(still(lead), inside, layout)
    left, right = blocks.span(layout.size.astype(float))
    starts, ends = (jnp.take_along_axis(x, layout.block, axis=1) for x in (left, right))
    middling = (still(lead) + ends >= -38.0) & (still(lead) + starts < 4.0)
    active = jnp.maximum(blocks.sums(middling.astype(float)), 1.0)
    wanted = (right - left) / _SPAN * jnp.maximum(1.0, 0.5 * jnp.log(active))
    wanted = jnp.ceil(wanted * (nodes - 1)) + 1
    most = ceil(_WIDEST / _SPAN * max(1.0, 0.5 * log(slots)) * (nodes - 1)) + 1
    count = still(jnp.clip(wanted, nodes, min(most, 12 * nodes)))
    step = (right - left) / (count - 1.0)
    place = jnp.arange(min(most, 12 * nodes))
    used = place < count[..., None]
    u = jnp.where(used, left[..., None] + place * step[..., None], 0.0)
    here = jnp.take_along_axis(u, layout.block[..., None], axis=1)
    terms = jnp.where(inside[..., None], _log_missing(lead[..., None] + here), 0.0)
    heights = jnp.zeros(u.shape).at[blocks.row, layout.block].add(terms) + u - jnp.exp(u)
    return logsumexp(jnp.where(used, heights, LOW), axis=-1) + jnp.log(step)


def partitioned(score, order, sizes, nodes):
    """Return the log-probability of each row; see `bayesrank.kernels.partitioned`."""
    if isinstance(nodes, jax.core.Tracer):
        raise NotImplementedError("In JAX the number of `nodes` must be given, not computed.")
    layout = lay_out(sizes)
    x, impossible = entries(score, order, layout)
    total, inside = remaining(x, layout), block_sums(x, layout)
    above = jnp.arange(sizes.shape[1]) < layout.blocks[:, None] - 1
    several = above & (layout.size > 1)
    value = jnp.where(above & (layout.size == 1), inside - total, 0.0)
    if isinstance(several, jax.core.Tracer) or np.asarray(several).any():
        rest = jnp.where(several, jnp.roll(total, -1, axis=1), 0.0)
        held = jnp.take_along_axis(several, layout.block, axis=1) & layout.entry
        lead = jnp.where(held, x - jnp.take_along_axis(rest, layout.block, axis=1), 0.0)
        points = int(np.asarray(nodes)[0])
        value = jnp.where(several, _beats(lead, held, layout, points), value)
    return jnp.where(impossible, -jnp.inf, value.sum(axis=1))
