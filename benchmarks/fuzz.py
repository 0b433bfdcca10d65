"""Damaged and hostile files: every reader must answer with data or with a sentence.

Small valid files of every format that `bayesrank.read` knows are damaged at random and read. A file
may be accepted, or refused by a `ValueError` or an `OSError` that the package words itself.
Everything else is a finding, and the file is kept:

- bug: another exception, a warning of NumPy's, or data that make no sense;
- foreign: a `ValueError` that Python or a library raised, and nobody put into words;
- wordy: a message of more than 2 000 characters;
- slow: more than five seconds;
- memory: more than 1 GB above what the process held before.

    python3 -m benchmarks.fuzz --inputs 100000 --seed 1
    python3 -m benchmarks.fuzz --seconds 60 --only "letor lists"
    python3 -m benchmarks.fuzz --data FOLDER    # the beginnings of real files, too
"""

import argparse
import faulthandler
import gzip
import io
import linecache
import multiprocessing
import multiprocessing.connection
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import bayesrank
from bayesrank.data import Comparisons, Rankings, read
from bayesrank.data.trec import read_qrels

__all__ = [
    "FINDINGS",
    "OUTCOMES",
    "SPECIALS",
    "Format",
    "Tally",
    "files_of",
    "formats",
    "fuzz",
    "limited_memory",
    "main",
    "mutated",
    "outcome_of",
]

OUTCOMES = ("accepted", "refused", "bug", "foreign", "wordy", "slow", "memory")
FINDINGS = OUTCOMES[2:]
SLOW = 5.0
STUCK = 60  # seconds after which a process that listens to no signal is ended
MEMORY = 1 << 30
WORDY = 2000
LONGEST = 2_000_000  # bytes of a damaged file
KEPT = 3  # files kept of each finding
PACKAGE = str(Path(bayesrank.__file__).parent)

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

# What is put in the place of a number, or anywhere.
NUMBERS = (
    b"9" * 5000, b"9" * 400, b"99999999999", b"9223372036854775807", b"9223372036854775808",
    b"4294967296", b"-1", b"0", b"-0", b"00", b"1e400", b"-1e400", b"1e308", b"1e-400", b"1e19",
    b"NaN", b"nan", b"inf", b"-inf", b"Infinity", b"1_000", b"0x10", b"1e5", b"1.5", b"1,5",
    "\u0661".encode(), "\u00b2".encode(), b"NULL", b"", b" ", b"True", b"None", b"1e", b"+1",
    b"1000000",
)  # fmt: skip
TEXTS = (
    b"\0", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", "\ufeff".encode(), "\u202e".encode(), b"\r",
    b"\r\n", b"\n\n", b"\x0b", b"\x0c", b"\x1c", "\u2028".encode(), "\x85".encode(), b"\t", b",",
    b";", b":", b'"', b"'", b"{", b"}", b"{}", b"#", b"#docid = ", b"qid:", b"=1+1", b"\\", b"[",
    b'""', b'"\n"', b"<script>", b"$x$", "\U0001f3c6".encode(), b"left", b"tie", b"NA", b"  ",
    b"\x1f\x8b", b"PAR1", b"Q0", b"1:2", b"2: 1,2,3", b"null", b"{}", b"[1]", b'{"a": 1}',
    b"true", b"1, 2", b"# ALTERNATIVE NAME 7: apple",
    b"# ALTERNATIVE NAME 7:", b"# ALTERNATIVE NAME 99999999999999999999: x",
)  # fmt: skip


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
        Format("csv pairs", ".csv", [PAIRS], pairs),
        Format("csv guessed", ".csv", [PAIRS, COUNTS, TIDY, RATINGS.replace(b"film", b"item")]),
        Format("csv scores", ".csv", [SCORES], rows | {"outcome": ("a", "b"), "weight": "times"}),
        Format("csv counts", ".csv", [COUNTS]),
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


# Damage ---------------------------------------------------------------------------------------


def mutated(rng, content, other):
    """Return a damaged content; ``other`` is what parts of another file are taken from."""
    content = bytearray(content)
    for _ in range(min(1 + int(rng.expovariate(0.7)), 8)):
        # What is repeated a thousand times, and that again, would be more than any memory holds.
        content = rng.choice(DAMAGES)(rng, content, other)[:LONGEST]
    return bytes(content)


def _flip(rng, content, other):
    for _ in range(rng.randint(1, 4)):
        if content:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return content


def _insert(rng, content, other):
    at = rng.randint(0, len(content))
    content[at:at] = rng.choice(TEXTS) if rng.random() < 0.8 else rng.randbytes(rng.randint(1, 9))
    return content


def _span(rng, content):
    start = rng.randint(0, len(content))
    return start, min(len(content), start + int(rng.expovariate(0.1)))


def _delete(rng, content, other):
    start, end = _span(rng, content)
    del content[start:end]
    return content


def _duplicate(rng, content, other):
    start, end = _span(rng, content)
    content[end:end] = content[start:end] * rng.choice((1, 1, 1, 2, 50))
    return content


def _truncate(rng, content, other):
    return content[: rng.randint(0, len(content))]


def _splice(rng, content, other):
    return content[: rng.randint(0, len(content))] + other[rng.randint(0, len(other)) :]


def _number(rng, content, other):
    """Put something else in the place of a number."""
    places = [match.span() for match in re.finditer(rb"-?[0-9][0-9.e+-]*", content)]
    if places:
        start, end = rng.choice(places)
        content[start:end] = rng.choice(NUMBERS)
    return content


def _word(rng, content, other):
    """Put something else, or another word of the same file, in the place of a word."""
    places = [match.span() for match in re.finditer(rb"[^\s,:{}\"]+", content)]
    if places:
        start, end = rng.choice(places)
        first, last = rng.choice(places)
        words = (rng.choice(TEXTS), rng.choice(NUMBERS), bytes(content[first:last]), b"")
        content[start:end] = rng.choice(words)
    return content


def _lines(rng, content, other):
    """Shuffle lines, leave one out, repeat one, or put in a line of another file."""
    lines = bytes(content).split(b"\n")
    k = rng.randrange(len(lines))
    what = rng.randrange(5)
    if what == 0:
        rng.shuffle(lines)
    elif what == 1:
        del lines[k]
    elif what == 2:
        most = 1 + LONGEST // (1 + len(lines[k]))
        lines[k:k] = [lines[k]] * min(rng.choice((1, 1, 2, 1000)), most)
    elif what == 3:
        lines.insert(k, rng.choice(bytes(other).split(b"\n")))
    else:
        lines[k] = lines[k].replace(b",", rng.choice((b"\t", b";", b" ", b",,")))
    return bytearray(b"\n".join(lines))


def _endings(rng, content, other):
    return content.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b" \n", b"")))


def _long_line(rng, content, other):
    at = rng.randint(0, len(content))
    content[at:at] = rng.choice((b"x", b"9", b"1,", b" ", b"1:1 ", b'"', b"{", b"\0")) * rng.choice(
        (100, 5000, 200_000)
    )
    return content


DAMAGES = (
    _flip, _insert, _insert, _delete, _duplicate, _truncate, _splice, _number, _number, _number,
    _word, _word, _lines, _lines, _endings,
) * 4 + (_long_line,)  # fmt: skip


def _bomb():
    """Return 2 GB of lines in a gzipped file of some megabytes."""
    line = b"1 qid:1 1:1 2:2\n"
    return gzip.compress(line * (2**24 // len(line)), 9) * 128


SPECIALS = {
    "letor features": [
        b"1 qid:1 99999999999:1\n0 qid:1 1:1\n",
        b"1 qid:1 200000000:1\n0 qid:1 1:1\n",
        b"1 qid:1 9223372036854775808:1\n0 qid:1 1:1\n",
        b"1 qid:1 %s:1\n0 qid:1 1:1\n" % (b"9" * 5000),
        b"%s qid:1 1:1\n0 qid:1 1:1\n" % (b"9" * 5000),
        b"%s qid:1 1:1\n0 qid:1 1:1\n" % (b"9" * 30),
        b"1 qid:%s 1:1\n0 qid:1 1:1\n" % (b"9" * 5000),
        b"1 qid:1 1:1e308\n0 qid:1 1:-1e308\n",
    ],
    "soi": [
        b"%s: 1,2\n" % (b"9" * 400),
        b"%s: 1,2\n" % (b"9" * 5000),
        b"1: 1,%s\n" % (b"9" * 5000),
        b"%s: 1,2\n%s: 2,1\n" % (b"9" * 308, b"9" * 308),
        b"# ALTERNATIVE NAME %s: x\n1: 1,2\n" % (b"9" * 5000),
        b"# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: x\n# ALTERNATIVE NAME 3: x (1)\n1: 1,2\n",
        b"# NUMBER ALTERNATIVES: 99999999999\n1: 1,2\n",
        b"1: " + b",".join(b"%d" % k for k in range(1, 20_001)) + b"\n",
    ],
    "trec run": [
        b"%s Q0 d 1 1 t\n1 Q0 d 1 1 t\n" % (b"9" * 5000),
        b"1 Q0 a 1 inf t\n1 Q0 b 1 -inf t\n",
        b"1 Q0 a 1 1e400 t\n1 Q0 b 1 1e400 t\n",
    ],
    "trec qrels": [b"1 0 d 1e400\n", b"1 0 d inf\n", b"1 0 d nan\n", b"1 0 d 1e300\n"],
    "csv counts": [
        b"left,right,wins,losses\nx,y,1e300,1\n",
        b"left,right,wins,losses\nx,y,%s,1\n" % (b"9" * 400),
        b"left,right,wins,losses\nx,y,%s,1\n" % (b"9" * 5000),
        b"left,right,wins,losses\nx,y,9223372036854775808,1\n",
        b"left,right,wins,losses\nx,y,9007199254740993,1\n",
        b"left,right,wins,losses\nx,y,1e308,1\nx,y,1e308,1\n",
        b"left,right,wins,losses\nx,y,1e-320,1\n",
        b"left,left,wins,losses\nx,y,1,1\n",
    ],
    "csv rankings": [
        b"race,driver,position,w\n1,x,1,1e400\n1,y,2,1e400\n",
        b"race,driver,position,w\n1,x,inf,1\n1,y,2,1\n",
        b"race,driver,position,w\n1,x,nan,1\n1,y,2,1\n",
        b"race,driver,position,w\n1,x,%s,1\n1,y,2,1\n" % (b"9" * 5000),
        b"race,driver,position,w\n1,x,1,1\n1,x ,2,1\n",
    ],
    "csv ratings": [
        b"user,film,stars,age\n1,x,inf,1\n1,y,2,1\n",
        b"user,film,stars,age\n1,x,1e308,1\n1,y,-1e308,1\n",
        b"user,film,stars,age\n1,x,1,%s\n1,y,2,1\n" % (b"9" * 400),
    ],
    "csv guessed": [
        b"home,away,winner\n" + b"x," * 200_000 + b"\n",
        b"1," * 200_000 + b"\n1,2\n",
        b"home,away,winner\n1,x,y,x\n2,y,x,x\n",
    ],
    "jsonl counts": [
        b'{"left": "x", "right": "y", "wins": %s, "losses": 1}\n' % (b"9" * 400),
        b'{"left": "x", "right": "y", "wins": %s, "losses": 1}\n' % (b"9" * 5000),
        b'{"left": "x", "right": "y", "wins": NaN, "losses": Infinity}\n',
        b'{"left": "x", "right": 1, "wins": true, "losses": 1}\n',
        b'{"left": true, "right": null, "wins": 1, "losses": "1"}\n',
        b'{"left": "\\ud800", "right": "y", "wins": 1, "losses": 1}\n',
        b'{"left": "x", "left": "y", "right": "x", "wins": 1, "losses": 1}\n',
        b"[" * 100_000,
        b"".join(b'{"c%d": 1}\n' % k for k in range(20_000)),
    ],
    "csv scores": [
        b"home,away,a,b,times\nx,y,1,0,1e308\nx,y,1,0,1e308\n",
        b"home,away,a,b,times\nx,y,1,0,1e300\n",
        b"home,away,a,b,times\nx,y,inf,0,1\n",
    ],
}  # fmt: skip


def files_of(found, seed, indices, *, specials=True):
    """Yield an index, a format and a content for each index; the same for the same seed.

    The first ones are the specials, files that are hostile on purpose.
    """
    special = [(name, text) for name in SPECIALS if name in found for text in SPECIALS[name]]
    special += [(name, None) for name in found if name == "letor lists, gz"]
    special = special if specials else []
    names = [name for name, form in found.items() if form.seeds]
    every = [seed for name in names for seed in found[name].seeds]
    for index in indices:
        if index < len(special):
            name, content = special[index]
            yield index, found[name], _bomb() if content is None else content
            continue
        rng = random.Random(f"{seed}/{index}")
        form = found[names[index % len(names)]]
        content = rng.choice(form.seeds)
        other = rng.choice(form.seeds if rng.random() < 0.5 else every)
        if form.zipped and rng.random() < 0.5:
            yield index, form, mutated(rng, gzip.compress(content, mtime=0), other)
            continue
        content = mutated(rng, content, other)
        yield index, form, gzip.compress(content, 1, mtime=0) if form.zipped else content


# Reading --------------------------------------------------------------------------------------


class _TooSlow(BaseException):
    pass


@contextmanager
def _alarm(seconds):
    """Raise `_TooSlow` in here after some seconds, as soon as Python is asked."""

    def ring(number, frame):
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    # Again and again: what is raised while an object is being deleted is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def limited_memory():
    """Let this process have 1 GB more than it has now."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def outcome_of(form, path):
    """Return what becomes of reading a file, one of `OUTCOMES`, and the text of what went wrong."""
    start = time.perf_counter()
    try:
        with warnings.catch_warnings(), _alarm(SLOW):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            _require_sense(form.reader(path, **form.columns))
    except _TooSlow:
        return "slow", traceback.format_exc()
    except MemoryError:
        return "memory", traceback.format_exc()
    except (ValueError, OSError) as error:
        ours = isinstance(error, OSError) or _is_ours(error)
        kind = "refused" if ours and str(error) else "foreign"
        kind = "wordy" if kind == "refused" and len(str(error)) > WORDY else kind
        return kind, "" if kind == "refused" else traceback.format_exc()
    except Exception:
        return "bug", traceback.format_exc()
    if time.perf_counter() - start > SLOW:
        return "slow", f"{time.perf_counter() - start:.1f} s"
    return "accepted", ""


def _is_ours(error):
    """Whether an error was raised by a statement of the package, not inside of a library's call."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno).strip()
    return type(error) is ValueError and last.filename.startswith(PACKAGE) and "raise" in line


def _require_sense(data):
    """Refuse data that no reader may return."""
    if isinstance(data, dict):
        assert all(type(grade) is int for grades in data.values() for grade in grades.values())
        return
    assert isinstance(data, (Comparisons, Rankings)), type(data)
    n = len(data.items)
    assert len(data) and n >= 2
    if data.instances is None:
        assert len(set(data.items)) == n
    if isinstance(data, Comparisons):
        assert np.isfinite(data.counts).all() and (data.counts >= 0).all()
        assert ((data.left >= 0) & (data.left < n) & (data.right >= 0) & (data.right < n)).all()
        assert (data.left != data.right).all()
    else:
        assert np.isfinite(data.weights).all() and (data.weights > 0).all()
        assert np.isfinite(data.weights.sum())
        assert ((data.entries >= -1) & (data.entries < n)).all()
        assert (data.ranks.max(axis=1) >= 1).all()
        for values in (data.features, data.ratings):
            assert values is None or np.isfinite(values).all()
    assert len(repr(data)) > 0 and len(data.to_frame())


# Counting -------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of how many files.

    Attributes
    ----------
    counts : Counter of (format, outcome)
    places : Counter of (format, outcome, last line of the error)
    """

    counts: Counter = field(default_factory=Counter)
    places: Counter = field(default_factory=Counter)

    @property
    def findings(self):
        """Number of files that were neither accepted nor refused in a sentence."""
        return sum(times for (_, kind), times in self.counts.items() if kind in FINDINGS)

    def add(self, name, kind, error):
        """Count a file; return whether it is among the first of its finding."""
        self.counts[name, kind] += 1
        if kind not in FINDINGS:
            return False
        self.places[name, kind, _place(error)] += 1
        return self.places[name, kind, _place(error)] <= KEPT

    def table(self):
        """Return the counts as a table in Markdown."""
        names = list(dict.fromkeys(name for name, _ in self.counts))
        rows = [["format", *OUTCOMES]]
        rows += [[name, *(f"{self.counts[name, kind]:,}" for kind in OUTCOMES)]
                 for name in sorted(names)]  # fmt: skip
        total = [sum(self.counts[name, kind] for name in names) for kind in OUTCOMES]
        rows.append(["all", *(f"{count:,}" for count in total)])
        rows.insert(1, ["---", *["--:"] * len(OUTCOMES)])
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _place(error):
    """Return where an error was raised, and its kind: what tells findings apart."""
    lines = [line for line in error.strip().splitlines() if PACKAGE in line]
    last = error.strip().splitlines()[-1:] or [""]
    return f"{lines[-1].strip() if lines else ''} {last[0].split(':')[0]}"


def fuzz(inputs=300, *, seed=1, seconds=None, only=None, data=None, folder=None, part=(0, 1),
         report=None, start=0, specials=True):  # fmt: skip
    """Read damaged files in this process; return the `Tally`.

    Parameters
    ----------
    inputs : int
        Number of files, of all parts.
    seed : int
    seconds : float, optional
        Stop after this time.
    only : str, optional
        The name of a format.
    data : path, optional
        A folder of real files.
    folder : path, optional
        Where files of findings are kept.
    part : pair of int
        Read every n-th file, from which on.
    report : callable, optional
        Called with index, format, outcome and error for each file.
    start : int
        Read files from this index on.
    specials : bool
        Whether to begin with the files that are hostile on purpose.
    """
    found = formats(data)
    if only is not None:
        if only not in found:
            raise ValueError(f"No format is called {only!r}; there are {', '.join(found)}.")
        found = {only: found[only]}
    first, step = part
    indices = range(start + (first - start) % step, inputs, step)
    tally, begin = Tally(), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        _warm_up(found, scratch)
        with limited_memory():
            for index, form, content in files_of(found, seed, indices, specials=specials):
                path = scratch / f"input{form.suffix}"
                path.write_bytes(content)
                if report:
                    report(index, form.name, "started", "")
                kind, error = outcome_of(form, path)
                if tally.add(form.name, kind, error) and folder is not None:
                    _keep(folder, form, index, kind, content, error)
                if report:
                    report(index, form.name, kind, error)
                if seconds is not None and time.perf_counter() - begin > seconds:
                    break
    return tally


def _warm_up(found, scratch):
    """Read valid files, so that what is imported and compiled once is there before any limit."""
    for form in found.values():
        for seed in form.seeds:
            path = scratch / f"seed{form.suffix}"
            path.write_bytes(gzip.compress(seed) if form.zipped else seed)
            outcome_of(form, path)


def _keep(folder, form, index, kind, content, error):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind}-{re.sub('[^a-z]+', '-', form.name)}-{index}{form.suffix}"
    (folder / name).write_bytes(content)
    (folder / f"{name}.error").write_text(error[:20_000], errors="replace")


# The command ----------------------------------------------------------------------------------


def _work(sender, options):
    """Read a part of the files in a process of its own, and send what becomes of each."""

    def report(index, name, kind, error):
        if kind == "started":
            faulthandler.dump_traceback_later(STUCK, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()
        sender.send((index, name, kind, error))

    fuzz(report=report, **options)
    sender.send(None)


def _watch(parts, options):
    """Run parts in processes, which are started again where they die; return the `Tally`."""
    context = multiprocessing.get_context("spawn")
    tally, open_parts, begin, last_said = Tally(), {}, time.perf_counter(), 0.0

    def begin_part(k, start):
        receiver, sender = context.Pipe(duplex=False)
        wanted = options | {"part": (k, parts), "start": start}
        if options["seconds"] is not None:
            wanted["seconds"] = options["seconds"] - (time.perf_counter() - begin)
        process = context.Process(target=_work, args=(sender, wanted), daemon=True)
        process.start()
        sender.close()
        open_parts[receiver] = [k, process, None]

    for k in range(parts):
        begin_part(k, 0)
    while open_parts:
        for receiver in multiprocessing.connection.wait(list(open_parts), 1.0):
            k, process, current = open_parts[receiver]
            try:
                message = receiver.recv()
            except EOFError:
                del open_parts[receiver]
                process.join()
                if current is None:
                    raise RuntimeError("A process died while it read no file.") from None
                index, name, *_ = current
                tally.add(name, "bug", f"The process died of {process.exitcode}")
                print(f"file {index} of '{name}': the process died ({process.exitcode})")
                begin_part(k, index + 1)
                continue
            if message is None:
                del open_parts[receiver]
                process.join()
                continue
            index, name, kind, error = message
            if kind == "started":
                open_parts[receiver][2] = message
                continue
            open_parts[receiver][2] = None
            if tally.add(name, kind, error):
                print(f"\n{kind}: file {index} of '{name}'\n{_shortened(error)}", flush=True)
        done, now = sum(tally.counts.values()), time.perf_counter()
        if now - last_said > 30.0 and done:
            last_said = now
            print(f"{done:,} files, {tally.findings:,} findings, {now - begin:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
    return tally


def _shortened(error, longest=1500):
    lines = [line if len(line) < 300 else f"{line[:150]} ... {line[-100:]}"
             for line in error.rstrip().splitlines()]  # fmt: skip
    text = "\n".join(lines)
    return text if len(text) < longest else "..." + text[-longest:]


def main(arguments=None):
    """Run the command; return 1 if there are findings."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.fuzz", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--inputs", type=int, default=100_000, help="number of files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--only", metavar="FORMAT", help="one format only, such as 'csv pairs'")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real files to damage, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", default=Path("fuzz-findings"),
                        help="where files of findings are kept (fuzz-findings)")  # fmt: skip
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.only is not None and options.only not in formats(options.data):
        parser.error(f"--only: there are {', '.join(formats(options.data))}.")
    names = ("inputs", "seed", "seconds", "only", "data")
    wanted = {name: getattr(options, name) for name in names} | {"folder": options.keep}
    begin = time.perf_counter()
    tally = _watch(options.processes, wanted)
    took, files = time.perf_counter() - begin, sum(tally.counts.values())
    print(f"\n{tally.table()}\n")
    print(f"{files:,} files in {took:.0f} s, {files / took:,.0f} a second; "
          f"{tally.findings:,} findings at {len(tally.places):,} places")  # fmt: skip
    if tally.findings:
        print(f"Files are in {options.keep}.")
    return int(tally.findings > 0)


if __name__ == "__main__":
    sys.exit(main())
