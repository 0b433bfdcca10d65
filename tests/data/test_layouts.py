"""Tables as people have them: their layouts, usual names, marks and conditions."""

import logging

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.text import at_the_terminal
from tests.data.small_tables import table_of

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


def test_ties_among_winners_and_losers_are_refused(write):
    text = "winner,loser,draw\na,b,0\nb,a,1\n"
    with pytest.raises(ValueError, match="Column `draw` says that some of these were ties"):
        br.read(write("a.csv", text))
    assert br.read(write("b.csv", text.replace("b,a,1", "b,a,0"))).counts.sum() == 2


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


def test_places_of_golf(write):
    path = write("golf.csv", "group,name,pos\n1,x,T1\n1,y,T1\n1,z,CUT\n2,z,1\n2,x,2\n2,y,3\n")
    assert br.read(path, unranked="rows below").ranks.tolist() == [[1, 1, 0], [1, 2, 3]]


def test_comparisons_and_rankings_are_not_mixed(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("left,right,outcome,group,item,rank\na,b,a,1,a,1\nb,a,tie,1,b,2\n")
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert br.read(path, rank="rank").ranks.tolist() == [[1, 2]]
    for arguments in ({"left": "left"}, {"wins": "left"}, {"outcome": "outcome"}):
        with pytest.raises(ValueError, match="of comparisons and `group` to a table of rankings"):
            br.read(path, group="group", **arguments)


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


def test_numbers_that_are_too_large(tmp_path):
    path = tmp_path / "games.jsonl"
    row = '{"left": "x", "right": "y", "wins": 1' + "0" * 400 + ', "losses": "1"}'
    path.write_text(row + "\n")
    with pytest.raises(ValueError, match="Column `wins` holds a number that is too large"):
        br.read(path)
    path = tmp_path / "counts.csv"
    path.write_text("left,right,wins,losses\nx,y,1e30,2\n")
    assert br.read(path).counts.tolist() == [[1e30, 2, 0]]


VOTES = """model_a,model_b,winner,topic,la,lb,d
x,y,model_a,code,3,1,0.5
y,z,tie (bothbad),art,2,2,-1
z,x,tie,code,1,4,2
x,y,model_b,art,3,1,0.5
"""


def test_votes_with_categories_and_features(write):
    path = write("votes.csv", VOTES)
    features = {"length": ("la", "lb"), "d": "d"}
    with pytest.warns(
        UserWarning, match=r"Votes that both were bad \(tie \(bothbad\)\), 1 of them"
    ):
        data = br.read(path, category="topic", features=features)
    assert data.categories == ["art", "code"] and data.feature_names == ["length", "d"]
    frame = data.to_frame()
    assert frame[["left", "category", "both_bad", "length", "d"]].values.tolist() == [
        ["x", "art", 0, 2, 0.5], ["y", "art", 1, 0, -1], ["x", "code", 0, 2, 0.5],
        ["z", "code", 0, -3, 2],
    ]  # fmt: skip
    tied = br.read(path, tie_value="tie (bothbad)")
    assert tied.counts[:, 2].sum() == 2 and tied.both_bad is None
    counts = write("counts.csv", frame.to_csv(index=False))
    again = br.read(counts, category="category", features=["length", "d"])
    assert again.same_as(data)
    assert br.read(counts).categories is None and br.read(counts).both_bad.sum() == 1
    assert data.subset(items=["x", "y"]).categories == ["art", "code"]


@pytest.mark.parametrize("name", ["both_bad", "Both bad", "BothBad", "ties (bothbad)"])
def test_counts_of_votes_against_both(write, name, caplog):
    text = f"model_a,model_b,wins_a,wins_b,ties,{name}\nx,y,3,2,1,9\ny,z,0,0,0,4\nz,x,1,1,0,0\n"
    with caplog.at_level(logging.INFO, "bayesrank.read"):
        data = br.read(write("votes.csv", text))
    assert data.both_bad.tolist() == [9, 4, 0] and data.counts.sum() == 8 and len(data) == 3
    assert f"both_bad = {name}" in caplog.text
    plain = write("plain.csv", text.replace(name, "n"))
    assert br.read(plain).both_bad is None
    assert br.read(plain, both_bad="n").same_as(data)
    with pytest.raises(ValueError, match="give one or the other"):
        br.read(plain, both_bad="n", weight="ties")
    with pytest.raises(ValueError, match="All votes say that both were bad"):
        br.read(write("bad.csv", "left,right,wins,losses,both_bad\nx,y,0,0,2\n"))


def test_features_of_other_tables(write):
    path = write("won.csv", "winner,loser,x\nb,a,1\na,c,2\n")
    data = br.read(path, features=["x"])
    assert data.features.tolist() == [[-1], [2]] and not data.sided
    rows = "p,a,2,s,1\np,b,1,s,2\np,b,3,t,3\np,a,1,t,4\n"
    path = write("ratings.csv", f"user,film,stars,topic,x\n{rows}")
    data = br.read(path, features=["x"], category="topic")
    assert data.names == ["p / s", "p / t"] and data.features[:, :, 0].tolist() == [[1, 2], [3, 4]]
    path = write("races.csv", "race,driver,position,topic,x\n1,a,1,s,7\n1,b,2,s,8\n")
    data = br.read(path, features=["x"], category="topic")
    assert data.categories == ["s"] and data.features.ravel().tolist() == [7, 8]
    with pytest.raises(TypeError, match="Features of rankings are columns"):
        br.read(path, features={"x": ("x", "position")})
    with at_the_terminal(), pytest.raises(TypeError, match="comparisons have: --feature COLUMN"):
        br.read(path, features={"x": ("x", "position")})


def test_categories_of_wide_tables_and_of_forms(write):
    path = write("wide.csv", "a,b,topic\n1,2,s\n2,1,t\n")
    data = br.read(path, wide=True, category="topic")
    assert data.items == ["a", "b"] and data.categories == ["s", "t"]
    with pytest.raises(ValueError, match=r"`wide` belongs to .* and `features` to a table of"):
        br.read(path, wide=True, features=["topic"])
    path = write("form.csv", "first choice,second choice,topic\na,b,s\nb,a,t\n")
    assert br.read(path, category="topic").categories == ["s", "t"]
    with pytest.raises(ValueError, match=r"`choices` belongs to .* and `features` to a table of"):
        br.read(path, choices=["first choice", "second choice"], features=["topic"])
    path = write("cross.csv", "name,a,b\na,0,3\nb,1,0\n")
    with pytest.raises(ValueError, match=r"`cross` belongs to .* and `category` to a table of"):
        br.read(path, cross=True, category="name")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"category": "theme"}, "Unknown column `theme`"),
        ({"features": ["length"]}, "Unknown column `length`"),
        (
            {"features": ["topic"]},
            "Column `topic` must hold numbers: 'code' in row 0, 'art' in row",
        ),
        ({"features": {"x": ("la", "e")}}, "Missing values: `e` in row 2 "),
        ({"features": ["winner"]}, "the outcome to be explained|must hold numbers"),
        ({"category": "e"}, "Missing values: `e` in row 2 "),
    ],
)
def test_columns_that_cannot_be_used(write, options, message):
    path = write("votes.csv", VOTES.replace(" (bothbad)", ""))
    frame = pd.read_csv(path).assign(e=[1, 2, None, 4])
    frame.to_csv(path, index=False)
    with pytest.raises(ValueError, match=message):
        br.read(path, **options)
