"""How good the scores of each method are on test queries, and how far they are from ListMLE's."""

import time

import numpy as np
import pandas as pd

from bayesrank.metrics import expected_reciprocal_rank, ndcg
from models.ordered_partitions.fits import BASE, methods, stopped
from models.ordered_partitions.graded_documents import prepared
from models.study import one_blas_thread

__all__ = ["MEASURES", "difference", "measures", "numbers", "one_fold", "rival", "verdict"]

MEASURES = ["ERR", "NDCG@1", "NDCG@5"]
STOPPED = (BASE, "PMOP-FD", "PMOP geometric, exact")


def measures(score, documents):
    """Return each query's ERR and NDCG by the paper's definitions, and NDCG by LETOR's."""
    given = (score, documents.relevance, documents.query)
    own = ndcg(*given, k=[1, 5], convention="pmop", ties="expected")
    letor = ndcg(*given, k=[1, 5], convention="letor", ties="expected")
    # The paper divides by 16, which belongs to its highest grade of 4. In MQ2008 the highest is 2.
    reading = expected_reciprocal_rank(*given, highest=4, ties="expected")
    columns = [*MEASURES, "LETOR NDCG@1", "LETOR NDCG@5"]
    return dict(zip(columns, [reading, *own.T, *letor.T], strict=True))


def one_fold(task):
    """Return the measures of every method on the test queries of one fold."""
    data, threshold, fold, train, test, quick, seed = task
    train, test = prepared(train, test, threshold)
    rows = []
    with one_blas_thread():
        for name, fit in methods(quick, seed).items():
            start = time.process_time()
            found = fit(train)
            taken = time.process_time() - start
            beta = found if isinstance(found, np.ndarray) else found.posterior["beta"][0, 0]
            weights = [(name, beta, taken)]
            if name in STOPPED:
                start = time.process_time()
                beta = stopped(found.specification)
                weights.append((f"{name}, stopped", beta, time.process_time() - start))
            for label, beta, taken in weights:
                rows.append(pd.DataFrame({
                    "data": data, "features": "first" if threshold is None else "second",
                    "columns": len(train.columns), "fold": fold, "method": label,
                    "query": np.arange(len(test.queries)), "seconds": taken,
                    **measures(test.values @ beta, test),
                }))  # fmt: skip
    return pd.concat(rows)


def rival(method):
    """Return the name of the fit of ListMLE to compare with."""
    return f"{BASE}, stopped" if method.endswith("stopped") else BASE


def difference(table, method, measure="NDCG@5"):
    """Return the mean over queries of a method minus ListMLE, and its standard error.

    A fit that is stopped is compared with ListMLE stopped.
    """
    wide = table.pivot(index=["fold", "query"], columns="method", values=measure)
    apart = wide[method] - wide[rival(method)]
    return apart.mean(), apart.sem()


def verdict(mean, error):
    """Return the result of a comparison with ListMLE, at two standard errors."""
    return "above" if mean > 2 * error else "below" if mean < -2 * error else "as good"


def numbers(table):
    """Return means over test queries with standard errors, by data, features and method."""
    rows = []
    for (data, order), whole in table.groupby(["data", "features"], sort=False):
        for name, part in whole.groupby("method", sort=False):
            row = {"data": data, "features": order, "method": name, "queries": len(part)}
            for measure in MEASURES:
                row |= {measure: part[measure].mean(), f"{measure} se": part[measure].sem()}
            row |= {f"LETOR NDCG@{k}": part[f"LETOR NDCG@{k}"].mean() for k in (1, 5)}
            row["difference"], row["difference se"] = difference(whole, name)
            row["seconds"] = part.groupby("fold")["seconds"].first().mean()
            rows.append(row)
    return pd.DataFrame(rows)
