"""Blocks on threads: BLAS is put back, errors arrive, several callers do not disturb each other."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info

import mecuco as mc
from mecuco_core.runtime import threads
from mecuco_core.runtime.threads import run_blocks, single_threaded_blas
from tests.core import samples


def blas_threads():
    return {
        info["filepath"]: info["num_threads"]
        for info in threadpool_info()
        if info["user_api"] == "blas"
    }


def test_blas_threads_are_put_back_by_the_last_to_leave():
    before = blas_threads()
    first, second = single_threaded_blas(), single_threaded_blas()
    first.__enter__()
    second.__enter__()
    assert set(blas_threads().values()) == {1}
    first.__exit__(None, None, None)
    assert set(blas_threads().values()) == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == before


def on_a_thread(function):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


def inside():
    with single_threaded_blas():
        return set(blas_threads().values())


needs_two = pytest.mark.skipif(
    max(blas_threads().values(), default=1) < 2, reason="BLAS has one thread here anyway"
)


@needs_two
def test_blas_is_held_by_any_thread_though_another_held_it_before():
    before = blas_threads()
    assert inside() == {1}
    assert on_a_thread(inside) == {1}
    assert blas_threads() == before


@needs_two
def test_blas_is_held_while_another_thread_has_set_a_limit_of_its_own():
    own = ThreadpoolController().limit(limits=2, user_api="blas")  # this thread is in control
    try:
        assert on_a_thread(inside) == {1}
        assert set(blas_threads().values()) == {2}
    finally:
        own.restore_original_limits()


@needs_two
def test_blas_is_put_back_by_the_last_to_leave_on_whatever_thread():
    before, mine = blas_threads(), single_threaded_blas()
    mine.__enter__()
    others = single_threaded_blas()
    on_a_thread(others.__enter__)
    mine.__exit__(None, None, None)
    assert set(blas_threads().values()) == {1}
    on_a_thread(lambda: others.__exit__(None, None, None))
    assert blas_threads() == before


def test_blas_libraries_are_looked_for_once(monkeypatch):
    with single_threaded_blas():
        pass

    def looked_again():
        raise AssertionError("the libraries of the process were searched again")

    monkeypatch.setattr(threads, "ThreadpoolController", looked_again)
    with single_threaded_blas():
        assert set(blas_threads().values()) == {1}


def test_the_first_look_finds_every_blas_library_a_score_calls():
    code = (
        "from mecuco_core.runtime import threads; found = threads._blas().info()\n"
        "import numpy as np, mecuco as mc; from threadpoolctl import threadpool_info\n"
        "mc.curvature(np.random.default_rng(0).standard_normal((60, 80)), mode='exact')\n"
        "blas = {i['filepath'] for i in threadpool_info() if i['user_api'] == 'blas'}\n"
        "assert blas and blas == {i['filepath'] for i in found}, (blas, found)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_point_is_computed_once():
    seen = np.zeros(1003, dtype=int)

    def compute(start, stop):
        seen[start:stop] += 1

    run_blocks(compute, len(seen), 10, 3)
    assert (seen == 1).all()


def test_the_error_of_a_block_reaches_the_caller_and_stops_the_rest():
    started = []

    def compute(start, stop):
        started.append(start)
        raise RuntimeError("block failed")

    before = blas_threads()
    with pytest.raises(RuntimeError, match="block failed"):
        run_blocks(compute, 10_000, 1, 2)
    assert len(started) < 10
    assert blas_threads() == before
    assert not [t for t in threading.enumerate() if t.name.startswith("mecuco")]


def test_callers_side_by_side_get_their_own_results():
    sets = [samples.gaussian(seed, 300, 40) for seed in range(6)]
    alone = [mc.curvature(points, 9, mode="haar").values for points in sets]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda points: mc.curvature(points, 9, mode="haar").values, sets))
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, b)
