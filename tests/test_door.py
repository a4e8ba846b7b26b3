"""The door: what `import mecuco` loads, and what it gives."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mecuco as mc

ROOT = Path(mc.__file__).parent
HEAVY = {"numba", "sklearn", "pandas", "streamlit", "scipy", "dask", "pyarrow", "openml"}
LONGEST = 0.2
"""Seconds."""


def fresh(code):
    """Return what a fresh process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["mecuco", "mecuco.datasets", "mecuco_core"])
def test_importing_loads_nothing_and_changes_nothing(module):
    told = fresh(
        "import os, sys; before = dict(os.environ), len(sys.modules)\n"
        f"import {module}\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), dict(os.environ) == before[0])"
    )
    assert told == "[] True"


def test_importing_is_instant():
    code = (
        "import time; start = time.perf_counter()\n"
        "import mecuco, mecuco.datasets; print(time.perf_counter() - start)"
    )
    # The best of some: other work on the machine is no fault of ours.
    best = min(float(fresh(code)) for _ in range(5))
    assert best < LONGEST


def test_looking_at_a_name_loads_its_room_only():
    told = fresh(
        "import sys, mecuco as mc; mc.DataError\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), hasattr(mc, 'scatter'))"
    )
    assert told == "[] False"


def test_numba_keeps_its_settings():
    told = fresh(
        "import numba; before = numba.njit, numba.config.CACHE_DIR\n"
        "import mecuco as mc; mc.curvature, mc.MeanCurvature\n"
        "print(before == (numba.njit, numba.config.CACHE_DIR))"
    )
    assert told == "True"


@pytest.mark.parametrize("module", [mc, mc.datasets], ids=lambda module: module.__name__)
def test_every_name_is_there_and_listed(module):
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert name in dir(module)
    assert list(module.__all__) == sorted(
        module.__all__, key=lambda name: (not name.isupper(), name)
    )


@pytest.mark.parametrize("module", [mc, mc.datasets], ids=lambda module: module.__name__)
def test_editors_are_told_of_the_same_names(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name for node in block.body for alias in node.names}
    assert seen == set(module.__all__) - {"__version__"}
    for node in block.body:
        for alias in node.names:
            if node.module != module.__name__:
                assert getattr(sys.modules[node.module], alias.name) is getattr(module, alias.name)


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'mecuco' has no attribute 'mean_curvature'"):
        mc.mean_curvature  # noqa: B018 - the look is the test


def test_the_version_is_that_of_the_installed_package():
    assert mc.__version__ == "0.2.0"


@pytest.mark.thorough
def test_a_dask_array_is_scored_by_the_door_alone():
    pytest.importorskip("dask")
    told = fresh(
        "import sys, numpy as np, mecuco as mc, dask, dask.array as da\n"
        "dask.config.set(scheduler='synchronous')\n"
        "points = np.random.default_rng(0).standard_normal((60, 4))\n"
        "there, here = mc.curvature(da.from_array(points, chunks=20)), mc.curvature(points)\n"
        "print(bool((there.values == here.values).all()), there.terms is None)"
    )
    assert told == "True True"


def test_a_table_is_read_from_a_path_bytes_and_open_files(tmp_path):
    content = b"a,b,c\n1,2,x\n3,4,y\n5,6,z\n"
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with path.open("rb") as binary, path.open() as text:
        found = [mc.datasets.read_table(one) for one in (path, str(path), content, binary, text)]
    assert len({one.fingerprint for one in found}) == 1
    assert [one.name for one in found] == ["table", "table", "file", "table", "table"]
    kept = mc.datasets.read_table(path, options=mc.datasets.ReadOptions(columns=("b",)))
    np.testing.assert_array_equal(kept.table["b"], [2, 4, 6])
