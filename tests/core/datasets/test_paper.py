from pathlib import Path

import arff
import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.images import KNOWN_SHAPES
from mecuco_core.datasets.openml import load_openml
from mecuco_core.datasets.paper import PAPER_DATASETS, load_paper_dataset, paper_dataset
from mecuco_core.errors import DataError
from tests.openml_server import OpenMLServer, Served, iris

SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture
def server(monkeypatch, tmp_path):
    with OpenMLServer() as running:
        monkeypatch.setenv("MECUCO_OPENML_SERVER", running.address)
        monkeypatch.setenv("MECUCO_CACHE_DIR", str(tmp_path))
        yield running


def served(number: int, name: str, frame: pd.DataFrame, version: int = 1) -> Served:
    """Return a dataset whose file is written by liac-arff, the package that reads it elsewhere."""
    attributes = [
        (column, frame[column].cat.categories.tolist())
        if isinstance(frame[column].dtype, pd.CategoricalDtype)
        else (column, "REAL")
        for column in frame.columns
    ]
    values = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    content = arff.dumps({"relation": name, "attributes": attributes, "data": values})
    return Served(
        number,
        name,
        content.encode(),
        version=version,
        target="target",
        n_rows=frame.shape[0],
        n_columns=frame.shape[1],
    )


# The list


def test_the_list_is_that_of_the_paper():
    assert len(PAPER_DATASETS) == 65
    assert len({dataset.name for dataset in PAPER_DATASETS}) == 65
    assert sum(dataset.tables == (1, 2) for dataset in PAPER_DATASETS) == 40
    assert sum(dataset.tables == (3,) for dataset in PAPER_DATASETS) == 25
    bundled = {dataset.name for dataset in PAPER_DATASETS if dataset.source == "bundled"}
    assert bundled == {"iris", "wine", "breast-cancer", "digits"}
    assert all(
        (dataset.version is not None) == (dataset.source == "openml") for dataset in PAPER_DATASETS
    )


def test_a_line_of_the_list_by_hand():
    line = paper_dataset("GesturePhaseSegmentation")
    assert (line.n_rows, line.n_features, line.n_classes) == (9873, 32, 5)
    assert (line.source_name, line.version) == ("GesturePhaseSegmentationProcessed", 1)
    assert paper_dataset("Speech").n_classes is None


@pytest.mark.parametrize(
    "name", ["usps", " USPS ", "Mnist_784", "GesturePhaseSegmentationProcessed"]
)
def test_case_does_not_matter_nor_which_name_is_used(name):
    assert name.strip().casefold() in {
        paper_dataset(name).name.casefold(),
        paper_dataset(name).source_name.casefold(),
    }


def test_known_picture_shapes_fit_the_number_of_features():
    for name, (height, width) in KNOWN_SHAPES.items():
        assert paper_dataset(name).n_features == height * width


def test_an_unknown_name_is_refused_with_the_nearest_ones():
    with pytest.raises(DataError, match=r"has no dataset 'USP': did you mean USPS\?"):
        load_paper_dataset("USP")
    with pytest.raises(DataError, match="has no dataset 'xyzzy': see PAPER_DATASETS"):
        load_paper_dataset("xyzzy")


# Loading


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "digits"])
def test_sets_of_scikit_learn_need_no_network(server, name):
    dataset, line = load_paper_dataset(name), paper_dataset(name)
    assert server.log == []
    assert (dataset.n_rows, dataset.n_features) == (line.n_rows, line.n_features)
    assert dataset.target.nunique() == line.n_classes


def test_the_version_of_the_paper_is_asked_for(server):
    for version in (1, 4):
        frame = pd.DataFrame({"x": [float(version)], "target": pd.Categorical(["a"])})
        server.add(served(40 + version, "collins", frame, version))
    assert load_paper_dataset("collins").table["x"].tolist() == [4.0]


def test_another_size_than_the_paper_states_is_said(server):
    server.add(iris(61, name="seeds"))
    said = []
    load_paper_dataset("seeds", notify=said.append)
    assert said == ["seeds has 60 rows and 2 features here, 210 and 7 in the paper"]


def test_settings_are_passed_on(server):
    server.add(iris(61, name="seeds"))
    with pytest.raises(DataError, match="is not stored"):
        load_paper_dataset("seeds", offline=True)
    with pytest.raises(DataError, match=r"limit .max_bytes. is 100 bytes"):
        load_paper_dataset("seeds", max_bytes=100)
    seen = []
    load_paper_dataset("seeds", progress=lambda done, total: seen.append(done))
    assert seen


# Real files, served by us


REAL = [
    ("car-evaluation", 1),
    ("seeds", 1),
    ("solar-flare", 4),
    ("thoracic_surgery", 1),
    ("vowel", 1),
]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there")
@pytest.mark.parametrize(("name", "version"), REAL)
def test_a_real_dataset_comes_back_as_it_was(server, name, version):
    frame = pd.read_parquet(SHARED / f"{name}.parquet")
    server.add(served(100, name, frame, version))
    dataset = load_paper_dataset(name)
    pd.testing.assert_frame_equal(
        dataset.table, frame.drop(columns="target"), check_dtype=False, check_exact=True
    )
    pd.testing.assert_series_equal(dataset.target, frame["target"])
    codes = [column.cat.codes for _, column in frame.items() if column.dtype == "category"]
    found = [column.cat.codes for _, column in dataset.table.items() if column.dtype == "category"]
    assert [series.tolist() for series in [*found, dataset.target.cat.codes]] == [
        series.tolist() for series in codes
    ]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there")
@pytest.mark.parametrize("name", ["iris", "digits"])
def test_the_bundled_copy_has_the_numbers_of_the_shared_one(server, name):
    frame = pd.read_parquet(SHARED / f"{name}.parquet")
    server.add(served(100, name, frame))
    values = frame.drop(columns="target").to_numpy(dtype=float)
    bundled, downloaded = load_paper_dataset(name), load_openml(name)
    np.testing.assert_array_equal(bundled.table, values)
    np.testing.assert_array_equal(downloaded.table, values)
    assert bundled.target.cat.codes.tolist() == downloaded.target.cat.codes.tolist()
    assert bundled.image_shape == downloaded.image_shape
