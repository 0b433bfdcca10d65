"""What went wrong in one part of the work while the other parts went on."""

from dataclasses import dataclass

__all__ = ["EXPECTED", "Failures", "sentence"]

# What is said in a sentence; anything else is a fault of the program, and is shown whole.
EXPECTED = (ValueError, TypeError, OSError, ImportError, MemoryError)


def sentence(error: BaseException) -> str:
    """Return an error's text in one line, whatever raised it."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return " ".join(f"{error.filename}: {error.strerror}.".split())
    return " ".join(str(error).split()) or type(error).__name__


class Failures:
    """What went wrong, kept until the end, so that nothing else is lost by it.

    Attributes
    ----------
    sentences : list of str
        One for each error that may be expected. The errors themselves are let go, as they hold on
        to all that was in use where they were raised.
    others : list of Exception
        Errors that nobody expects.
    """

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.others: list[Exception] = []

    def kept(self, what: str = "") -> "_Kept":
        """Keep an error that is raised inside of this context; ``what`` says of what it is."""
        return _Kept(self, what)

    def raise_others(self) -> None:
        """Raise the first error that nobody expects."""
        for error in self.others:
            raise error


@dataclass(frozen=True)
class _Kept:
    """A context that keeps an error.

    Not a generator: from Python 3.13 on, one that has caught an error does not let go of it.
    """

    failures: Failures
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, EXPECTED):
            self.failures.sentences.append(_told(self.what, error))
        elif isinstance(error, Exception):
            self.failures.others.append(error)
        return isinstance(error, Exception)


def _told(what: str, error: Exception) -> str:
    if not what:
        return sentence(error)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else sentence(error)
    return " ".join(f"{what}: {reason.rstrip('.')}.".split())
