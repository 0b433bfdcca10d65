"""Borda's count by hand, and LETOR's official numbers where its files are at hand.

The official numbers check the reader, the count and the metrics together.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from bayesrank.baselines.borda import borda
from bayesrank.data import read_letor
from bayesrank.metrics import average_precision, ndcg, precision

NAN = np.nan
LINES = [
    "2 qid:1 1:1 2:30 3:2 #docid = a inc = 1 prob = 0.1",
    "0 qid:1 1:2 2:4 3:NULL #docid = b inc = 1 prob = 0.2",
    "0 qid:1 1:7 2:NULL 3:9 #docid = c inc = 1 prob = 0.3",
    "1 qid:2 1:NULL 2:NULL 3:3 #docid = d inc = 1 prob = 0.1",
    "0 qid:2 1:5 2:NULL 3:1 #docid = e inc = 1 prob = 0.1",
    "1 qid:2 1:5 2:NULL 3:NULL #docid = f inc = 1 prob = 0.1",
    "0 qid:3 1:1 2:1 3:1 #docid = a inc = 1 prob = 0.1",
    "0 qid:3 1:2 2:2 3:2 #docid = b inc = 1 prob = 0.1",
]


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "S1.txt"
    path.write_text("\n".join(LINES) + "\n")
    return read_letor(path)


@pytest.mark.parametrize(
    ("best", "absent", "points"),
    [
        # Lists of the first query, largest first: c b a; a b, then c; c a, then b.
        ("largest", "below", [3, 2, 4, 3, 3.5, 2.5, 0, 3]),
        ("smallest", "below", [5, 3, 1, 2, 4.5, 2.5, 3, 0]),
        # The second list has none of the second query's documents; the first has two, tied.
        ("largest", "ignored", [1, 1.5, 3.5, 1.5, 0.5, 1, 0, 3]),
        ("smallest", "ignored", [3, 2.5, 0.5, 0.5, 1.5, 1, 3, 0]),
    ],
)
def test_points_by_hand(documents, best, absent, points):
    found = borda(documents.values, documents.query, best=best, absent=absent)
    assert found.tolist() == points


def test_metrics_of_a_small_file_by_hand(documents):
    """In LETOR's direction: c a b with grades 0 2 0, e d f with 0 1 1, and a query without any."""
    points = borda(documents.values, documents.query, best="largest")
    judged = points, documents.relevance, documents.query
    found = ndcg(*judged, k=[1, 2, 3], convention="letor-script")
    third = (1 + 1 / np.log2(3)) / 2
    np.testing.assert_allclose(found, [[0, 1, 1], [0, 0.5, third], [0, 0, 0]])
    found = precision(*judged, k=[1, 2, 3])
    np.testing.assert_allclose(found, [[0, 1 / 2, 1 / 3], [0, 1 / 2, 2 / 3], [0, 0, 0]])
    np.testing.assert_allclose(average_precision(*judged), [1 / 2, 7 / 12, 0])


def test_lists_of_all_documents_need_no_treatment():
    """Then points add up to the number of pairs in each list, and directions mirror each other."""
    places = np.random.default_rng(0).permuted(np.tile(np.arange(7.0), (4, 1)), axis=1).T
    points = borda(places)
    assert points.sum() == 4 * 21
    np.testing.assert_array_equal(points, borda(places, absent="ignored"))
    np.testing.assert_array_equal(points, borda(-places, best="largest"))
    np.testing.assert_array_equal(points, 4 * 6 - borda(places, best="largest"))


def test_queries_do_not_meet():
    rng = np.random.default_rng(1)
    places = np.where(rng.random((30, 5)) < 0.4, NAN, rng.integers(1, 9, size=(30, 5)))
    query = rng.choice(["x", "y", "z"], size=30)
    for absent in ("below", "ignored"):
        together = borda(places, query, absent=absent)
        for label in "xyz":
            alone = borda(places[query == label], absent=absent)
            np.testing.assert_array_equal(together[query == label], alone)


def test_bad_arguments():
    with pytest.raises(ValueError, match='`best` must be "smallest" or "largest", got \'first\''):
        borda([[1.0]], best="first")
    with pytest.raises(ValueError, match='`absent` must be "below" or "ignored", got None'):
        borda([[1.0]], absent=None)
    with pytest.raises(ValueError, match=r"`places` must have a row .* got shape \(2,\)"):
        borda([1.0, 2.0])
    with pytest.raises(ValueError, match="`query` must hold one label for each of the 2 documents"):
        borda([[1.0], [2.0]], [1])


# LETOR 4.0, rank aggregation, Borda's count, mean over the five test sets: NDCG@1 to 5, P@1 to 5,
# MAP.
OFFICIAL = {
    "mq2008-agg": "2368 2806 3080 3432 3713 2972 3042 2938 2975 2903 3945",
    "mq2007-agg": "1902 2014 2081 2128 2188 2488 2524 2569 2580 2597 3252",
}


def folder_of(name):
    shared = Path(__file__).parents[2].parent / "shared" / "data"
    return Path(os.environ.get("BAYESRANK_DATA", shared)) / name


@pytest.mark.parametrize("name", OFFICIAL)
def test_official_numbers_of_letor(name):
    files = sorted(folder_of(name).glob("S[1-5].txt*"))
    if len(files) != 5:
        pytest.skip(f"LETOR's {name} is not there; BAYESRANK_DATA may name the folder it is in")
    tables = []
    for path in files:
        part = read_letor(path)
        judged = borda(part.values, part.query, best="largest"), part.relevance, part.query
        tables.append(
            np.concatenate(
                [
                    ndcg(*judged, k=range(1, 6), convention="letor-script").mean(axis=0),
                    precision(*judged, k=range(1, 6)).mean(axis=0),
                    [average_precision(*judged).mean()],
                ]
            )
        )
    official = np.array(OFFICIAL[name].split(), dtype=float) / 1e4
    # The official means, of four digits, are of five numbers that had been rounded to four. A mean
    # of five such numbers never lies half-way between two.
    found = np.round(tables, 4).mean(axis=0).round(4)
    np.testing.assert_allclose(found, official, rtol=0, atol=1e-9)
