"""Data of a Python program in a real browser: shown, selected, handed back, and shown to no other."""

import http.server
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

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
from tests.browser.visitor import Visitor
from tests.waiting import processes_with, until

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
