"""PrefLib's files of orders: complete or not (.soc, .soi), with ties or not (.toc, .toi).

Lines that start with ``#`` describe the data and name the alternatives; the others are
``count: 2,{1,3},4``, an order with how many voters gave it, ties in braces.
"""

import re
import warnings
from collections import Counter

from bayesrank.data.rankings import Rankings
from bayesrank.data.text_files import bad_line, read_lines

__all__ = ["SUFFIXES", "read_preflib"]

SUFFIXES = (".soc", ".soi", ".toc", ".toi")
NAME = re.compile(r"#\s*ALTERNATIVE NAME ([0-9]+):(.*)", re.ASCII)
ORDER = re.compile(r"([1-9][0-9]*)\s*:\s*(.+)", re.ASCII)
BLOCK = re.compile(r"\{[0-9]+(?:,[0-9]+)*\}|[0-9]+", re.ASCII)


def read_preflib(path, *, unranked="not offered"):
    """Read orders as `Rankings`, each with its number of voters as its weight.

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
    names, orders, counts, where = {}, [], [], []
    for number, line in enumerate(read_lines(path), 1):
        line = line.strip()
        if line.startswith("#"):
            if match := NAME.match(line):
                names[int(match[1])] = match[2].strip() or match[1]
        elif line:
            count, order = _order(path, number, line)
            counts.append(count)
            orders.append(order)
            where.append((number, line))
    if not orders:
        raise ValueError(f"'{path}' has no orders.")
    if names:
        _require_named(path, names, orders, where)
    else:
        names = {
            k: str(k) for k in sorted({k for order in orders for block in order for k in block})
        }
    single = [sum(map(len, order)) == 1 for order in orders]
    if unranked == "not offered" and any(single):
        left_out = sum(count for count, one in zip(counts, single, strict=True) if one)
        if all(single):
            raise ValueError(
                f"All orders of '{path}' have one alternative only, which says nothing; if the "
                'others were offered, say unranked="below".'
            )
        warnings.warn(
            f"The orders of {left_out:,} of {sum(counts):,} voters have one alternative only, "
            'which says nothing; they are left out. unranked="below" would put all others below '
            "it.",
            stacklevel=2,
        )
        keep = [k for k, one in enumerate(single) if not one]
        orders, counts = [orders[k] for k in keep], [counts[k] for k in keep]
    labels = _labels(names)
    lists = [[[labels[k] for k in block] for block in order] for order in orders]
    return Rankings.from_lists(
        lists, weights=counts, items=list(labels.values()), unranked=unranked
    )


def _order(path, number, line):
    """Return the count of a line, and its order as blocks of numbers."""
    match = ORDER.fullmatch(line)
    blocks = match and BLOCK.findall(text := re.sub(r"\s", "", match[2]))
    # What was found, put together again, must be all that there is.
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
    """Return distinct labels: a name that several have gets their numbers."""
    times = Counter(names.values())
    return {k: name if times[name] == 1 else f"{name} ({k})" for k, name in names.items()}
