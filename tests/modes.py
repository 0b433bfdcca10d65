"""How the tests compile graphs where the linker is not what they are about."""

from pytensor.compile.mode import Mode

__all__ = ["AS_WRITTEN", "FAST"]

# Without rewrites, which take most of the time; where linkers or shapes are tested they are on.
AS_WRITTEN = Mode("py", optimizer=None)
# Random variables must be rewritten before they can be drawn.
FAST = "FAST_COMPILE"
