"""What happens at numerical extremes: every likelihood, method and situation.

    python3 -m benchmarks.extremes [--quick] [--save] [--only LIKELIHOOD ...] [--methods METHOD ...]

Each case is fitted in a process of its own, with a limit of time and of memory. Either every
number that comes out is finite, and right where it is known beforehand, or the library refuses
with a `ValueError` that names the reason. All else is a bug, and so is a warning of NumPy's that a
user can make nothing of. Outcomes are:

- "ok", or "ok, warned: ..." with what the library said;
- "refused: ..." with the reason;
- "too slow (seconds)" and "too large", beyond the limits;
- "BUG: ..." with what is wrong.

"objective" is no method: it is the log-posterior with its gradient, at vectors far from any mode.
"""

import argparse
import datetime
import multiprocessing
import os
import re
import time
import warnings
from pathlib import Path

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS
from benchmarks.extreme_checks import Wrong, check_fit, check_objective
from benchmarks.extreme_situations import AFTER, LONG, METHODS, SITUATIONS

__all__ = ["cases", "examine", "main", "markdown", "run"]

TABLE = Path(__file__).with_name("extremes.csv")
OPTIONS = {
    "map": {},
    "laplace": {"draws": 250, "chains": 2},
    "nuts": {"draws": 200, "chains": 2},
    "advi": {"draws": 250, "chains": 2, "steps": 1000},
}
LIMIT = 60.0  # seconds per case
MEMORY = 8 * 2**30  # bytes of address space per case


# One case -------------------------------------------------------------------------------------


def examine(likelihood, name, method):
    """Return the outcome of a case in words, and the seconds that the fit took; None if no case."""
    situation = SITUATIONS[name]
    data = situation.data(likelihood)
    if data is None or method not in situation.methods:
        return None
    start, taken = time.perf_counter(), None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if method == "objective":
                outcome = _examine_objective(data, likelihood, situation.options)
                return outcome, time.perf_counter() - start
            options = OPTIONS[method] | situation.options
            if likelihood == "mpm" and options.get("scale") == np.inf:
                options |= {"adherence": 1.0, "variances": False}  # all else is refused
            start = time.perf_counter()
            fit = br.fit(data, likelihood, method=method, seed=1, progress=False, **options)
            taken = time.perf_counter() - start
            said = [str(warning.message) for warning in caught]
            check_fit(fit, situation, said)
            strange = [w for w in caught if issubclass(w.category, RuntimeWarning)]
            if strange:
                where = f"{Path(strange[0].filename).name}:{strange[0].lineno}"
                outcome = f"BUG: RuntimeWarning: {strange[0].message} ({where})"
            else:
                outcome = f"ok, warned: {' / '.join(dict.fromkeys(said))}" if said else "ok"
        except ValueError as error:
            # What comes from inside NumPy or SciPy names no reason.
            outcome = f"{'refused' if str(error).endswith('.') else 'BUG: ValueError'}: {error}"
        except MemoryError as error:
            outcome = f"too large: {error}"
        except Wrong as error:
            outcome = f"BUG: {error}"
        except Exception as error:
            outcome = f"BUG: {type(error).__name__}: {error}"
    return outcome, time.perf_counter() - start if taken is None else taken


def _examine_objective(data, likelihood, priors):
    """Return the outcome of the objective under each of some priors at extreme vectors."""
    wrong = []
    ((option, values),) = priors.items()
    for value in values:
        given = {"adherence": 1.0} if likelihood == "mpm" and value == np.inf else {}
        try:
            with np.errstate(all="ignore"):
                check_objective(br.Specification(data, likelihood, **{option: value}, **given))
        except Wrong as error:
            wrong.append(str(error))
    return f"BUG: {' / '.join(wrong)}" if wrong else "ok"


# Processes ------------------------------------------------------------------------------------


def _work(connection):
    """Examine the cases that come in, until none does."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # not everywhere; the limit of time is left
    while (case := connection.recv()) is not None:
        connection.send(examine(*case))


class _Worker:
    """A process that examines one case after the other, and is replaced when it takes too long."""

    def __init__(self):
        self.process = None

    def __call__(self, case, limit):
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.connection, other = context.Pipe()
            self.process = context.Process(target=_work, args=(other,), daemon=True)
            self.process.start()
            other.close()
        self.connection.send(case)
        try:
            if self.connection.poll(limit):
                return self.connection.recv()
        except EOFError:
            self.stop()
            return "BUG: the process died", float("nan")
        self.stop()
        return f"too slow ({limit:.0f} s)", limit

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.process = None


def cases(likelihoods=LIKELIHOODS, methods=METHODS, quick=False):
    """Yield likelihoods, situations and methods; without what takes long if ``quick``."""
    for likelihood in likelihoods:
        for name, situation in SITUATIONS.items():
            if quick and name in LONG:
                continue
            for method in situation.methods:
                if method in methods:
                    yield likelihood, name, method


def run(chosen, limit=LIMIT, report=None):
    """Return a row for each case, in processes with limits."""
    rows, outcomes, worker = [], {}, _Worker()
    try:
        for likelihood, name, method in chosen:
            before = outcomes.get((likelihood, AFTER.get(name), method), "")
            if before.startswith("too"):
                found = f"too slow, as {AFTER[name]} is", float("nan")
            else:
                found = worker((likelihood, name, method), limit)
            if found is None:
                continue
            outcome, seconds = found
            outcomes[likelihood, name, method] = outcome
            rows.append(
                {
                    "likelihood": likelihood, "situation": name, "method": method,
                    "outcome": outcome, "seconds": round(seconds, 3),
                    "date": datetime.date.today().isoformat(),
                }
            )  # fmt: skip
            if report is not None:
                report(rows[-1])
    finally:
        worker.stop()
    return rows


# The table ------------------------------------------------------------------------------------


def _short(outcome):
    """Return an outcome without its details."""
    if outcome.startswith("ok"):
        return "ok"
    kind, _, reason = outcome.partition(": ")
    if kind in ("refused", "BUG"):
        first = re.split(r"[:.(](?:\s|$)", reason)[0]
        return f"{kind}: {first[:60]}"
    return kind


def markdown(table):
    """Return the table for readers: situations by likelihoods, methods named where they differ."""
    names = list(dict.fromkeys(table["likelihood"]))
    lines = ["| situation | " + " | ".join(names) + " |", "|---" * (1 + len(names)) + "|"]
    for situation in [name for name in SITUATIONS if name in set(table["situation"])]:
        cells = []
        for name in names:
            rows = table[(table["likelihood"] == name) & (table["situation"] == situation)]
            said = {}
            for row in rows.itertuples():
                said.setdefault(_short(row.outcome), []).append(row.method)
            if len(said) == 1:
                cells.append(next(iter(said)))
            else:
                cells.append("; ".join(f"{', '.join(m)} {text}" for text, m in said.items()))
        lines.append(f"| {situation} | " + " | ".join(cell or "-" for cell in cells) + " |")
    return "\n".join(lines)


def kept_with(rows, path):
    """Return what a file holds, with these rows in place of its own on the same cases."""
    key = ["likelihood", "situation", "method"]
    table = pd.DataFrame(rows)
    if path.exists():
        table = pd.concat([pd.read_csv(path), table]).drop_duplicates(key, keep="last")
    orders = {"likelihood": list(LIKELIHOODS), "situation": list(SITUATIONS), "method": METHODS}
    places = {name: {value: k for k, value in enumerate(o)} for name, o in orders.items()}
    return table.sort_values(key, key=lambda column: column.map(places[column.name]))


def main(arguments=None):
    """Run the cases, print the table, and return 1 if there was a bug, else 0."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.extremes")
    parser.add_argument("--only", nargs="+", choices=list(LIKELIHOODS), metavar="LIKELIHOOD")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS, metavar="METHOD")
    parser.add_argument("--situations", nargs="+", choices=list(SITUATIONS), metavar="SITUATION")
    parser.add_argument("--quick", action="store_true", help="without what takes long")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds per case (default 60)")
    parser.add_argument(
        "--save", nargs="?", type=Path, const=TABLE, metavar="FILE", help="add to extremes.csv"
    )
    options = parser.parse_args(arguments)
    chosen = [
        case
        for case in cases(options.only or LIKELIHOODS, options.methods, options.quick)
        if options.situations is None or case[1] in options.situations
    ]

    def report(row):
        print(
            f"{row['likelihood']:<26}{row['situation']:<31}{row['method']:<10}"
            f"{row['seconds']:>8.2f} s  {row['outcome'][:300]}",
            flush=True,
        )

    rows = run(chosen, options.limit, report)
    if not rows:
        parser.error("no situation has such data or methods")
    print("\n" + markdown(pd.DataFrame(rows)))
    if options.save:
        kept_with(rows, options.save).to_csv(options.save, index=False)
        print(f"\nwrote {options.save}")
    return int(any(row["outcome"].startswith("BUG") for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
