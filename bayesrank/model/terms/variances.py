"""On which items agents agree: variances of the multinomial preference model."""

from typing import Any

import numpy as np

from bayesrank.data.instances import item_keys
from bayesrank.kernels.native_mpm import EXTREME
from bayesrank.model.numbers_by_label import numbers_by_label
from bayesrank.model.parameters import ZeroSum
from bayesrank.model.protocols import Parameter, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["Variances"]

# Prior standard deviation of the variances' logarithms: most within a factor of e of each other.
SCALE = 0.5


class Variances(PlainTerm):
    """Variances with geometric mean one half in each instance, or given ones.

    Without them the model has d = s_i - s_j; their logarithms are normal.

    Parameters
    ----------
    argument : bool, mapping or array, optional
        Whether variances are parameters (none is yes); otherwise one half, or the given ones.
    data : Comparisons or Rankings
    starts : ndarray of int, optional
        Where the items of each instance start, and where the last one ends.
    flat : bool
        Whether the prior is flat.
    """

    def __init__(
        self, argument: Any, data: Any, starts: np.ndarray | None = None, *, flat: bool = False
    ) -> None:
        if isinstance(argument, np.bool_):
            argument = bool(argument)
        self.learned = argument is None or argument is True
        self.given: np.ndarray | None = None
        if not self.learned and argument is not False:
            smallest = np.nextafter(0.0, 1.0)
            self.given = numbers_by_label(
                "variances", argument, item_keys(data), "item", smallest, np.inf
            )
        self.items, self.starts, self.flat = len(data.items), starts, flat

    @property
    def equal(self) -> bool:
        """Whether all variances are one half."""
        return not self.learned and self.given is None

    @property
    def parameters(self) -> list[Parameter]:
        if not self.learned:
            return []
        words = "Logarithms of the variances (relative to one half)"
        sigma = np.inf if self.flat else SCALE
        return [ZeroSum("log_variance", self.items, sigma, words, starts=self.starts)]

    @property
    def quantities(self) -> list[Quantity]:
        return [Quantity("variance", ("item",), ratio=True)] if self.learned else []

    def derive(self, values: Values, maths: Any) -> Values:
        if not self.learned:
            return {}
        log = maths.minimum(maths.maximum(values["log_variance"], -EXTREME), EXTREME)
        return {"variance": 0.5 * maths.exp(log)}

    def of(self, values: Values) -> np.ndarray | None:
        """Return the variances of the items in a draw, or none where they are one half."""
        if not self.learned:
            return self.given
        return values["variance"] if "variance" in values else self.derive(values, np)["variance"]
