"""What to compare next."""

from bayesrank.results.parts import FitPart

__all__ = ["Suggestions"]


class Suggestions(FitPart):
    """What to compare next."""
