"""Rankings for every ranking model, and documents whose order follows from features."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.kernels.samplers import sort_into_blocks
from bayesrank.model.likelihoods import RANKING_LIKELIHOODS

TIED = [["a", {"b", "c"}, "d"], ["d", "a"], ["b", "c", {"a", "d", "e"}], [{"e", "a"}, "b", "c"],
        ["e", "d", "c", "b", "a"], ["c", {"d", "e"}]]  # fmt: skip
STRICT = [["a", "b", "c", "d"], ["d", "a"], ["b", "c", "a", "d", "e"], ["e", "a", "b", "c"],
          ["e", "d", "c", "b", "a"], ["c", "d", "e"]]  # fmt: skip
WEIGHTS = [1, 2, 0.5, 1, 3, 1]
likelihoods = pytest.mark.parametrize("likelihood", RANKING_LIKELIHOODS)


def rankings_for(likelihood, **options):
    lists = STRICT if RANKING_LIKELIHOODS[likelihood].ties == "none" else TIED
    return br.Rankings.from_lists(lists, weights=WEIGHTS, **options)


def queries(seed, n=40, documents=8, slope=(1.5, -1.0), draw=None):
    """Return rankings of documents whose scores follow two features."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, documents, 2))
    score = x @ np.array(slope)
    offered = np.ones((n, documents), dtype=bool)
    if draw is None:
        blocks = np.zeros((n, documents), dtype=np.int64)
        ranks = sort_into_blocks(score + rng.gumbel(size=score.shape), offered, blocks)
    else:
        ranks = draw(score, np.full((1, 1), 0.5), offered, np.ones(1), np.arange(n))
    frame = pd.DataFrame(
        {
            "query": np.repeat(np.arange(n), documents),
            "document": np.arange(n * documents),
            "rank": ranks.ravel(),
            "length": x[..., 0].ravel(),
            "age": 100.0 + 10.0 * x[..., 1].ravel(),
        }
    )
    return br.Rankings.from_frame(frame, "query", "document", "rank", features=["length", "age"])
