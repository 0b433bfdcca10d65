"""What becomes of reading a file: it may be accepted, or refused in a sentence of ours."""

import linecache
import resource
import signal
import time
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import bayesrank
from bayesrank.data import Comparisons, Rankings

__all__ = ["FINDINGS", "OUTCOMES", "PACKAGE", "limited_memory", "outcome_of"]

OUTCOMES = ("accepted", "refused", "bug", "foreign", "wordy", "slow", "memory")
FINDINGS = OUTCOMES[2:]
SLOW = 5.0
MEMORY = 1 << 30
WORDY = 2000
PACKAGE = str(Path(bayesrank.__file__).parent)


class _TooSlow(BaseException):
    pass


@contextmanager
def _alarm(seconds):
    """Raise `_TooSlow` in here after some seconds of work, as soon as Python is asked.

    What other processes take of the machine does not count.
    """

    def ring(number, frame):
        raise _TooSlow

    before = signal.signal(signal.SIGPROF, ring)
    # Again and again: what is raised while an object is being deleted is lost.
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def limited_memory():
    """Let this process have 1 GB more than it has now."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def outcome_of(form, path):
    """Return what becomes of reading a file, one of `OUTCOMES`, and the text of what went wrong."""
    start = time.process_time()
    try:
        with warnings.catch_warnings(), _alarm(SLOW):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            _require_sense(form.reader(path, **form.columns))
    except _TooSlow:
        return "slow", traceback.format_exc()
    except MemoryError:
        return "memory", traceback.format_exc()
    except (ValueError, OSError) as error:
        ours = isinstance(error, OSError) or _is_ours(error)
        kind = "refused" if ours and str(error) else "foreign"
        kind = "wordy" if kind == "refused" and len(str(error)) > WORDY else kind
        return kind, "" if kind == "refused" else traceback.format_exc()
    except Exception:
        return "bug", traceback.format_exc()
    if (took := time.process_time() - start) > SLOW:
        return "slow", f"{took:.1f} s"
    return "accepted", ""


def _is_ours(error):
    """Whether an error was raised by a statement of the package, not inside of a library's call."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno).strip()
    return type(error) is ValueError and last.filename.startswith(PACKAGE) and "raise" in line


def _require_sense(data):
    """Refuse data that no reader may return."""
    if isinstance(data, dict):
        assert all(type(grade) is int for grades in data.values() for grade in grades.values())
        return
    assert isinstance(data, (Comparisons, Rankings)), type(data)
    n = len(data.items)
    assert len(data) and n >= 2
    if data.instances is None:
        assert len(set(data.items)) == n
    if isinstance(data, Comparisons):
        assert np.isfinite(data.counts).all() and (data.counts >= 0).all()
        assert ((data.left >= 0) & (data.left < n) & (data.right >= 0) & (data.right < n)).all()
        assert (data.left != data.right).all()
    else:
        assert np.isfinite(data.weights).all() and (data.weights > 0).all()
        assert np.isfinite(data.weights.sum())
        assert ((data.entries >= -1) & (data.entries < n)).all()
        assert (data.ranks.max(axis=1) >= 1).all()
        for values in (data.features, data.ratings):
            assert values is None or np.isfinite(values).all()
    assert len(repr(data)) > 0 and len(data.to_frame())
