"""What the page knows of categories, agents and features, where a fit says something of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bayesrank.report.arrays import numbers, packed_numbers
from bayesrank.report.words import label
from bayesrank.results.agents import standing_out

__all__ = [
    "MOST_CATEGORIES", "gather_agents", "gather_categories", "gather_effects", "views_of",
]  # fmt: skip

MOST_CATEGORIES = 60  # those with the most rows: each is a ranking of all items
MOST_AGENTS = 500  # those with the most votes
_KEPT = (
    "score", "low", "high", "rank", "rank_low", "rank_high", "joint_low", "joint_high", "all_low",
    "all_high", "p_best", "p_top3", "tier",
)  # fmt: skip
_EFFECTS = {
    "discrimination": "Discrimination says how sharply an agent tells items apart: 1 is average, "
    "near 0 the scores make no difference.",
    "order_effect": "The order effect is what an agent adds to the score of the left item.",
    "tie_rate": "The tie rate is the chance that the agent ties two equal items.",
}


def views_of(fit: Any) -> int:
    """Return about how many rankings the page has: over all and by category."""
    if "score_by_category" not in fit.posterior:
        return 0
    return 1 + min(len(fit.specification.data.categories), MOST_CATEGORIES)


def gather_categories(
    fit: Any, shown: Any, prob: float, tiers: str, advance: Callable[[], object]
) -> dict[str, Any] | None:
    """Return the rankings over all and in each category; None where scores are the same in all.

    Parameters
    ----------
    fit : Fit
    shown : data frame
        The ranking that the page starts with, by item.
    prob : float
        Probability of the intervals, and what the tiers promise.
    tiers : str
        The rule of ``fit.tiers``.
    advance : callable
        Called after each ranking.

    Returns
    -------
    dict or None
        ``now`` is the one that the page starts with, which is not repeated in ``rankings``.
    """
    if "score_by_category" not in fit.posterior:
        return None
    data = fit.specification.data
    rows = np.bincount(data.category, minlength=len(data.categories))
    kept = np.sort(np.argsort(-rows, kind="stable")[:MOST_CATEGORIES])
    if fit._category is not None:
        kept = np.union1d(kept, [fit._category])
    views = [fit._overall(), *(fit.in_category(data.categories[k]) for k in kept)]
    now = 0 if fit._category is None else 1 + int(np.flatnonzero(kept == fit._category)[0])
    rankings, ends = [], []
    for k, view in enumerate(views):
        table = shown if k == now else _ranking(view, shown.index, prob, tiers)
        low, high = ("score", "score") if fit.kind.is_point else ("low", "high")
        ends += [table[low].min(), table[high].max()]
        columns = [name for name in _KEPT if name in table and table[name].notna().all()]
        rankings.append(None if k == now else {c: packed_numbers(table[c]) for c in columns})
        advance()
    return {
        "names": ["All categories", *(label(data.categories[k]) for k in kept)],
        "about": fit.about_categories,
        "left_out": len(data.categories) - len(kept),
        "now": now,
        "range": numbers([min(ends), max(ends)]),
        "rankings": rankings,
    }


def _ranking(view: Any, items: Any, prob: float, tiers: str) -> Any:
    """Return a ranking with all intervals, in a given order of the items."""
    table = view.ranking(prob, tiers=tiers).loc[items]
    if not view.kind.is_point:
        for name, kind in (("joint", "posterior"), ("all", True)):
            together = view.rank_intervals(prob, simultaneous=kind).loc[items]
            table[f"{name}_low"], table[f"{name}_high"] = together["low"], together["high"]
    return table


def gather_agents(fit: Any, prob: float) -> dict[str, Any] | None:
    """Return what is known of each agent; None where no agents are, or they have adherences."""
    if fit.specification.data.agents is None or fit.specification.has_adherences:
        return None
    table = fit.agents(prob)
    effects = [name for name in _EFFECTS if name in table]
    head = table.head(MOST_AGENTS)
    return {
        "names": [label(agent) for agent in head.index],
        "words": head["words"].tolist(),
        "columns": {name: numbers(head[name]) for name in head if name != "words"},
        "effects": effects,
        "about": [*(_EFFECTS[name] for name in effects), standing_out(fit)],
        "left_out": len(table) - len(head),
    }


def gather_effects(fit: Any, prob: float) -> list[dict[str, Any]] | None:
    """Return what features add to scores, one row each; None where there are none."""
    effects = getattr(fit, "effects", None)
    if effects is None or not fit.specification.feature_names:
        return None
    table = effects(prob)
    return [
        {"name": label(name), "words": str(row["words"]),
         **dict(zip(row.index.drop("words"), numbers(row.drop("words").astype(float)),
                    strict=True))}
        for name, row in table.iterrows()
    ]  # fmt: skip
