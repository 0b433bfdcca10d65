"""The command: files are read in processes, which are started again where they die."""

import argparse
import faulthandler
import multiprocessing
import multiprocessing.connection
import sys
import time
from pathlib import Path

from benchmarks.fuzz import fuzz
from benchmarks.fuzz.formats import formats
from benchmarks.fuzz.tally import Tally

__all__ = ["main"]

STUCK = 60  # seconds after which a process that listens to no signal is ended


def _work(sender, options):
    """Read a part of the files in a process of its own, and send what becomes of each."""

    def report(index, name, kind, error):
        if kind == "started":
            faulthandler.dump_traceback_later(STUCK, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()
        sender.send((index, name, kind, error))

    fuzz(report=report, **options)
    sender.send(None)


def _watch(parts, options):
    """Run parts in processes, which are started again where they die; return the `Tally`."""
    context = multiprocessing.get_context("spawn")
    tally, open_parts, begin, last_said = Tally(), {}, time.perf_counter(), 0.0

    def begin_part(k, start):
        receiver, sender = context.Pipe(duplex=False)
        wanted = options | {"part": (k, parts), "start": start}
        if options["seconds"] is not None:
            wanted["seconds"] = options["seconds"] - (time.perf_counter() - begin)
        process = context.Process(target=_work, args=(sender, wanted), daemon=True)
        process.start()
        sender.close()
        open_parts[receiver] = [k, process, None]

    for k in range(parts):
        begin_part(k, 0)
    while open_parts:
        for receiver in multiprocessing.connection.wait(list(open_parts), 1.0):
            k, process, current = open_parts[receiver]
            try:
                message = receiver.recv()
            except EOFError:
                del open_parts[receiver]
                process.join()
                if current is None:
                    raise RuntimeError("A process died while it read no file.") from None
                index, name, *_ = current
                tally.add(name, "bug", f"The process died of {process.exitcode}")
                print(f"file {index} of '{name}': the process died ({process.exitcode})")
                begin_part(k, index + 1)
                continue
            if message is None:
                del open_parts[receiver]
                process.join()
                continue
            index, name, kind, error = message
            if kind == "started":
                open_parts[receiver][2] = message
                continue
            open_parts[receiver][2] = None
            if tally.add(name, kind, error):
                print(f"\n{kind}: file {index} of '{name}'\n{_shortened(error)}", flush=True)
        done, now = sum(tally.counts.values()), time.perf_counter()
        if now - last_said > 30.0 and done:
            last_said = now
            print(f"{done:,} files, {tally.findings:,} findings, {now - begin:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
    return tally


def _shortened(error, longest=1500):
    lines = [line if len(line) < 300 else f"{line[:150]} ... {line[-100:]}"
             for line in error.rstrip().splitlines()]  # fmt: skip
    text = "\n".join(lines)
    return text if len(text) < longest else "..." + text[-longest:]


def main(arguments=None):
    """Run the command; return 1 if there are findings."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.fuzz",
        description="Damaged and hostile files: each must be read, or refused in a sentence.",
    )
    parser.add_argument("--inputs", type=int, default=100_000, help="number of files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--only", metavar="FORMAT", help="one format only, such as 'csv pairs'")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real files to damage, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", default=Path("fuzz-findings"),
                        help="where files of findings are kept (fuzz-findings)")  # fmt: skip
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.only is not None and options.only not in formats(options.data):
        parser.error(f"--only: there are {', '.join(formats(options.data))}.")
    names = ("inputs", "seed", "seconds", "only", "data")
    wanted = {name: getattr(options, name) for name in names} | {"folder": options.keep}
    begin = time.perf_counter()
    tally = _watch(options.processes, wanted)
    took, files = time.perf_counter() - begin, sum(tally.counts.values())
    print(f"\n{tally.table()}\n")
    print(f"{files:,} files in {took:.0f} s, {files / took:,.0f} a second; "
          f"{tally.findings:,} findings at {len(tally.places):,} places")  # fmt: skip
    if tally.findings:
        print(f"Files are in {options.keep}.")
    return int(tally.findings > 0)


if __name__ == "__main__":
    sys.exit(main())
