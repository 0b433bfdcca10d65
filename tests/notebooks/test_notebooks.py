"""The notebooks: they run, and what is kept in them is what a reader should see."""

import nbformat
import pytest

from notebooks.execution import answer_cells, complaints, paths

PATHS = paths()
NAMES = [path.stem for path in PATHS]


@pytest.fixture(params=PATHS, ids=NAMES)
def path(request):
    return request.param


def test_there_are_notebooks_without_gaps():
    assert [name[:2] for name in NAMES] == [f"{k:02d}" for k in range(1, len(NAMES) + 1)]
    assert len(NAMES) >= 13


def test_what_is_kept(path):
    notebook = nbformat.read(path, as_version=4)
    assert complaints(notebook) == []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    pictures = [
        output for cell in code for output in cell.outputs if "image/png" in output.get("data", {})
    ]
    assert len(pictures) >= 3


def test_its_parts(path):
    notebook = nbformat.read(path, as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert text.startswith("# ")
    assert "\n## Exercise\n" in text
    assert "\n## What to take away\n" in text
    assert answer_cells(notebook)
    assert all(
        len(line) <= 100
        for cell in notebook.cells
        if cell.cell_type == "code"
        for line in cell.source.splitlines()
    )
