"""Which agent and which instance each row of the likelihood belongs to."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["agents_of_rows", "instances_of_rows"]


def agents_of_rows(specification: "Specification") -> tuple[list[Any], np.ndarray] | None:
    """Return the labels of the agents, and for each row the position of its agent.

    Rankings without agents are agents themselves. For comparisons without agents it is None.
    """
    data, observation = specification.data, specification.observation
    if specification.of_preferences:
        return observation.agents, observation.ballots.agent
    if data.agents is not None:
        return data.agents, data.agent
    if data.row == "ranking":
        return data.names, np.arange(len(data.names))
    return None


def instances_of_rows(specification: "Specification") -> tuple[list[Any], np.ndarray]:
    """Return the labels of the instances, and for each row the position of its instance."""
    data = specification.data
    if specification.of_preferences:
        sizes = np.diff(specification.observation.ballots.ballot_start)
        return data.instances, np.repeat(np.arange(sizes.size), sizes)
    first = data.left if data.row == "pair" else data.entry_item[data.start[:-1]]
    return data.instances, data.instance[first]
