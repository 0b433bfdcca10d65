"""Which processes a test has started, and which of them run."""

import time
from contextlib import suppress

import psutil


def children():
    """Return the processes that this one has started, and those that they have, if they run."""
    running = alive(psutil.Process().children(recursive=True))
    return [process for process in running if "resource_tracker" not in command(process)]


def command(process):
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # by now
        return ""


def alive(processes):
    """Return those that run; who has inherited the others may take its time to bury them."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def wait_until(done):
    for _ in range(600):
        if done():
            return
        time.sleep(0.05)
    raise AssertionError("Nothing happened.")
