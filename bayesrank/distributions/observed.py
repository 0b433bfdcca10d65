"""Checks of observed values when a variable is made: impossible ones are refused, with their rows.

Later, in a graph, an impossible value is only a log-probability of minus infinity, and a sampler
that cannot start does not give the reason.
"""

import numpy as np
import pytensor.tensor as pt
from pymc.data import MinibatchOp
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Constant, Variable
from pytensor.graph.traversal import ancestors
from pytensor.raise_op import CheckAndRaise
from pytensor.tensor.basic import ScalarFromTensor
from pytensor.tensor.type import TensorType, integer_dtypes

from bayesrank.data.ranks import ZERO_IS_UNRANKED, seem_to_start_at_zero
from bayesrank.kernels.partitions import partition

__all__ = [
    "as_observed",
    "followed",
    "known_values",
    "require_counts",
    "require_ranks",
    "require_rows",
    "unchecked",
    "whole_ranks",
]


def known_values(values):
    """Return values as an array, also those of `pm.Data`; None where a graph computes them."""
    if isinstance(values, Constant):
        return np.asarray(values.data)
    if isinstance(values, SharedVariable):
        return np.asarray(values.get_value(borrow=True))
    return None if isinstance(values, Variable) else np.asarray(values)


def as_observed(values, missing):
    """Return observed values in a form that PyMC takes; refuse rows with missing ones.

    Parameters
    ----------
    values : array, data frame or tensor
    missing : str
        What to write instead of a missing value.
    """
    if hasattr(values, "isnull") and hasattr(values, "to_numpy"):
        gaps = np.asarray(values.isnull())
        rule = f"`observed` must not have missing values, {missing}"
        _refuse_rows(rule, values.to_numpy(), gaps.reshape(len(gaps), -1).any(axis=1))
        return values.to_numpy()
    owner = getattr(values, "owner", None)
    if owner is not None and isinstance(owner.op, MinibatchOp) and values.dtype == "int64":
        # PyMC would cast it to int32, and then not know it for a minibatch any more.
        whole = values.type()
        return MinibatchOp([whole], [whole.astype("int32")])(values)
    return values


def require_rows(what, rows, *design):
    """Refuse observed values of other rows than the design has, where that is known.

    Parameters
    ----------
    what : str
        What a row of the design is.
    rows : tuple of int
        Batch shape of the observed values.
    design : list of tuple
        Batch shapes of what describes the rows; None is not known.
    """
    for shape in design:
        both = zip(reversed(rows), reversed(shape), strict=False)
        if any(theirs not in (None, 1) and own not in (1, theirs) for own, theirs in both):
            raise ValueError(
                f"`observed` must have one row for each {what}, got {_size(rows)} rows and "
                f"{_size(shape)} {what}s."
            )


def _size(shape):
    return " x ".join("any number of" if size is None else f"{size:,}" for size in shape)


def followed(learned, name, observed, *design):
    """Return what was learned from observed values; draws are refused where it is not known.

    Parameters
    ----------
    learned : array or tensor
        What follows from the observed values and is needed to draw others.
    name : str
        The argument whose place it takes.
    observed : array or tensor
    design : tensors
        What else describes the rows. Where it holds `pm.Data` of positions, these may change.
    """
    learned = pt.as_tensor(learned)
    remedy = f'give {name}=pm.Data("{name}", ...)'
    if isinstance(observed, Variable) and not isinstance(observed, Constant):
        rule = f"`{name}` comes from `observed`, in which nothing is: to draw, {remedy}."
        return CheckAndRaise(ValueError, rule)(learned, pt.any(learned > 0))
    given = [x for x in design if isinstance(x, Variable)]
    rows = [x for x in ancestors(given) if isinstance(x, SharedVariable) and _holds_positions(x)]
    if not rows:
        return learned
    same = pt.all([_is_still(x, np.array(x.get_value(borrow=True))) for x in rows])
    changed = ", ".join(sorted(str(x.name) for x in rows))
    rule = (
        f"`{name}` comes from `observed`, which stays as it is, but {changed} changed, so that it "
        f"is not known for the new rows: {remedy}, or observed=pm.Data(...)."
    )
    # Whoever asks for the number of rows is told, before it does not fit.
    return learned[: CheckAndRaise(ValueError, rule)(learned.shape[0], same)]


def unchecked(variable):
    """Return a variable without the check of `followed`, which is for draws alone."""
    owner = variable.owner
    if owner is not None and any(_is_checked(x) for x in (variable, *owner.inputs[1:])):
        return owner.inputs[0]
    return variable


def _is_checked(variable):
    """Return whether a variable is the outcome of a check, perhaps as a plain number."""
    owner = variable.owner
    if owner is not None and isinstance(owner.op, ScalarFromTensor):
        owner = owner.inputs[0].owner
    return owner is not None and isinstance(owner.op, CheckAndRaise)


def _holds_positions(shared):
    return isinstance(shared.type, TensorType) and shared.type.dtype in {*integer_dtypes, "bool"}


def _is_still(shared, values):
    """Return whether a shared variable still holds these values, whatever its size is now."""
    now, then = shared.flatten(), pt.as_tensor(values.ravel())
    both = pt.minimum(now.size, then.size)
    return pt.eq(now.size, then.size) & pt.all(pt.eq(now[:both], then[:both]))


def _refuse_rows(rule, rows, bad):
    """Raise for the rows marked bad, of which the first are shown."""
    places = np.flatnonzero(bad)
    if places.size:
        shown = "; ".join(f"row {k} holds {rows[k].tolist()}" for k in places[:3])
        more = f"; and {places.size - 3:,} more rows" if places.size > 3 else ""
        raise ValueError(f"{rule}: {shown}{more} (the first row is 0).")


def require_counts(observed, *, ties=True, name="", remedy="", n=None):
    """Refuse counts of pairs that no parameters give a probability.

    Parameters
    ----------
    observed : ndarray
    ties : bool
        Whether the distribution has ties.
    name, remedy : str
        What the distribution without ties is called, and which others have them.
    n : optional
        What each row must add up to, where that was given.
    """
    if np.ma.isMaskedArray(observed) and np.ma.getmaskarray(observed).any():
        raise ValueError("`observed` has masked counts: leave such rows out, or write 0.")
    counts = np.asarray(observed)
    if counts.dtype == object:
        try:
            counts = counts.astype(float)
        except OverflowError:
            raise ValueError("`observed` must hold counts below 1.8e+308.") from None
        except (TypeError, ValueError):
            raise TypeError("`observed` must hold counts, which are numbers.") from None
    if counts.ndim == 0 or counts.shape[-1] != 3:
        raise ValueError(
            "`observed` must hold (left wins, right wins, ties) on its last axis, got shape "
            f"{counts.shape}."
        )
    rows = counts.reshape(-1, 3)
    if rows.dtype.kind == "f":
        finite = np.isfinite(rows).all(axis=1)
        _refuse_rows("`observed` must hold finite counts, 0 where there are none", rows, ~finite)
    _refuse_rows("`observed` must hold counts from 0 up", rows, (rows < 0).any(axis=1))
    if rows.dtype.kind in "iu":
        rule = "The counts in a row of `observed` must add up to less than 2**63, or be floats"
        _refuse_rows(rule, rows, rows.sum(axis=1, dtype=float) >= 2**63)
    if not ties:
        rule = f"Ties, the third column of `observed`, are outside the support of {name}; {remedy}"
        _refuse_rows(rule, rows, rows[:, 2] != 0)
    if n is not None:
        total = rows.sum(axis=1)
        wanted = np.broadcast_to(n, counts.shape[:-1]).ravel()
        rule = "The counts in each row of `observed` must add up to `n`"
        _refuse_rows(rule, rows, np.abs(total - wanted) > 1e-6 * (1.0 + total))


def whole_ranks(observed):
    """Return observed ranks as integers, or say what is wrong with them."""
    if np.ma.isMaskedArray(observed) and np.ma.getmaskarray(observed).any():
        raise ValueError("`observed` has masked ranks: -1 marks a slot without an item.")
    try:
        values = np.asarray(observed, dtype=float)
    except (TypeError, ValueError):
        raise TypeError("`observed` must hold ranks, which are whole numbers.") from None
    bad = ~np.isfinite(values) | (values != np.round(values))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"`observed` must hold whole ranks, got {values[where]} at {where}; -1 marks a slot "
            "without an item and 0 an item below all ranked ones."
        )
    return values.astype(np.int64)


def require_ranks(ranks, offered=None, *, largest_tie=None, unranked=True):
    """Refuse ranks that no scores give a probability.

    Parameters
    ----------
    ranks : ndarray of int
    offered : ndarray of bool, optional
        Which slots hold an item; by default those whose rank is not -1.
    largest_tie : int, optional
        Number of items that may share a rank, where not all may.
    unranked : bool
        Whether items may be left unranked.
    """
    rows = ranks.reshape(-1, ranks.shape[-1]) if ranks.ndim else ranks.reshape(1, 1)
    if rows.size == 0:
        return
    if seem_to_start_at_zero(rows):
        raise ValueError(f"`observed` {ZERO_IS_UNRANKED}")
    filled = rows >= 0
    if offered is not None:
        offered = np.broadcast_to(offered, ranks.shape).reshape(rows.shape)
        rule = "`observed` must hold -1 in slots that are not `offered`, and a rank or 0 in others"
        _refuse_rows(rule, rows, (filled != offered).any(axis=1))
    _, sizes, possible = partition(rows, filled)
    rule = (
        "The ranks in each row of `observed` must go 1, 2, ... without a gap (0 for unranked "
        "slots, -1 for empty ones)"
    )
    _refuse_rows(rule, rows, ~possible)
    if largest_tie is not None:
        rule = "The ranks in each row of `observed` must differ: ties are outside the support"
        if largest_tie > 1:
            rule = f"Ties of more than {largest_tie} items are outside the support"
        _refuse_rows(rule, rows, (sizes > largest_tie).any(axis=1))
    if not unranked:
        rule = 'Unranked items (rank 0) are outside the support of direction="backward"'
        _refuse_rows(rule, rows, (rows == 0).any(axis=1))
