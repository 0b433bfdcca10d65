"""Words that several faces share."""

import pytest

from bayesrank.wording import level, listing, name


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
