"""The help: its names are those of the package, and it loads nothing heavy."""

import subprocess
import sys

from bayesrank import Fit, consensus


def test_the_names_in_the_help_are_those_of_the_package():
    from bayesrank.cli import arguments
    from bayesrank.data import DATASETS
    from bayesrank.model.likelihoods import LIKELIHOODS

    assert set(arguments.MODELS) == set(LIKELIHOODS)
    assert all(name in arguments.EXAMPLES for name in DATASETS)
    assert arguments.LOSSES == consensus.LOSSES
    assert all(callable(getattr(Fit, f"plot_{p.partition('-')[0]}")) for p in arguments.PICTURES)


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom bayesrank.cli.commands import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "assert not {'numpy', 'pandas', 'scipy', 'numba', 'rich', 'pymc'} & set(sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "examples:" in result.stdout and "rank pudding" in result.stdout
