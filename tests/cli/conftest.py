"""A fit that the command line saved, made once."""

import pytest

from bayesrank.cli.commands import main


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A fit that was saved by the command line."""
    path = tmp_path_factory.mktemp("saved") / "baseball.nc"
    options = ["--method", "laplace", "--seed", "1", "--quiet", "--save", str(path)]
    assert main(["rank", "baseball", *options]) == 0
    return path
