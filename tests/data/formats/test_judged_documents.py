"""Documents of queries: some of them, and the rankings they become."""

import pytest

import bayesrank as br
from bayesrank.data import read_letor
from tests.data.formats.letor_lines import FEATURES, LISTS, write


def test_features_become_a_ranking_of_each_query(tmp_path):
    data = br.read(write(tmp_path, FEATURES))
    assert data.names == data.agents == data.instances == [9, 10]
    assert data.ranks.tolist() == [[1, 2, 2], [1, 1, -1]]
    assert data.ratings.tolist() == [[2, 0, 0], [1, 1, 0]]
    assert [data.items[k] for k in data.entries[0]] == ["x2", "x1", "x3"]
    assert data.feature_names == ["1", "2", "3"]
    assert data.features[0, 0].tolist() == [0.25, 1, 7]
    fit = br.fit(data, "pmop", method="map", scale=1.0, progress=False)
    assert len(fit.parameters()) == 3  # a coefficient for each feature


def test_some_queries(tmp_path):
    documents = read_letor(write(tmp_path, FEATURES))
    first = documents.of_queries([9])
    assert first.queries == [9] and first.query.tolist() == [0, 0, 0]
    assert first.documents == ["x1", "x2", "x3"] and first.relevance.tolist() == [0, 2, 0]
    assert first.values[2].tolist() == [0, 0, 4] and first.relevant.tolist() == [1]
    assert documents.of_queries([10, 9]).query.tolist() == documents.query.tolist()
    with pytest.raises(ValueError, match="`queries` has 11: not there"):
        documents.of_queries([9, 11])
    with pytest.raises(ValueError, match="`queries` must be a sequence of labels"):
        documents.of_queries("9")


def test_lists_become_rankings_by_agents_in_instances(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    with pytest.warns(UserWarning, match="1 of 5 rankings have one document only"):
        data = documents.to_rankings()
    assert data.names == ["7 / 1", "7 / 2", "12 / 1", "12 / 3"]
    assert data.agents == [1, 2, 3] and data.agent.tolist() == [0, 1, 0, 2]
    assert data.items == ["a", "b", "c", "a", "d", "e"]  # that in no list as well
    assert data.entries.tolist() == [[0, 1, 2], [1, 0, -1], [3, 4, -1], [3, 4, -1]]
    assert data.ranks.tolist() == [[1, 2, 3], [1, 2, -1], [1, 1, -1], [1, 2, -1]]
    with pytest.warns(UserWarning, match="one document only"):
        assert br.read(tmp_path / "S1.txt").same_as(data)
    with pytest.warns(UserWarning, match="one document only"):
        turned = documents.to_rankings(best="largest")
    assert turned.entries[0].tolist() == [2, 1, 0]


def test_documents_that_a_list_does_not_have_may_be_below(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    data = documents.to_rankings(unranked="below")
    # The second list has none of query 12's documents: it says nothing.
    assert data.names == ["7 / 1", "7 / 2", "7 / 3", "12 / 1", "12 / 3"]
    assert data.ranks.tolist() == [[1, 2, 3], [1, 2, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0]]
    assert data.entries[2].tolist() == [0, 1, 2]
    assert br.read(tmp_path / "S1.txt", unranked="below").same_as(data)


def test_scores_of_a_fit_come_back_in_the_order_of_the_file(tmp_path):
    documents = read_letor(write(tmp_path, LISTS[3:] + LISTS[:3]))
    data = documents.to_rankings(unranked="below")
    fit = br.fit(data, "davidson-luce", method="map", scale=1.0, progress=False)
    score = fit.ranking()["score"].reindex(documents.index)
    assert score.notna().all()
    assert score[(7, "a")] > score[(7, "c")] and score[(12, "a")] > score[(12, "e")]


def test_one_query_has_no_instances(tmp_path):
    data = read_letor(write(tmp_path, LISTS[:3])).to_rankings(unranked="below")
    assert data.instances is None and data.names == [1, 2, 3]


def test_what_the_documents_do_not_say(tmp_path):
    lists = read_letor(write(tmp_path, LISTS))
    with pytest.raises(
        ValueError, match=r"Features must be finite, but these are places .* rows 1,"
    ):
        lists.to_graded_rankings()
    with pytest.raises(ValueError, match='`best` must be "smallest" or "largest"'):
        lists.to_rankings(best="low")
    with pytest.raises(ValueError, match='`unranked` must be "not offered" or "below"'):
        lists.to_rankings(unranked="last")
    nothing = read_letor(write(tmp_path, ["0 qid:1 1:NULL", "1 qid:1 1:3"]))
    with pytest.raises(ValueError, match="No list has two documents of a query"):
        nothing.to_rankings()
    path = write(tmp_path, ["0 qid:1 1:4", "1 qid:2 1:3", "0 qid:2 1:5"])
    with pytest.warns(UserWarning, match="1 of 2 queries have one document only, .* left out: 1"):
        assert br.read(path).names == [2]
    with pytest.raises(ValueError, match="no value is NULL: it is read as features"):
        br.read(path, unranked="below")
    with pytest.raises(ValueError, match=r"`item` is for tables, but .* is a file of LETOR"):
        br.read(path, item="name")
