"""Many rows of a file, counted by engines."""

import pytest


# Dask calls pandas 3.1 in a way that this announces to end.
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_many_rows_of_a_file_are_counted_by_engines(tmp_path):
    pytest.importorskip("duckdb")
    from benchmarks.big_rows import ENGINES, make_rows, measure

    path = tmp_path / "votes.parquet"
    make_rows(path, 200_000)
    for engine in ENGINES:
        found = measure(engine, path)
        assert found["comparisons"] == 200_000
        assert found["items"] == 150
        assert int(found["first"].split()[1]) < 15  # the best are the first
