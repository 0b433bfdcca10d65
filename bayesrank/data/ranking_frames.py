"""From any data frame with one row per entry to rankings in long form.

All checks of a table of rankings or ratings are here. Each names the column, the rule and the rows
or groups.
"""

import warnings
from collections.abc import Mapping

import narwhals as nw
import numpy as np

from bayesrank.data.columns import (
    collect,
    labels_of,
    numbers_of,
    refuse,
    require_columns,
    require_numbers,
    require_present,
    require_rows,
    select,
)
from bayesrank.data.entries import checked_unranked, name_places
from bayesrank.data.instances import number_items, require_distinct
from bayesrank.data.labels import kept_labels, number_labels, number_rows
from bayesrank.data.spellings import fold_spellings
from bayesrank.data.times import number_times, require_every_with_time, time_texts
from bayesrank.text import in_terminal, listing, option

__all__ = ["ranked_entries", "rated_entries"]

UNRANKED = ("not offered", "below", "rows below")


def ranked_entries(
    frame,
    group,
    item,
    rank,
    agent,
    weight,
    features,
    unranked,
    instance=None,
    fold_names=False,
    close_gaps=False,
    time=None,
    every=None,
    category=None,
):
    """Return what a tidy table says: arguments of `Rankings._from_entries`."""
    checked_unranked(unranked, UNRANKED)
    below = unranked in ("below", "rows below")
    columns = {"group": group, "item": item, "rank": rank, "agent": agent, "weight": weight}
    columns |= {"instance": instance, "time": time, "category": category}
    require_every_with_time(time, every)
    table, numbered = _read(frame, columns, features, optional=("rank",) if below else ())
    given = numbers_of(table["rank"])
    missing = np.isnan(given)
    whole = np.isfinite(given) & (given >= 1) & (given == np.round(given))
    rule = f"`{rank}` must hold whole numbers, 1 for the best"
    refuse(~(whole | missing), rule, given, numbered)
    names, ranking = number_labels(labels_of(table, "group"))
    items, position, about = _items(table, fold_names)
    if about:
        _require_one_instance(
            ranking, names, group, about["instance"][position], about["instances"]
        )
    labels = {"agent": None, "agents": None}
    for role, plural, column in (("agent", "agents", agent), ("category", "categories", category)):
        if column is not None:
            labels[plural], position_of = number_labels(labels_of(table, role))
            labels[role] = _one_per_ranking(position_of, ranking, names, column, group)
    return {
        "ranking": ranking,
        "item": position,
        "level": np.where(missing, np.inf, given),
        "unranked": unranked,
        "gaps": bool(close_gaps),
        "names": names,
        "items": items,
        "place": f"`{group}`",
        "remedy": _how_to_drop(group),
        "weights": _weights(table, ranking, names, weight, group, numbered),
        **labels,
        **_times(table, time, every, numbered, ranking, names, group),
        **about,
        **_features(table, features, numbered),
    }


def _times(table, time, every, numbered, ranking, names, group):
    """Return the position of each ranking's time, and the times, if there is a column of them."""
    if time is None:
        return {}
    times, position = number_times(table["time"], time, every, numbered=numbered)
    return {"time": _one_per_ranking(position, ranking, names, time, group), "times": times}


def rated_entries(
    frame,
    agent,
    item,
    rating,
    weight,
    features,
    instance=None,
    fold_names=False,
    time=None,
    every=None,
    category=None,
):
    """Return what a table of ratings says: arguments of `Rankings._from_entries`."""
    columns = {"agent": agent, "item": item, "rating": rating, "weight": weight}
    columns |= {"instance": instance, "time": time, "category": category}
    require_every_with_time(time, every)
    if features is not None and rating in ([features] if isinstance(features, str) else features):
        raise ValueError(f"`features` must not hold `{rating}`, the rating to be explained.")
    table, numbered = _read(frame, columns, features)
    ratings = numbers_of(table["rating"])
    refuse(~np.isfinite(ratings), f"`{rating}` must hold finite ratings", ratings, numbered)
    agents, judge = number_labels(labels_of(table, "agent"))
    items, position, about = _items(table, fold_names)
    known = {"agent": (agents, judge)}
    if about:
        known["instance"] = about["instances"], about["instance"][position]
    if category is not None:
        known["category"] = number_labels(labels_of(table, "category"))
    if time is not None:
        known["time"] = number_times(table["time"], time, every, numbered=numbered)
    names, ranking, rankings = _rankings_of_agents(known)
    entries = {"ranking": ranking, "item": position, "level": -ratings, "ratings": ratings}
    described = _features(table, features, numbered)
    if described:
        entries["features"] = described.pop("features")
    weights = _weights(table, ranking, names, weight, agent, numbered)
    rankings |= {} if weight is None else {"weights": weights}
    few = np.bincount(ranking) < 2
    if few.any():
        _warn_of_single_items(few, names, len(known) > 1)
        entries = {name: values[~few[ranking]] for name, values in entries.items()}
        entries["ranking"] = (np.cumsum(~few) - 1)[entries["ranking"]]
        names = kept_labels(names, ~few)
        rankings = {name: values[~few] for name, values in rankings.items()}
    return {
        **entries,
        **rankings,
        "names": names,
        "times": known.get("time", (None,))[0],
        "categories": known.get("category", (None,))[0],
        "agents": agents,
        "items": items,
        "place": f"`{agent}`",
        "remedy": _how_to_drop(agent),
        "gaps": True,
        **about,
        **described,
    }


def _rankings_of_agents(known):
    """Return names of rankings, the ranking of each row, and what is known of each ranking.

    An agent has a ranking in each instance, of each category and at each time; ``known`` has the
    labels of these, and their positions in each row.
    """
    if len(known) == 1:
        agents, ranking = known["agent"]
        return list(agents), ranking, {"agent": np.arange(len(agents))}
    order = [role for role in ("instance", "time", "category", "agent") if role in known]
    _, first, ranking = np.unique(
        number_rows(*(known[role][1] for role in order)), return_index=True, return_inverse=True
    )
    found = {role: known[role][1][first] for role in order}
    spoken = [role for role in ("instance", "agent", "category", "time") if role in known]
    texts = [
        time_texts(labels) if role == "time" else [str(label) for label in labels]
        for role, labels in ((role, known[role][0]) for role in spoken)
    ]
    parts = zip(*(found[role].tolist() for role in spoken), strict=True)
    names = [" / ".join(map(list.__getitem__, texts, part)) for part in parts]
    require_distinct(names, spoken)
    found.pop("instance", None)  # which follows from the items
    return names, ranking, found


def _items(table, fold_names):
    """Return the items, the position of each row's item among them, and their instances."""
    labels = labels_of(table, "item")
    if fold_names:
        (labels,) = fold_spellings(labels)
    return number_items(labels, labels_of(table, "instance"))


def _warn_of_single_items(few, names, several):
    """Warn of rankings of one item, or raise if there are no others."""
    shown = name_places("ranking" if several else "agent", names, np.flatnonzero(few))
    if few.all():
        where = " in one ranking" if several else ""
        raise ValueError(
            f"No agent rated two items{where}, so there is nothing to rank by: {shown} rated one."
        )
    what = "rankings have" if several else "agents rated"
    warnings.warn(
        f"{few.sum():,} of {few.size:,} {what} one item only, which says nothing; they are left "
        f"out: {shown}. Their items and agents are kept, with nothing known of those that are in "
        "no other ranking.",
        stacklevel=4,
    )


def _require_one_instance(ranking, names, group, where, instances):
    """Refuse rankings with items of several instances."""
    key = np.unique(ranking * len(instances) + where)
    spread = np.bincount(key // len(instances))
    bad = np.flatnonzero(spread > 1)
    if bad.size:
        shown = []
        for k in bad[:5]:
            found = key[key // len(instances) == k] % len(instances)
            shown.append(f"{names[k]} is in {listing([instances[j] for j in found])}")
        more = f" and {bad.size - 5} more" if bad.size > 5 else ""
        raise ValueError(
            f"A ranking must lie in one instance, but `{group}` {'; '.join(shown)}{more}. Give the "
            "rankings of different instances different labels."
        )


def _read(frame, columns, features, optional=()):
    """Return the wanted columns in memory, and whether their rows can be numbered."""
    features = _feature_names(features)
    columns = columns | {f"feature {k}": name for k, name in enumerate(features)}
    require_columns(frame, columns)
    roles = ("group", "agent", "instance", "category", "item", "rank", "rating")
    seen = {}
    for role in [role for role in roles if role in columns]:
        name = columns[role]
        # The agent, the instance or the category may be what tells the rankings apart.
        if name in seen and not {role, seen[name]} <= {"group", "agent", "instance", "category"}:
            raise ValueError(f"`{seen[name]}` and `{role}` are the same column, `{name}`.")
        if name is not None:
            seen.setdefault(name, role)
    frame = select(frame, columns)
    present = [role for role, name in columns.items() if name is not None]
    labels = ("group", "agent", "instance", "item", "time", "category")
    require_numbers(frame, columns, [role for role in present if role not in labels])
    numbered = not isinstance(frame, nw.LazyFrame)
    table = collect(frame)
    require_rows(table, "ranking")
    needed = [role for role in present if role not in optional]
    advice = {}
    if "rank" in needed and np.isnan(numbers_of(table["rank"])).any():
        advice["advice"] = (
            "Drop these rows or fill them in first. If these items took part and came below those "
            f"with a rank (they retired), say {option('unranked', 'rows below')}; if all items "
            "were on offer everywhere and the rest came below (ballots), "
            f"{option('unranked', 'below')}."
        )
    require_present(table, table if numbered else frame, columns, needed, **advice)
    return table, numbered


def _feature_names(features):
    if isinstance(features, Mapping):
        how = "--feature COLUMN" if in_terminal() else 'features=["column", ...]'
        raise TypeError(
            "Features of rankings are columns with a value for each entry, without names of their "
            f"own or pairs of columns, as comparisons have: {how}."
        )
    names = [features] if isinstance(features, str) else list(features or ())
    twice = {str(name) for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"`features` has columns twice: {listing(sorted(twice))}.")
    return names


def _features(table, features, numbered):
    names = _feature_names(features)
    if not names:
        return {}
    values = np.empty((len(table), len(names)))
    for k, name in enumerate(names):
        values[:, k] = numbers_of(table[f"feature {k}"])
        bad = ~np.isfinite(values[:, k])
        refuse(bad, f"`{name}` must hold finite numbers", values[:, k], numbered)
    return {"features": values, "feature_names": [str(name) for name in names]}


def _weights(table, ranking, names, weight, group, numbered):
    if weight is None:
        return None
    values = numbers_of(table["weight"])
    good = np.isfinite(values) & (values > 0)
    refuse(~good, f"`{weight}` must hold finite, positive weights", values, numbered)
    return _one_per_ranking(values, ranking, names, weight, group)


def _one_per_ranking(values, ranking, names, column, group):
    """Return the value of each ranking, or say where rows of a ranking differ."""
    value = np.empty(len(names), values.dtype)
    value[ranking] = values
    bad = np.unique(ranking[value[ranking] != values])
    if bad.size:
        raise ValueError(
            f"`{column}` must be the same in all rows of a ranking; it differs in "
            f"{name_places(f'`{group}`', names, bad)}."
        )
    return value


def _how_to_drop(group):
    if in_terminal():
        return (
            f"Leave them out by --where, such as '{group} != ...'; or, if more was on offer and "
            f"came below, say {option('unranked', 'below')}."
        )
    return (
        "Drop such rankings first; in pandas: "
        f'`frame[frame.groupby("{group}")["{group}"].transform("size") > 1]`.'
    )
