"""Damage at random: bytes, numbers, words and lines that are changed, left out or repeated."""

import re

__all__ = ["mutated"]

LONGEST = 2_000_000  # bytes of a damaged file

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
