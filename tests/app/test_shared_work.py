"""Visitors who open the same link share one computation; it ends with the last of them."""

import time

import pytest

from mecuco_app.presence import GRACE
from tests.app.test_server_killed import seen_until, until, workers
from tests.browser.keeper import running_app
from tests.light_visitor import LightVisitor

pytestmark = pytest.mark.long

QUERY = "data=manifold:sphere&with=n_points=40000,ambient_dimension=40,seed=2&map=umap"


def test_the_same_link_opened_twice_is_computed_once(tmp_path):
    with running_app(MECUCO_CACHE_DIR=str(tmp_path)) as address:
        first, second = LightVisitor(address), LightVisitor(address)
        first.open("Explore", QUERY)
        second.open("Explore", QUERY)
        seen_until(first, "UMAP\\: epoch")
        seen_until(second, "UMAP\\: epoch")
        (worker,) = workers()

        # One closes the page: the other still waits for the same work.
        first.close()
        end = time.monotonic() + GRACE + 6
        while time.monotonic() < end:
            assert workers() == [worker]
            time.sleep(0.5)

        # A reload is a new visit: it finds the work where it was.
        second.close()
        again = LightVisitor(address)
        again.open("Explore", QUERY)
        seen_until(again, "UMAP\\: epoch")
        assert workers() == [worker]
        again.close()
        until(lambda: not workers(), GRACE + 20)
