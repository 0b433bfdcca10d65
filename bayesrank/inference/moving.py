"""How far scores that move are apart and how fast they move: the likeliest, and all of them."""

import numpy as np
from scipy import linalg
from scipy.interpolate import RBFInterpolator
from scipy.spatial import KDTree

from bayesrank.inference.curvature import DENSE, proper_peak
from bayesrank.inference.moving_normal import MovingNormal, hyperparameters_of
from bayesrank.kernels.tridiagonal import states_of, steps_of
from bayesrank.progress import progress_bar, waiting

__all__ = ["likeliest_normal", "moving_draws", "moving_mode"]

_START = {"scale": 0.0, "drift": np.log(0.5), "persistence": 1.4}  # free numbers to start from
_SPREAD = -0.7  # and those of spreads
_LENGTH = 0.2  # of the steps by which slopes and curvatures of the evidence are taken
_NEAR = 0.02  # as far as hyperparameters need to be known, on their free scale
_LOWEST, _HIGHEST = -7.0, 5.0
# How many standard deviations apart normals are made, by the size of the problem; down to how far
# below its peak the log evidence is followed, by so many normals at most; and in which steps
# hyperparameters are drawn between them.
_FINE, _COARSE, _TAIL, _MOST, _NEAR_BY = 1.0, 1.5, 4.5, 200, 0.1
_PLANE = 2  # hyperparameters up to which all around is looked at
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

    Normal approximations are made on a lattice of hyperparameters. Each draw has hyperparameters of
    its own and the states of a draw of the nearest normal.
    """
    if draws * specification.size > _NUMBERS:
        raise ValueError(
            f"{draws:,} draws of {specification.size:,} numbers would take "
            f"{draws * specification.size * 8e-9:.1f} GB. Ask for fewer draws. "
            f"{specification.states.fewer}"
        )
    with waiting("Looking for how far scores move", progress), proper_peak():
        best, covariance = likeliest_normal(specification)
        root = linalg.sqrtm(covariance).real if best.hyper.size else covariance
        places, heights, normals = _lattice(specification, best, root)
        z, own = _drawn_places(places, heights, draws, rng)
    hypers = best.hyper + z @ root
    points = np.empty((draws, specification.size))
    with progress_bar("Draws", draws, progress) as advance, proper_peak():
        for k, normal in enumerate(normals):
            for row in np.flatnonzero(own == k):
                x = normal.draw(rng.standard_normal(normal.size))
                points[row] = normal.whole(hypers[row], _same_states(normal, x, hypers[row]))
                advance()
    return points


def _lattice(specification, best, root):
    """Return places around the likeliest, how high the evidence is there, and the normals.

    Places are in standard deviations. From the middle outwards, neighbours are looked at until the
    evidence is low: where the data say little it falls off as slowly as the prior, and on one side
    only.
    """
    k = best.hyper.size
    origin, step = (0,) * k, _FINE if best.size <= DENSE else _COARSE
    normals, heights, ahead = {origin: best}, {origin: 0.0}, [origin]
    sides = [tuple(side) for side in np.vstack([np.eye(k), -np.eye(k)]).astype(int)]
    while ahead and len(heights) < _MOST:
        here = ahead.pop(0)
        # With spreads there are many directions: one step in each.
        goes_on = heights[here] > -_TAIL and (k <= _PLANE or here == origin)
        for side in sides if goes_on else []:
            there = tuple(np.add(here, side).tolist())
            before = heights.get(tuple(np.subtract(here, side).tolist()), np.inf)
            hyper = best.hyper + step * np.array(there) @ root
            # The evidence is concave, or nearly so: further out it falls at least as fast.
            low = 2.0 * heights[here] - before < -_TAIL - 1.0 if np.isfinite(before) else False
            if there in heights or low or not _is_possible(hyper):
                continue
            try:
                normals[there] = MovingNormal(specification, hyper, normals[here].mode)
                heights[there] = normals[there].log_evidence - best.log_evidence
            except linalg.LinAlgError:
                continue  # too far out for a peak to be found
            ahead.append(there)
    places = step * np.array(list(heights), dtype=float).reshape(len(heights), k)
    return places, np.array(list(heights.values())), [normals[place] for place in heights]


def _is_possible(hyper):
    return bool(np.all((hyper > 2 * _LOWEST) & (hyper < 2 * _HIGHEST)))


def _drawn_places(places, heights, draws, rng):
    """Return places drawn in proportion to the evidence, and which of the given ones is nearest."""
    k = places.shape[1]
    if len(places) == 1:
        return np.zeros((draws, k)), np.zeros(draws, dtype=int)
    if k > _PLANE:
        return _wide_places(places, heights, draws, rng)
    apart = np.abs(places[0] - places[1]).max()
    # What the evidence is above a parabola varies slowly.
    kernel = "quintic" if len(places) > 8 else "linear"
    excess = RBFInterpolator(places, heights + 0.5 * (places**2).sum(axis=1), kernel=kernel)
    sides = [
        np.arange(low, high, _NEAR_BY)
        for low, high in zip(
            places.min(axis=0) - 0.5 * apart, places.max(axis=0) + 0.5 * apart, strict=True
        )
    ]
    near = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, k)
    near = near[KDTree(places).query(near, p=np.inf)[0] <= 0.5 * apart]
    height = np.minimum(excess(near) - 0.5 * (near**2).sum(axis=1), heights.max() + 0.2)
    weight = np.exp(height - height.max())
    chosen = rng.choice(len(near), size=draws, p=weight / weight.sum())
    z = near[chosen] + _NEAR_BY * (rng.random((draws, k)) - 0.5)
    return z, KDTree(places).query(z)[1]


def _wide_places(places, heights, draws, rng):
    """Return the same in more dimensions, drawn from a normal that is wider, and drawn again."""
    wide = 1.25
    tried = wide * rng.standard_normal((20 * draws, places.shape[1]))
    near = KDTree(places).query(tried)[1]
    # By how much more evidence there is than a parabola says.
    excess = (heights + 0.5 * (places**2).sum(axis=1))[near]
    log_weight = excess - 0.5 * (tried**2).sum(axis=1) * (1.0 - wide**-2)
    weight = np.exp(log_weight - log_weight.max())
    chosen = rng.choice(len(tried), size=draws, p=weight / weight.sum())
    return tried[chosen], near[chosen]


def _same_states(normal, x, hyper):
    """Return the free numbers with which other hyperparameters lead to the same states."""
    other = normal.specification.layout
    known = other.named(other.constrain(normal.whole(hyper, x)))
    states = states_of(normal.left, normal.stretch, np.ascontiguousarray(x[: normal.n]))
    return np.concatenate([steps_of(*normal.term.moves(known, np), states), x[normal.n :]])
