"""What is said of agents in a few words."""

__all__ = ["CONTRARIAN", "FEW", "FOLLOWS", "RANDOM", "TIES"]

RANDOM, CONTRARIAN, TIES = "looks random", "contrarian", "nearly always ties"
FEW, FOLLOWS = "too few votes to tell", "follows the ranking"
