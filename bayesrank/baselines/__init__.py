"""The papers' rivals and approximations, to compare with."""

from bayesrank.baselines.borda import borda
from bayesrank.baselines.sampled_pmop import fit_sampled_pmop
from bayesrank.baselines.subset_chains import subset_frequencies

__all__ = ["borda", "fit_sampled_pmop", "subset_frequencies"]
