"""Writing files: checking that it can be done before the work starts, and writing whole files."""

import errno
import os
import secrets
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["check_target", "replace_file"]


def check_target(path, endings):
    """Return the name of a file as a path, or refuse one that could not be written.

    Parameters
    ----------
    path : str or path
    endings : sequence of str
        How the name may end.
    """
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise TypeError(f"`path` must be the name of a file, got {path!r}.")
    path = Path(path)
    if path.suffix.lower() not in endings:
        raise ValueError(f"`path` must end in {' or '.join(endings)}, got '{path}'.")
    there = _status(path)
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory, not a file to write", str(path))
    if there is None or stat.S_ISREG(there.st_mode):
        _require_folder(path)
    if there is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is there and may not be overwritten", str(path))
    return path


def _status(path):
    """Return what is known of the file behind a name, or None if there is none yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        text = error.strerror
        if error.errno == errno.ELOOP:
            text = "is a link that leads back to itself"
        if error.errno == errno.ENOTDIR:
            text = "there is no such directory to write to"
        raise type(error)(error.errno, text, str(path)) from None


def _require_folder(path):
    """Refuse a name where no file can be made."""
    folder = Path(os.path.realpath(path)).parent  # of the file that a link leads to
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory to write to", str(path))
    try:
        # The surest way to know whether a file can be made there is to make one, without a name.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def replace_file(path, write):
    """Write a file whole or not at all: a failure leaves what was there.

    The file is written beside its target, under another name, and takes its place once it is on
    the disk. A link stays a link, and a file that was there passes its permissions on.

    Parameters
    ----------
    path : str or path
        The target. Errors name it, and not the temporary file.
    write : callable
        Called with the path of the temporary file, to write it.
    """
    there = _status(path)
    if there is not None and not stat.S_ISREG(there.st_mode):
        # A device or a pipe must not be replaced by a file; a directory is refused when it is
        # opened.
        try:
            write(Path(path))
        except OSError as error:
            raise _name_target(error, os.path.abspath(path), path) from None
        return
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        if there is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        write(temporary)
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        if there is not None:
            with suppress(OSError):  # some file systems have no permissions to set
                shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise _name_target(error, temporary, path) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _name_target(error, temporary, path):
    """Return the same error, about the target instead of the temporary file."""
    if error.errno is None:
        return error
    if str(temporary) in error.strerror:  # libraries put the name into the message
        text = error.strerror.replace(str(temporary), os.path.abspath(path))
        return type(error)(error.errno, text)
    return type(error)(error.errno, error.strerror, str(path))
