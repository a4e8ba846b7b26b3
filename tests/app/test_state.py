"""What the browser says of widgets, as the session takes it."""

from types import SimpleNamespace

import pytest

from mecuco_app.data.sources import loaded
from mecuco_app.screen import state
from mecuco_app.view.settings import DataChoice


@pytest.fixture
def session(monkeypatch):
    """A session whose browser says that the widget "k" stands at 13."""
    current = state.Session(loaded=loaded(DataChoice("bundled", "iris")))
    monkeypatch.setattr(state, "session", lambda: current)
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={"k": 13}))
    return current


def test_what_spoke_of_the_last_thing_tried_goes_with_the_next():
    session = state.Session()
    session.tell("warning", "stays")
    session.tell("error", "first", passing=True)
    session.tell("error", "second", passing=True)
    assert [notice.text for notice in session.notices] == ["stays", "second"]
    session.forget_passing()
    assert [notice.text for notice in session.notices] == ["stays"]


def test_a_value_of_these_points_is_a_choice(session):
    state._save_choice("k", "score.n_neighbors", session.prepared.fingerprint)
    assert session.view.score.n_neighbors == 13


def test_a_value_of_points_that_are_gone_is_no_choice(session):
    state._save_choice("k", "score.n_neighbors", "fingerprint of others")
    assert session.view.score.n_neighbors is None


def test_a_value_of_a_widget_that_is_gone_is_no_choice(session):
    state._save_choice("another", "score.n_neighbors", "")
    assert session.view.score.n_neighbors is None
