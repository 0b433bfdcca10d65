"""What the parts of a fit may ask of the whole, for those who read and check types."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.model.specification import Specification
from bayesrank.results.methods import Method

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.results.diagnostics import Diagnostics

__all__ = ["FitPart"]


class FitPart:
    """A part of `bayesrank.results.fit.Fit`, which has all that is named here."""

    specification: Specification
    method: str
    posterior: dict[str, np.ndarray]
    note: str
    seed: int | None
    tune: int | None
    part: bool
    options: dict[str, Any]

    if TYPE_CHECKING:

        @property
        def kind(self) -> Method: ...
        @property
        def shape(self) -> tuple[int, int]: ...
        @property
        def idata(self) -> Any: ...
        def scores(self, features: Any = None) -> np.ndarray: ...
        def values(self, draw: int) -> dict[str, Any]: ...
        def spaced_draws(self, draws: int) -> np.ndarray: ...
        def diagnostics(self) -> Diagnostics: ...
        def _require_draws(self, what: str) -> None: ...
        @property
        def _moment(self) -> Any: ...
        def at(self, time: Any = None) -> Any: ...

        _category: int | None

        def _in_this_category(self, scores: np.ndarray, items: Any = ...) -> np.ndarray: ...
        def in_category(self, category: Any) -> Any: ...
        def _item_values(self, draw: int) -> dict[str, Any]: ...
        def _flat(self, name: str) -> np.ndarray: ...
        def _index(self, name: str = "item") -> pd.Index: ...
        def _require_one_instance(self, what: str) -> None: ...
