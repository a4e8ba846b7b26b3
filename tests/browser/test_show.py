"""Data of a Python program in a real browser: shown, selected, handed back, to no other shown."""

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from anndata import AnnData
from playwright.sync_api import expect
from scipy import sparse

import mecuco as mc
from mecuco_app.results.principal import principal_coordinates
from mecuco_app.showing import show as showing
from mecuco_app.showing import surroundings
from mecuco_app.showing.ports import free_port
from tests.waiting import until

SECONDS = 60.0
"""A page with its map, on a machine that does other things too; alone it takes two."""

N = 120
SPREAD = np.random.default_rng(0).standard_normal((N, 4)) * [4.0, 2.0, 1.0, 0.5]
NAMES = [f"row {i}" for i in range(N)]


class Tensor:
    """What torch and JAX have in common: it becomes an array when NumPy asks."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


class OnlyDlpack:
    """A tensor of a library that NumPy does not know."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def pandas_frame():
    frame = pd.DataFrame(SPREAD, columns=list("abcd"), index=pd.Index(NAMES))
    return mc.show(frame, map="pca", preparation=AS_THEY_ARE)


def polars_frame():
    frame = pl.DataFrame({"name": NAMES, "v": SPREAD.tolist()})
    return mc.show(frame, map="pca", ids="name")


def arrow_table():
    import pyarrow as pa

    kind = pa.list_(pa.float64(), 4)
    table = pa.table({"name": NAMES, "v": pa.array(SPREAD.tolist(), kind)})
    return mc.show(table, map="pca", ids="name")


def array_with_metadata():
    return mc.show(SPREAD, map="pca", metadata=pd.DataFrame({"n": NAMES}, index=NAMES), ids=NAMES)


def sparse_matrix():
    return mc.show(sparse.csr_matrix(SPREAD), map="pca", ids=NAMES)


def cells():
    data = AnnData(
        np.ones((N, 3), np.float32),
        obs=pd.DataFrame({"kind": ["a", "b"] * (N // 2)}, index=NAMES),
        obsm={"X_pca": SPREAD},
    )
    return mc.show(data, map="pca", target="kind")


def tensor():
    return mc.show(Tensor(SPREAD), map="pca", ids=NAMES)


def tensor_by_dlpack():
    return mc.show(OnlyDlpack(SPREAD), map="pca", ids=NAMES)


KINDS = (
    pandas_frame,
    polars_frame,
    arrow_table,
    array_with_metadata,
    sparse_matrix,
    cells,
    tensor,
    tensor_by_dlpack,
)
AS_THEY_ARE = mc.datasets.Preparation(scale="none")


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """The addresses that were opened, instead of a browser."""
    urls = []
    monkeypatch.setattr(surroundings, "open_browser", lambda url: urls.append(url) or True)
    for name in ("SSH_CONNECTION", "JUPYTERHUB_USER"):
        monkeypatch.delenv(name, raising=False)
    yield urls
    showing._left.clear()


@pytest.fixture(scope="module")
def warm():
    """An app that runs, as after a first call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surroundings, "open_browser", lambda url: True)
        shown = mc.show(SPREAD[:10])
    yield shown
    shown.close()


def names_within(places, ranges, margin):
    """Return which points lie under the lasso, drawn wider by a share of the map."""
    across, up = ((places[:, j] - low) / (high - low) for j, (low, high) in enumerate(ranges))
    inside = (0.3 - margin < across) & (across < 0.6 + margin)
    inside &= (0.3 - margin < up) & (up < 0.7 + margin)
    return {name for name, one in zip(NAMES, inside, strict=True) if one}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_map_is_there_and_a_lasso_is_handed_back(warm, arrive, opened, kind):
    shown = kind()
    assert repr(shown).endswith(repr(warm).rpartition("http://")[2])  # in the same app
    (url,) = opened
    visitor, started = arrive(), time.monotonic()
    visitor.open(url)
    visitor.wait("plot._fullData[0]?.x?.length === value", "map", N)
    assert time.monotonic() - started < SECONDS
    places = np.array([visitor.trace("map", axis) for axis in "xy"]).T
    np.testing.assert_allclose(places, principal_coordinates(SPREAD, 2), atol=1e-5)
    assert "/open/" not in visitor.page.url
    assert shown.selection.tolist() == []
    visitor.page.get_by_role("radio", name="Lasso").click()
    visitor.wait("plot._fullLayout.dragmode === 'lasso'", "map")
    visitor.drag("map", (0.3, 0.3), (0.6, 0.3), (0.6, 0.7), (0.3, 0.7), (0.3, 0.3))
    visitor.wait("plot._fullData[0].selectedpoints?.length > 0", "map")
    ranges = [visitor.told("map", f"plot._fullLayout.{axis}axis.range") for axis in "xy"]
    until(lambda: len(shown.selection))  # the browser shows it before the app knows
    assert names_within(places, ranges, -0.02) <= {*shown.selection}
    assert {*shown.selection} <= names_within(places, ranges, 0.02)
    assert shown.selection.tolist() == [NAMES[i] for i in visitor.trace("map", "selectedpoints")]
    scores = shown.scores
    assert scores.index.tolist() == NAMES
    np.testing.assert_allclose(scores["score"], mc.curvature(SPREAD).values)
    visitor.no_traceback()
    shown.close()


def token_of(url):
    return url.rpartition("/")[2]


def test_a_token_works_once_and_its_data_are_seen_by_nobody_else(warm, arrive, opened):
    first = mc.show(SPREAD, map="pca", name="first")
    second = mc.show(SPREAD[:50], map="pca", name="second")
    one, two = arrive(), arrive()
    one.open(opened[0])
    one.wait("plot._fullData[0]?.x?.length === value", "map", N)
    two.open(opened[0])
    two.sees("This address has been used")
    assert "first" not in two.page.content()
    # What stands in the address afterwards is of no use to others.
    clean = one.page.url
    assert token_of(opened[0]) not in clean + one.page.content()
    two.open(clean)
    two.sees("only that program has them")
    two.open(opened[1])
    two.wait("plot._fullData[0]?.x?.length === value", "map", 50)
    two.open(clean)
    two.sees("only that program has them")
    # The browser that used it comes back, as a notebook does whose cell is scrolled into sight.
    one.open(opened[0])
    one.wait("plot._fullData[0]?.x?.length === value", "map", N)
    # A made-up token, and a new one.
    two.open(opened[0][:-3] + "abc")
    two.sees("This address has been used")
    two.open(first.url)
    two.wait("plot._fullData[0]?.x?.length === value", "map", N)
    first.close()
    two.page.reload()
    two.sees("only that program has them")
    second.close()


@pytest.fixture
def notebook():
    """Return a function that serves a page with another inside it, as a notebook does."""
    pages = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            inside = pages.get("inside", "")
            self.wfile.write(f"<iframe src='{inside}' width=1300 height=1200></iframe>".encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def page(host, inside):
        pages["inside"] = inside
        return f"http://{host}:{server.server_port}/"

    yield page
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_inside_a_notebook_of_any_name_the_data_are_there(warm, arrive, opened, notebook, host):
    shown = mc.show(SPREAD, map="pca")
    visitor = arrive()
    visitor.open(notebook(host, opened[0]))
    inside = visitor.page.frame_locator("iframe")
    expect(inside.locator(".st-key-map .js-plotly-plot")).to_be_visible()
    expect(inside.get_by_text("120 × 4").first).to_be_visible()
    (cookie,) = [
        one for one in visitor.page.context.cookies() if one["name"].startswith("mecuco-visit")
    ]
    # Of another site a cookie counts inside that site only, and else it would not be kept.
    assert cookie["sameSite"] == ("None" if host == "localhost" else "Lax")
    assert bool(cookie.get("partitionKey")) == (host == "localhost")
    visitor.page.reload()
    expect(inside.locator(".st-key-map .js-plotly-plot")).to_be_visible()
    shown.close()


SCRIPT = """
import sys
import mecuco as mc
import numpy as np
from mecuco_app.showing import surroundings
from mecuco_app.showing.ports import free_port
surroundings.open_browser = lambda url: print(url, flush=True) or True
shown = mc.show(np.random.default_rng(0).normal(size=(60, 3)), map="pca"{more})
print(shown._server.pid, flush=True)
{last}
"""


@pytest.fixture
def script():
    """Return a function that starts a script; its first line is the address."""
    running = []

    def start(more="", last=""):
        program = subprocess.Popen(
            [sys.executable, "-c", SCRIPT.format(more=more, last=last)],
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(program)
        return program, program.stdout.readline().strip()

    yield start
    for program in running:
        program.kill()
        program.wait()
        program.stdout.close()


def of_app(pid):
    """Return the processes of an app: it leads a session of its own."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(words[3]) == pid and words[0] != "Z":
            found.append(int(name))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("more", [", wait=True", ""])
def test_a_script_goes_on_when_its_page_is_closed_and_leaves_no_process(arrive, script, more):
    program, url = script(more)
    visitor = arrive()
    visitor.open(url)
    visitor.wait("plot._fullData[0]?.x?.length === 60", "map")
    assert program.poll() is None
    visitor.page.close()
    pid = int(program.stdout.readline())
    assert program.wait(120) == 0
    until(lambda: not of_app(pid))


@pytest.mark.thorough
def test_a_program_that_is_killed_takes_the_app_with_it(script):
    program, _ = script(last="import time; time.sleep(600)")
    pid = int(program.stdout.readline())
    assert pid in of_app(pid)
    program.send_signal(signal.SIGKILL)
    until(lambda: not of_app(pid), 60)


def test_close_leaves_no_process(warm, arrive, opened):
    pid = mc.show(SPREAD, port=(other := free_port(None)))._server.pid
    assert pid in of_app(pid)
    assert f":{other}/" in opened[-1]
    visitor = arrive()
    visitor.open(opened[-1])
    visitor.wait_drawn("map")
    showing._servers[-1].close()
    assert of_app(pid) == []
