"""Everything public says which types it takes and returns, and says that it does."""

import inspect
import tomllib

import pytest

from tests.whole.sources import ROOT
from tests.whole.test_docstrings import PUBLIC

CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
MAKERS = ("__init__", "__new__")


def functions_of(value):
    """Return the function behind a public name; of a class, what makes an object of ours."""
    value = getattr(value, "py_func", value)  # of a compiled function
    if not inspect.isclass(value):
        return [value]
    made = [inspect.getattr_static(value, name) for name in MAKERS]
    return [
        function
        for function in made
        if inspect.isfunction(function) and function.__module__.startswith("bayesrank")
    ]


def not_annotated(function):
    """Return the arguments without a type, and "return" where the result has none."""
    signature = inspect.signature(function)
    missing = [
        name
        for k, (name, argument) in enumerate(signature.parameters.items())
        if argument.annotation is argument.empty and not (k == 0 and name in ("self", "cls"))
    ]
    # What `dataclass` writes itself returns None and does not say so.
    written = not hasattr(function, "__code__") or function.__code__.co_filename != "<string>"
    returns = signature.return_annotation is not signature.empty
    return missing + ([] if returns or not written else ["return"])


def lenient_modules():
    (override,) = [one for one in CONFIGURATION["overrides"] if one.get("ignore_errors")]
    return override["module"]


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_is_annotated(name):
    for function in functions_of(PUBLIC[name]):
        missing = not_annotated(function)
        assert not missing, f"{name} has no types for {', '.join(missing)}"


def test_what_is_not_annotated_is_found():
    def bare(data, prob: float = 0.95, **options): ...

    assert not_annotated(bare) == ["data", "options", "return"]


def test_the_package_says_that_it_has_types():
    assert (ROOT / "bayesrank" / "py.typed").is_file()


def test_types_are_checked_strictly():
    assert CONFIGURATION["strict"]
    assert CONFIGURATION["files"] == ["bayesrank"]


def test_lenient_files_are_there():
    for module in lenient_modules():
        place = ROOT.joinpath(*module.removesuffix(".*").split("."))
        package = (place / "__init__.py").is_file()
        assert package or (place.with_suffix(".py").is_file() and not module.endswith(".*"))


def test_lenient_files_are_sorted_and_named_once():
    assert lenient_modules() == sorted(set(lenient_modules()))
