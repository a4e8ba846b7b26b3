"""Compiled code of other sources is not used."""

import os
import subprocess
import sys

import pytest

from mecuco_core._kernels import staleness
from mecuco_core._kernels.compiled_terms import terms_block


@pytest.fixture
def cache(tmp_path):
    for name in ("compiled_terms._add_tile-1.py311.nbi", "other.kernel-1.py311.nbi"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def names(folder):
    return {path.name for path in folder.glob("*.nbi")}


def test_our_indexes_go_when_the_sources_are_others(cache):
    (cache / staleness.MARK).write_text("of a former version")
    staleness.forget_stale(cache)
    assert names(cache) == {"other.kernel-1.py311.nbi"}


def test_they_stay_when_the_sources_are_the_same(cache):
    (cache / staleness.MARK).write_text(staleness.sources_digest())
    staleness.forget_stale(cache)
    assert len(names(cache)) == 2


def test_a_changed_source_is_another_digest(tmp_path, monkeypatch):
    (tmp_path / "quadric.py").write_text("SHARE = 1")
    monkeypatch.setattr(staleness, "SOURCES", tmp_path)
    before = staleness.sources_digest()
    (tmp_path / "quadric.py").write_text("SHARE = 2")
    assert staleness.sources_digest() != before


def test_a_cache_that_cannot_be_written_is_left_alone(tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("no folder")
    staleness.forget_stale(blocked)
    assert blocked.read_text() == "no folder"


@pytest.mark.thorough
def test_it_happens_when_the_engine_is_imported(tmp_path):
    code = (
        "import mecuco_core; from mecuco_core._kernels.compiled_terms import terms_block as kernel;"
        "print(kernel.stats.cache_path)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    mark = tmp_path.joinpath(run.stdout.strip(), staleness.MARK)
    assert mark.read_text() == staleness.sources_digest()
    assert terms_block.stats.cache_path != run.stdout.strip()
