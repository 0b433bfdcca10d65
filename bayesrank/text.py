"""Words that messages, the terminal, the pictures and the page share."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from unicodedata import category

__all__ = [
    "argument",
    "at_the_terminal",
    "decimals",
    "either",
    "in_terminal",
    "level",
    "listing",
    "models",
    "name",
    "option",
    "plain",
    "short",
    "spreadsheet_text",
]

# A spreadsheet runs a text that starts like this as a formula, whatever spaces come before. The
# last four are the wide signs of East Asian keyboards, which some spreadsheets read as the narrow.
_FORMULA = re.compile(r"[\s\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")

_terminal = ContextVar("terminal", default=False)


@contextmanager
def at_the_terminal() -> Iterator[None]:
    """Let messages give advice in flags of the command line instead of Python's arguments."""
    token = _terminal.set(True)
    try:
        yield
    finally:
        _terminal.reset(token)


def in_terminal() -> bool:
    """Return whether the reader of a message is at the command line."""
    return _terminal.get()


def argument(name: str) -> str:
    """Return what a reader calls an argument: `every` in Python, --every at the terminal."""
    return f"--{name.replace('_', '-')}" if in_terminal() else f"`{name}`"


def option(argument: str, value: Any) -> str:
    """Return how a reader says it: `unranked="below"` in Python, --unranked below at the terminal.

    A switch, whose value is true, is a flag alone.
    """
    if not in_terminal():
        return f"{argument}={_quotes(value)}"
    flag = f"--{argument.replace('_', '-')}"
    if value is True:
        return flag
    return f"{flag} {str(value).replace(' ', '-') or chr(34) * 2}"


def models(*names: str) -> str:
    """Return names of likelihoods as a reader writes them."""
    text = either([name if in_terminal() else f'"{name}"' for name in names])
    return f"--model {text}" if in_terminal() else text


def either(names: Sequence[str]) -> str:
    """Return names as a choice: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _quotes(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def level(prob: float) -> str:
    """Return a probability that was asked for, such as 95% or 99.9%, with all its digits."""
    return f"{100.0 * prob:.10g}%"


def decimals(p: float, digits: int = 3) -> str:
    """Return a probability with so many decimals, rounded half up: 0.682 for 0.6815.

    So do the page and its sentences, whatever the last binary digit of a probability is.
    """
    return f"{math.floor(p * 10**digits + 0.51) / 10**digits:.{digits}f}"


def listing(labels: Sequence[Any], limit: int = 5) -> str:
    """Return labels as a short enumeration; one that looks like two is set in quotes."""
    shown = ", ".join(_quoted(short(label)) for label in labels[:limit])
    rest = len(labels) - limit
    return f"{shown} and {rest} more" if rest > 0 else shown


def short(label: Any) -> str:
    """Return a label as a text, cut where a file has made it absurdly long."""
    text = str(label)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _quoted(text: str) -> str:
    return f'"{text}"' if ", " in text else text


def name(label: Any) -> str:
    """Return a label as a text; the parts of a tuple are set apart by strokes."""
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def plain(label: Any) -> str:
    """Return a label without control characters, which could move the cursor of a terminal."""
    return "".join("?" if category(letter) == "Cc" else letter for letter in name(label))


def spreadsheet_text(text: str) -> str:
    """Return a text for a CSV file, with an apostrophe before one that would run as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text
