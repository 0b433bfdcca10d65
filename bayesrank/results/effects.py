"""What features add to scores, in their own units and in standard deviations."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["effect_table"]


def effect_table(fit: Any, prob: float) -> "pd.DataFrame":
    """Return the table of `bayesrank.Fit.effects`."""
    import pandas as pd

    specification = fit.specification
    names = specification.feature_names
    if not names:
        raise ValueError("This model was fitted without features.")
    known = getattr(specification.observation, "features", None)
    spread = specification.features.std(axis=0) if known is None else known.spread
    per_unit = fit._flat("beta")
    table = pd.DataFrame(index=pd.Index(names, name="feature", tupleize_cols=False))
    for column, draws in (("per_unit", per_unit), ("per_sd", per_unit * spread)):
        table[column] = draws.mean(axis=0)
        if fit.kind.is_point:
            table[[f"{column}_low", f"{column}_high"]] = np.nan
        else:
            table[f"{column}_low"], table[f"{column}_high"] = consensus.interval(draws, prob)
    table["sd"] = spread
    table["p_positive"] = np.nan if fit.kind.is_point else (per_unit > 0).mean(axis=0)
    table["words"] = [_words(row, known is not None) for row in table.itertuples()]
    return table


def _words(row: Any, of_slots: bool) -> str:
    """Return a sentence about one feature."""
    sure = row.p_positive if row.per_unit > 0 else 1.0 - row.p_positive
    how = "adds to" if row.per_unit > 0 else "takes from"
    doubt = "" if np.isnan(sure) or sure > 0.975 else " (which way is not certain)"
    said = f"one standard deviation more {how} a score {abs(row.per_sd):.2f}{doubt}"
    return f"{said}; items are ranked at equal {row.Index}" if of_slots else said
