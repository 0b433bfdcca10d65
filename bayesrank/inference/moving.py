"""How far scores that move are apart and how fast they move: the likeliest, and all of them."""

from itertools import product

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import DENSE, proper_peak
from bayesrank.inference.moving_normal import MovingNormal, hyperparameters_of
from bayesrank.kernels.tridiagonal import states_of, steps_of
from bayesrank.progress import progress_bar, waiting
from bayesrank.text import option

__all__ = ["likeliest_normal", "moving_draws", "moving_mode"]

_START = {"scale": 0.0, "drift": np.log(0.5), "persistence": 1.4}  # free numbers to start from
_SPREAD = -0.7  # and those of spreads
_LENGTH = 0.2  # of the steps by which slopes and curvatures of the evidence are taken
_NEAR = 0.02  # as far as hyperparameters need to be known, on their free scale
_LOWEST, _HIGHEST = -7.0, 5.0
# How many standard deviations from the likeliest hyperparameters normals are made.
_FEW, _MANY = (-2.0, -1.0, 0.0, 1.0, 2.0), (-1.5, 0.0, 1.5)
_NUMBERS = 2e8  # of all draws together: 1.6 GB


def moving_mode(specification, options):
    """Return the hyperparameters of highest evidence with the mode given these, and a note."""
    with waiting("Looking for how far scores move", options.progress), proper_peak():
        best, _ = likeliest_normal(specification)
    normal = MovingNormal(specification, best.hyper, best.mode, jacobian=False)
    what = " at the likeliest hyperparameters" if best.hyper.size else ""
    note = (
        f"Posterior mode{what} after {normal.newton} of Newton's steps; about {normal.off:.1g} "
        "posterior standard deviations from it in all."
    )
    return normal.whole(best.hyper, normal.mode), note


def likeliest_normal(specification):
    """Return the normal at the hyperparameters of highest evidence, and their covariance."""
    names = hyperparameters_of(specification)
    hyper = np.array([_START.get(name, _SPREAD) for name in names])
    best = MovingNormal(specification, hyper)
    if not hyper.size:
        return best, np.zeros((0, 0))
    value = best.log_evidence
    for _ in range(30):
        slope, curvature, ahead = _stencil(specification, best, value)
        move = _newton_step(slope, curvature)
        while np.abs(move).max() >= 0.5 * _NEAR:
            there = np.clip(best.hyper + move, _LOWEST, _HIGHEST)
            tried = MovingNormal(specification, there, best.mode)
            found = tried.log_evidence
            if found > value:
                best, value = tried, found
                break
            move = 0.5 * move
        else:
            # As good as it gets, unless a point of the stencil was better.
            if not ahead[1] > value:
                break
            best, value = ahead
            continue
        if np.abs(move).max() < _NEAR:
            break
    _, curvature, _ = _stencil(specification, best, value)
    values, vectors = linalg.eigh(-curvature)
    # Where the data say nothing the prior does, and it is not wider than this.
    return best, (vectors / np.clip(values, 0.25, None)) @ vectors.T


def _stencil(specification, best, value):
    """Return slope and curvature of the log evidence, and the best of the points they are from."""
    k = best.hyper.size
    unit, slope, curvature = np.eye(k) * _LENGTH, np.empty(k), np.zeros((k, k))
    highest = best, value

    def look(move):
        nonlocal highest
        normal = MovingNormal(specification, best.hyper + move, best.mode)
        found = normal.log_evidence
        if found > highest[1]:
            highest = normal, found
        return found

    sides = np.array([[look(-step), look(step)] for step in unit])
    for i in range(k):
        slope[i] = (sides[i, 1] - sides[i, 0]) / (2.0 * _LENGTH)
        curvature[i, i] = (sides[i].sum() - 2.0 * value) / _LENGTH**2
    # Of spreads beside how far scores are apart and move, only their own curvature is looked at.
    for i in range(min(k, 2)):
        for j in range(i):
            both = look(unit[i] + unit[j]) + look(-unit[i] - unit[j])
            mixed = both - sides[i].sum() - sides[j].sum() + 2.0 * value
            curvature[i, j] = curvature[j, i] = mixed / (2.0 * _LENGTH**2)
    return slope, curvature, highest


def _newton_step(slope, curvature):
    """Return the way up, at most one unit in each direction."""
    values, vectors = linalg.eigh(-curvature)
    step = vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 0.1))
    return step / max(1.0, np.abs(step).max())


def moving_draws(specification, draws, rng, progress):
    """Return draws over all hyperparameters by their evidence, one row per draw.

    Normal approximations are made on a grid of hyperparameters. Each draw has hyperparameters of
    its own and the states of a draw of the nearest normal.
    """
    if draws * specification.size > _NUMBERS:
        raise ValueError(
            f"{draws:,} draws of {specification.size:,} numbers would take "
            f"{draws * specification.size * 8e-9:.1f} GB. Ask for fewer draws, or share states "
            f"within a period, such as {option('every', 'month')}, when you read the data."
        )
    with waiting("Looking for how far scores move", progress), proper_peak():
        best, covariance = likeliest_normal(specification)
        normals, z, own = _grid(specification, best, covariance, draws, rng)
    hypers = best.hyper + z @ linalg.sqrtm(covariance).real if z.size else z
    points = np.empty((draws, specification.size))
    with progress_bar("Draws", draws, progress) as advance, proper_peak():
        for k, normal in enumerate(normals):
            for row in np.flatnonzero(own == k):
                x = normal.draw(rng.standard_normal(normal.size))
                points[row] = normal.whole(hypers[row], _same_states(normal, x, hypers[row]))
                advance()
    return points


def _grid(specification, best, covariance, draws, rng):
    """Return normals on a grid; standardised hyperparameters of draws, and which normal is next."""
    k = best.hyper.size
    if not k:
        return [best], np.zeros((draws, 0)), np.zeros(draws, dtype=int)
    if k <= 2:
        places = np.array(list(product(_FEW if best.size <= DENSE else _MANY, repeat=k)))
    else:  # one after the other, and not all combinations
        ends = [end * unit for unit in np.eye(k) for end in (_MANY[0], _MANY[-1])]
        places = np.array([np.zeros(k), *ends])
    root = linalg.sqrtm(covariance).real
    normals, value = [], best.log_evidence
    excess = np.empty(len(places))
    for row, place in enumerate(places):
        normal = best
        if place.any():
            there = np.clip(best.hyper + root @ place, 2 * _LOWEST, 2 * _HIGHEST)
            normal = MovingNormal(specification, there, best.mode)
        normals.append(normal)
        excess[row] = normal.log_evidence - value + 0.5 * place @ place
    # From a wider normal, weighted by how much more evidence there is than a parabola says.
    wide = 1.25
    tried = wide * rng.standard_normal((20 * draws, k))
    near = np.linalg.norm(tried[:, None] - places, axis=2).argmin(axis=1)
    log_weight = excess[near] - 0.5 * (tried**2).sum(axis=1) * (1.0 - wide**-2)
    weight = np.exp(log_weight - log_weight.max())
    chosen = rng.choice(len(tried), size=draws, p=weight / weight.sum())
    return normals, tried[chosen], near[chosen]


def _same_states(normal, x, hyper):
    """Return the free numbers with which other hyperparameters lead to the same states."""
    other = normal.specification.layout
    known = other.named(other.constrain(normal.whole(hyper, x)))
    states = states_of(normal.left, normal.stretch, np.ascontiguousarray(x[: normal.n]))
    return np.concatenate([steps_of(*normal.term.moves(known, np), states), x[normal.n :]])
