"""Every public name has an example, and the examples say what really comes out."""

import doctest
import inspect

import matplotlib
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank import _compat, baselines, metrics

PYMC = ("rv_op", "rv_type")  # how PyMC makes a variable
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def _own(value):
    """Return the function behind a member of a class, if it is one of ours."""
    value = getattr(value, "__func__", value)  # of a class method
    value = getattr(value, "fget", value)  # of a property
    value = getattr(value, "func", value)  # of a cached property
    ours = str(getattr(value, "__module__", "")).startswith("bayesrank")
    return value if ours and inspect.isfunction(value) else None


def _public():
    """Return every public name with its object: functions, classes, their methods."""
    found = {f"br.{name}": getattr(br, name) for name in br.__all__}
    for name, value in list(found.items()):
        if inspect.isclass(value):
            members = {key: _own(inspect.getattr_static(value, key)) for key in dir(value)}
            found |= {
                f"{name}.{key}": member
                for key, member in members.items()
                if member is not None and not key.startswith("_") and key not in PYMC
            }
    for module in (baselines, metrics):
        values = {name: getattr(module, name) for name in module.__all__}
        found |= {
            f"{module.__name__.split('.')[1]}.{name}": value
            for name, value in values.items()
            if callable(value)
        }
    return found


PUBLIC = _public()


@pytest.fixture(autouse=True)
def no_windows():
    import matplotlib.pyplot as plt

    matplotlib.use("agg")
    with pd.option_context("display.width", 80):
        yield
    plt.close("all")


@pytest.mark.parametrize("name", PUBLIC)
def test_example(name):
    value = PUBLIC[name]
    text = inspect.getdoc(getattr(value, "py_func", value)) or ""
    assert ">>> " in text, f"{name} has no example"
    names = {"br": br, "np": np, "pd": pd, "pm": _compat.pymc()}
    for module in (baselines, metrics):
        names |= {key: getattr(module, key) for key in module.__all__}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=said.append)
    assert not said, "".join(said)
