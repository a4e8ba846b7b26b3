"""Datasets from frames, arrays, tensors and cells in memory."""

import sys

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import mecuco as mc
from mecuco_core.datasets.memory.door import brought

N = 12
VALUES = np.random.default_rng(0).standard_normal((N, 4)).astype(np.float32)
NAMES = [f"row {i}" for i in range(N)]
ABOUT = pd.DataFrame({"word": NAMES, "kind": ["a", "b"] * (N // 2)})


class Tensor:
    """Becomes an array when NumPy asks, as torch and JAX do."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


class OnDevice:
    """A tensor on a graphics card."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


class OnlyDlpack:
    """A tensor that NumPy reads by DLPack."""

    def __dlpack__(self, **options):
        return VALUES.__dlpack__(**options)

    def __dlpack_device__(self):
        return VALUES.__dlpack_device__()


def check_points(dataset):
    """Check that the vectors are the values, and the points too."""
    np.testing.assert_array_equal(dataset.table[list(dataset.vectors.columns)], VALUES)
    np.testing.assert_array_equal(mc.datasets.prepare(dataset).points, VALUES)


@pytest.mark.parametrize(
    "data",
    [
        VALUES,
        sparse.csr_matrix(VALUES),
        sparse.coo_array(VALUES),
        VALUES.tolist(),
        Tensor(VALUES),
        OnlyDlpack(),
    ],
    ids=["array", "csr", "coo", "lists", "tensor", "dlpack"],
)
def test_an_array_is_vectors_beside_what_describes_its_rows(data):
    check_points(mc.datasets.from_memory(data))
    dataset = mc.datasets.from_memory(data, metadata=ABOUT, target="kind")
    check_points(dataset)
    assert dataset.feature_names == ["word", "x[0]", "x[1]", "x[2]", "x[3]"]
    assert dataset.target.tolist() == ABOUT["kind"].tolist()
    assert dataset.provenance.source == "memory"


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "arrow fixed"])
def test_a_column_of_vectors_in_a_frame_is_the_points(kind):
    columns = {"word": NAMES, "v": list(VALUES), "kind": ABOUT["kind"].tolist()}
    fixed = pa.FixedSizeListArray.from_arrays(pa.array(VALUES.ravel()), 4)
    frame = {
        "pandas": lambda: pd.DataFrame(columns),
        "polars": lambda: pl.DataFrame(columns),
        "arrow": lambda: pa.table({**columns, "v": pa.array(list(VALUES))}),
        "arrow fixed": lambda: pa.table({**columns, "v": fixed}),
    }[kind]()
    found = brought(frame, find_target=True)
    check_points(found.dataset)
    assert found.dataset.vectors.name == "v"
    assert found.dataset.target_name == "kind" or found.dataset.target is None
    assert found.dataset.table["word"].tolist() == NAMES
    assert any("holds vectors" in note for note in found.notes)
    without = mc.datasets.from_memory(frame, vectors="")
    assert without.vectors is None


def test_points_may_be_given_beside_a_frame():
    dataset = mc.datasets.from_memory(ABOUT, vectors=VALUES)
    check_points(dataset)
    assert dataset.feature_names[:2] == ["word", "kind"]


@pytest.mark.parametrize("of", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_of_numbers_keeps_its_columns_and_types(of):
    columns = {"a": np.arange(N), "b": VALUES[:, 0], "c": [True, False] * (N // 2), "d": NAMES}
    dataset = mc.datasets.from_memory(of(columns))
    assert [str(dtype) for dtype in dataset.table.dtypes] == ["int64", "float32", "bool", "str"]
    for name, values in columns.items():
        assert dataset.table[name].tolist() == list(values)
    assert dataset.vectors is None


def test_what_the_rows_are_called_is_kept_and_is_no_feature():
    frame = pd.DataFrame(VALUES, columns=list("abcd"), index=NAMES)
    found = brought(frame)
    assert found.labels.tolist() == NAMES
    assert found.dataset.table["id"].tolist() == NAMES
    assert mc.datasets.prepare(found.dataset).feature_names == ("a", "b", "c", "d")
    numbered = brought(frame.set_axis(range(100, 100 + N)))
    assert numbered.labels.tolist() == list(range(100, 100 + N))
    assert mc.datasets.prepare(numbered.dataset).feature_names == ("a", "b", "c", "d")
    assert "id" not in brought(frame.reset_index(drop=True)).dataset.table
    chosen = brought(ABOUT.assign(a=VALUES[:, 0]), ids="word")
    assert chosen.labels.tolist() == NAMES
    assert "id" not in chosen.dataset.table  # the column says it
    assert brought(VALUES, ids=NAMES).labels.tolist() == NAMES


def test_cells_are_a_representation_beside_obs():
    cells = anndata.AnnData(
        np.ones((N, 3), np.float32),
        obs=ABOUT.set_index("word"),
        obsm={"X_pca": VALUES, "X_umap": VALUES[:, :2]},
    )
    found = brought(cells, target="kind")
    check_points(found.dataset)
    assert found.dataset.vectors.columns[0] == "X_pca[0]"
    assert found.labels.tolist() == NAMES
    assert found.dataset.target.tolist() == ABOUT["kind"].tolist()
    umap = mc.datasets.from_memory(cells, use_rep="X_umap")
    assert umap.vectors.columns == ("X_umap[0]", "X_umap[1]")
    genes = mc.datasets.from_memory(cells, use_rep="X")
    assert genes.vectors.columns == ("0", "1", "2")  # the names of the genes


def test_a_target_is_found_by_its_name_and_said():
    frame = pd.DataFrame(VALUES, columns=list("abcd")).assign(label=ABOUT["kind"])
    found = brought(frame, find_target=True)
    assert found.dataset.target_name == "label"
    assert "taken as the target" in found.notes[0]
    assert brought(frame, find_target=True, target=False).dataset.target is None
    assert mc.datasets.from_memory(frame).target is None
    listed = mc.datasets.from_memory(VALUES, target=ABOUT["kind"].tolist())
    assert listed.target.tolist() == ABOUT["kind"].tolist()


def test_a_dataset_is_taken_as_it_is():
    torus = mc.datasets.load_manifold("torus", n_points=20)
    assert mc.datasets.from_memory(torus) is torus


def test_an_array_that_changes_later_changes_nothing():
    values = VALUES.copy()
    dataset = mc.datasets.from_memory(values)
    values[:] = 0.0
    check_points(dataset)


def with_nan():
    values = VALUES.copy()
    values[[3, 7], 1] = [np.nan, np.inf]
    return values


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        (with_nan(), {}, r"2 rows of data \(3, 7, counted from 0\) hold values that are missing"),
        (VALUES.reshape(N, 2, 2), {}, "got 3 dimensions"),
        (VALUES[:0], {}, "data is empty"),
        (VALUES.astype(complex), {}, "data must be real numbers"),
        ([["a", "b"]], {}, "data must be real numbers"),
        (OnDevice(), {}, r"bring it to main memory first, as in data\.detach\(\)\.cpu\(\)"),
        (pd.DataFrame(), {}, "the frame is empty"),
        (VALUES, {"metadata": ABOUT[:5]}, "metadata must have one row for each point: 5 rows, 12"),
        (VALUES, {"vectors": "v"}, "vectors= does not go with data of type array"),
        (VALUES, {"use_rep": "X"}, "use_rep is for an AnnData, got ndarray"),
        (ABOUT, {"metadata": ABOUT}, "metadata= does not go with data of type frame"),
        (ABOUT, {"target": "sort"}, "target must be one of the columns word, kind, got 'sort'"),
        (ABOUT, {"target": [1, 2]}, "target must have one value for each row: 2 values, 12 rows"),
        (ABOUT, {"ids": "name"}, "ids must be one of the columns, or a list, got 'name'"),
        (ABOUT, {"vectors": "w"}, "vectors must name a column of vectors, got 'w'"),
        (object(), {}, "data must be real numbers"),
    ],
)
def test_what_cannot_be_rows_of_points_is_one_sentence(data, options, sentence):
    with pytest.raises(mc.DataError, match=sentence) as caught:
        mc.datasets.from_memory(data, **options)
    assert "\n" not in str(caught.value)


def test_frames_of_others_need_pyarrow(monkeypatch):
    frame = pl.DataFrame({"a": [1, 2, 3]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(mc.MissingPackageError, match=r"pip install 'mecuco\[data\]'"):
        mc.datasets.from_memory(frame)
