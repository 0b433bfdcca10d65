"""Interpreters of their own, with empty caches."""

import pytest

from benchmarks import start


def test_an_interpreter_is_run(tmp_path):
    caches = start.empty_caches(tmp_path)
    check = "import os; assert os.environ['NUMBA_CACHE_DIR'].endswith('kernels')"
    start.python("-c", check, **caches)
    assert f"base_compiledir={tmp_path}/graphs" in caches["PYTENSOR_FLAGS"]
    with pytest.raises(start.subprocess.CalledProcessError):
        start.python("-c", "raise SystemExit(1)")
