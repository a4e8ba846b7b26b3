"""Dataset: what it keeps, what it refuses, and how its target is changed."""

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.base import Dataset, Truth
from mecuco_core.errors import DataError


def test_changing_the_table_afterwards_does_not_change_the_dataset():
    table, truth = pd.DataFrame({"x": [1.0, 2.0]}), np.ones(2)
    dataset = Dataset("a", table, truth=Truth(truth))
    table.iloc[0, 0], truth[0] = 9.0, 9.0
    assert dataset.table.iloc[0, 0] == 1.0
    assert dataset.truth.mean[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        dataset.truth.mean[0] = 2.0


def test_with_target_moves_columns_and_nothing_else():
    table = pd.DataFrame({"x": [1, 2], "y": ["a", "b"]})
    dataset = Dataset("a", table, pd.Series([5, 6], index=[8, 9], name="z"))
    moved = dataset.with_target("y")
    assert moved.feature_names == ["x", "z"]
    assert moved.table["z"].tolist() == [5, 6]
    assert (moved.target_name, moved.target.tolist()) == ("y", ["a", "b"])
    assert moved.with_target("z").with_target(None).feature_names == ["x", "y", "z"]
    assert dataset.with_target(None).target is None
    assert dataset.with_target("z").fingerprint == dataset.fingerprint


def test_with_target_goes_by_position_where_the_index_repeats():
    table = pd.DataFrame({"x": [1, 2], "y": [3, 4]}, index=[7, 7])
    moved = Dataset("a", table, pd.Series([5, 6], index=[1, 1], name="z")).with_target("x")
    assert moved.table.to_numpy().tolist() == [[3, 5], [4, 6]]
    assert moved.target.tolist() == [1, 2]


def test_an_old_target_never_overwrites_a_feature():
    dataset = Dataset("a", pd.DataFrame({"target": [1, 2]}), pd.Series([3, 4]))
    freed = dataset.with_target(None)
    assert freed.feature_names == ["target", "target 2"]
    assert freed.table.to_numpy().tolist() == [[1, 3], [2, 4]]


def test_an_image_is_no_image_once_it_has_another_column():
    table = pd.DataFrame(np.arange(8).reshape(2, 4))
    dataset = Dataset("a", table, pd.Series([0, 1], name="y"), image_shape=(2, 2))
    assert dataset.with_target(None).image_shape is None
    assert dataset.with_target("y").image_shape == (2, 2)
    assert dataset.with_target("3").table.shape == (2, 4)


def test_numbered_columns_are_found_by_their_text():
    dataset = Dataset("a", pd.DataFrame(np.arange(4).reshape(2, 2)))
    assert dataset.with_target("1").target.tolist() == [1, 3]


class Opaque:
    pass


ERRORS = {
    "target length": (
        lambda: Dataset("a", pd.DataFrame({"x": [1]}), pd.Series([1, 2])),
        "2 values, 1 rows",
    ),
    "target type": (lambda: Dataset("a", pd.DataFrame({"x": [1]}), [1]), "got list"),
    "table type": (lambda: Dataset("a", np.ones((2, 2))), "got ndarray"),
    "image": (
        lambda: Dataset("a", pd.DataFrame({"x": [1]}), image_shape=(2, 2)),
        "needs 4 features, the table has 1",
    ),
    "truth": (
        lambda: Dataset("a", pd.DataFrame({"x": [1]}), truth=Truth(np.ones(2))),
        "one value per row",
    ),
    "opaque objects": (
        lambda: Dataset("a", pd.DataFrame({"x": [Opaque()]})),
        "column 'x' holds objects of type Opaque",
    ),
    "unknown target": (
        lambda: Dataset("a", pd.DataFrame({"x": [1]})).with_target("y"),
        "got 'y'",
    ),
    "target of two columns": (
        lambda: Dataset("a", pd.DataFrame([[1, 2]], columns=["x", "x"])).with_target("x"),
        "2 are called 'x'",
    ),
}


@pytest.mark.parametrize(("make", "message"), ERRORS.values(), ids=ERRORS)
def test_what_is_no_dataset_is_refused_with_a_sentence(make, message):
    with pytest.raises(DataError, match=message):
        make()
