"""One ranking of films from the ratings of many users.

Volkovs and Zemel, A flexible generative model for preference aggregation (WWW 2012), on
MovieLens-100K. The paper's fits are 100 gradient steps. Such steps give its Table 3. The optimum
does not: there Bradley-Terry and Plackett-Luce put films with one to four raters on top. Early
stopping avoids this by accident, and a prior on purpose (but not for the last films of
Plackett-Luce). So the study shows three fits side by side: 100 steps, the optimum (or a point near
it), and the posterior.

Posteriors are normal approximations at the mode. Their prior scale is the one that draws of the
scores have. Pairs of one user's ratings are not independent, so for a posterior they count with the
weight that `br.fit` gives to ratings under "mpm".

This is the part "films" of models.multinomial_preference.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import optimize, stats

import bayesrank as br
from bayesrank.consensus import probability_top
from models.multinomial_preference.film_measures import (
    CONSTANTS,
    CUTOFFS,
    IN_THE_MIDDLE,
    STAGES,
    gains,
    print_gains,
    print_variances,
    variance_table,
)
from models.multinomial_preference.film_ratings import films_of, movielens, simulated
from models.study import data_folder, few_links, gradient_steps, keep, markdown

__all__ = ["all_fits", "early", "listed", "optimum", "posterior", "run"]

# Sizes of the steps on the log-likelihood, times the number of pairs (for rankings, of stages), for
# 1 682 films. They were chosen to give the printed lists. MPM's size does not matter. For MPM with
# variances 21 sizes were tried: 25 to 50 give the printed bottom five, none also the top five.
RATES = {"Bradley-Terry": 1000, "Plackett-Luce": 150, "MPM": 25, "MPM with variances": 25}
WIDE = 10.0  # prior scale where the likelihood has no maximum
# Table 3, the beginnings of titles: the best first, the worst first. One of Plackett-Luce's first
# five films is not in the text that we have, and only the first two have a known place.
_MPM = (
    ["Star Wars", "Raiders of the Lost Ark", "Godfather, The", "Silence of the Lambs", "Shawshank"],
    ["Cable Guy", "Striptease", "Very Brady Sequel", "Jungle2Jungle", "Island of Dr. Moreau"],
)
PAPER = {
    "Bradley-Terry": (
        ["Pather Panchali", "Wallace & Gromit", "Casablanca", "Close Shave", "Rear Window"],
        ["Children of the Corn", "Lawnmower Man 2", "Free Willy 3", "Kazaam", "Best of the Best 3"],
    ),
    "Plackett-Luce": (
        ["Shawshank", "Wallace & Gromit", "Usual Suspects", "Star Wars"],
        ["Barb Wire", "Robocop 3", "Gone Fishin'", "Highlander III", "Ready to Wear"],
    ),
    "MPM": _MPM,
    "MPM with variances": _MPM,
}


# The three fits ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fitted:
    """Scores, with variances and posterior draws of the scores where there are any."""

    score: np.ndarray
    variance: np.ndarray | None = None
    draws: np.ndarray | None = None
    scale: float | None = None


def likelihood(name, films, weighted=False):
    """Return data, likelihood and options of a model."""
    pairs = films.weighted if weighted else films.pairs
    if name == "Bradley-Terry":
        return pairs, "bradley-terry", {}
    if name == "Plackett-Luce":
        return films.strict, "plackett-luce", {}
    # All users have the same adherence, so that their preferences can be added up.
    return pairs, "mpm", {"variances": name != "MPM", "weight": 1.0}


def early(name, films):
    """Return the paper's fit: 100 gradient steps on the log-likelihood from scores of zero."""
    data, kind, more = likelihood(name, films)
    flat = br.Specification(data, kind, scale=np.inf, **more)
    # The scores' coordinates are orthogonal, so steps in them are steps in the scores. With fewer
    # films each film has a larger share of the pairs and takes smaller steps.
    rate = RATES[name] / flat.observation.information * films.titles.size / 1682
    values = flat.constrain(gradient_steps(flat.objective, np.zeros(flat.size), rate))
    return Fitted(values["score"], values.get("variance"))


def _fit(*arguments, **options):
    with few_links():
        return br.fit(*arguments, **options)


def _fitted(fit, draws=False):
    variance = fit.posterior.get("variance")
    return Fitted(
        fit.scores().mean(axis=0),
        None if variance is None else np.exp(np.log(variance).mean(axis=(0, 1))),
        fit.scores() if draws else None,
        fit.specification.scale,
    )


def optimum(name, films):
    """Return the maximum of the likelihood, or a point near it.

    Only MPM without variances has a maximum. Films that never lost have no finite score in
    Bradley-Terry, and films that are always last have none in Plackett-Luce; these two models have
    a normal prior with a scale of 10. With variances the likelihood of all the pairs rises until
    some variances are zero; there the pairs have their weights, and the variances their prior.
    """
    data, kind, more = likelihood(name, films, weighted=name == "MPM with variances")
    scale = np.inf if name == "MPM" else WIDE
    return _fitted(_fit(data, kind, method="map", scale=scale, **more))


def posterior(name, films, seed=0, scale=None, draws=500):
    """Return a normal approximation of the posterior; a scale that is not given is learned."""
    data, kind, more = likelihood(name, films, weighted=True)
    fits = []

    def excess(log_scale):
        options = {"method": "laplace", "scale": float(np.exp(log_scale)), "seed": seed}
        fits.append(_fit(data, kind, draws=draws, chains=2, **options, **more))
        # Zero-sum scores have one free number less than there are films.
        square = np.square(fits[-1].scores()).sum(axis=1).mean() / (films.titles.size - 1)
        return 0.5 * np.log(square) - log_scale

    if scale is None:
        start = {"x0": np.log(0.6), "x1": np.log(0.9)}
        found = optimize.root_scalar(excess, method="secant", **start, xtol=0.05, maxiter=8)
        if not found.converged:
            raise RuntimeError(f"{name}: no prior scale was found in {found.iterations} fits.")
    else:
        excess(np.log(scale))
    return _fitted(fits[-1], draws=True)


def all_fits(films, seed=0):
    """Return the fits by model and stage, and print when each model is done."""
    fits = {}
    for name in RATES:
        fits[name, STAGES[0]] = early(name, films)
        fits[name, STAGES[1]] = optimum(name, films)
        # To learn the scale a second time would cost as much again. Variances are one half on
        # average, so the scale of MPM without variances fits.
        scale = fits["MPM", STAGES[2]].scale if name == "MPM with variances" else None
        found = fits[name, STAGES[2]] = posterior(name, films, seed, scale)
        print(f"{name}: fitted; prior scale of the posterior {found.scale:.2f}")
    return fits


def unordered(films, scale):
    """Return the mode of Plackett-Luce where the order of films with equal stars is unknown."""
    kind = "partitioned-plackett-luce"
    return _fitted(_fit(films.rankings, kind, method="map", scale=scale))


# Table 3: the first and the last five -----------------------------------------------------------


def listed(films, fits):
    """Return a row for each film among the first and last five of each fit."""
    rows = []
    for (name, stage), fit in fits.items():
        best = np.argsort(-fit.score, kind="stable")
        for end, order, paper, sign in zip(
            ("first", "last"), (best, best[::-1]), PAPER[name], (1.0, -1.0), strict=True
        ):
            among = None if fit.draws is None else probability_top(sign * fit.draws, 5)
            for place, k in enumerate(order[:5]):
                rows.append({
                    "model": name, "stage": stage, "end": end, "place": place + 1,
                    "film": films.titles[k], "raters": films.raters[k], "won": films.won[k],
                    "lost": films.lost[k],
                    "in paper": any(films.titles[k].startswith(start) for start in paper),
                    "probability": np.nan if among is None else among[k],
                })  # fmt: skip
    return pd.DataFrame(rows)


def print_lists(lists):
    """Print each model's lists: one column for the paper, one for each stage."""
    for name, own in lists.groupby("model", sort=False):
        shown = []
        for (end, place), row in own.groupby(["end", "place"], sort=False):
            paper = PAPER[name][end == "last"]
            cells = {"": f"{end} {place}", "paper": paper[place - 1] if place <= len(paper) else ""}
            for _, film in row.iterrows():
                sure = "" if np.isnan(film["probability"]) else f"; P {film['probability']:.2f}"
                counts = f"{film['raters']}, {film['won']}/{film['lost']}"
                cells[film["stage"]] = f"{film['film']} ({counts}{sure})"
            shown.append(cells)
        shared = own.groupby(["end", "stage"], sort=False)["in paper"].sum()
        for end, paper in zip(("first", "last"), PAPER[name], strict=True):
            found = {stage: f"{shared[end, stage]} of {len(paper)}" for stage in STAGES}
            shown.append({"": f"{end} five: in the paper's", "paper": ""} | found)
        print(f"\n{name}: film (raters, pairs won/lost; P of being among the five)\n")
        print(markdown(pd.DataFrame(shown)))


def open_ties(films, fit):
    """Return the lists of Plackett-Luce without an order of equal stars, and print them."""
    own = listed(films, {("Plackett-Luce", "mode, equal stars unordered"): fit})
    print("\nPlackett-Luce, posterior mode where the order of equal stars is unknown\n")
    print(markdown(own[["end", "place", "film", "raters", "won", "lost"]]))
    return own


# Results ----------------------------------------------------------------------------------------


def long_table(lists, found, variances):
    """Return all results as a table with one number per line."""
    wide = lists.assign(
        label=lists["end"] + " " + lists["place"].astype(str) + ": " + lists["film"]
    )
    kept = ["raters", "won", "lost", "in paper", "probability"]
    parts = [
        wide.melt(["model", "stage", "label"], kept, "quantity", "value").dropna(subset="value")
    ]
    rows = []
    for (name, stage, filling), values in found.items():
        for column, k in enumerate(CUTOFFS):
            error = values[:, column].std(ddof=1) / np.sqrt(len(values))
            rows.append(
                [name, stage, f"filled by {filling}", f"NDCG@{k}", values[:, column].mean()]
            )
            rows.append([name, stage, f"filled by {filling}", f"NDCG@{k} se", error])
    parts.append(pd.DataFrame(rows, columns=list(parts[0].columns)))
    for column in ("value", "se"):
        own = variances.assign(model="MPM with variances", label=variances["quantity"])
        own = own.assign(quantity=f"variance, {column}", value=own[column])
        parts.append(own[list(parts[0].columns)].dropna(subset="value"))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(value=table["value"].astype(float).round(5))


def picture(films, fits, found, lists):
    """Draw Figures 4 and 5, and how many raters the listed films have at each stage."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(13, 7.6), layout="constrained")
    colours = dict(zip(RATES, ("#d1741f", "#3a8a4d", "#1f5a94", "#8a4f9e"), strict=True))
    for ax, k in zip(axes[0], (1, 5, 10), strict=True):
        for name, colour in colours.items():
            for stage, style in (("100 steps", "-"), ("posterior", ":")):
                mean = [found[name, stage, c][:, k - 1].mean() for c in CONSTANTS]
                label = name if style == "-" else None
                ax.plot(CONSTANTS, mean, style, marker="o", ms=3, color=colour, label=label)
        ax.set(xlabel="missing ratings are", title=f"NDCG@{k} (dotted: posterior)")
    axes[0, 1].legend(frameon=False, fontsize=8, loc="upper left")
    fit = fits["MPM with variances", "100 steps"]
    place = stats.rankdata(-fit.score)
    style = {"s": 5, "alpha": 0.5, "color": colours["MPM with variances"], "linewidths": 0}
    axes[1, 0].scatter(films.raters, fit.variance, **style)
    axes[1, 0].set(xscale="log", yscale="log", xlabel="raters", ylabel="variance")
    axes[1, 1].scatter(place, fit.variance, **style)
    axes[1, 1].set(yscale="log", xlabel="place", ylabel="variance")
    for ax in axes[1, :2]:
        ax.set_title("MPM with variances, 100 steps")
    rows = [(name, stage) for name in RATES for stage in STAGES]
    for y, (name, stage) in enumerate(rows):
        own = lists[(lists["model"] == name) & (lists["stage"] == stage)]
        for end, marker, shift in (("first", "^", -0.15), ("last", "v", 0.15)):
            raters = own.loc[own["end"] == end, "raters"]
            axes[1, 2].plot(
                raters, np.full(raters.size, y + shift), marker, ms=4, color=colours[name]
            )
    axes[1, 2].set_yticks(range(len(rows)), [f"{a}, {b}" for a, b in rows], fontsize=7)
    axes[1, 2].invert_yaxis()
    axes[1, 2].set(xscale="log", xlabel="raters", title="First (▲) and last (▼) five films")
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
        ax.title.set_fontsize(10)
    return figure


def run(chosen):
    """Run this part and return the lists, NDCG by user, and the table of variances."""
    if chosen.quick:
        print("quick: 200 films and 100 users, simulated")
        films = films_of(*simulated(200, 100, 3000, chosen.seed))
    else:
        folder = data_folder("ml-100k")
        films = films_of(*(simulated(seed=chosen.seed) if folder is None else movielens(folder)))
    print(f"{films.titles.size} films, {len(films.rankings)} users, {films.raters.sum()} ratings")
    for title in IN_THE_MIDDLE:
        for k in np.flatnonzero(films.titles == title):
            print(f"{title}: {films.raters[k]} raters, {films.won[k]} won, {films.lost[k]} lost")
    fits = all_fits(films, chosen.seed)
    lists = listed(films, fits)
    print_lists(lists)
    if not chosen.quick:
        mode = unordered(films, fits["Plackett-Luce", "posterior"].scale)
        lists = pd.concat([lists, open_ties(films, mode)], ignore_index=True)
    found = gains(films, fits, chosen.seed)
    print_gains(found)
    variances = variance_table(films, fits, chosen.seed)
    print_variances(variances, chosen)
    table = long_table(lists, found, variances)
    figure = picture(films, fits, found, lists)
    keep(chosen, "multinomial_preference_films", table, figure)
    return lists, found, variances
