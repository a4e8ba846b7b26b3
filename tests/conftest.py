"""How the tests are shared between processes: see `make test`."""

from pathlib import Path

from hypothesis import settings

settings.register_profile("patient", deadline=None)  # a busy machine is no defect
settings.load_profile("patient")
HERE = Path(__file__).parent
# The tests in a browser take longest and mostly wait, so they start first, in a process of their
# own. Tests that need no compiled code run while the app compiles it.
EARLY = (HERE / "browser", HERE / "core" / "datasets")


def pytest_collection_modifyitems(items):
    """Put the tests in order."""
    items.sort(key=lambda item: _place(item.path))


def _place(path):
    return next((i for i, folder in enumerate(EARLY) if folder in path.parents), len(EARLY))


def pytest_xdist_make_scheduler(config, log):
    """Keep those tests together that shall share a process."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            path = nodeid.partition("::")[0]
            return "tests/browser" if path.startswith("tests/browser/") else path

    return Together(config, log)
