"""Search results fused by pairwise preferences, compared with counting votes.

Carterette and Petkova, Learning a ranking from pairwise preferences (SIGIR 2006): each system's
list is broken into all its pairs, and documents are scored by a probit model of the pairs or by a
linear support vector machine. Their runs (TREC-6) are not available. This study has 17 runs of the
TREC-2003 Robust track, with 100 topics.

The paper claims that SVM is at least as good as probit, and probit better than Borda; that both are
above the average input and near the best one; and that three quarters of the pairs can be left out.

    python3 -m models.metasearch            # half an hour, two cores
    python3 -m models.metasearch --quick    # a quarter of a minute
"""

import numpy as np
import pandas as pd

from models.metasearch.fusion import TOP_20, TOP_100, precisions, study, trial
from models.metasearch.posteriors import model, posterior_tables
from models.metasearch.tables import claims, picture, summary
from models.metasearch.topics import robust_track, simulated
from models.study import data_folder, keep, markdown, options

__all__ = ["main", "model", "precisions", "study", "trial"]


def main(arguments=None):
    """Run the study and print the paper's claims beside the results."""
    chosen = options(__doc__, arguments, prog=f"python3 -m {__name__}")
    folder = data_folder("trec-robust03")
    rng = np.random.default_rng(chosen.seed)
    tables = {}
    for depth, parts, sizes, draws in (
        (20, TOP_20, (2, 3, 4, 6, 8, 12), 100),
        (100, TOP_100, (2, 4, 8), 100),
    ):
        topics = (12 if depth == 20 else 3) if chosen.quick else None
        if chosen.quick:
            sizes, draws = (2, 4, 8), 3
        if folder is None:
            documents = simulated(depth, rng, topics or 30)
        else:
            documents = robust_track(folder, depth, topics)
        tables[depth] = study(chosen, documents, depth, sizes, draws, parts)
        print(
            f"\n{documents.values.shape[1]} systems, {len(documents.queries)} topics, top {depth}, "
            f"{draws} draws: mean average precision\n"
        )
        print(markdown(summary(tables[depth])))
        if depth == 20:
            systems = np.arange(min(8, documents.values.shape[1]))
            firsts, certainty = posterior_tables(
                documents, systems, len(documents.queries), chosen.seed
            )
    verdicts = claims(tables[20])
    print(f"\n{markdown(verdicts, chosen)}")
    print("\nEight systems: how sure is the fused ranking of its first document?\n")
    print(markdown(firsts.head(10).round(2)))
    sure = firsts["P(first is best)"] > 0.9
    print(
        f"\nP(first is best): median {firsts['P(first is best)'].median():.2f}, above 0.9 in "
        f"{sure.sum()} of {len(firsts)} topics. The first is relevant in "
        f"{firsts['first is relevant'][sure].mean():.0%} of these, in "
        f"{firsts['first is relevant'][~sure].mean():.0%} of the others.\n"
    )
    print(markdown(certainty))
    whole = pd.concat([table.assign(depth=depth) for depth, table in tables.items()])
    keep(chosen, "metasearch", whole.round({"map": 5}), picture(tables))
    keep(chosen, "metasearch_posterior", firsts)
    return verdicts, certainty
