"""What an outcome says: which of the two won, in any of the usual spellings."""

import re
import warnings

import narwhals as nw
import numpy as np

from bayesrank.data.columns import is_category, name_rows, text_of
from bayesrank.text import in_terminal, listing, option

__all__ = ["decode", "equal_labels", "items_of"]

# Spellings of an outcome, besides the winner's own name: 0 left won, 1 right won, 2 tie. Words such
# as model_a are those of public collections of votes between language models.
WORDS = {
    "left": 0, "right": 1, "tie": 2, "draw": 2, "-": 2, "=": 2, "home": 0, "away": 1,
    "model_a": 0, "model_b": 1,
    "1": 0, "+1": 0, "-1": 1, "0": 2, "1.0": 0, "-1.0": 1, "0.0": 2, "true": 0, "false": 1,
}  # fmt: skip
# Letters of football results. They may also be names: A without H might be the first of A and B.
LETTERS = {"h": 0, "a": 1, "d": 2}
# Letters of comparisons of A, on the left, with B. The rest are ties.
SIDES = {"a": 0, "b": 1, "tie": 2, "draw": 2, "-": 2, "=": 2, "same": 2, "equal": 2}
# Two scores in one cell, such as 2-1, 3:0 or 1/2-1/2.
_SCORE = r"([0-9]+(?:\.[0-9]+)?|½|1/2)"
SCORES = re.compile(rf"{_SCORE}\s*[-\u2013\u2014:]\s*{_SCORE}")
HALVES = {"½", "1/2", "0.5", "0,5"}
# Votes that both sides were bad, which is not the same as equally good: 3.
BOTH_BAD = {"tie (bothbad)", "bothbad", "both bad", "both_bad", "both are bad"}


def decode(table, labels, frame, columns, values, tie_value=None):
    """Return 0 (left won), 1 (right won), 2 (tie) or 3 (both were bad) for each group."""
    side = _sides(table, labels, frame, columns, values, tie_value)
    _tell_of_both_bad(table, values, side == 3, columns["outcome"])
    return side


def _sides(table, labels, frame, columns, values, tie_value):
    """Return what `decode` does."""
    name = columns["outcome"]
    if table["outcome"].dtype == nw.Boolean:
        if tie_value is not None:
            raise ValueError(f"`tie_value` is given, but `{name}` holds True and False only.")
        return np.where(values.astype(bool), 0, 1)
    spelled = {value: str(value).strip().lower() for value in set(values.tolist())}
    tie_text = None if tie_value is None else str(tie_value).strip().lower()
    if tie_text and tie_text not in spelled.values():
        raise ValueError(f"`tie_value` is {tie_value!r}, but `{name}` never holds it.")
    known = _outcome_words(set(spelled.values()), labels, tie_text)
    words = {value: known.get(text, -1) for value, text in spelled.items()}
    word = np.array([words[value] for value in values.tolist()])
    if "a" in columns:
        return word
    # Among winners' names the only words can be those for a tie and for two that were bad, unless
    # an item has that name.
    won, lost = equal_labels(values, labels["left"]), equal_labels(values, labels["right"])
    items = {str(label) for label in items_of(labels)}
    neither = {v: word for v, word in words.items() if word >= 2 and str(v) not in items}
    neither = np.array([neither.get(value, -1) for value in values.tolist()])
    side = np.where(won, 0, np.where(lost, 1, neither))
    if np.all(word >= 0) and np.all(side >= 0) and np.any(word != side):
        raise ValueError(
            f"`{name}` can be read as the winner's name and as left/right/tie or +1/0/-1; rename "
            "the items or the outcomes."
        )
    if np.all(word >= 0):
        ones_and_zeros = {str(value) for value, word in words.items() if word != 3} in (
            {"0", "1"}, {"0.0", "1.0"},
        )  # fmt: skip
        if ones_and_zeros and tie_value is None:
            warnings.warn(
                f"`{name}` holds 1 and 0 but never -1: 1 is read as a win of the left item and 0 "
                f"as a tie. If 0 means a loss, say {option('tie_value', '')}: then only an empty "
                "outcome is a tie.",
                stacklevel=5,
            )
        return word
    if np.any(side < 0):
        # A side among winners' names is out of place, but a value that means nothing comes first.
        senseless = (side < 0) & (word < 0)
        unknown = values[senseless if senseless.any() else side < 0].tolist()
        condition = text_of(frame, "outcome").is_in(list(dict.fromkeys(unknown)))
        schema = frame.collect_schema()
        for role in ("left", "right"):
            if schema[role] == schema["outcome"] or is_category(schema[role]):
                condition = condition & (text_of(frame, role) != text_of(frame, "outcome"))
        alike = {_bare(value) for value in unknown} & {_bare(item) for item in items_of(labels)}
        hint = f" {option('fold_names', True)} makes one of names that differ so." if alike else ""
        raise ValueError(
            f"Unknown outcome in `{name}`: {listing(sorted({str(value) for value in unknown}))}, "
            f"{name_rows(frame, condition)}.{hint} Expected the name of one of the two items, "
            "left/right/tie, H/A/D, A/B, +1/0/-1, 1/0.5/0, or scores such as 2-1; a value of "
            f"yours that means a tie can be given as {option('tie_value', '...')}."
        )
    return side


def _bare(label):
    return str(label).strip().casefold()


def _tell_of_both_bad(table, values, bad, name):
    """Say that votes against both sides are kept apart, or refuse them where there are no others.

    Parameters
    ----------
    table : narwhals DataFrame
        With ``total``, how often each row counts.
    values : ndarray
        The outcome of each row.
    bad : ndarray of bool
        Whether it says that both were bad.
    name : str
        The column of outcomes.
    """
    if not bad.any():
        return
    number = table["total"].to_numpy()[bad].sum()
    words = sorted({str(value) for value in values[bad].tolist()})
    if bad.all():
        raise ValueError(
            f"`{name}` says of every row that both were bad ({listing(words)}): that is no result, "
            "so there is nothing to rank by."
        )
    whom = "them" if len(words) == 1 else "those of one word"
    tie = f"--tie-value '{words[0]}'" if in_terminal() else f"tie_value={words[0]!r}"
    where = "" if in_terminal() else ", in `both_bad`"
    warnings.warn(
        f"Votes that both were bad ({listing(words)}), {number:,.10g} of them, are kept apart"
        f"{where}. No ranking uses them: a tie would say that both are equally good. To count "
        f"{whom} as ties all the same, say {tie}.",
        stacklevel=5,
    )


def _outcome_words(found, labels, tie=None):
    """Return the meaning of each word for an outcome; letters only where they cannot be names.

    ``tie`` is a word for ties that the user gave.
    """
    known = _usual_words(found - {tie}, labels, tie is not None)
    return known if tie is None else known | {tie: 2}


def _usual_words(found, labels, other_tie):
    items = {str(label).strip().lower() for label in items_of(labels)}
    bad = dict.fromkeys(BOTH_BAD, 3)
    found = found - (BOTH_BAD - items)
    letters = found <= LETTERS.keys() and ("a" not in found or "h" in found)
    if letters and not items & LETTERS.keys():
        return LETTERS | bad
    sides = found <= SIDES.keys() and {"a", "b"} <= found
    if sides and not items & {"a", "b"}:
        return SIDES | bad
    known = WORDS | bad
    zeros = {"0", "0.0"}
    ties = {text for text in found - zeros - items if known.get(text) == 2} | (found & HALVES)
    if (ties or other_tie) and not found & {"-1", "-1.0"}:
        # As in chess, 1, a half or 0: where something else is a tie, 0 is a loss.
        known |= dict.fromkeys(zeros, 1) | dict.fromkeys(HALVES, 2)
    for text in found - items:
        if match := SCORES.fullmatch(text):
            left, right = (0.5 if part in HALVES else float(part) for part in match.groups())
            known[text] = 0 if left > right else 1 if left < right else 2
            known.pop("-", None)  # among scores, a game that was not played yet
    return known


def items_of(labels):
    """Return the distinct items of both sides."""
    return set(labels["left"].tolist()) | set(labels["right"].tolist())


def equal_labels(values, labels):
    """Return which values equal the labels beside them; a number equals a text that spells it."""
    if np.issubdtype(values.dtype, np.number) == np.issubdtype(labels.dtype, np.number):
        return np.asarray(values == labels)
    pairs = zip(values.tolist(), labels.tolist(), strict=True)
    return np.array([str(value) == str(label) for value, label in pairs])
