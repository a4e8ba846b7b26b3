"""Scores that are there before they are asked for."""

import threading

import numpy as np
import pandas as pd
import pytest

from mecuco_app.results import scores
from mecuco_app.screen import nearby_scores
from mecuco_app.screen.state import Session
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work import tasks
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Preparation, prepare
from tests.waiting import until


@pytest.fixture(autouse=True)
def allowed(cold, monkeypatch):
    """Let pages score nearby k at once."""
    monkeypatch.setattr(nearby_scores, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(nearby_scores, "PAUSE", 0.0)


def points(seed, n_points=120):
    """Return points nobody has scored yet, with neighbours."""
    table = pd.DataFrame(np.random.default_rng(seed).standard_normal((n_points, 4)))
    table.columns = [f"c{i}" for i in range(4)]
    prepared = prepare(Dataset(name=f"made {seed}", table=table), Preparation())
    scores.graph_of(prepared)
    return prepared


def ready(prepared, k, mode="haar"):
    return scores.score_task(prepared, ScoreSettings(mode, k)).ready() is not None


def chosen(prepared, k):
    return [
        one.n_neighbors for one in nearby_scores.worth_while(prepared, ScoreSettings("haar", k))
    ]


def test_the_nearest_k_come_first_and_none_that_cannot_be():
    prepared = points(1)
    assert chosen(prepared, 20) == [21, 19, 22, 18, 23, 17, 24, 16, 25, 15, 26, 14]
    assert chosen(prepared, 3) == [4, 2, 5, 6, 7, 8, 9]
    assert chosen(prepared, 60) == [59, 58, 57, 56, 55, 54]


def test_only_what_takes_no_time_is_computed_and_nothing_twice(monkeypatch):
    prepared = points(2)
    scores.curvature_of(prepared, ScoreSettings("haar", 11))
    assert chosen(prepared, 10)[:3] == [9, 12, 8]
    one = scores.score_task(prepared, ScoreSettings("haar", 9)).seconds
    monkeypatch.setattr(nearby_scores, "MOST_SECONDS", 3.5 * one)
    assert len(chosen(prepared, 10)) < 4
    monkeypatch.setattr(nearby_scores, "MOST_SECONDS", 0.5 * one)
    assert chosen(prepared, 10) == []


def test_a_page_that_is_drawn_leaves_the_next_scores_behind(opened):
    app = opened("pages/1_Explore.py", data="bundled:wine", k="9")
    prepared = app.session_state["mecuco"].prepared
    until(lambda: ready(prepared, 10) and ready(prepared, 8), 20)
    app.slider[0].set_value(10).run()
    assert not app.exception


def test_every_page_ends_it(opened, monkeypatch):
    monkeypatch.setattr(nearby_scores, "PAUSE", 600.0)
    app = opened("pages/1_Explore.py", data="bundled:iris", k="9")
    job = app.session_state["mecuco"].desk.job("nearby scores")
    assert job.running
    assert not job.stopping
    app.switch_page("pages/4_Method.py").run()
    assert job.stopping
    assert app.session_state["mecuco"].desk.job("nearby scores") is None


def test_what_is_stopped_ends_soon_and_keeps_nothing_half_done(monkeypatch):
    prepared, session = points(3), Session()
    reached, go_on = threading.Event(), threading.Event()
    honest = scores.executed

    def slow(*arguments, report, **options):
        reached.set()
        go_on.wait(20)
        return honest(*arguments, report=report, **options)

    monkeypatch.setattr(scores, "executed", slow)
    monkeypatch.setattr(nearby_scores.waiting, "desk", lambda: session.desk)
    session.change("score.n_neighbors", 12)
    nearby_scores.begin(session, prepared)
    assert reached.wait(20)
    job = session.desk.job("nearby scores")
    nearby_scores.end(session)
    assert session.desk.job("nearby scores") is None
    assert job.wait(20)
    go_on.set()
    assert job.status == "stopped"
    until(lambda: not tasks.is_busy(), 20)
    assert not any(ready(prepared, k) for k in range(6, 19))


def test_it_waits_while_others_work(monkeypatch):
    prepared, session, asked = points(4), Session(), []

    def busy():
        asked.append(ready(prepared, 13))
        return len(asked) < 4

    monkeypatch.setattr(tasks, "is_busy", busy)
    monkeypatch.setattr(nearby_scores.waiting, "desk", lambda: session.desk)
    session.change("score.n_neighbors", 12)
    nearby_scores.begin(session, prepared)
    assert session.desk.job("nearby scores").wait(20)
    assert asked[:4] == [False] * 4
    assert [k for k in range(2, 30) if ready(prepared, k)] == [*range(6, 12), *range(13, 19)]
