"""Simulation-based calibration: whether a method finds what data were simulated from.

Parameters are drawn from the prior, data from the model with these parameters, and the model is
fitted to the data. If the fit is right, the rank of each true value among its posterior draws is
uniform (Talts et al. 2018): too many ranks at both ends mean that intervals are too narrow, too
many in the middle that they are too wide, too many at one end a bias. The log-likelihood is looked
at as well, since it sees what no single parameter does (Modrak et al. 2023).
"""

from collections.abc import Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.calibration.uniformity import p_value
from bayesrank.data.checks import whole_number
from bayesrank.inference.process_pool import on_processes
from bayesrank.progress import progress_bar
from bayesrank.results.methods import METHODS, names_with_draws
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.model.specification import Specification

__all__ = ["Calibration", "calibrate"]


@dataclass(frozen=True, eq=False)
class Calibration:
    """How ranks of true values among posterior draws are distributed.

    Attributes
    ----------
    ranks : ndarray of int, replicates by quantities
        Number of draws below the true value, from 0 to ``draws``.
    names : list of str
        The quantities: scores of items, other parameters, and "log_likelihood".
    draws : int
        Posterior draws that each true value was compared with.
    method, likelihood : str
    failures : list of str
        What happened where a fit failed; those replicates are left out.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> model = br.Specification(games, "bradley-terry", scale=1.0)
    >>> found = br.calibrate(model, 20, method="laplace", seed=1, processes=1, progress=False)
    >>> found.ranks.shape
    (20, 8)
    """

    ranks: np.ndarray = field(repr=False)
    names: list[Any] = field(repr=False)
    draws: int
    method: str
    likelihood: str
    failures: list[Any] = field(default_factory=list, repr=False)

    def table(self) -> "pd.DataFrame":
        """Return for each quantity whether its ranks look uniform, the worst first.

        Returns
        -------
        pandas.DataFrame
            Indexed by quantity: p, the probability of ranks at least as uneven if the method is
            right; p_adjusted, the same for all quantities at once (Holm); shift, the mean rank
            less one half, in units of all draws; spread, the ranks' standard deviation by that
            of uniform ones: above 1 intervals are too narrow, below 1 too wide.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> model = br.Specification(games, "bradley-terry", scale=1.0)
        >>> found = br.calibrate(model, 20, method="laplace", seed=1, processes=1, progress=False)
        >>> found.table().columns.tolist()
        ['p', 'p_adjusted', 'shift', 'spread']
        """
        import pandas as pd

        place = (self.ranks + 0.5) / (self.draws + 1)
        p = np.array([p_value(column, self.draws) for column in self.ranks.T])
        order = np.argsort(p)
        adjusted = np.empty_like(p)
        adjusted[order] = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
        uniform = np.sqrt((1.0 - (self.draws + 1.0) ** -2) / 12.0)
        columns = {
            "p": p,
            "p_adjusted": np.minimum(adjusted, 1.0),
            "shift": place.mean(axis=0) - 0.5,
            "spread": np.sqrt(np.mean((place - 0.5) ** 2, axis=0)) / uniform,
        }
        return pd.DataFrame(columns, pd.Index(self.names, name="quantity")).sort_values("p")

    def passes(self, level: float = 0.01) -> bool:
        """Whether nothing speaks against the method, at a level for all quantities at once.

        Parameters
        ----------
        level : float
            Probability that a method that is right fails.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> model = br.Specification(games, "bradley-terry", scale=1.0)
        >>> found = br.calibrate(model, 40, method="laplace", seed=1, processes=1, progress=False)
        >>> found.passes()
        True
        """
        return bool(self.table()["p_adjusted"].min() > level)

    def plot(self, names: Sequence[str] | None = None, prob: float = 0.95, axes: Any = None) -> Any:
        """Draw histograms of ranks and how their distribution departs from uniform.

        Parameters
        ----------
        names : list of str, optional
            Quantities; by default the six least uniform ones.
        prob : float
            Probability that the whole line of a quantity stays in the band if the method is right.
        axes : array of axes, 2 by quantities, optional

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> model = br.Specification(games, "bradley-terry", scale=1.0)
        >>> found = br.calibrate(model, 20, method="laplace", seed=1, processes=1, progress=False)
        >>> found.plot(["log_likelihood"]).shape
        (2, 1)
        """
        from bayesrank.plots.calibration import plot_calibration

        return plot_calibration(self, names, prob=prob, axes=axes)

    def __str__(self) -> str:
        table = self.table()
        worst = table.iloc[0]
        said = (
            f'{self.method} on "{self.likelihood}": {len(self.ranks)} replicates, '
            f"{len(self.names)} quantities; the least uniform is {table.index[0]} "
            f"(p = {worst['p']:.3g}, {worst['p_adjusted']:.3g} allowing for all of them)."
        )
        if self.failures:
            said += f" {len(self.failures)} fits failed: {listing(sorted(set(self.failures)))}."
        return said


def calibrate(
    specification: "Specification", n: int = 200, *, method: str = "nuts", draws: int = 99,
    seed: int | None = None, processes: int | None = None, progress: bool = True, **options: Any,
) -> Calibration:  # fmt: skip
    """Check by simulation whether true values are where a method's posteriors say.

    Parameters
    ----------
    specification : Specification
        The model, with the design of its data: who meets whom how often, which items are in which
        rankings. What was observed there plays no role.
    n : int
        Number of data sets. 200 see intervals that are too narrow by a sixth, 1 000 by a fifteenth.
    method : "nuts", "advi" or "laplace"
    draws : int
        Posterior draws to compare with, evenly spaced among all that the method makes.
    seed : int, optional
    processes : int, optional
        Processes that work at the same time, by default one for each core; 1 stays in this one.
    progress : bool
        Whether to show progress.
    **options
        Of the method, as in `fit`: chains, tune, full_rank, ... Those of NUTS make 1 000 draws in
        two chains by default.

    Returns
    -------
    Calibration

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> model = br.Specification(games, "bradley-terry", scale=1.0)
    >>> found = br.calibrate(model, 20, method="laplace", seed=1, processes=1, progress=False)
    >>> found.passes()
    True
    """
    if method not in names_with_draws():
        known = listing(names_with_draws())
        raise ValueError(f"`method` must be one of {known}, got {method!r}.")
    for name, value in (("n", n), ("draws", draws)):
        whole_number(name, value, 2)
    if specification.flat:
        raise ValueError("A flat prior cannot be drawn from: choose a finite `scale`.")
    seeds = np.random.SeedSequence(seed).spawn(n)
    tasks = [(specification, method, draws, options, one) for one in seeds]
    ranks, failures = [], []
    numbered = {k: (task,) for k, task in enumerate(tasks)}
    with (
        progress_bar("calibration", n, progress) as advance,
        closing(on_processes(_replicate, numbered, processes)) as results,
    ):
        for _, found in results:
            if isinstance(found, str):
                failures.append(found)
            else:
                ranks.append(found)
            advance()
    if not ranks:
        raise RuntimeError(f"Every fit failed: {listing(sorted(set(failures)))}.")
    names = list(ranks[0])
    table = np.array([[one[name] for name in names] for one in ranks])
    return Calibration(table, names, draws, method, specification.likelihood, failures)


def _replicate(task: Any) -> dict[str, int] | str:
    """Return the rank of each quantity in one data set, or what went wrong."""
    from bayesrank.inference import fit_specification

    specification, method, draws, options, seed = task
    data_seed, fit_seed = (int(child.generate_state(1)[0]) for child in seed.spawn(2))
    true = {name: value[0] for name, value in specification.prior(1, seed=data_seed).items()}
    try:
        simulated = with_new_data(specification, true, np.random.default_rng(data_seed + 1))
        if METHODS[method].has_chains:
            options = {"draws": 500, "chains": 2} | options
        fit = fit_specification(simulated, method, seed=fit_seed, **options)
        kept = fit.spaced_draws(draws)
        posterior = [_quantities(simulated, fit.values(draw), fit, draw) for draw in kept]
        value = _quantities(simulated, true)
    except (ArithmeticError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    rng = np.random.default_rng(fit_seed)
    return {name: _rank(value[name], [one[name] for one in posterior], rng) for name in value}


def with_new_data(
    specification: "Specification", values: dict[str, Any], rng: np.random.Generator
) -> "Specification":
    """Return the specification with data drawn from it at given parameter values."""
    drawn = specification.observation.draw(values, rng)
    simulated = copy(specification)
    simulated.data = specification.data.with_outcomes(drawn)
    # Where scores move, the items of an observation are states.
    seen = specification.observation.data.with_outcomes(drawn)
    simulated.observation = specification.observation.with_data(seen)
    return simulated


def _quantities(
    specification: "Specification", values: dict[str, Any], fit: Any = None, draw: int = 0
) -> dict[str, Any]:
    """Return every scalar of the model by its name, and the log-likelihood."""
    if fit is not None:
        chain, place = divmod(int(draw), fit.shape[1])
        named = {name: fit.posterior[name][chain, place] for name in specification.names}
    else:
        named = {name: values[name] for name in specification.names}
    found = {}
    for name, value in named.items():
        for k, number in enumerate(np.ravel(value)):
            found[name if np.ndim(value) == 0 else f"{name}[{k}]"] = float(number)
    found["log_likelihood"] = float(specification.observation.log_likelihood(values).sum())
    return found


def _rank(value: float, draws: Any, rng: np.random.Generator) -> int:
    """Return how many draws are below a value, ties at random."""
    draws = np.asarray(draws)
    return int(np.sum(draws < value) + rng.integers(0, np.sum(draws == value) + 1))
