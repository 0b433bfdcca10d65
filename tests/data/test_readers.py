"""Files and shipped data sets."""

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data import DATASETS


@pytest.mark.parametrize(
    ("name", "items", "comparisons", "ties"),
    [
        ("pudding", 6, 745, 202),
        ("citations", 4, 3727, 0),
        ("german_parties", 6, 2880, 0),
        ("baseball", 7, 273, 0),
    ],
)
def test_data_sets(name, items, comparisons, ties):
    data = br.load_dataset(name)
    assert len(data.items) == items
    assert data.counts.sum() == comparisons
    assert data.counts[:, 2].sum() == ties
    assert data.connectivity().strong


def test_every_data_set_is_listed_and_cites_its_source():
    from importlib.resources import files

    tables = {path.name: path for path in files("bayesrank.data").joinpath("tables").iterdir()}
    assert set(tables) == {f"{name}.csv" for name in DATASETS}
    for path in tables.values():
        assert path.read_text().startswith("# ")


def test_unknown_data_set():
    with pytest.raises(ValueError, match="No data set is called 'puddings'; there are baseball"):
        br.load_dataset("puddings")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files_of_counts_and_of_rows(tmp_path, suffix, pudding):
    def write(frame, path):
        if suffix == ".parquet":
            frame.to_parquet(path)
        else:
            frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")

    path = tmp_path / f"counts{suffix}"
    write(pudding.to_frame(), path)
    assert br.read(path).counts.sum() == 745
    rows = pd.DataFrame({"home": ["a", "b"], "away": ["b", "a"], "winner": ["a", "tie"]})
    path = tmp_path / f"rows{suffix}"
    write(rows, path)
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]


def test_names_keep_their_spelling(tmp_path):
    path = tmp_path / "games.csv"
    rows = ["# a comment", "left,right,outcome", "001,NA,001", "C#,#1 seed,tie"]
    path.write_text("\n".join([*rows, "#1 seed,NA,#1 seed", "NA,C#,C#"]))
    data = br.read(path)
    assert data.items == ["#1 seed", "001", "C#", "NA"]
    assert data.counts.sum(axis=0).tolist() == [2, 1, 1]


def test_texts_among_numbers(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("left,right,wins,losses\na,b,1,2\nb,c,many,2\n")
    with pytest.raises(ValueError, match="Column `wins` must hold numbers: 'many' in row 1 "):
        br.read(path)


def test_rows_and_counts_are_not_mixed(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("left,right,wins,losses,w\na,b,1,2,3\n")
    with pytest.raises(ValueError, match="give one or the other"):
        br.read(path, wins="wins", weight="w")


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file or data set called 'nowhere"):
        br.read("nowhere.csv")
    with pytest.raises(IsADirectoryError, match="is a directory"):
        br.read(tmp_path)
    empty = tmp_path / "empty.csv"
    empty.touch()
    with pytest.raises(ValueError, match="is empty"):
        br.read(empty)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="cannot be read as a table"):
        br.read(binary)
    false = tmp_path / "false.parquet"
    false.write_text("left,right\n")
    with pytest.raises(ValueError, match="cannot be read as a table"):
        br.read(false)
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("left,right,outcome\na,b,a\na,b,a,b,c\n")
    with pytest.raises(ValueError, match="cannot be read as a table"):
        br.read(ragged)
