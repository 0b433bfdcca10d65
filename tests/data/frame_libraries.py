"""The frame libraries that tables may come from."""

import dask.dataframe
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

FRAMES = pytest.mark.parametrize(
    "convert",
    [
        pd.DataFrame,
        lambda rows: pd.DataFrame(rows).convert_dtypes(),
        pl.DataFrame,
        pl.LazyFrame,
        pa.table,
        lambda rows: duckdb.from_arrow(pa.table(rows)),
        lambda rows: dask.dataframe.from_pandas(pd.DataFrame(rows), npartitions=2),
    ],
    ids=["pandas", "pandas-nullable", "polars", "polars-lazy", "pyarrow", "duckdb", "dask"],
)
