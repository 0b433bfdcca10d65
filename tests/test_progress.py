"""A bar appears where somebody looks, and only one."""

import io
import threading
import time

import pytest
import rich.console

from bayesrank import progress


@pytest.fixture
def screen(monkeypatch):
    """A terminal that writes to memory, and a clock on which every look takes three seconds."""
    text, real, times = io.StringIO(), rich.console.Console, iter(range(0, 10_000, 3))
    monkeypatch.setattr(
        rich.console, "Console", lambda stderr: real(file=text, force_terminal=True, width=60)
    )
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(times))
    return text


def steps(label, shown=True):
    with progress.progress_bar(label, 3, shown) as advance:
        for _ in range(3):
            advance()


def test_a_bar_after_two_seconds(screen):
    steps("Work")
    assert "Work" in screen.getvalue()


def test_a_loop_inside_another_leaves_the_bar_to_it(screen):
    with progress.progress_bar("Outer", 2) as advance:
        steps("Inner")
        advance()
        advance()
    assert "Outer" in screen.getvalue() and "Inner" not in screen.getvalue()
    steps("Next")
    assert "Next" in screen.getvalue()


def test_a_loop_that_shows_nothing_does_not_hush_others(screen):
    with progress.progress_bar("Outer", 2, shown=False):
        steps("Inner")
    assert "Inner" in screen.getvalue()


def test_quiet_is_quiet(screen):
    with progress.no_progress():
        steps("Work")
    assert screen.getvalue() == ""
    steps("Later")
    assert "Later" in screen.getvalue()


@pytest.fixture
def hasty(screen, monkeypatch):
    """The same terminal, on which patience ends at once."""
    real = threading.Timer
    monkeypatch.setattr(progress.threading, "Timer", lambda _, show: real(0.0, show))
    return screen


def test_a_sign_of_life_where_there_are_no_steps(hasty):
    with progress.waiting("Compiling"):
        time.sleep(0.3)
        steps("Inner")
    assert "Compiling" in hasty.getvalue() and "Inner" not in hasty.getvalue()
    before = hasty.getvalue()
    steps("Next")
    assert "Next" in hasty.getvalue()[len(before) :]


def test_what_is_soon_over_needs_no_sign(screen):
    with progress.waiting("Compiling"):
        pass
    assert screen.getvalue() == ""


def test_no_sign_where_none_is_wanted(hasty):
    with progress.waiting("Compiling", shown=False):
        time.sleep(0.3)
    with progress.no_progress(), progress.waiting("Compiling"):
        time.sleep(0.3)
    assert hasty.getvalue() == ""
