"""The suite of speed, in small: its table, what it keeps, and that its own parts run."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as suite
from benchmarks import growth, memory, query_modes, raw_rows, start, table
from benchmarks.lines import Line, compare, limit, take_turns

README = f"# Title\n\nabove\n\n{table.START}\nformer\n{table.END}\n\nbelow\n"


@pytest.fixture
def lines():
    """A peer that is slower by less than asked, one that nothing is asked of, and a limit."""
    return [
        compare("raw_rows", "rows", "evalica 1", [1.0, 1.0, 2.0], [2.0, 3.0, 4.0], asked=3.0),
        compare("raw_rows", "rows | text", "choix 2", [2e-6], [1e-3], note="half of the rows"),
        limit("start", "import", [0.1, 0.2, 0.1], 0.3, note="a whole process"),
    ]


def test_lines_are_ratios_of_medians(lines):
    short, one_round, within = lines
    assert short.ratio == 3.0 and (short.ours, short.theirs) == (1.0, 3.0)
    # The rounds' own ratios are 2, 3 and 2.
    assert (short.low, short.high) == pytest.approx((2.0, 2.8))
    assert one_round.ratio == pytest.approx(500.0) and math.isnan(one_round.low)
    assert within.asked == 1.0 and within.ratio == pytest.approx(3.0)
    rate = compare("sampling", "draws", "peer", [600.0], [200.0], unit="1/s")
    assert rate.ratio == pytest.approx(3.0)


def test_tasks_take_turns():
    order = []
    times = take_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert order == ["a", "b"] * 3
    assert {name: len(values) for name, values in times.items()} == {"a": 2, "b": 2}


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
    again = [replace(lines[2], what="import, again", ratio=7.0), _line("gradients", 0.5, asked=2.0)]
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


def test_a_part_that_fails_does_not_stop_the_others(monkeypatch, tmp_path, capsys):
    def fails(quick):
        raise RuntimeError("no compiler")

    monkeypatch.setattr(growth, "run", fails)
    monkeypatch.setattr(memory, "run", lambda quick: [_line("memory", 2.0 + quick)])
    monkeypatch.setattr(suite, "versions", lambda package: f"{package} (not installed)")
    (tmp_path / "README.md").write_text(README)
    words = ["--quick", "--only", "memory", "growth", "--save", str(tmp_path)]
    assert suite.main(words) == 1
    printed = capsys.readouterr()
    assert "growth: failed (RuntimeError: no compiler)" in printed.err
    assert "polars is not installed" in printed.out
    assert table.read(tmp_path / "speed.csv")["ratio"].tolist() == [3.0]


def test_quick_figures_are_not_kept(capsys):
    with pytest.raises(SystemExit):
        suite.main(["--quick", "--save"])
    assert "--save keeps full runs" in capsys.readouterr().err


def _line(part, ratio, asked=None):
    return Line(part, "what", "peer", 1.0, ratio, "s", ratio, math.nan, math.nan, asked, "")


# The parts ---------------------------------------------------------------------------------------


def test_the_exponent_of_a_known_function():
    sizes = growth.sizes_of(1000)
    assert sizes[[0, 3, 6]].tolist() == [1000, 10_000, 100_000] and len(sizes) == 7
    rounds = np.array([[2.0], [3.0], [5.0]]) * sizes**1.3
    assert growth.exponent(sizes, rounds) == pytest.approx([1.3] * 3)
    assert growth.resampled(sizes, rounds) == pytest.approx(np.full(200, 1.3))
    assert growth.resampled(sizes, 1.0 / rounds).max() == 0.01


def test_growth_runs(monkeypatch):
    monkeypatch.setattr(growth, "CASES", [growth.CASES[0], growth.CASES[5]])
    found = growth.run(quick=True)
    assert len(found) == 2 and all(line.theirs == 1.1 for line in found)
    assert all(line.ratio == pytest.approx(1.1 / line.ours) for line in found)


def test_raw_rows_are_drawn_from_the_model():
    """Ties over the geometric mean of wins are the tie parameter, within four standard errors."""
    frame = raw_rows.raw_frame(20_000, items=2)
    for left in ("model-000", "model-001"):
        counts = frame.loc[frame["left"] == left, "outcome"].value_counts()
        found = np.log(counts["tie"]) - np.log(counts[["left", "right"]]).mean()
        error = np.sqrt(1 / counts["tie"] + (1 / counts[["left", "right"]]).sum() / 4)
        assert abs(found - np.log(0.7)) < 4 * error


def test_raw_rows_run(monkeypatch):
    """All that is installed is compared; estimates that differ would raise."""
    monkeypatch.setattr(raw_rows, "ROWS", {True: 4000})
    found = raw_rows.run(quick=True)
    peers = ["evalica", "choix", "arena-rank"]
    expected = [name for name in peers if raw_rows.installed(name)]
    assert list(dict.fromkeys(line.peer.split()[0] for line in found)) == expected


def test_estimates_that_differ_are_refused():
    fit = raw_rows.our_mode(raw_rows.raw_frame(500, items=4))
    score = fit.scores()[0]
    raw_rows.require_same_scores("peer", fit, score + 7.0)
    with pytest.raises(AssertionError, match=r"peer: scores differ by up to 0\.0[67]"):
        raw_rows.require_same_scores("peer", fit, score + 0.1 * np.eye(4)[0])


def test_query_modes_run():
    found = query_modes.run(quick=True)
    assert len(found) == 2 * len(query_modes.CHOICES)
    assert all(line.theirs == 5e-3 and 0.0 < line.ours < 5.0 for line in found)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux's own account")
def test_memory_is_measured_beside_the_frame(monkeypatch):
    """What a fit takes for a while and gives back is seen: here 80 MB, give or take a tenth."""
    monkeypatch.setattr(memory, "our_mode", lambda frame: np.ones(10_000_000).sum())
    found = memory.measure("pandas, str", 20_000)
    assert found["frame"] == raw_rows.raw_frame(20_000).memory_usage(deep=True).sum()
    assert found["rise"] == pytest.approx(80e6, rel=0.1)


def test_an_interpreter_is_run(tmp_path):
    caches = start.empty_caches(tmp_path)
    check = "import os; assert os.environ['NUMBA_CACHE_DIR'].endswith('kernels')"
    start.python("-c", check, **caches)
    assert f"base_compiledir={tmp_path}/graphs" in caches["PYTENSOR_FLAGS"]
    with pytest.raises(start.subprocess.CalledProcessError):
        start.python("-c", "raise SystemExit(1)")
