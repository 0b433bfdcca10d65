"""How far agents follow the scores: adherences of the multinomial preference model."""

from numbers import Real as Number
from typing import Any

import numpy as np

from bayesrank.model.numbers_by_label import numbers_by_label
from bayesrank.model.parameters import Positive, Probability, Real
from bayesrank.model.protocols import Parameter, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["USUAL_SPREAD", "Adherences"]

# How far an agent's adherence differs between instances, on the logit scale, where the mode is
# sought (with a learned spread the joint mode collapses to spread zero).
USUAL_SPREAD = 0.5


class Adherences(PlainTerm):
    """Adherences, uniform on [0, 1], or given ones.

    Together with the prior of the scores this fixes how large both are.

    Parameters
    ----------
    argument : "learned", "by-instance", number, mapping or array, optional
        A parameter for each agent; around it one for each instance; or given. By default they
        are learned where there are several agents.
    spread : float, optional
        How far adherences differ between instances; by default it is learned.
    agents : list
        Labels of the agents.
    instances : list, optional
        Labels of the instances.
    agent, instance : ndarray of int
        The agent and the instance of each ballot.
    """

    def __init__(
        self,
        argument: Any,
        spread: Any,
        *,
        agents: list[Any],
        instances: list[Any] | None,
        agent: np.ndarray,
        instance: np.ndarray,
        several: bool,
    ) -> None:
        if argument is None:
            argument = "learned" if len(agents) > 1 else 1.0
        self.agents, self.instances, self.agent = agents, instances, agent
        self.learned = isinstance(argument, str)
        self.by_instance = self.learned and argument == "by-instance"
        self.given: np.ndarray | None = None
        if not self.learned:
            self.given = numbers_by_label("adherence", argument, agents, "agent", 0.0, 1.0)
        elif argument not in ("learned", "by-instance"):
            raise ValueError(
                '`adherence` must be "learned", "by-instance", a number from 0 to 1, or such '
                f"numbers by agent, got {argument!r}."
            )
        if self.by_instance and not several:
            raise ValueError('`adherence="by-instance"` needs data with instances and agents.')
        self.spread = self._checked_spread(spread)
        self.places, self.place = np.unique(instance * len(agents) + agent, return_inverse=True)

    def _checked_spread(self, spread: Any) -> float | None:
        if spread is None:
            return None
        number = isinstance(spread, Number) and 0 < spread < np.inf  # type: ignore[operator]
        if not (self.by_instance and number):
            raise ValueError(
                '`adherence_spread` is a positive number, for `adherence="by-instance"`; got '
                f"{spread!r}."
            )
        return float(spread)

    @property
    def place_agent(self) -> np.ndarray:
        """The agent of each place, which is an agent in an instance."""
        return self.places % len(self.agents)

    @property
    def parameters(self) -> list[Parameter]:
        if not self.learned:
            return []
        words = "Adherences of the agents"
        found: list[Parameter] = [
            Probability("adherence", words, len(self.agents), dims="agent", bounded=True)
        ]
        if self.by_instance:
            if self.spread is None:
                found.append(Positive("adherence_spread", "Spread of adherences between instances"))
            ones = np.ones(len(self.places))
            words = "Offsets of adherences in instances"
            found.append(Real("adherence_offset", ones, words, dims="place"))
        return found

    @property
    def quantities(self) -> list[Quantity]:
        if not self.learned:
            return []
        found = [Quantity("adherence", ("agent",), "", 0.0, 1.0)]
        if self.by_instance:
            if self.spread is None:
                meaning = "how far adherences differ between instances (logit scale)"
                found.append(Quantity("adherence_spread", (), meaning, 0.0, enters=False))
            found.append(Quantity("adherence_here", ("place",), "", 0.0, 1.0))
        return found

    @property
    def coords(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {"agent": self.agents}
        if self.by_instance and self.instances is not None:
            n = len(self.agents)
            found["place"] = [f"{self.instances[k // n]} / {self.agents[k % n]}"
                              for k in self.places]  # fmt: skip
        return found

    def derive(self, values: Values, maths: Any) -> Values:
        if not self.by_instance:
            return {}
        base = values["adherence"][self.place_agent]
        spread = values["adherence_spread"] if self.spread is None else self.spread
        shifted = maths.log(base) - maths.log1p(-base) + spread * values["adherence_offset"]
        return {"adherence_here": 1.0 / (1.0 + maths.exp(-shifted))}

    def of_ballots(self, values: Values, maths: Any) -> Any:
        """Return the adherence in each ballot."""
        if self.given is not None:
            return self.given[self.agent]
        if not self.by_instance:
            return values["adherence"][self.agent]
        if "adherence_here" in values:
            return values["adherence_here"][self.place]
        return self.derive(values, maths)["adherence_here"][self.place]
