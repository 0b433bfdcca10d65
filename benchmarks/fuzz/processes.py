"""Reading in processes of their own, which are started again where a file ends them."""

import faulthandler
import multiprocessing
import multiprocessing.connection
import sys
import time

from benchmarks.fuzz import fuzz
from benchmarks.fuzz.tally import Tally

__all__ = ["watch"]

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


def watch(parts, options):
    """Read the files in processes, and print what is found; return the `Tally`.

    Parameters
    ----------
    parts : int
        Number of processes.
    options : dict
        Arguments of `fuzz`.
    """
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
