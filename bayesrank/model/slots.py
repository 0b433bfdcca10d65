"""What the slots of the data are made of: the same sum of terms for numbers, graphs and programs.

A slot is a row of comparisons, or an entry of a ranking. With x the difference of scores, or the
score, it has gain (x + slots) + shift; and where ties are results the logit of its tie rate is
that of the common rate plus tie_shift. Each of the four is the sum, or the product, of what terms
add.
"""

from typing import Any

import numpy as np

from bayesrank.kernels.posterior.operations import ODDS
from bayesrank.model.protocols import Program, Values
from bayesrank.model.terms.term import sum_of

__all__ = [
    "compile_odds",
    "compile_slots",
    "compile_tie_shifts",
    "gain_of",
    "has_tie_shift",
    "new_gain_of",
    "predictor_of",
    "tie_shift_of",
]


def has_tie_shift(terms: list[Any]) -> bool:
    """Return whether tie rates differ between slots."""
    return any(term.has_tie_shift for term in terms)


def gain_of(terms: list[Any], values: Values, maths: Any) -> Any:
    """Return what the slots are multiplied by, or None."""
    found = None
    for term in terms:
        gain = term.gain(values, maths)
        if gain is not None:
            found = gain if found is None else found * gain
    return found


def new_gain_of(terms: list[Any], values: Values) -> Any:
    """Return what new results are multiplied by, or None."""
    found = None
    for gain in (term.new_gain(values) for term in terms):
        if gain is not None:
            found = gain if found is None else found * gain
    return found


def tie_shift_of(terms: list[Any], values: Values, maths: Any) -> Any:
    """Return what is added to the logits of tie rates, or None."""
    return sum_of(term.tie_shift(values, maths) for term in terms)


def predictor_of(terms: list[Any], values: Values, maths: Any, x: Any, rows: Any = None) -> Any:
    """Return the slots, all or some rows of them, from what the scores make of these."""

    def of_rows(part: Any) -> Any:
        return part if rows is None or part is None or np.ndim(part) == 0 else part[rows]

    more = sum_of(of_rows(term.slots(values, maths)) for term in terms)
    x = x if more is None else x + more
    gain = of_rows(gain_of(terms, values, maths))
    x = x if gain is None else gain * x
    shift = sum_of(of_rows(term.shift(values, maths)) for term in terms)
    return x if shift is None else x + shift


def compile_slots(program: Program, terms: list[Any], score_to_slots: Any) -> None:
    """Add the operations that make the slots.

    ``score_to_slots`` adds what the scores make of a channel of the slots. The kernel has been set
    already, with the slots as its first input, and tie rates as its second where these differ.
    """
    inside = program.channel() if any(term.has_gain for term in terms) else 0
    score_to_slots(inside)
    for term in terms:
        term.compile_slots(program, inside)
    for term in terms:
        if term.has_gain:
            term.compile_gain(program, inside)
        term.compile_shift(program)


def compile_tie_shifts(program: Program, terms: list[Any], to: int) -> None:
    """Add the operations that shift the logits of tie rates, in a channel of the slots."""
    for term in terms:
        term.compile_tie_shift(program, to)


def compile_odds(program: Program, terms: list[Any]) -> None:
    """Add the operations that make each slot's tie rate, the kernel's second input."""
    logits = program.channel()
    compile_tie_shifts(program, terms, logits)
    program.operate_slots(ODDS, program.place("tie_rate"), 1, to=1, channel=logits)
