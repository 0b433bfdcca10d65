"""Words that several faces share."""

import pytest

from bayesrank.text import (
    argument,
    at_the_terminal,
    decimals,
    in_terminal,
    level,
    listing,
    models,
    name,
    option,
    plain,
    spreadsheet_text,
)


@pytest.mark.parametrize(
    ("prob", "text"), [(0.95, "95%"), (0.9, "90%"), (0.975, "97.5%"), (0.999, "99.9%")]
)
def test_levels_keep_their_digits(prob, text):
    assert level(prob) == text


def test_a_name_with_a_comma_is_one_name():
    assert listing(["Smith, J.", "Jones"]) == '"Smith, J.", Jones'
    assert listing(list("abcdefg")) == "a, b, c, d, e and 2 more"


def test_names_are_texts():
    assert [name(label) for label in (3, "é", ("a", 1))] == ["3", "é", "a / 1"]


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.6815, "0.682"), (0.6814, "0.681"), (0.5, "0.500"), (0.0, "0.000"), (1.0, "1.000")],
)
def test_probabilities_are_rounded_half_up(p, text):
    """The same on the page, where they are kept to five digits."""
    assert decimals(p) == text
    packed = round(p * 65535) / 65535
    assert decimals(packed) == text


def test_advice_is_in_the_words_of_whoever_reads():
    assert option("unranked", "rows below") == 'unranked="rows below"'
    assert option("draws", 10) == "draws=10" and option("fold_names", True) == "fold_names=True"
    assert models("davidson", "mpm") == '"davidson" or "mpm"'
    assert argument("order_effect") == "`order_effect`"
    with at_the_terminal():
        assert option("unranked", "rows below") == "--unranked rows-below"
        assert option("target_accept", 0.99) == "--target-accept 0.99"
        assert option("fold_names", True) == "--fold-names"
        assert argument("order_effect") == "--order-effect"
        assert models("davidson", "rao-kupper", "mpm") == "--model davidson, rao-kupper or mpm"
    assert not in_terminal()


def test_nothing_moves_the_cursor():
    assert plain("a\x1b[2J\nb\x7f\x85é") == "a?[2J?b??é"
    assert plain(("a\t", 1)) == "a? / 1"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "-",
        "@x",
        "\tx",
        "\rx",
        "  =1",
        "\n=1",
        "\u00a0=1",
        "\ufeff=1",
        "\uff1d1",
        " \tx",
    ],
)
def test_formulas_are_texts(text):
    assert spreadsheet_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=1", "1-1", "'=1", "#1 seed", " x", "é", "\u2212", "(=1)"])
def test_other_texts_stay_as_they_are(text):
    assert spreadsheet_text(text) == text
