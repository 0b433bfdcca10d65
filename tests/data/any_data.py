"""Any games and any ballots, for tests of what holds for all data."""

import itertools

from hypothesis import strategies as st

from tests.odd_names import names


@st.composite
def games(draw, label=None):
    """Return rows of left, right and who won: 1, -1 or 0."""
    label = draw(st.sampled_from([names(), st.integers(-5, 5)])) if label is None else label
    items = draw(st.lists(label, min_size=2, max_size=5, unique_by=str))
    pair = st.permutations(items).map(lambda order: order[:2])
    row = st.tuples(pair, st.sampled_from([1, -1, 0])).map(lambda found: (*found[0], found[1]))
    return draw(st.lists(row, min_size=1, max_size=12))


@st.composite
def ballots(draw, label=None, unranked=True):
    """Return items and rankings of some of them, lists of blocks, the best first."""
    items = draw(st.lists(names() if label is None else label, min_size=2, max_size=5, unique=True))
    rankings = []
    for _ in range(draw(st.integers(1, 6))):
        least = 1 if unranked else 2
        chosen = draw(st.lists(st.sampled_from(items), min_size=least, unique=True))
        cuts = draw(st.sets(st.integers(1, len(chosen) - 1))) if len(chosen) > 1 else ()
        ends = [0, *sorted(cuts), len(chosen)]
        rankings.append([chosen[a:b] for a, b in itertools.pairwise(ends)])
    return items, rankings
