"""The columns of the exports, by name and by value."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.measures.exports import export_table
from mecuco_core.preparation.prepare import Preparation, prepare
from mecuco_core.runtime.writing import as_parquet, as_text

DOCUMENT = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")


@pytest.fixture
def torus():
    dataset = load_manifold("torus", 300)
    return dataset, prepare(dataset, Preparation(scale="none"))


def test_the_halves_of_the_score_are_scatter_and_alignment(torus):
    result = mc.curvature(torus[1].points, 8, mode="haar")
    table = export_table(*torus, result)
    near = torus[1].points[result.graph.indices[5]]
    trace = np.trace(np.cov(near.T))  # tau, by NumPy
    assert table["scatter"][5] == pytest.approx(trace / 2)
    np.testing.assert_allclose(table["scatter"] + table["alignment"], table["score"])
    assert (table["alignment"] <= table["scatter"]).all()
    assert set(table["covariance_rank"]) == {3}
    assert table["knn_distance"][5] == pytest.approx(np.linalg.norm(near[-1] - torus[1].points[5]))


@pytest.mark.parametrize("surface", [False, True])
def test_every_column_is_documented_and_none_is_called_shape_or_curvature(torus, surface):
    points = torus[1].points
    result = mc.shape_operator(points, 20, dimension=2) if surface else mc.curvature(points, 8)
    columns = set(export_table(*torus, result, why=not surface).columns)
    assert not columns & {"shape", "curvature", "rank"}
    documented = set(re.findall(r"`(\w+)`", DOCUMENT)) | {"principal_curvature_2"}
    assert columns <= documented


def test_values_of_several_kinds_can_be_written(tmp_path):
    table = pd.DataFrame(
        {
            "a": [1, "x", None],
            "b": pd.Categorical([1, None, 2]),
            "c": [1j, 2, 3],
            "d": pd.arrays.SparseArray([0.0, 0.0, 1.5]),
            "f": [True, None, False],
            "=e": ["=1", "-1", "b"],
        }
    )
    as_parquet(table).to_parquet(tmp_path / "t.parquet")
    back = pd.read_parquet(tmp_path / "t.parquet")
    assert back["a"].tolist()[:2] == ["1", "x"]
    assert back["b"].tolist()[::2] == [1, 2]
    assert back["d"].tolist() == [0.0, 0.0, 1.5]
    assert back["f"].tolist() == [True, pd.NA, False]
    lines = as_text(table).to_csv(index=False).splitlines()
    assert lines[0] == "a,b,c,d,f,'=e"
    assert [line.rpartition(",")[2] for line in lines[1:]] == ["'=1", "-1", "b"]


def test_columns_of_one_name_are_told_apart():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(30, 3)), columns=["a", "a", "row"])
    dataset = Dataset("twice", table)
    prepared = prepare(dataset)
    found = export_table(dataset, prepared, mc.curvature(prepared.points), columns=True)
    assert list(found.columns[-3:]) == ["a", "a 2", "row 2"]
