"""The log-loss of each method on matches that it has not seen, and of the differences."""

import numpy as np
import pandas as pd

from bayesrank.progress import progress_bar
from benchmarks.moving.forecasts import DRIFTS, PEERS, ours
from benchmarks.moving.matches import football, simulated, tennis

__all__ = ["KINDS", "run"]

KINDS = ("walk", "mean-reverting", "constant")
NAMES = {"kickscore": "kickscore", "trueskillthroughtime": "TrueSkill Through Time"}


def run(quick):
    """Return a table of log-losses, and what the peers took, by the name of the matches."""
    problems = [simulated(True), simulated(False)] if quick else [football(), tennis()]
    tables, seconds = [], {}
    drifts = (1.0,) if quick else DRIFTS
    total = len(problems) * (len(KINDS) + len(PEERS) * len(drifts))
    with progress_bar("prediction", total) as advance:
        for matches in problems:
            found, constants = {}, None
            for kind in KINDS:
                found[f"ours, {kind}"], fit = ours(matches, kind)
                if kind == "walk":
                    posterior = fit.posterior
                    constants = {name: float(posterior[name].mean()) for name in ("scale", "drift")}
                advance()
            for name, peer in PEERS.items():
                tries = []
                for factor in drifts:
                    drift = factor * constants["drift"]
                    tries.append((*peer(matches, constants["scale"], drift), factor))
                    if factor == 1.0:
                        seconds[matches.name, name] = tries[-1][2], constants
                    advance()
                best = max(tries, key=lambda each: each[1])
                found[f"{NAMES[name]}, drift x {best[3]:g}"] = best[0]
            tables.append(_table(matches, found))
    return pd.concat(tables, ignore_index=True), seconds


def _table(matches, found):
    """Return a row for each method: its loss, and how much more it is than that of our walk."""
    mine, rows = -np.log(found["ours, walk"]), []
    for name, probabilities in found.items():
        loss = -np.log(probabilities)
        more = loss - mine
        error = more.std(ddof=1) / np.sqrt(len(more)) if name != "ours, walk" else 0.0
        rows.append(
            {
                "matches": matches.name, "of": len(loss), "method": name, "log-loss": loss.mean(),
                "more than ours": more.mean(), "standard error": error,
                "asked at most": matches.most if name == "ours, walk" else np.nan,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
