"""Notebooks are run with their answers, and complaints are found."""

import nbformat
import pytest

from notebooks.execution import answer_cells, complaints, execute, paths

PATHS = paths()


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
