"""Pages under AppTest: run again until the work beside the page is done."""

import json
import time
from pathlib import Path
from unittest.mock import patch

from streamlit.testing.v1 import AppTest

from mecuco_app.results import warming

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 90.0


def opened(page, **parameters):
    """Return the app at a page, for a visitor who opened a link with these parameters."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    if page != "app.py":
        app.switch_page(f"pages/{page}")
    return settled(app)


def settled(app):
    """Run once, and again until no job is under way any more."""
    deadline = time.monotonic() + PATIENCE
    # Fixtures of a module run before `cold` does: what would compile beside the tests, and warn
    # there, is held back here too.
    with patch.object(warming, "start"):
        app.run()
        while any(button.label == "Stop" for button in app.button):
            assert time.monotonic() < deadline, [element.value for element in app.markdown]
            app.run()
    assert not app.exception
    _write_first_address(app)
    return app


def unfolded(app, key):
    """Click on the title of a box whose contents are drawn only then, and run once."""
    app.session_state[f"folded-{key}"] = True
    return app.run()


def _write_first_address(app):
    """Do what a browser's script does."""
    session = app.session_state["mecuco"]
    if session.arrival and standing(app) == session.arrival["found"]:
        app.query_params.clear()
        for name, value in session.arrival["wanted"].items():
            app.query_params[name] = value


def standing(app):
    """Return what the address bar holds; AppTest gives texts or lists."""
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in app.query_params.items()
    }


def texts(app):
    """Return everything that is said on the page."""
    said = [*app.title, *app.subheader, *app.markdown, *app.caption, *app.info, *app.error]
    return "\n".join(str(one.value) for one in said).replace("\u202f", " ")


def figures(app):
    """Return the figures on the page by key."""
    found = {}
    for chart in app.get("plotly_chart"):
        found[chart.proto.id.split("-", 2)[-1]] = json.loads(chart.proto.spec)
    return found
