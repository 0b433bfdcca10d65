"""What became of how many files, and where."""

from collections import Counter
from dataclasses import dataclass, field

from benchmarks.fuzz.judging import FINDINGS, OUTCOMES, PACKAGE

__all__ = ["Tally"]

KEPT = 3  # files kept of each finding


@dataclass
class Tally:
    """What became of how many files.

    Attributes
    ----------
    counts : Counter of (format, outcome)
    places : Counter of (format, outcome, last line of the error)
    """

    counts: Counter = field(default_factory=Counter)
    places: Counter = field(default_factory=Counter)

    @property
    def findings(self):
        """Number of files that were neither accepted nor refused in a sentence."""
        return sum(times for (_, kind), times in self.counts.items() if kind in FINDINGS)

    def add(self, name, kind, error):
        """Count a file; return whether it is among the first of its finding."""
        self.counts[name, kind] += 1
        if kind not in FINDINGS:
            return False
        self.places[name, kind, _place(error)] += 1
        return self.places[name, kind, _place(error)] <= KEPT

    def table(self):
        """Return the counts as a table in Markdown."""
        names = list(dict.fromkeys(name for name, _ in self.counts))
        rows = [["format", *OUTCOMES]]
        rows += [[name, *(f"{self.counts[name, kind]:,}" for kind in OUTCOMES)]
                 for name in sorted(names)]  # fmt: skip
        total = [sum(self.counts[name, kind] for name in names) for kind in OUTCOMES]
        rows.append(["all", *(f"{count:,}" for count in total)])
        rows.insert(1, ["---", *["--:"] * len(OUTCOMES)])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _place(error):
    """Return where an error was raised, and its kind: what tells findings apart."""
    lines = [line for line in error.strip().splitlines() if PACKAGE in line]
    last = error.strip().splitlines()[-1:] or [""]
    return f"{lines[-1].strip() if lines else ''} {last[0].split(':')[0]}"
