"""Standard output and standard error, whose readers may leave at any time without harm."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any, TextIO

__all__ = ["PatientStream", "patient_streams"]


class PatientStream:
    """A stream that never fails where it is written to.

    Once a write has failed, for whatever reason, all the rest is thrown away. A letter that the
    stream's encoding lacks is shown as its number.

    Attributes
    ----------
    error : OSError, optional
        Why nothing is written any more. A `BrokenPipeError` says that whoever read has seen enough.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        if self.error is None:
            with self._attempt():
                try:
                    self._stream.write(text)
                except UnicodeEncodeError:
                    letters = self._stream.encoding
                    self._stream.write(text.encode(letters, "backslashreplace").decode(letters))
        return len(text)

    def flush(self) -> None:
        if self.error is None:
            with self._attempt():
                self._stream.flush()

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.error = error
            # What is left in the buffer would fail again when Python ends.
            with suppress(OSError), open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def patient_streams() -> Iterator[tuple[PatientStream, PatientStream]]:
    """Put patient streams in the place of standard output and error; yield the two."""
    with ExitStack() as stack:
        # A stream that was closed before Python started is None.
        given = [
            stream or stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
            for stream in (sys.stdout, sys.stderr)
        ]
        out, err = (PatientStream(stream) for stream in given)
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        try:
            yield out, err
        finally:
            out.flush()
            err.flush()
