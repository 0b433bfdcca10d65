"""Whether enough is known, and how much more it takes."""

from bayesrank.results.parts import FitPart

__all__ = ["Stopping"]


class Stopping(FitPart):
    """Whether enough is known, and how much more it takes."""
