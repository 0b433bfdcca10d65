"""Under `python -OO`, which removes docstrings and assertions, everything works as it does."""

import ast
import subprocess
import sys

from tests.whole.sources import modules, parsed

CODE = """
import sys
from pathlib import Path
import bayesrank as br
from bayesrank.cli.commands import main

assert False, "which -OO removes"
folder, data = Path(sys.argv[1]), br.load_dataset("pudding")
for method in ("map", "laplace", "advi", "nuts"):
    options = {} if method == "map" else {"draws": 200, "chains": 2}
    fit = br.fit(data, method=method, seed=1, progress=False, **options)
    fit.report(folder / f"{method}.html")
    fit.save(folder / f"{method}.nc")
    again = br.Fit.load(folder / f"{method}.nc")
    print(method, again.ranking().equals(fit.ranking()), again.diagnostics().divergences)
print(len(br.fit(br.load_dataset("fruits"), method="laplace", seed=1).influence()))
print(main(["rank", "baseball", "--method", "laplace", "--out", str(folder / "table.csv")]))
"""


def test_all_methods_files_and_the_command_line(tmp_path):
    command = [sys.executable, "-OO", "-c", CODE, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    *lines, status = result.stdout.splitlines()
    assert lines[:5] == ["map True None", "laplace True None", "advi True None", "nuts True 0", "6"]
    assert "Milwaukee" in lines[6] and status == "0"
    assert (tmp_path / "table.csv").exists()


def test_the_package_relies_on_neither_docstrings_nor_assertions():
    found = [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Assert)
        or (isinstance(node, ast.Attribute) and node.attr == "__doc__")
        or (isinstance(node, ast.Name) and node.id == "__doc__")
    ]
    assert not found, "Raise an error instead, or say the words elsewhere."
