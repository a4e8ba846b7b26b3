"""How the tests are shared between processes: see `make test`."""

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items):
    """Keep a file's tests together, and all that need a browser: they share one server."""
    for item in items:
        together = BROWSER if BROWSER in item.path.parents else item.path
        item.add_marker(pytest.mark.xdist_group(str(together)))
