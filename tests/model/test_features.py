"""Columns that cannot change a ranking change no prediction."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.model.preference_data import queries, read_queries
from tests.random_tables import random_table

CONSTANT = np.repeat([0.51, 0.37, 0.2, 0.01, 0.69], 3)


def documents(seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"query": np.repeat(np.arange(5), 3), "item": np.arange(15)})
    frame["x"], frame["y"] = rng.normal(size=(2, 15))
    frame["rank"] = frame.groupby("query")["x"].rank(ascending=False).astype(int)
    return frame.assign(k=CONSTANT)


def fitted(frame, features, **options):
    data = br.Rankings.from_frame(frame, "query", features=features, unranked="not offered")
    return br.fit(data, "pmop", method="laplace", seed=1, draws=200, chains=1, **options)


def test_a_column_that_is_constant_in_each_ranking_is_left_out():
    frame = documents()
    with pytest.warns(UserWarning, match="the same value throughout every ranking in k"):
        fit = fitted(frame, ["x", "k", "y"])
    assert fit.parameters().index.tolist() == ["beta[x]", "beta[y]"]
    new = frame[["x", "k", "y"]].head(4)
    plain = fitted(frame, ["x", "y"])
    np.testing.assert_allclose(fit.scores(new), plain.scores(new[["x", "y"]]), rtol=1e-9)
    # An array may have all columns that came, or those that are left.
    np.testing.assert_array_equal(fit.scores(new.to_numpy()), fit.scores(new))
    np.testing.assert_array_equal(fit.scores(new[["x", "y"]].to_numpy()), fit.scores(new))
    with pytest.raises(ValueError, match="in k, c: such a column cannot change"):
        fitted(frame.assign(c=7.0), ["k", "c"])


@given(
    st.sampled_from([1e-9, 1e-3, 1.0, 1e6, 1e12]),
    st.lists(st.floats(-1, 1), min_size=5, max_size=5),
    st.integers(0, 2),
)
@pytest.mark.filterwarnings("ignore:`features` has the same value")
def test_a_constant_column_changes_no_prediction(size, values, place):
    """Of any size, at any place, whatever rounding makes of its mean."""
    frame = documents(1).assign(k=np.repeat(values, 3) * size)
    columns = ["x", "y"]
    columns.insert(place, "k")
    new = frame[columns].tail(3)
    expected = fitted(frame, ["x", "y"]).scores(new[["x", "y"]])
    np.testing.assert_allclose(fitted(frame, columns).scores(new), expected, rtol=1e-7, atol=1e-9)


def test_a_column_that_follows_from_others_is_left_out(tmp_path):
    frame = documents()
    frame["twin"] = 3.0 * frame["x"] - frame["y"] + frame["k"]
    frame["near"] = frame["x"] + 1e-9 * frame["y"]
    with pytest.warns(UserWarning, match="follow from the columns before them: twin, near"):
        fit = fitted(frame, ["x", "y", "twin", "near"])
    plain = fitted(frame, ["x", "y"])
    np.testing.assert_allclose(fit.posterior["beta"], plain.posterior["beta"], rtol=1e-9)
    fit.save(tmp_path / "fit.nc")
    with pytest.warns(UserWarning, match="twin, near"):
        again = br.Fit.load(tmp_path / "fit.nc")
    assert again.parameters().equals(fit.parameters())


def test_columns_of_large_numbers_that_differ_are_kept():
    """Seconds since 1970 differ by little beside their size."""
    frame = documents()
    fit = fitted(frame.assign(x=1.7e9 + frame["x"].round(3)), ["x", "y"])
    assert len(fit.parameters()) == 2


def test_features_of_items():
    data = random_table(3)
    features = np.random.default_rng(0).normal(size=(len(data.items), 2))
    options = {"method": "laplace", "seed": 1, "draws": 50, "chains": 1}
    plain = br.fit(data, features=features, **options)
    more = np.column_stack([features[:, 0], np.full(len(features), 0.1 + 0.2), features[:, 1]])
    with pytest.warns(UserWarning, match="the same value for every item in x2"):
        fit = br.fit(data, features=more, **options)
    assert fit.specification.feature_names == ["x1", "x3"]
    np.testing.assert_allclose(fit.scores(), plain.scores(), rtol=1e-9)
    np.testing.assert_allclose(fit.scores(more), plain.scores(features), rtol=1e-9)


def test_features_are_matched_by_label(pudding):
    frame = pd.DataFrame({"sugar": [1.0, 2, 3, 4, 5, 9]}, index=pudding.items)
    shuffled = frame.iloc[::-1]
    one = Specification(pudding, "davidson", features=frame)
    other = Specification(pudding, "davidson", features=shuffled)
    column = Specification(pudding, "davidson", features=shuffled.rename_axis("item").reset_index())
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.features, column.features)
    assert one.feature_names == ["sugar"]


def test_features_are_centred_in_each_instance():
    data = read_queries(queries())
    keys = pd.MultiIndex.from_product([range(4), [f"d{i}" for i in range(5)]])
    x = np.random.default_rng(0).normal(size=20)
    frame = pd.DataFrame({"x": x}, index=keys)
    fit = br.fit(data, "mpm", method="map", features=frame, variances=False, adherence=1.0)
    np.testing.assert_allclose(fit.scores().reshape(4, 5).sum(axis=1), 0.0, atol=1e-10)
    constant = frame.assign(x=np.repeat([1.0, 2.0, 3.0, 4.0], 5))
    with pytest.raises(ValueError, match="same value for every item"):
        br.fit(data, "mpm", method="map", features=constant)
