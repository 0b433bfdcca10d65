"""Files of every kind and shipped data sets, read by one function."""

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


def test_races_of_a_season_have_their_days():
    """Some are on Saturday nights; in Texas it rained until Monday."""
    data = br.load_dataset("nascar")
    days = [data.times[k] for k in data.time]
    assert days == sorted(days) == data.times
    assert [str(days[k].date()) for k in (0, 35)] == ["2002-02-17", "2002-11-17"]
    weekdays = [day.strftime("%a") for day in days]
    assert [weekdays.count(name) for name in ("Sun", "Sat", "Mon")] == [31, 4, 1]
    texas = data.time == 6
    assert weekdays[6] == "Mon" and data.items[data.entries[texas][0, 0]] == "Matt Kenseth"


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


def test_options_of_tables_are_refused_elsewhere(tmp_path):
    path = tmp_path / "1.soc"
    br.data.write_preflib(br.Rankings.from_lists([["a", "b"], ["b", "a"]]), path)
    for option in ({"fold_names": True}, {"where": "x == 1"}, {"encoding": "cp1252"},
                   {"tie_value": "x"}, {"wide": True}):  # fmt: skip
        (name,) = option
        with pytest.raises(ValueError, match=f"`{name}` is for tables"):
            br.read(path, **option)
    assert br.read(path, min_count=2).items == ["a", "b"]


def test_options_of_rankings_are_refused_for_comparisons(write):
    path = write("a.csv", "left,right,outcome\na,b,left\n")
    with pytest.raises(ValueError, match=r"`unranked` is for rankings, and .* holds comparisons"):
        br.read(path, unranked="below")
    with pytest.raises(TypeError, match="`choices` must be a list of columns"):
        br.read(path, choices="left")
