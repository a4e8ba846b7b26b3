"""How the tests are shared between processes: see `make test`."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
BROWSER = HERE / "browser"
# The tests in a browser take longest and mostly wait, so they start first, in two halves. Tests
# that need no compiled code run while the app compiles it.
EARLY = (BROWSER, HERE / "core" / "datasets")
FIRST_HALF = ("test_explore.py", "test_home.py", "test_paper.py")


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items):
    """Put the tests in order, and those together that shall share a process."""
    items.sort(key=lambda item: _place(item.path))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item.path)))


def _place(path):
    return next((i for i, folder in enumerate(EARLY) if folder in path.parents), len(EARLY))


def _group(path):
    if BROWSER not in path.parents:
        return str(path)
    return "first half" if path.name in FIRST_HALF else "second half"
