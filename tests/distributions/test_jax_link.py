"""JAX stays away until somebody asks for it."""

import subprocess
import sys

CODE = """
import sys
import pymc as pm
import bayesrank as br
pm.logp(br.BradleyTerry.dist(0.0, 0.0), [1, 0, 0]).eval(mode="FAST_COMPILE")
assert "bayesrank.distributions.jax_link" in sys.modules
print("jax" in sys.modules or "bayesrank.distributions.jax_ops" in sys.modules)
"""


def test_nothing_imports_jax_that_was_not_asked_to():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "False"
