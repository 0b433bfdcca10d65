"""Words that messages, the terminal, the pictures and the page share."""

import math
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = [
    "at_the_terminal",
    "decimals",
    "in_terminal",
    "level",
    "listing",
    "models",
    "name",
    "option",
    "short",
]

_terminal = ContextVar("terminal", default=False)


@contextmanager
def at_the_terminal():
    """Let messages give advice in flags of the command line instead of Python's arguments."""
    token = _terminal.set(True)
    try:
        yield
    finally:
        _terminal.reset(token)


def in_terminal():
    """Return whether the reader of a message is at the command line."""
    return _terminal.get()


def option(argument, value):
    """Return how a reader says it: `unranked="below"` in Python, --unranked below at the terminal.

    A switch, whose value is true, is a flag alone.
    """
    if not in_terminal():
        return f"{argument}={_quotes(value)}"
    flag = f"--{argument.replace('_', '-')}"
    if value is True:
        return flag
    return f"{flag} {str(value).replace(' ', '-') or chr(34) * 2}"


def models(*names):
    """Return names of likelihoods as a reader writes them."""
    said = [name if in_terminal() else f'"{name}"' for name in names]
    text = " or ".join(filter(None, (", ".join(said[:-1]), said[-1])))
    return f"--model {text}" if in_terminal() else text


def _quotes(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


def level(prob):
    """Return a probability that was asked for, such as 95% or 99.9%, with all its digits."""
    return f"{100.0 * prob:.10g}%"


def decimals(p, digits=3):
    """Return a probability with so many decimals, rounded half up: 0.682 for 0.6815.

    So do the page and its sentences, whatever the last binary digit of a probability is.
    """
    return f"{math.floor(p * 10**digits + 0.51) / 10**digits:.{digits}f}"


def listing(labels, limit=5):
    """Return labels as a short enumeration; one that looks like two is set in quotes."""
    shown = ", ".join(_quoted(short(label)) for label in labels[:limit])
    rest = len(labels) - limit
    return f"{shown} and {rest} more" if rest > 0 else shown


def short(label):
    """Return a label as a text, cut where a file has made it absurdly long."""
    text = str(label)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _quoted(text):
    return f'"{text}"' if ", " in text else text


def name(label):
    """Return a label as a text; the parts of a tuple are set apart by strokes."""
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)
