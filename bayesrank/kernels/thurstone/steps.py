r"""From what is below one block to what is below the next: running integrals and their adjoint.

Functions are kept at the nodes of all panels, in a row, relative to a scale of their own in each
panel, so that neither long rankings nor improbable orders underflow.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["NODE", "NODES", "RUNNING", "WEIGHT", "climb", "descend"]

NODES = 12
NODE, WEIGHT = np.polynomial.legendre.leggauss(NODES)


def _running_integrals():
    """Return two rules that take values at the nodes to integrals from -1 up to the nodes.

    Entry [r, j, k] is what a value at node j adds to the integral up to node k. The first rule
    is exact for polynomials. The second, a staircase, is for panels that are too coarse for
    that: it cannot become negative.
    """
    legendre = np.polynomial.legendre
    degree = np.arange(NODES)
    lagrange = (legendre.legvander(NODE, NODES - 1) * WEIGHT[:, None] * (degree + 0.5)).T
    exact = legendre.legval(NODE, legendre.legint(lagrange, lbnd=-1))
    stairs = WEIGHT[:, None] * (np.triu(np.ones((NODES, NODES))) - np.eye(NODES) / 2.0)
    return np.stack([exact, stairs])


RUNNING = _running_integrals()
_TRANSPOSED = RUNNING.transpose(0, 2, 1).copy()
_NOTHING = -1e300  # a logarithm of 0 whose differences are defined


@compiled()
def climb(base, item, size, lo, hi, end, density, level, measure, rule, below, scale):
    """Fill in the stages of a small block, one per subset of its items.

    With U_A(x) the probability that all that is below the block is in order and, with the items
    of A, below x,

        U_A(x) = int_-inf^x sum over i in A of p_i(y) U_{A without i}(y) dy.

    The empty subset is stage ``base - 1``. Beyond panel ``hi``, up to ``end``, nothing is added.
    """
    q, local = np.empty(NODES), np.empty(NODES)
    for subset in range(1, 1 << size):
        out = base + subset - 1
        total, total_scale = 0.0, _NOTHING
        for b in range(lo, hi):
            at = b * NODES
            reference = _NOTHING
            for i in range(size):
                if subset >> i & 1:
                    rest = out - (1 << i)
                    reference = max(reference, level[item + i, b] + scale[rest, b])
            for k in range(NODES):
                q[k] = 0.0
            for i in range(size):
                if subset >> i & 1:
                    rest = out - (1 << i)
                    part = math.exp(level[item + i, b] + scale[rest, b] - reference)
                    for k in range(NODES):
                        q[k] += part * density[item + i, at + k] * below[rest, at + k]
            mass = 0.0
            for k in range(NODES):
                q[k] *= measure[at + k]
                mass += WEIGHT[k] * q[k]
                local[k] = 0.0
            for j in range(NODES):
                for k in range(NODES):
                    local[k] += RUNNING[rule, j, k] * q[j]
            highest = max(total_scale, reference)
            total *= math.exp(total_scale - highest)
            fresh = math.exp(reference - highest)
            after = total + fresh * mass
            peak = 0.0
            for k in range(NODES):
                local[k] = total + fresh * local[k]
                peak = max(peak, abs(local[k]))
            inverse = 1.0 / max(peak, 1e-300)
            for k in range(NODES):
                below[out, at + k] = inverse * local[k]
            total = inverse * after
            total_scale = highest - math.log(inverse)
            scale[out, b] = total_scale
        for b in range(hi, end):
            scale[out, b] = total_scale
            for k in range(NODES):
                below[out, b * NODES + k] = total


@compiled()
def descend(
    base, item, size, lo, hi, end, density, level, slope, measure, rule, below, scale, pull, by
):
    """Take the derivatives by a small block's stages back to its items and to what is below it."""
    back = np.empty(NODES)
    for subset in range((1 << size) - 1, 0, -1):
        out = base + subset - 1
        # The derivative by everything further up, which rests on the integral over this panel.
        carry = 0.0
        for b in range(end - 1, lo - 1, -1):
            at = b * NODES
            if b < end - 1:
                carry *= math.exp(scale[out, b] - scale[out, b + 1])
            if b < hi:
                for k in range(NODES):
                    back[k] = carry * WEIGHT[k]
                for j in range(NODES):
                    for k in range(NODES):
                        back[k] += _TRANSPOSED[rule, j, k] * pull[out, at + j]
                for k in range(NODES):
                    back[k] *= measure[at + k]
                for i in range(size):
                    if subset >> i & 1:
                        rest = out - (1 << i)
                        part = level[item + i, b] + scale[rest, b] - scale[out, b]
                        part = math.exp(min(part, 50.0))
                        moved = 0.0
                        for k in range(NODES):
                            g = part * back[k] * density[item + i, at + k]
                            pull[rest, at + k] += g
                            moved += g * below[rest, at + k] * slope[item + i, at + k]
                        by[item + i] -= moved
            for k in range(NODES):
                carry += pull[out, at + k]
