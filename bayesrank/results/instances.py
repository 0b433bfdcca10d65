"""Instances that were fitted together: each of them as a fit of its own."""

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank import _compat
from bayesrank.data.labels import map_positions
from bayesrank.model.specification import Specification
from bayesrank.results.parts import FitPart
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SeparateInstances"]


class SeparateInstances(FitPart):
    """What a fit knows of its instances, such as search queries."""

    def instance(self, label: Any) -> Self:
        """Return the fit of one instance, such as one query, of all that were fitted together.

        Examples
        --------
        >>> lists = [["a", "b"], ["b", "a"], ["c", "d"]]
        >>> data = br.Rankings.from_lists(
        ...     lists, agents=["x", "y", "x"], instances=["first", "first", "second"]
        ... )
        >>> fit = br.fit(data, "mpm", method="map")
        >>> fit.instance("second").ranking()[["rank"]]
              rank
        item
        c        1
        d        2
        """
        return _one_instance(self, label)

    def _index(self, name: str = "item") -> "pd.Index":
        """Return the items as an index, by instance where there are several."""
        import pandas as pd

        data = self.specification.data
        if self.specification.moves is not None:
            items = [data.items[k] for k in self._moment.items]
            return pd.Index(items, name=name, tupleize_cols=False)
        if data.instances is None:
            return pd.Index(data.items, name=name, tupleize_cols=False)
        where = [data.instances[q] for q in data.instance]
        return pd.MultiIndex.from_arrays([where, data.items], names=["instance", name])

    def _require_one_instance(self, what: str) -> None:
        instances = self.specification.data.instances
        if instances is not None:
            raise ValueError(
                f"`{what}` is for one instance, and there are {len(instances):,}: choose one, "
                f"such as fit.instance({instances[0]!r}).{what}."
            )


def _instance_called(label: Any, instances: list[Any]) -> Any:
    """Return the instance of that label; a text that spells a number stands for the number."""
    if label in instances:
        return label
    spelled = [instance for instance in instances if str(instance) == str(label)]
    if len(spelled) == 1:
        return spelled[0]
    close = get_close_matches(str(label), [str(instance) for instance in instances], 5, 0.5)
    near = f"; near it {'is' if len(close) == 1 else 'are'} {listing(close)}" if close else ""
    known = listing([repr(instance) for instance in instances])
    raise ValueError(
        f"`label` must be one of the instances ({known}), got {label!r}{near}. "
        "fit.specification.data.instances has them all."
    )


def _one_instance(fit: Any, label: Any) -> Any:
    """Return the fit of one instance as a fit of its own.

    Its items keep their scores, of which the part of the features is included.
    """
    specification, posterior = fit.specification, dict(fit.posterior)
    data, observation = specification.data, specification.observation
    if data.instances is None:
        raise ValueError("There are no instances in this fit.")
    label = _instance_called(label, data.instances)
    if specification.has_entry_features:
        raise ValueError(
            "This model has features of entries, which belong to no instance: use fit.predict."
        )
    members = np.flatnonzero(data.instance == data.instances.index(label))
    try:
        part = data.subset(instances=[label])
    except ValueError as error:
        raise ValueError(f"Of instance {label!r} alone there is nothing to say: {error}") from None
    for name in ("beta", "effect", "log_variance", "adherence_offset", "adherence_spread"):
        posterior.pop(name, None)
    for name in ("score", "variance"):
        if name in posterior:
            posterior[name] = posterior[name][..., members]
    own = {}
    if specification.has_adherences:
        own = observation.arguments | {"adherence_spread": None}
        if isinstance(own["variances"], np.ndarray):
            own["variances"] = own["variances"][members]
        if observation.learns_adherence:
            own["adherence"] = "learned"
            posterior["adherence"] = _adherences(observation, posterior, label, part)
        else:
            own["adherence"] = dict(zip(observation.agents, observation.adherence, strict=True))
    arguments = specification.arguments | {"features": None, "item_effects": True} | own
    try:
        model = Specification(part, specification.likelihood, **arguments)
    except ValueError as error:
        raise ValueError(f"Of instance {label!r} alone there is nothing to say: {error}") from None
    sizes = getattr(observation, "tie_sizes", None)
    for name in ("tie", "tie_rate"):
        if name in posterior and sizes is not None:
            # Only the sizes of ties that occur in this instance.
            kept = np.isin(sizes, model.observation.tie_sizes)
            posterior[name] = posterior[name][..., kept]
            if not kept.any():
                del posterior[name]
    result = type(fit)(model, fit.method, posterior, note=fit.note)
    result.seed = fit.seed
    result.part = True
    result._weighted = fit._weighted
    if "sample_stats" in _compat.group_names(fit.idata):
        result.idata["sample_stats"] = _compat.to_dataset(fit.idata, "sample_stats")
    return result


def _adherences(observation: Any, posterior: Any, label: Any, part: Any) -> np.ndarray:
    """Return draws of the adherences that the agents of one instance have there."""
    adherence = np.array(posterior["adherence"])
    here = posterior.pop("adherence_here", None)
    if here is not None:
        instance, agent = np.divmod(observation.places, len(observation.agents))
        chosen = instance == observation.data.instances.index(label)
        adherence[..., agent[chosen]] = here[..., chosen]
    # Rankings without agents are agents themselves, of which the others are elsewhere.
    kept = part.agents or getattr(part, "names", None) or observation.agents
    position = map_positions(observation.agents)
    return adherence[..., [position[agent] for agent in kept]]
