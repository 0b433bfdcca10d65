"""The table of speed: what is printed, kept and drawn."""

from dataclasses import replace

import pytest

from benchmarks import __main__ as suite
from benchmarks import table
from tests.benchmarks.speed_lines import README, made_line


@pytest.mark.parametrize(
    "value, unit, shown",
    [
        (1.234, "s", "1.23 s"), (0.2, "s", "200 ms"), (6.7e-5, "s", "67.0 us"),
        (2e-9, "s", "2.00 ns"), (1234.5, "1/s", "1,234 /s"), (0.95, "x", "0.950"),
        (0.0, "x", "0.00"),
    ],
)  # fmt: skip
def test_quantities(value, unit, shown):
    assert table.quantity(value, unit) == shown


def test_what_is_printed(lines, capsys):
    table.print_lines("Title", [*lines, replace(lines[0], asked=3.1)])
    out = capsys.readouterr().out.splitlines()
    rows = [line for line in out if line.startswith(("rows", "import"))]
    assert [line.rstrip().rpartition("  ")[2].strip() for line in rows] == [
        "holds", "500", "holds", "does not hold",
    ]  # fmt: skip
    assert "3.00 (2.00 to 2.80)" in rows[0] and "evalica 1" in rows[0]
    assert "choix 2: half of the rows" in "\n".join(out)


def test_a_narrow_terminal_has_two_rows_a_line(lines, capsys, monkeypatch):
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    table.print_lines("Title", lines)
    out = capsys.readouterr().out.splitlines()
    at = out.index("rows, vs evalica 1")
    assert out[at + 1 : at + 6] == [
        "    ours 1.00 s, theirs 3.00 s, ratio 3.00 (2.00 to 2.80), asked 3: holds",
        "rows | text, vs choix 2",
        "    ours 2.00 us, theirs 1.00 ms, ratio 500",
        "import",
        "    ours 100 ms, limit 300 ms, ratio 3.00 (1.80 to 3.00), asked 1: holds",
    ]
    assert max(map(len, out)) <= 80


def test_only_what_ran_is_replaced(lines, tmp_path):
    (tmp_path / "README.md").write_text(README)
    paths = table.save(tmp_path, lines, suite.PARTS)
    assert all(path.exists() for path in paths)
    again = [
        replace(lines[2], what="import, again", ratio=7.0),
        made_line("gradients", 0.5, asked=2.0),
    ]
    table.save(tmp_path, again, suite.PARTS)
    kept = table.read(tmp_path / "speed.csv")
    assert list(kept.columns) == table.COLUMNS
    assert list(kept["part"]) == ["gradients", "raw_rows", "raw_rows", "start"]
    assert list(kept["what"]) == ["what", "rows", "rows | text", "import, again"]
    assert kept["peer"].tolist() == ["peer", "evalica 1", "choix 2", ""]
    assert kept["asked"].isna().tolist() == [False, False, True, False]
    text = (tmp_path / "README.md").read_text()
    assert text.startswith("# Title\n\nabove\n\n") and text.endswith("\n\nbelow\n")
    assert "former" not in text and "import, again" in text
    rows = [line.replace("\\|", "") for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {8}
    assert [row.split("|")[-2].strip() for row in rows if "peer" in row] == ["**does not hold**"]
    picture = (tmp_path / "speed.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000


def test_a_readme_without_markers_is_left_alone(lines, tmp_path):
    (tmp_path / "README.md").write_text("# Title\n")
    with pytest.raises(ValueError, match="The README must hold"):
        table.save(tmp_path, lines, suite.PARTS)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_the_own_readme_has_markers():
    text = (suite.FOLDER / "README.md").read_text(encoding="utf-8")
    assert table.replace_section(text, "new").count("\nnew\n") == 1


def test_all_ratios_are_in_the_picture(lines):
    kept = table.kept_with(table.read(suite.FOLDER / "none.csv"), lines, suite.PARTS)
    (axes,) = table.draw(kept, suite.PARTS).axes
    low, high = axes.get_xlim()
    assert low < 1.0 and high > 500.0
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[0] == suite.PARTS["raw_rows"] and labels[3] == suite.PARTS["start"]
    assert len(labels) == 5
