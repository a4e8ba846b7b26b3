"""What is cached is the same object for every visitor: no page may change it."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np
import pandas as pd
import pytest

from mecuco_app.work import tasks
from mecuco_app.work.cache import Cache

PAGES = (
    "app.py", "pages/1_Explore.py", "pages/2_Agreement.py", "pages/3_Boundary_points.py",
    "pages/4_Method.py", "pages/7_Score_X-ray.py", "pages/9_Gauge.py",
)  # fmt: skip


def digest(value):
    """Return a digest of all arrays and tables in a value."""
    found = hashlib.sha256()

    def look(part):
        if isinstance(part, np.ndarray):
            found.update(np.ascontiguousarray(part).tobytes() if part.dtype != object else b"")
        elif isinstance(part, pd.DataFrame | pd.Series):
            found.update(pd.util.hash_pandas_object(part).to_numpy().tobytes())
        elif is_dataclass(part) and not isinstance(part, type):
            for field in fields(part):
                look(getattr(part, field.name))
        elif isinstance(part, Mapping):
            for one in part.values():
                look(one)
        elif isinstance(part, list | tuple):
            for one in part:
                look(one)

    look(value)
    return found.hexdigest()


class Watched(Cache):
    """A cache that remembers what its results were like."""

    def __init__(self):
        super().__init__(2**30)
        self.before = {}

    def put(self, key, value):
        super().put(key, value)
        self.before[key] = digest(value)


@pytest.fixture
def watched(monkeypatch):
    cache = Watched()
    monkeypatch.setattr(tasks, "_cache", cache)
    return cache


def test_no_page_changes_what_others_see(opened, watched):
    for page in PAGES:
        opened(page, data="bundled:wine", select="top:10", focus="3")
    assert len(watched.before) > 8
    for key, before in watched.before.items():
        assert digest(watched.get(key)) == before, key


def test_the_watch_would_notice(watched):
    task = tasks.Task("watched", "", 0.0, (1,), lambda report: np.zeros(3))
    task.run()[0] = 1.0
    ((key, before),) = watched.before.items()
    assert digest(watched.get(key)) != before
