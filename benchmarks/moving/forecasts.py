"""What each method says of the matches of the next season, from those before alone.

Every method predicts each match at its own date, frozen where the season starts, with the home
advantage where there is one. Whoever was never seen comes from the prior. How far scores are apart
and move is found from the past alone: ours by the evidence, the peers' by their own evidence over a
grid around ours.
"""

import time
import warnings
from importlib.util import find_spec

import numpy as np
import pandas as pd

import bayesrank as br

__all__ = ["PEERS", "kickscore", "ours", "through_time", "years_since"]

HOME = "the home advantage"
OUTCOMES = ("left", "right", "tie")
# Of the constants that we learned: drift, and for another scale of noise also the spread.
DRIFTS = (0.7, 1.0, 1.4)
YEAR = 365.25


def years_since(dates, first):
    """Return the years from a first date on, as numbers."""
    return ((dates - first) / pd.Timedelta(days=YEAR)).to_numpy()


def ours(matches, scores="walk", draws=1000, method="laplace"):
    """Return the probabilities of what happened, and the fit.

    Parameters
    ----------
    matches : Matches
    scores : "walk", "mean-reverting" or "constant"
    draws : int
        Over which probabilities are averaged.
    method : "laplace" or "nuts"
    """
    with warnings.catch_warnings():
        # Players of one match are told of, and here are many.
        warnings.filterwarnings("ignore", message="The data do not link")
        fit = br.fit(
            matches.observed(), matches.likelihood, scores=scores, order_effect=matches.home,
            method=method, draws=draws, seed=1, progress=False,
        )  # fmt: skip
    left, right = _scores_at(fit, matches.future, scores != "constant")
    rows = len(matches.future)
    observation, place = fit.specification.observation, np.arange(rows)
    mean = np.zeros((rows, 3))
    for draw in range(len(left)):
        values = fit.values(draw) | {"score": np.concatenate([left[draw], right[draw]])}
        for k in range(3 if matches.ties else 2):
            mean[:, k] += observation.pair_probability(
                values, k, place, rows + place, neutral=not matches.home
            )
    return _of_what_happened(mean / len(left), matches.future), fit


def _scores_at(fit, future, moving):
    """Return draws of both sides' scores at the matches' dates; newcomers come from the prior."""
    rng = np.random.default_rng(2)
    draws = fit.shape[0] * fit.shape[1]
    scale = np.asarray(fit.posterior["scale"]).reshape(draws, 1)
    place = {item: k for k, item in enumerate(fit.specification.data.items)}
    new = [item for item in pd.unique(future[["left", "right"]].to_numpy().ravel())
           if item not in place]  # fmt: skip
    place |= {item: len(place) + k for k, item in enumerate(new)}
    newcomers = scale * rng.standard_normal((draws, len(new)))
    sides = [np.empty((draws, len(future))) for _ in range(2)]
    for date, rows in future.reset_index(drop=True).groupby("date"):
        known = np.empty((draws, len(place) - len(new)))
        if moving:
            moment = fit._moments.at(date, window=None)
            known[:, moment.items] = moment.scores + moment.level
        else:
            known[:] = fit.scores()
        scores = np.concatenate([known, newcomers], axis=1)
        for side, name in zip(sides, ("left", "right"), strict=True):
            side[:, rows.index] = scores[:, [place[item] for item in rows[name]]]
    return sides


def _of_what_happened(probabilities, future):
    column = future["outcome"].map(OUTCOMES.index).to_numpy()
    return probabilities[np.arange(len(future)), column]


def kickscore(matches, scale, drift, home_scale=1.0):
    """Return the probabilities of what happened, its log-evidence and its seconds to fit."""
    import kickscore as ks

    first = matches.past["date"].min()
    margin = np.log((1.0 + matches.ties) / (1.0 - matches.ties))
    if matches.ties:
        model = ks.TernaryModel(margin=margin, obs_type="logit")
    else:
        model = ks.BinaryModel(obs_type="logit")
    if matches.home:
        model.add_item(HOME, kernel=ks.kernel.Constant(var=home_scale**2))

    def add(item, start):
        # From the very start its matrices would be singular.
        steps = ks.kernel.Wiener(var=drift**2, t0=start - 7.0 / YEAR)
        model.add_item(item, kernel=ks.kernel.Constant(var=scale**2) + steps)

    def side(item):
        return [item, HOME] if matches.home else [item]

    past = matches.past.sort_values("date", kind="stable")
    for left, right, outcome, year in _rows(past, first):
        for item in (left, right):
            if item not in model.item:
                add(item, year)
        sides = (side(left), [right])
        if outcome == "right":
            sides = sides[::-1]
        more = {"tie": outcome == "tie"} if matches.ties else {}
        model.observe(*sides, t=year, **more)
    start = time.perf_counter()
    model.fit()
    seconds = time.perf_counter() - start
    found = []
    for left, right, outcome, year in _rows(matches.future, first):
        for item in (left, right):
            if item not in model.item:
                add(item, year)
                model.item[item].fitter.fit()
        p = model.probabilities(side(left), [right], t=year)
        p = dict(zip(("left", "tie", "right") if matches.ties else ("left", "right"), p,
                     strict=True))  # fmt: skip
        found.append(p[outcome])
    return np.array(found), model.log_likelihood, seconds


def through_time(matches, scale, drift, home_scale=1.0):
    """Return the probabilities of what happened, its log-evidence and its seconds to converge.

    Its noise is normal with a standard deviation of one on each side; ours is logistic.
    """
    import trueskillthroughtime as ttt

    unit = np.sqrt(2.0) / (np.pi / np.sqrt(3.0))
    sigma, gamma = scale * unit, drift * unit / np.sqrt(YEAR)
    home = ttt.Player(ttt.Gaussian(0.0, home_scale * unit), beta=0.0, gamma=0.0)
    first = matches.past["date"].min()
    past = matches.past.sort_values("date", kind="stable")
    result = {"left": [1, 0], "right": [0, 1], "tie": [0, 0]}
    games, results, days = [], [], []
    for left, right, outcome, year in _rows(past, first):
        games.append([[left, HOME], [right]] if matches.home else [[left], [right]])
        results.append(result[outcome])
        days.append(round(year * YEAR))
    history = ttt.History(
        games, results, days, {HOME: home}, sigma=sigma, beta=1.0, gamma=gamma, p_draw=matches.ties
    )
    start = time.perf_counter()
    history.convergence(epsilon=0.01, iterations=30, verbose=False)
    seconds = time.perf_counter() - start
    curves = history.learning_curves()

    def at(item, day):
        before, found = curves.get(item, [(day, ttt.Gaussian(0.0, sigma))])[-1]
        spread = np.sqrt(found.sigma**2 + gamma**2 * (day - before))
        return ttt.Player(ttt.Gaussian(found.mu, spread), 1.0, 0.0)

    found = []
    for left, right, outcome, year in _rows(matches.future, first):
        day = round(year * YEAR)
        team = [at(left, day)]
        if matches.home:
            team.append(ttt.Player(curves[HOME][-1][1], 0.0, 0.0))
        game = ttt.Game([team, [at(right, day)]], result[outcome], matches.ties)
        found.append(game.evidence)
    return np.array(found), history.log_evidence(), seconds


def _rows(table, first):
    years = years_since(table["date"], first)
    return zip(table["left"], table["right"], table["outcome"], years, strict=True)


PEERS = {
    name: peer
    for name, peer in (("kickscore", kickscore), ("trueskillthroughtime", through_time))
    if find_spec(name)
}
