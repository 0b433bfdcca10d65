"""Mixtures: groups of agents, each with scores of its own, and who is in which is not known.

Of one agent all rows belong to one component, so the log-probability of an agent is that of its
rows together, and there is one number for each agent.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pymc.distributions.dist_math import check_parameters
from pymc.distributions.distribution import Discrete, SymbolicRandomVariable, _support_point
from pymc.distributions.shape_utils import change_dist_size, rv_size_is_none
from pymc.logprob.abstract import _logprob
from pymc.logprob.basic import logp
from pymc.pytensorf import compile as compile_graph
from pymc.pytensorf import constant_fold, normalize_rng_param
from pytensor.graph.basic import Variable
from pytensor.graph.replace import clone_replace
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.utils import normalize_size_param

from bayesrank.distributions.observed import (
    as_observed,
    known_values,
    require_counts,
    require_ranks,
    require_rows,
    whole_ranks,
)
from bayesrank.distributions.pair_counts import PairRV
from bayesrank.distributions.slot_ranks import RankingRV

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Mixture"]


class MixtureRV(SymbolicRandomVariable):
    """Rows of agents, of which each has drawn one component for all its rows.

    Its parameters are weights, the agent of each row, how often each agent counts, and the
    components, random variables themselves with one row for each row of the value.
    """

    name = "mixture"
    _print_name = ("Mixture", "\\operatorname{Mixture}")

    @classmethod
    def rv_op(cls, weights, agent, weight, *components, size=None, rng=None):
        """Draw rows."""
        weights, agent, weight = (pt.as_tensor(x) for x in (weights, agent, weight))
        rng, size = normalize_rng_param(rng), normalize_size_param(size)
        if not (rv_size_is_none(size) or pt.get_vector_length(size) == 0):
            raise NotImplementedError("Mixture has no batch dimensions; give it no `size`.")
        by_agent = _by_agent(weights, agent)
        next_rng, component = pm.Categorical.dist(p=by_agent, rng=rng).owner.outputs
        drawn = components[0]
        for k, other in enumerate(components[1:], 1):
            drawn = pt.switch(pt.eq(component[agent], k)[:, None], other, drawn)
        rows = ",".join("(r,o)" for _ in components)
        by = "(w)" if weights.ndim == 1 else "(a,w)"
        inputs = [rng, weights, agent, weight, *components]
        times = "(b)" if weight.ndim else "()"
        return cls(
            inputs=inputs,
            outputs=[next_rng, drawn],
            extended_signature=f"[rng],{by},(r),{times},{rows}->[rng],(r,o)",
        )(*inputs)


def _by_agent(weights, agent):
    """Return one row of weights for each agent."""
    if weights.ndim == 2:
        return weights
    return pt.broadcast_to(weights, (pt.max(agent) + 1, weights.shape[0]))


def _joint(value, weights, agent, components):
    """Return the log-probability of each agent's rows and of each component, agents by these."""
    by_row = pt.stack([logp(component, value) for component in components], axis=-1)
    by_agent = pt.log(_by_agent(weights, agent))
    return pt.inc_subtensor(by_agent[agent], by_row)


@_logprob.register(MixtureRV)
def mixture_logprob(op, values, rng, weights, agent, weight, *components, **kwargs):
    """Return one term per agent."""
    (value,) = values
    name = getattr(value.tag, "unobserved_mixture", None)
    if name is not None:
        raise ValueError(
            f"The mixture {name!r} is not observed, and samplers cannot move among rankings and "
            "counts. Give `observed`; to predict them, add the variable after sampling and use "
            "pm.sample_posterior_predictive."
        )
    return check_parameters(
        weight * pt.logsumexp(_joint(value, weights, agent, components), axis=-1),
        pt.all(weights >= 0),
        pt.all(pt.isclose(weights.sum(axis=-1), 1.0)),
        pt.all(weight > 0),
        msg="weights >= 0, sum(weights) == 1, weight > 0",
    )


@_support_point.register(MixtureRV)
def mixture_support_point(op, rv, rng, weights, agent, weight, *components):
    """Return the support point of the first component."""
    first = components[0].owner
    return _support_point(first.op, components[0], *first.inputs)


class Mixture(Discrete):
    r"""Groups of agents with different rankings: all rows of an agent belong to one component.

    .. math:: P(\text{rows of } a) = \sum_k w_k \prod_{r \,\in\, \text{rows of } a} P_k(r)

    Log-probabilities, and with them the pointwise log-likelihood, are of agents and not of rows, so
    that leaving one out leaves out an agent. A draw takes a component for each agent, and then its
    rows. The components keep their places only if the prior or the start tells them apart: see
    the guide, "Groups of judges".

    Parameters
    ----------
    weights : tensor_like of float
        Share of each component (weights >= 0, their sum 1); a matrix has one row for each agent.
    components : list of tensors
        Two or more variables made with ``.dist`` of a distribution of rankings or of pairs, with
        one row for each row of the data. What such a distribution otherwise learns from
        ``observed`` must be given to it: ``offered`` or ``blocks`` of rankings, ``n`` of pairs.
    agent : tensor_like of int, optional
        Who judged in each row, as positions from 0 up; by default rows are agents of their own.
        Agents have no labels in ``idata``, so with it there are no ``dims``.
    weight : tensor_like of float
        How many agents each one stands for, because all gave the same rows; its log-probability is
        multiplied by it (weight > 0). In components, ``weight`` is how often one agent gave a row.

    Examples
    --------
    >>> races = br.load_dataset("fruits")
    >>> with pm.Model(coords=races.coords):
    ...     share = pm.Dirichlet("share", [1.0, 1.0])
    ...     score = pm.ZeroSumNormal("score", 1.0, shape=(2, len(races.items)))
    ...     groups = [
    ...         br.PartitionedPlackettLuce.dist(score[k][races.entries], races.offered)
    ...         for k in range(2)
    ...     ]
    ...     rank = br.Mixture("rank", share, groups, observed=races.ranks)

    References
    ----------
    Gormley and Murphy (2008), Exploring voting blocs within the Irish electorate, JASA 103,
    1014-1027. Mollica and Tardella (2017), Bayesian Plackett-Luce mixture models for partially
    ranked data, Psychometrika 82, 442-458.
    """

    rv_type = MixtureRV
    rv_op = MixtureRV.rv_op

    def __new__(
        cls, name: str, weights: Any, components: Sequence[Any], *, agent: Any = None,
        observed: Any = None, dims: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Register the mixture, after a look at the observed values."""
        if agent is not None and dims is not None:
            raise ValueError(
                "`dims` are of rows, and with `agent` the log-likelihood has one term for each "
                "agent, which would get their labels: leave `dims` out."
            )
        if observed is not None:
            observed = as_observed(observed, "as the components' own distribution says")
            for component in components:
                observed = _checked(component, observed)
            if agent is None and not isinstance(observed, Variable):
                agent = np.arange(len(observed))
        made = super().__new__(
            cls, name, weights, components, agent=agent, observed=observed, dims=dims, **kwargs
        )
        if observed is None:
            pm.modelcontext(None).rvs_to_values[made].tag.unobserved_mixture = name
        return made

    @classmethod
    def dist(
        cls, weights: Any, components: Sequence[Any], *, agent: Any = None, weight: Any = 1.0,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Create the variable outside a model.

        Examples
        --------
        >>> groups = [br.PlackettLuce.dist([score, score]) for score in ([2.0, 0.0], [0.0, 2.0])]
        >>> ranks = br.Mixture.dist([0.5, 0.5], groups, agent=[0, 0])
        >>> np.exp(pm.logp(ranks, np.array([[1, 2], [1, 2]])).eval()).round(3)
        array([0.395])
        """
        components = list(components)
        if len(components) < 2:
            raise ValueError(f"`components` must be two or more, got {len(components)}.")
        for component in components:
            _require_component(component)
        weights = pt.as_tensor(weights).astype("float64")
        if weights.ndim not in (1, 2) or weights.type.shape[-1] not in (None, len(components)):
            raise ValueError(
                f"`weights` must have one number for each of the {len(components)} components on "
                f"its last axis, got shape {weights.type.shape}."
            )
        if agent is None:
            rows = [component for component in components if component.ndim == 2]
            if not rows:
                raise ValueError(
                    "Nothing says how many rows there are: give `agent`, or components with one "
                    "row of scores for each."
                )
            agent = pt.arange(rows[0].shape[0])
        agent = _checked_agent(agent)
        components = [
            change_dist_size(component, (agent.shape[0],)) if component.ndim == 1 else component
            for component in components
        ]
        return super().dist([weights, agent, pt.as_tensor(weight), *components], **kwargs)

    @staticmethod
    def probabilities(idata: Any, name: str | None = None, model: Any = None) -> "xr.DataArray":
        """Return how probable it is that each agent belongs to each component, draw by draw.

        The mean over draws is the posterior probability, if components keep their places.

        Parameters
        ----------
        idata : InferenceData, DataTree or xarray.Dataset
            Posterior draws of the model's free variables.
        name : str, optional
            The mixture, if the model has several.
        model : pm.Model, optional
            By default the one of the context.

        Returns
        -------
        xarray.DataArray
            By chain, draw, agent and component.

        Examples
        --------
        >>> import xarray as xr
        >>> groups = [br.PlackettLuce.dist([score, score]) for score in ([2.0, 0.0], [0.0, 2.0])]
        >>> with pm.Model() as model:
        ...     share = pm.Beta("share", 1.0, 1.0)
        ...     ranks = br.Mixture(
        ...         "ranks", [share, 1 - share], groups, agent=[0, 0], observed=[[1, 2], [1, 2]]
        ...     )
        >>> draws = xr.Dataset({"share": (("chain", "draw"), [[0.5, 0.1]])})
        >>> br.Mixture.probabilities(draws, model=model).values[0, :, 0].round(3)
        array([[0.982, 0.018],
               [0.858, 0.142]])
        """
        import xarray as xr

        from bayesrank import _compat

        model = pm.modelcontext(model)
        mixture = _mixture_of(model, name)
        _, weights, agent, _, *components = mixture.owner.inputs
        joint = _joint(model.rvs_to_values[mixture], weights, agent, components)
        log_share = joint - pt.logsumexp(joint, axis=-1, keepdims=True)
        needed = set(ancestors([log_share]))
        free = [variable for variable in model.free_RVs if variable in needed]
        given = [variable.type() for variable in free]
        share = clone_replace(
            [pt.exp(log_share)], dict(zip(free, given, strict=True)), rebuild_strict=False
        )
        function = compile_graph(given, share[0], on_unused_input="ignore")
        is_group = isinstance(idata, xr.Dataset)
        posterior = idata if is_group else _compat.to_dataset(idata, "posterior")
        if not free:
            raise ValueError(
                "The mixture depends on no free variable, so there are no draws of it."
            )
        missing = [variable.name for variable in free if variable.name not in posterior]
        if missing:
            raise ValueError(f"`idata` has no draws of {', '.join(missing)}.")
        values = [
            np.asarray(posterior[variable.name].transpose("chain", "draw", ...), variable.dtype)
            for variable in free
        ]
        chains, draws = values[0].shape[:2]
        found = [function(*(v[c, d] for v in values)) for c in range(chains) for d in range(draws)]
        return xr.DataArray(
            np.reshape(found, (chains, draws, *np.shape(found[0]))),
            dims=("chain", "draw", "agent", "component"),
            coords={
                name: posterior[name] for name in ("chain", "draw") if name in posterior.coords
            },
            name=mixture.name,
        )


def _mixture_of(model, name):
    """Return the observed mixture of a model."""
    found = [x for x in model.observed_RVs if isinstance(x.owner.op, MixtureRV)]
    if name is not None:
        found = [x for x in found if x.name == name]
    if len(found) != 1:
        known = ", ".join(x.name for x in model.observed_RVs if isinstance(x.owner.op, MixtureRV))
        raise ValueError(f"`name` must be one of the model's observed mixtures: {known or 'none'}.")
    return found[0]


def _require_component(component):
    """Refuse what is not a variable of rankings or of pairs, or has batches."""
    op = getattr(getattr(component, "owner", None), "op", None)
    if not isinstance(op, (RankingRV, PairRV)):
        raise TypeError(
            "`components` must be made with .dist of a distribution of rankings or pairs, such as "
            f"br.PlackettLuce.dist(score), got {component!r}."
        )
    if component.ndim > 2:
        raise ValueError(
            f"A component must have one row for each row of the data, got {component.ndim - 1} "
            "batch dimensions."
        )


def _checked_agent(agent):
    """Return the agent of each row; refuse what is not a position."""
    known = known_values(agent)
    if known is not None and (
        known.ndim != 1 or known.dtype.kind not in "iu" or known.size == 0 or known.min() < 0
    ):
        raise ValueError(
            "`agent` must hold a position from 0 up for each row, got "
            f"shape {known.shape} of {known.dtype}{f' from {known.min()}' if known.size else ''}."
        )
    return pt.as_tensor(agent)


def _checked(component, observed):
    """Return observed values that a component may have made; refuse others."""
    _require_component(component)
    shape = observed.type.shape if isinstance(observed, Variable) else np.shape(observed)
    if None not in shape[:1]:
        require_rows("row of a component", shape[:1], component.type.shape[:-1])
    if isinstance(component.owner.op, PairRV):
        counts = known_values(observed)
        if counts is not None:
            n = _folded(component.owner.inputs[4])
            try:
                require_counts(counts, n=n)
            except ValueError as error:
                hint = " Give it to each component: .dist(..., n=counts.sum(axis=1))."
                raise ValueError(f"{error}{hint if '`n`' in str(error) else ''}") from None
    else:
        observed = observed if isinstance(observed, Variable) else whole_ranks(observed)
        ranks = known_values(observed)
        if ranks is not None:
            require_ranks(whole_ranks(ranks), _folded(component.owner.inputs[3]))
    return observed


def _folded(variable):
    """Return what a variable always is, or None."""
    (value,) = constant_fold([variable], raise_not_constant=False)
    return known_values(value)
