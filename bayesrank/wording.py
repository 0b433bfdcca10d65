"""Words that messages, the terminal, the pictures and the page share."""

__all__ = ["level", "listing", "name", "short"]


def level(prob):
    """Return a probability that was asked for, such as 95% or 99.9%, with all its digits."""
    return f"{100.0 * prob:.10g}%"


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
