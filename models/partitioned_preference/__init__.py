r"""Scores from rankings in which only the order of the blocks is known.

Ma, Yi, Tang, Zhao, Hong, Chi and Mei, Learning-to-rank with partitioned preference: fast estimation
for the Plackett-Luce model (2021). The study has two questions.

1. Simulated rankings are cut into four blocks. The last block holds all items but 500 or fewer. Who
   finds the true worths: the likelihood of the blocks (PL-Partition), its lower bound (PL-LB),
   AttRank, RankNet or Ranking SVM? An oracle sees the order within the blocks (PL-TopK). The paper
   shows figures only, no numbers.
2. In Delicious the true labels of a page are above all others. How good are the labels that a
   network of two layers puts first?

The likelihood here is exact; the paper's is a sum over an even grid. Scores of items are the
optimum under a normal prior of scale 10, the same for all methods; the paper stops stochastic
gradients early.

The paper finds that PL-Partition is the best at all sizes. Here it is not the best where there are
few rankings for the number of items. With 10 000 items and 100 or 300 rankings PL-LB has a smaller
error, smaller also than the oracle's. Blocks of at most 500 items are then small compared with the
rest, so the bound is nearly exact. It also draws the highest scores together, which may help where
these are mostly noise.

    python3 -m models.partitioned_preference            # most of it for 10 000 items
    python3 -m models.partitioned_preference --quick    # under a minute
    python3 -m models.partitioned_preference --part delicious    # one of the two
"""

from models.partitioned_preference.gradient_cost import cost_summary, cost_table
from models.partitioned_preference.labels import (
    PAPER,
    delicious,
    label_measures,
    label_summary,
    label_table,
    read_labels,
    simulated_labels,
)
from models.partitioned_preference.objectives import OBJECTIVES, RIVALS, SCALE, model
from models.partitioned_preference.simulation import (
    BLOCKS,
    MOST,
    picture,
    simulate,
    worth_summary,
    worth_table,
)
from models.study import keep, markdown, options

__all__ = [
    "BLOCKS",
    "MOST",
    "OBJECTIVES",
    "RIVALS",
    "SCALE",
    "cost_summary",
    "cost_table",
    "label_measures",
    "label_summary",
    "label_table",
    "main",
    "model",
    "read_labels",
    "simulate",
    "simulated_labels",
    "worth_summary",
    "worth_table",
]


def main(arguments=None):
    """Print the tables, and write them."""
    parts = {"choices": ["simulation", "delicious"], "help": "only one of the two parts"}
    chosen = options(__doc__, arguments, prog=f"python3 -m {__name__}", part=parts)
    if chosen.part != "delicious":
        run_simulation(chosen)
    if chosen.part != "simulation":
        run_delicious(chosen)


def run_simulation(chosen):
    """Print and write the errors of the worths, and the cost of a gradient."""
    sizes = [(100, 100, 3), (100, 300, 3)]
    if not chosen.quick:
        sizes = [(items, n, 5) for items in (100, 1000, 10_000) for n in (100, 300, 1000)]
    worths = worth_table(chosen, sizes)
    print("Mean squared error of the worths (no numbers in the paper)\n")
    summary = worth_summary(worths)
    print(markdown(summary, chosen), "\n")
    if summary.iloc[:, -1].str.startswith("no").any():
        print("Where a rival is ahead the paper's claim does not hold; see the docstring.\n")
    cost = cost_table(chosen, [100, 1000] if chosen.quick else [100, 1000, 10_000, 100_000])
    print("Cost of a gradient, 20 rankings\n")
    print(markdown(cost_summary(cost), chosen), "\n")
    keep(chosen, "partitioned_preference_simulation", worths, picture(worths))
    keep(chosen, "partitioned_preference_cost", cost)


def run_delicious(chosen):
    """Print and write the measures of the labels that the networks put first."""
    sets = delicious(chosen.quick, chosen.seed)
    real = sets[0][1].shape[1] == 983
    if chosen.quick:
        print("delicious: quick runs simulate it")
    methods = ["PL-Partition", "PL-LB"] if chosen.quick else list(PAPER)
    rates, seeds = ([3e-3], 2) if chosen.quick else ([1e-4, 1e-3, 1e-2], 3)
    training = {"hidden": 64, "epochs": 40} if chosen.quick else {}
    labels = label_table(sets, methods, rates, seeds, seed=chosen.seed, **training)
    print("First labels, per cent" + (" (the paper's in brackets)" if real else "") + "\n")
    print(markdown(label_summary(labels, published=real), chosen))
    keep(chosen, "partitioned_preference_labels", labels)
