"""What became of a process."""

import pytest

from benchmarks.faults.children import (
    CRASHED,
    HUNG,
    RAW,
    RIGHT,
    judged,
    run_child,
    small_disk,
)


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("print('done')", RIGHT),
        ("raise KeyError('x')", RAW),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", CRASHED),
        ("import time; time.sleep(100)", HUNG),
    ],
)
def test_outcomes(script, outcome):
    assert judged(run_child(script, seconds=2), RIGHT) == outcome


def test_a_disk_of_its_own_is_small():
    with small_disk(1) as (folder, mounted):
        content = bytes(3 << 20)
        if mounted:
            with pytest.raises(OSError, match="No space left"):
                (folder / "file").write_bytes(content)
        else:
            (folder / "file").write_bytes(content)
    assert not folder.exists()
