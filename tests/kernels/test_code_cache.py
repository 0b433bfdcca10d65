"""Compiled code on disk: damaged files, other sources, and nowhere to write."""

import importlib.util
import os
import resource
import tempfile

import numba
import pytest

from bayesrank._compat import temporary_folder
from bayesrank.kernels import code_cache

SOURCE = """
from bayesrank.kernels.compiled import compiled

@compiled(cache=True)
def twice(x):
    return 2.0 * x
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a function to be compiled, and no other place to keep it."""
    home = tmp_path / "home"
    (tmp_path / "code").mkdir()
    home.mkdir()
    (home / ".cache").touch()  # a file, in which no folder can be made
    (tmp_path / "code" / "tiny.py").write_text(SOURCE)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    forget()
    yield tmp_path / "code"
    forget()


def forget():
    """Forget what a process knows."""
    code_cache._said.clear()
    code_cache._sources.cache_clear()
    temporary_folder.cache_clear()


def loaded(folder):
    """Import the function as a new process would, and call it; return whether it was on disk."""
    found = importlib.util.spec_from_file_location("tiny", folder / "tiny.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert module.twice(1.5) == 3.0
    return bool(module.twice.stats.cache_hits)


def test_code_is_kept(folder):
    assert not loaded(folder)
    assert loaded(folder)


DAMAGES = {
    "halved": lambda content: content[: len(content) // 2],
    "emptied": lambda content: b"",
    "flipped": lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
    "flipped at the start": lambda content: bytes([content[0] ^ 4]) + content[1:],
    "another": lambda content: b"something else",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_files_are_discarded(folder, damage, ending):
    loaded(folder)
    (path,) = (folder / "__pycache__").glob(f"*.{ending}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert not loaded(folder)
    assert loaded(folder)


def test_code_is_not_kept_beyond_its_sources(folder):
    """Also where a helper in another file has changed, which Numba does not look at."""
    loaded(folder)
    (folder / "helper.py").write_text("SIZE = 1")
    code_cache._sources.cache_clear()
    assert not loaded(folder)


def test_a_temporary_folder_is_the_last_resort(folder):
    (folder / "__pycache__").touch()
    place = folder.parent / f"bayesrank-{os.getuid()}"
    with pytest.warns(UserWarning, match=f"compiled code is kept in '{place}'"):
        assert not loaded(folder)
    assert loaded(folder)
    assert place.stat().st_mode & 0o777 == 0o700


def test_a_folder_of_others_is_not_trusted(folder):
    (folder / "__pycache__").touch()
    place = folder.parent / f"bayesrank-{os.getuid()}"
    place.mkdir()
    place.chmod(0o777)
    with pytest.warns(UserWarning, match="There is no folder to keep compiled code in"):
        assert not loaded(folder)
    assert not loaded(folder)
    assert not any(place.iterdir())


def test_a_full_disk_is_said(folder):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.warns(UserWarning, match=r"could not be kept in '.*__pycache__' \(File too"):
            assert not loaded(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not loaded(folder)
    assert loaded(folder)
