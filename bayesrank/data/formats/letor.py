"""LETOR's files, which are SVMlight's with queries: learning to rank, and rank aggregation.

    grade qid:QUERY 1:value 2:value ... #docid = DOCUMENT ...

In the files for rank aggregation the values are places in lists, of which the smallest are the
best. ``NULL`` means that the list does not have the document, and so does a line that leaves the
list out. In the files for learning to rank the values are features, and those left out are 0.
"""

import math
import re
from array import array
from pathlib import Path

import numpy as np

from bayesrank.data.formats.file_format import DATA, FileFormat
from bayesrank.data.formats.judged_documents import JudgedDocuments
from bayesrank.data.formats.text_files import bad_line, paths_of, plain_numbers, read_lines
from bayesrank.data.labels import number_in_order

__all__ = ["LETOR", "read_letor"]

LINE = re.compile(r"\s*([0-9]{1,9})\s+qid:(\S+)((?:\s+[1-9][0-9]*:[^\s:]+)*)\s*", re.ASCII)
PAIR = re.compile(r"([0-9]+):(\S+)", re.ASCII)
SPARSE = re.compile(r"[0-9]+:\S+", re.ASCII)
# Lines may leave columns out, so that short lines may ask for many columns: how many columns there
# may be, and how many numbers where fewer than one in SHARE is given.
COLUMNS, NUMBERS, SHARE = 100_000, 20_000_000, 50
DOCUMENT = re.compile(r"docid\s*=\s*(\S+)")
RULE = "a line must be 'grade qid:query 1:value 2:value ...'"


def read_letor(paths):
    """Read files of LETOR, or of SVMlight with queries, as `JudgedDocuments`.

    Where lines do not name their documents, those of a query are called 1, 2, ... in the order of
    the file. Queries may also be told apart as LightGBM does: a file beside it, of the same name
    with ".query" at its end, has the number of rows of each query.

    Parameters
    ----------
    paths : str, Path or list of them
        Files, plain or gzipped; several are read as one.

    Examples
    --------
    >>> documents = read_letor("MQ2008-agg/S1.txt")
    >>> data = documents.to_rankings(unranked="below")
    """
    grades, queries, comments, parts, where = [], [], [], [], []
    for path in paths_of(paths):
        sizes = _query_sizes(path)
        numbers = iter(()) if sizes is None else _query_numbers(sizes)
        for number, line in enumerate(read_lines(path), 1):
            head, _, comment = line.partition("#")
            if not head.strip():
                continue
            if sizes is not None and "qid:" not in head:
                query = next(numbers, None)
                if query is None:
                    rule = f"'{path}.query' counts {sum(sizes):,} rows, and there are more"
                    raise bad_line(path, number, rule, line)
                grade, *values = head.split(maxsplit=1)
                head = f"{grade} qid:{query} {values[0] if values else ''}"
            match = LINE.fullmatch(head)
            if match is None:
                raise bad_line(path, number, RULE, line)
            grade, query, values = match.groups()
            grades.append(int(grade))
            queries.append(query)
            parts.append(values)
            comments.append(comment)
            where.append((path, number))
        if next(numbers, None) is not None:
            raise ValueError(f"'{path}.query' counts {sum(sizes):,} rows, and there are fewer.")
    if not grades:
        raise ValueError(f"'{paths_of(paths)[0]}' has comments only.")
    found, query = number_in_order(queries)
    relevance = np.array(grades)
    values, columns = _values(parts, where)
    return JudgedDocuments(
        query=query,
        queries=plain_numbers(found),
        documents=_documents(comments, query, where),
        values=values,
        columns=columns,
        relevance=relevance,
        relevant=np.bincount(query, relevance > 0).astype(int),
    )


def _query_sizes(path):
    """Return how many rows each query has, by LightGBM's file beside it, or None without one."""
    beside = Path(f"{path}.query")
    if not beside.is_file():
        return None
    sizes = []
    for number, line in enumerate(read_lines(beside), 1):
        if not re.fullmatch(r"[0-9]{1,9}", line.strip(), re.ASCII):
            raise bad_line(beside, number, "a line must be the number of rows of a query", line)
        sizes.append(int(line))
    return sizes


def _query_numbers(sizes):
    """Yield the number of each row's query, from 1."""
    for query, size in enumerate(sizes, 1):
        yield from [query] * size


def _values(parts, where):
    """Return the values of all lines as a matrix, NaN for NULL, and the numbers of its columns."""
    # Arrays of plain numbers: Python lists would take several times the memory.
    row, column, value = array("q"), array("q"), array("d")
    for k, part in enumerate(parts):
        last = 0
        for name, text in PAIR.findall(part):
            if len(name) > 6 or int(name) > COLUMNS:
                rule = f"columns may be numbered to {COLUMNS:,}"
                raise bad_line(*where[k], rule, f"{name}:{text}")
            number = int(name)
            if number <= last:
                raise bad_line(*where[k], "columns must be numbered upwards, each once", part)
            last = number
            row.append(k)
            column.append(number)
            value.append(_number(name, text, where[k]))
    row, column, value = np.array(row), np.array(column), np.array(value)
    lists = np.isnan(value).any()  # then columns are lists, and there are only those that occur
    columns = np.unique(column) if lists else np.arange(1, column.max(initial=0) + 1)
    shape = len(parts), columns.size
    if math.prod(shape) > max(NUMBERS, SHARE * value.size):
        raise ValueError(
            f"'{where[0][0]}' gives {value.size:,} of the numbers of {shape[0]:,} documents in "
            f"{shape[1]:,} columns: where there are more than {NUMBERS:,} in all, one in {SHARE} "
            "must be given."
        )
    values = np.full(shape, np.nan) if lists else np.zeros(shape)
    values[row, np.searchsorted(columns, column)] = value
    return values, columns.tolist()


def _number(name, text, place):
    if text == "NULL":
        return math.nan
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise bad_line(*place, "a value must be a finite number or NULL", f"{name}:{text}")
    return number


def _documents(comments, query, where):
    """Return the documents' labels, or their numbers in their query."""
    named = [DOCUMENT.search(comment) for comment in comments]
    if not any(named):
        order = np.argsort(query, kind="stable")
        sizes = np.bincount(query)
        number = np.empty(query.size, dtype=np.int64)
        number[order] = np.arange(query.size) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
        return number.tolist()
    seen, documents = {}, []
    for match, q, comment, (path, number) in zip(
        named, query.tolist(), comments, where, strict=True
    ):
        if match is None:
            rule = "a line must name its document as others do, '#docid = ...'"
            raise bad_line(path, number, rule, comment)
        if (q, match[1]) in seen:
            rule = f"a document may be in a query only once, and line {seen[q, match[1]]} has it"
            raise bad_line(path, number, rule, match[1])
        seen[q, match[1]] = number
        documents.append(match[1])
    return documents


def _recognise(path, line):
    """Return whether a file's first line is of this format, or say that it has no query."""
    fields = line.split(maxsplit=6)
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return True
    if len(fields) < 2 or not all(SPARSE.fullmatch(field) for field in fields[1:6]):
        return False
    if _query_sizes(path) is None:
        raise ValueError(
            f"'{path}' has lines 'grade 1:value 2:value ...' that do not say which query they "
            f"belong to: each needs 'qid:...' after the grade, or a file '{path.name}.query' "
            "beside it must have the number of rows of each query."
        )
    return True


def _read_rankings(path, unranked=None):
    """Return the rankings by the lists of a file, or by relevance where it holds features."""
    documents = read_letor(path)
    # Only places in lists can be missing; features are all there.
    if documents.has_missing:
        return documents.to_rankings(unranked=unranked)
    if unranked is not None:
        raise ValueError(
            f"`unranked` is about documents that a list does not have, but in '{path}' no "
            "value is NULL: it is read as features and relevance."
        )
    return documents.to_graded_rankings()


LETOR = FileFormat("LETOR", DATA, _read_rankings, recognise=_recognise)
