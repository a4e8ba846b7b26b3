"""Nothing that a visitor does needs room on the disk."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.datasets.files import read
from mecuco_core.preparation.prepare import prepare

pytest.importorskip("resource", reason="only there can the size of files be limited")

SCRIPT = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as on a full disk: no file can be written
import sys
from pathlib import Path
from mecuco_app.data.sources import from_file
from mecuco_app.results import scores
from mecuco_app.view.settings import ScoreSettings
from mecuco_app.work.jobs import silent
from mecuco_app.work.processes import in_process
from mecuco_core.datasets.files import ReadOptions
scores.KEPT_SECONDS = 0.0  # every graph is to be kept
for path in map(Path, sys.argv[1:]):
    loaded = in_process(from_file, path.read_bytes(), ReadOptions(), path.name, report=silent)
    found = scores.curvature_of(loaded.prepared, ScoreSettings("haar", 7))
    print(path.suffix, float(found.values.sum()))
"""


@pytest.mark.thorough
def test_files_are_read_and_scored_though_nothing_can_be_written(tmp_path):
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((90, 4)), columns=list("abcd"))
    table.to_csv(tmp_path / "table.csv", index=False)
    table.to_parquet(tmp_path / "table.parquet")
    files = sorted(tmp_path.glob("table.*"))
    end = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, files)],
        capture_output=True,
        text=True,
        env={**os.environ, "MECUCO_CACHE_DIR": str(tmp_path / "cache")},
        check=False,
    )
    assert end.returncode == 0, end.stderr
    points = prepare(read(files[0])).points
    expected = mc.curvature(points, 7, mode="haar").values.sum()
    said = dict(line.split() for line in end.stdout.splitlines())
    assert {kind: float(total) for kind, total in said.items()} == {
        path.suffix: pytest.approx(expected) for path in files
    }
    assert "a neighbour graph could not be kept" in end.stderr
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
