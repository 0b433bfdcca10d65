"""Files of the Text REtrieval Conference: runs of systems, and judgements of documents.

A line of a run is ``topic Q0 document rank score tag``, one of judgements (qrels) is
``topic 0 document grade``. The order of a run is that of its scores, not of its ranks, which start
at 0 in some runs and at 1 in others.
"""

import math
import re

import numpy as np

from bayesrank.data.formats.file_format import DATA, FileFormat
from bayesrank.data.formats.judged_documents import JudgedDocuments
from bayesrank.data.formats.text_files import bad_line, paths_of, plain_numbers, read_lines
from bayesrank.data.labels import number_in_order

__all__ = ["QRELS", "RUNS", "read_qrels", "read_runs"]

GRADE = re.compile(r"-?[0-9]+", re.ASCII)


def read_runs(paths, qrels=None, *, depth=None):
    """Read runs as `JudgedDocuments`: each topic's documents, and their places in each run.

    Documents with equal scores in a run share the mean of their places.

    Parameters
    ----------
    paths : str, Path or list of them
        Files, plain or gzipped, of one or more runs, which are told apart by their tags.
    qrels : str or Path, optional
        The file of judgements; a document that was not judged is not relevant (grade 0).
    depth : int, optional
        Read only the first documents of each run and topic; at the cut, documents with equal
        scores are taken in the order of the file.

    Examples
    --------
    >>> documents = read_runs(["run1.gz", "run2.gz"], "qrels.txt", depth=20)
    >>> data = documents.to_rankings(unranked="below")
    """
    if depth is not None and depth < 1:
        raise ValueError(f"`depth` must be at least 1, got {depth!r}.")
    lines, scores, seen = [], [], set()
    for path in paths_of(paths):
        for number, line in enumerate(read_lines(path), 1):
            fields = line.split()
            if not fields:
                continue
            score = _number(fields[4]) if len(fields) == 6 else None
            if score is None or math.isnan(score):
                raise bad_line(
                    path, number, "a line must be 'topic Q0 document rank score tag'", line
                )
            entry = fields[5], fields[0], fields[2]
            if entry in seen:
                rule = "a document may be in a topic of a run only once"
                raise bad_line(path, number, rule, line)
            seen.add(entry)
            lines.append(entry)
            scores.append(score)
    tag, topic, document = zip(*lines, strict=True)
    tags, run = number_in_order(tag)
    topics, query = number_in_order(topic)
    place, first = _places(run * len(topics) + query, np.array(scores))
    keep = np.ones(place.size, dtype=bool) if depth is None else first <= depth
    # The same document in two topics has two rows; the rows of a topic are together.
    names, name = number_in_order(document)
    pairs, row = np.unique(query[keep] * len(names) + name[keep], return_inverse=True)
    values = np.full((pairs.size, len(tags)), np.nan)
    values[row, run[keep]] = place[keep]
    query = pairs // len(names)
    documents = [names[k] for k in (pairs % len(names)).tolist()]
    graded = {}
    if qrels is not None:
        judged = read_qrels(qrels)
        grades = [judged.get(topics[q], {}).get(d, 0)
                  for q, d in zip(query.tolist(), documents, strict=True)]  # fmt: skip
        relevant = [sum(grade > 0 for grade in judged.get(t, {}).values()) for t in topics]
        # Some judgements mark spam by a negative grade.
        graded = {"relevance": np.maximum(grades, 0), "relevant": np.array(relevant)}
    return JudgedDocuments(query, plain_numbers(topics), documents, values, tags, **graded)


def read_qrels(path):
    """Read judgements: for each topic, a dict from document to grade.

    Parameters
    ----------
    path : str or Path
        A file, plain or gzipped; topics and documents are texts.
    """
    judged = {}
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split()
        if not fields:
            continue
        grade = _number(fields[3]) if len(fields) == 4 else None
        if grade is None or not grade.is_integer():
            raise bad_line(path, number, "a line must be 'topic 0 document grade'", line)
        grades = judged.setdefault(fields[0], {})
        if grades.setdefault(fields[2], int(grade)) != int(grade):
            raise bad_line(path, number, "a document may have only one grade in a topic", line)
    return judged


def _number(text):
    try:
        return float(text)
    except ValueError:
        return None


def _places(group, score):
    """Return places in each group by score: with equal scores sharing one, and without."""
    order = np.lexsort((-score, group))
    sizes = np.bincount(group)
    place = np.arange(1, score.size + 1) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    opens = place == 1
    opens[1:] |= score[order][1:] != score[order][:-1]
    block = np.cumsum(opens) - 1
    shared, first = np.empty(score.size), np.empty(score.size)
    shared[order] = (np.bincount(block, place) / np.bincount(block))[block]
    first[order] = place
    return shared, first


def _is_run(path, line):
    """Return whether the first line of a file is a line of a run."""
    fields = line.split(maxsplit=6)
    return len(fields) == 6 and fields[1].upper() == "Q0"


def _are_qrels(path, line):
    """Return whether the first line of a file is a judgement."""
    fields = line.split(maxsplit=4)
    marked = len(fields) == 4 and fields[1].upper() in ("0", "Q0")
    return marked and GRADE.fullmatch(fields[3]) is not None


def _read_run_rankings(path, unranked=None):
    """Return a ranking of each topic by each run of a file."""
    return read_runs(path).to_rankings(unranked=unranked)


def _read_graded_rankings(path, unranked=None):
    """Return a ranking of each topic by grade, the highest first; equal grades are ties."""
    if unranked is not None:
        raise ValueError(f"`unranked` is about lists, but '{path}' holds judgements.")
    judged = read_qrels(path)
    rows = [
        (query, document, grade)
        for query, grades in enumerate(judged.values())
        for document, grade in grades.items()
    ]
    query, documents, grades = zip(*rows, strict=True)
    nothing = np.empty((len(rows), 0))
    judgements = JudgedDocuments(
        np.array(query), plain_numbers(list(judged)), list(documents), nothing, [], np.array(grades)
    )
    return judgements.to_graded_rankings()


RUNS = FileFormat("TREC", DATA, _read_run_rankings, recognise=_is_run)
QRELS = FileFormat("qrels", DATA, _read_graded_rankings, recognise=_are_qrels)
