"""Many independent fits: queries, seasons, segments, on local processes or on a Dask cluster."""

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.process_pool import on_processes
from bayesrank.progress import progress_bar
from bayesrank.results.fit import Fit
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ManyFits", "fit_many"]


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

    def _take(self, key: Any, result: Fit | str, path: Path | None) -> Fit | None:
        """Keep the result of a group, in a file if there is a path; return the fit, if it is one.

        A text is the reason why the fit failed.
        """
        if isinstance(result, str):
            self.failures[key] = result
            return None
        if any(finding.failed for finding in result.diagnostics().findings):
            self.doubtful.append(key)
        self._kept[key] = result if path is None else _kept(result, path)
        return result

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

    def ranking(self, prob: float = 0.95) -> "pd.DataFrame":
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

        tables = {key: fit.ranking(prob) for key, fit in self.items()}
        return pd.concat(tables, names=["group"])


def fit_many(
    groups: Mapping[Any, Comparisons | Rankings] | Comparisons | Rankings,
    likelihood: str | None = None, *, folder: str | PathLike[str] | None = None,
    processes: int | None = None, client: Any = None, seed: int | None = None,
    on_result: Callable[[Any, Fit | None], Any] | None = None, progress: bool = True,
    **options: Any,
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
        Where results are kept, a netCDF file for each group. Without one they stay in memory.
    processes : int, optional
        Local processes, by default one for each core; 1 stays in this one.
    client : dask.distributed.Client, optional
        Fit on its cluster instead. Groups of a worker that dies go to another one.
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
    if processes is not None and client is not None:
        raise ValueError("Give `processes` or `client`, not both.")
    if folder is not None:
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
    if seed is None:
        entropy: Any = np.random.SeedSequence().entropy
        seed = int(entropy % 2**63) if folder is None else 0
    found, tasks = ManyFits(groups), {}
    for key, data in groups.items():
        path = None if folder is None else folder / _name(key, data, likelihood, seed, options)
        if path is not None and path.exists():
            found._kept[key] = path
        else:
            tasks[key] = (data, likelihood, _seed_of(seed, key), options), path
    arguments = {key: task for key, (task, _) in tasks.items()}
    on_cluster, here = client is not None, (_fit_one, arguments, processes)
    results = _on_cluster(arguments, client) if on_cluster else on_processes(*here)
    with progress_bar("fits", len(tasks), progress) as advance:
        for key, result in results:
            fitted = found._take(key, result, tasks[key][1])
            if on_result is not None:
                on_result(key, fitted)
            advance()
    if found.doubtful:
        warnings.warn(
            f"Do not trust {len(found.doubtful):,} of {len(found):,} fits yet: "
            f"{listing(found.doubtful)} (all in `.doubtful`). Their diagnostics() say why.",
            stacklevel=2,
        )
    return found


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


def _name(key: Any, data: Any, likelihood: str | None, seed: int, options: dict[str, Any]) -> str:
    """Return a file's name that changes with anything that the result depends on."""
    digest = hashlib.sha256()
    about = {"key": key, "likelihood": likelihood, "seed": seed, "options": options}
    for part in _content(about | {"data": vars(data)}):
        digest.update(len(part).to_bytes(8, "big") + part)
    readable = "".join(c if c.isalnum() else "-" for c in str(key))[:40]
    return f"{readable}-{digest.hexdigest()[:16]}.nc"


def _content(value: Any) -> Iterator[bytes]:
    """Yield bytes that tell a value from all others; what is printed of a table is only a part."""
    value = nw.from_native(value, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(value, Mapping):
        yield f"mapping of {len(value)}".encode()
        for name in sorted(value, key=repr):
            yield from _content(name)
            yield from _content(value[name])
    elif isinstance(value, (list, tuple)):
        yield f"{type(value).__name__} of {len(value)}".encode()
        for part in value:
            yield from _content(part)
    elif isinstance(value, (nw.DataFrame, nw.Series)):
        index = nw.maybe_get_index(value)
        yield from _content([] if index is None else list(index))
        columns = [value] if isinstance(value, nw.Series) else value.iter_columns()
        for column in columns:
            yield from _content([column.name, column.to_list()])
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype} {value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, np.ndarray):
        yield from _content(value.tolist())
    else:
        yield f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")


def _kept(fit: Fit, path: Path) -> Path:
    """Write a fit and return where it is."""
    fit.save(path)
    return path


def _fit_one(
    data: Any, likelihood: str | None, seed: int | None, options: dict[str, Any]
) -> Fit | str:
    """Return a fit, or what went wrong."""
    from bayesrank.inference import fit

    try:
        with warnings.catch_warnings():
            # Of groups that hang together loosely there may be thousands.
            warnings.simplefilter("ignore", UserWarning)
            return fit(data, likelihood, seed=seed, **({"progress": False} | options))
    except Exception as error:  # a group's failure is its own, whatever it is
        return f"{type(error).__name__}: {error}"


def _on_cluster(tasks: dict[Any, Any], client: Any) -> Iterator[tuple[Any, Fit | str]]:
    """Yield each key with its result from a Dask cluster, as they come."""
    from dask.distributed import as_completed

    futures = {client.submit(_fit_one, *task, pure=False): key for key, task in tasks.items()}
    for future in as_completed(futures):
        key = futures[future]
        try:
            yield key, future.result()
        except Exception as error:
            yield key, f"{type(error).__name__}: {error}"
        future.release()
