"""Frames of a Spark session, where PySpark is installed and finds Java."""

import shutil
import sys

import numpy as np
import pandas as pd
import pytest

import bayesrank as br

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="PySpark needs Java"),
    # PySpark 4 announces what it does not know of pandas 3, and leaves its sockets to Python.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

VOTES = pd.DataFrame(
    [("a", "b", "a", 2, 1, 1.0, "x"), ("b", "c", "tie", 0, 0, 2.0, "y"),
     ("c", "a", "a", 1, 3, 1.5, "x"), ("a", "c", "c", 0, 2, 1.0, "y")] * 5,
    columns=["left", "right", "outcome", "goals", "against", "weight", "judge"],
)  # fmt: skip
RACES = pd.DataFrame(
    [(1, "x", 1), (1, "y", 2), (1, "z", 2), (2, "y", 1), (2, "x", 2)],
    columns=["race", "driver", "position"],
)


@pytest.fixture(scope="module")
def spark():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = pyspark.sql.SparkSession.builder.master("local[2]")
        for name, value in {"ui.enabled": "false", "sql.shuffle.partitions": "2"}.items():
            builder = builder.config(f"spark.{name}", value)
        session = builder.getOrCreate()
        yield session
        session.stop()


def in_spark(spark, frame):
    rows = frame.astype(object).where(frame.notna(), None)
    return spark.createDataFrame(list(rows.itertuples(index=False, name=None)), list(frame))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"outcome": ("goals", "against")},
        {"weight": "weight", "agent": "judge"},
        {"category": "judge", "features": {"d": ("goals", "against"), "weight": "weight"}},
        {"category": "judge", "features": ["weight"], "weight": "weight"},
    ],
    ids=["winners", "scores", "weights and agents", "categories and features", "all of it"],
)
def test_comparisons(spark, options):
    ours = br.Comparisons.from_frame(in_spark(spark, VOTES), **options)
    assert ours.same_as(br.Comparisons.from_frame(VOTES, **options))


def test_counts(spark):
    table = br.Comparisons.from_frame(VOTES, features=["weight"]).to_frame().assign(both_bad=1)
    for options in ({}, {"features": {"w": "weight"}}, {"category": "weight"}):
        ours = br.Comparisons.from_counts(in_spark(spark, table), **options)
        assert ours.same_as(br.Comparisons.from_counts(table, **options))


def test_rankings_and_ratings(spark):
    names = {"group": "race", "item": "driver", "rank": "position"}
    ours = br.Rankings.from_frame(in_spark(spark, RACES), **names)
    theirs = br.Rankings.from_frame(RACES, **names)
    assert ours.items == theirs.items
    np.testing.assert_array_equal(ours.ranks, theirs.ranks)
    names = {"agent": "race", "item": "driver", "rating": "position"}
    ours = br.Rankings.from_ratings(in_spark(spark, RACES), **names)
    np.testing.assert_array_equal(ours.ranks, br.Rankings.from_ratings(RACES, **names).ranks)


def test_what_is_missing_is_named(spark):
    rows = in_spark(spark, VOTES.assign(right=["b", None, "a", "c"] * 5))
    with pytest.raises(ValueError, match=r"Missing values: `right` in 5 rows"):
        br.Comparisons.from_frame(rows)
    rows = in_spark(spark, VOTES.assign(weight=[1.0, float("inf"), 1.0, 1.0] * 5))
    with pytest.raises(ValueError, match=r"`weight` must hold finite numbers: 5 rows"):
        br.Comparisons.from_frame(rows, features=["weight"])
    rows = in_spark(spark, VOTES.assign(goals=[1.0, None, 1.0, 1.0] * 5))
    with pytest.raises(ValueError, match=r"Missing values: `goals` in 5 rows"):
        br.Comparisons.from_frame(rows, features={"d": ("weight", "goals")})
