"""PrefLib's files: orders, complete or not (.soc, .soi), with ties or not (.toc, .toi), and pairs.

Lines that start with ``#`` describe the data and name the alternatives; the others are
``count: 2,{1,3},4``, an order with how many voters gave it, ties in braces. In files of weighted
pairs (.wmd) they are ``1,2,weight``.
"""

import math
import re
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.entries import checked_unranked
from bayesrank.data.formats.file_format import DATA, FileFormat
from bayesrank.data.formats.text_files import bad_line, first_line, plain_name, read_lines
from bayesrank.data.formats.written_files import replace_file
from bayesrank.data.rankings import Rankings
from bayesrank.text import option

__all__ = ["PREFLIB", "read_preflib", "read_preflib_header", "write_preflib"]

ORDERS, PAIRS = (".soc", ".soi", ".toc", ".toi"), ".wmd"  # endings
NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]{1,9}):(.*)", re.ASCII)
FIELD = re.compile(r"#\s*([A-Z ]+):(.*)")
VOTERS = 10**15  # a line must count fewer
ORDER = re.compile(r"([1-9][0-9]{0,14})\s*:\s*(.+)", re.ASCII)
KIND = re.compile(r"#\s*(?:FILE NAME|DATA TYPE):.*?\b(so[ci]|to[ci]|wmd)\s*")
BLOCK = re.compile(r"\{[0-9]{1,9}(?:,[0-9]{1,9})*\}|[0-9]{1,9}", re.ASCII)


def read_preflib(path, *, unranked=None):
    """Read orders as `Rankings`, each with its number of voters as its weight.

    Weighted pairs (.wmd) become `Comparisons`, in which the first of a pair has won as often as the
    weight says.

    Parameters
    ----------
    path : str or Path
        A file, plain or gzipped, in the format that PrefLib has had since 2022.
    unranked : {"not offered", "below"}
        Whether alternatives that an order leaves out were not offered, or are below the others.
        In the first case an order of one alternative says nothing: it is left out, and a warning
        says so.

    Examples
    --------
    >>> read_preflib("00004-00000001.soc")
    """
    lines = read_lines(path)
    names, where = _contents(lines)
    if _are_pairs(path, lines):
        return _pairs(path, names, where)
    counts, orders = [], []
    for number, line in where:
        count, order = _order(path, number, line)
        counts.append(count)
        orders.append(order)
    if not orders:
        raise ValueError(f"'{path}' has no orders.")
    if names:
        _require_named(path, names, orders, where)
    else:
        names = {
            k: str(k) for k in sorted({k for order in orders for block in order for k in block})
        }
    below = checked_unranked(unranked)
    single = [sum(map(len, order)) == 1 for order in orders]
    if any(single) and not below:
        left_out = sum(count for count, one in zip(counts, single, strict=True) if one)
        if all(single):
            raise ValueError(
                f"All orders of '{path}' have one alternative only, which says nothing; if the "
                f"others were offered, say {option('unranked', 'below')}."
            )
        warnings.warn(
            f"The orders of {left_out:,} of {sum(counts):,} voters have one alternative only, "
            f"which says nothing; they are left out. {option('unranked', 'below')} would put all "
            "others below it.",
            stacklevel=2,
        )
        keep = [k for k, one in enumerate(single) if not one]
        orders, counts = [orders[k] for k in keep], [counts[k] for k in keep]
    labels = _labels(names)
    lists = [[[labels[k] for k in block] for block in order] for order in orders]
    return Rankings.from_lists(
        lists, weights=counts, items=list(labels.values()), unranked=unranked
    )


def _contents(lines):
    """Return the names of the alternatives, and the numbered lines below the head of the file."""
    names, where = {}, []
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if line.startswith("#"):
            if match := NAME.match(line):
                names[int(match[1])] = match[2].strip() or match[1]
        elif line:
            where.append((number, line))
    return names, where


def _are_pairs(path, lines):
    """Return whether a file holds pairs: its name says so or, if that has no ending, its head."""
    name = plain_name(path)
    if name.endswith((*ORDERS, PAIRS)):
        return name.endswith(PAIRS)
    kinds = (KIND.fullmatch(line) for line in lines)
    return any(kind is not None and f".{kind[1]}" == PAIRS for kind in kinds)


def _order(path, number, line):
    """Return the count of a line, and its order as blocks of numbers."""
    match = ORDER.fullmatch(line)
    blocks = match and BLOCK.findall(text := re.sub(r"\s", "", match[2]))
    # The blocks, put together again, must be the whole line.
    if not blocks or ",".join(blocks) != text:
        raise bad_line(path, number, "a line must be 'count: 2,{1,3},4', an order", line)
    order = [[int(k) for k in block.strip("{}").split(",")] for block in blocks]
    twice = [k for k, times in Counter(k for block in order for k in block).items() if times > 1]
    if twice:
        raise bad_line(path, number, f"alternative {twice[0]} may be in an order only once", line)
    return int(match[1]), order


def _require_named(path, names, orders, where):
    """Refuse alternatives that the head of the file does not name."""
    for order, (number, line) in zip(orders, where, strict=True):
        unknown = [k for block in order for k in block if k not in names]
        if unknown:
            rule = f"alternative {unknown[0]} has no name at the head of the file"
            raise bad_line(path, number, rule, line)


def _labels(names):
    """Return distinct labels: alternatives of the same name get their numbers too."""
    times = Counter(names.values())
    return {k: name if times[name] == 1 else f"{name} ({k})" for k, name in names.items()}


def _pairs(path, names, where):
    """Return weighted pairs as comparisons that the first alternative has won."""
    rows = [_pair(path, number, line, names) for number, line in where]
    if not rows:
        raise ValueError(f"'{path}' has no pairs.")
    names = names or {k: str(k) for k in sorted({k for row in rows for k in row[:2]})}
    labels = _labels(names)
    wins = np.array([[weight, 0.0, 0.0] for *_, weight in rows])
    left, right = (np.array([labels[row[side]] for row in rows], dtype=object) for side in (0, 1))
    return Comparisons._from_labels(left, right, wins)


def _pair(path, number, line, names):
    """Return the two alternatives of a line, and the weight."""
    fields = [field.strip() for field in line.split(",")]
    try:
        first, second = (int(field) for field in fields[:2] if len(field) < 10)
        weight = float(fields[2])
        good = len(fields) == 3 and first != second and 0 <= weight < math.inf
    except (ValueError, IndexError):
        good = False
    if not good:
        raise bad_line(path, number, "a line must be '1,2,weight', a pair", line)
    for k in (first, second):
        if names and k not in names:
            raise bad_line(
                path, number, f"alternative {k} has no name at the head of the file", line
            )
    return first, second, weight


def read_preflib_header(path):
    """Return what the head of a file says: its fields, and the alternatives by number.

    Parameters
    ----------
    path : str or Path
    """
    fields, alternatives = {}, {}
    for line in read_lines(path):
        if not line.startswith("#"):
            continue
        if match := NAME.match(line):
            alternatives[int(match[1])] = match[2].strip()
        elif match := FIELD.match(line):
            fields[match[1].strip()] = match[2].strip()
    return {"fields": fields, "alternatives": alternatives}


def write_preflib(data, path, *, header=None):
    """Write rankings as a file of PrefLib; what was read from one is written as it was.

    Such a file has no place for names of rankings, agents, times, categories and features.

    Parameters
    ----------
    data : Rankings
        Weights must be whole numbers.
    path : str or Path
        Its ending must fit: only .toc and .toi may hold ties, and only .soi and .toi orders that
        leave alternatives out.
    header : dict, optional
        As `read_preflib_header` returns it. By default the fields that can be computed.
    """
    path = Path(path)
    _require_writable(data, path)
    names = {k: str(label) for k, label in enumerate(data.items, 1)}
    fields = {
        "FILE NAME": path.name, "TITLE": "", "DESCRIPTION": "", "DATA TYPE": path.suffix[1:],
        "MODIFICATION TYPE": "original", "RELATES TO": "", "RELATED FILES": "",
        "PUBLICATION DATE": "", "MODIFICATION DATE": "",
        "NUMBER ALTERNATIVES": str(len(names)),
        "NUMBER VOTERS": str(int(data.weights.sum())),
        "NUMBER UNIQUE ORDERS": str(len(data)),
    }  # fmt: skip
    if header is not None:
        fields, names = header["fields"], header["alternatives"] or names
    broken = [name for name in names.values() if set(name) & {"\n", "\r"} or name != name.strip()]
    if broken:
        raise ValueError(
            "A name may not go over two lines in a file of PrefLib's, nor begin or end with a "
            f"space: {broken[0]!r}."
        )
    number = {label: k for k, label in _labels(names).items()}
    unknown = [label for label in data.items if str(label) not in number]
    if unknown:
        raise ValueError(f"`header` has no alternative called {unknown[0]!r}.")
    lines = [f"# {name}: {value}" for name, value in fields.items()]
    lines += [f"# ALTERNATIVE NAME {k}: {name}" for k, name in names.items()]
    numbers = [number[str(label)] for label in data.items]
    lines += [_order_line(data, row, numbers) for row in range(len(data))]
    content = "".join(f"{line}\n" for line in lines).encode()
    replace_file(path, lambda temporary: temporary.write_bytes(content))


def _require_writable(data, path):
    """Refuse rankings that such a file cannot hold, or an ending that does not fit them."""
    if data.instances is not None:
        raise ValueError("A file of PrefLib's has one set of alternatives: write each instance.")
    bad = data.weights[(data.weights != np.round(data.weights)) | (data.weights >= VOTERS)]
    if bad.size:
        raise ValueError(
            f"PrefLib counts voters: `weights` must be whole numbers below {VOTERS:,}, "
            f"got {bad[0]:g}."
        )
    ranked = np.bincount(data.entry_ranking[data.entry_rank > 0], minlength=len(data))
    complete = bool(np.all(ranked == len(data.items)))
    ending = f".{'t' if data.has_ties else 's'}o{'c' if complete else 'i'}"
    wider = {".soc": (".soi", ".toc", ".toi"), ".soi": (".toi",), ".toc": (".toi",), ".toi": ()}
    if path.suffix not in (ending, *wider[ending]):
        raise ValueError(f"`path` must end in {ending} for these orders, got {path.name!r}.")


def _order_line(data, row, numbers):
    """Return the line of a ranking: its voters, and the numbers of its items, ties in braces."""
    blocks = {}
    held = slice(data.start[row], data.start[row + 1])
    for entry, rank in zip(data.entry_item[held], data.entry_rank[held], strict=True):
        if rank > 0:
            blocks.setdefault(int(rank), []).append(numbers[entry])
    texts = [",".join(map(str, sorted(blocks[rank]))) for rank in sorted(blocks)]
    texts = [f"{{{text}}}" if "," in text else text for text in texts]
    return f"{int(data.weights[row])}: {','.join(texts)}"


def _is_start(start):
    """Return whether a file has PrefLib's head, or starts with an order."""
    head = [line.decode(errors="replace") for line in start.splitlines() if line.startswith(b"#")]
    order = ORDER.fullmatch(first_line(start))
    whole = order is not None and re.fullmatch(r"[0-9,{}\s]+", order[2], re.ASCII) is not None
    return whole or any(KIND.fullmatch(line) for line in head)


PREFLIB = FileFormat("PrefLib", DATA, read_preflib, suffixes=(*ORDERS, PAIRS), is_start=_is_start)
