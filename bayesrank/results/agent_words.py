"""What is said of agents in a few words."""

__all__ = ["CONTRARIAN", "FEW", "FOLLOWS", "LEFT", "RANDOM", "RIGHT", "TIES"]

RANDOM, CONTRARIAN, TIES = "looks random", "contrarian", "nearly always ties"
LEFT, RIGHT = "nearly always left", "nearly always right"
FEW, FOLLOWS = "too few votes to tell", "follows the ranking"
