"""Where compiled code is kept when nothing can be written."""

import os

import numba
import pytest

from mecuco_core._kernels import keeping


@pytest.fixture
def nowhere(monkeypatch):
    def refuse(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(keeping, "FunctionCache", refuse)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


def test_a_folder_for_temporary_files_stands_in(nowhere, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    keeping.ensure_place()
    (place,) = tmp_path.iterdir()
    assert numba.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] == str(place)
    assert "set NUMBA_CACHE_DIR" in caplog.text


def test_where_something_can_be_written_nothing_changes():
    before = numba.config.CACHE_DIR
    keeping.ensure_place()
    assert before == numba.config.CACHE_DIR
