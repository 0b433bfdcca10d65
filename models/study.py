"""What several studies share: where data are, how results are kept, how tables are written."""

import argparse
import logging
import os
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from threadpoolctl import threadpool_limits

__all__ = [
    "data_folder",
    "few_links",
    "gradient_steps",
    "keep",
    "markdown",
    "on_all_cores",
    "one_blas_thread",
    "options",
    "progress_bar",
    "results",
    "sample",
    "with_error",
]

results = Path(__file__).parent / "results"


def data_folder(name):
    """Return the folder of a data set; without one, print so and return None.

    The folder is looked for in the folder that BAYESRANK_DATA names, then in ../shared/data.
    """
    root = Path(__file__).resolve().parents[1]
    places = [os.environ.get("BAYESRANK_DATA"), root.parent / "shared" / "data"]
    for place in places:
        if place and (Path(place) / name).is_dir():
            return Path(place) / name
    print(f"{name}: no such data here (BAYESRANK_DATA names their folder); simulated instead")
    return None


def options(description, arguments=None, *, prog=None, **more):
    """Return the options of the command line that all studies have.

    Parameters
    ----------
    description : str
        The study's docstring.
    arguments : list of str, optional
        Instead of those of the command line.
    prog : str, optional
        The command, for its help.
    **more : dict
        Further options by name: what `ArgumentParser.add_argument` takes.
    """
    parser = argparse.ArgumentParser(
        prog=prog,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, under a minute")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=results, help="folder for CSV and pictures")
    for name, about in more.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **about)
    chosen = parser.parse_args(arguments)
    chosen.started = time.monotonic()
    return chosen


@contextmanager
def progress_bar(label, total, shown=True):
    """Yield a function to call after each step; a terminal shows how many steps are done."""
    console = Console(stderr=True)
    shown = shown and console.is_terminal
    with Progress(
        console=console, transient=True, disable=not shown, redirect_stdout=False,
        redirect_stderr=False,
    ) as bar:  # fmt: skip
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)


def one_blas_thread():
    """Return a context in which BLAS runs in one thread: for small products more are no faster."""
    return threadpool_limits(limits=1, user_api="blas")


def on_all_cores(chosen, label, function, jobs):
    """Return what a function finds for each job, in order; quick runs use only this process."""
    with progress_bar(label, len(jobs)) as advance:
        if chosen.quick:
            return [(function(job), advance())[0] for job in jobs]
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            return [(found, advance())[0] for found in pool.map(function, jobs)]


def gradient_steps(objective, start, rate, steps=100):
    """Return the end of plain gradient steps; ``objective`` returns a value and its gradient."""
    x = np.array(start, dtype=float)
    for _ in range(steps):
        x = x + rate * objective(x)[1]
    return x


@contextmanager
def few_links():
    """Hide warnings about items with few comparisons, where the study is about such items."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        # A fit that failed is still said.
        warnings.filterwarnings("default", message=".*stopped early")
        yield


def sample(model, *, draws, seed, tune=500, chains=2):
    """Return the posterior of a PyMC model, by NUTS with nutpie, compiled with Numba."""
    import pymc as pm

    # What PyMC says about the draws is left out: the tables show the draws beside another method.
    log = logging.getLogger("pymc")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with model, warnings.catch_warnings():
            # About products with a column of coefficients, whose layout PyTensor chooses.
            warnings.filterwarnings("ignore", message="np.dot.. is faster on contiguous arrays")
            found = pm.sample(
                draws=draws, tune=tune, chains=chains, random_seed=seed, progressbar=False,
                nuts_sampler="nutpie", target_accept=0.8, compile_kwargs={"mode": "NUMBA"},
                compute_convergence_checks=False,
            )  # fmt: skip
    finally:
        log.setLevel(level)
    return found.posterior


def keep(chosen, name, table, figure=None):
    """Write a table, and a picture if there is one, and print where.

    Quick runs are written only if ``--out`` names a folder.
    """
    if chosen.quick and chosen.out.resolve() == results.resolve():
        return
    chosen.out.mkdir(parents=True, exist_ok=True)
    table.to_csv(chosen.out / f"{name}.csv", index=False)
    print(f"wrote {chosen.out / f'{name}.csv'}")
    if figure is not None:
        figure.savefig(chosen.out / f"{name}.png", dpi=110)
        print(f"wrote {chosen.out / f'{name}.png'}")


def with_error(value, error, digits=3):
    """Return a number with its standard error."""
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def markdown(table, chosen=None):
    """Return a frame as a markdown table; with options, the day and the duration below it."""
    cells = [[str(column) for column in table.columns], ["---"] * len(table.columns)]
    cells += [["" if value is None else str(value) for value in row] for row in table.to_numpy()]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    if chosen is not None:
        minutes = (time.monotonic() - chosen.started) / 60.0
        lines += ["", f"{date.today().isoformat()}, {minutes:.1f} minutes"]
    return "\n".join(lines)
