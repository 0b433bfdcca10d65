"""Sentences about a fit: who is first, and what was observed."""

import unicodedata

import numpy as np

from bayesrank.consensus import tiers_promise
from bayesrank.data.comparison_views import ordered_pairs
from bayesrank.data.times import span_of, time_texts
from bayesrank.results.moments import who_is_left_out
from bayesrank.text import decimals, level, name

__all__ = ["about_time", "answer", "data_facts", "enough", "label", "percent", "quoted"]

_LONGEST = 60
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # that change the direction
_RIGHT_TO_LEFT = {"R", "AL"}


def label(item):
    """Return an item or agent as a text that is not empty."""
    text = name(item)
    return text if text.strip() else "(no name)"


def percent(p):
    """Return a probability in words, never as certain as draws cannot be."""
    if p < 0.001:
        return "less than 0.1%"
    if p > 0.999:
        return "more than 99.9%"
    digits = 1 if p < 0.1 or p > 0.9 else 0
    return f"{100.0 * float(decimals(p, digits + 2)):.{digits}f}%"


def quoted(name):
    """Return a name for use in a sentence: marked off, short, and keeping its direction inside."""
    name = "".join(letter for letter in name if letter not in _TURNS)
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in short):
        short = f"\u2068{short}\u2069"
    return f"“{short}”"


def _several(names, limit=8):
    shown = [quoted(name) for name in names[:limit]]
    if len(names) > limit:
        return f"{', '.join(shown)} and {len(names) - limit:,} more"
    return " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def about_time(fit, moment):
    """Return which time a ranking is of, how many items it has, and who is left out."""
    last = fit.specification.data.times[-1]
    time, last_time = (time_texts([one])[0] for one in (moment.time, last))
    said = [f"At {time}, {len(moment.items):,} items are ranked."]
    if moment.time > last:
        said.append(f"The last results are of {last_time}: later rankings are predictions.")
    said.append(who_is_left_out(moment, fit._window, _some))
    return " ".join(filter(None, said))


def _some(items):
    return _several([label(item) for item in items], 5)


_ONE_TIER = {
    "expected": "more of them would have too many pairs in the wrong order",
    "certain": "no cut between them is {} certain",
}


def answer(names, table, best, prob, tiers, specification):
    """Return in a few sentences who is first, how sure that is, who else may be, and the tiers."""
    if best is None:
        kind = "maximum-likelihood estimate" if specification.flat else "posterior mode"
        return [
            f"{quoted(names[0])} comes first, but this page cannot say how sure that is.",
            f"The scores are a {kind}: a single point, which has no intervals, no probabilities "
            "and no tiers. Fit again by NUTS (or by Laplace's approximation, for a quick look) to "
            "have them.",
        ]
    p_best = table["p_best"].to_numpy()
    first = f"{quoted(names[0])} comes first; it is truly the best with probability "
    first += f"{percent(p_best[0])}."
    likeliest = int(p_best.argmax())
    if p_best[likeliest] > p_best[0]:
        first = (
            f"{quoted(names[0])} comes first on average, with probability {percent(p_best[0])} to "
            f"be truly the best; {quoted(names[likeliest])} is the likeliest best "
            f"({percent(p_best[likeliest])})."
        )
    n, asked = f"{len(names):,}", level(prob)
    others = _may_be_best(names, best, asked)
    count = table["tier"].nunique()
    groups = f"The {n} items fall into {count:,} tiers: {tiers_promise(prob, tiers)}."
    if count == 1:
        groups = f"All {n} items are in one tier: {_ONE_TIER[tiers].format(asked)}."
    return [first, f"{others} {groups}"]


def _may_be_best(names, best, asked):
    """Return who may be the best by the posterior, and how many whatever the true scores."""
    likely = [name for name, inside in zip(names, best["credible"], strict=True) if inside]
    possible, n = int(best["in_set"].sum()), f"{len(names):,}"
    if len(likely) == len(names):
        return f"With {asked} confidence none of the {n} items can be ruled out as the best."
    words = f"With {asked} probability the best is one of {len(likely):,}: {_several(likely)}."
    if len(likely) == 1:
        words = f"With {asked} probability no other item is the best."
    if possible == len(names):
        words += f" To be safe whatever the true scores are, none of the {n} can be ruled out."
    elif possible > len(likely):
        words += f" To be safe whatever the true scores are, {possible:,} cannot be ruled out."
    return words


def enough(verdict):
    """Return whether it is decided who is best, and how many more results it may take."""
    said = f"Who is best is {'decided' if verdict else 'not decided'} at {level(verdict.prob)}."
    return f"{said} {verdict.outlook(advice=False)}".strip()


def data_facts(specification):
    """Return what was observed, as pairs of a heading and a text."""
    data = specification.data
    facts = _FACTS[data.row](data)
    if data.agents is not None:
        facts.append(("Agents", f"{len(data.agents):,} who compared or ranked"))
    if "score_by_category" in specification.varying.names:
        names = _several([label(category) for category in data.categories])
        facts.append(("Categories", f"{len(data.categories):,}: {names}"))
    if specification.feature_names:
        names = ", ".join(str(name) for name in specification.feature_names)
        facts.append(("Features", names))
    if specification.takes_order_effect:
        told = "None in the model: it makes no difference who is left"
        if specification.order_effect:
            told = "To be on the left may help or harm; the model estimates how much"
        facts.append(("Order effect", told))
    if specification.moves is not None:
        states = f"{len(specification.states):,} scores, one per item and time at which it was seen"
        facts.append(("Times", f"{span_of(data.times)}; {states}"))
    links = str(data.connectivity())
    facts.append(("Links between items", links[:1].upper() + links[1:]))
    return [list(fact) for fact in facts]


def _comparisons(data):
    total, ties = data.counts.sum(), data.counts[:, 2].sum()
    observed = f"{total:,.10g} comparisons of {len(data.items):,} items, "
    observed += f"in {ordered_pairs(data):,} ordered pairs"
    if data.derived:
        observed += ", made from rankings, so that they are no independent results"
    share = ties / total if total else 0.0
    return [("Observed", observed), ("Ties", f"{ties:,.10g} ({share:.0%})" if ties else "None")]


def _rankings(data):
    sizes = data.sizes
    spread = f"{sizes.min():,}" if np.ptp(sizes) == 0 else f"{sizes.min():,} to {sizes.max():,}"
    observed = f"{len(data):,} rankings of {spread} items each, {data.n_entries:,} entries, "
    observed += f"{len(data.items):,} items in all"
    tied, unranked = int(data._tied.sum()), int((data.entry_rank == 0).sum())
    ties = f"{tied:,} entries ({tied / data.n_entries:.0%}) share their rank" if tied else "None"
    facts = [("Observed", observed), ("Ties", ties)]
    if unranked:
        facts.append(("Unranked", f"{unranked:,} entries, below all ranked ones, in unknown order"))
    if np.any(data.weights != 1):
        facts.append(("Weights", f"Rankings count differently, {data.weights.sum():,.10g} in all"))
    return facts


# By the kind of row that the data have.
_FACTS = {"pair": _comparisons, "ranking": _rankings}
