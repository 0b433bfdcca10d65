"""Scripts that find each other, and lines of a table of speed."""

import pytest

from benchmarks.lines import compare, limit
from tests.benchmarks.scripts import FOLDER


@pytest.fixture
def beside_each_other(monkeypatch):
    """A script finds its neighbours, as it does when it is run as a command."""
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def lines():
    """A peer that is slower by less than asked, one that nothing is asked of, and a limit."""
    return [
        compare("raw_rows", "rows", "evalica 1", [1.0, 1.0, 2.0], [2.0, 3.0, 4.0], asked=3.0),
        compare("raw_rows", "rows | text", "choix 2", [2e-6], [1e-3], note="half of the rows"),
        limit("start", "import", [0.1, 0.2, 0.1], 0.3, note="a whole process"),
    ]
