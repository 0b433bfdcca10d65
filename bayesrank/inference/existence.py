"""Whether a maximum-likelihood estimate exists, before an optimiser runs off to infinity."""

import numpy as np
from scipy import optimize, sparse

from bayesrank.inference.designs import design_of
from bayesrank.text import listing, models, option

__all__ = ["require_finite_estimate"]


def _remedy():
    return f"Give a finite prior scale, such as {option('scale', 1.0)}, or drop them."


def require_finite_estimate(specification):
    """Refuse data whose likelihood rises without end, and name what it rises along."""
    data = specification.data
    of_rows = data.row == "pair" and specification.has_entry_features
    by_features = bool(specification.feature_names) and not of_rows
    if by_features and specification.item_effects:
        raise ValueError(
            "With a flat prior the features and the items' own effects cannot be told "
            "apart: set `item_effects=False`, or give a finite prior `scale`."
        )
    if specification.of_preferences:
        _require_contradiction(specification)
        return
    design = design_of(specification)
    if not by_features:
        connectivity = specification.observation.connectivity
        if not connectivity.strong:
            raise ValueError(
                f"The maximum-likelihood estimate does not exist: {connectivity}. {_remedy()}"
            )
        if design.sums_ties and data.has_ties:
            _require_own_places(data)
    if not design.needs_program:
        return
    own = list(specification.feature_names or [])
    names = own if by_features else [*map(str, data.items), *own]
    names = [*names, *["the order effect"] * specification.order_effect, "the tie parameter"]
    undetermined = _undetermined(design.gram(), shift=not by_features)
    if undetermined is not None:
        raise ValueError(
            "The maximum-likelihood estimate is not unique: in these data "
            f"{listing([names[k] for k in undetermined])} cannot be told apart. Give a finite "
            f"prior scale, such as {option('scale', 1.0)}, or leave something out."
        )
    direction = _improving_direction(*design.results(some=True))
    if direction is not None:
        # Where no direction suits some of the results, none suits all of them.
        direction = _improving_direction(*design.results())
    if direction is not None:
        if not by_features:
            # Scores have no zero of their own: name those that move against most of the others.
            direction[: len(data.items)] -= np.median(direction[: len(data.items)])
        along = [names[k] for k in np.flatnonzero(np.abs(direction) > 1e-6)]
        raise ValueError(
            "The maximum-likelihood estimate does not exist: moving "
            f"{listing(along)} on and on fits every result better. {_remedy()}"
        )


def _require_contradiction(specification):
    """Refuse preferences that are all for items which never lose, over some which never win."""
    observation = specification.observation
    if not specification.settled:
        return
    places = observation.one_sided
    if not np.any(observation.adherence):
        raise ValueError("All adherences are 0, so that the data say nothing of the scores.")
    if places.size:
        where = ""
        if specification.data.instances is not None:
            where = f" in {listing([specification.data.instances[q] for q in places])}"
        raise ValueError(
            f"The maximum-likelihood estimate does not exist{where}: no item is preferred to one "
            "and behind another, so that pushing winners and losers apart fits better and better. "
            f"Give a finite prior scale, such as {option('scale', 1.0)}."
        )


def _require_own_places(data):
    """Refuse items that are tied with each other wherever they are.

    With the additive potential only the sum of the worths of a tie counts.
    """
    places = {}
    for row, item, rank in zip(data.entry_ranking, data.entry_item, data.entry_rank, strict=True):
        places.setdefault(item, []).append((row, rank))
    together = {}
    for item, place in places.items():
        together.setdefault(tuple(place), []).append(str(data.items[item]))
    for items in together.values():
        if len(items) > 1:
            raise ValueError(
                f"The maximum-likelihood estimate is not unique: {listing(items)} are tied "
                'wherever they occur, and "pmop" sees only the sum of their worths. Give a finite '
                f"prior scale, such as {option('scale', 1.0)}, or use {models('pmop-geometric')}."
            )


def _undetermined(gram, *, shift):
    """Return which columns take part in a combination that no row notices, or None.

    With ``shift``, all columns but a last order effect are scores, whose common shift is
    expected and harmless.
    """
    values, vectors = np.linalg.eigh(gram)
    null = vectors[:, values < 1e-10 * max(values[-1], 1.0)]
    if null.shape[1] <= shift:
        return None
    return np.flatnonzero(np.abs(null).max(axis=1) > 1e-6)


def _improving_direction(design, wins, losses, ties, threshold):
    """Return a direction along which no result becomes less likely, or None.

    Models of pairs, and those of rankings but for sums of worths and learned prevalences (which
    `bayesrank.inference.mode.require_curvature` looks after), are log-concave in the differences
    and the tie threshold, and their likelihood does not fall along a direction (differences d,
    threshold t >= 0) if and only if d >= t where the left item won, -d >= t where the right one
    won, and |d| <= t where they tied (for models without ties after Albert and Anderson 1984).
    A linear program looks for one that is not zero. ``threshold`` says whether t may move.
    """

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
        bounds=[(-1.0, 1.0)] * size + [(0.0, float(threshold))],
    )
    return answer.x if answer.success and -answer.fun > 1e-7 else None
