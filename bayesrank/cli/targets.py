"""Where the command line writes to: whether it can, and that nothing is overwritten unasked."""

import os
import stat
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bayesrank.cli.arguments import OUTPUTS

__all__ = ["asked_outputs", "check_targets", "flag_of"]


# Options with another name than their flag.
_FLAGS = {"tie_rates": "--ties"}


def flag_of(name: str) -> str:
    """Return the flag of an option."""
    return _FLAGS.get(name) or f"--{name.replace('_', '-')}"


def asked_outputs(options: Namespace) -> dict[str, Path]:
    """Return the files that were asked for, by option."""
    given = {name: getattr(options, name, None) for name in OUTPUTS}
    return {name: path for name, path in given.items() if path is not None}


def check_targets(options: Namespace) -> None:
    """Refuse files that could not be written, or that are in use already under any name."""
    from bayesrank.data.formats.written_files import check_target

    taken = {known: what for known, what in _in_use(options) if known is not None}
    for name, path in asked_outputs(options).items():
        flag = flag_of(name)
        try:
            check_target(path, OUTPUTS[name])
        except OSError as error:
            raise ValueError(f"{flag}: '{path}': {error.strerror}.") from None
        except ValueError as error:
            raise ValueError(f"{flag}: {str(error).replace('`path`', 'the name')}") from None
        known = _identity(path)
        if known in taken:
            raise ValueError(f"{flag}: '{path}' is {taken[known]} already.")
        if known is not None:
            taken[known] = f"the file of {flag}"


def _in_use(options: Namespace) -> Iterator[tuple[Any, str]]:
    """Yield what is read and where is printed to, and what it is called."""
    if options.source == "-":
        yield _identity_of_stream(sys.stdin), "the source"
    else:
        yield _identity(options.source), "the source"
    for name in ("judge", "against", "among", "cost"):
        if getattr(options, name, None) is not None:
            yield _identity(getattr(options, name)), f"the file of {flag_of(name)}"
    yield _identity_of_stream(sys.stdout), "where the table is printed to"
    yield _identity_of_stream(sys.stderr), "where messages are printed to"


def _identity(path: str | Path) -> Any:
    """Return what two names of one file have in common; None for a device or a pipe."""
    try:
        return _identity_of_file(os.stat(path))
    except (OSError, ValueError):
        return os.path.realpath(path)


def _identity_of_stream(stream: Any) -> Any:
    """Return the same of the file that a stream is of; None if it is of none."""
    try:
        return _identity_of_file(os.fstat(stream.fileno()))
    except (AttributeError, OSError, ValueError):
        return None


def _identity_of_file(status: os.stat_result) -> Any:
    # Any number of outputs may go to a device or a pipe, which holds nothing that could be lost.
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
