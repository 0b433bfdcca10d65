"""The command line with pipes: sources that can be read once, readers who leave."""

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.faults.children import LOST, RAW, RIGHT, WRONG, judged, run_child

__all__ = ["pipes"]

RANK = '"$0" -m bayesrank rank'
FLAGS = "--method map --out o.csv"
# Commands of the shell, in a folder with games.csv; each has to leave the same o.csv.
READERS = (
    "rank games.csv {flags} | true",
    "rank games.csv {flags} 2>&1 | true",
    "rank games.csv {flags} | head -3",
    "rank games.csv {flags} 2>&1 | head -3",
    "rank games.csv {flags} >&- 2>&-",
    "rank games.csv {flags} > /dev/full",
    "rank games.csv {flags} 2> /dev/full",
)
SOURCES = (
    "rank <(cat games.csv) {flags}",
    "rank /dev/stdin {flags} < games.csv",
    "cat games.csv | rank /dev/stdin {flags}",
    "cat games.csv | rank - {flags}",
    "mkfifo pipe && (cat games.csv > pipe &) && rank pipe {flags}",
    "(sleep 1; cat games.csv) | rank - {flags}",
)
# Each has to be refused in a sentence, with what was there unharmed.
REFUSALS = (
    "ln -s loop loop; rank loop --method map",
    "ln games.csv o.csv; rank games.csv {flags}",
    "ln -s games.csv o.csv; rank games.csv {flags}",
    "ln -s loop.csv loop.csv; rank games.csv --method map --out loop.csv",
    "true | rank - {flags}",
)


def pipes(tries, rng):
    """Yield what became of each command; the first ones are enough for fewer tries."""
    commands = [command for group in zip(SOURCES, READERS, strict=False) for command in group]
    commands += [READERS[-1], *REFUSALS]
    expected = None
    for command in ["rank games.csv {flags}", *commands][: tries + 1]:
        with TemporaryDirectory() as folder:
            games, out = Path(folder, "games.csv"), Path(folder, "o.csv")
            games.write_text("left,right,outcome\na,b,left\nb,c,left\nc,a,left\na,b,tie\n")
            before = games.read_bytes()
            line = 'set -o pipefail; rank() { python rank "$@"; }; '
            line = line.replace("python rank", '"$PY" -m bayesrank rank') + command
            child = _shell(line.format(flags=FLAGS) if "{flags}" in line else line, folder)
            found = out.read_text() if out.exists() and command not in REFUSALS else None
            if expected is None:
                expected = found
                assert found, child.err
                continue
            outcome = judged(child, RIGHT if found == expected else LOST)
            if command in REFUSALS:
                own = child.code == 2 and child.err.startswith("bayesrank: ")
                outcome = judged(child, RIGHT) if child.hung or child.crashed else RIGHT
                outcome = outcome if own else RAW
            elif found is not None and found != expected:
                outcome = WRONG
            elif outcome == RAW and found == expected and "Traceback" not in child.err:
                outcome = RIGHT  # a reader who has left may be said so by the code
            yield (outcome if games.read_bytes() == before else LOST), f"{command}: {child.err}"


def _shell(line, folder):
    import sys

    return run_child(line, shell=True, cwd=folder, seconds=60, environment={"PY": sys.executable})
