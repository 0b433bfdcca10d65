"""Faults that are really done: full disks, damaged files, signals, pipes, dead and hung workers."""
