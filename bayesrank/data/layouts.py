"""The layouts that tables come in, known by what was said or by the names of their columns."""

import logging
import re
import warnings

import numpy as np

from bayesrank.data.columns import require_columns
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.cross_tables import is_cross_table
from bayesrank.data.rankings import Rankings
from bayesrank.data.spellings import folded
from bayesrank.text import listing, option, short

__all__ = ["given", "matching", "read_table"]

# Column names that need no explanation, in the order in which they are tried. Capitals, spaces,
# dots and underscores make no difference.
GUESSES = {
    "left": ("left", "home", "home team", "model a", "player 1", "team 1", "item 1", "i"),
    "right": ("right", "away", "away team", "model b", "player 2", "team 2", "item 2", "j"),
    "outcome": ("outcome", "winner", "result", "ftr", "score"),
    "winner": ("winner", "winner name", "won"),
    "loser": ("loser", "loser name", "lost"),
    "group": ("group", "race", "race id", "ranking", "ballot", "query", "query id", "voter"),
    "item": (
        "item", "driver", "name", "candidate", "film", "movie", "title", "team", "player",
        "product", "document", "model", "item id", "driver id", "movie id",
    ),
    "rank": ("rank", "position", "place", "position order", "pos"),
    "agent": ("agent", "user", "user id", "voter", "judge", "rater", "reviewer", "query"),
    "rating": ("rating", "stars", "grade"),
    "wins": ("wins", "wins a", "left wins", "home wins"),
    "losses": ("losses", "wins b", "right wins", "away wins"),
    "ties": ("ties", "draws"),
}  # fmt: skip
# Scores of both sides, where no column has the outcome.
SCORE_COLUMNS = (
    ("home score", "away score"), ("home goals", "away goals"), ("fthg", "ftag"),
    ("left score", "right score"), ("score 1", "score 2"), ("home points", "away points"),
)  # fmt: skip
# Columns that say how often a row counts, that name rankings rather than items, and that mark ties.
COUNTS = {"count", "counts", "weight", "weights", "frequency", "freq", "times"}
LABELS = {"id", "index", "voter", "voterid", "ballot", "ballotid", "timestamp", "respondent"}
TIED = {"draw", "draws", "tie", "tied", "isdraw", "istie", "isdrawn", "istied", "drawn"}
# Marks of a rank that is missing, and of somebody who started and has no place.
MISSING = {"", "\\n", "na", "n/a", "nan", "null", "none", "-", "--", "\u2013", "\u2014", "."}
RETIRED = {
    "dnf", "dns", "dsq", "dq", "ret", "retired", "nc", "r", "d", "e", "f", "w", "n", "abd", "wd",
    "dnq", "otl", "cut", "mc", "mdf",
}  # fmt: skip


TIED_PLACE = r"^[Tt=]([0-9]+)$|^([0-9]+)[Tt=]$"  # golf's T2
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_KIND = r"(?:choice|preference|pick|place|vote)"
CHOICE = re.compile(
    rf"^(?:your |my )?(?:(?P<word>{'|'.join(ORDINALS)})|(?P<number>[0-9]+)(?:st|nd|rd|th))"
    rf"[\s_-]*{_KIND}\b|^{_KIND}[\s_-]*(?P<after>[0-9]+)$"
)

_log = logging.getLogger("bayesrank.read")


def read_table(path, frame, pairs, beaten, counts, entries, about, table):
    """Return what a table says, whatever its layout."""
    named = pairs | beaten | counts | entries
    fold = bool(table["fold_names"])
    others = ("item", "rank", "rating", "features", "close_gaps")
    others = {name: entries[name] for name in others}
    plain = not given(named | about)
    for layout, kind in (("wide", "ranks by items"), ("cross", "wins of rows over columns")):
        if table[layout]:
            rest = pairs | beaten | counts | others | {"choices": table["choices"]}
            if layout == "cross":
                rest |= entries | about
            _exclude({layout: True}, kind, rest, "another shape")
    if table["wide"] and table["cross"]:
        raise ValueError("`wide` and `cross` are different shapes: give one of them.")
    if fold and (table["wide"] or table["cross"]):
        layout = "wide" if table["wide"] else "cross"
        raise ValueError(f"`fold_names` is for names in cells, not for columns as in `{layout}`.")
    if table["wide"]:
        return _read_wide(frame, entries, about)
    if table["cross"] or (plain and not fold and is_cross_table(frame)):
        if not table["cross"]:
            _log.info("layout: a cross table, wins of rows over columns")
        names = list(frame.columns[1:])
        for name in names:
            frame = _without_marks(frame, name)
        return Comparisons.from_matrix(_to_numbers(frame, names))
    choices = table["choices"]
    if isinstance(choices, str):
        raise TypeError(f"`choices` must be a list of columns, got the text {choices!r}.")
    other_layout = _has(frame, "left", "right") or _has(frame, "winner", "loser")
    other_layout |= _has(frame, "item") and (_has(frame, "group", "rank") or _has(frame, "rating"))
    if choices is None and not other_layout and not given(pairs | beaten | counts | others):
        choices = _choice_columns(frame)
    _tell_of_counts(frame, about, named)
    if choices is not None:
        _exclude(
            {"choices": choices},
            "choices by name",
            pairs | beaten | counts | others,
            "another shape",
        )
        return _read_choices(frame, choices, entries, about, fold)
    _exclude(pairs | beaten | counts, "comparisons", entries, "rankings")
    if not given(named) and not _has(frame, "left", "right"):
        if _has(frame, "winner", "loser"):
            return _read_beaten(frame, beaten, about, fold)
        if not _has(frame, "item") or not (_has(frame, "group", "rank") or _has(frame, "rating")):
            raise ValueError(
                f"The columns of '{path}' ({listing(list(frame.columns), 12)}) have none of the "
                f"usual names; say which they are, {_usual_names()}."
            )
        if not _has(frame, "group", "rank"):
            entries["rating"] = _guess(frame, "rating")
        return _read_rankings(frame, entries, about, fold)
    if given(beaten):
        _exclude(beaten, "winners and losers", pairs | counts, "sides")
        return _read_beaten(frame, beaten, about, fold)
    if given(entries):
        ranked = {name: entries[name] for name in ("group", "item", "rank", "rating")}
        if not given(ranked) and not _has(frame, "item") and _has(frame, "left", "right"):
            name = given(entries)[0]
            raise ValueError(f"`{name}` is for rankings, and '{path}' holds comparisons.")
        return _read_rankings(frame, entries, about, fold)
    raw = {name: pairs[name] for name in ("outcome", "tie_value")} | {"weight": about["weight"]}
    _exclude(raw, "single comparisons", counts, "counts")
    return _read_comparisons(frame, pairs, counts, about, fold)


def _usual_names():
    """Return which columns a table may have, in the words of whoever reads."""
    roles = (
        ("comparisons", ("left", "right", "outcome")),
        ("comparisons without sides", ("winner", "loser")),
        ("rankings", ("group", "item", "rank")),
        ("ratings", ("agent", "item", "rating")),
    )
    said = []
    for kind, names in roles:
        words = [f"{option(name, 'NAME')} ({', '.join(GUESSES[name][:4])})" for name in names]
        said.append(f"{', '.join(words)} of {kind}")
    return "; ".join(said)


def matching(frame, where):
    """Return the rows for which a condition holds; texts that are all numbers are numbers there."""
    if where is None:
        return frame
    import pandas as pd

    known = frame.copy()
    for name in known.columns:
        if not pd.api.types.is_numeric_dtype(known[name]):
            numbers = pd.to_numeric(known[name], errors="coerce")
            if (numbers.notna() | known[name].isna()).all():
                known[name] = numbers
            elif known[name].astype("string").str.casefold().isin(["true", "false"]).all():
                known[name] = known[name].astype("string").str.casefold() == "true"
    try:
        holds = known.eval(where, engine="python")
        if not isinstance(holds, pd.Series) or not pd.api.types.is_bool_dtype(holds):
            raise ValueError("it is true or false of no row")
        index = frame.index[holds.fillna(False).to_numpy(dtype=bool)]
    except Exception as error:  # of a condition that pandas cannot read, errors of all kinds
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(
            f"`where` must be a condition on the columns ({listing(list(frame.columns), 12)}), "
            f'such as "season == 2019" or "`home team` != \'x\'", got {where!r}: {reason}'
        ) from None
    if not len(index):
        raise ValueError(f"`where` leaves no row: {where!r} holds for none of {len(frame):,}.")
    chosen = frame.loc[index].reset_index(drop=True)
    chosen.attrs = frame.attrs
    _log.info("where: %s of %s rows", f"{len(chosen):,}", f"{len(frame):,}")
    return chosen


def _read_beaten(frame, beaten, about, fold):
    winner, loser = (beaten[role] or _guess(frame, role) for role in ("winner", "loser"))
    _tell(beaten, winner=winner, loser=loser)
    for name in frame.columns:
        flags = frame[name].astype("string").str.strip().str.casefold()
        if _bare(str(name)) in TIED and (~flags.isin(MISSING | {"0", "false", "no", "n"})).any():
            raise ValueError(
                f"Column `{short(name)}` says that some of these were ties, which have no winner "
                f"and no loser: give {option('left', winner)}, {option('right', loser)} and a "
                "column with the outcome instead."
            )
    frame = _to_numbers(frame, [about["weight"]])
    return Comparisons.from_frame(frame, winner=winner, loser=loser, fold_names=fold, **about)


def _read_comparisons(frame, pairs, counts, about, fold):
    left, right = (pairs[side] or _guess(frame, side) for side in ("left", "right"))
    raw = pairs["outcome"] is not None or about["weight"] is not None
    raw |= pairs["tie_value"] is not None
    if given(counts) or (not raw and _has(frame, "wins", "losses")):
        wins, losses = (counts[role] or _guess(frame, role) for role in ("wins", "losses"))
        ties = counts["ties"] or (_guess(frame, "ties") if _has(frame, "ties") else None)
        _tell(pairs | counts, left=left, right=right, wins=wins, losses=losses, ties=ties)
        frame = _to_numbers(frame, [wins, losses, ties])
        return Comparisons.from_counts(
            frame, left, right, wins, losses, ties, agent=about["agent"],
            instance=about["instance"], fold_names=fold,
        )  # fmt: skip
    outcome = pairs["outcome"] or _guess(frame, "outcome")
    if pairs["outcome"] is None and not _has(frame, "outcome"):
        outcome = _score_columns(frame)
        if outcome is None:
            raise ValueError(
                f"The table has `{left}` and `{right}`, and no column of outcomes under a usual "
                f"name ({', '.join(GUESSES['outcome'])}): say {option('outcome', 'NAME')}, or "
                f"{option('wins', 'NAME')} and {option('losses', 'NAME')} if it holds counts."
            )
    _tell(pairs, left=left, right=right, outcome=outcome)
    scores = [] if isinstance(outcome, str) else outcome
    frame = _to_numbers(frame, [*scores, about["weight"]])
    return Comparisons.from_frame(
        frame, left, right, outcome, tie_value=pairs["tie_value"], fold_names=fold, **about
    )


def _read_rankings(frame, entries, about, fold):
    features = entries["features"]
    columns = [features] if isinstance(features, str) else list(features or ())
    item = entries["item"] or _guess(frame, "item")
    if entries["rating"] is not None:
        ranked = {name: entries[name] for name in ("group", "rank", "unranked", "close_gaps")}
        _exclude({"rating": entries["rating"]}, "ratings by agents", ranked, "rankings")
        # What separates the instances is not who rated.
        others = frame if about["instance"] is None else frame.drop(columns=about["instance"])
        agent = about["agent"] or _guess(others, "agent")
        _tell(entries | about, agent=agent, item=item, rating=entries["rating"])
        _log.info("ratings: the highest is the best")
        frame = _to_numbers(frame, [entries["rating"], about["weight"], *columns])
        return Rankings.from_ratings(
            frame, agent, item, entries["rating"], features=features, weight=about["weight"],
            instance=about["instance"], fold_names=fold,
        )  # fmt: skip
    group, rank = (entries[name] or _guess(frame, name) for name in ("group", "rank"))
    _tell(entries, group=group, item=item, rank=rank)
    frame = _to_numbers(_without_marks(frame, rank), [rank, about["weight"], *columns])
    frame = _plain_numbers(frame, group)
    return Rankings.from_frame(
        frame, group, item, rank, **about, features=features, unranked=entries["unranked"],
        fold_names=fold, close_gaps=bool(entries["close_gaps"]),
    )  # fmt: skip


def _without_marks(frame, rank):
    """Return the frame with missing ranks where marks stand for them, and say which."""
    import pandas as pd

    if rank not in frame or pd.api.types.is_numeric_dtype(frame[rank]):
        return frame
    texts = frame[rank].astype("string").str.strip()
    marks = texts.str.casefold().isin(MISSING | RETIRED).fillna(False)
    found = texts[marks].value_counts()
    places = texts.str.extract(TIED_PLACE)
    places = places[0].fillna(places[1])
    if places.notna().any():
        frame = frame.assign(**{rank: frame[rank].mask(places.notna().to_numpy(), places)})
    if not len(found):
        return frame
    shown = listing([f"{mark} ({count:,})" for mark, count in found.items()], 12)
    _log.info("missing: %s in column %s", shown, rank)
    return frame.assign(**{rank: frame[rank].mask(marks.to_numpy(dtype=bool))})


def _choice_columns(frame):
    """Return the columns of the first choice, the second, and so on, if there are any."""
    place = {}
    for name in frame.columns:
        match = CHOICE.search(str(name).strip().casefold())
        if match:
            word, number = match["word"], match["number"] or match["after"]
            place.setdefault(ORDINALS.index(word) + 1 if word else int(number), name)
    if len(place) < 2 or sorted(place) != list(range(1, len(place) + 1)):
        return None
    chosen = [place[k] for k in sorted(place)]
    _log.info("choices: %s", ", ".join(str(name) for name in chosen))
    return chosen


def _read_choices(frame, choices, entries, about, fold):
    """Return the rankings of a table with a column for each choice."""
    choices = list(choices)
    named = {"names": entries["group"], "weights": about["weight"], "agents": about["agent"]}
    named |= {"instances": about["instance"]}
    used = [column for column in named.values() if column is not None]
    require_columns(frame, {column: column for column in [*choices, *used]})
    frame = _to_numbers(frame, [about["weight"]])
    cells = frame[choices].astype("string").apply(lambda column: column.str.strip())
    cells = cells.apply(lambda column: column.mask(column.str.casefold().isin(MISSING)))
    values = cells.to_numpy(dtype=object, na_value=None)
    gaps = [k for k, row in enumerate(values) if None in row[: sum(x is not None for x in row)]]
    if gaps:
        raise ValueError(
            f"A choice must not be empty where a later one is not: row {listing(gaps)} (the first "
            "row is 0)."
        )
    if fold:
        flat = values.ravel()
        filled = np.array([label for label in flat if label is not None], dtype=object)
        flat[[label is not None for label in flat]] = folded(filled)[0]
        values = flat.reshape(values.shape)
    lists = [[label for label in row if label is not None] for row in values.tolist()]
    empty = [k for k, row in enumerate(lists) if not row]
    if empty:
        _log.info("left out: %d rows without a choice", len(empty))
        frame = frame.drop(index=empty)
        lists = [row for row in lists if row]
    about = {name: frame[column].tolist() for name, column in named.items() if column is not None}
    return Rankings.from_lists(lists, unranked=entries["unranked"], **about)


def _read_wide(frame, entries, about):
    """Return the rankings of a table with a column for each item."""
    named = {"names": entries["group"], "weights": about["weight"], "agents": about["agent"]}
    named |= {"instances": about["instance"]}
    used = [column for column in named.values() if column is not None]
    require_columns(frame, {column: column for column in used})
    items = [column for column in frame.columns if column not in used]
    items = [column for column in items if not _is_row_number(frame, column)]
    for name in items:
        if _bare(str(name)) in LABELS and entries["group"] is None:
            raise ValueError(
                f"Column `{short(name)}` of a wide table would be an item. If it names the "
                f"rankings, say {option('group', name)}."
            )
        frame = _without_marks(frame, name)
        if frame[name].isna().all():
            raise ValueError(
                f"Column `{short(name)}` of a wide table would be an item, and holds no rank: "
                "leave it out of the table, or name it as what it is."
            )
    frame = _to_numbers(frame, [*items, about["weight"]])
    lists = {name: frame[column].tolist() for name, column in named.items() if column is not None}
    return Rankings.from_matrix(frame[items], unranked=entries["unranked"], **lists)


def _is_row_number(frame, column):
    """Whether a column without a name only counts the rows, as some programs write it."""
    if not str(column).startswith("Unnamed: "):
        return False
    texts = frame[column].astype("string").tolist()
    return texts in ([str(k + first) for k in range(len(frame))] for first in (0, 1))


def _tell_of_counts(frame, about, named):
    """Warn of a column that seems to say how often each row counts, and is not used."""
    import pandas as pd

    used = list(about.values())
    for value in named.values():
        used += (
            [value] if isinstance(value, str) else list(value or ()) if value is not True else []
        )
    for name in frame.columns:
        if _bare(str(name)) not in COUNTS or name in used or about["weight"] is not None:
            continue
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.notna().all() and (numbers > 0).all() and numbers.nunique() > 1:
            warnings.warn(
                f"Every row counts once, although column `{short(name)}` may say how often: "
                f"{option('weight', name)} uses it.",
                stacklevel=4,
            )


def _score_columns(frame):
    """Return two columns with the scores of both sides, if there are any."""
    plain = {_bare(str(column)): column for column in frame.columns}
    for pair in SCORE_COLUMNS:
        if all(_bare(name) in plain for name in pair):
            return tuple(plain[_bare(name)] for name in pair)
    return None


def _exclude(some, kind, others, other_kind):
    """Refuse columns of two kinds of tables together."""
    some, others = given(some), given(others)
    if some and others:
        raise ValueError(
            f"`{some[0]}` belongs to a table of {kind} and `{others[0]}` to a table of "
            f"{other_kind}: give one or the other."
        )


def given(arguments):
    """Return the names of the arguments that somebody gave."""
    return [name for name, value in arguments.items() if value is not None]


def _usual(frame, role):
    """Return the columns with a usual name of a role, the most usual one first."""
    plain = {}
    for column in frame.columns:
        plain.setdefault(_bare(str(column)), column)
    return [plain[_bare(name)] for name in GUESSES[role] if _bare(name) in plain]


def _guess(frame, role):
    """Return the first column with a usual name, or else the most usual name."""
    found = _usual(frame, role)
    if role in ("rank", "rating"):
        for other in found[1:]:
            if _say_otherwise(frame[found[0]], frame[other]):
                raise ValueError(
                    f"Columns `{found[0]}` and `{other}` may both be the {role}, and differ: say "
                    f"which, {option(role, found[0])} or {option(role, other)}."
                )
    return found[0] if found else GUESSES[role][0]


def _say_otherwise(one, other):
    """Whether two columns have different numbers in some row."""
    import pandas as pd

    one, other = (pd.to_numeric(column, errors="coerce") for column in (one, other))
    return bool(((one != other) & one.notna() & other.notna()).any())


_MARKS = str.maketrans("", "", " \t._-")


def _bare(name):
    return name.translate(_MARKS).casefold()


def _tell(given, **chosen):
    """Say which columns were taken, if that was a guess: to the log, which the terminal shows."""
    chosen = {role: column for role, column in chosen.items() if column is not None}
    if any(given.get(role) is None for role in chosen):
        names = {r: n if isinstance(n, str) else " and ".join(n) for r, n in chosen.items()}
        _log.info("columns: %s", ", ".join(f"{role} = {name}" for role, name in names.items()))


def _has(frame, *roles):
    return all(_usual(frame, role) for role in roles)


def _to_numbers(frame, columns):
    """Return the frame with text columns turned into numbers, or name the rows that are none."""
    import pandas as pd

    for name in columns:
        if name in frame and not pd.api.types.is_numeric_dtype(frame[name]):
            texts = frame[name]
            if frame.attrs.get("decimal") == ",":
                texts = texts.str.replace(",", ".", regex=False)
            try:
                numbers = pd.to_numeric(texts, errors="coerce")
            except OverflowError:  # of whole numbers that JSON allows
                raise ValueError(
                    f"Column `{short(name)}` holds a number that is too large."
                ) from None
            bad = numbers.isna() & frame[name].notna()
            if bad.any():
                rows = [f"{frame[name][row]!r} in row {row}" for row in frame.index[bad]]
                raise ValueError(
                    f"Column `{short(name)}` must hold numbers: {listing(rows)} "
                    "(the first row is 0)."
                )
            frame = frame.assign(**{name: numbers})
    return frame


def _plain_numbers(frame, column):
    """Return the frame with numbers for texts that all are plain whole numbers: 10 after 9."""
    import pandas as pd

    if column in frame and pd.api.types.is_string_dtype(frame[column]):
        if frame[column].str.fullmatch("0|[1-9][0-9]{0,17}").eq(True).all():
            return frame.assign(**{column: frame[column].astype("int64")})
    return frame
