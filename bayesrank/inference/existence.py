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
        if np.linalg.matrix_rank(specification.features) < specification.features.shape[1]:
            raise ValueError(
                "The columns of `features` are linearly dependent: with a flat prior their "
                "coefficients are not determined."
            )
    elif not data.connectivity().strong:
        raise ValueError(
            f"The maximum-likelihood estimate does not exist: {data.connectivity()}. {remedy}"
        )
    if specification.features is None and not specification.order_effect:
        return
    names = specification.feature_names or [str(item) for item in data.items]
    if specification.order_effect:
        names = [*names, "the order effect"]
    direction = _separating_direction(specification)
    if direction is not None:
        along = [names[k] for k in np.flatnonzero(np.abs(direction) > 1e-6)]
        raise ValueError(
            "The maximum-likelihood estimate does not exist: a combination of "
            f"{listing(along)} predicts every result without error. {remedy}"
        )


def _separating_direction(specification):
    """Return parameters that push no result the wrong way and some the right way, or None.

    Along them a log-concave likelihood never falls (Albert and Anderson 1984). Found by a
    linear program: each one-sided row must not be contradicted, each mixed row not be moved.
    """
    data = specification.data
    rows, n = len(data), len(data.items)
    index = np.arange(rows)
    design = sparse.coo_array((np.ones(rows), (index, data.left)), shape=(rows, n)).tocsr()
    design -= sparse.coo_array((np.ones(rows), (index, data.right)), shape=(rows, n)).tocsr()
    if specification.features is not None:
        design = sparse.csr_array(design @ specification.features)
    if specification.order_effect:
        design = sparse.hstack([design, np.ones((rows, 1))]).tocsr()
    wins, losses, ties = data.counts.T > 0
    ahead, behind = wins & ~losses & ~ties, losses & ~wins & ~ties
    mixed = ~ahead & ~behind & (wins | losses | ties)
    one_sided = sparse.vstack([design[ahead], -design[behind]]).tocsr()
    if one_sided.shape[0] == 0:
        return None
    answer = optimize.linprog(
        -np.asarray(one_sided.sum(axis=0)).ravel(),
        A_ub=-one_sided,
        b_ub=np.zeros(one_sided.shape[0]),
        A_eq=design[mixed] if mixed.any() else None,
        b_eq=np.zeros(mixed.sum()) if mixed.any() else None,
        bounds=(-1.0, 1.0),
    )
    return answer.x if answer.success and -answer.fun > 1e-7 else None
