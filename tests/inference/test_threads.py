"""Settings of the process: as they were, however the threads that change them overlap."""

import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from threadpoolctl import ThreadpoolController

import bayesrank as br
from bayesrank.inference.threads import no_user_warnings, one_blas_thread


@pytest.fixture(scope="module")
def libraries():
    """The BLAS libraries, in two threads each wherever the tests run."""
    controller = ThreadpoolController().select(user_api="blas")
    with controller.limit(limits=2):
        yield controller


def threads(libraries):
    return {library["num_threads"] for library in libraries.info()}


def test_contexts_inside_each_other(libraries):
    with one_blas_thread():
        with one_blas_thread():
            assert threads(libraries) == {1}
        assert threads(libraries) == {1}
    assert threads(libraries) == {2}


def test_the_last_of_overlapping_threads_restores(libraries):
    """The second enters while the first is inside, and leaves after it."""
    entered, left = threading.Event(), threading.Event()

    def second():
        with one_blas_thread():
            entered.set()
            assert left.wait(10)
            return threads(libraries)

    with ThreadPoolExecutor(1) as pool:
        with one_blas_thread():
            running = pool.submit(second)
            assert entered.wait(10)
        left.set()
        assert running.result() == {1}
    assert threads(libraries) == {2}


def test_an_error_inside_restores(libraries):
    with pytest.raises(KeyError), one_blas_thread():
        raise KeyError
    assert threads(libraries) == {2}


def test_simultaneous_fits_leave_blas_as_it_was(libraries):
    games = br.load_dataset("baseball")

    def fit(seed):
        return br.fit(games, method="laplace", draws=100, chains=1, seed=seed, progress=False)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fit, range(8)))
    assert threads(libraries) == {2}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # that it has threads
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # by JAX, which the child leaves alone
@pytest.mark.parametrize("inside", [False, True])
def test_a_forked_process_forgets_the_threads_it_does_not_have(libraries, inside):
    """Another thread is inside; the one that forks is outside, or inside as well."""
    entered, done = threading.Event(), threading.Event()

    def other():
        with one_blas_thread():
            entered.set()
            assert done.wait(30)

    def seen_by_child():
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        try:
            before = threads(libraries)
            with one_blas_thread():
                within = threads(libraries)
            os._exit(0 if (before, within, threads(libraries)) == expected else 1)
        finally:
            os._exit(2)

    expected = ({1}, {1}, {1}) if inside else ({2}, {1}, {2})
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(other)
        assert entered.wait(10)
        if inside:
            with one_blas_thread():
                code = seen_by_child()
        else:
            code = seen_by_child()
        assert threads(libraries) == {1}
        done.set()
        running.result()
    assert code == 0
    assert threads(libraries) == {2}


def test_warnings_are_heard_again():
    """The second thread enters while the first is inside, and leaves after it."""
    before, entered, left = list(warnings.filters), threading.Event(), threading.Event()

    def second():
        with no_user_warnings():
            entered.set()
            assert left.wait(10)

    with ThreadPoolExecutor(1) as pool:
        with no_user_warnings():
            running = pool.submit(second)
            assert entered.wait(10)
            warnings.warn("not heard", stacklevel=1)
        left.set()
        running.result()
    assert warnings.filters == before
    with pytest.warns(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
