"""Methods of fitting are rows of a table; whoever differs by method asks the row."""

import inspect

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference.options import Options
from bayesrank.results.methods import METHODS, Method, method_of, method_with, names_with_draws


def fit_middle(specification, options):
    """A method of a user: all scores are zero."""
    return br.Fit.from_points(specification, "middle", np.zeros((1, 1, specification.size)))


@pytest.mark.parametrize("name", METHODS)
def test_all_methods_are_called_alike(name):
    parameters = list(inspect.signature(METHODS[name].load()).parameters)
    assert parameters[:2] == ["specification", "options"]
    assert METHODS[name].name == name


def test_options_are_arguments_of_fit():
    arguments = set(inspect.signature(br.fit).parameters)
    for method in METHODS.values():
        assert set(method.options) <= arguments
    owned = [option for method in METHODS.values() for option in method.options]
    assert len(owned) == len(set(owned))
    assert method_with("steps") is METHODS["advi"] and method_with("draws") is None


def test_options_have_the_defaults_of_fit():
    defaults = {name: p.default for name, p in inspect.signature(br.fit).parameters.items()}
    defaults["progress"] = False  # which only a user wants to see
    defaults["start"] = None  # which `Fit.update` gives
    assert vars(Options()) == {name: defaults[name] for name in vars(Options())}


def test_a_method_without_a_row_has_draws_and_nothing_more(pudding):
    model = br.Specification(pudding, "davidson", scale=1.0)
    points = np.random.default_rng(1).normal(size=(2, 50, model.size))
    fit = br.Fit.from_points(model, "my own", points)
    assert fit.kind == method_of("my own") == Method("my own")
    assert not (fit.kind.is_point or fit.kind.has_chains or fit.kind.is_approximate)
    assert fit.ranking()["low"].notna().all()


def test_a_new_method_takes_one_row(pudding, monkeypatch):
    row = Method("middle", "tests.results.test_methods:fit_middle", is_point=True)
    monkeypatch.setitem(METHODS, "middle", row)
    fit = br.fit(pudding, method="middle")
    assert fit.kind is row and "middle" not in names_with_draws()
    assert fit.ranking()["low"].isna().all()
    with pytest.raises(ValueError, match="needs posterior draws"):
        fit.top(1)
    with pytest.raises(ValueError, match='`tune` is for method="nuts", not for "middle"'):
        br.fit(pudding, method="middle", tune=3)


def test_draws_from_elsewhere_are_not_called_checked(pudding):
    model = br.Specification(pudding, "davidson", scale=1.0)
    fit = br.Fit.from_points(model, "my own", np.zeros((1, 10, model.size)))
    assert "10 draws, made elsewhere and not checked" in str(fit.diagnostics())
    assert "my own" in repr(fit)
