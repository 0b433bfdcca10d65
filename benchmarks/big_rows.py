"""A hundred million rows of a Parquet file to a ranking, by engines that need not hold them.

    python3 -m benchmarks.big_rows [--rows 100000000]

The rows (two of 150 models and an outcome, as text) are made by DuckDB in a temporary folder. Each
engine counts them in a process of its own, whose time and highest resident memory are reported,
the fit of the model included.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

__all__ = ["ENGINES", "main", "make_rows", "measure"]

ITEMS = 150
HERE = Path(__file__).parent


def make_rows(path, rows):
    """Write a Parquet file of votes whose true scores fall from the first model to the last."""
    import duckdb

    duckdb.sql("SET preserve_insertion_order = false")
    duckdb.sql(
        f"""
        COPY (
            SELECT 'model ' || l AS left, 'model ' || r AS right,
                CASE WHEN u < 0.2 THEN 'tie'
                     WHEN (u - 0.2) / 0.8 < 1 / (1 + exp((l - r) / 50.0)) THEN 'left'
                     ELSE 'right' END AS outcome
            FROM (
                SELECT l, (l + 1 + CAST(floor(random() * {ITEMS - 1}) AS INTEGER)) % {ITEMS} AS r,
                    random() AS u
                FROM (
                    SELECT CAST(floor(random() * {ITEMS}) AS INTEGER) AS l FROM range({rows})
                )
            )
        ) TO '{path}' (FORMAT parquet)
        """
    )


def _duckdb(path):
    import duckdb

    return duckdb.read_parquet(str(path))


def _polars(path):
    import polars

    return polars.scan_parquet(path)


def _dask(path):
    import dask.dataframe

    return dask.dataframe.read_parquet(path, split_row_groups=True)


ENGINES = {"DuckDB": _duckdb, "Polars, lazy": _polars, "Dask": _dask}


def measure(engine, path):
    """Return seconds, the highest resident memory in bytes, and what was found."""
    import bayesrank as br

    start = time.perf_counter()
    data = br.Comparisons.from_frame(ENGINES[engine](path))
    counted = time.perf_counter()
    fit = br.fit(data, "davidson", method="laplace", seed=1, progress=False)
    ranking = fit.ranking()
    return {
        "comparisons": int(data.counts.sum()), "items": len(data.items),
        "first": ranking.index[0], "counting": counted - start,
        "fitting": time.perf_counter() - counted,
        "memory": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }  # fmt: skip


def main(arguments=None):
    """Make the rows, let each engine count them, and print the table."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.big_rows")
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES)[:2])
    options = parser.parse_args(arguments)
    lines = ["| engine | rows | counting | fitting | peak memory |", "|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.parquet"
        make_rows(path, options.rows)
        lines.insert(0, f"{options.rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB of Parquet\n")
        for engine in options.engines:
            done = subprocess.run(
                [sys.executable, "-m", "benchmarks.big_rows", "--measure", engine, str(path)],
                check=True, capture_output=True, text=True, cwd=HERE.parent,
            )  # fmt: skip
            found = json.loads(done.stdout.splitlines()[-1])
            assert found["comparisons"] == options.rows
            lines.append(
                f"| {engine} | {found['comparisons']:,} | {found['counting']:.1f} s | "
                f"{found['fitting']:.1f} s | {found['memory'] / 1e9:.2f} GB |"
            )
            print(lines[-1], flush=True)
    print("\n".join(lines))
    return lines


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], sys.argv[3])))
    else:
        main()
