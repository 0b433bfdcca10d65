"""Files that hold rankings in a format of their own: PrefLib, LETOR and TREC."""

import re

import numpy as np

from bayesrank.data.formats.judged_documents import JudgedDocuments
from bayesrank.data.formats.letor import query_sizes, read_letor
from bayesrank.data.formats.preflib import PAIRS, SUFFIXES, read_preflib
from bayesrank.data.formats.text_files import first_line, plain_numbers
from bayesrank.data.formats.trec import read_qrels, read_runs

__all__ = ["ranking_format", "read_ranking_file"]

SPARSE = re.compile(r"[0-9]+:\S+", re.ASCII)
GRADE = re.compile(r"-?[0-9]+", re.ASCII)


def ranking_format(path):
    """Return "PrefLib", "LETOR", "TREC" or "qrels"; None for a table or what cannot be read."""
    if path.name.lower().removesuffix(".gz").endswith((*SUFFIXES, PAIRS)):
        return "PrefLib" if path.is_file() else None
    fields = first_line(path).split(maxsplit=6)
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return "LETOR"
    if len(fields) > 1 and all(SPARSE.fullmatch(field) for field in fields[1:6]):
        if query_sizes(path) is not None:
            return "LETOR"
        raise ValueError(
            f"'{path}' has lines 'grade 1:value 2:value ...' that do not say which query they "
            f"belong to: each needs 'qid:...' after the grade, or a file '{path.name}.query' "
            "beside it must have the number of rows of each query."
        )
    if len(fields) == 4 and fields[1].upper() in ("0", "Q0") and GRADE.fullmatch(fields[3]):
        return "qrels"
    return "TREC" if len(fields) == 6 and fields[1].upper() == "Q0" else None


def read_ranking_file(path, kind, unranked=None):
    """Return the rankings of a file of the kind that `ranking_format` found."""
    if kind == "PrefLib":
        return read_preflib(path, unranked=unranked)
    if kind == "qrels":
        if unranked is not None:
            raise ValueError(f"`unranked` is about lists, but '{path}' holds judgements.")
        return _graded(read_qrels(path))
    documents = read_runs(path) if kind == "TREC" else read_letor(path)
    # Only places in lists can be missing; features are all there.
    if kind == "LETOR" and not documents.has_missing:
        if unranked is not None:
            raise ValueError(
                f"`unranked` is about documents that a list does not have, but in '{path}' no "
                "value is NULL: it is read as features and relevance."
            )
        return documents.to_graded_rankings()
    return documents.to_rankings(unranked=unranked)


def _graded(judged):
    """Return a ranking of each topic by grade, the highest first; equal grades are ties."""
    topics = plain_numbers(list(judged))
    rows = [
        (query, document, grade)
        for query, grades in enumerate(judged.values())
        for document, grade in grades.items()
    ]
    query, documents, grades = zip(*rows, strict=True)
    nothing = np.empty((len(rows), 0))
    judgements = JudgedDocuments(
        np.array(query), topics, list(documents), nothing, [], np.array(grades)
    )
    return judgements.to_graded_rankings()
