"""Running a notebook, its exercise's answer included, and what there may be to complain about."""

import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

__all__ = ["complaints", "execute", "paths"]

FOLDER = Path(__file__).parent
_ANSWER = re.compile(r"<details>.*?</details>", re.DOTALL)
_CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
# A path of somebody's machine, in an output.
_MACHINE = re.compile(r"(?<![\w.:/<])/(?:home|root|tmp|usr|var|opt|work|Users)/|\b[A-Z]:\\\\")


def paths(only=None):
    """Return the notebooks, or those whose names start with one of the given numbers."""
    found = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
    if only is None:
        return found
    unknown = [number for number in only if not any(p.name.startswith(number) for p in found)]
    if unknown:
        raise SystemExit(f"There is no notebook {', '.join(unknown)}.")
    return [path for path in found if path.name.startswith(tuple(only))]


def answer_cells(notebook):
    """Return the code of the folded answers as cells, so that it is run as well."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    answers = [code for fold in _ANSWER.findall(text) for code in _CODE.findall(fold)]
    return [nbformat.v4.new_code_cell(code) for code in answers]


def execute(path, *, keep):
    """Run a notebook in a kernel of its own and return it with its outputs.

    Parameters
    ----------
    path : Path
    keep : bool
        Whether to write the outputs into the file. Those of answers are not kept.
    """
    notebook = nbformat.read(path, as_version=4)
    answers = answer_cells(notebook)
    notebook.cells += answers
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": FOLDER}},
        # It talks over loopback, and would warn of who might listen.
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute()
    if keep:
        kept = nbformat.from_dict(notebook | {"cells": notebook.cells[: -len(answers) or None]})
        for cell in kept.cells:
            cell.metadata.pop("execution", None)  # when it ran
        kept.metadata["language_info"] = {"name": "python"}
        nbformat.write(kept, path)
    return notebook


def complaints(notebook):
    """Return what is wrong with the outputs: warnings, failures, paths of a machine."""
    found = []
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            text = _text(output)
            if output.output_type == "error":
                found.append(f"cell {number} failed: {text}")
            elif output.get("name") == "stderr":
                found.append(f"cell {number} wrote a warning: {text}")
            elif _MACHINE.search(text):
                found.append(f"cell {number} shows a path: {text}")
    return found


def _text(output):
    """Return what an output says, pictures aside."""
    data = output.get("data", {})
    parts = [output.get("text", ""), output.get("evalue", "")]
    parts += [value for kind, value in data.items() if kind.startswith("text/")]
    return " ".join("".join(part) for part in parts).strip()
