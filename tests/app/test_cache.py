"""Results kept within a number of bytes."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from mecuco_app.work.cache import LEAST, Cache, n_bytes


@dataclass(frozen=True)
class Pair:
    first: np.ndarray
    second: tuple


def test_what_was_put_in_comes_out_itself():
    cache, value = Cache(1000), np.zeros(3)
    assert cache.get("a") is None
    cache.put("a", value)
    assert cache.get("a") is value


def test_those_not_used_for_longest_give_way():
    cache = Cache(800 * (LEAST + 2))
    for i in range(LEAST + 2):
        cache.put(i, np.zeros(100))
    cache.get(0)
    cache.put("new", np.zeros(100))
    assert cache.get(1) is None
    assert cache.get(0) is not None
    assert cache.n_bytes <= cache.most_bytes


def test_the_last_few_stay_whatever_their_size():
    cache = Cache(10)
    for i in range(LEAST + 3):
        cache.put(i, np.zeros(100))
    assert [cache.get(i) is None for i in range(LEAST + 3)] == [True] * 3 + [False] * LEAST


def test_putting_again_counts_once():
    cache = Cache(10_000)
    for _ in range(5):
        cache.put("a", np.zeros(100))
    assert (len(cache), cache.n_bytes) == (1, 800)
    cache.clear()
    assert (len(cache), cache.n_bytes) == (0, 0)


@pytest.mark.parametrize(
    ("value", "least"),
    [
        (np.zeros((10, 10)), 800),
        (Pair(np.zeros(10), (np.zeros(5), [np.zeros(5)])), 160),
        ({"a": np.zeros(10)}, 80),
        (pd.DataFrame({"a": np.zeros(100)}), 800),
        (pd.Series(["a" * 50] * 100, dtype=object), 5000),
        (b"x" * 1000, 1000),
    ],
)
def test_sizes_count_what_is_inside(value, least):
    assert least <= n_bytes(value) <= 2 * least + 1000
