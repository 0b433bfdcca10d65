"""New results in a fit."""

from bayesrank.results.parts import FitPart

__all__ = ["Updates"]


class Updates(FitPart):
    """New results in a fit."""
