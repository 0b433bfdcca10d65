"""The table of extremes."""

from benchmarks import extremes


def test_the_table_names_methods_where_they_differ(tmp_path, capsys):
    table = tmp_path / "extremes.csv"
    arguments = ["--only", "davidson", "--methods", "map", "laplace", "--save", str(table)]
    for _ in range(2):
        assert extremes.main([*arguments, "--situations", "all ties", "one result"]) == 0
    assert len(table.read_text().splitlines()) == 1 + 4
    printed = capsys.readouterr().out
    assert "| one result | ok |" in printed
    assert "| all ties | refused: Every comparison is a tie |" in printed
