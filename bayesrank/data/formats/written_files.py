"""Files that are to be written: whether that can be done, known before the work starts."""

import errno
import os
import tempfile
from pathlib import Path

__all__ = ["check_target"]


def check_target(path, endings):
    """Return the path as a path, or refuse one that could not be written.

    Parameters
    ----------
    path : str or path
    endings : sequence of str
        How its name may end.
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
        # Whether a file can be made there is best known from making one, without a name.
        with tempfile.TemporaryFile(dir=path.absolute().parent):
            pass
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is there and may not be overwritten", str(path))
    return path
