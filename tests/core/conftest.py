"""Where the tests of the cluster run their tasks; dask is imported only for them."""

import pytest


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
