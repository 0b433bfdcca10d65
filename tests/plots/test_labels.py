"""Names are drawn literally, whatever they hold."""

import matplotlib.pyplot as plt
import pytest
from hypothesis import given
from matplotlib.text import Text

from bayesrank.plots.labels import places_of, shown
from tests.odd_names import names
from tests.plots.readable import ODD_NAMES


@pytest.mark.parametrize("name", [*ODD_NAMES, "$", "$$", r"\$", r"\$\$", "$x^2$", r"$\frac{1}{2}$"])
def test_names_are_drawn_letter_by_letter(name):
    text = plt.figure().text(0.5, 0.5, shown(name, 200))
    written, is_formula = text._preprocess_math(text.get_text())
    assert not is_formula
    assert written == " ".join(name.split())
    text.figure.canvas.draw()


@given(names())
def test_any_name_is_drawn_on_one_line_and_as_no_formula(name):
    text = Text(text=shown(name, 200))
    written, is_formula = text._preprocess_math(text.get_text())
    assert not is_formula
    assert written.isprintable()
    # Nothing is lost but what cannot be seen.
    assert "".join(written.split()) == "".join(c for c in name if c.isprintable() and c != " ")


def test_the_escape_is_needed():
    """Unescaped, matplotlib would take this name for a formula."""
    text = plt.figure().text(0.5, 0.5, ODD_NAMES[0])
    assert text._preprocess_math(text.get_text())[1]


def test_long_names_keep_both_ends():
    one, other = (shown(f"Department of Long Names and Titles, Section {k}") for k in "AB")
    assert one != other
    assert len(one) <= 32 and one.startswith("Department") and one.endswith("tion A")
    assert shown("x" * 32) == "x" * 32
    # Escapes come last: neither are they cut off nor do they count.
    assert shown("$" * 40).replace(r"\$", "$") == "$" * 21 + "…" + "$" * 10


def test_short_names_of_other_kinds_stay():
    assert [shown(label) for label in (3, 2.5, ("a", 1), "é")] == ["3", "2.5", "a / 1", "é"]


def test_places_of_labels_that_are_tuples():
    assert places_of([("b", 1), "x"], ["x", ("a", 1), ("b", 1)]).tolist() == [2, 0]
