"""Whether a maximum-likelihood estimate exists, before an optimiser runs off to infinity."""

import numpy as np
from scipy import optimize, sparse

from bayesrank.data import Rankings
from bayesrank.model.likelihoods import PREFERENCE_LIKELIHOODS
from bayesrank.text import listing, models, option

__all__ = ["require_finite_estimate"]

_SOME = 5000  # pairs of a ranking that are tried before all of them


def _remedy():
    return f"Give a finite prior scale, such as {option('scale', 1.0)}, or drop them."


def require_finite_estimate(specification):
    """Refuse data whose likelihood rises without end, and name what it rises along."""
    data = specification.data
    by_features = bool(specification.feature_names)
    if by_features and specification.item_effects:
        raise ValueError(
            "With a flat prior the features and the items' own effects cannot be told "
            "apart: set `item_effects=False`, or give a finite prior `scale`."
        )
    if specification.likelihood in PREFERENCE_LIKELIHOODS:
        _require_contradiction(specification)
        return
    if not by_features:
        connectivity = _connectivity(specification)
        if not connectivity.strong:
            raise ValueError(
                f"The maximum-likelihood estimate does not exist: {connectivity}. {_remedy()}"
            )
        if specification.family.kernel == "shares" and data.has_ties:
            _require_own_places(data)
    if not _needs_program(specification):
        return
    names = specification.feature_names or [str(item) for item in data.items]
    names = [*names, *["the order effect"] * specification.order_effect, "the tie parameter"]
    undetermined = _undetermined(_gram(specification), shift=not by_features)
    if undetermined is not None:
        raise ValueError(
            "The maximum-likelihood estimate is not unique: in these data "
            f"{listing([names[k] for k in undetermined])} cannot be told apart. Give a finite "
            f"prior scale, such as {option('scale', 1.0)}, or leave something out."
        )
    direction = _improving_direction(*_results(specification, some=True))
    if direction is not None:
        # Where no direction suits some of the results, none suits all of them.
        direction = _improving_direction(*_results(specification))
    if direction is not None:
        if not by_features:
            # Scores have no zero of their own: say which move against most of the others.
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


def _connectivity(specification):
    """Return who is linked to whom by results that hold their scores together.

    A block whose order is unknown says nothing of the scores inside it, and with the additive
    potential of PMOP neither does a tie: only the sum of its worths counts.
    """
    data = specification.data
    if not isinstance(data, Rankings):
        return data.connectivity()
    return data.connectivity(ties=specification.family.kernel == "geometric")


def _require_own_places(data):
    """Refuse items that are tied with each other wherever they are.

    With the additive potential only the sum of the worths of a tie counts.
    """
    ranking, slot = np.nonzero(data.offered)
    places = {}
    for row, item, rank in zip(
        ranking, data.entries[ranking, slot], data.ranks[ranking, slot], strict=True
    ):
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


def _needs_program(specification):
    """Whether strong connection of the win graph does not settle the question by itself.

    It does for scores alone. With a tie parameter of pairs scores and tie parameter may run
    off together, unless some pair has seen both sides win, which holds the tie parameter.
    """
    if specification.feature_names or specification.order_effect:
        return True
    if isinstance(specification.data, Rankings):
        return False
    wins, losses, ties = specification.data.counts.T > 0
    return bool(ties.any() and not (wins & losses).any())


def _gram(specification):
    """Return the products of the predictor's columns, over what the results depend on."""
    if isinstance(specification.data, Rankings):
        x = _slots(specification)
        offered = specification.data.offered[:, :, None]
        x = np.where(offered, x - x.sum(axis=1, keepdims=True, where=offered)
                     / offered.sum(axis=1, keepdims=True), 0.0)  # fmt: skip
        x = x.reshape(-1, x.shape[2])
        return x.T @ x
    design = _results(specification)[0]
    return (design.T @ design).toarray()


def _slots(specification):
    """Return the features of each entry of each ranking."""
    if specification.observation.features is not None:
        return specification.observation.features
    return specification.standardized[specification.data.entries]


def _results(specification, *, some=False):
    """Return differences as linear functions of the parameters, and how each came out."""
    data = specification.data
    if isinstance(data, Rankings):
        return _ranking_results(specification, some)
    rows, n = len(data), len(data.items)
    index = np.arange(rows)
    design = sparse.coo_array((np.ones(rows), (index, data.left)), shape=(rows, n)).tocsr()
    design -= sparse.coo_array((np.ones(rows), (index, data.right)), shape=(rows, n)).tocsr()
    if specification.features is not None:
        design = sparse.csr_array(design @ specification.standardized)
    if specification.order_effect:
        design = sparse.hstack([design, np.ones((rows, 1))]).tocsr()
    seen = data.counts.sum(axis=1) > 0
    # Without ties in the data the threshold stays at zero, where it belongs.
    return (design[seen], *(data.counts[seen].T > 0), bool(data.counts[:, 2].any()))


def _ranking_results(specification, some):
    """Return differences of features between each item and those of the next block.

    What holds from block to block holds for all pairs. Within a tie neighbours must stay equal.
    """
    observation, data = specification.observation, specification.data
    by_slot = _slots(specification)
    equal = specification.family.kernel == "geometric"
    rows = np.arange(len(data))
    if some:
        pairs = np.abs(observation.sizes[:, :-1] * observation.sizes[:, 1:]).sum()
        rows = rows[:: max(1, int(pairs) // _SOME)]
    strict, tied = [], []
    for row in rows:
        x = by_slot[row, observation.order[row]]
        ends = np.cumsum(np.abs(observation.sizes[row]))
        start, blocks = 0, []
        for size, end in zip(observation.sizes[row], ends, strict=True):
            if size == 0:
                break
            block = x[start:end]
            if blocks:
                strict.append((blocks[-1][:, None] - block[None]).reshape(-1, x.shape[1]))
            if equal and size > 1:
                tied.append(np.diff(block, axis=0))
            blocks.append(block)
            start = end
    strict, tied = np.concatenate(strict), np.concatenate([*tied, np.empty((0, x.shape[1]))])
    design = sparse.csr_array(np.concatenate([strict, tied]))
    wins = np.arange(len(strict) + len(tied)) < len(strict)
    # Prevalences that are learned are looked after once the optimiser has stopped.
    return design, wins, np.zeros_like(wins), ~wins, False


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
