"""Parquet files that are none, cut off or damaged."""

import pandas as pd
import pytest

import bayesrank as br


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"x", "it is not a Parquet file, which starts with 'PAR1'"),
        (b"left,right\n", "it is not a Parquet file, which starts with 'PAR1'"),
        (b"PAR1 and no end", "it is cut off: a Parquet file ends with 'PAR1'"),
        (b"PAR1 and no sense PAR1", "it is damaged, or holds what PyArrow cannot read"),
    ],
)
def test_files_that_cannot_be_read(content, rule, tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"'{path}' cannot be read as a table: {rule}") as caught:
        br.read(path)
    assert caught.value.__cause__ is not None  # for whoever wants to know more


def test_numbers_beside_texts_and_categories(tmp_path):
    frame = pd.DataFrame({"left": [1, 2], "right": ["2", "x"], "outcome": ["left", "tie"]})
    path = tmp_path / "x.parquet"
    for right in (frame["right"], frame["right"].astype("category")):
        frame.assign(right=right).to_parquet(path)
        assert br.read(path).items == ["1", "2", "x"]
