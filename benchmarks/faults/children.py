"""Children: processes that meet a fault, and what became of them."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = [
    "CRASHED",
    "HUNG",
    "LOST",
    "OUTCOMES",
    "RAW",
    "REFUSED",
    "RIGHT",
    "WRONG",
    "Child",
    "judged",
    "run_child",
    "small_disk",
    "start_child",
]

RIGHT, REFUSED, LOST = "right", "refused in a sentence", "lost"
WRONG, RAW, HUNG, CRASHED = "wrong", "error without a sentence", "hung", "crashed"
OUTCOMES = (RIGHT, REFUSED, LOST, WRONG, RAW, HUNG, CRASHED)
ROOT = Path(__file__).parents[2]


@dataclass
class Child:
    """A process that has ended."""

    code: int
    out: str
    err: str
    hung: bool = False

    @property
    def crashed(self):
        """Whether it was ended by a signal of its own making."""
        return self.code < 0 and -self.code in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)


def _environment(given):
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return os.environ | {"PYTHONPATH": path.rstrip(os.pathsep)} | given


def start_child(script, *arguments, environment=()):
    """Start a Python process."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment(dict(environment)),
    )  # fmt: skip


def run_child(command, *arguments, seconds=120.0, environment=(), shell=False, **options):
    """Run a script of Python, or a command of the shell, to its end or the end of patience."""
    python = [sys.executable, "-c", command, *map(str, arguments)]
    process = subprocess.Popen(
        ["bash", "-c", command, "bash", *map(str, arguments)] if shell else python, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        env=_environment(dict(environment)), start_new_session=True, **options,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Child(process.returncode, out, err, hung=True)
    return Child(process.returncode, out, err)


def judged(child, right):
    """Return the outcome of a child; ``right`` is the one of a child that went on to its end."""
    if child.hung:
        return HUNG
    if child.crashed:
        return CRASHED
    return RAW if child.code or "Traceback" in child.err else right


@contextmanager
def small_disk(megabytes=1):
    """Yield a folder on a disk of its own, and True; or a plain folder and False."""
    with TemporaryDirectory() as folder:
        size = f"size={megabytes}m"
        mounted = not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False
        ).returncode if os.geteuid() == 0 else False  # fmt: skip
        try:
            yield Path(folder), mounted
        finally:
            if mounted:
                subprocess.run(["umount", folder], check=True)
