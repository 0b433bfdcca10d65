"""The notebooks: they run, and what is kept in them is what a reader should see."""

import nbformat
import pytest

from notebooks.execution import answer_cells, complaints, execute, paths

PATHS = paths()
NAMES = [path.stem for path in PATHS]


@pytest.fixture(params=PATHS, ids=NAMES)
def path(request):
    return request.param


def test_there_are_notebooks_without_gaps():
    assert [name[:2] for name in NAMES] == [f"{k:02d}" for k in range(1, len(NAMES) + 1)]
    assert len(NAMES) >= 12


def test_a_notebook_runs():
    """The first one; `python3 -m notebooks --check` runs them all."""
    before = PATHS[0].read_bytes()
    executed = execute(PATHS[0], keep=False)
    assert complaints(executed) == []
    assert PATHS[0].read_bytes() == before
    kept = nbformat.read(PATHS[0], as_version=4)
    answers = len(executed.cells) - len(kept.cells)
    assert answers == len(answer_cells(kept)) > 0
    assert all(cell.execution_count for cell in executed.cells[-answers:])


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


@pytest.mark.parametrize(
    ("output", "about"),
    [
        ({"output_type": "stream", "name": "stderr", "text": "Careful!"}, "warning: Careful!"),
        ({"output_type": "error", "ename": "E", "evalue": "no", "traceback": []}, "failed: no"),
        ({"output_type": "stream", "name": "stdout", "text": "in /home/me/x.py"}, "shows a path"),
        ({"output_type": "stream", "name": "stdout", "text": "2 and/or 3 at 1/2"}, None),
    ],
)
def test_complaints(output, about):
    cell = nbformat.v4.new_code_cell("1", outputs=[nbformat.from_dict(output)])
    found = complaints(nbformat.v4.new_notebook(cells=[cell]))
    if about is None:
        assert found == []
    else:
        assert len(found) == 1
        assert about in found[0]


def test_answers_are_run():
    text = "<details>\n<summary>Answer</summary>\n\n```python\n1 / 0\n```\n\n</details>"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    assert [cell.source for cell in answer_cells(notebook)] == ["1 / 0\n"]
