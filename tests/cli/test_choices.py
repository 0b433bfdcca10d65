"""Flags whose values are words, or columns."""

import argparse

import pytest

from bayesrank.cli.arguments import build_parser
from bayesrank.cli.choices import words_with_commas


def parsed(*arguments):
    return build_parser().parse_args(["rank", "games.csv", *arguments])


def test_one_word_or_several():
    read = words_with_commas("by-agent", "by-item")
    assert read("by-item") == "by-item" and read("by-item, by-agent") == ("by-item", "by-agent")


@pytest.mark.parametrize("text", ["games.csv", "", "by-agent,by-agent", "by-agent,"])
def test_other_values_are_refused_with_advice(text):
    read = words_with_commas("by-agent", "by-item", more="the file comes first")
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        read(text)
    assert str(caught.value) == (
        f"must be by-agent or by-item, or several with commas, got {text!r}; the file comes first"
    )


def test_an_order_effect_alone_or_of_whom():
    assert parsed().order_effect is False
    assert parsed("--order-effect").order_effect is True
    assert parsed("--order-effect", "--quiet").order_effect is True
    assert parsed("--order-effect", "by-item").order_effect == "by-item"
    assert parsed("--order-effect", "by-agent,by-item").order_effect == ("by-agent", "by-item")


def test_an_order_effect_does_not_swallow_the_file(capsys):
    with pytest.raises(SystemExit) as end:
        build_parser().parse_args(["rank", "--order-effect", "games.csv"])
    assert end.value.code == 2
    assert "got 'games.csv'; the file comes before this flag" in capsys.readouterr().err


def test_ties_are_a_column_or_what_they_differ_between():
    plain = parsed()
    assert plain.ties is None and plain.tie_rates is None
    column = parsed("--ties", "draws")
    assert column.ties == "draws" and column.tie_rates is None
    for text, value in (("by-agent", "by-agent"), ("by-agent,by-item", ("by-agent", "by-item"))):
        words = parsed("--ties", text)
        assert words.ties is None and words.tie_rates == value
    both = parsed("--ties", "draws", "--ties", "by-item")
    assert both.ties == "draws" and both.tie_rates == "by-item"


def test_scores_may_move_and_differ():
    assert parsed("--scores", "walk,by-category").scores == ("walk", "by-category")
