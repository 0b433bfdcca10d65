"""The papers' rivals and approximations, to compare with."""

from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.block_pairs import block_pairs
from bayesrank.baselines.borda import borda
from bayesrank.baselines.item_scores import fit_item_pairs, fit_item_scores
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.baselines.sampled_pmop import fit_sampled_pmop
from bayesrank.baselines.subset_chains import subset_frequencies

__all__ = [
    "attention_rank",
    "block_pairs",
    "borda",
    "fit_item_pairs",
    "fit_item_scores",
    "fit_sampled_pmop",
    "pl_lower_bound",
    "subset_frequencies",
]
