import io
from pathlib import Path

import pandas as pd
import pytest

from tests.openml_server import OpenMLServer, iris


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A running server with one dataset, which the environment points at; an empty cache."""
    with OpenMLServer(iris()) as running:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", running.address)
        monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path / "cache"))
        yield running


@pytest.fixture
def hasty(monkeypatch):
    """Faults that are only seen by waiting are seen soon."""
    monkeypatch.setenv("MECUCO_OPENML_TIMEOUT", "0.5")


@pytest.fixture
def said():
    """The sentences a call had for the person: pass `said.append` as notify."""
    return []


@pytest.fixture
def stored(tmp_path):
    """Return the files in the cache, by their names relative to the folder of the server."""

    def files() -> dict[str, Path]:
        folder = tmp_path / "cache" / "openml"
        return {
            "/".join(path.relative_to(folder).parts[1:]): path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    return files


@pytest.fixture(scope="session")
def parquet():
    """The small iris as a Parquet file."""
    content = io.BytesIO()
    pd.DataFrame(
        {
            "length": [i + 0.5 for i in range(60)],
            "width": [float(-i) for i in range(60)],
            "class": pd.Categorical(["setosa", "virginica"] * 30),
        }
    ).to_parquet(content)
    return content.getvalue()
