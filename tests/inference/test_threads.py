"""Settings of the process: as they were, however the threads that change them overlap."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from threadpoolctl import threadpool_info

from bayesrank.inference.threads import no_user_warnings, one_blas_thread


def overlapping(context):
    """Be in a context in two threads, of which the first to come in is the first to go."""
    steps = Barrier(2, timeout=20)

    def first():
        with context():
            steps.wait()
            steps.wait()
        steps.wait()

    def second():
        steps.wait()
        with context():
            steps.wait()
            steps.wait()

    with ThreadPoolExecutor(2) as threads:
        for running in [threads.submit(first), threads.submit(second)]:
            running.result()


def test_warnings_are_heard_again():
    before = list(warnings.filters)
    overlapping(no_user_warnings)
    assert warnings.filters == before
    with no_user_warnings(), no_user_warnings():
        warnings.warn("not heard", stacklevel=1)
    with pytest.warns(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)


def blas():
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]


def test_linear_algebra_has_its_threads_again():
    before = blas()
    with one_blas_thread():
        assert set(blas()) <= {1}
    overlapping(one_blas_thread)
    assert blas() == before
