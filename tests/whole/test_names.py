"""What a likelihood, a method or a data set can do is asked; its name is compared nowhere."""

import ast
from pathlib import Path

import pytest

import bayesrank
from bayesrank.model.likelihoods import LIKELIHOODS
from bayesrank.results.methods import METHODS

PACKAGE = Path(bayesrank.__file__).parent
NAMES = {*LIKELIHOODS, *METHODS}
FAMILIES = {"PAIR_LIKELIHOODS", "RANKING_LIKELIHOODS", "PREFERENCE_LIKELIHOODS"}
CONTAINERS = {"Comparisons", "Rankings"}
# A distribution has names of its own for its potentials.
NOT_HERE = {"distributions"}
# What a user gave is looked at where it comes in.
DOORS = {"inference/fitting.py::_checked", "inference/many_fits.py::_checked_groups"}


def texts(node):
    """Return the texts in an expression."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return {part.value for part in parts if isinstance(part.value, str)}


def variables(node):
    """Return the names of variables in an expression."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def compared_names(tree):
    """Yield the line of each comparison with the name of a likelihood or a method."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and (NAMES & texts(node) or FAMILIES & variables(node)):
            yield node.lineno


def asked_classes(tree):
    """Yield each function that asks for the class of data, with the line."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "isinstance" and CONTAINERS & variables(node.args[1]):
                    yield function.name, node.lineno


def sources(without=NOT_HERE):
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.split("/")[0] not in without:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_no_name_of_a_likelihood_or_method_is_compared():
    found = [f"{name}:{line}" for name, tree in sources() for line in compared_names(tree)]
    assert not found, "Ask the row of the likelihood or method what it can do."


def test_the_class_of_data_is_asked_at_the_doors_only():
    found = {
        f"{name}::{function}"
        for name, tree in sources(NOT_HERE | {"data"})
        for function, _ in asked_classes(tree)
    }
    assert found <= DOORS, "Ask the data, such as data.row."


@pytest.mark.parametrize(
    "code",
    ['fit.method == "map"', 'name in ("advi", "laplace")', "name in PREFERENCE_LIKELIHOODS"],
)
def test_comparisons_are_found(code):
    assert list(compared_names(ast.parse(code))) == [1]
