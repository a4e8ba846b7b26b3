"""Compiled code on disk: of these sources only, and never a reason to fail."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from mecuco_core.kernels import compiled as cache_of_kernels

SUM = """
from mecuco_core.kernels.compiled import compiled

@compiled()
def double(x):
    return x + x
"""


@pytest.fixture
def nowhere(monkeypatch):
    def refuse(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(cache_of_kernels, "FunctionCache", refuse)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


def test_a_folder_for_temporary_files_stands_in(nowhere, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache_of_kernels._ensure_place.__wrapped__()
    (place,) = tmp_path.iterdir()
    assert numba.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] == str(place)
    assert "set NUMBA_CACHE_DIR" in caplog.text


def test_where_something_can_be_written_nothing_changes():
    before = numba.config.CACHE_DIR
    cache_of_kernels._ensure_place.__wrapped__()
    assert before == numba.config.CACHE_DIR


@pytest.fixture
def double(tmp_path, monkeypatch):
    """Return a way to have a small kernel as a new process would have it."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    (tmp_path / "small.py").write_text(SUM)

    def fresh():
        spec = importlib.util.spec_from_file_location("small", tmp_path / "small.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.double

    return fresh


def test_compiled_code_is_kept(double):
    assert double()(2) == 4
    kept = double()
    assert kept(2) == 4
    assert kept.stats.cache_hits


def test_compiled_code_of_other_sources_is_not_used(double, monkeypatch):
    assert double()(2) == 4
    with monkeypatch.context() as patch:
        patch.setattr(cache_of_kernels, "sources_digest", lambda: "of other sources")
        other = double()
        assert other(2) == 4
        assert not other.stats.cache_hits
    back = double()
    assert back(2) == 4
    assert not back.stats.cache_hits  # what the others wrote is not taken either


def test_a_change_of_any_source_is_another_digest(tmp_path, monkeypatch):
    (tmp_path / "score").mkdir()
    (tmp_path / "score" / "quadric.py").write_text("SHARE = 1")
    monkeypatch.setattr(cache_of_kernels, "SOURCES", tmp_path)
    before = cache_of_kernels.sources_digest.__wrapped__()
    (tmp_path / "score" / "quadric.py").write_text("SHARE = 2")
    assert cache_of_kernels.sources_digest.__wrapped__() != before


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_damaged_compiled_code_is_compiled_anew(double, tmp_path, caplog, kind, content):
    assert double()(2) == 4
    kept = double()
    assert kept(2) == 4
    assert kept.stats.cache_hits
    (path,) = (tmp_path / "kept").rglob(f"*.{kind}")
    path.write_bytes(content)
    assert double()(2) == 4
    assert "damaged" in caplog.text
    mended = double()
    assert mended(2) == 4
    assert mended.stats.cache_hits


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as on a full disk: no file can be written
import sys
sys.path.insert(0, sys.argv[1])
from small import double
print(double(2))
"""


@pytest.mark.thorough
def test_on_a_full_disk_compiled_code_works_and_is_not_kept(tmp_path):
    pytest.importorskip("resource", reason="only there can the size of files be limited")
    (tmp_path / "small.py").write_text(SUM)
    kept = tmp_path / "kept"
    end = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(kept)},
        check=False,
    )
    assert end.stdout == "4\n", end.stderr
    assert "could not be kept" in end.stderr
    assert not list(kept.rglob("small.double*.nb?"))


NUMBERS = """
import hashlib
import json
import numpy as np
import mecuco as mc

def digest(*arrays):
    return hashlib.sha256(b"".join(one.tobytes() for one in arrays)).hexdigest()

rng = np.random.default_rng(0)
sphere = rng.standard_normal((500, 3))
sphere /= np.linalg.norm(sphere, axis=1)[:, None]
found = {}
for noise in (0.0, 0.01):
    surface = mc.shape_operator(sphere + noise * rng.standard_normal(sphere.shape))
    found[f"surface {noise}"] = digest(surface.values, surface.error, surface.principal_curvatures)
flat = np.hstack([rng.standard_normal((300, 2)), 0.1 * rng.standard_normal((300, 18))])
found["surface in 20"] = digest(mc.shape_operator(flat, dimension=2).error)
for n, m, k in ((300, 20, 11), (300, 5, 11), (300, 20, 40), (300, 40, 6), (60, 900, 6)):
    points = rng.standard_normal((n, m))
    for mode in ("original", "exact", "fast", "haar")[m > 100 :]:
        scores = mc.curvature(points, k, mode=mode)
        found[f"{mode} {n} {m} {k}"] = digest(scores.values, scores.scatter)
for n, m in ((9000, 20), (3000, 3)):
    points = rng.standard_normal((n, m))
    for search in ("exact", "approximate"):
        graph = mc.knn_graph(points, 11, search=search)
        found[f"{search} {n} {m}"] = digest(graph.indices, graph.distances)
print(json.dumps(found))
"""


@pytest.mark.thorough
def test_a_process_that_compiles_and_one_that_loads_find_the_same_numbers(tmp_path):
    first, second = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", NUMBERS],
                cwd=Path(__file__).parents[2], env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
                capture_output=True, text=True, check=True,
            ).stdout
        )
        for _ in range(2)
    )  # fmt: skip
    assert list(tmp_path.rglob("*.nbc"))
    assert first == second
