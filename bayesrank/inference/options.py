"""How a method runs: the arguments of `bayesrank.fit` that are not about the model."""

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from bayesrank.data.checks import whole_number
from bayesrank.results.methods import Method, method_with

__all__ = ["Options"]


@dataclass(frozen=True)
class Options:
    """What a method of fitting is told, besides the model.

    Attributes
    ----------
    draws, chains : int
        Size of the sample: draws per chain, and number of chains. ADVI and Laplace draw
        ``draws * chains`` independent points. MAP is one point.
    tune : int, optional
        Warm-up of NUTS per chain. By default 400, and 1000 with PyMC's sampler.
    target_accept : float, optional
        Acceptance rate of NUTS. By default 0.8. It is higher where there are few parameters,
        where there may be several peaks, and where PyMC's sampler learns the prior scale.
    steps : int, optional
        Optimisation steps of ADVI. By default 1 000, and 3 000 where ``full_rank`` is given.
    full_rank : bool, optional
        Which normal distribution ADVI fits. By default it has the correlations of the normal
        approximation at the mode for each prior scale, and spreads of its own. False:
        independent parameters. True: any covariance.
    sampler : "nutpie" or "pymc"
        Which NUTS: nutpie on the compiled code of the likelihood, or PyMC's on the PyMC model.
    seed : int, optional
        The same seed gives the same result. MAP needs none.
    progress : bool
        Whether to show progress.
    start : dict, optional
        Values of the parameters, by name, from which MAP looks for the mode, where it finds the
        same one from anywhere: those of less data, say.
    """

    draws: int = 1000
    chains: int = 4
    tune: int | None = None
    target_accept: float | None = None
    steps: int | None = None
    full_rank: bool | None = None
    sampler: str = "nutpie"
    seed: int | None = None
    progress: bool = False
    start: dict[str, Any] | None = field(default=None, compare=False)

    @property
    def total(self) -> int:
        """Number of draws of all chains together."""
        return self.draws * self.chains

    @property
    def special(self) -> dict[str, Any]:
        """What was told beyond the size of the sample, the warm-up and the seed."""
        names = ("target_accept", "steps", "full_rank", "sampler")
        usual = {known.name: known.default for known in fields(self)}
        return {name: getattr(self, name) for name in names if getattr(self, name) != usual[name]}

    def require_valid(self) -> None:
        """Refuse values that no method could use."""
        for name, least in (("draws", 1), ("chains", 1), ("steps", 1), ("tune", 0)):
            value = getattr(self, name)
            if value is None and name in ("steps", "tune"):
                continue
            whole_number(name, value, least, booleans=True)
        if self.target_accept is not None and not 0.0 < self.target_accept < 1.0:
            raise ValueError(
                f"`target_accept` must be between 0 and 1, got {self.target_accept!r}."
            )
        if self.seed is not None:
            whole_number("seed", self.seed, 0, booleans=True)
        if self.full_rank is not None and not isinstance(self.full_rank, (bool, np.bool_)):
            raise ValueError(f"`full_rank` must be True, False or None, got {self.full_rank!r}.")

    def require_used_by(self, method: Method) -> None:
        """Refuse what a `Method` would ignore because it is for another one."""
        for known in fields(self):
            value, owner = getattr(self, known.name), method_with(known.name)
            given = value is not None and value != known.default
            if given and owner is not None and owner is not method:
                raise ValueError(
                    f'`{known.name}` is for method="{owner.name}", not for "{method.name}".'
                )
