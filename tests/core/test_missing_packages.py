"""A package that is not installed: an ImportError that names the extra, and one sentence."""

import sys

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.cli.commands import REFUSED, main
from mecuco_core.cluster import curvature_at
from tests.core import samples
from tests.core.datasets.files.examples import EXAMPLES


def workbook(folder):
    pd.DataFrame({"a": [1.0, 2.0, 3.0]}).to_excel(folder / "t.xlsx", index=False)
    return mc.datasets.read_table, folder / "t.xlsx"


def parquet(folder):
    pd.DataFrame({"a": [1.0, 2.0, 3.0]}).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def read(name):
    return mc.datasets.read_table, EXAMPLES[name]


WAYS = {
    "read parquet": ("pyarrow", "data", lambda f: (mc.datasets.read_table, parquet(f))),
    "score rows": ("pyarrow", "data", lambda f: (mc.score_rows, parquet(f), f / "s.csv")),
    "write parquet": ("pyarrow", "data", lambda f: (mc.score_rows, points(f), f / "s.parquet")),
    "openml": ("openml", "data", lambda _: (mc.datasets.load_openml, "never-stored@1")),
    "workbook": ("python_calamine", "data", workbook),
    "patches": ("PIL", "app", lambda _: (mc.datasets.load_bundled, "patches")),
    "hdf5": ("h5py", "data", lambda _: read("hdf5")),
    "ply": ("plyfile", "data", lambda _: read("ply")),
    "las": ("laspy", "data", lambda _: read("las")),
    "zarr": ("zarr", "zarr", lambda _: read("zarr.zip")),
    "cluster": ("dask", "cluster", lambda _: (curvature_at, "tcp://h:1", np.eye(9))),
}


def points(folder):
    np.save(folder / "points.npy", samples.gaussian(0, 30, 3))
    return folder / "points.npy"


@pytest.mark.parametrize("way", WAYS)
def test_it_is_an_import_error_that_names_the_extra(way, tmp_path, monkeypatch):
    monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path / "cache"))
    package, extra, made = WAYS[way]
    function, *arguments = made(tmp_path)
    for loaded in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, loaded, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"pip install 'mecuco\[{extra}\]'") as caught:
        function(*arguments)
    assert type(caught.value) is mc.MissingPackageError
    assert isinstance(caught.value, mc.DataError)
    assert "\n" not in str(caught.value)


def test_at_the_terminal_it_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n5,7\n")
    assert main(["score", str(path), "-o", str(tmp_path / "s.parquet")]) == REFUSED
    told = capsys.readouterr().err
    assert "pip install 'mecuco[data]'" in told
    assert "Traceback" not in told
