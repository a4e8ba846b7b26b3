"""A page that is reloaded, left and returned to, or opened twice while it computes."""

import pytest

from tests.browser.keeper import running_app
from tests.browser.visitor import Visitor
from tests.waiting import until, workers

pytestmark = pytest.mark.long

N_POINTS = 45_000
LINK = (
    f"/Explore?data=manifold:sphere&with=n_points={N_POINTS},ambient_dimension=20,seed=1&map=umap"
)
LONG = 300_000  # milliseconds


def test_work_under_way_is_found_again_and_never_done_twice(browser, tmp_path):
    with running_app(MECUCO_CACHE_DIR=str(tmp_path)) as address:

        def arrive():
            visitor = Visitor(browser.new_context().new_page(), address)
            visitor.page.set_default_timeout(LONG)
            visitor.open(LINK)
            return visitor

        first = arrive()
        first.sees("UMAP: epoch", LONG)
        (worker,) = workers()
        by_pca = first.trace("map", "x")
        assert len(by_pca) == N_POINTS

        first.page.reload()
        first.sees("UMAP: epoch", LONG)
        assert workers() == [worker]

        second = arrive()
        second.sees("UMAP: epoch", LONG)
        assert workers() == [worker]

        first.page.get_by_role("link", name="Method").first.click()
        first.sees("The score: scatter and alignment")
        first.page.go_back()
        first.wait_drawn("map")
        assert workers() in ([worker], [])

        # The one who leaves takes nothing from the other.
        first.page.context.close()
        until(lambda: not workers(), 300)
        second.wait("plot._fullData[0].x[0] !== value", "map", by_pca[0])
        assert len(second.trace("map", "x")) == N_POINTS
        second.no_traceback()

        third = arrive()  # finished work is there at once
        third.wait("plot._fullData[0].x[0] !== value", "map", by_pca[0])
        assert third.trace("map", "x") == second.trace("map", "x")
        assert workers() == []
        third.no_traceback()
