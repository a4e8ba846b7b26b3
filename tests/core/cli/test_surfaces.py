"""`mecuco score -m quadric`: a table of curvatures with their error bars."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import mecuco as mc
from mecuco_core.cli.commands import main
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.preparation.prepare import Preparation, prepare

TORUS = "manifold:torus,n_points=600,seed=3"


def score(capsys, *words):
    code = main(["score", *words])
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed


def test_the_table_holds_the_shape_operator_of_the_rows(capsys):
    printed = score(capsys, TORUS, "-m", "quadric", "-d", "2")
    table = pd.read_csv(io.StringIO(printed.out))
    points = prepare(load_manifold("torus", 600, seed=3), Preparation(scale="none")).points
    expected = mc.shape_operator(points, dimension=2)
    assert list(table.columns) == [
        "row", "mean_curvature", "error", "fit", "poor_fit", "gaussian_curvature",
        "principal_curvature_1", "principal_curvature_2", "knn_distance",
    ]  # fmt: skip
    np.testing.assert_allclose(table["mean_curvature"], expected.mean_curvature, rtol=1e-12)
    np.testing.assert_allclose(table["error"], expected.error, rtol=1e-12)
    np.testing.assert_allclose(table["principal_curvature_2"], expected.principal_curvatures[:, 1])
    assert "mode quadric, dimension 2, k = " in printed.err
    assert "median error bar" in printed.err


def test_a_surface_is_not_scaled_unless_asked(capsys):
    printed = score(capsys, "iris", "-m", "quadric", "-k", "20")
    table = pd.read_csv(io.StringIO(printed.out))
    raw = prepare(load_bundled("iris"), Preparation(scale="none")).points
    np.testing.assert_allclose(table["mean_curvature"], mc.shape_operator(raw, 20), rtol=1e-9)
    asked = score(capsys, "iris", "-m", "quadric", "-k", "20", "--prepare", "scale=standard")
    standard = prepare(load_bundled("iris"), Preparation(scale="standard")).points
    table = pd.read_csv(io.StringIO(asked.out))
    np.testing.assert_allclose(table["mean_curvature"], mc.shape_operator(standard, 20), rtol=1e-9)


def test_an_estimated_dimension_says_how_sure_it_is(capsys):
    printed = score(capsys, TORUS, "-m", "quadric", "-d", "auto", "--json")
    told = json.loads(printed.out)
    assert (told["mode"], told["dimension"]) == ("quadric", 2)
    assert told["n_poor"] == sum(row["poor_fit"] for row in told["scores"]) < 200
    assert told["dimension_estimate"] == pytest.approx(2.0, abs=0.2)
    assert told["dimension_confidence"] > 0.8
    assert "% sure)" in printed.err


def test_rows_that_are_left_out_stay_as_empty_rows(capsys, tmp_path):
    points = load_manifold("sphere", 200).table
    points.loc[5, "x"] = np.nan
    path = tmp_path / "sphere.csv"
    points.to_csv(path, index=False)
    words = [str(path), "-m", "quadric", "--prepare", "missing=drop-rows"]
    table = pd.read_csv(io.StringIO(score(capsys, *words).out))
    assert len(table) == 200
    assert table.loc[5].drop("row").isna().all()
    np.testing.assert_allclose(table["mean_curvature"].dropna(), 1.0, rtol=1e-3)
