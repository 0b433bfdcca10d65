"""A fit and what can be asked of it."""

from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank.model.features import entry_matrix
from bayesrank.results.categories import Categories
from bayesrank.results.diagnostics import Diagnostics, diagnose
from bayesrank.results.groups import complete, posterior_dataset
from bayesrank.results.histories import Histories
from bayesrank.results.instances import SeparateInstances
from bayesrank.results.methods import method_of, names_with_draws
from bayesrank.results.moment_answers import MomentAnswers
from bayesrank.results.pictures import ModelPictures
from bayesrank.results.predictions import ModelPredictions
from bayesrank.results.stopping import Stopping
from bayesrank.results.suggestions import Suggestions
from bayesrank.results.tables import ModelTables
from bayesrank.results.updates import Updates
from bayesrank.text import either

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import pymc as pm
    import xarray as xr

    from bayesrank.model.specification import Specification
    from bayesrank.results.methods import Method

__all__ = ["Fit"]


class Fit(
    MomentAnswers, ModelTables, ModelPredictions, ModelPictures, Histories, Categories,
    SeparateInstances, Suggestions, Stopping, Updates,
):  # fmt: skip
    """The result of `bayesrank.fit`.

    Attributes
    ----------
    specification : Specification
        The model and its data.
    method : str
        How it was fitted.
    posterior : dict of ndarray
        Draws of every named quantity, chains by draws by its own shape. A MAP fit has one.
    note : str
        What the method itself reported.
    seed : int or None
        The seed that was given.
    tune : int or None
        Warm-up of each chain, if it is known.
    part : bool
        Whether it is one instance of a fit of several.
    options : dict
        What else the method was told, such as ``target_accept``.
    updated : Update or None
        How new results came into the fit by `update`, if they did; as a text, a sentence.

    Examples
    --------
    >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
    >>> fit.ranking()[["rank", "rank_low", "rank_high", "tier"]]
          rank  rank_low  rank_high  tier
    item
    6        1         1          6     1
    2        2         1          6     1
    4        3         1          6     1
    3        4         1          6     1
    5        5         1          6     1
    1        6         1          6     1
    >>> fit.parameters().round(2)
              mean    sd   low  high
    scale     0.10  0.09  0.00  0.34
    nu        0.75  0.06  0.64  0.87
    tie_rate  0.27  0.02  0.24  0.30
    """

    def __init__(
        self, specification: "Specification", method: str, posterior: dict[str, np.ndarray],
        idata: Any = None, note: str = "",
    ) -> None:  # fmt: skip
        self.specification = specification
        self.method = method
        self.posterior = posterior
        self.note = note
        self.seed = None
        self.tune = None
        self.part = False
        self.options: dict[str, Any] = {}
        self._idata = idata
        self._stats: xr.Dataset | None = None

    @classmethod
    def from_points(
        cls, specification: "Specification", method: str, points: np.ndarray,
        stats: "xr.Dataset | None" = None, note: str = "",
    ) -> Self:  # fmt: skip
        """Make a fit from points in the unconstrained space: chains by draws by free numbers.

        Parameters
        ----------
        specification : Specification
        method : str
        points : ndarray
        stats : xarray.Dataset, optional
            The sampler's statistics of each draw.
        note : str

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("baseball"), "bradley-terry", scale=1.0)
        >>> points = np.zeros((1, 10, model.size))  # one chain of ten draws, all at zero
        >>> br.Fit.from_points(model, "my own", points).scores().shape
        (10, 7)
        """
        posterior: dict[str, np.ndarray] = {}
        for c, chain in enumerate(points):
            for d, point in enumerate(chain):
                for name, value in specification.constrain(point).items():
                    if name not in posterior:
                        posterior[name] = np.empty((len(points), len(chain), *np.shape(value)))
                    posterior[name][c, d] = value
        made = cls(specification, method, posterior, note=note)
        made._stats = stats
        return made

    @classmethod
    def from_idata(cls, specification: "Specification", method: str, idata: Any) -> Self:
        """Make a fit from a sampler's results.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> again = br.Fit.from_idata(fit.specification, "laplace", fit.idata)
        >>> np.array_equal(again.scores(), fit.scores())
        True
        """
        names = [*specification.names, "effect"]
        group = idata["posterior"]
        posterior = {name: group[name].values for name in names if name in group}
        return cls(specification, method, posterior, idata=complete(specification, idata))

    def __repr__(self) -> str:
        chains, draws = self.shape
        size = "" if self.kind.is_point else f", {chains} x {draws} draws"
        lines = [f"Fit of {self.specification!r} by {self.method}{size}"]
        if self.specification.has_scores:
            data = self.specification.data
            best = np.argsort(-self.scores().mean(axis=0), kind="stable")
            if data.instances is None:
                best = self._index()[best[:5]]
                lines.append(f"best: {', '.join(str(item) for item in best)}")
            else:
                lines.append(f"{len(data.instances):,} instances; fit.ranking() has them all")
        return "\n  ".join([*lines, self.diagnostics().summary])

    @property
    def kind(self) -> "Method":
        """What the method can do: whether it has draws, chains, and so on.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.kind.is_point, fit.kind.has_chains, fit.kind.is_approximate
        (False, False, True)
        """
        return method_of(self.method)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of chains and of draws in each.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.shape
        (1, 4000)
        """
        return next(iter(self.posterior.values())).shape[:2]

    def scores(self, features: Any = None) -> np.ndarray:
        """Return draws of scores, all chains together: draws by items, or by rows of features.

        Where scores move they are those of the items of `ranking`, sorted by name.

        Parameters
        ----------
        features : data frame or array, rows by columns, optional
            New items or documents, described by the columns that the model was fitted to. Their
            score is what the features add up to: relative to the average item where they belong
            to items, and to each other where they belong to the entries of a ranking.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.scores().shape
        (4000, 7)
        """
        if features is not None:
            rows = self._new_rows(features)
            return self._flat("beta") @ rows.T
        if not self.specification.has_scores:
            raise ValueError(
                "Items have no scores of their own in this model, only entries have, by their "
                "features: use fit.scores(features) or fit.predict(features)."
            )
        if self.specification.moves is None:
            return self._in_this_category(self._flat("score"))
        return self._in_this_category(self._moment.scores, self._moment.items)

    def _flat(self, name: str) -> np.ndarray:
        values = self.posterior[name]
        return values.reshape(-1, *values.shape[2:])

    def _new_rows(self, features: Any) -> np.ndarray:
        names = self.specification.feature_names
        if not names:
            raise ValueError("This model was fitted without features.")
        matrix = entry_matrix(features, names, self.specification.given_feature_names or names)
        means = self.specification.feature_means
        return matrix if means is None else matrix - means

    @cached_property
    def model(self) -> "pm.Model":
        """The model as a `pm.Model`.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> sorted(variable.name for variable in fit.model.free_RVs)
        ['scale', 'score', 'tie_rate']
        """
        return self.specification.pymc()

    @property
    def idata(self) -> Any:
        """Everything as ArviZ groups: posterior, observed_data, constant_data, and so on.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.idata.posterior["score"].dims
        ('chain', 'draw', 'item')
        """
        if self._idata is None:
            from bayesrank import _compat

            groups = {"posterior": posterior_dataset(self.specification, self.posterior)}
            if self._stats is not None:
                groups["sample_stats"] = self._stats
            self._idata = complete(self.specification, _compat.make_idata(groups))
        return self._idata

    def diagnostics(self) -> Diagnostics:
        """Return whether the draws can be trusted, in words, and what to do if not.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> fit.diagnostics().messages
        []
        """
        return self._diagnostics

    @cached_property
    def _diagnostics(self) -> Diagnostics:
        return diagnose(self)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        prob: float = 0.95,
        tiers: str = "expected",
    ) -> "Path":
        """Write one self-contained HTML page with everything that is known.

        The page is about the time that the fit is about. Of scores that move it also draws lines
        over time, with the ranking at any time of the data.

        Parameters
        ----------
        path : str or path
            Ending in .html.
        title : str, optional
        prob : float
            Probability of the intervals and sets, and what the tiers promise.
        tiers : "expected" or "certain"
            The rule of `tiers`.

        Returns
        -------
        pathlib.Path

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> page = fit.report(Path(tempfile.mkdtemp()) / "baseball.html", title="Baseball")
        >>> page.name
        'baseball.html'
        """
        from bayesrank.report import write_report

        return write_report(self, path, title=title, prob=prob, tiers=tiers)

    def _labelled(self, what: str, *, point: bool = False) -> "tuple[np.ndarray, pd.Index]":
        scores = self.scores()  # which raises an error where items have none
        if not point:
            self._require_draws(what)
        self._require_one_instance(f"{what}()")
        return scores, self._index()

    def _require_draws(self, what: str) -> None:
        if self.kind.is_point:
            names = either([f'"{name}"' for name in names_with_draws()])
            raise ValueError(
                f"`{what}` needs posterior draws, and a MAP fit has none; fit again with "
                f"method={names}."
            )

    def values(self, draw: int) -> dict[str, Any]:
        """Return the parameters of one draw, chains laid end to end.

        Examples
        --------
        >>> fit = br.fit(br.load_dataset("pudding"), "davidson", method="laplace", seed=1)
        >>> sorted(fit.values(0))
        ['score', 'tie_rate']
        """
        chain, draw = divmod(draw, self.shape[1])
        known = self.specification.quantities.items()
        names = [name for name, quantity in known if quantity.enters and name in self.posterior]
        return {name: self.posterior[name][chain, draw] for name in names}

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fit, with its data and model, to a netCDF file.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> path = Path(tempfile.mkdtemp()) / "baseball.nc"
        >>> fit.save(path)
        >>> br.Fit.load(path).ranking().equals(fit.ranking())
        True
        """
        from bayesrank.results.files import save

        save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Fit":
        """Read a fit that `save` wrote.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
        >>> path = Path(tempfile.mkdtemp()) / "baseball.nc"
        >>> fit.save(path)
        >>> br.Fit.load(path).method
        'laplace'
        """
        from bayesrank.results.files import load

        return load(path, cls)
