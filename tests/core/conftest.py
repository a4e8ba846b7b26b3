"""Where the tests of the cluster run their tasks (dask is imported only for them), and searches."""

import pytest

from mecuco_core.neighbors import search


@pytest.fixture
def descent(monkeypatch):
    """Let an approximate search be one, however few points there are."""
    monkeypatch.setattr(search, "descent_units", lambda n, m, k: 0.0)
    monkeypatch.setattr(search, "tree_is_better", lambda n, m, k: False)
    monkeypatch.setattr(search, "FEWEST_TO_SURVEY", 0)


@pytest.fixture
def here():
    """Run tasks one by one in this thread."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None
        ) as workers,
        Client(workers) as connected,
    ):
        yield connected
