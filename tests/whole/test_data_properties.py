"""What holds for any data: constructors agree with plain counting and with each other."""

import csv
import itertools
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import bayesrank as br
from bayesrank import Comparisons, Rankings
from bayesrank.data.formats.preflib import read_preflib, write_preflib
from tests.data.any_data import ballots, games
from tests.odd_names import ODD_NAMES, names


def counted(rows):
    """Return the wins, losses and ties of each ordered pair, by plain counting."""
    times = Counter(rows)
    return {
        (left, right): [times[left, right, result] for result in (1, -1, 0)]
        for left, right, _ in rows
    }


def pairs_of(data):
    """Return what a container holds, in the same form."""
    return {
        (data.items[i], data.items[j]): row
        for i, j, row in zip(data.left, data.right, data.counts.tolist(), strict=True)
    }


def frame_of(rows):
    return pd.DataFrame(rows, columns=["left", "right", "outcome"])


@given(games())
def test_rows_are_counted(rows):
    frame = frame_of(rows)
    frame["score"], frame["other"] = frame["outcome"] + 0.5, 0.5
    data = Comparisons.from_frame(frame, outcome=("score", "other"))
    assert pairs_of(data) == counted(rows)
    assert data.counts.sum() == len(rows)
    assert data.items == sorted({label for left, right, _ in rows for label in (left, right)})
    assert pairs_of(Comparisons.from_frame(frame[::-1], outcome=("score", "other"))) == pairs_of(
        data
    )


SPELLINGS = {
    "words": {1: "Left", -1: " right", 0: "TIE"},
    "sides": {1: "home", -1: "away", 0: "draw"},
    "letters": {1: "H", -1: "A", 0: "D"},
    "numbers": {1: 1, -1: -1, 0: 0},
}


@given(games(), st.sampled_from([*SPELLINGS, "names"]))
def test_every_spelling_of_an_outcome_says_the_same_or_is_refused(rows, spelling):
    """Never something else: an item may be called like an outcome."""
    frame, called = frame_of(rows), {str(label).strip().lower() for label in _items(rows)}
    if spelling == "names":
        tie = next(word for word in ("tie", "draw", 0) if str(word) not in map(str, _items(rows)))
        frame["outcome"] = [{1: a, -1: b, 0: tie}[result] for a, b, result in rows]
    else:
        frame["outcome"] = [SPELLINGS[spelling][result] for *_, result in rows]
    if spelling == "letters":
        assume(not called & {"h", "a", "d"})  # a letter that is a name is that name
    try:
        with warnings.catch_warnings(action="ignore"):
            found = pairs_of(Comparisons.from_frame(frame))
    except ValueError as error:
        spelled = {str(word).strip().lower() for word in frame["outcome"]}
        # A without H may be the first of A and B.
        assert called & spelled or {"a"} <= spelled <= {"a", "d"}, str(error)
    else:
        assert found == counted(rows)


def _items(rows):
    return {label for left, right, _ in rows for label in (left, right)}


@given(games())
def test_a_table_of_counts_comes_back(rows):
    frame = frame_of(rows).assign(w=0.5, d=0)
    made = Comparisons.from_frame(frame, outcome=("outcome", "d"), weight="w")
    again = Comparisons.from_counts(made.to_frame())
    assert again.same_as(made)
    assert made.swapped().swapped().same_as(made)
    assert made.completed().counts.sum() == made.counts.sum() == len(rows) / 2
    if all(isinstance(label, str) for label in made.items):
        assert Comparisons.from_counts(pl.from_pandas(made.to_frame())).same_as(made)


@given(ballots())
def test_lists_matrices_frames_and_ratings_are_one(drawn):
    items, rankings = drawn
    data = Rankings.from_lists(rankings, items=items, unranked="below")
    assert _blocks(data) == [[sorted(block) for block in ranking] for ranking in rankings]
    place = [{label: k for k, block in enumerate(r, 1) for label in block} for r in rankings]
    matrix = [[ranks.get(label, np.nan) for label in items] for ranks in place]
    assert Rankings.from_matrix(matrix, items, unranked="below").same_as(data)
    tidy = data.to_frame()
    assert Rankings.from_frame(tidy, "ranking", unranked="below").same_as(data)
    # The worst rating for all that have no rank: there they are tied.
    rated = tidy.assign(rating=-tidy["rank"].fillna(99).astype(float))
    ranks = Rankings.from_ratings(rated, "ranking").ranks
    np.testing.assert_array_equal(ranks, _last_for_unranked(data.ranks))


def _blocks(data):
    """Return the ranked items of each ranking, blocks by rank."""
    found = []
    for entries, ranks in zip(data.entries, data.ranks, strict=True):
        items = [(rank, data.items[k]) for k, rank in zip(entries, ranks, strict=True) if rank > 0]
        found.append(
            [[label for r, label in items if r == rank] for rank in range(1, max(ranks) + 1)]
        )
    return found


def _last_for_unranked(ranks):
    return np.where(ranks == 0, ranks.max(axis=1, keepdims=True) + 1, ranks)


@given(ballots(unranked=False), st.data())
def test_pairs_of_rankings_are_counted(drawn, data):
    _, rankings = drawn
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(rankings), max_size=len(rankings)))
    made = Rankings.from_lists(rankings, weights=weights, unranked="not offered")
    found = made.to_comparisons(warn=False)
    expected = Counter()
    for ranking, weight in zip(rankings, weights, strict=True):
        place = {label: k for k, block in enumerate(ranking) for label in block}
        for one, other in itertools.combinations(sorted(place), 2):
            result = (place[one] > place[other]) - (place[one] < place[other])
            expected[one, other, -result] += weight
    assert pairs_of(found) == {
        (a, b): [expected[a, b, result] for result in (1, -1, 0)] for a, b, _ in expected
    }


def written(frame, path, **options):
    frame.to_csv(path, index=False, encoding="utf-8", **options)
    return path


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


# A text file holds no NUL.
@given(games(names(exclude="\0")), st.sampled_from(",;\t"))
@example([(a, b, 1) for a, b in itertools.pairwise(ODD_NAMES)], ";")
def test_comparisons_come_back_from_a_table(folder, rows, separator):
    made = Comparisons.from_frame(frame_of(rows).assign(d=0), outcome=("outcome", "d"))
    path = folder / ("games.tsv" if separator == "\t" else "games.csv")
    quoting = {"quoting": csv.QUOTE_NONNUMERIC, "sep": separator}
    assert br.read(written(made.to_frame(), path, **quoting)).same_as(made)


# What is read without quotes: no space before a name, and no carriage return, which Python 3.11
# does not quote.
@given(games(names(exclude="\0\r").filter(lambda name: not name[0].isspace())))
def test_comparisons_come_back_from_a_plain_table(folder, rows):
    made = Comparisons.from_frame(frame_of(rows).assign(d=0), outcome=("outcome", "d"))
    assert br.read(written(made.to_frame(), folder / "games.csv")).same_as(made)


TOPICS = st.lists(names(exclude="\0"), min_size=1, max_size=3, unique=True)


@given(games(names(exclude="\0")), TOPICS, st.data(), st.sampled_from([".csv", ".parquet"]))
def test_all_that_is_known_of_comparisons_comes_back(folder, rows, topics, data, ending):
    def some(values):
        return data.draw(st.lists(values, min_size=len(rows), max_size=len(rows)))

    frame = frame_of(rows).assign(wins=1, losses=some(st.integers(0, 2)))
    frame = frame.assign(topic=some(st.sampled_from(topics)), both_bad=some(st.integers(0, 9)),
                         x=some(st.floats(-1e9, 1e9)))  # fmt: skip
    made = Comparisons.from_counts(frame, category="topic", features=["x"])
    assert made.both_bad.sum() == frame["both_bad"].sum() and made.counts[:, 0].sum() == len(rows)
    path = folder / f"votes{ending}"
    if ending == ".csv":
        written(made.to_frame(), path, quoting=csv.QUOTE_NONNUMERIC)
    else:
        made.to_frame().to_parquet(path)
    again = br.read(path, category="category", features=["x"])
    assert again.same_as(made)
    for label in made.categories:
        part = made.subset(categories=[label])
        assert part.both_bad.sum() == frame["both_bad"][frame["topic"] == label].sum()


@given(ballots(names(exclude="\0")))
def test_rankings_come_back_from_a_table(folder, drawn):
    items, rankings = drawn
    weights = range(2, len(rankings) + 2)  # weights of 1 are not written
    made = Rankings.from_lists(rankings, items=items, unranked="below", weights=weights)
    path = written(made.to_frame(), folder / "ballots.csv", quoting=csv.QUOTE_NONNUMERIC)
    assert br.read(path, weight="weight", unranked="below").same_as(made)


@given(games(names()), st.sampled_from([".jsonl", ".parquet"]))
def test_comparisons_come_back_from_other_files(folder, rows, ending):
    made = Comparisons.from_frame(frame_of(rows).assign(d=0), outcome=("outcome", "d"))
    path = folder / f"games{ending}"
    if ending == ".jsonl":
        made.to_frame().to_json(path, orient="records", lines=True)
    else:
        made.to_frame().to_parquet(path)
    assert br.read(path).same_as(made)


@given(ballots(), st.integers(1, 10**15 - 1))
def test_preflib_files_come_back_or_are_not_written(folder, drawn, weight):
    items, rankings = drawn
    weights = [weight] * len(rankings)
    made = Rankings.from_lists(rankings, items=items, unranked="below", weights=weights)
    path = folder / "votes.toi"
    try:
        write_preflib(made, path)
    except ValueError as error:
        bad = [name for name in items if name != name.strip() or set(name) & {"\n", "\r"}]
        assert bad and "name" in str(error)
    else:
        assert read_preflib(path, unranked="below").same_as(made)


LINES = st.sampled_from([
    "1: 1,2", "2: {1,2},3", "# ALTERNATIVE NAME 1: x", "1,2,5", "2 qid:1 1:1 2:NULL #docid = a",
    "0 qid:1 1:2", "1 Q0 d 1 2 t", "1 Q0 e 2 1 t", "left,right,outcome", "a,b,a", "a;b;H", "wins",
    "left;right;outcome", '{"left": "a", "right": "b", "outcome": "left"}', '{"left": 1}', '"',
    "\0", "group,item,rank", "1,a,1", "1,b,2", "agent,item,rating", "\ufeff", "1e999", "", "#",
])  # fmt: skip
CONTENTS = (
    st.binary(max_size=60)
    | st.text(max_size=60).map(str.encode)
    | st.lists(LINES | st.text(max_size=8), max_size=8).map(lambda lines: "\n".join(lines).encode())
)


@pytest.mark.parametrize(
    "ending", [".csv", ".tsv", ".jsonl", ".parquet", ".toi", ".wmd", ".txt", ".csv.gz"]
)
@given(content=CONTENTS)
def test_any_file_is_read_or_refused(folder, ending, content):
    path = folder / f"file{ending}"
    path.write_bytes(content)
    try:
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            data = br.read(path)
    except (ValueError, OSError) as error:
        assert 10 < len(str(error)) < 2000
    else:
        assert isinstance(data, (Comparisons, Rankings)) and len(data) and len(data.items) > 1
        assert repr(data)
