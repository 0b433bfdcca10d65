"""How the tests share a machine, and what many of them need: fits made once, and files."""

import os
import signal

# Before NumPy is imported: the matrices are small, and on cores that are busy with other tests
# the threads of BLAS wait for each other longer than one alone would work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib
import pytest
from hypothesis import HealthCheck, settings

import bayesrank as br

matplotlib.use("agg")

# A shell that runs the tests in the background lets them, and all that they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more about what else the machine does than about the test.
timeless = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# Each run of the tests tries the same few examples; `--hypothesis-profile=full` looks for new ones.
settings.register_profile("few", derandomize=True, database=None, max_examples=40, **timeless)
settings.register_profile("full", max_examples=500, **timeless)
settings.load_profile("few")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Run a single file in this process, where it starts at once and can be debugged."""
    files = {argument.split("::")[0] for argument in config.args}
    return 0 if len(files) == 1 and files.pop().endswith(".py") else None


@pytest.fixture(scope="session")
def pudding():
    return br.load_dataset("pudding")


@pytest.fixture(scope="session")
def nuts_fit(pudding):
    """A real posterior of the Davidson model with all groups."""
    groups = ("log_likelihood", "posterior_predictive")
    return br.fit(pudding, "davidson", seed=3, progress=False, groups=groups)


@pytest.fixture(scope="session")
def davidson_luce():
    """A real posterior with ties, and everything that can be stored with it."""
    # Not at the top: most tests can do without, and start sooner.
    from tests.model.ranked_lists import rankings_for

    groups = ("log_likelihood", "posterior_predictive")
    data = rankings_for("davidson-luce")
    return br.fit(data, "davidson-luce", scale=1.0, seed=3, progress=False, groups=groups)


@pytest.fixture(scope="session")
def advi():
    """An approximation of the multinomial preference model."""
    from tests.model.preference_data import simulated

    return br.fit(simulated(2)[0], "mpm", method="advi", scale=1.0, seed=1, progress=False)


@pytest.fixture
def write(tmp_path):
    def write(name, text, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write
