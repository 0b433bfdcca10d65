"""The model in PyMC, and what each method maximises as a function of the scores."""

import numpy as np

import bayesrank as br
from bayesrank.baselines import attention_rank, block_pairs, pl_lower_bound
from models.score_gradients import partitioned

__all__ = ["OBJECTIVES", "RIVALS", "SCALE", "model"]

SCALE = 10.0  # wide: the true scores of 10 000 items have a standard deviation of 2.7


def model(data):
    """Return the model of partitioned rankings in PyMC, with one score per item."""
    distribution = br.PartitionedPlackettLuce
    import pymc as pm  # after our own distributions, which import it without its notices

    with pm.Model(coords=data.coords) as made:
        # PyTensor takes the logarithm of a plain 10.0 in single precision.
        score = pm.ZeroSumNormal("score", np.float64(SCALE), dims="item")
        distribution("ranks", score[data.entries], data.offered, observed=data.ranks)
    return made


def _pairs(hinge):
    return lambda score, order, sizes: block_pairs(score, order, sizes, hinge)


OBJECTIVES = {
    "PL-Partition": partitioned,
    "PL-LB": pl_lower_bound,
    "AttRank": attention_rank,
    "RankNet": _pairs(False),
    "RankSVM": _pairs(True),
}
RIVALS = ["PL-LB", "AttRank", "RankNet", "RankSVM"]
