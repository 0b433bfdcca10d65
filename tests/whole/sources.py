"""The sources as files and as modules: where they are, and what they import."""

import ast
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Import(NamedTuple):
    """A module, what it imports, and whether it does so inside a function."""

    source: str
    target: str
    late: bool


def files_in(*folders):
    """Return the Python files in some folders, by their paths from the root."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path for path in sorted(found)}


@lru_cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@lru_cache
def modules():
    """Return the files of the package by the names of their modules."""
    found = {}
    for name, path in files_in("bayesrank").items():
        found[name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = path
    return found


def imported(tree, known=()):
    """Yield what some code imports from the package, and whether it does so in a function.

    A name that is a module of its own, one of those that are ``known``, stands for itself, any
    other for the module that it is taken from.
    """
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, functions)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = [name if name in known else node.module for name in whole]
        else:
            continue
        for target in targets:
            if target.partition(".")[0] == "bayesrank":
                yield target, id(node) in inside


@lru_cache
def all_imports():
    """Return who imports what in the package, late imports too."""
    known = modules()
    found = {
        Import(name, target, late)
        for name, path in known.items()
        for target, late in imported(parsed(path), known)
        if target != name
    }
    return sorted(found)
