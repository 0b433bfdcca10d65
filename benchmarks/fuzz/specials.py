"""Files that are hostile on purpose, by format."""

import gzip

__all__ = ["specials"]


def specials():
    """Return a list of contents for each name of a format."""
    return _letor() | _preflib_and_trec() | _csv() | _jsonl() | _compressed()


def _letor():
    """Return files of judged documents."""
    return {
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
        "letor lists": [
            b"1 qid:1 1000000:NULL\n0 qid:1 1:1\n",
            b"1 qid:1 100000:NULL\n0 qid:1 1:1\n1 qid:1 1:2\n",
            b"".join(b"1 qid:1 %d:NULL\n" % k for k in range(1, 10_000)),
            b"".join(b"1 qid:%d %d:1 100000:NULL\n" % (k, k) for k in range(1, 10_000)),
        ],
    }


def _preflib_and_trec():
    """Return files of PrefLib and of TREC."""
    return {
        "soi": [
            b"%s: 1,2\n" % (b"9" * 400),
            b"%s: 1,2\n" % (b"9" * 5000),
            b"1: 1,%s\n" % (b"9" * 5000),
            b"%s: 1,2\n%s: 2,1\n" % (b"9" * 308, b"9" * 308),
            b"# ALTERNATIVE NAME %s: x\n1: 1,2\n" % (b"9" * 5000),
            b"".join(b"# ALTERNATIVE NAME %d: x\n" % k for k in (1, 2))
            + b"# ALTERNATIVE NAME 3: x (1)\n1: 1,2\n",
            b"# NUMBER ALTERNATIVES: 99999999999\n1: 1,2\n",
            b"1: " + b",".join(b"%d" % k for k in range(1, 20_001)) + b"\n",
        ],
        "wmd": [
            b"# ALTERNATIVE NAME 1: %s\n# ALTERNATIVE NAME 2: y\n" % (b"x" * 10**6)
            + b"1,2,1\n" * 10_000
        ],
        "trec run": [
            b"%s Q0 d 1 1 t\n1 Q0 d 1 1 t\n" % (b"9" * 5000),
            b"1 Q0 a 1 inf t\n1 Q0 b 1 -inf t\n",
            b"1 Q0 a 1 1e400 t\n1 Q0 b 1 1e400 t\n",
        ],
        "trec qrels": [b"1 0 d 1e400\n", b"1 0 d inf\n", b"1 0 d nan\n", b"1 0 d 1e300\n"],
    }


def _csv():
    """Return tables of comma-separated values."""
    return {
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
        "csv scores": [
            b"home,away,a,b,times\nx,y,1,0,1e308\nx,y,1,0,1e308\n",
            b"home,away,a,b,times\nx,y,1,0,1e300\n",
            b"home,away,a,b,times\nx,y,inf,0,1\n",
        ],
        "csv semicolons": [
            b"left;right;outcome\n" + b"x;" * 200_000,
            b"left;" * 200_000 + b"\n1;2\n",
            b"left;right;wins;losses\nx;y;1,5;1.000,5\n",
        ],
        "csv wide": [b"voter\n1\n", b"voter," + b"x," * 9_000 + b"\n1\n"],
    }


def _jsonl():
    """Return tables with one JSON object per line."""
    return {
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
        "jsonl ratings": [
            b'{"user": 1, "film": "%s", "stars": 5}\n' % (b"x" * 10**6)
            + b"".join(b'{"user": %d, "film": "y", "stars": 5}\n' % k for k in range(10_000))
        ],
    }


def _compressed():
    """Return files that are far larger than their size on the disk."""
    line = b"1 qid:1 1:1 2:NULL\n"
    return {
        # Two thousand million bytes, less than what is allowed, and names without an end.
        "letor lists, gz": [_zipped(line, 2**31), _zipped(line, 2**21), _zipped(b"9", 2**25)],
        "csv pairs, gz": [
            _zipped(b"home,away,winner,judge\n", 2**26),
            _zipped(b"x,y,x,1\n", 2**22, b"home,away,winner,judge\n"),
            _zipped(b'"', 2**25, b"home,away,winner,judge\n"),
        ],
        "trec run, gz": [_zipped(b"1 Q0 d 1 1 t\n", 2**31), _zipped(b"1 Q0 d 1 1 t ", 2**25)],
    }


def _zipped(text, size, start=b""):
    """Return a gzipped file in which a text is repeated up to a size."""
    piece = min(size, 2**22)
    return gzip.compress(start) + gzip.compress(text * (piece // len(text)), 9) * (size // piece)
