"""Compiled code on disk, with a checksum.

Numba keeps compiled functions in files. Its own way fails where there is no folder to write to,
where a file is damaged and where the disk is full; and it loads what was compiled before a helper
in another file changed. Here each file has a checksum and is discarded where that is wrong; the
sources of all kernels are part of what a file must fit; and where nothing can be kept, code is
compiled anew, with a warning.
"""

import hashlib
import pickle
import warnings
from functools import cache
from pathlib import Path

from numba.core import caching
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
)

from bayesrank._compat import temporary_folder

__all__ = ["code_cache"]

# In older versions of Numba their names start with an underscore.
_UserProvided, _InTree, _UserWide = (
    getattr(caching, name, None) or getattr(caching, f"_{name}")
    for name in ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator")
)
_KERNELS = Path(__file__).parent
_DIGEST = 32  # bytes of a checksum
_ADVICE = "The environment variable NUMBA_CACHE_DIR may name a folder that can be written to."


def code_cache(function):
    """Return where the compiled forms of a function are kept, perhaps nowhere."""
    try:
        return _CodeCache(function)
    except RuntimeError:  # by which Numba says that there is no place for it
        _say(f"There is no folder to keep compiled code in, so each process compiles it. {_ADVICE}")
        return NullCache()


_said = set()


def _say(text):
    """Warn, once in a process of each thing, whatever folder it is about."""
    about = text.partition("'")[0]
    if about not in _said:
        _said.add(about)
        warnings.warn(text, stacklevel=2)


@cache
def _sources(folder):
    """Return a checksum of the sources in a folder and in those below it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _TemporaryLocator(_UserWide):
    """The last resort: a folder of the user's own among those for temporary files."""

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        subpath = self.get_suitable_cache_subpath(py_file)
        self._cache_path = str(temporary_folder() / "code" / subpath)

    @classmethod
    def from_function(cls, py_func, py_file):
        locator = super().from_function(py_func, py_file) if temporary_folder() else None
        if locator is not None:
            _say(
                "Neither the folder of bayesrank nor your own can be written to; compiled code is "
                f"kept in '{temporary_folder()}'. {_ADVICE}"
            )
        return locator


class _Place(CompileResultCacheImpl):
    _locator_classes = (_UserProvided, _InTree, _UserWide, _TemporaryLocator)


class _CheckedFiles(IndexDataCacheFile):
    """Numba's index and data files; each starts with the checksum of the rest."""

    def _read(self, path):
        """Return what a file holds, or None where it is not there or damaged."""
        try:
            content = Path(path).read_bytes()
        except OSError:
            return None
        checksum, rest = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(rest).digest() != checksum:
            return None
        return pickle.loads(rest)

    def _write(self, path, value):
        content = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def _load_index(self):
        version, stamp, overloads = self._read(self._index_path) or (None, None, None)
        fits = version == self._version and stamp == self._source_stamp
        return overloads if fits else {}

    def _save_index(self, overloads):
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name):
        return self._read(self._data_path(name))

    def _save_data(self, name, data):
        self._write(self._data_path(name), data)


class _CodeCache(FunctionCache):
    """Numba's cache of a function, on files that are checked."""

    _impl_class = _Place

    def __init__(self, py_func):
        super().__init__(py_func)
        folder = Path(py_func.__code__.co_filename).parent
        self._cache_file = _CheckedFiles(
            cache_path=self._cache_path,
            filename_base=f"checked.{self._impl.filename_base}",
            source_stamp=(_sources(_KERNELS), _sources(folder)),
        )

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever it is that Numba cannot use, it compiles and replaces
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _say(
                f"Compiled code could not be kept in '{self._cache_path}' ({error.strerror}), so "
                f"each process compiles it. {_ADVICE}"
            )
