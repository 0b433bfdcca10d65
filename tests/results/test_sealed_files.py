"""Files with a seal: what is damaged is refused, what cannot be written leaves what was there."""

import os
import resource

import numpy as np
import pytest

from bayesrank.results.sealed_files import (
    FORMAT,
    DamagedFile,
    is_sealed,
    read_sealed,
    write_sealed,
)

CONTENT = bytes(range(256)) * 40


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    write_sealed(path, CONTENT)
    return path


def test_content_comes_back(path):
    assert is_sealed(path) and read_sealed(path) == CONTENT
    assert path.read_bytes().startswith(CONTENT)
    write_sealed(path, b"")
    assert read_sealed(path) == b""


def test_every_byte_counts(path):
    """Also those of the seal."""
    whole = path.read_bytes()
    for place in [*range(0, len(CONTENT), 997), *range(len(CONTENT), len(whole))]:
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"is damaged|newer version"):
            read_sealed(path)


@pytest.mark.parametrize("length", [0, 1, 90, 98, 5000, len(CONTENT), len(CONTENT) + 97])
def test_a_file_that_was_cut_off(path, length):
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedFile, match="its end is missing"):
        read_sealed(path)


def test_a_file_in_a_file(path):
    path.write_bytes(b"before" + path.read_bytes())
    with pytest.raises(DamagedFile, match="it should hold 10,240 bytes, and holds 10,246"):
        read_sealed(path)


def test_a_later_format(path):
    old, new = f"bayesrank {FORMAT:04d}".encode(), f"bayesrank {FORMAT + 1:04d}".encode()
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(ValueError, match="newer version of bayesrank, in format 3"):
        is_sealed(path)


@pytest.fixture
def small_disk():
    """Let no file be longer than 20 000 bytes, as on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_what_was_there(path, small_disk):
    with pytest.raises(OSError, match="file"):
        write_sealed(path, np.zeros(10_000).tobytes())
    assert read_sealed(path) == CONTENT
    assert os.listdir(path.parent) == ["file"]
