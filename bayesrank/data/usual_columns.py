"""Names of columns that need no explanation.

Comparisons: left and right, home and away, model_a and model_b; outcome, winner, result; or winner
and loser; or counts in wins, losses, ties, both_bad. Rankings: group, race, ranking, query, voter;
item, driver, name, candidate, film; rank, position, place. Ratings: agent, user, voter, query;
item; rating, stars, grade. `USUAL_NAMES` has them all.
"""

import logging
import re
import warnings

from bayesrank.text import option, short

__all__ = [
    "NAMES_OF_RANKINGS",
    "TIE_MARKS",
    "USUAL_NAMES",
    "bare_name",
    "choice_columns",
    "describe_usual_names",
    "guess_column",
    "has_columns",
    "log_columns",
    "score_columns",
    "warn_of_unused_counts",
]

# Column names in the order in which they are tried. Capitals, spaces, dots and underscores make no
# difference.
USUAL_NAMES = {
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
    "both_bad": ("both_bad", "both are bad", "ties both bad", "tie (bothbad)", "ties (bothbad)"),
}  # fmt: skip
# Scores of both sides, where no column has the outcome.
SCORE_COLUMNS = (
    ("home score", "away score"), ("home goals", "away goals"), ("fthg", "ftag"),
    ("left score", "right score"), ("score 1", "score 2"), ("home points", "away points"),
)  # fmt: skip
# Bare names of columns that say how often a row counts, that name rankings rather than items, and
# that mark ties.
COUNTS = {"count", "counts", "weight", "weights", "frequency", "freq", "times"}
NAMES_OF_RANKINGS = {
    "id", "index", "voter", "voterid", "ballot", "ballotid", "timestamp", "respondent",
}  # fmt: skip
TIE_MARKS = {"draw", "draws", "tie", "tied", "isdraw", "istie", "isdrawn", "istied", "drawn"}

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_KIND = r"(?:choice|preference|pick|place|vote)"
CHOICE = re.compile(
    rf"^(?:your |my )?(?:(?P<word>{'|'.join(ORDINALS)})|(?P<number>[0-9]+)(?:st|nd|rd|th))"
    rf"[\s_-]*{_KIND}\b|^{_KIND}[\s_-]*(?P<after>[0-9]+)$"
)

_MARKS = str.maketrans("", "", " \t._-")

_log = logging.getLogger("bayesrank.read")


def bare_name(name):
    """Return a name without capitals, spaces, dots, dashes and underscores."""
    return name.translate(_MARKS).casefold()


def _find(frame, role):
    """Return the columns with a usual name of a role, the most usual one first."""
    plain = {}
    for column in frame.columns:
        plain.setdefault(bare_name(str(column)), column)
    return [plain[bare_name(name)] for name in USUAL_NAMES[role] if bare_name(name) in plain]


def has_columns(frame, *roles):
    """Return whether each of the roles has a column with a usual name."""
    return all(_find(frame, role) for role in roles)


def guess_column(frame, role):
    """Return the first column with a usual name, or else the most usual name."""
    found = _find(frame, role)
    if role in ("rank", "rating"):
        for other in found[1:]:
            if _differ(frame[found[0]], frame[other]):
                raise ValueError(
                    f"Columns `{found[0]}` and `{other}` may both be the {role}, and differ: say "
                    f"which, {option(role, found[0])} or {option(role, other)}."
                )
    return found[0] if found else USUAL_NAMES[role][0]


def _differ(one, other):
    """Return whether two columns have different numbers in some row."""
    import pandas as pd

    one, other = (pd.to_numeric(column, errors="coerce") for column in (one, other))
    return bool(((one != other) & one.notna() & other.notna()).any())


def score_columns(frame):
    """Return two columns with the scores of both sides, or None if there are none."""
    plain = {bare_name(str(column)): column for column in frame.columns}
    for pair in SCORE_COLUMNS:
        if all(bare_name(name) in plain for name in pair):
            return tuple(plain[bare_name(name)] for name in pair)
    return None


def choice_columns(frame):
    """Return the columns of the first choice, the second, and so on, or None if there are none."""
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


def describe_usual_names():
    """Return which columns a table may have, with their usual names, as a text."""
    roles = (
        ("comparisons", ("left", "right", "outcome")),
        ("comparisons without sides", ("winner", "loser")),
        ("rankings", ("group", "item", "rank")),
        ("ratings", ("agent", "item", "rating")),
    )
    said = []
    for kind, names in roles:
        words = [f"{option(name, 'NAME')} ({', '.join(USUAL_NAMES[name][:4])})" for name in names]
        said.append(f"{', '.join(words)} of {kind}")
    return "; ".join(said)


def log_columns(given, **chosen):
    """Log which columns were taken, if some were guessed; the terminal shows the log.

    Parameters
    ----------
    given : dict
        The columns that the user named, by role; None where nothing was said.
    **chosen : str or sequence of str
        The columns that are used, by role.
    """
    chosen = {role: column for role, column in chosen.items() if column is not None}
    if any(given.get(role) is None for role in chosen):
        names = {r: n if isinstance(n, str) else " and ".join(n) for r, n in chosen.items()}
        _log.info("columns: %s", ", ".join(f"{role} = {name}" for role, name in names.items()))


def warn_of_unused_counts(frame, weight, used):
    """Warn of a column that seems to say how often each row counts, and is not used.

    Parameters
    ----------
    frame : pandas.DataFrame
    weight : str or None
        The column that does say it.
    used : list of str
        All columns that the user named.
    """
    import pandas as pd

    for name in frame.columns:
        if bare_name(str(name)) not in COUNTS or name in used or weight is not None:
            continue
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.notna().all() and (numbers > 0).all() and numbers.nunique() > 1:
            warnings.warn(
                f"Every row counts once, although column `{short(name)}` may say how often: "
                f"{option('weight', name)} uses it.",
                stacklevel=5,
            )
