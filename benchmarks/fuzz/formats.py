"""Valid files of every format, from which damaged ones are made."""

import gzip
import io
from dataclasses import dataclass, field
from pathlib import Path

from bayesrank.data import read
from bayesrank.data.formats.trec import read_qrels

__all__ = ["Format", "formats"]

PREFLIB = b"""\
# FILE NAME: 00001-00000001.toi
# TITLE: Fruits, and \xc3\xa4pples
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 12
# NUMBER UNIQUE ORDERS: 4
# ALTERNATIVE NAME 1: apple
# ALTERNATIVE NAME 2: banana
# ALTERNATIVE NAME 3: cherry
# ALTERNATIVE NAME 4: date
"""
FEATURES = b"""\
2 qid:1 1:0.5 2:1 3:-3e-2 #docid = a inc = 1
0 qid:1 1:0.25 3:7 #docid = b inc = 1
1 qid:1 2:4 #docid = c inc = 1
1 qid:2 1:3 2:2 3:1 #docid = a inc = 1
0 qid:2 1:1 2:5 3:4 #docid = d inc = 1
"""
LISTS = b"""\
2 qid:10 1:1 2:30 3:2 #docid = a inc = 1
0 qid:10 1:2 2:4 3:NULL #docid = b inc = 1
0 qid:10 1:7 2:NULL 3:9 #docid = c inc = 1
1 qid:9 1:3 2:2 3:1 #docid = a inc = 1
0 qid:9 1:1 2:NULL 3:4 #docid = d inc = 1
"""
RUN = b"""\
401 Q0 doc1 1 9.5 system
401 Q0 doc2 2 9.5 system
401 Q0 doc3 3 -1e3 system
402 Q0 doc1 0 2.5 system
402 Q0 doc4 1 2.25 system
"""
QRELS = b"401 0 doc1 1\n401 0 doc2 0\n401 0 doc9 2\n402 0 doc1 -1\n"
PAIRS = b"""\
home,away,winner,judge
x,y,x,1
y,z,tie,1
z,x,x,2
"a, ""b"" c",z,z,2
x,\xc3\xbc,draw,3
"""
SCORES = b"# goals\nhome,away,a,b,times\nx,y,2,1,1\ny,z,1,1,2.5\nz,x,0,3,1\n"
FOOTBALL = b"home;away;result;odds\nx;y;H;1,5\ny;z;D;2\nz;x;A;,25\n"
COUNTS = b"left,right,wins,losses,ties\nx,y,3,2,1\ny,z,5,4,0\nz,x,0,1,2\ny,x,1,1,1\n"
TIDY = b"race,driver,position,w\n1,x,1,2\n1,y,2,2\n1,z,2,2\n2,y,1,1\n2,x,2,1\n"
RATINGS = b"user,film,stars,age\n1,x,5,0.5\n1,y,3,1\n1,z,3,2\n2,y,4,-1\n2,x,2,0\n3,x,1,3\n"
WIDE = b"voter,x,y,z\n1,1,2,3\n2,2,1,\n3,1,1,2\n4,0,1,2\n"
JSON_PAIRS = b"""\
{"home": "x", "away": "y", "winner": "x", "judge": 1}
{"home": "y", "away": "z", "winner": "tie", "judge": 1}
{"home": "z", "away": "x", "winner": "x", "judge": 2}
"""
JSON_COUNTS = b"""\
{"left": "x", "right": "y", "wins": 3, "losses": 2.5, "ties": 1}
{"left": "y", "right": "z", "wins": 5, "losses": 4, "ties": 0}
"""
JSON_RATINGS = b"""\
{"user": 1, "film": "x", "stars": 5, "age": 0.5}
{"user": 1, "film": "y", "stars": 3, "age": 1}
{"user": 2, "film": "y", "stars": 4, "age": -1}
{"user": 2, "film": "x", "stars": 2, "age": 0}
"""


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    name, suffix : str
    seeds : list of bytes
        Valid contents.
    columns : dict
        Further arguments of `read`.
    zipped : bool
        Whether the content is gzipped.
    reader : callable
    """

    name: str
    suffix: str
    seeds: list
    columns: dict = field(default_factory=dict)
    zipped: bool = False
    reader: object = read


def formats(data=None):
    """Return all formats by name, with those of a folder's files if there is one."""
    orders = {
        "soc": b"5: 1,2,3,4\n3: 4,3,2,1\n4: 2,1,4,3\n",
        "soi": b"5: 1,2,3\n3: 4\n4: 2,1\n",
        "toc": b"5: 1,{2,3},4\n3: {4,3,2,1}\n4: 2,1,{4,3}\n",
        "toi": b"5: 1,{2,3}\n3: {4,1}\n4: 2,1,4,3\n",
    }
    rows = {"left": "home", "right": "away"}
    pairs = rows | {"outcome": "winner", "agent": "judge"}
    races = {"group": "race", "item": "driver", "rank": "position"}
    stars = {"agent": "user", "item": "film", "rating": "stars", "features": ["age"]}
    plain = [
        *(Format(kind, f".{kind}", [PREFLIB + text, text]) for kind, text in orders.items()),
        Format("wmd", ".wmd", [PREFLIB + b"1,2,5\n2,1,3\n3,4,1\n1,4,2\n"]),
        Format("letor features", ".txt", [FEATURES, FEATURES.replace(b"#docid = ", b"#")]),
        Format("letor lists", ".txt", [LISTS]),
        Format("letor lists, below", ".txt", [LISTS], {"unranked": "below"}),
        Format("trec run", ".run", [RUN]),
        Format("trec qrels", ".txt", [QRELS], reader=read_qrels),
        Format("trec qrels, ranked", ".txt", [QRELS]),
        Format("csv pairs", ".csv", [PAIRS], pairs),
        Format("csv guessed", ".csv", [PAIRS, COUNTS, TIDY, RATINGS.replace(b"film", b"item")]),
        Format("csv scores", ".csv", [SCORES], rows | {"outcome": ("a", "b"), "weight": "times"}),
        Format("csv counts", ".csv", [COUNTS]),
        Format("csv semicolons", ".csv", [FOOTBALL], rows | {"weight": "odds"}),
        Format("csv rankings", ".csv", [TIDY], races | {"weight": "w"}),
        Format("csv rankings, below", ".csv", [TIDY], races | {"unranked": "below"}),
        Format("csv ratings", ".csv", [RATINGS], stars),
        Format("tsv pairs", ".tsv", [PAIRS.replace(b",", b"\t")], pairs),
        Format("csv wide", ".csv", [WIDE], {"wide": True, "group": "voter"}),
        Format("jsonl pairs", ".jsonl", [JSON_PAIRS], pairs),
        Format("jsonl counts", ".jsonl", [JSON_COUNTS]),
        Format("jsonl ratings", ".jsonl", [JSON_RATINGS], stars),
        Format("parquet", ".parquet", _parquet()),
    ]
    chosen = ("soi", "letor lists", "trec run", "csv pairs")
    zipped = [
        Format(f"{form.name}, gz", f"{form.suffix}.gz", form.seeds, form.columns, zipped=True)
        for form in plain
        if form.name in chosen
    ]
    found = {form.name: form for form in plain + zipped}
    if data is not None:
        found |= _formats_of(data)
    return found


def _parquet():
    """Return a table of pairs as Parquet, or nothing where that cannot be written."""
    import pandas as pd

    file = io.BytesIO()
    try:
        pd.read_csv(io.BytesIO(COUNTS)).to_parquet(file)
    except ImportError:
        return []
    return [file.getvalue()]


def _formats_of(folder):
    """Return a format for each suffix of a folder's files, of which the first lines are taken."""
    found = {}
    for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        zipped = path.suffix == ".gz"
        suffix = "".join(path.suffixes[-2:]) if zipped else path.suffix
        with gzip.open(path) if zipped else path.open("rb") as file:
            start = b"".join(file.readline(10_000) for _ in range(100))
        name = f"data{suffix.lower()}"
        found.setdefault(name, Format(name, suffix, [], zipped=zipped)).seeds.append(start)
    return found
