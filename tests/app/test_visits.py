"""What is held for a browser: who finds it, who does not, and for how long."""

import asyncio
import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mecuco_app.data.sources import Loaded
from mecuco_app.data.visits import MOST_LOADS, RELOAD_SECONDS, Visit, Visits, same_data, subject
from mecuco_app.screen.connection.cookie import VisitCookie
from mecuco_app.view.settings import DataChoice, View
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.files import ReadOptions
from mecuco_core.preparation.prepare import Preparation, prepare
from tests.waiting import until

HOUR = 3600.0


def file(name, content, n_rows=20):
    """A file that was loaded, and the view of it."""
    values = np.random.default_rng(len(name) + n_rows).standard_normal((n_rows, 3))
    dataset = Dataset(name, pd.DataFrame(values, columns=list("abc")))
    choice = DataChoice(
        "file", name, asked=ReadOptions(), content=content, fingerprint=dataset.fingerprint
    )
    return View(data=choice), Loaded(dataset, prepare(dataset), choice)


@pytest.fixture
def visits():
    return Visits(minutes=60, most_bytes=10**9)


def test_a_token_leads_to_one_visit_again_and_again(visits):
    one, other = visits.issue(), visits.issue()
    view, loaded = file("mine.csv", "ab" * 8)
    visits.visit(one).hold(view, loaded)
    assert visits.visit(one).find(view.data).loaded is loaded
    assert visits.visit(other).recent == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda token: "",
        lambda token: token[:-1],
        lambda token: token[:-1] + ("0" if token[-1] != "0" else "1"),
        lambda token: "x" + token,
        lambda token: token.partition(".")[0],
        lambda token: "." + token.partition(".")[2],
        lambda token: Visits(60, 1).issue(),  # of another server, or of this one before a restart
        lambda token: "ä" + token,
    ],
)
def test_a_guessed_token_leads_nowhere(visits, change):
    token = visits.issue()
    visits.visit(token).hold(*file("mine.csv", "ab" * 8))
    forged = change(token)
    assert not visits.issued(forged)
    with pytest.raises(ValueError, match="not made by this server"):
        visits.visit(forged)
    assert len(visits) == 1


def test_tokens_do_not_repeat_and_are_long(visits):
    tokens = {visits.issue() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(token.partition(".")[0]) for token in tokens) >= 43  # 32 random bytes


def test_a_token_replayed_after_its_time_finds_nothing(visits):
    token = visits.issue()
    visits.visit(token).hold(*file("mine.csv", "ab" * 8))
    visits.look(lambda tab: False, 0.0)
    visits.look(lambda tab: False, HOUR - 1)
    assert len(visits.visit(token).recent) == 1
    visits.look(lambda tab: False, HOUR)
    assert visits.visit(token).recent == ()


def test_a_visit_with_an_open_tab_is_kept(visits):
    visit = visits.visit(visits.issue())
    visit.hold(*file("mine.csv", "ab" * 8))
    visit.tabs.update("ab")
    visits.look("b".__eq__, 0.0)
    visits.look("b".__eq__, 5 * HOUR)
    assert visit.tabs == {"b"}
    assert len(visit.recent) == 1
    visits.look(lambda tab: False, 5 * HOUR)  # its time begins now
    visits.look(lambda tab: False, 6 * HOUR - 1)
    assert len(visit.recent) == 1


def test_what_was_forgotten_is_gone_for_all_who_show_the_token(visits):
    token = visits.issue()
    visit = visits.visit(token)
    view, loaded = file("mine.csv", "ab" * 8)
    visit.turn("", {}, view)
    visit.hold(view, loaded)
    visit.forget(view.data)
    again = visits.visit(token)
    assert again.find(view.data) is None
    assert again.view is None
    assert again.has_forgotten(loaded.dataset.fingerprint)
    again.hold(view, loaded)  # uploaded once more
    assert not again.has_forgotten(loaded.dataset.fingerprint)


def test_whoever_holds_most_gives_way_first_and_never_what_is_on_a_screen():
    large, small = file("large.csv", "ab" * 8, 3000), file("small.csv", "cd" * 8, 300)
    modest = file("modest.csv", "ef" * 8, 400)
    visits = Visits(60, 250_000)
    greedy, other = visits.visit(visits.issue()), visits.visit(visits.issue())
    for visit in (greedy, other):
        visit.tabs.add("here")
    greedy.hold(*small)
    greedy.hold(*large, "here")
    other.hold(*modest, "here")
    assert sum(one.n_bytes for one in greedy.recent) > 150_000
    visits.most_bytes = greedy.recent[1].n_bytes  # what is on a screen is not counted
    visits.look(lambda tab: True, 0.0)
    assert [one.loaded is None for one in greedy.recent] == [False, False]
    visits.most_bytes -= 1
    visits.look(lambda tab: True, 0.0)
    assert [one.loaded is None for one in greedy.recent] == [False, True]
    assert [one.loaded is None for one in other.recent] == [False]
    assert greedy.find(small[0].data).loaded is None  # named still, to be asked for
    greedy.tabs.clear()
    visits.look(lambda tab: tab == "here", 1.0)
    assert greedy.recent[0].loaded is None
    assert other.recent[0].loaded is not None


def test_what_a_second_tab_shows_does_not_give_way():
    visits = Visits(60, 0)
    visit = visits.visit(visits.issue())
    visit.tabs.update(("first", "second"))
    sizes = {"one.csv": 20, "two.csv": 30, "three.csv": 40}
    files = [file(name, f"{n_rows}" * 8, n_rows) for name, n_rows in sizes.items()]
    visit.hold(*files[0], "second")
    visit.hold(*files[1], "first")
    visit.hold(*files[2], "first")  # two.csv is left
    visits.look(lambda tab: True, 0.0)
    kept = {one.name for one in visit.recent if one.loaded is not None}
    assert kept == {"one.csv", "three.csv"}
    visits.look(lambda tab: tab == "first", 1.0)  # the second tab is closed
    assert [one.name for one in visit.recent if one.loaded is not None] == ["three.csv"]


def test_the_dataset_looked_at_last_comes_first_once():
    visit = Visit()
    one, other = file("one.csv", "ab" * 8), file("other.csv", "cd" * 8)
    for view, loaded in (one, other, one):
        visit.hold(view, loaded)
    assert [recent.name for recent in visit.recent] == ["one.csv", "other.csv"]


def test_who_reloads_before_the_new_address_is_there_gets_what_comes(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("mecuco_app.data.visits.time.monotonic", lambda: now[0])
    visit, (view, _) = Visit(), file("mine.csv", "ab" * 8)
    old, closed = {"v": "1", "data": "bundled:digits"}, lambda tab: False
    visit.turn("a", old, view)
    assert visit.turned(old, closed) is None  # a link to it means itself
    visit.reloaded = now[0]
    assert visit.turned(dict(reversed(old.items())), closed) is view
    assert visit.turned({"v": "1", "data": "bundled:iris"}, closed) is None
    assert visit.turned(old, "a".__eq__) is None  # another tab, that shows the old data
    now[0] += RELOAD_SECONDS
    assert visit.turned(old, closed) is None
    visit.reloaded = now[0]
    visit.arrived(view)  # a browser shows the new address: the old one means itself again
    assert visit.turned(old, closed) is None


def test_which_choices_mean_the_same_data():
    view, _ = file("mine.csv", "ab" * 8)
    known = view.data
    pending = replace(known, fingerprint="", reading=None)
    linked = DataChoice("file", "x.csv", content="ab" * 8, fingerprint=known.fingerprint[:16])
    assert same_data(known, linked)
    assert same_data(known, pending)
    assert same_data(pending, replace(linked, fingerprint=""))
    assert not same_data(known, replace(linked, fingerprint="0" * 16))
    assert not same_data(known, replace(linked, fingerprint=known.fingerprint[:1], content=""))
    assert not same_data(known, replace(pending, asked=ReadOptions(target="a")))
    assert not same_data(known, replace(pending, content="cd" * 8))
    assert not same_data(known, DataChoice("bundled", "mine.csv"))
    assert not same_data(replace(pending, content=""), replace(pending, content=""))


def test_work_is_found_by_the_address_of_what_is_on_its_way():
    sent = View(data=DataChoice("file", "a.csv", asked=ReadOptions(), content="ab" * 8))
    opened = View(data=DataChoice("file", "a.csv", content="ab" * 8))
    assert subject(sent) == subject(opened)
    assert subject(sent) != subject(replace(sent, preparation=Preparation(scale="none")))


def loading(visit):
    """Return a view, its file, the job that brings it, and what lets it come."""
    view, loaded = file("mine.csv", "ab" * 8)
    gate = threading.Event()

    def fetch(report):
        gate.wait()
        return loaded

    return view, loaded, visit.load(view, "Loading", fetch), gate


def test_a_load_goes_on_and_is_held_when_nobody_looks():
    visit = Visit()
    view, loaded, job, gate = loading(visit)
    assert visit.load(view, "Loading", lambda report: None) is job
    assert visit.find(view.data) is None
    gate.set()
    until(lambda: not job.running)
    assert visit.find(view.data).loaded is loaded


def test_a_stopped_load_is_not_held():
    visit = Visit()
    _, _, job, gate = loading(visit)
    job.stop()
    gate.set()
    until(lambda: not job.running)
    assert visit.recent == ()


def test_only_so_many_loads_run_at_once():
    visit, gate = Visit(), threading.Event()

    def fetch(report):
        while not gate.wait(0.01):
            report(0.5, "")

    views = [View(data=DataChoice("openml", str(number))) for number in range(MOST_LOADS + 1)]
    jobs = [visit.load(view, "Loading", fetch) for view in views]
    until(lambda: not jobs[0].running)
    assert all(job.running for job in jobs[1:])
    gate.set()
    until(lambda: not any(job.running for job in jobs))


def answered(scope):
    """Return the cookies that the answer to a request sets."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})

    async def send(message):
        sent.append(message)

    asked = {"type": "http", "method": "GET", "path": "/", "headers": []}
    full = {**asked, "server": ("127.0.0.1", 8501), **scope}
    asyncio.run(VisitCookie(app)(full, None, send))
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]


PAGE = (b"accept", b"text/html,*/*")


@pytest.fixture
def server(visits, monkeypatch):
    monkeypatch.setattr("mecuco_app.screen.connection.cookie.VISITS", visits)
    return visits


def test_a_browser_without_a_token_is_given_one_that_scripts_cannot_read(server):
    (cookie,) = answered({"headers": [PAGE]})
    name, _, rest = cookie.partition("=")
    token, *attributes = rest.split("; ")
    assert name == "mecuco-visit-8501"  # servers of one machine share their cookies
    assert server.issued(token)
    assert attributes == ["Path=/", "HttpOnly", "SameSite=Lax"]
    assert "Secure" in answered({"headers": [PAGE], "scheme": "https"})[0]


@pytest.mark.parametrize("said", [b"max-age=0", b"no-cache", None])
def test_a_reload_is_noticed(server, said):
    token = server.issue()
    headers = [PAGE, (b"cookie", f"mecuco-visit-8501={token}".encode())]
    assert answered({"headers": headers + ([(b"cache-control", said)] if said else [])}) == []
    assert (server.visit(token).reloaded > 0) == (said is not None)


def test_a_token_of_ours_is_left_alone_and_no_other_is_taken(server):
    ours = f"broken; theirs={{x; mecuco-visit-8501={server.issue()}".encode()
    assert answered({"headers": [PAGE, (b"cookie", ours)]}) == []
    planted = b"mecuco-visit-8501=chosen-by-somebody-else"
    (cookie,) = answered({"headers": [PAGE, (b"cookie", planted)]})
    assert "chosen" not in cookie


@pytest.mark.parametrize(
    "scope",
    [
        {"headers": [(b"accept", b"application/json")]},
        {"headers": [PAGE], "method": "POST"},
        {"headers": []},
    ],
)
def test_only_pages_set_the_cookie(server, scope):
    assert answered(scope) == []
