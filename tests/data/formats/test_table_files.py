"""Files of tables: CSV, JSON, Excel and Parquet, whole and damaged."""

import gzip
import json

import pandas as pd
import pytest

import bayesrank as br


def test_excel_and_json(tmp_path, write):
    frame = pd.DataFrame({"home": ["a", "b"], "away": ["b", "a"], "score": ["2-1", "0-0"]})
    expected = br.Comparisons.from_frame(frame, "home", "away", "score")
    frame.to_excel(tmp_path / "games.xlsx", index=False)
    assert br.read(tmp_path / "games.xlsx").same_as(expected)
    rows = json.dumps(frame.to_dict("records"))
    assert br.read(write("games.json", rows)).same_as(expected)
    with pytest.raises(ValueError, match="must be an array of objects"):
        br.read(write("odd.json", '{"home": "a"}'))
    with pytest.raises(ValueError, match="cannot be read as a table"):
        br.read(write("odd.xlsx", "no book"))
    with pytest.raises(ValueError, match="`encoding` is for text"):
        br.read(tmp_path / "games.xlsx", encoding="cp1252")


def test_numbers_and_texts_of_one_column_are_one_name(tmp_path, write):
    frame = pd.DataFrame({"left": [76, "76"], "right": ["ab", "ab"], "outcome": ["left", "right"]})
    frame.to_excel(tmp_path / "mixed.xlsx", index=False)
    assert br.read(tmp_path / "mixed.xlsx").items == ["76", "ab"]
    rows = json.dumps(frame.to_dict("records"))
    assert br.read(write("mixed.json", rows)).items == ["76", "ab"]


def test_nested_columns_of_json_are_left_out(write):
    row = {"model_a": "x", "model_b": "y", "winner": "model_a", "conversation": [{"role": "user"}]}
    for name, text in (("a.json", json.dumps([row])), ("a.jsonl", json.dumps(row))):
        assert br.read(write(name, text)).counts.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize(
    "text",
    [
        "left\tright\toutcome\na\tb\tleft\n",
        "sep=;\nleft;right;outcome\na;b;left\n",
        "left,right,outcome\na,b,left\n,,\n,,\n",
    ],
    ids=["tabs", "sep", "empty rows"],
)
def test_tables_as_spreadsheets_write_them(write, text):
    assert br.read(write("a.csv", text)).counts.tolist() == [[1, 0, 0]]


def test_names_keep_their_spelling(tmp_path):
    path = tmp_path / "games.csv"
    rows = ["# a comment", "left,right,outcome", "001,NA,001", "C#,#1 seed,tie"]
    path.write_text("\n".join([*rows, "#1 seed,NA,#1 seed", "NA,C#,C#"]))
    data = br.read(path)
    assert data.items == ["#1 seed", "001", "C#", "NA"]
    assert data.counts.sum(axis=0).tolist() == [2, 1, 1]


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
    monkeypatch.setattr("bayesrank.data.formats.parquet_tables.CELLS", 74)
    with pytest.raises(ValueError, match=r"parquet' holds 15 rows of 5 columns, more than 74"):
        br.read(path)
    monkeypatch.setattr("bayesrank.data.formats.parquet_tables.CELLS", 75)
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


def test_json_lines_of_too_many_columns(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f'{{"c{k}": 1}}\n' for k in range(10_002)))
    with pytest.raises(ValueError, match="line 10001: there may be 10,000 columns at most"):
        br.read(path)
