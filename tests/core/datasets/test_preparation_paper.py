"""The default preparation is the protocol of the paper."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.preparation.prepare import Preparation, prepare

SHARED = Path(__file__).parents[4] / "shared" / "data"


def paper_points(table):
    """The paper's protocol as its words say it."""
    table = table.copy()
    for name in table.columns[[isinstance(d, pd.CategoricalDtype) for d in table.dtypes]]:
        table[name] = table[name].cat.codes
    return StandardScaler().fit_transform(np.nan_to_num(table.to_numpy(dtype=np.float64)))


@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer", "digits", "diabetes"])
def test_the_paper_is_the_standard_scaler_on_bundled_sets(name):
    bundled = load_bundled(name)
    points = prepare(bundled, Preparation.paper()).points
    np.testing.assert_allclose(points, paper_points(bundled.table), rtol=1e-12, atol=1e-12)


def test_the_paper_codes_categories_and_fills_with_zero():
    table = pd.DataFrame(
        {
            "c": pd.Categorical(["v", None, "u", "v", "u"], ["u", "v", "unused"]),
            "x": [1.0, np.nan, 3.0, 4.0, 8.0],
            "constant": [0.1] * 5,
            "empty": [np.nan] * 5,
        }
    )
    prepared = prepare(Dataset("a", table))
    np.testing.assert_allclose(prepared.points, paper_points(table), atol=1e-15)
    assert prepared.report.constant == ("constant", "empty")
    assert prepared.report.empty == ("empty",)
    assert Preparation() == Preparation.paper() == prepared.preparation


def shared_names():
    manifest = SHARED / "MANIFEST.csv"
    if not manifest.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="../shared/data is not here"))]
    with manifest.open(encoding="utf-8") as lines:
        return [(line["name"], int(line["n"]), int(line["m"])) for line in csv.DictReader(lines)]


@pytest.mark.thorough
@pytest.mark.parametrize("line", shared_names(), ids=lambda line: line and line[0])
def test_the_paper_protocol_gives_the_sizes_of_the_paper(line):
    name, n, m = line
    table = pd.read_parquet(SHARED / f"{name}.parquet")
    assert len(table) == n
    part = table.head(5000)  # 70 000 x 784 takes seconds
    features = part.drop(columns="target")
    prepared = prepare(Dataset(name, features, part["target"]))
    assert prepared.points.shape == (len(part), m)
    np.testing.assert_allclose(prepared.points, paper_points(features), atol=1e-11)
