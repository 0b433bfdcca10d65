"""Ctrl-C as a question."""

import os
import signal
import threading

import pytest

from bayesrank.inference.interruptions import interruptions


def press():
    os.kill(os.getpid(), signal.SIGINT)


def test_the_work_is_done_first():
    done = []
    with pytest.raises(KeyboardInterrupt), interruptions() as interrupted:
        assert not interrupted()
        press()
        assert interrupted()
        done.append("all of it")
    assert done and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_pressed():
    with interruptions() as interrupted:
        pass
    assert not interrupted()


def test_who_insists_is_heard():
    done = []
    with pytest.raises(KeyboardInterrupt), interruptions():
        press()
        press()
        press()
        done.append("too late")
    assert not done


def test_handlers_of_others_are_called_at_the_end():
    heard, before = [], signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with interruptions() as interrupted:
            press()
            assert interrupted() and not heard
        assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_another_thread_nothing_is_changed():
    found = []

    def work():
        with interruptions() as interrupted:
            found.append(interrupted())
            found.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False, True]
