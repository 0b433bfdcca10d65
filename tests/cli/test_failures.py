"""Errors that are kept until everything else is done."""

import weakref

import pytest

from bayesrank.cli.failures import Failures, sentence


def test_a_sentence_is_one_line():
    assert sentence(ValueError("two\n  lines.")) == "two lines."
    assert sentence(FileNotFoundError(2, "No such file", "x\ny.csv")) == "x y.csv: No such file."
    assert sentence(MemoryError()) == "MemoryError"


def test_failures_are_kept_and_told_with_what_they_are_of():
    failures = Failures()
    with failures.kept():
        raise ValueError("The question has no answer.")
    with failures.kept("--out: 'x.csv' was not written"):
        raise OSError(28, "No space\nleft", "somewhere else")
    with failures.kept("--plot: 'x.png' was not written"):
        raise ValueError("There is nothing to draw.")
    assert failures.sentences == [
        "The question has no answer.",
        "--out: 'x.csv' was not written: No space left.",
        "--plot: 'x.png' was not written: There is nothing to draw.",
    ]
    failures.raise_others()


def test_what_was_in_use_is_let_go():
    class Draws:
        """Which may take a lot of memory."""

    def fail():
        draws = Draws()
        seen.append(weakref.ref(draws))
        raise ValueError("No.")

    failures, seen = Failures(), []
    with failures.kept():
        fail()
    assert failures.sentences == ["No."] and seen[0]() is None


def test_what_nobody_expects_is_raised_in_the_end():
    failures = Failures()
    with failures.kept("--out: 'x.csv' was not written"):
        raise KeyError("a fault of ours")
    assert failures.sentences == []
    with pytest.raises(KeyError, match="a fault of ours"):
        failures.raise_others()
    with pytest.raises(KeyboardInterrupt), failures.kept():
        raise KeyboardInterrupt
