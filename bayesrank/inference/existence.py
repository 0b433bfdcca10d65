"""Whether a maximum-likelihood estimate exists, before an optimiser runs off to infinity."""

import numpy as np
from scipy import optimize, sparse

from bayesrank.data.connectivity import listing

__all__ = ["require_finite_estimate"]


def require_finite_estimate(specification):
    """Refuse data whose likelihood rises without end, and name what it rises along."""
    data = specification.data
    remedy = "Give a finite prior `scale`, such as 1, or drop them."
    if specification.features is not None:
        if specification.item_effects:
            raise ValueError(
                "With a flat prior the features and the items' own effects cannot be told "
                "apart: set `item_effects=False`, or give a finite prior `scale`."
            )
    elif not data.connectivity().strong:
        raise ValueError(
            f"The maximum-likelihood estimate does not exist: {data.connectivity()}. {remedy}"
        )
    if not _needs_program(specification):
        return
    names = specification.feature_names or [str(item) for item in data.items]
    names = [*names, *["the order effect"] * specification.order_effect, "the tie parameter"]
    design = _design(specification)
    seen = data.counts.sum(axis=1) > 0
    undetermined = _undetermined(design[seen], shift=specification.features is None)
    if undetermined is not None:
        raise ValueError(
            "The maximum-likelihood estimate is not unique: in these comparisons "
            f"{listing([names[k] for k in undetermined])} cannot be told apart. Give a finite "
            "prior `scale`, or leave something out."
        )
    direction = _improving_direction(specification, design)
    if direction is not None:
        if specification.features is None:
            # Scores have no zero of their own: say which move against most of the others.
            direction[: len(data.items)] -= np.median(direction[: len(data.items)])
        along = [names[k] for k in np.flatnonzero(np.abs(direction) > 1e-6)]
        raise ValueError(
            "The maximum-likelihood estimate does not exist: moving "
            f"{listing(along)} on and on fits every result better. {remedy}"
        )


def _needs_program(specification):
    """Whether strong connection of the win graph does not settle the question by itself.

    It does for scores alone. With a tie parameter scores and tie parameter may run off
    together, unless some pair has seen both sides win, which holds the tie parameter.
    """
    if specification.features is not None or specification.order_effect:
        return True
    wins, losses, ties = specification.data.counts.T > 0
    return bool(ties.any() and not (wins & losses).any())


def _design(specification):
    """Return the differences as a linear function of scores or features, and order effect."""
    data = specification.data
    rows, n = len(data), len(data.items)
    index = np.arange(rows)
    design = sparse.coo_array((np.ones(rows), (index, data.left)), shape=(rows, n)).tocsr()
    design -= sparse.coo_array((np.ones(rows), (index, data.right)), shape=(rows, n)).tocsr()
    if specification.features is not None:
        design = sparse.csr_array(design @ specification.standardized)
    if specification.order_effect:
        design = sparse.hstack([design, np.ones((rows, 1))]).tocsr()
    return design


def _undetermined(design, *, shift):
    """Return which columns take part in a combination that no row notices, or None.

    With ``shift``, all columns but a last order effect are scores, whose common shift is
    expected and harmless.
    """
    values, vectors = np.linalg.eigh((design.T @ design).toarray())
    null = vectors[:, values < 1e-10 * max(values[-1], 1.0)]
    if null.shape[1] <= shift:
        return None
    return np.flatnonzero(np.abs(null).max(axis=1) > 1e-6)


def _improving_direction(specification, design):
    """Return a direction along which no result becomes less likely, or None.

    All models here are log-concave in the differences and the tie threshold, and their
    likelihood does not fall along a direction (differences d, threshold t >= 0) if and only if
    d >= t where the left item won, -d >= t where the right one won, and |d| <= t where they
    tied (for models without ties after Albert and Anderson 1984). A linear program looks for
    one that is not zero.
    """
    data = specification.data
    wins, losses, ties = data.counts.T > 0

    def constraint(sign, chosen, threshold):
        part = sign * design[chosen]
        return sparse.hstack([part, np.full((part.shape[0], 1), threshold)])

    feasible = sparse.vstack(
        [
            constraint(1.0, wins, -1.0),
            constraint(-1.0, losses, -1.0),
            constraint(1.0, ties, 1.0),
            constraint(-1.0, ties, 1.0),
        ]
    ).tocsr()
    # Each term is positive or zero for a feasible direction; all are zero only for none.
    gain = np.append(design[wins].sum(axis=0) - design[losses].sum(axis=0), 1.0)
    size = design.shape[1]
    answer = optimize.linprog(
        -gain,
        A_ub=-feasible,
        b_ub=np.zeros(feasible.shape[0]),
        # Without ties in the data the threshold stays at zero, where it belongs.
        bounds=[(-1.0, 1.0)] * size + [(0.0, 1.0 if ties.any() else 0.0)],
    )
    return answer.x if answer.success and -answer.fun > 1e-7 else None
