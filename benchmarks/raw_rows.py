"""A frame of a million raw rows to a ranking: against evalica, choix and arena-rank."""

from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.data import Comparisons
from bayesrank.progress import progress_bar
from benchmarks.lines import compare, take_turns, versions

__all__ = ["installed", "our_mode", "raw_frame", "require_same_scores", "run"]

ITEMS = 150
ROWS = {True: 20_000, False: 1_000_000}  # in quick runs, and in full ones


def raw_frame(rows, items=ITEMS, seed=0):
    """Return rows of left, right and outcome, all texts, drawn from a Davidson model."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, items, rows)
    right = (left + 1 + rng.integers(0, items - 1, rows)) % items
    score = rng.normal(size=items)
    half = (score[left] - score[right]) / 2.0
    # The largest of weight over exponential noise: a draw in proportion to the weights.
    weights = np.stack([np.exp(half), np.exp(-half), np.full(rows, 0.7)])
    outcome = np.argmax(weights / rng.exponential(size=(3, rows)), axis=0)
    labels = np.array([f"model-{k:03d}" for k in range(items)])
    return pd.DataFrame(
        {
            "left": labels[left],
            "right": labels[right],
            "outcome": np.array(["left", "right", "tie"])[outcome],
        }
    )


def run(quick):
    """Return lines for point estimates, and for rankings with intervals."""
    rounds, frame = (2 if quick else 7), raw_frame(ROWS[quick])
    with progress_bar("raw_rows", 3 * (rounds + 1)) as advance:
        return [*modes(frame, rounds, advance), *intervals(frame, rounds, advance)]


# Point estimates ---------------------------------------------------------------------------------


def our_mode(frame, **about):
    """Return the mode of the Davidson model, from raw rows; others learn no prior scale either."""
    about = {"method": "map", "scale": 1.0, "progress": False} | about
    return br.fit(Comparisons.from_frame(frame), "davidson", **about)


def modes(frame, rounds, advance):
    """Return lines of the Davidson mode against evalica's `newman` and choix's `opt_pairwise`."""
    lines, rows, few = [], len(frame), len(frame) // 10
    words = f"{rows:,} rows of text to a Davidson mode"
    if installed("evalica"):
        forms = newman(frame)
        own = our_mode(frame, scale=np.inf)
        for name, task in forms.items():
            require_same_scores(f"newman, {name}", own, np.log(task().scores.sort_index()))
        times = take_turns({"ours": lambda: (our_mode(frame), advance())} | forms, rounds)
        lines += [
            compare("raw_rows", words, f"{versions('evalica')} newman, {name}", times["ours"],
                    times[name], asked=3.0,
                    note="the same model, without our prior; its outcomes are made beforehand")
            for name in forms
        ]  # fmt: skip
    if installed("choix"):
        games = wins(frame.head(few))
        theirs = opt_pairwise(games)
        own = br.fit(
            Comparisons.from_frame(games), "bradley-terry", method="map", scale=1.0, progress=False
        )
        require_same_scores("opt_pairwise", own, theirs())
        times = take_turns({"ours": lambda: (our_mode(frame), advance()), "theirs": theirs}, rounds)
        lines.append(
            compare("raw_rows", f"{words}, by row", f"{versions('choix')} opt_pairwise",
                    times["ours"] / rows, times["theirs"] / few, asked=100.0,
                    note=f"Bradley-Terry with our prior, as it has no ties: of {few:,} rows, in "
                    "which a random side wins a tie and labels are numbers beforehand")
        )  # fmt: skip
    return lines


def newman(frame):
    """Return evalica's tasks: called as its documentation does, and in the fastest way we know."""
    import evalica

    names = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    winners = frame["outcome"].map(names)
    listed = winners.tolist()

    def by_hand():
        # It would go through all labels one by one to find out which there are.
        index = pd.Index(pd.concat([frame["left"], frame["right"]]).unique())
        return _converged(evalica.newman(frame["left"], frame["right"], listed, index=index))

    return {
        "as documented": lambda: _converged(evalica.newman(frame["left"], frame["right"], winners)),
        "index by hand": by_hand,
    }


def _converged(found):
    assert found.iterations < found.limit, f"newman stopped after {found.iterations} steps"
    return found


def wins(frame):
    """Return the rows with each tie made the win of a random side."""
    side = np.random.default_rng(1).choice(["left", "right"], len(frame))
    return frame.assign(outcome=frame["outcome"].where(frame["outcome"] != "tie", side))


def opt_pairwise(frame):
    """Return choix's task, of rows without ties; items are numbered in the order of labels."""
    import choix

    codes = pd.factorize(pd.concat([frame["left"], frame["right"]]), sort=True)[0]
    left, right = codes[: len(frame)], codes[len(frame) :]
    won = (frame["outcome"] == "left").to_numpy()
    winner, loser = np.where(won, left, right), np.where(won, right, left)
    games = list(zip(winner.tolist(), loser.tolist(), strict=True))
    # Its penalty is alpha times the sum of squares: a standard normal prior.
    return lambda: choix.opt_pairwise(codes.max() + 1, games, alpha=0.5)


# Rankings with intervals -------------------------------------------------------------------------


def halved(frame):
    """Return the comparisons with each tie as half a win for either side."""
    data = Comparisons.from_frame(frame)
    half = data.counts[:, 2:] / 2.0
    return replace(data, counts=np.hstack([data.counts[:, :2] + half, np.zeros_like(half)]))


def flat(data, method):
    """Return the fit of a Bradley-Terry model without a prior."""
    about = {"scale": np.inf, "seed": 1, "progress": False}
    return br.fit(data, "bradley-terry", method=method, **about)


def intervals(frame, rounds, advance):
    """Return the line of Laplace's intervals against arena-rank's closed-form ones."""
    if not installed("arena-rank"):
        return []
    with compiled_once():
        theirs = sandwich(frame)
        found = theirs()
        # Its labels are sorted, as ours are; it stops where the likelihood hardly rises.
        score = found["ratings"] * np.log(10.0) / 400.0
        require_same_scores("arena-rank", flat(halved(frame), "map"), score)
        times = take_turns(
            {"ours": lambda: (flat(halved(frame), "laplace").ranking(), advance()),
             "theirs": theirs},
            rounds,
        )  # fmt: skip
    return [
        compare("raw_rows", f"{len(frame):,} rows of text to a ranking with intervals",
                f"{versions('arena-rank', 'jax')} sandwich", times["ours"], times["theirs"],
                asked=2.0, note="Bradley-Terry by maximum likelihood, a tie is half a win; it "
                "takes compiled code from JAX's cache, without which it compiles at every call")
    ]  # fmt: skip


def sandwich(frame):
    """Return arena-rank's task: ratings, and intervals by its sandwich estimator."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    values = {"left": 1.0, "right": 0.0, "tie": 0.5}

    def task():
        data = PairDataset.from_pandas(frame, ["left", "right"], "outcome", values)
        found = BradleyTerry(len(data.competitors)).compute_ratings_and_cis(data)
        # As arrays, since JAX returns before it has computed.
        return {name: np.asarray(column) for name, column in found.items()}

    return task


@contextmanager
def compiled_once():
    """Let JAX keep what it compiles in a folder, for as long as this lasts.

    arena-rank makes a new function of each data set, so that JAX compiles it at each call although
    the last one was the same.
    """
    import jax
    from jax.experimental.compilation_cache import compilation_cache

    names = (
        "jax_compilation_cache_dir", "jax_persistent_cache_min_compile_time_secs",
        "jax_persistent_cache_min_entry_size_bytes",
    )  # fmt: skip
    before = {name: getattr(jax.config, name) for name in names}
    with TemporaryDirectory() as folder:
        try:
            for name, value in zip(names, (folder, 0.0, -1), strict=True):
                jax.config.update(name, value)
            compilation_cache.reset_cache()  # which may have been found off before
            yield
        finally:
            for name, value in before.items():
                jax.config.update(name, value)
            compilation_cache.reset_cache()


# What must agree ---------------------------------------------------------------------------------


def installed(package):
    """Return whether a package is there."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def require_same_scores(name, fit, score):
    """Refuse scores of a peer that are not a fit's own, up to a shift."""
    mine, score = fit.scores()[0], np.asarray(score)
    gap = np.abs(mine - mine.mean() - (score - score.mean())).max()
    assert gap < 1e-3, f"{name}: scores differ by up to {gap:.2g}"
