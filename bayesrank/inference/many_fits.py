"""Many independent fits: queries, seasons, segments, on local processes or on a Dask cluster."""

import hashlib
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.kept_fits import file_name, find_kept
from bayesrank.inference.process_pool import on_processes
from bayesrank.inference.threads import no_user_warnings
from bayesrank.model.likelihoods import default_likelihood
from bayesrank.progress import progress_bar
from bayesrank.results.files import save_compact
from bayesrank.results.fit import Fit
from bayesrank.results.methods import method_of
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ManyFits", "fit_many"]


class _Outcome(NamedTuple):
    """What came of a group."""

    result: Fit | Path | str  # a fit, the file where it is kept, or why there is none
    doubtful: bool = False
    unkept: str = ""  # why a fit could not be written to its file


class ManyFits(Mapping[Any, Fit]):
    """Fits by group; those on disk are read when they are asked for.

    Attributes
    ----------
    failures : dict
        What went wrong, by group.
    doubtful : list
        Groups whose draws should not be trusted yet, among those that were fitted now.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> groups = {"all": games, "three": games.subset(["Boston", "Detroit", "Toronto"])}
    >>> fits = br.fit_many(groups, method="map", processes=1, progress=False)
    >>> fits["three"].ranking()[["rank"]]
             rank
    item
    Detroit     1
    Toronto     2
    Boston      3
    """

    def __init__(self, keys: Iterable[Any]) -> None:
        self._kept: dict[Any, Fit | Path | None] = dict.fromkeys(keys)
        self.failures: dict[Any, str] = {}
        self.doubtful: list[Any] = []

    def _take(self, key: Any, outcome: "_Outcome") -> None:
        """Keep what came of a group."""
        if isinstance(outcome.result, str):
            self.failures[key] = outcome.result
            return
        if outcome.doubtful:
            self.doubtful.append(key)
        self._kept[key] = outcome.result

    def _give_up(self, why: str) -> None:
        """Say of the groups that are left that they will not be fitted."""
        for key, kept in self._kept.items():
            if kept is None:
                self.failures.setdefault(key, f"Not fitted, since others could not be kept: {why}")
        warnings.warn(
            f"{why} The fits end here: {len(self):,} of {len(self._kept):,} are there, this one in "
            "memory only, and `.failures` has the others. The same call goes on from there.",
            stacklevel=4,
        )

    def _interrupted(self, paths: Mapping[Any, Path]) -> str:
        """Return how many fits are done, and what becomes of them."""
        # Also those that were written and not heard of yet.
        there = [key for key, path in paths.items() if path.exists()]
        done = f"{len({*self, *there}):,} of {len(self._kept):,} fits"
        if not paths:
            return f"Fitting was interrupted; {done} were done. A `folder` would have kept them."
        folder = next(iter(paths.values())).parent
        return (
            f"Fitting was interrupted; {done} are kept in {str(folder)!r}: the same call goes on "
            "from there."
        )

    def _there(self) -> list[Any]:
        return [key for key, kept in self._kept.items() if kept is not None]

    def __getitem__(self, key: Any) -> Fit:
        if key in self.failures:
            raise KeyError(f"The fit of {key!r} failed: {self.failures[key]}")
        kept = self._kept[key]
        if kept is None:
            raise KeyError(key)
        return Fit.load(kept) if isinstance(kept, Path) else kept

    def __iter__(self) -> Iterator[Any]:
        return iter(self._there())

    def __len__(self) -> int:
        return len(self._there())

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"ManyFits({len(self)} fits{failed})"

    def ranking(self, prob: float = 0.95, *, tiers: str = "expected") -> "pd.DataFrame":
        """Return the rankings of all groups, one below the other, as `Fit.ranking` does.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> groups = {"all": games, "three": games.subset(["Boston", "Detroit", "Toronto"])}
        >>> fits = br.fit_many(groups, method="map", processes=1, progress=False)
        >>> fits.ranking().groupby("group").size().tolist()
        [7, 3]
        """
        import pandas as pd

        tables = {key: fit.ranking(prob, tiers=tiers) for key, fit in self.items()}
        return pd.concat(tables, names=["group"])


def fit_many(
    groups: Mapping[Any, Comparisons | Rankings] | Comparisons | Rankings,
    likelihood: str | None = None, *, folder: str | PathLike[str] | None = None,
    processes: int | None = None, client: Any = None, seconds: float | None = None,
    seed: int | None = None, on_result: Callable[[Any, Fit | None], Any] | None = None,
    progress: bool = True, **options: Any,
) -> ManyFits:  # fmt: skip
    """Fit the same model to many data sets that have nothing to do with each other.

    A group whose fit fails does not stop the others. With a folder, each result is written to it as
    soon as it is there, and what is there already, from the same data and options, is not fitted
    again. The random numbers of a group depend on the seed and its key alone, so that neither the
    number of processes nor the order in which they finish changes an answer.

    Parameters
    ----------
    groups : mapping of label to Comparisons or Rankings, or either with instances
        Instances become groups, each under its label.
    likelihood : str, optional
        As in `fit`.
    folder : str or path, optional
        Where results are kept, a file for each group that `Fit.load` reads. Without one they
        stay in memory.
    processes : int, optional
        Local processes, by default one for each core; 1 stays in this one, unless there is a
        limit of ``seconds``. A group whose process dies is tried again, three times at most.
    client : dask.distributed.Client, optional
        Fit on its cluster instead. Groups of a worker that dies go to another one.
    seconds : float, optional
        How long the fit of a group may take. One that takes longer is ended and is a failure.
        Starting a process and compiling do not count. Not on a cluster, which cannot end a fit.
    seed : int, optional
    on_result : callable, optional
        Called with (key, fit) as soon as a fit is done, and with (key, None) where it failed.
    progress : bool
        Whether to show progress.
    **options
        As in `fit`; for a quick look at thousands of groups method="laplace" or "map".

    Returns
    -------
    ManyFits
        The fits by group, and the failures.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> groups = {"all": games, "three": games.subset(["Boston", "Detroit", "Toronto"])}
    >>> fits = br.fit_many(groups, method="map", processes=1, progress=False)
    >>> list(fits)
    ['all', 'three']
    """
    groups = _checked_groups(groups)
    _require_limit(seconds, processes, client)
    if seed is None:
        entropy: Any = np.random.SeedSequence().entropy
        seed = int(entropy % 2**63) if folder is None else 0
    found, paths = ManyFits(groups), {}
    if folder is not None:
        # Other processes, and this one later on, may be at home in another folder.
        folder = Path(folder).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        about = likelihood, seed, options
        paths = {key: folder / file_name(key, data, *about) for key, data in groups.items()}
        found._kept |= find_kept(paths, Fit.load, progress)
    tasks = {
        key: (paths.get(key), data, likelihood, _seed_of(seed, key), options)
        for key, data in groups.items()
        if found._kept[key] is None
    }
    if client is not None:
        results = _on_cluster(tasks, client)
    else:
        first = None if seconds is None else _rehearsal(groups.values(), likelihood, options)
        results = on_processes(_fit_and_keep, tasks, processes, seconds=seconds, prepare=first)
    with progress_bar("fits", len(tasks), progress) as advance:
        _collect(found, results, paths, on_result, advance)
    return found


def _collect(
    found: ManyFits,
    results: Generator[tuple[Any, Any]],
    paths: Mapping[Any, Path],
    on_result: Callable[[Any, Fit | None], Any] | None,
    advance: Callable[[], None],
) -> None:
    """Take results as they come, until one cannot be kept; say what the user should know."""
    try:
        with closing(results):  # which ends the processes, whatever happens
            for key, result in results:
                outcome = _Outcome(result) if isinstance(result, str) else result
                found._take(key, outcome)
                if on_result is not None:
                    on_result(key, found.get(key))
                advance()
                if outcome.unkept:
                    found._give_up(outcome.unkept)
                    break
    except KeyboardInterrupt:
        raise KeyboardInterrupt(found._interrupted(paths)) from None
    if found.doubtful:
        warnings.warn(
            f"Do not trust {len(found.doubtful):,} of {len(found):,} fits yet: "
            f"{listing(found.doubtful)} (all in `.doubtful`). Their diagnostics() say why.",
            stacklevel=3,
        )


def _require_limit(seconds: float | None, processes: int | None, client: Any) -> None:
    """Refuse a limit that cannot be kept, and what does not go together."""
    if processes is not None and client is not None:
        raise ValueError("Give `processes` or `client`, not both.")
    if seconds is None:
        return
    if client is not None:
        raise ValueError(
            "`seconds` is for local processes: a Dask cluster cannot end a fit that has begun."
        )
    if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 < seconds < np.inf:
        raise ValueError(f"`seconds` must be a number greater than 0, got {seconds!r}.")


def _checked_groups(groups: Any) -> dict[Any, Any]:
    """Return the data by group; refuse what is not data."""
    groups = _by_instance(groups) if isinstance(groups, (Comparisons, Rankings)) else dict(groups)
    wrong = [key for key, data in groups.items() if not isinstance(data, (Comparisons, Rankings))]
    if wrong:
        raise TypeError(f"`groups` must hold Comparisons or Rankings: {listing(wrong)} do not.")
    return groups


def _by_instance(data: Any) -> dict[Any, Any]:
    """Return the data of each instance."""
    if data.instances is None:
        raise ValueError("`groups` must be a mapping of data by label, or data with instances.")
    return {label: data.subset(instances=[label]) for label in data.instances}


def _seed_of(seed: int, key: Any) -> int:
    digest = hashlib.sha256(f"{type(key).__name__} {key}".encode()).digest()
    words = [int.from_bytes(digest[k : k + 4], "big") for k in (0, 4, 8, 12)]
    return int(np.random.SeedSequence([seed, *words]).generate_state(1)[0])


def _fit_one(
    data: Any, likelihood: str | None, seed: int | None, options: dict[str, Any]
) -> Fit | str:
    """Return a fit, or what went wrong."""
    from bayesrank.inference import fit

    try:
        with no_user_warnings():  # of groups that hang together loosely there may be thousands
            return fit(data, likelihood, seed=seed, **({"progress": False} | options))
    except Exception as error:  # a group's failure is its own, whatever it is
        return f"{type(error).__name__}: {error}"


def _fit_and_keep(
    path: Path | None, data: Any, likelihood: str | None, seed: int | None, options: dict[str, Any]
) -> _Outcome:
    """Fit a group where the data are, and keep the fit there, so that only its name travels."""
    fit = _fit_one(data, likelihood, seed, options)
    if isinstance(fit, str):
        return _Outcome(fit)
    outcome = _Outcome(fit, any(finding.failed for finding in fit.diagnostics().findings))
    return outcome if path is None else _kept(outcome, path)


def _kept(outcome: _Outcome, path: Path) -> _Outcome:
    """Write a fit to its file."""
    try:
        save_compact(outcome.result, path)
    except OSError as error:
        return outcome._replace(unkept=f"'{path}' cannot be written: {error.strerror or error}.")
    except ValueError as error:  # of labels that no file can hold
        return _Outcome(f"ValueError: {error}")
    return outcome._replace(result=path)


def _rehearsal(
    groups: Iterable[Any], likelihood: str | None, options: dict[str, Any]
) -> Callable[[], Any]:
    """Return what a process does before its first fit, so that time counts for fits alone."""
    kinds = {(data.row, likelihood or default_likelihood(data)) for data in groups}
    method = {name: value for name, value in options.items() if name in ("method", "sampler")}
    return partial(_rehearse, sorted(kinds), method)


def _rehearse(kinds: list[tuple[str, str]], method: dict[str, Any]) -> list[Fit | str]:
    """Import and compile what fits need, by fits to a handful of results."""
    few: dict[str, Any] = {"draws": 10, "chains": 2} | method
    if method_of(few.get("method", "nuts")).has_chains:
        few["tune"] = 10
    fits = []
    for row, likelihood in kinds:
        data: Any = Rankings.from_lists([["a", "b", "c"], ["c", "a", "b"]])
        if row != data.row:
            data = Comparisons.from_matrix([[0, 2, 1], [1, 0, 1], [1, 1, 0]], ["a", "b", "c"])
        fits.append(_fit_one(data, likelihood, 1, few))
    return fits


def _on_cluster(tasks: dict[Any, Any], client: Any) -> Generator[tuple[Any, Any]]:
    """Yield each key with its result from a Dask cluster, as they come.

    Its workers may not see the folder, so that results are kept here.
    """
    from dask.distributed import as_completed

    futures = {
        client.submit(_fit_and_keep, None, *task, pure=False): key
        for key, (_, *task) in tasks.items()
    }
    for future in as_completed(futures):
        key = futures[future]
        path = tasks[key][0]
        try:
            outcome = future.result()
        except Exception as error:
            outcome = _Outcome(f"{type(error).__name__}: {error}")
        is_fit = not isinstance(outcome.result, str)
        yield key, _kept(outcome, path) if is_fit and path is not None else outcome
        future.release()
