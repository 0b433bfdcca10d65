"""How good a ranking of films is for the users, and how variances depend on raters and places.

NDCG needs a rating of every film by every user. Missing ratings are a constant (Figure 4 of the
paper) or come from a factorisation (Table 2). The variances are those of Figure 5.
"""

import numpy as np
import pandas as pd
from scipy import stats

from bayesrank.metrics import ndcg
from models.multinomial_preference.rating_factors import best_penalty, completed, factorise
from models.study import markdown, with_error

__all__ = ["CONSTANTS", "CUTOFFS", "STAGES", "difference_table", "gains", "variance_table"]

STAGES = ("100 steps", "optimum", "posterior")
CUTOFFS = list(range(1, 11))
CONSTANTS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
# Films of the paper's text: liked by some and not by others, in the middle with little variance.
IN_THE_MIDDLE = ("Sabrina (1995)", "Mrs. Doubtfire (1993)", "Ghost (1990)")


# NDCG of completed ratings ------------------------------------------------------------------------


def gains(films, fits, seed=0):
    """Return NDCG by fit and filling: users by cutoffs, of the paper's Equation 15.

    The ranking was made from the same ratings, as in the paper.
    """
    user, film, stars = films.triples
    penalty, error = best_penalty(user, film, stars, films.shape, seed=seed)
    guess = factorise(user, film, stars, films.shape, penalty=penalty, seed=seed)
    print(f"\nfactors: penalty {penalty:g}, error {error:.3f} stars on a held out tenth")
    fillings = dict.fromkeys(CONSTANTS) | {"factors": np.clip(guess, 1.0, 5.0)}
    found = {}
    for filling, values in fillings.items():
        matrix = completed(user, film, stars, films.shape, filling if values is None else values)
        for key, fit in fits.items():
            score = np.broadcast_to(fit.score, matrix.shape)
            found[*key, filling] = ndcg(score, matrix, k=CUTOFFS)
    return found


def _mean(values):
    return with_error(values.mean(), values.std(ddof=1) / np.sqrt(values.size))


def print_gains(found):
    """Print NDCG for some fillings, then the differences that the paper makes claims about."""
    shown = []
    for name, stage, _ in [key for key in found if key[2] == "factors"]:
        cells = {"model": name, "stage": stage}
        for filling in (0.0, 2.0, 3.5, "factors"):
            for k in (1, 5, 10):
                cells[f"{filling}, @{k}"] = _mean(found[name, stage, filling][:, k - 1])
        shown.append(cells)
    print("\nNDCG of ratings filled in by a constant or by factors, mean ± se over users\n")
    print(markdown(pd.DataFrame(shown)))
    print("\nDifferences over users, in pairs; constants: of 8 at @1, @5 and @10, two se apart\n")
    print(markdown(difference_table(found)))


def difference_table(found):
    """Return MPM minus its rivals: for how many constants it is above or below, and by factors."""
    rows = []
    for stage in STAGES:
        for name, rival in (
            ("MPM", "Bradley-Terry"), ("MPM", "Plackett-Luce"),
            ("MPM with variances", "Plackett-Luce"), ("MPM with variances", "MPM"),
        ):  # fmt: skip
            apart = {
                filling: found[name, stage, filling] - found[rival, stage, filling]
                for filling in (*CONSTANTS, "factors")
            }
            z = np.array([_standardised(apart[c])[[0, 4, 9]] for c in CONSTANTS])
            row = {
                "difference": f"{name} - {rival}", "stage": stage,
                "constants: above": int((z > 2.0).sum()), "below": int((z < -2.0).sum()),
            }  # fmt: skip
            row |= {f"factors, @{k}": _mean(apart["factors"][:, k - 1]) for k in (1, 5, 10)}
            rows.append(row)
    return pd.DataFrame(rows)


def _standardised(values):
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return values.mean(axis=0) / np.maximum(error, 1e-300)


# Variances ---------------------------------------------------------------------------------------


def variance_table(films, fits, seed=0, repeats=500):
    """Return how variances depend on raters and places, with bootstrap errors over films.

    The first and the last tenth of the films are compared with the middle half.
    """
    rng = np.random.default_rng(seed)
    n, rows = films.titles.size, []
    for stage in STAGES:
        fit = fits["MPM with variances", stage]
        place = stats.rankdata(-fit.score) / n

        def numbers(chosen, fit=fit, place=place):
            at, log = place[chosen], np.log(fit.variance[chosen])
            middle = log[np.abs(at - 0.5) < 0.25].mean()
            return [
                stats.spearmanr(log, films.raters[chosen]).statistic,
                log[at <= 0.1].mean() - middle,
                log[at > 0.9].mean() - middle,
            ]

        drawn = [numbers(rng.integers(n, size=n)) for _ in range(repeats)]
        names = ("correlation with raters", "first tenth - middle", "last tenth - middle")
        for name, value, error in zip(
            names, numbers(np.arange(n)), np.std(drawn, axis=0, ddof=1), strict=True
        ):
            rows.append({"stage": stage, "quantity": name, "value": value, "se": error})
        for title in IN_THE_MIDDLE:
            for k in np.flatnonzero(films.titles == title):
                share = np.mean(fit.variance < fit.variance[k])
                rows.append({"stage": stage, "quantity": f"{title}: place / films",
                             "value": place[k], "se": np.nan})  # fmt: skip
                rows.append({"stage": stage, "quantity": f"{title}: films of less variance",
                             "value": share, "se": np.nan})  # fmt: skip
    return pd.DataFrame(rows)


def print_variances(table, chosen=None):
    """Print the correlation of variances with raters, and the variances at both ends."""
    cells = [
        f"{value:.3f}" if np.isnan(error) else with_error(value, error)
        for value, error in zip(table["value"], table["se"], strict=True)
    ]
    wide = table.assign(value=cells).pivot(index="quantity", columns="stage", values="value")
    wide = wide.loc[table["quantity"].unique(), list(STAGES)].reset_index()
    print("\nFigure 5: variances; rank correlation, and differences of their logarithms\n")
    print(markdown(wide, chosen))
