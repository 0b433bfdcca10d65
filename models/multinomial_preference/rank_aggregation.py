r"""Joining the lists of search engines: the part of `models.multinomial_preference` on LETOR.

The data are MQ2007-agg and MQ2008-agg with five folds and LETOR's own measures. LETOR's official
numbers take a larger value for the better place; by the labels the smaller value is better. So
every method is run in both directions. It is also run with both readings of the documents that a
list does not have: nothing is known of them, or they are below all documents of the list.

The paper's fits are 100 steps along the gradient of a likelihood that takes differences of ranks
for independent draws (weight 1, no prior). Without variances the scores are in the order of net
counts from the first step to the last. Fits with variances, or with learned theta, are posterior
modes with the package's prior and its weight for rankings, unless they say "100 steps".
"""

import time

import numpy as np
import pandas as pd

import bayesrank as br
from models.multinomial_preference.list_measures import CASES, measures
from models.multinomial_preference.list_methods import METHODS, Case, adherences, read
from models.multinomial_preference.list_posteriors import posteriors
from models.multinomial_preference.list_tables import (
    claims,
    long_table,
    picture,
    print_adherences,
    print_claims,
    print_methods,
)
from models.study import few_links, keep, progress_bar

__all__ = ["run", "study"]


def study(name, documents, part):
    """Return measures by (direction, absent, method), and seconds of processor time per query."""
    found, seconds = {}, {}
    with progress_bar(name, len(CASES) * len(METHODS)) as advance:
        for reading in CASES:
            case = Case(documents, part, *reading)
            # The counts are made once, before any method is timed.
            _ = case.counts, [(train.counts, test.counts) for train, test, _ in case.folds]
            for method, score in METHODS.items():
                started = time.process_time()
                found[*reading, method] = measures(case, score(case))
                seconds[*reading, method] = (time.process_time() - started) / len(part)
                advance()
    return found, seconds


def both_adherences(case):
    """Return the supervised adherences of the first fold and those learned without labels."""
    with few_links():
        fit = br.fit(
            case.folds[4][0].rankings, "mpm", method="map", scale=1.0, variances=False,
            adherence="learned", weight="effective", progress=False,
        )  # fmt: skip
    learned = fit.agents()["adherence"]
    return pd.DataFrame({"supervised": adherences(case.folds[4][0]), "learned": learned})


def run(chosen):
    """Run this part and return the tables by name."""
    rng = np.random.default_rng(chosen.seed)
    tables, thetas, verdicts = {}, {}, []
    for name in ("mq2008-agg", "mq2007-agg"):
        documents, part, official = read(name, chosen.quick, rng)
        found, seconds = study(name, documents, part)
        tables[name] = long_table(name, found, seconds, part)
        print_methods(name, found, seconds, part, official)
        verdicts.append(claims(name, found))
        case = Case(documents, part)
        thetas[name] = both_adherences(case)
        print_adherences(name, thetas[name])
        if name == "mq2008-agg":
            fits = posteriors(documents, part, chosen)
    verdicts = pd.concat(verdicts)
    print_claims(verdicts)
    whole = pd.concat(tables.values())
    keep(chosen, "multinomial_preference_letor", whole, picture(tables, thetas))
    minutes = (time.monotonic() - chosen.started) / 60.0
    print(f"\n{minutes:.1f} minutes")
    return {"measures": whole, "claims": verdicts, "adherences": thetas, "fits": fits}
