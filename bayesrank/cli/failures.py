"""What went wrong in one part of the work while the other parts went on."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["EXPECTED", "Failures", "sentence"]

# What is said in a sentence; anything else is a fault of the program, and is shown whole.
EXPECTED = (ValueError, TypeError, OSError, ImportError, MemoryError)


def sentence(error: BaseException) -> str:
    """Return an error's text in one line, whatever raised it."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return " ".join(f"{error.filename}: {error.strerror}.".split())
    return " ".join(str(error).split()) or type(error).__name__


class Failures:
    """Errors that are kept until the end, so that nothing else is lost by them."""

    def __init__(self) -> None:
        self._errors: list[tuple[str, Exception]] = []

    @contextmanager
    def kept(self, what: str = "") -> Iterator[None]:
        """Keep an error that is raised inside; ``what`` says of what it is."""
        try:
            yield
        except Exception as error:
            self._errors.append((what, error))

    def sentences(self) -> list[str]:
        """Return a sentence for each error that may be expected."""
        return [_told(what, error) for what, error in self._errors if isinstance(error, EXPECTED)]

    def raise_others(self) -> None:
        """Raise the first error that nobody expects."""
        for _, error in self._errors:
            if not isinstance(error, EXPECTED):
                raise error


def _told(what: str, error: Exception) -> str:
    if not what:
        return sentence(error)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else sentence(error)
    return " ".join(f"{what}: {reason.rstrip('.')}.".split())
