"""The list of file formats, and which of them a file is in."""

from bayesrank.data.formats.csv_tables import CSV, TSV
from bayesrank.data.formats.excel_tables import EXCEL
from bayesrank.data.formats.file_format import DATA
from bayesrank.data.formats.json_tables import JSON
from bayesrank.data.formats.letor import LETOR
from bayesrank.data.formats.parquet_tables import PARQUET
from bayesrank.data.formats.preflib import PREFLIB
from bayesrank.data.formats.text_files import first_line, plain_name
from bayesrank.data.formats.trec import QRELS, RUNS

__all__ = ["FORMATS", "find_format"]

# First lines are tried in this order.
FORMATS = (PREFLIB, LETOR, QRELS, RUNS, PARQUET, EXCEL, JSON, TSV, CSV)


def find_format(path):
    """Return the format of a file, which need not exist.

    The ending of a format that holds data decides. Otherwise the first line may be that of a format
    that has no ending of its own. Tables are known by their endings, and the rest is CSV.
    """
    name = plain_name(path)
    by_ending = next((known for known in FORMATS if name.endswith(known.suffixes)), CSV)
    if by_ending.gives == DATA:
        return by_ending
    line = first_line(path)
    for known in FORMATS:
        if known.recognise is not None and known.recognise(path, line):
            return known
    return by_ending
