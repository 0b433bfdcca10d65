"""Every test is where its module says, and no file or function is too long to read."""

import ast
from pathlib import Path

from tests.whole.sources import ROOT, files_in, parsed

TESTS = ROOT / "tests"
# Folders of tests for what is outside the package; all others are rooms of the package.
OUTSIDE = ("benchmarks", "docs", "models", "notebooks")
# What these test are pages and notebooks, which are no modules.
NO_MODULE = {"docs/test_site.py", "notebooks/test_notebooks.py"}

LINES, FUNCTION_LINES = 400, 80
CODE = ("bayesrank", "models", "benchmarks", "tests", "notebooks")


def says_something(path):
    """Whether a package has functions or classes of its own, beside those it passes on."""
    return path.exists() and any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) for node in parsed(path).body
    )


def mirrors(name):
    """Whether a module, or a package that says something itself, has the place of a test."""
    path = Path(name)
    folder, module = path.parent, path.stem.removeprefix("test_")
    outside = folder.parts and folder.parts[0] in OUTSIDE
    home = (ROOT if outside else ROOT / "bayesrank") / folder
    # `test_compat.py` is of `_compat.py`, and `test_main.py` of `__main__.py`.
    stems = [module, f"_{module}", *(["__main__"] if module == "main" else [])]
    if any((home / f"{stem}.py").exists() for stem in stems):
        return True
    # The rooms have folders of tests; what a room itself says is said of the whole.
    return bool(folder.parts) and says_something(home / module / "__init__.py")


def all_tests():
    return [path.relative_to(TESTS).as_posix() for path in sorted(TESTS.rglob("test_*.py"))]


def test_every_test_has_the_place_of_a_module_or_is_of_the_whole():
    astray = [
        name
        for name in all_tests()
        if not name.startswith("whole/") and name not in NO_MODULE and not mirrors(name)
    ]
    assert not astray, "Move these to the places of their modules, or to tests/whole/."


def test_what_is_said_to_have_no_module_is_there_and_has_none():
    assert set(all_tests()) >= NO_MODULE
    assert not [name for name in NO_MODULE if mirrors(name)]


def test_only_tests_of_root_modules_are_outside_all_folders():
    root = {path.stem.strip("_") for path in (ROOT / "bayesrank").glob("*.py")}
    here = {path.stem.removeprefix("test_") for path in TESTS.glob("test_*.py")}
    assert here <= root


def test_every_folder_of_tests_is_a_package():
    """So that tests of the same name in two folders are two modules."""
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert not [folder for folder in folders if not (folder / "__init__.py").exists()]


def too_long():
    """Return the length of each file and function that is longer than it should be."""
    found = {}
    for name, path in files_in(*CODE).items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LINES:
            found[name] = lines
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > FUNCTION_LINES:
                    found[f"{name}::{node.name}"] = lines
    return found


def test_no_file_and_no_function_is_too_long():
    assert not too_long(), f"Files may have {LINES} lines and functions {FUNCTION_LINES}."
