"""Names of items, agents and features as matplotlib is to write them."""

import numpy as np

from bayesrank.data.labels import map_positions
from bayesrank.text import name

__all__ = ["places_of", "shown"]


def shown(label, longest=32):
    """Return a label on one line, shortened, and drawn literally whatever it holds.

    Of a long name both ends are kept, because names often differ at their ends only.
    """
    text = " ".join(name(label).split())
    text = "".join(letter for letter in text if letter.isprintable())
    if len(text) > longest:
        end = longest // 3
        text = f"{text[: longest - end - 1].rstrip()}…{text[-end:].lstrip()}"
    # Two dollars would be the ends of a formula; outside of one all other letters are plain.
    return text.replace("$", r"\$")


def places_of(wanted, labels):
    """Return where the wanted labels are; pandas would take labels that are tuples apart."""
    position = map_positions(labels)
    return np.array([position[label] for label in wanted])
