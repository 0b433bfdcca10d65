"""Conditions that choose rows of a table, such as "season == 2019"."""

import logging
from typing import Any

from bayesrank.text import listing

__all__ = ["choose_rows"]

_log = logging.getLogger("bayesrank.read")


def choose_rows(frame: Any, where: str | None) -> Any:
    """Return the rows for which a condition holds, or all if it is None.

    In the condition, columns of texts that are all numbers are numbers, and columns of true and
    false are logical.
    """
    if where is None:
        return frame
    import pandas as pd

    known = _typed_columns(frame)
    try:
        holds = known.eval(where, engine="python")
        if not isinstance(holds, pd.Series) or not pd.api.types.is_bool_dtype(holds):
            raise ValueError("it is true or false of no row")
        index = frame.index[holds.fillna(False).to_numpy(dtype=bool)]
    except Exception as error:  # pandas raises errors of all kinds for what it cannot read
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(
            f"`where` must be a condition on the columns ({listing(list(frame.columns), 12)}), "
            f'such as "season == 2019" or "`home team` != \'x\'", got {where!r}: {reason}'
        ) from None
    if not len(index):
        raise ValueError(f"`where` leaves no row: {where!r} holds for none of {len(frame):,}.")
    chosen = frame.loc[index].reset_index(drop=True)
    chosen.attrs = frame.attrs
    _log.info("where: %s of %s rows", f"{len(chosen):,}", f"{len(frame):,}")
    return chosen


def _typed_columns(frame: Any) -> Any:
    """Return a copy with numbers and truth values for columns of texts that hold nothing else."""
    import pandas as pd

    known = frame.copy()
    for name in known.columns:
        if not pd.api.types.is_numeric_dtype(known[name]):
            numbers = pd.to_numeric(known[name], errors="coerce")
            if (numbers.notna() | known[name].isna()).all():
                known[name] = numbers
            elif known[name].astype("string").str.casefold().isin(["true", "false"]).all():
                known[name] = known[name].astype("string").str.casefold() == "true"
    return known
