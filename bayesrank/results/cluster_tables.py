"""Tables of a fit of several clusters: who belongs where, and what the clusters are like."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Clusters", "clusters_of", "parameters_of"]


@dataclass(frozen=True, repr=False)
class Clusters:
    """Who belongs where.

    Attributes
    ----------
    sizes : pandas.DataFrame
        By cluster, the largest first: share with low and high, members (how many agents are most
        probably in it), and its best items.
    agents : pandas.DataFrame
        By agent, or by ranking where there are no agents: cluster (the most probable one), and
        the probability of each.
    """

    sizes: "pd.DataFrame"
    agents: "pd.DataFrame"

    def __repr__(self) -> str:
        return self.sizes.to_string()


def clusters_of(fit: Any, probability: np.ndarray, prob: float) -> Clusters:
    """Return who belongs where, from the mean probabilities of agents by clusters."""
    import pandas as pd

    model, k = fit.specification, fit.specification.clusters
    names = pd.RangeIndex(1, k + 1, name="cluster")
    share = fit._flat("share")
    sizes = pd.DataFrame({"share": share.mean(axis=0)}, index=names)
    sizes[["low", "high"]] = np.nan
    if not fit.kind.is_point:
        sizes["low"], sizes["high"] = consensus.interval(share, prob)
    most = probability.argmax(axis=1)
    sizes["members"] = np.bincount(most, model.times, minlength=k)
    sizes["best"] = [", ".join(str(item) for item in fit.ranking(c).index[:3]) for c in names]
    agents = pd.DataFrame(
        {"cluster": most + 1},
        index=pd.Index(model.units, name=model.unit_name, tupleize_cols=False),
    )
    for c in range(k):
        agents[f"p_{c + 1}"] = probability[:, c]
    return Clusters(sizes, agents)


def parameters_of(fit: Any, prob: float) -> "pd.DataFrame":
    """Return the parameters that are one number in each cluster, by name and cluster."""
    import pandas as pd

    rows = {}
    for name in (name for name, values in fit.posterior.items() if values.ndim == 3):
        draws = fit._flat(name)
        low = high = sd = np.full(draws.shape[1], np.nan)
        if not fit.kind.is_point:
            sd = draws.std(axis=0, ddof=1)
            low, high = consensus.interval(draws, prob)
        for k, mean in enumerate(draws.mean(axis=0)):
            rows[name, k + 1] = {"mean": mean, "sd": sd[k], "low": low[k], "high": high[k]}
    table = pd.DataFrame(rows).T
    table.index.names = ["parameter", "cluster"]
    return table
