"""Writing files: checking that it can be done before the work starts, and writing whole files."""

import errno
import os
import secrets
import shutil
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
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a directory, not a file to write", str(path))
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory to write to", str(path))
    try:
        # The surest way to know whether a file can be made there is to make one, without a name.
        with tempfile.TemporaryFile(dir=path.absolute().parent):
            pass
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is there and may not be overwritten", str(path))
    return path


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
    target = Path(os.path.realpath(path))
    there = os.path.exists(target)
    if there and not os.path.isfile(target):
        # A device must not be replaced by a file; a directory is refused by whoever writes.
        write(Path(path))
        return
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        if there and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        write(temporary)
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        if there:
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
