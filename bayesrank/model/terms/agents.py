"""Judges who differ: how sharply they tell items apart, which side they favour, how often they tie.

Of each agent there is one number, and all agents' sum to zero: the scores carry the scale, and the
common order effect and tie rate what agents have in common.
"""

from typing import Any, Self

import numpy as np

from bayesrank.kernels.posterior.operations import GAIN, GATHER
from bayesrank.model.protocols import Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.effects import Effects

__all__ = ["AgentDiscrimination", "AgentOrderEffects", "AgentTies"]


class _OfAgents(Effects):
    """Effects of agents; ``agent`` is the position of each slot's."""

    dim = column = "agent"
    of_slots = ("agent",)

    @classmethod
    def of(cls, data: Any) -> Self:
        agent = data.agent if data.row == "pair" else data.agent[data.entry_ranking]
        return cls(len(data.agents), agent)

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        return data.agents

    def __init__(self, agents: int, agent: np.ndarray, **more: Any) -> None:
        super().__init__(agents, **more)
        self.agent = agent

    def _of_new(self, values: Values) -> Any:
        """Return the effect of the agent of a new result, where it is known, or None."""
        return self.effects(values)[values["agent"]] if "agent" in values else None


class AgentDiscrimination(_OfAgents):
    """Multiplies the differences of scores that an agent sees by a positive number."""

    name = "log_discrimination"
    key = "discrimination"
    argument = ("discrimination", "by-agent")
    has_gain = True
    words = "Logarithms of the agents' discriminations"
    spread_words = "Spread of the logarithms of discriminations among agents"
    meaning = "how sharply the agent tells items apart; 1 is average"
    spread_meaning = "how far agents differ in discrimination (standard deviation of the logarithm)"
    says = (
        "Each agent has a discrimination, by which the differences of scores "
        "that it sees are multiplied."
    )

    @property
    def quantities(self) -> list[Quantity]:
        _, *spread = super().quantities
        return [Quantity("discrimination", ("agent",), self.meaning, ratio=True), *spread]

    @property
    def working_names(self) -> list[str]:
        return [self._free_name]

    def derive(self, values: Values, maths: Any) -> Values:
        return {"discrimination": maths.exp(self.effects(values))}

    def gain(self, values: Values, maths: Any) -> Any:
        if "discrimination" in values:
            return values["discrimination"][self.agent]
        return maths.exp(self.effects(values))[self.agent]

    def new_gain(self, values: Values) -> Any:
        return values["discrimination"][values["agent"]] if "agent" in values else None

    def compile_gain(self, program: Program, taken: int) -> None:
        index = program.hold(self.agent, np.uint32)
        program.operate_slots(GAIN, self.place(program), self.length, index, channel=taken)


class AgentOrderEffects(_OfAgents):
    """What an agent adds to the left side, beyond what all agents do."""

    name = "order_effect_by_agent"
    key = "order_effect_by_agent"
    argument = ("order_effect", "by-agent")
    words = "Order effects of the agents, beyond the common one"
    spread_words = "Spread of order effects among agents"
    meaning = "what the left item has added to its score by this agent, beyond the common effect"
    spread_meaning = "how far agents differ in their order effects (standard deviation)"
    says = "Each agent adds something of its own to the order effect."

    def shift(self, values: Values, maths: Any) -> Any:
        return self.effects(values)[self.agent]

    def new_shift(self, values: Values, left: np.ndarray, right: np.ndarray) -> Any:
        return self._of_new(values)

    def compile_shift(self, program: Program) -> None:
        index = program.hold(self.agent, np.uint32)
        program.operate_slots(GATHER, self.place(program), self.length, index)


class AgentTies(_OfAgents):
    """What an agent adds to the logit of the tie rate."""

    name = "ties_by_agent"
    key = "ties_by_agent"
    argument = ("ties", "by-agent")
    has_tie_shift = True
    words = "What agents add to the logit of the tie rate"
    spread_words = "Spread of what agents add to the logit of the tie rate"
    meaning = "what this agent adds to the logit of the tie rate"
    spread_meaning = "how far agents differ in how often they tie (standard deviation of the logit)"
    says = "Each agent adds something of its own to the logit of the tie rate."

    def tie_shift(self, values: Values, maths: Any) -> Any:
        return self.effects(values)[self.agent]

    def new_tie_shift(self, values: Values, left: np.ndarray, right: np.ndarray) -> Any:
        return self._of_new(values)

    def compile_tie_shift(self, program: Program, to: int) -> None:
        index = program.hold(self.agent, np.uint32)
        program.operate_slots(GATHER, self.place(program), self.length, index, to=to)
