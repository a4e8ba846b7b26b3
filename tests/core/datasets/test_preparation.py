"""From a table to points."""

import dataclasses
import json
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.datasets import blocks
from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.errors import DataError
from mecuco_core.preparation.assembly import CATEGORIES, MISSING
from mecuco_core.preparation.prepare import Preparation, prepare
from mecuco_core.preparation.scaling import SCALES
from mecuco_core.types import METRICS

RAW = Preparation(scale="none")


def dataset(columns, target=None):
    return Dataset("table", pd.DataFrame(columns), target)


CELLS = {
    "float": st.lists(st.sampled_from([0.0, 1.5, -2.0, np.nan, np.inf]), min_size=8, max_size=8),
    "whole": st.lists(st.integers(-3, 3), min_size=8, max_size=8),
    "yes": st.lists(st.booleans(), min_size=8, max_size=8),
    "text": st.lists(st.sampled_from(["a", "b", None, "7"]), min_size=8, max_size=8),
    "category": st.lists(st.sampled_from(["u", "v", None]), min_size=8, max_size=8).map(
        pd.Categorical
    ),
    "name": st.permutations([f"n{i}" for i in range(8)]),
    "date": st.permutations(pd.date_range("2024", periods=8).tolist()),
    "empty": st.just([None] * 8),
    "nullable": st.lists(st.sampled_from([1, 2, None]), min_size=8, max_size=8).map(
        lambda values: pd.array(values, dtype="Int64")
    ),
    "list": st.just([[i] for i in range(8)]),
}
TABLES = st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=6).flatmap(
    lambda kinds: st.tuples(*(CELLS[kind] for kind in kinds)).map(
        lambda columns: pd.concat(
            [pd.Series(c, name=kind) for kind, c in zip(kinds, columns, strict=True)], axis=1
        )
    )
)
PREPARATIONS = st.builds(
    Preparation,
    categories=st.sampled_from(CATEGORIES),
    missing=st.sampled_from(MISSING),
    scale=st.sampled_from(SCALES),
    n_rows=st.sampled_from([None, 3, 5, 100]),
    metric=st.sampled_from(METRICS),
)


@settings(deadline=None)
@given(TABLES, PREPARATIONS)
def test_any_table_becomes_finite_points_with_nothing_silent_or_a_sentence(table, preparation):
    try:
        prepared = prepare(Dataset("any", table), preparation)
    except DataError:
        return
    points, report = prepared.points, prepared.report
    assert points.shape == (len(prepared.rows), len(prepared.feature_names))
    assert np.isfinite(points).all()
    assert points.flags.c_contiguous
    assert not points.flags.writeable
    assert len(set(prepared.feature_names)) == len(prepared.feature_names)
    left_out = [item.column for item in report.left_out]
    assert sorted([*report.used, *left_out]) == sorted(table.columns)
    complete, sampled = len(table) - report.n_rows_dropped, report.n_rows_sampled
    assert len(points) == (complete if sampled is None else sampled) - report.n_rows_zero
    if preparation.metric == "cosine":
        np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.0, rtol=1e-12)
    elif preparation.scale == "none":
        assert report.duplicate_rows == len(points) - len({row.tobytes() for row in points})
    json.dumps(report.as_dict(), allow_nan=False)
    assert all(sentence.endswith(".") for sentence in report.sentences())


@settings(deadline=None)
@given(TABLES, PREPARATIONS)
def test_the_same_preparation_gives_the_same_points(table, preparation):
    try:
        one = prepare(Dataset("a", table), preparation)
    except DataError:
        return
    other = prepare(Dataset("b", table.copy()), dataclasses.replace(preparation))
    assert one.fingerprint == other.fingerprint
    assert one.report == other.report


@settings(deadline=None)
@given(st.permutations(range(8)))
def test_shuffling_rows_shuffles_points(order):
    table = pd.DataFrame({"x": [1.0, np.nan, 3, 4, 5, 6, 7, 9], "t": list("aabbccdd")})
    straight, shuffled = prepare(Dataset("a", table)), prepare(Dataset("a", table.iloc[order]))
    np.testing.assert_allclose(shuffled.points, straight.points[order], atol=1e-14)


def test_block_size_does_not_show_in_the_points(monkeypatch):
    generator = np.random.default_rng(0)
    table = pd.DataFrame(generator.normal(size=(40, 30)))
    table[5] = generator.choice(["a", "b", "c"], size=40)
    table[6] = pd.Categorical(generator.choice(["u", "v"], size=40))
    preparation = Preparation(categories="one-hot", scale="robust", n_rows=25)
    before = prepare(Dataset("a", table), preparation)
    monkeypatch.setattr(blocks, "_CELLS", 60)
    monkeypatch.setattr(blocks, "_TILE", 4)
    after = prepare(Dataset("a", table), preparation)
    assert after.fingerprint == before.fingerprint
    assert after.report == before.report


@pytest.mark.parametrize("missing", MISSING)
def test_memory_is_the_points_and_a_few_blocks(monkeypatch, missing):
    monkeypatch.setattr(blocks, "_CELLS", 100_000)  # 0.8 MB a block
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(10_000, 200)))
    large = Dataset("large", table)
    tracemalloc.start()
    prepared = prepare(large, Preparation(missing=missing))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < prepared.points.nbytes + 6 * 800_000  # 16 MB and 5 MB, not 32 MB


def test_missing_values_by_hand():
    columns = {"x": [1.0, np.nan, 3.0, np.inf, 8.0], "c": ["b", "a", None, "b", "b"]}
    points = {
        missing: prepare(dataset(columns), Preparation(missing=missing, scale="none")).points
        for missing in ("zero", "median")
    }
    assert points["zero"].tolist() == [[1, 1], [0, 0], [3, -1], [0, 1], [8, 1]]
    assert points["median"].tolist() == [[1, 1], [3, 0], [3, 1], [3, 1], [8, 1]]
    columns["x"][1] = 4.0
    kept = prepare(dataset(columns), Preparation(missing="drop rows", scale="none"))
    assert kept.points.tolist() == [[1, 1], [4, 0], [8, 1]]
    assert kept.rows.tolist() == [0, 1, 4]


def test_cosine_scales_every_row_to_length_one_and_leaves_out_rows_of_zeros():
    table = pd.DataFrame({"a": [3.0, 0.0, -1e200, 0.0, 5.0], "b": [4.0, 0.0, 0.0, 0.0, 12.0]})
    prepared = prepare(Dataset("d", table), Preparation(scale="none", metric="cosine"))
    # (3, 4) / 5, (-1, 0), (5, 12) / 13
    expected = [[0.6, 0.8], [-1.0, 0.0], [5 / 13, 12 / 13]]
    np.testing.assert_allclose(prepared.points, expected, rtol=1e-15)
    assert prepared.rows.tolist() == [0, 2, 4]
    said = prepared.report.sentences()
    assert "Dropped 2 rows that have zeros only: a row of zeros has no direction (cosine)." in said
    assert "Scaled every row to length one: points are compared by direction (cosine)." in said
    assert prepared.report.duplicate_rows == 0
    with pytest.raises(DataError, match="2 rows of 'd' have a value other than 0, and metric"):
        prepare(
            Dataset("d", table.iloc[[0, 1, 3, 4]].reset_index(drop=True)),
            Preparation(scale="none", metric="cosine"),
        )


def test_minus_zero_is_zero():
    prepared = prepare(dataset({"x": [0.0, -0.0, 1.0]}), RAW)
    assert prepared.report.duplicate_rows == 1
    assert not np.signbit(prepared.points).any()


def test_one_hot_by_hand():
    columns = {"c": pd.Categorical(["b", None, "a", "b"], ["a", "b", "unused"]), "x": [1, 2, 3, 4]}
    zero = prepare(dataset(columns), Preparation(categories="one-hot", scale="none"))
    assert zero.feature_names == ("c=a", "c=b", "x")
    assert zero.points.tolist() == [[0, 1, 1], [0, 0, 2], [1, 0, 3], [0, 1, 4]]
    preparation = Preparation(categories="one-hot", missing="median", scale="none")
    assert prepare(dataset(columns), preparation).points[1].tolist() == [0, 1, 2]


def test_booleans_texts_dates_and_durations_become_numbers():
    columns = {
        "yes": [True, False, True, True],
        "number": ["1", "2.5", "3", "x"],
        "size": ["small", "large", "small", "large"],
        "when": np.array(["1970-01-02", "1970-01-03T12", "NaT", "1969-12-31"], "M8[s]"),
        "took": pd.to_timedelta([12, 24, 36, 48], unit="h"),
    }
    included = dataclasses.replace(RAW, include=tuple(columns))
    prepared = prepare(dataset(columns), included)
    assert prepared.points.tolist() == [
        [1, 1, 1, 1, 0.5],
        [0, 2.5, 0, 2.5, 1],
        [1, 3, 1, 0, 1.5],
        [1, 0, 0, -1, 2],
    ]


def test_columns_are_left_out_unless_included():
    columns = {
        "x": [1.5, 2.0, 3.0],
        "id": [10, 11, 12],
        "name": ["p", "r", "q"],
        "when": pd.date_range("1970-01-01", periods=3),
    }
    assert prepare(dataset(columns), RAW).feature_names == ("x",)
    included = dataclasses.replace(RAW, include=("when", "name", "id"))
    prepared = prepare(dataset(columns), included)
    assert prepared.feature_names == ("id", "name", "when")  # the order of the table
    assert prepared.points.tolist() == [[10, 0, 0], [11, 2, 1], [12, 1, 2]]
    dropped = dataclasses.replace(included, categories="drop")
    assert prepare(dataset(columns), dropped).feature_names == ("id", "when")
    excluded = dataclasses.replace(included, include=None, exclude=("id",))
    reasons = {
        item.column: item.reason for item in prepare(dataset(columns), excluded).report.left_out
    }
    assert reasons == {
        "id": "excluded",
        "name": "identifier: every value is different",
        "when": "dates",
    }


def test_names_that_repeat_are_numbered():
    table = pd.DataFrame([[1, 2, 3, 4]] * 3, columns=["a", "a", "a (2)", "a"])
    prepared = prepare(Dataset("a", table), RAW)
    assert prepared.feature_names == ("a", "a (3)", "a (2)", "a (4)")
    assert prepared.report.renamed == ("a (3)", "a (4)")
    assert prepare(Dataset("a", table), Preparation(exclude=("a",))).points.shape == (3, 1)


def test_the_target_follows_the_rows():
    target = pd.Series(list("aabbccddee"), index=range(50, 60), name="y")
    columns = {"x": [1.0, np.nan, *range(8)]}
    preparation = Preparation(missing="drop rows", n_rows=5, stratify=True, seed=3)
    prepared = prepare(dataset(columns, target), preparation)
    assert 1 not in prepared.rows
    assert prepared.target.tolist() == target.iloc[prepared.rows].tolist()
    assert prepared.target.tolist() == list("abcde")  # one of each class
    assert prepared.target.index.tolist() == [0, 1, 2, 3, 4]
    assert prepare(dataset(columns)).target is None


def test_the_fingerprint_is_of_points_and_names():
    one = prepare(dataset({"x": [1, 2, 3]}))
    assert prepare(dataset({"x": [1.0, 2.0, 3.0]})).fingerprint == one.fingerprint
    assert prepare(dataset({"y": [1, 2, 3]})).fingerprint != one.fingerprint
    assert prepare(dataset({"x": [1, 2, 4]})).fingerprint != one.fingerprint


def test_points_cannot_be_changed():
    prepared = prepare(load_bundled("iris"))
    for array in (prepared.points, prepared.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


NAMES = {"x": [1, 2, 3], "sizes": [[1], [2], [3]], "t": ["a", "a", "b"]}
REFUSED = {
    "choice": (lambda: Preparation(scale="log"), "scale must be one of 'standard', .* got 'log'"),
    "n_rows": (lambda: Preparation(n_rows=2), "n_rows must be a whole number, at least 3, got 2"),
    "n_rows type": (lambda: Preparation(n_rows=10.5), "got 10.5"),
    "seed": (lambda: Preparation(seed=-1), "seed must be a whole number, at least 0"),
    "text for list": (lambda: Preparation(include="x"), "include must be a list of column names"),
    "in and out": (lambda: Preparation(include=["x"], exclude=["x"]), "'x' is both"),
    "rows": (lambda: prepare(dataset({"x": [1, 2]})), "has 2 rows: at least 3"),
    "unknown in": (
        lambda: prepare(dataset(NAMES), Preparation(include=("size",))),
        "include names 'size', which is no column: did you mean 'sizes'",
    ),
    "unknown out": (
        lambda: prepare(dataset(NAMES), Preparation(exclude=("qqq",))),
        "exclude names 'qqq', which is no column: the columns are 'x', 'sizes', 't'",
    ),
    "unreadable": (
        lambda: prepare(dataset(NAMES), Preparation(include=("sizes",))),
        "'sizes' cannot be included: objects of type list",
    ),
    "nothing": (
        lambda: prepare(dataset({"t": ["a", "b", "c"]})),
        "no column can be used .*identifier",
    ),
    "no columns": (
        lambda: prepare(Dataset("a", pd.DataFrame(index=range(5)))),
        "no column can be used .the table has none",
    ),
    "all categories dropped": (
        lambda: prepare(dataset({"t": ["a", "a", "b"]}), Preparation(categories="drop")),
        "no column can be used",
    ),
    "no complete row": (
        lambda: prepare(dataset({"x": [1, None, 3]}), Preparation(missing="drop rows")),
        "only 2 of 3 rows have no missing value .*'x', where 1 are missing",
    ),
    "only empty columns": (
        lambda: prepare(dataset({"x": [None] * 3}), Preparation(missing="drop rows")),
        "no column can be used .*every value is missing",
    ),
    "empty one-hot": (
        lambda: prepare(
            dataset({"c": pd.Categorical([None] * 3, ["a"])}), Preparation(categories="one-hot")
        ),
        "no column can be used .1 × every value is missing",
    ),
    "one-hot of too many": (
        lambda: prepare(
            dataset({"c": pd.Categorical(range(1001))}), Preparation(categories="one-hot")
        ),
        "'c' has 1,001 categories, and one-hot takes at most 1,000",
    ),
    "stratify": (
        lambda: prepare(dataset({"x": range(9)}), Preparation(n_rows=3, stratify=True)),
        "stratify needs a target",
    ),
}


@pytest.mark.parametrize(("act", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_with_a_sentence(act, message):
    with pytest.raises(DataError, match=message):
        act()


def test_a_missing_category_is_told_to_be_none_where_each_has_a_feature():
    table = pd.DataFrame({"n": [1.0, 2.0, 3.0, 4.0], "cat": ["a", None, "b", "a"]})
    made = prepare(
        Dataset(name="made", table=table), Preparation(categories="one-hot", scale="none")
    )
    assert made.points[1].tolist() == [2.0, 0.0, 0.0]
    (line,) = [line for line in made.report.sentences() if "missing value" in line]
    assert line.startswith("Filled 1 missing value with no category, 0 in every feature of the")
