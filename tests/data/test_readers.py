"""Files and shipped data sets."""

import gzip

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data import DATASETS, Rankings


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


@pytest.mark.parametrize(
    ("name", "items", "rankings", "entries", "weight", "ties", "strong"),
    [
        ("fruits", 4, 6, 19, 6, True, True),
        ("nascar", 87, 36, 36 * 43, 36, False, False),
        ("netflix", 4, 24, 24 * 4, 588, False, True),
    ],
)
def test_data_sets_of_rankings(name, items, rankings, entries, weight, ties, strong):
    data = br.load_dataset(name)
    assert len(data.items) == items and len(data) == rankings and data.n_entries == entries
    assert data.weights.sum() == weight
    assert data.has_ties == ties and data.connectivity().strong == strong


def test_four_drivers_never_beat_anybody():
    """Hunter (2004) leaves out the four who came last in each of their races."""
    data = br.load_dataset("nascar")
    assert len(data.connectivity().never_win) == 4
    rest = [driver for driver in data.items if driver not in data.connectivity().never_win]
    assert data.subset(rest).connectivity().strong
    winner = data.items[data.entries[0, 0]]
    assert winner == "Ward Burton"  # at Daytona


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


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files_of_rankings(tmp_path, suffix):
    lists = [[f"driver {k}", "driver 99"] for k in range(11)]
    offered = {"unranked": "not offered"}
    lists = [*lists, [["x", "NA"], "001"]]
    data = Rankings.from_lists(lists, weights=range(1, 13), **offered)
    frame = data.to_frame().rename(columns={"ranking": "race", "rank": "position"})
    path = tmp_path / f"races{suffix}"
    if suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
    assert br.read(path, weight="weight", **offered).same_as(data)
    with pytest.warns(UserWarning, match='although column `weight` may say how often: weight="'):
        unweighted = br.read(path, **offered)
    assert unweighted.names == data.names and unweighted.weights.tolist() == [1] * 12
    columns = {"group": "race", "item": "item", "rank": "position"}
    named = br.read(path, features=["weight"], **columns, **offered)
    assert named.feature_names == ["weight"] and named.features.max() == 12


def test_files_of_unranked_items_and_of_ratings(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("voter,candidate,rank\nx,a,1\nx,b,\ny,b,1\ny,a,2\n")
    with pytest.raises(ValueError, match=r'`rank` in row 1 .* say unranked="rows below"'):
        br.read(path)
    assert br.read(path, unranked="below").ranks.tolist() == [[1, 0], [1, 2]]
    path = tmp_path / "ratings.csv"
    path.write_text("user,film,stars\nx,a,1\nx,b,3.5\ny,b,4\ny,a,4\n")
    data = br.read(path, item="film", rating="stars")
    assert data.agents == ["x", "y"] and data.ranks.tolist() == [[1, 2], [1, 1]]
    with pytest.raises(ValueError, match=r"`rating` belongs .* and `rank` to a table of rank"):
        br.read(path, item="film", rating="stars", rank="stars")
    assert br.read(path, rating="stars").same_as(data)  # films are known to be items


def test_comparisons_and_rankings_are_not_mixed(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("left,right,outcome,group,item,rank\na,b,a,1,a,1\nb,a,tie,1,b,2\n")
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert br.read(path, rank="rank").ranks.tolist() == [[1, 2]]
    for arguments in ({"left": "left"}, {"wins": "left"}, {"outcome": "outcome"}):
        with pytest.raises(ValueError, match="of comparisons and `group` to a table of rankings"):
            br.read(path, group="group", **arguments)


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
    with pytest.raises(
        ValueError, match=r"ragged\.csv', line 3: a row may have no more fields .* 3, got 5"
    ):
        br.read(ragged)


def test_json_lines(tmp_path):
    path = tmp_path / "games.jsonl"
    rows = [
        '{"home": "x", "away": "y", "winner": "x"}',
        "",
        '{"home": "y", "away": "x", "winner": "tie"}',
    ]
    path.write_text("\n".join(rows) + "\n")
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]
    with gzip.open(tmp_path / "games.jsonl.gz", "wt") as file:
        file.write("\n".join(rows))
    assert br.read(tmp_path / "games.jsonl.gz").same_as(br.read(path))


@pytest.mark.parametrize("line", ["[1]", "{", "[" * 100_000, "9" * 5000, '"x"'])
def test_json_lines_that_are_none(line, tmp_path):
    path = tmp_path / "games.ndjson"
    path.write_text('{"home": "x", "away": "y", "winner": "x"}\n' + line + "\n")
    with pytest.raises(ValueError, match="line 2: a line must be one object"):
        br.read(path)


@pytest.mark.parametrize("ending", [".csv.gz", ".tsv.gz"])
def test_zipped_tables(ending, tmp_path):
    separator = "\t" if "tsv" in ending else ","
    path = tmp_path / f"games{ending}"
    text = "# a comment\nhome,away,winner\nx,y,x\ny,x,tie\n".replace(",", separator)
    path.write_bytes(gzip.compress(text.encode()))
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]


def test_a_zipped_file_that_would_fill_the_memory(tmp_path, monkeypatch):
    from bayesrank.data.formats import text_files

    path = tmp_path / "games.csv.gz"
    path.write_bytes(gzip.compress(b"home,away,winner\n" + b"x,y,x\n" * 100_000))
    assert br.read(path).counts.sum() == 100_000
    monkeypatch.setattr(text_files, "UNZIPPED", 200_000)
    rule = "holds more than 200,000 bytes once it is unzipped, and 100 times as much as it is long"
    with pytest.raises(ValueError, match=rule):
        br.read(path)
    path.write_bytes(gzip.compress(b"home,away,winner\n" + b"x,y,x\n" * 100_000, compresslevel=0))
    assert br.read(path).counts.sum() == 100_000
    monkeypatch.setattr(text_files, "LARGEST", 10_000)
    with pytest.raises(ValueError, match="holds more than 10,000 bytes; read it by an engine"):
        br.read(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# 1\n\nleft,right,outcome\n1,a,b,a\n", "line 4: a row may have no more .* 3, got 4"),
        ("left,right,outcome\n" + "x," * 200_000, "line 2: a row may have .* 3, got 200001"),
        ("x," * 200_000 + "\na,b\n", "line 1: there may be 10,000 columns at most"),
        ("# 1\nleft,right,left,x,x\na,b,a,1,2\n", "line 2: each column .* `left`, `x` more than"),
        ("# only\n\n# comments\n", "no line has names of columns"),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_their_header(text, message, tmp_path):
    for ending in (".csv", ".tsv"):
        path = tmp_path / f"games{ending}"
        path.write_text(text.replace(",", "\t") if ending == ".tsv" else text)
        with pytest.raises(ValueError, match=message) as caught:
            br.read(path)
        assert str(path) in str(caught.value)


def test_short_rows_and_columns_without_a_name(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text('# "one quote\n,left,right,outcome,,\n0,a,b,a\n1,b,a,tie,,\n')
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_semicolons_and_decimal_commas(mark, tmp_path, caplog):
    path = tmp_path / "games.csv"
    path.write_text(f'{mark}"left";right;outcome;w\na, b;c;H;1,5\nc;a, b;d;2\n', encoding="utf-8")
    with caplog.at_level("INFO", "bayesrank.read"):
        data = br.read(path, weight="w")
    assert "separator: ;" in caplog.text
    assert data.items == ["a, b", "c"] and data.counts.tolist() == [[1.5, 0, 0], [0, 0, 2]]
    caplog.clear()
    path.write_text("left,right,out;come\na,b,a\n")
    with caplog.at_level("INFO", "bayesrank.read"):
        assert br.read(path, outcome="out;come").counts.tolist() == [[1, 0, 0]]
    assert "separator" not in caplog.text


def test_half_a_character_is_no_text(tmp_path):
    path = tmp_path / "games.jsonl"
    row = '{"home": "x", "away": "%s", "winner": "x"}\n'
    path.write_text(row % r"\ud83c\udfc6" + row % r"\ud83c")
    with pytest.raises(ValueError, match="line 2: a line must be one object"):
        br.read(path)
    path.write_text(row % r"\ud83c\udfc6")
    assert br.read(path).items == ["x", "\U0001f3c6"]


def test_a_parquet_file_of_too_many_rows(tmp_path, pudding, monkeypatch):
    """In which equal values take next to no room."""
    path = tmp_path / "counts.parquet"
    pudding.to_frame().to_parquet(path)
    monkeypatch.setattr("bayesrank.data.formats.table_files.CELLS", 74)
    with pytest.raises(ValueError, match=r"parquet' holds 15 rows of 5 columns, more than 74"):
        br.read(path)
    monkeypatch.setattr("bayesrank.data.formats.table_files.CELLS", 75)
    assert br.read(path).same_as(pudding)


def test_damaged_parquet(tmp_path, pudding):
    path = tmp_path / "counts.parquet"
    pudding.to_frame().to_parquet(path)
    whole = path.read_bytes()
    for k in range(4, len(whole), 5):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 8]) + whole[k + 1 :])
        try:
            br.read(path)
        except ValueError as error:
            assert str(error)


def test_wide_ranks(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("judge,times,a,b,c\nx,2,1,2,\ny,1,2,1,1\n")
    data = br.read(path, wide=True, agent="judge", weight="times")
    assert data.items == ["a", "b", "c"]
    assert data.agents == ["x", "y"]
    assert data.weights.tolist() == [2, 1]
    expected = br.Rankings.from_lists(
        [["a", "b"], [{"b", "c"}, "a"]], agents=["x", "y"], weights=[2, 1]
    )
    assert data.same_as(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"left": "a"}, "`wide` belongs to a table of ranks by items"),
        ({"agent": "nobody"}, "Unknown column `nobody`"),
        ({"agent": "a", "weight": "b", "group": "c"}, "A wide table must have a column for each"),
    ],
)
def test_wide_refusals(options, message, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("a,b,c\n1,2,3\n")
    with pytest.raises(ValueError, match=message):
        br.read(path, wide=True, **options)


def test_wide_ranks_that_are_no_numbers(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("a,b\n1,second\n")
    with pytest.raises(ValueError, match="Column `b` must hold numbers: 'second' in row 0"):
        br.read(path, wide=True)


def test_json_lines_of_too_many_columns(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f'{{"c{k}": 1}}\n' for k in range(10_002)))
    with pytest.raises(ValueError, match="line 10001: there may be 10,000 columns at most"):
        br.read(path)


def test_numbers_that_are_too_large(tmp_path):
    path = tmp_path / "games.jsonl"
    row = '{"left": "x", "right": "y", "wins": 1' + "0" * 400 + ', "losses": "1"}'
    path.write_text(row + "\n")
    with pytest.raises(ValueError, match="Column `wins` holds a number that is too large"):
        br.read(path)
    path = tmp_path / "counts.csv"
    path.write_text("left,right,wins,losses\nx,y,1e30,2\n")
    assert br.read(path).counts.tolist() == [[1e30, 2, 0]]


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("c.csv", "left,right,wins,losses\nx,y,1e308,1\nx,y,1e308,1\n", {}),
        ("c.csv", "left,right,wins,losses\nx,y,1e308,1\nz,y,1e308,1\n", {}),
        ("g.csv", "left,right,outcome,w\nx,y,x,1e308\nx,y,x,1e308\n", {"weight": "w"}),
        ("g.csv", "left,right,outcome,w\nx,y,x,1e308\nz,y,y,1e308\n", {"weight": "w"}),
        ("r.csv", "group,item,rank,w\n1,x,1,1e308\n1,y,2,1e308\n2,x,1,1e308\n2,y,2,1e308\n",
         {"weight": "w"}),
        ("w.csv", "w,x,y\n1e308,1,2\n1e308,2,1\n", {"wide": True, "weight": "w"}),
        ("p.wmd", "1,2,1e308\n1,3,1e308\n", {}),
    ],
)  # fmt: skip
def test_sums_must_be_finite(name, text, options, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=r"must have a finite sum, below 1\.8e\+308, got inf"):
        br.read(path, **options)


def test_absurdly_long_names_are_cut_in_messages(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(f"left,right,{'x' * 100_000}\na,b,a\n")
    with pytest.raises(ValueError, match="Unknown column") as caught:
        br.read(path, outcome="outcome")
    assert len(str(caught.value)) < 2000
    for rank, rule in (("x", "must hold numbers"), ("-1", "must be whole numbers")):
        path.write_text(f"a,{'x' * 100_000}\n1,{rank}\n")
        with pytest.raises(ValueError, match=rule) as caught:
            br.read(path, wide=True)
        assert len(str(caught.value)) < 2000
