"""What a fit of the multinomial preference model says of items, agents and single instances."""

from difflib import get_close_matches

import numpy as np

from bayesrank import consensus
from bayesrank.text import listing

__all__ = ["agent_table", "item_variances", "one_instance"]


def agent_table(fit, prob):
    """Return adherences with intervals by agent, the largest first."""
    import pandas as pd

    observation = fit.specification.observation
    agents, ballots = len(observation.agents), observation.ballots
    index = pd.Index(observation.agents, name="agent")
    table = pd.DataFrame(index=index)
    if observation.learns_adherence:
        # A mode at 0 or 1 is found only to twelve digits.
        draws = fit._flat("adherence").round(10)
        _add_summary(table, "adherence", draws, prob, fit.method == "map")
        table = table.rename(columns=lambda name: name.removeprefix("adherence_"))
    else:
        table["adherence"] = observation.adherence
        table[["sd", "low", "high"]] = np.nan
    table["ballots"] = np.bincount(ballots.agent, minlength=agents)
    table["preferences"] = np.bincount(ballots.agent, ballots.total, minlength=agents)
    return table.sort_values("adherence", ascending=False, kind="stable")


def item_variances(fit, prob):
    """Return variances with intervals, and the number of ballots, by item."""
    import pandas as pd

    observation = fit.specification.observation
    table = pd.DataFrame(index=fit._index())
    if observation.learns_variances:
        _add_summary(table, "variance", fit._flat("variance"), prob, fit.method == "map")
    else:
        table["variance"] = 0.5 if observation.variance is None else observation.variance
        table[["variance_sd", "variance_low", "variance_high"]] = np.nan
    table["ballots"] = np.bincount(observation.ballots.entries[1], minlength=len(table))
    return table


def _add_summary(table, name, draws, prob, point):
    """Add mean, sd and interval of draws (draws by rows) to a table."""
    table[name] = draws.mean(axis=0)
    columns = [f"{name}_sd", f"{name}_low", f"{name}_high"]
    if point:
        table[columns] = np.nan
    else:
        low, high = consensus.interval(draws, prob)
        table[columns] = np.stack([draws.std(axis=0, ddof=1), low, high], axis=1)


def _instance_called(label, instances):
    """Return the instance of that label; a text that spells a number is as good as the number."""
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


def one_instance(fit, label):
    """Return the fit of one instance as a fit of its own.

    Its items keep their scores whatever they were made of: what features said is part of them.
    """
    from bayesrank import _compat
    from bayesrank.model.specification import Specification

    specification, posterior = fit.specification, dict(fit.posterior)
    data, observation = specification.data, specification.observation
    if data.instances is None:
        raise ValueError("There are no instances in this fit.")
    label = _instance_called(label, data.instances)
    if observation.slot_feature_names is not None:
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
    if specification.likelihood == "mpm":
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
    if fit.method == "nuts":
        result.idata["sample_stats"] = _compat.to_dataset(fit.idata, "sample_stats")
    return result


def _adherences(observation, posterior, label, part):
    """Return draws of the adherences that the agents of one instance have there."""
    adherence = np.array(posterior["adherence"])
    here = posterior.pop("adherence_here", None)
    if here is not None:
        instance, agent = np.divmod(observation.places, len(observation.agents))
        chosen = instance == observation.data.instances.index(label)
        adherence[..., agent[chosen]] = here[..., chosen]
    # Rankings without agents are agents themselves, of which the others are elsewhere.
    kept = part.agents or getattr(part, "names", None) or observation.agents
    position = {agent: k for k, agent in enumerate(observation.agents)}
    return adherence[..., [position[agent] for agent in kept]]
