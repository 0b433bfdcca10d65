"""Ways to choose what to ask next: at random, in turn, as ASAP does, and as a fit suggests.

A strategy is a function of a `Session` and a number of questions, which returns sets of positions
of items, one row each.
"""

import numpy as np

from bayesrank.calibration.designs import even_sets, random_sets
from benchmarks.asking.asap import Posterior, sets_of_tree, tree

__all__ = ["BLIND", "STRATEGIES"]


def at_random(session, n):
    """Ask about random sets."""
    return random_sets(len(session.items), session.size, n, session.rng)


def in_turn(session, n):
    """Ask about all pairs in turn, or about sets in which all items occur equally often."""
    ready = session.memory.get("in turn", np.empty((0, session.size), dtype=int))
    if len(ready) < n:
        items = len(session.items)
        turn = items * (items - 1) if session.size == 2 else 2 * items
        more = even_sets(items, session.size, max(n, turn), session.rng)
        ready = np.concatenate([ready, more])
    session.memory["in turn"] = ready[n:]
    return ready[:n]


def asap(session, n):
    """Ask as ASAP does."""
    gains = Posterior(session.wins()).gains()
    if session.size > 2:
        return sets_of_tree(gains, session.size, n, session.rng)
    pairs = tree(gains, session.rng)
    while len(pairs) < n:
        pairs = np.concatenate([pairs, pairs])
    return pairs[:n]


def suggested(goal):
    """Return the strategy that asks what a fit suggests for a goal."""

    def ask(session, n):
        about = {} if session.size == 2 else {"size": session.size}
        seed = int(session.rng.integers(2**32))
        table = session.fit().suggest(n, goal=goal, seed=seed, **about)
        place = {label: k for k, label in enumerate(session.items)}
        sets = table[["left", "right"]].to_numpy() if session.size == 2 else table["items"]
        return np.array([[place[label] for label in row] for row in sets])

    return ask


STRATEGIES = {
    "random": at_random,
    "round robin": in_turn,
    "ASAP": asap,
    "suggest order": suggested("order"),
    "suggest best": suggested("best"),
}
# They do not look at what was answered, so that they may be asked for many at once.
BLIND = ("random", "round robin")
