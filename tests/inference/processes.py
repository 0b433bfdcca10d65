"""Which processes a test has started, and which of them run."""

import time

import psutil


def children():
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "resource_tracker" not in " ".join(child.cmdline())
    ]


def alive(processes):
    """Return those that run; who has inherited the others may take its time to bury them."""
    running = [process for process in processes if process.is_running()]
    return [process for process in running if process.status() != psutil.STATUS_ZOMBIE]


def wait_until(done):
    for _ in range(600):
        if done():
            return
        time.sleep(0.05)
    raise AssertionError("Nothing happened.")
