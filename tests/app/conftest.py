"""The app without a browser: pages run by Streamlit's AppTest."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mecuco_app.results import warming
from mecuco_app.screen import nearby_scores
from tests.app.rerunning import settled

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def cold(monkeypatch):
    """No test pays for what it does not use: compiled, or computed before it is asked for."""
    monkeypatch.setattr(warming, "start", lambda: None)
    monkeypatch.setattr(nearby_scores, "MOST_SECONDS", 0.0)


@pytest.fixture
def opened():
    """Return a function that opens a page of the app with the parameters of an address."""

    def page(script: str = "app.py", **parameters: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for name, value in {"map": "pca", **parameters}.items():
            app.query_params[name] = value
        if script != "app.py":
            app.switch_page(script)
        return settled(app)

    return page
