"""The command line with pipes: sources that can be read once, readers who leave, links."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.faults.children import LOST, RAW, REFUSED, RIGHT, WRONG, judged, run_child

__all__ = ["pipes"]

GAMES = "left,right,outcome\na,b,left\nb,c,left\nc,a,left\na,b,tie\n"
PLAIN = "rank games.csv --method map --out o.csv"
# Commands of the shell, in a folder with games.csv. These have to leave the same o.csv ...
SOURCES = (
    "rank <(cat games.csv) --method map --out o.csv",
    "rank /dev/stdin --method map --out o.csv < games.csv",
    "cat games.csv | rank /dev/stdin --method map --out o.csv",
    "cat games.csv | rank - --method map --out o.csv",
    "mkfifo pipe && (cat games.csv > pipe &) && rank pipe --method map --out o.csv",
    "(sleep 1; cat games.csv) | rank - --method map --out o.csv",
)
READERS = tuple(
    f"{PLAIN} {reader}"
    for reader in (
        "| true", "2>&1 | true", "| head -3", "2>&1 | head -3", ">&- 2>&-", "> /dev/full",
        "2> /dev/full",
    )
)  # fmt: skip
# ... and these have to be refused in a sentence, with what was there unharmed.
REFUSALS = (
    "ln -s loop loop; rank loop --method map",
    f"ln games.csv o.csv; {PLAIN}",
    f"ln -s games.csv o.csv; {PLAIN}",
    "ln -s loop.csv loop.csv; rank games.csv --method map --out loop.csv",
    "true | rank - --method map --out o.csv",
)


def pipes(tries, rng):
    """Yield what became of each command; fewer tries are a random choice of them."""
    expected, _ = _done(PLAIN)
    commands = [*SOURCES, *READERS, *REFUSALS]
    for k in rng.permutation(len(commands))[:tries]:
        command = commands[k]
        found, child = _done(command)
        about = f"{command}: {child.out} {child.err}"
        if command in REFUSALS:
            own = child.code == 2 and child.err.startswith("bayesrank: ")
            yield (judged(child, RAW) if not own or child.hung else REFUSED), about
        elif found != expected:
            yield (judged(child, LOST if not found else WRONG)), about
        else:
            # A code may say that a reader was not there to the end.
            yield (RAW if "Traceback" in child.err else RIGHT), about


def _done(command):
    """Return the file that a command wrote, or None, and what became of its process."""
    with TemporaryDirectory() as folder:
        games, out = Path(folder, "games.csv"), Path(folder, "o.csv")
        games.write_text(GAMES)
        rank = 'rank() { "$PYTHON" -m bayesrank rank "$@"; }; '
        environment = {"PYTHON": sys.executable}
        child = run_child(
            rank + command, shell=True, cwd=folder, seconds=60, environment=environment
        )
        if games.read_text() != GAMES:
            child.err += " the source was overwritten"
            return None, child
        return (out.read_text() if out.exists() else None), child
