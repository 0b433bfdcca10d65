r"""What Bradley-Terry estimates when the rankings come from another model.

Jeon and Kim, Revisiting the Bradley-Terry model and its application to information retrieval
(2013). Documents have features x and are ranked by x' beta* plus normal noise. Every ranking is
broken into pairs, and a linear scorer is fitted to the pairs with a loss that does not belong to
normal noise. The paper claims that with many rankings the estimate is beta* times one factor, so
that the order is right. This holds for the logistic loss (Bradley-Terry, RankNet), the hinge loss
(RankSVM) and the exponential loss (RankBoost). Without features it does not hold: Figure 4.1.

The paper says that the noise has variance 1 and prints "beta-hat / beta*". Its numbers are nearer
to beta* / beta-hat with noise of variance 1/2, so the study has both ratios and both variances. The
standard deviations of Table 3.1 are those of n single pairs rather than of n rankings of four. So
there is a third design: n pairs whose features differ by N(0, I), with noise N(0, 1) on the
difference. It is a guess at what was simulated. Among some ten readings that we tried it is the
nearest to Table 3.1, and it does not give Tables 3.2 and 3.3.

The study adds the likelihood of the whole rankings (Thurstone's), and how often the intervals of
both models hold the truth: pairs of one ranking are not independent.

    python3 -m models.misspecified_bradley_terry            # ten to twenty minutes
    python3 -m models.misspecified_bradley_terry --quick    # half a minute
"""

from models.misspecified_bradley_terry.designs import BETA, DESIGNS, all_pairs, model, simulate
from models.misspecified_bradley_terry.marginals import marginal_probabilities
from models.misspecified_bradley_terry.pictures import picture
from models.misspecified_bradley_terry.posteriors import coverage_table, nuts_table, sandwich
from models.misspecified_bradley_terry.ratios import PAPER, limit, ratio_table
from models.misspecified_bradley_terry.tables import (
    long_table,
    print_coverage,
    print_marginals,
    print_nuts,
    print_ratios,
    print_verdict,
)
from models.study import keep, options

__all__ = [
    "BETA",
    "DESIGNS",
    "PAPER",
    "all_pairs",
    "coverage_table",
    "limit",
    "main",
    "marginal_probabilities",
    "model",
    "nuts_table",
    "print_ratios",
    "ratio_table",
    "sandwich",
    "simulate",
]


def main(arguments=None):
    """Run the study and return the rows of each table."""
    repeat = {"type": int, "default": None, "help": "of the tables (default 200, quick 40)"}
    chosen = options(__doc__, arguments, prog=f"python3 -m {__name__}", repetitions=repeat)
    quick, seed = chosen.quick, chosen.seed
    repetitions = chosen.repetitions or (40 if quick else 200)
    ratios, coverage = [], []
    for name in DESIGNS:
        rows = ratio_table(name, (100, 1000) if quick else (100, 1000, 10_000), repetitions, seed)
        print_ratios(rows)
        ratios += rows
    print_verdict(ratios)
    found = marginal_probabilities(1000 if quick else 10_000, seed)
    print_marginals(found)
    for n, times in ((100, 20),) if quick else ((100, 400), (1000, 200)):
        coverage += coverage_table(n, times, seed)
    print_coverage(coverage)
    # Thurstone's gradient takes the longest to compile.
    nuts = nuts_table(100, 200, seed, ["bradley-terry"]) if quick else nuts_table(500, 1000, seed)
    print_nuts(nuts, chosen)
    table = long_table([*ratios, *coverage, *nuts], found)
    keep(chosen, "misspecified_bradley_terry", table, picture(ratios, found, coverage))
    return ratios, found, coverage, nuts
