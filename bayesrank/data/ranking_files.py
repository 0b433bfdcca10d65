"""Files that hold rankings in a format of their own: PrefLib, LETOR and TREC."""

from bayesrank.data.letor import read_letor
from bayesrank.data.preflib import PAIRS, SUFFIXES, read_preflib
from bayesrank.data.text_files import first_line
from bayesrank.data.trec import read_runs

__all__ = ["ranking_format", "read_ranking_file"]


def ranking_format(path):
    """Return "PrefLib", "LETOR" or "TREC"; or None for a table, or what cannot be read."""
    if path.name.lower().removesuffix(".gz").endswith((*SUFFIXES, PAIRS)):
        return "PrefLib" if path.is_file() else None
    fields = first_line(path).split(maxsplit=6)
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return "LETOR"
    return "TREC" if len(fields) == 6 and fields[1].upper() == "Q0" else None


def read_ranking_file(path, kind, unranked=None):
    """Return the rankings of a file of the kind that `ranking_format` found."""
    treatment = "not offered" if unranked is None else unranked
    if kind == "PrefLib":
        return read_preflib(path, unranked=treatment)
    documents = read_runs(path) if kind == "TREC" else read_letor(path)
    # Only places in lists can be missing; features are all there.
    if kind == "LETOR" and not documents.has_missing:
        if unranked is not None:
            raise ValueError(
                f"`unranked` is about documents that a list does not have, but in '{path}' no "
                "value is NULL: it is read as features and relevance."
            )
        return documents.to_graded_rankings()
    return documents.to_rankings(unranked=treatment)
