"""What is printed: names as they are, numbers whole, no empty tables."""

import pandas as pd
import pytest

from bayesrank.cli.commands import main


def test_names_with_brackets_are_printed_as_they_are(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("left,right,outcome\n[red]a,[/b],left\n[/b],[red]a,left\n[/b],\x1b[2J,left\n")
    assert main(["rank", str(path), "--method", "map"]) == 0
    out = capsys.readouterr().out
    assert "[red]a" in out and "[/b]" in out
    assert "?[2J" in out and "\x1b" not in out  # which would clear the screen


def test_levels_are_written_with_all_their_digits(saved, capsys):
    capsys.readouterr()
    assert main(["rank", str(saved), "--quiet", "--prob", "0.999", "--top-k", "1", "--worths"]) == 0
    out = capsys.readouterr().out
    assert "99.9% interval" in out and "with 99.9% probability" in out and "100%" not in out


@pytest.mark.parametrize("width", [80, 200])
def test_numbers_are_never_cut(width, monkeypatch, capsys):
    """Names give way in a terminal, and in a file nothing does."""
    import rich.console

    from bayesrank.cli import terminal

    names = ["model-06-instruct-large-and-some-more", "b"]
    row = {"rank": 19, "score": -0.312, "low": -0.586, "high": -0.021, "rank_low": 13,
           "rank_high": 1000, "p_best": 0.0, "p_top3": 0.0, "tier": 10}  # fmt: skip
    table = pd.DataFrame([row, row], index=names)
    real = rich.console.Console
    terminals = {"force_terminal": True, "width": width, "color_system": None}
    monkeypatch.setattr(rich.console, "Console", lambda **options: real(**(terminals | options)))
    terminal.print_ranking(table, 30, "nuts")
    shown = capsys.readouterr().out
    assert shown.count("-0.586 to -0.021") == shown.count("13-1000") == 2
    assert ("…" in shown) == (width == 80)
    monkeypatch.setattr(rich.console, "Console", lambda **options: real(**options))
    terminal.print_ranking(table, 30, "nuts")
    assert names[0] in capsys.readouterr().out


QUICK = ["--method", "laplace", "--draws", "200", "--seed", "1"]


def test_an_item_that_is_told_apart_from_all_has_no_empty_table(capsys):
    assert main(["rank", "citations", *QUICK, "--versus", "Comm Statist"]) == 0
    out = capsys.readouterr().out
    assert "Comm Statist: surely above 0, surely below 3, told apart from all others at 95%" in out
    assert "P(truly below)" not in out
