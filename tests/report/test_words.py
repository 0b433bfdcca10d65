"""Names and probabilities in sentences."""

import pytest

from bayesrank.report.page import gather
from bayesrank.report.words import about_time, label, percent, quoted
from tests.report.fits import HOSTILE, made_fit, moving_fit


def test_names_are_texts_and_never_empty():
    assert label(" ") == "(no name)"
    assert label(3) == "3"
    assert quoted("x" * 100) == f"“{'x' * 59}…”"
    # A name that is written from right to left does not turn round its sentence.
    assert quoted("\u05d0\u05d1") == "“\u2068\u05d0\u05d1\u2069”"
    gathered = gather(made_fit(HOSTILE))
    assert gathered["items"] == [name.strip() for name in HOSTILE]


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "less than 0.1%"), (0.0234, "2.3%"), (0.5, "50%"), (0.97, "97.0%"),
     (1.0, "more than 99.9%")],
)  # fmt: skip
def test_percent(p, said):
    assert percent(p) == said


def test_the_sentence_about_a_time_marks_names_off_and_shortens_them():
    fit = moving_fit(["a", "b", "c", "d", "\u05d0\u05d1"], method="map")
    said = about_time(fit, fit._moment)
    assert said == (
        "At 2005-01-01, 4 items are ranked. Left out, not seen in the year up to 2005-01-01: "
        "“\u2068\u05d0\u05d1\u2069”."
    )
