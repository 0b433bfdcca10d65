"""The list of file formats, and which of them a file is in."""

from bayesrank.data.formats.csv_tables import CSV, TSV
from bayesrank.data.formats.excel_tables import EXCEL
from bayesrank.data.formats.file_format import DATA
from bayesrank.data.formats.json_tables import JSON
from bayesrank.data.formats.letor import LETOR
from bayesrank.data.formats.parquet_tables import PARQUET
from bayesrank.data.formats.preflib import PREFLIB
from bayesrank.data.formats.text_files import first_line, plain_name, read_start
from bayesrank.data.formats.trec import QRELS, RUNS

__all__ = ["FORMATS", "find_format"]

# First lines are tried in this order.
FORMATS = (PREFLIB, LETOR, QRELS, RUNS, PARQUET, EXCEL, JSON, TSV, CSV)


def find_format(path):
    """Return the format of a file, which need not exist.

    The ending of a format that holds data decides. Otherwise the first line may be that of a format
    that has no ending of its own. Tables are known by their endings. A file with another ending or
    none, such as a pipe, is known by how it starts, and the rest is CSV.
    """
    name = plain_name(path)
    by_ending = next((known for known in FORMATS if name.endswith(known.suffixes)), None)
    if by_ending is not None and by_ending.gives == DATA:
        return by_ending
    start = read_start(path)
    line = first_line(start)
    for known in FORMATS:
        if known.recognise is not None and known.recognise(path, line):
            return known
    if by_ending is not None:
        return by_ending
    by_start = (known for known in FORMATS if known.is_start is not None and known.is_start(start))
    return next(by_start, CSV)
