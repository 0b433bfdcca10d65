"""The benchmark of preferences runs."""

import gzip
import runpy

import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.mark.usefixtures("beside_each_other")
@pytest.mark.parametrize("part", ["a", "c", "d"])
def test_the_preference_benchmark_runs(part, capsys, tmp_path):
    # Two queries as LETOR writes them, with lists by three engines.
    lines = [
        "2 qid:1 1:1 2:30 3:2 #docid = a inc = 1",
        "0 qid:1 1:2 2:4 3:NULL #docid = b inc = 1",
        "0 qid:1 1:7 2:NULL 3:9 #docid = c inc = 1",
        "1 qid:2 1:3 2:2 3:1 #docid = a inc = 1",
        "0 qid:2 1:1 2:5 3:4 #docid = d inc = 1",
    ]
    with gzip.open(tmp_path / "S1.txt.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")
    arguments = ["--quick", "--only", part, "--letor", str(tmp_path)]
    runpy.run_path(str(FOLDER / "preferences.py"))["main"](arguments)
    assert f"({part})" in capsys.readouterr().out
