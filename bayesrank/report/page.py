"""What the page shows, gathered from a fit as a dict of plain values that JSON can hold."""

import platform
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from bayesrank import consensus
from bayesrank.data.times import time_texts
from bayesrank.progress import progress_bar
from bayesrank.report.arrays import numbers, packed, packed_rows, rounded
from bayesrank.report.history import gather_history, shown_times
from bayesrank.report.models import formula, meaning, priors
from bayesrank.report.panels import gather_agents, gather_categories, gather_effects, views_of
from bayesrank.report.words import about_time, answer, data_facts, enough, label, quoted
from bayesrank.text import level, spreadsheet_text

__all__ = ["MOST_PAIRED", "gather"]

# Pairs are kept for this many items, the first ones, and rank probabilities for as many (groups
# of) ranks: matrices of this size are 0.7 MB each, and a screen has hardly more dots.
MOST_PAIRED = 500
# Of agents and orders, which have no search, only the ends are shown.
MOST_LISTED = 200
# What each loss is good for.
LOSSES = {
    "kendall": "Fewest pairs in the wrong order (Kendall)",
    "spearman": "Smallest squared rank errors (Spearman)",
    "footrule": "Smallest absolute rank errors (footrule)",
    "zero_one": "Likeliest as a whole (0-1 loss)",
    "ndcg": "Best where it matters most, at the top (NDCG)",
}
PACKAGES = ("bayesrank", "pymc", "pytensor", "arviz", "nutpie", "numpy", "scipy", "numba")


def gather(fit, *, title=None, prob=0.95, draws=500, tiers="expected", now=None):
    """Return everything that the page shows.

    Parameters
    ----------
    fit : Fit
    title : str, optional
    prob : float
        Probability of the intervals, and what it takes to tell two items apart.
    draws : int
        Posterior draws that win probabilities are averaged over.
    tiers : "expected" or "certain"
        The rule of ``fit.tiers``.
    now : datetime, optional
        When the page is made.

    Returns
    -------
    dict
        Of texts, numbers and lists; items are in the order of their ranks everywhere.
    """
    fit._require_one_instance("report()")
    fit.scores()  # which raises an error where items have none
    with progress_bar("Page", 4 + len(LOSSES) + len(shown_times(fit)) + views_of(fit)) as advance:
        return _gather(fit, title, prob, draws, tiers, now, advance)


def _gather(fit, title, prob, draws, tiers, now, advance):

    scores, specification, point = fit.scores(), fit.specification, fit.kind.is_point
    table = fit.ranking(prob, tiers=tiers)
    labels = fit._index()
    order = labels.get_indexer(table.index)
    best = None
    if not point:
        for name, kind in (("joint", "posterior"), ("all", True)):
            together = fit.rank_intervals(prob, simultaneous=kind).loc[table.index]
            table[f"{name}_low"], table[f"{name}_high"] = together["low"], together["high"]
            advance()
        best = fit.best(prob).loc[table.index]
        advance()
    names = [label(item) for item in table.index]
    categories = gather_categories(fit, table, prob, tiers, advance)
    more = {
        "categories": categories,
        "judges": gather_agents(fit, prob),
        "effects": gather_effects(fit, prob),
    }
    said = answer(names, table, best, prob, tiers, specification)
    if not point:
        said[0] += f" {enough(fit.decided('best', prob))}"
    heading, history = f"Ranking of {len(names):,} items", None
    if specification.moves is not None:
        said.append(about_time(fit, fit._moment))
        heading += f" at {time_texts([fit._moment.time])[0]}"
        history = gather_history(fit, order, prob, advance)
    if categories is not None:
        heading += f" in {quoted(categories['names'][categories['now']])}" * (categories["now"] > 0)
    title = heading if title is None else title
    first = order[:MOST_PAIRED]
    wins = fit.win_probabilities(neutral=True, draws=draws, items=table.index[:MOST_PAIRED])
    advance()
    return {
        "title": title.strip() or "Ranking",
        "answer": said,
        "certainty": level(prob),
        "prob": prob,
        "tiers": consensus.tiers_promise(prob, tiers),
        "point": point,
        "items": names,
        "spreadsheet_names": _spreadsheet_names(names),
        "ranking": {column: numbers(table[column]) for column in table},
        "ranks": None if point else _rank_probabilities(fit, order),
        "pairs": {
            "size": len(first),
            "sure": rounded(prob),
            "win": packed(wins.fillna(0.0).to_numpy()),
            "above": None if point else packed(consensus.probability_above(scores[:, first])),
            "neutral": specification.order_effect,
            "preference": specification.of_preferences,
        },
        "facts": data_facts(specification),
        "diagnostics": {
            "checked": fit.kind.has_chains,
            "ok": fit.diagnostics().ok,
            "summary": fit.diagnostics().summary,
            "messages": [finding.plain for finding in fit.diagnostics().findings],
        },
        "method": _method_words(fit),
        "model": {
            **formula(specification),
            "priors": priors(specification),
        },
        "parameters": _parameters(fit, prob),
        "agents": _agents(fit, prob),
        "variances": _variances(fit, prob),
        "consensus": [] if point else _consensus(fit, list(table.index), advance),
        "made": _made(fit, prob, draws, now),
        # Pages of scores that stay have none, and so nothing of its panel.
        **({} if history is None else {"history": history}),
        **{name: part for name, part in more.items() if part is not None},
    }


def _spreadsheet_names(names):
    """Return the names that are written otherwise in a CSV file, by their positions."""
    written = [spreadsheet_text(name) for name in names]
    return {str(k): text for k, text in enumerate(written) if text != names[k]}


def _rank_probabilities(fit, order):
    """Return the rank probabilities by item, of so many items by groups of ranks."""
    matrix = fit.rank_probabilities().to_numpy()[order]
    width = -(-len(order) // MOST_PAIRED)
    return {"width": width, **packed_rows(np.add.reduceat(matrix, range(0, len(order), width), 1))}


def _parameters(fit, prob):
    table = fit.parameters(prob)
    return [
        {"name": str(name), "meaning": meaning(name, fit.specification), **_row(row)}
        for name, row in table.iterrows()
    ]


def _row(row):
    return dict(zip(row.index, numbers(row), strict=True))


def _agents(fit, prob):
    """Return the agents' adherences, the most faithful first; of many, both ends."""
    if not fit.specification.has_adherences:
        return None
    table = fit.agents(prob)
    left_out = max(0, len(table) - MOST_LISTED)
    if left_out:
        half = MOST_LISTED // 2
        table = table.iloc[[*range(half), *range(len(table) - half, len(table))]]
    rows = [{"name": label(agent), **_row(row)} for agent, row in table.iterrows()]
    return {"learned": fit.specification.observation.learns_adherence, "left_out": left_out,
            "rows": rows}  # fmt: skip


def _variances(fit, prob):
    """Return the items' variances, in the order of their ranks."""
    if not fit.specification.has_adherences:
        return None
    table = fit.items(prob).head(MOST_LISTED)
    columns = ["variance", "variance_low", "variance_high", "ballots"]
    rows = [{"name": label(item), **_row(row)} for item, row in table[columns].iterrows()]
    return {"learned": fit.specification.observation.learns_variances, "rows": rows}


def _method_words(fit):
    """Return how the fit was made, and what that means for the numbers."""
    flat = fit.kind.words_if_flat if fit.specification.flat else ""
    return flat or fit.kind.words


def _consensus(fit, ranking, advance):
    """Return the best order under each loss, as positions in the ranking."""
    place = {item: position for position, item in enumerate(ranking)}
    found = []
    for loss, words in LOSSES.items():
        result = fit.consensus(loss)
        advance()
        found.append(
            {
                "loss": loss,
                "words": words,
                "unit": consensus.UNITS[loss],
                "order": [place[item] for item in result.order][:MOST_LISTED],
                "same": list(result.order) == ranking,
                "expected_loss": numbers([result.expected_loss])[0],
                "gap": numbers([result.gap])[0],
                "proof": str(result.proof),
            }
        )
    return found


def _made(fit, prob, draws, now):
    """Return with what and when the page was made."""
    now = datetime.now().astimezone() if now is None else now
    chains, size = fit.shape
    rows = [("Made", now.strftime("%Y-%m-%d %H:%M %Z").strip()), ("Method", fit.method)]
    if not fit.kind.is_point:
        rows.append(("Draws", f"{chains:,} x {size:,}" if chains > 1 else f"{size:,}"))
        rows.append(("Random seed", "none was given" if fit.seed is None else str(fit.seed)))
        rows.append(("Averaged for win probabilities", f"{len(fit.spaced_draws(draws)):,} draws"))
        rows.append(("Probability of intervals", level(prob)))
    rows.append(("Model", repr(fit.specification)))
    versions = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:  # run from a copy that was not installed
            continue
    return [list(row) for row in [*rows, ("Versions", ", ".join(versions))]]
