"""What a verdict says, and what it holds."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from bayesrank.consensus import ScoreDraws
from bayesrank.consensus.verdicts import Verdict
from bayesrank.text import at_the_terminal

ITEMS = ["a", "b", "c", "d"]
# In half of all draws a, b, c, d, in the others two neighbours change places.
IN_ORDER, LAST_TWO = [3.0, 2.0, 1.0, 0.0], [3.0, 2.0, 0.0, 1.0]
FIRST_TWO, MIDDLE = [2.0, 3.0, 1.0, 0.0], [3.0, 1.0, 2.0, 0.0]


def verdict(goal="best", prob=0.95, *, needed=None, unit="comparisons", items=ITEMS, **options):
    scores = np.array([IN_ORDER] * 10 + [LAST_TWO] * 2 + [FIRST_TWO] * 6 + [MIDDLE] * 2)
    index = pd.Index(items, name="item", tupleize_cols=False)
    options = {"k": None, "indifference": 0.0} | options
    return Verdict.of(scores, index, goal, prob, options["k"], options["indifference"],
                      needed, unit)  # fmt: skip


def test_a_verdict_is_true_or_false():
    assert not verdict() and verdict(prob=0.7)
    assert bool(verdict(prob=0.7)) is verdict(prob=0.7).decided is True
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict().decided = True


def test_what_it_holds():
    best = verdict(needed=lambda: (3.0, 20.0, np.inf))
    assert (best.goal, best.prob, best.choice) == ("best", 0.95, "a")
    assert best.probability == 0.7 and best.open["p_best"].to_dict() == {"a": 0.7, "b": 0.3}
    assert (best.more, best.interval) == (20.0, (3.0, np.inf))
    top = verdict("top", k=2)
    assert top.choice == ("a", "b") and top.probability == 0.9
    assert top.open["p_top"].to_dict() == {"b": 0.9, "c": 0.1}
    assert top.open["chosen"].to_dict() == {"b": True, "c": False}
    assert top.more is None and top.interval is None
    order = verdict("order")
    assert order.choice == ("a", "b", "c", "d") and order.probability == 0.5
    assert order.open.to_dict("list") == {
        "above": ["a", "b", "c"], "below": ["b", "c", "d"], "p_in_order": [0.7, 0.9, 0.9],
    }  # fmt: skip
    assert order.open.index.tolist() == [1, 2, 3]
    for decided in (verdict(prob=0.7), verdict("top", 0.9, k=2), verdict("order", 0.5)):
        assert decided.open.empty and decided.more == 0.0 and decided.interval == (0.0, 0.0)
        assert list(decided.open.columns)


def test_whoever_has_decided_is_not_asked_how_much_more_it_takes():
    def fails():
        raise AssertionError

    assert verdict(prob=0.7, needed=fails).decided


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (verdict(), "Not decided at 95% who is best: a, with probability 0.700; b may be."),
        (verdict(prob=0.7), "Decided at 70% who is best: a, with probability 0.700."),
        (verdict(prob=0.7, indifference=0.2),
         "Decided at 70% who is best, to within 0.2: a, with probability 0.700."),
        (verdict(indifference=1.0),
         "Decided at 95% who is best, to within 1: a, with probability above 0.999."),
        (verdict("top", k=2), "Not decided at 95% who the first 2 are: a and b, with probability "
         "0.900; open are b and c."),
        (verdict("top", k=1), "Not decided at 95% who is first: a, with probability 0.700; b may "
         "be."),
        (verdict("top", 0.9, k=2),
         "Decided at 90% who the first 2 are: a and b, with probability 0.900."),
        (verdict("order"), "Not decided at 95% in which order the items are: by their scores, "
         "with probability 0.500; 3 of 3 pairs of neighbours are open, most of all a and b."),
        (verdict("order", 0.5),
         "Decided at 50% in which order the items are: by their scores, with probability 0.500."),
        (dataclasses.replace(verdict(), probability=0.94996),
         "Not decided at 95% who is best: a, with probability just below 0.95; b may be."),
        (dataclasses.replace(verdict(), probability=0.0001),
         "Not decided at 95% who is best: a, with probability below 0.001; b may be."),
        (verdict(items=[("x", 1), "b, c", 3, "d"]),
         "Not decided at 95% who is best: x / 1, with probability 0.700; b, c may be."),
    ],
)  # fmt: skip
def test_sentences(found, said):
    assert found.sentence == said == str(found) and repr(found) == f"Verdict: {said}"


@pytest.mark.parametrize(
    ("quantiles", "said"),
    [
        ((91.0, 237.0, 904.0),
         "About 240 more comparisons like these would settle it (91 to 900)."),
        ((1.0, 1.0, 23_456.0),
         "About 1 more comparison like these would settle it (1 to 23,000)."),
        ((91.0, 237.0, np.inf), "About 240 more comparisons like these would settle it (at least "
         "91, perhaps without end)."),
        ((91.0, np.inf, np.inf), "It may never be decided, as scores may be equal; give an "
         "indifference width, such as indifference=0.1."),
        (None, ""),
    ],
)  # fmt: skip
def test_how_many_more_in_words(quantiles, said):
    found = verdict(needed=lambda: quantiles)
    assert found.outlook() == said and found.sentence.endswith(f"b may be. {said}".strip())


def test_advice_is_for_the_interface_of_the_reader():
    never = (np.inf, np.inf, np.inf)
    found = verdict(needed=lambda: never)
    with at_the_terminal():
        assert found.sentence.endswith("such as --indifference 0.1.")
    assert found.outlook(advice=False) == "It may never be decided, as scores may be equal."
    found = verdict(indifference=0.1, needed=lambda: never, unit="rankings")
    assert found.sentence.endswith("b may be. Rankings like these may never settle it.")


def test_many_names_are_cut_short():
    rng = np.random.default_rng(1)
    names = [f"item {k}" for k in range(30)]
    draws = ScoreDraws(rng.normal(np.linspace(1.0, 0.0, 30), 1.0, size=(2000, 30)), names)
    best, top = draws.decided("best"), draws.decided("top", k=12)
    others = [item for item in best.open.index if item != best.choice]
    said = f"; {', '.join(others[:4])} or {len(others) - 4} more may be."
    assert len(others) > 5 and best.sentence.endswith(said)
    assert f"{', '.join(top.choice[:9])} and 3 more, with" in top.sentence


def test_two_items_in_order():
    draws = ScoreDraws(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), ["a", "b"])
    assert draws.decided("order").sentence.endswith("0.667; the only pair is open.")
    assert draws.decided("order").choice == ("a", "b")


def test_draws_from_anywhere_are_asked_with_care():
    draws = ScoreDraws(np.random.default_rng(1).normal(size=(100, 3)), ["a", "b", "c"])
    assert draws.decided("best", 0.2) and draws.decided("best").more is None
    with pytest.raises(ValueError, match="`k` must be a whole number from 1 to the number of item"):
        draws.decided("top", k=4)
    with pytest.raises(ValueError, match="`prob` must be between 0 and 1"):
        draws.decided("best", 95)
