"""Tables as people have them: their layouts, encodings, marks and conditions."""

import json
import logging

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.text import at_the_terminal


@pytest.fixture
def write(tmp_path):
    def write(name, text, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def table_of(data):
    return {tuple(row[:2]): list(row[2:]) for row in data.to_frame().itertuples(index=False)}


GAMES = {("a", "b"): [1, 1, 0], ("b", "c"): [1, 1, 0]}


def test_winners_and_losers(write):
    """Nobody was on a side, so the first by name is on the left."""
    text = "year,winner,loser\n1,a,b\n1,c,b\n2,b,a\n2,b,c\n"
    assert table_of(br.read(write("a.csv", text))) == GAMES
    names = text.replace("winner", "Winner_name").replace("loser", "Loser Name")
    assert table_of(br.read(write("b.csv", names))) == GAMES
    other = write("c.csv", text.replace("winner", "x").replace("loser", "y"))
    assert table_of(br.read(other, winner="x", loser="y")) == GAMES
    frame = pd.read_csv(other)
    assert table_of(br.Comparisons.from_frame(frame, winner="x", loser="y")) == GAMES
    with pytest.raises(ValueError, match="Unknown column `loser`"):
        br.read(other, winner="x")
    with pytest.raises(ValueError, match="`winner` and `loser` go together"):
        br.Comparisons.from_frame(frame, winner="x")
    with pytest.raises(ValueError, match="take the place of `left`"):
        br.Comparisons.from_frame(frame, left="x", winner="x", loser="y")


def test_a_column_called_winner_beside_two_sides_is_the_outcome(write):
    data = br.read(write("a.csv", "home,away,winner,loser\na,b,b,a\nb,a,tie,tie\n"))
    assert table_of(data) == {("a", "b"): [0, 1, 0], ("b", "a"): [0, 0, 1]}


def test_ratings_under_the_names_of_the_help(write):
    data = br.read(write("films.csv", "user,film,stars\nx,a,1\nx,b,3\ny,b,4\ny,a,4\n"))
    assert data.agents == ["x", "y"] and data.ranks.tolist() == [[1, 2], [1, 1]]


def test_usual_names_in_any_spelling(write):
    text = "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n1,x,y,2,1,H\n2,y,x,0,0,D\n"
    assert table_of(br.read(write("a.csv", text))) == {
        ("x", "y"): [1, 0, 0], ("y", "x"): [0, 0, 1],
    }  # fmt: skip


def test_columns_without_usual_names_are_refused_with_the_usual_names(write):
    path = write("odd.csv", "foo,bar\n1,2\n")
    with pytest.raises(ValueError, match=r'left="NAME" \(left, home,.*rating="NAME" \(rating, st'):
        br.read(path)
    with at_the_terminal(), pytest.raises(ValueError, match=r"--winner NAME \(winner, "):
        br.read(path)


FORM = "Timestamp,First choice,Second choice,3rd choice\n1,a,b,c\n2,b, a ,\n3,c,b,a\n"


@pytest.mark.parametrize(
    "text",
    [
        FORM,
        FORM.replace("First", "Your first").replace("Second", "second").replace("3rd", "Third"),
        "choice 1,choice 2,choice_3\na,b,c\nb,a,\nc,b,a\n",
    ],
)
def test_forms_with_a_column_for_each_choice(write, text):
    path = write("form.csv", text)
    lists = [["a", "b", "c"], ["b", "a"], ["c", "b", "a"]]
    assert br.read(path).same_as(br.Rankings.from_lists(lists))
    below = br.read(path, unranked="below")
    assert below.same_as(br.Rankings.from_lists(lists, unranked="below"))


def test_choices_by_name(write):
    path = write("form.csv", "voter,top,then,w\nx,a,b,2\ny,B,A,3\nz,,,1\n")
    data = br.read(
        path, choices=["top", "then"], group="voter", weight="w", fold_names=True, unranked="below"
    )
    assert data.names == ["x", "y"] and data.weights.tolist() == [2, 3]
    assert len(data.items) == 2
    with pytest.raises(ValueError, match="empty where a later one is not: row 0"):
        br.read(write("gap.csv", "top,then\n,b\na,b\n"), choices=["top", "then"])
    with pytest.raises(ValueError, match=r"`choices` belongs to .* and `rank` to"):
        br.read(path, choices=["top", "then"], rank="w")


@pytest.mark.parametrize("first", ["", "team"])
def test_cross_tables(write, first):
    path = write("cross.csv", f"{first},a,b,c\na,-,3,1\nb,2,,4\nc,0,1,\n")
    expected = {("a", "b"): [3, 2, 0], ("a", "c"): [1, 0, 0], ("b", "c"): [4, 1, 0]}
    assert table_of(br.read(path)) == expected
    assert table_of(br.read(path, cross=True)) == expected
    with pytest.raises(ValueError, match=r"`cross` belongs to .* and `left` to"):
        br.read(path, cross=True, left="a")
    with pytest.raises(ValueError, match="`wide` and `cross` are different shapes"):
        br.read(path, cross=True, wide=True)


def test_marks_of_missing_ranks(write, caplog):
    path = write("f1.csv", "raceId,driverId,position\n1,x,1\n1,y,\\N\n1,z,2\n2,y,1\n2,x,DNF\n")
    with caplog.at_level(logging.INFO, "bayesrank.read"):
        data = br.read(path, unranked="rows below")
    assert "\\N (1), DNF (1) in column position" in caplog.text
    assert data.ranks.tolist() == [[1, 2, 0], [1, 0, -1]]
    assert br.read(path, unranked="below").ranks.tolist() == [[1, 2, 0], [1, 0, 0]]
    with pytest.raises(ValueError, match=r'they retired.*, say unranked="rows below"; if all'):
        br.read(path)
    with at_the_terminal(), pytest.raises(ValueError, match="--unranked rows-below; if all"):
        br.read(path)


LIGA = "HomeTeam,AwayTeam,FTR\nCádiz,Málaga,H\nMálaga,Cádiz,D\nAlavés,Cádiz,A\n"


def test_encodings(write):
    expected = br.read(write("utf8.csv", LIGA))
    assert br.read(write("utf16.csv", LIGA, "utf-16")).same_as(expected)
    path = write("windows.csv", LIGA, "cp1252")
    with pytest.warns(UserWarning, match="read as cp1252 .* If line 2 is not 'Cádiz,Málaga,H'"):
        assert br.read(path).same_as(expected)
    assert br.read(path, encoding="cp1252").same_as(expected)
    east = LIGA.replace("Málaga", "Łódź")
    assert "Łódź" in br.read(write("e.csv", east, "iso8859-2"), encoding="iso8859-2").items
    with pytest.raises(ValueError, match="line 1: the text is not in utf-16"):
        br.read(write("odd.csv", "abc"), encoding="utf-16")
    with pytest.raises(ValueError, match="`encoding` must be a known one, got 'klingon'"):
        br.read(path, encoding="klingon")


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


def test_query_files_of_lightgbm(write):
    rows = ["0 1:0.5 2:1", "2 1:0.1", "1 1:0.2 2:3", "0 1:4", "1 2:1"]
    path = write("rank.train", "\n".join(rows) + "\n")
    with pytest.raises(ValueError, match=r"'rank\.train\.query' beside it must have the number"):
        br.read(path)
    write("rank.train.query", "3\n2\n")
    queries = [1, 1, 1, 2, 2]
    lines = [row.replace(" ", f" qid:{q} ", 1) for row, q in zip(rows, queries, strict=True)]
    assert br.read(path).same_as(br.read(write("same.txt", "\n".join(lines) + "\n")))
    for sizes, message in (("3\n3\n", "and there are fewer"), ("3\n1\n", "and there are more")):
        write("rank.train.query", sizes)
        with pytest.raises(ValueError, match=message):
            br.read(path)


def test_rows_by_a_condition(write):
    text = "season,home team,away,winner\n2018,a,b,a\n2019,a,b,b\n2019,b,a,b\n"
    path = write("games.csv", text)
    columns = {"left": "home team", "right": "away", "outcome": "winner"}
    data = br.read(path, where="season == 2019", **columns)
    assert data.counts.sum() == 2
    assert br.read(path, where="`home team` == 'b'", **columns).counts.sum() == 1
    with pytest.raises(ValueError, match=r"`where` must be a condition on the columns \(season"):
        br.read(path, where="year == 2019", **columns)
    with pytest.raises(ValueError, match="`where` leaves no row"):
        br.read(path, where="season == 1919", **columns)


def test_items_that_occur_often_enough(write):
    """Counted again once others are gone."""
    rows = ["a,b,left"] * 3 + ["b,c,left"] * 2 + ["c,d,right"] * 2
    path = write("games.csv", "left,right,outcome\n" + "\n".join(rows) + "\n")
    assert br.read(path, min_count=3).items == ["a", "b"]
    assert br.read(path).subset(min_count=3).items == ["a", "b"]
    with pytest.raises(ValueError, match="leaves fewer than two items"):
        br.read(path, min_count=9)
    with pytest.raises(ValueError, match="`min_count` must be a number from 1 up"):
        br.read(path, min_count=0)
    lists = [["a", "b", "c"], ["b", "a"], ["a", "b"]]
    votes = br.Rankings.from_lists(lists, weights=[1, 2, 1])
    assert votes.subset(min_count=2).items == ["a", "b"]


def test_options_of_tables_are_refused_elsewhere(tmp_path):
    path = tmp_path / "1.soc"
    br.data.write_preflib(br.Rankings.from_lists([["a", "b"], ["b", "a"]]), path)
    for option in ({"fold_names": True}, {"where": "x == 1"}, {"encoding": "cp1252"},
                   {"tie_value": "x"}, {"wide": True}):  # fmt: skip
        (name,) = option
        with pytest.raises(ValueError, match=f"`{name}` is for tables"):
            br.read(path, **option)
    assert br.read(path, min_count=2).items == ["a", "b"]


def test_matrices_of_wins():
    wins = pd.DataFrame([[0, 3], [1, 0]], ["x", "y"], ["x", "y"])
    data = br.Comparisons.from_matrix(wins, ties=[[0, 2], [2, 0]])
    assert table_of(data) == {("x", "y"): [3, 1, 2]}
    assert br.Comparisons.from_matrix(wins.to_numpy(), ["x", "y"]).counts.tolist() == [[3, 1, 0]]
    for bad, message in (
        ([[0, -1], [1, 0]], "must hold counts, got -1 for x against y"),
        ([[0, 1, 2], [1, 0, 2]], r"got shape \(2, 3\)"),
        ([[0, "many"], [1, 0]], "got 'many' for x against y"),
    ):
        with pytest.raises(ValueError, match=message):
            br.Comparisons.from_matrix(bad, ["x", "y"])
    with pytest.raises(ValueError, match="the same in both halves"):
        br.Comparisons.from_matrix(wins, ties=[[0, 2], [1, 0]])
    with pytest.raises(ValueError, match="the same names for its rows"):
        br.Comparisons.from_matrix(wins.set_axis(["x", "z"]))
    with pytest.raises(ValueError, match="`items` must name"):
        br.Comparisons.from_matrix(np.zeros((2, 2)))


def test_a_condition_must_be_true_or_false_of_each_row(write):
    text = "played,neutral,left,right,outcome\n1,TRUE,a,b,left\n0,FALSE,b,a,left\n"
    path = write("games.csv", text)
    for where in ("played", "1", "left.str.len()"):
        with pytest.raises(ValueError, match="true or false of no row"):
            br.read(path, where=where)
    assert br.read(path, where="played == 1").counts.sum() == 1
    assert br.read(path, where="not neutral").counts.sum() == 1


def test_two_columns_that_may_be_the_rank_are_asked_about(write):
    """As in results of Formula 1, where `rank` is that of the fastest lap."""
    path = write("f1.csv", "raceId,driverId,position,rank\n1,x,1,2\n1,y,2,1\n2,x,2,1\n2,y,1,2\n")
    with pytest.raises(ValueError, match=r'`rank` and `position` may both .*rank="position"'):
        br.read(path)
    assert br.read(path, rank="position").entries[0].tolist() == [0, 1]
    same = write("same.csv", "race,driver,rank,position\n1,x,1,1\n1,y,2,2\n")
    assert br.read(same).ranks.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("left,right,winner,vote_1,vote_2\na,b,left,x,y\nb,a,right,y,x\n", br.Comparisons),
        ("race,driver,position,vote 1,vote 2\n1,a,1,x,y\n1,b,2,y,x\n", br.Rankings),
    ],
)
def test_columns_of_votes_do_not_hide_another_layout(write, text, kind):
    data = br.read(write("a.csv", text))
    assert isinstance(data, kind) and data.items == ["a", "b"]


def test_draws_are_ties_and_counts_have_any_spelling(write):
    data = br.read(write("a.csv", "left,right,wins,losses,draws\na,b,3,2,10\n"))
    assert data.counts.tolist() == [[3, 2, 10]]
    data = br.read(write("b.csv", "Home,Away,Wins,Losses,Ties\na,b,3,2,1\n"))
    assert data.counts.tolist() == [[3, 2, 1]]


def test_scores_in_two_columns_are_known(write):
    data = br.read(write("a.csv", "home,away,home_score,away_score\na,b,2,1\nb,a,0,0\n"))
    assert data.counts.tolist() == [[1, 0, 0], [0, 0, 1]]


def test_nobody_is_no_choice(write):
    text = "First choice,Second choice\nAnna,None\nBen,N/A\nAnna,Ben\nBen,-\n"
    data = br.read(write("form.csv", text), unranked="below")
    assert data.items == ["Anna", "Ben"]


def test_points_of_chess_in_a_cross_table(write):
    path = write("chess.csv", "player,A,B,C\nA,,0.5,1\nB,0.5,,0.5\nC,0,0.5,\n")
    assert table_of(br.read(path)) == {
        ("A", "B"): [0, 0, 1], ("A", "C"): [1, 0, 0], ("B", "C"): [0, 0, 1],
    }  # fmt: skip
    with pytest.raises(ValueError, match="must hold whole counts, or points of single games"):
        br.Comparisons.from_matrix([[0, 2.5], [0.5, 0]], ["x", "y"])
    spaced = write("spaces.csv", "team, Ajax ,PSV\nAjax,,2\nPSV ,1,\n")
    assert table_of(br.read(spaced)) == {("Ajax", "PSV"): [2, 1, 0]}


def test_ties_among_winners_and_losers_are_refused(write):
    text = "winner,loser,draw\na,b,0\nb,a,1\n"
    with pytest.raises(ValueError, match="Column `draw` says that some of these were ties"):
        br.read(write("a.csv", text))
    assert br.read(write("b.csv", text.replace("b,a,1", "b,a,0"))).counts.sum() == 2


def test_sides_that_are_not_known_have_no_effect(write, tmp_path):
    data = br.read(write("a.csv", "winner,loser\na,b\nb,a\nb,c\nc,a\n"))
    cross = br.Comparisons.from_matrix([[0, 3], [1, 0]], ["x", "y"])
    for one in (data, cross, data.subset(["a", "b"])):
        with pytest.raises(ValueError, match="`order_effect` needs to know who was on the left"):
            br.fit(one, order_effect=True, method="map")
    fit = br.fit(data, method="map")
    fit.save(tmp_path / "fit.nc")
    assert not br.Fit.load(tmp_path / "fit.nc").specification.data.sided


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("party,x,y\nD,1,2\nR,2,1\n", "`party` of a wide table .* holds no rank"),
        ("id,x,y\n1,1,2\n2,2,1\n", '`id` of a wide table .* say group="id"'),
    ],
)
def test_columns_of_wide_tables_that_are_no_items(write, text, message):
    with pytest.raises(ValueError, match=message):
        br.read(write("wide.csv", text), wide=True)


def test_numbers_of_rows_in_wide_tables_are_left_out(write):
    assert br.read(write("a.csv", ",x,y\n0,1,2\n1,2,1\n"), wide=True).items == ["x", "y"]


def test_columns_that_seem_to_count_are_pointed_at(write):
    path = write("a.csv", "left,right,outcome,count\na,b,left,100\nb,a,left,3\n")
    with pytest.warns(UserWarning, match='`count` may say how often: weight="count" uses it'):
        assert br.read(path).counts.sum() == 2
    assert br.read(path, weight="count").counts.sum() == 103


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


def test_places_of_golf(write):
    path = write("golf.csv", "group,name,pos\n1,x,T1\n1,y,T1\n1,z,CUT\n2,z,1\n2,x,2\n2,y,3\n")
    assert br.read(path, unranked="rows below").ranks.tolist() == [[1, 1, 0], [1, 2, 3]]


def test_items_of_many_ballots_are_counted_where_they_have_a_rank(write):
    lists = [["a", "b"], ["b", "a"], ["a", "c"], ["b", "a"], ["a", "b"]]
    data = br.Rankings.from_lists(lists, unranked="below")
    assert data.subset(min_count=2).items == ["a", "b"]


def test_options_of_rankings_are_refused_for_comparisons(write):
    path = write("a.csv", "left,right,outcome\na,b,left\n")
    with pytest.raises(ValueError, match=r"`unranked` is for rankings, and .* holds comparisons"):
        br.read(path, unranked="below")
    with pytest.raises(TypeError, match="`choices` must be a list of columns"):
        br.read(path, choices="left")
