"""What a likelihood, a term, a parameter and an observation must offer.

A model is a likelihood and a predictor. The predictor is a list of terms, each with parameters of
its own; the observation is the data under the likelihood. From these follow the PyMC face, the
objective and the native function; see `bayesrank.model.specification`.
"""

from typing import Any, Protocol

import numpy as np

__all__ = ["Likelihood", "Observation", "Parameter", "Program", "Term", "Values"]

Values = dict[str, Any]
"""Values of quantities by name: of one draw as arrays, or of a graph as tensors."""


class Parameter(Protocol):
    """A parameter with its prior; see `bayesrank.model.parameters` for those that there are."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> str: ...  # what its prior's sentence starts with
    @property
    def dims(self) -> str | None: ...
    @property
    def kind(self) -> int: ...  # which transform, one of `kernels.posterior.transforms`
    @property
    def size(self) -> int: ...  # free numbers
    @property
    def length(self) -> int: ...  # numbers that these stand for
    @property
    def sigma(self) -> Any: ...  # prior standard deviation of the free numbers
    @property
    def scale(self) -> str | None: ...  # the learned scale whose units it has
    @property
    def bounded(self) -> bool: ...  # whether its mode may be at an end
    @property
    def sentence(self) -> str: ...  # its prior in words
    def variable(self) -> Any: ...
    def draw(self, rng: np.random.Generator) -> Any: ...
    def free(self, values: Any) -> Any: ...  # free numbers that stand for some values


class Program(Protocol):
    """What a term may ask of `bayesrank.model.program.Program`."""

    slot_order: int  # address of the entry that each slot has; 0 where that is its own number

    def place(self, name: str) -> int: ...
    def room(self, size: int) -> int: ...
    def hold(self, values: Any, dtype: Any = float) -> int: ...
    def operate(
        self, operation: Any, taken: int, size: int, to: int, count: int, *more: int
    ) -> None: ...
    def operate_slots(
        self, operation: Any, taken: int, size: int, *more: int, to: int = 0, channel: int = 0
    ) -> None: ...
    def channel(self) -> int: ...
    def observe(
        self, kernel: Any, table: list[int], channels: list[int], *, rows: int, **about: Any
    ) -> None: ...


class Term(Protocol):
    """One term of the predictor: its parameters, and what it adds to scores or slots.

    `bayesrank.model.slots` says how slots are made of what terms add to them.

    ``maths`` is NumPy or PyTensor: one formula serves draws and graphs. The compiled form of the
    same formula is a few operations of `bayesrank.kernels.posterior.operations`.
    """

    @property
    def parameters(self) -> list[Any]: ...  # the free ones, in the order of the flat vector
    @property
    def quantities(self) -> list[Any]: ...  # what a user may ask for, derived ones too
    @property
    def coords(self) -> dict[str, list[Any]]: ...
    @property
    def working_names(self) -> list[str]: ...  # parameters that nobody asks for
    def score(self, values: Values, maths: Any) -> Any: ...  # added to the items' scores, or None
    def slots(self, values: Values, maths: Any) -> Any: ...  # added to the slots, or None
    def gain(self, values: Values, maths: Any) -> Any: ...  # by which these are multiplied
    def shift(self, values: Values, maths: Any) -> Any: ...  # added after that
    def tie_shift(self, values: Values, maths: Any) -> Any: ...  # to logits of tie rates
    def new_gain(self, values: Values) -> Any: ...  # of new results
    def new_shift(self, values: Values, left: Any, right: Any) -> Any: ...  # of new pairs
    def new_tie_shift(self, values: Values, left: Any, right: Any) -> Any: ...
    def in_order(self, order: Any) -> Any: ...  # for slots in another order
    def at_slots(self, slots: Any) -> Any: ...  # for some of the slots
    def known(self, values: Values) -> Values: ...  # parameters, from quantities
    def prior_change(self, values: Values, before: Any) -> Any: ...  # since other data
    def derive(self, values: Values, maths: Any) -> Values: ...  # what follows from parameters
    def compile_score(self, program: Any, score: int) -> None: ...
    def compile_slots(self, program: Any, to: int) -> None: ...
    def compile_shift(self, program: Any) -> None: ...
    def compile_tie_shift(self, program: Any, to: int) -> None: ...


class Likelihood(Protocol):
    """A row of `bayesrank.model.likelihoods`: a kernel, a distribution and what they can do."""

    @property
    def kernel(self) -> str: ...
    @property
    def distribution(self) -> str: ...


class Observation(Protocol):
    """Data under a likelihood: an observed PyMC variable, and numbers."""

    data: Any
    name: str  # of the observed variable
    row: str  # what one row is
    dims: tuple[str, str]
    concave: bool  # the log-likelihood in the scores
    nearly_normal: bool  # the posterior given the prior scale
    adds_up: bool  # whether results that are added only add their own log-likelihood

    @property
    def observed(self) -> np.ndarray: ...
    @property
    def information(self) -> float: ...  # number of outcomes, by which gradients are judged
    def observe(self, score: Any, made: Values) -> None: ...
    def compile(self, program: Any, score: int | None) -> None: ...
    def log_likelihood(self, values: Values) -> np.ndarray: ...
    def draw(self, values: Values, rng: np.random.Generator) -> np.ndarray: ...
    def with_data(self, data: Any) -> "Observation": ...
    def part(self, rows: np.ndarray, outcomes: Any) -> "Observation": ...  # some rows alone
    def log_likelihoods(self, values: Values) -> np.ndarray: ...  # of all rows, in many draws
