"""The papers' rivals and approximations, to compare with."""

from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.block_pairs import block_pairs
from bayesrank.baselines.borda import borda
from bayesrank.baselines.coset_permutation import coset_permutation, fit_coset_permutation
from bayesrank.baselines.item_scores import fit_item_pairs, fit_item_scores
from bayesrank.baselines.list_mle import break_ties, fit_list_mle
from bayesrank.baselines.pair_losses import fit_pair_loss, pairs_within
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.baselines.preference_fusion import list_preferences, probit_fusion, svm_fusion
from bayesrank.baselines.sampled_pmop import fit_sampled_pmop, sampled_gradient
from bayesrank.baselines.subset_chains import subset_frequencies
from bayesrank.baselines.svp import svp

__all__ = [
    "attention_rank",
    "block_pairs",
    "borda",
    "break_ties",
    "coset_permutation",
    "fit_coset_permutation",
    "fit_item_pairs",
    "fit_item_scores",
    "fit_list_mle",
    "fit_pair_loss",
    "fit_sampled_pmop",
    "list_preferences",
    "pairs_within",
    "pl_lower_bound",
    "probit_fusion",
    "sampled_gradient",
    "subset_frequencies",
    "svm_fusion",
    "svp",
]
