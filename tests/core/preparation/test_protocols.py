"""The two protocols: laws of the sensible one, and that the paper's is what it was."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.datasets.base import Dataset, Provenance, Vectors
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.datasets.manifolds import load_manifold
from mecuco_core.errors import DataError
from mecuco_core.preparation.mending.mends import Mend
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.protocol import (
    PAPER,
    SENSIBLE,
    VECTORS,
    Preparation,
    starting_preparation,
)

N = 40
NUMBERS = st.sampled_from([0.0, 1.5, -2.0, 3.0, 7.25, np.nan, np.inf, 1e6])
CELLS = {
    "number": st.lists(NUMBERS, min_size=N, max_size=N),
    "whole": st.lists(st.integers(-3, 9), min_size=N, max_size=N),
    "yes": st.lists(st.booleans(), min_size=N, max_size=N),
    "text": st.lists(st.sampled_from(["a", "A ", "b", None, "c"]), min_size=N, max_size=N),
    "share": st.lists(st.sampled_from(["1%", "2.5%", "0%", None]), min_size=N, max_size=N),
    "price": st.lists(st.sampled_from(["$1,200", "$3.50", "($4)"]), min_size=N, max_size=N),
    "kind": st.lists(st.sampled_from(["u", "v", None]), min_size=N, max_size=N).map(pd.Categorical),
}
TABLES = st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=5, unique=True).flatmap(
    lambda kinds: st.fixed_dictionaries({kind: CELLS[kind] for kind in kinds}).map(pd.DataFrame)
)


def sensible_points(table):
    return prepare(Dataset("t", table), SENSIBLE)


@settings(deadline=None, max_examples=60)
@given(TABLES, st.permutations(range(N)))
def test_shuffling_rows_shuffles_the_sensible_points(table, order):
    try:
        straight = sensible_points(table)
    except DataError:
        return
    shuffled = sensible_points(table.iloc[list(order)].reset_index(drop=True))
    assert shuffled.feature_names == straight.feature_names
    np.testing.assert_allclose(shuffled.points, straight.points[list(order)], atol=1e-12)


@settings(deadline=None, max_examples=60)
@given(TABLES)
def test_sensible_points_are_finite_and_say_all_that_was_done(table):
    try:
        prepared = sensible_points(table)
    except DataError:
        return
    report = prepared.report
    assert np.isfinite(prepared.points).all()
    left_out = [item.column for item in report.left_out]
    assert sorted([*report.used, *left_out]) == sorted(table.columns)
    assert all(sentence.endswith(".") for sentence in report.sentences())


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([-999.0, 20.0, 35.0, 41.0]), min_size=N, max_size=N))
def test_a_mended_sentinel_gives_the_points_of_a_missing_value(values):
    other = np.linspace(0.0, 1.0, N)
    written = pd.DataFrame({"age": np.array(values).astype(int), "x": other})
    missing = pd.DataFrame({"age": np.where(np.array(values) == -999, np.nan, values), "x": other})
    mend = Mend.parse("age: -999 is missing")
    for start in (SENSIBLE, PAPER, Preparation(missing="drop rows")):
        try:
            wanted = prepare(Dataset("t", missing), start)
        except DataError:
            continue
        mended = prepare(Dataset("t", written), start.with_mend(mend))
        assert mended.fingerprint == wanted.fingerprint


def test_a_percent_is_the_number_it_says_and_money_too():
    numbers = [6.6, 0.0, 12.5, 7.0, 3.25, 1.0]
    table = pd.DataFrame(
        {"share": [f"{x}%" for x in numbers], "cost": [f"€{1000 * x:,.2f}" for x in numbers]}
    )
    plain = pd.DataFrame({"share": numbers, "cost": [1000 * x for x in numbers]})
    read = sensible_points(table)
    assert read.fingerprint == sensible_points(plain).fingerprint
    said = " ".join(read.report.sentences())
    assert "percent texts read as numbers, '6.6%' as 6.6" in said
    assert "money texts read as numbers, '€6,600.00' as 6600" in said
    with pytest.raises(DataError, match="no column can be used"):
        prepare(Dataset("t", table))  # the paper's: six words, each of its own
    mended = Preparation().with_mend(Mend("numbers", "share"))
    assert prepare(Dataset("t", table), mended).feature_names == ("share",)


def test_two_categories_yes_and_no_are_one_standard_deviation_apart():
    table = pd.DataFrame({"c": ["u", "v", "w"] * 20, "yes": [True, False] * 30})
    prepared = sensible_points(table)
    assert prepared.feature_names == ("c=u", "c=v", "c=w", "yes")
    points = prepared.points
    np.testing.assert_allclose(np.linalg.norm(points[0, :3] - points[1, :3]), 1.0)
    assert set(points[:, 3]) == {0.0, 1.0}


def test_rare_levels_are_joined_and_a_column_of_too_many_is_left_out_unless_asked_for():
    rare = ["r1", "r2", "r3"]
    table = pd.DataFrame(
        {
            "c": ["u"] * 60 + ["v"] * 57 + rare,
            "many": pd.Categorical([f"m{i % 24}" for i in range(120)]),
            "x": np.arange(120.0),
        }
    )
    prepared = sensible_points(table)
    assert prepared.feature_names == ("c=u", "c=v", "c=other", "x")
    assert prepared.points[-3:, 2].tolist() == [0.5**0.5] * 3
    reasons = {item.column: item.reason for item in prepared.report.left_out}
    assert reasons == {"many": "more than 20 categories"}
    asked = prepare(Dataset("t", table), SENSIBLE.with_role("many", "feature"))
    assert sum(name.startswith("many=") for name in asked.feature_names) == 21
    assert "many=other" in asked.feature_names


@pytest.mark.parametrize(("n_missing", "is_marked"), [(4, False), (5, True), (9, True)])
def test_five_missing_values_that_are_5_percent_are_marked(n_missing, is_marked):
    values = np.arange(100.0)
    values[:n_missing] = np.nan
    prepared = sensible_points(pd.DataFrame({"x": values, "y": np.arange(100.0)[::-1]}))
    assert ("x is missing" in prepared.feature_names) == is_marked
    if is_marked:
        assert prepared.report.marked == ("x is missing",)
        assert set(prepared.points[:n_missing, 1]) == {0.5}
    median = np.median(values[n_missing:])
    assert prepared.report.filled[0].value == median


def test_no_feature_dominates_because_its_quartiles_are_close():
    g = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "mostly zero": np.where(g.random(500) < 0.8, 0.0, g.exponential(100.0, 500)),
            "nearly constant": np.where(np.arange(500) < 496, 3.0, 90.0 + np.arange(500)),
            "heavy": np.exp(2.0 * g.normal(size=500)),
            "usual": g.normal(size=500),
        }
    )
    prepared = sensible_points(table)
    inner = np.quantile(prepared.points, [0.05, 0.95], axis=0)
    assert (np.diff(inner, axis=0) < 3.4).all()
    by_name = dict(zip(prepared.feature_names, prepared.points.T, strict=True))
    assert np.ptp(by_name["nearly constant"]) == 1.0
    assert prepared.report.by_ends == ("nearly constant",)
    assert prepared.report.by_middle == ("mostly zero", "heavy")
    np.testing.assert_allclose(by_name["usual"].std(), 1.0)


def test_what_a_dataset_starts_with():
    table = pd.DataFrame({"t": ["a", "b", "c"], "v[0]": [0.1, 0.2, 0.3], "v[1]": [1.0, 0.0, 2.0]})
    vectors = Dataset("v", table, vectors=Vectors("v", ("v[0]", "v[1]")))
    of_file = Dataset("f", table, provenance=Provenance("file"))
    assert starting_preparation(vectors) == VECTORS
    assert starting_preparation(of_file) == SENSIBLE
    assert starting_preparation(Dataset("m", table)) == SENSIBLE
    assert starting_preparation(load_bundled("iris")) == PAPER
    assert starting_preparation(load_manifold("torus", 50)) == Preparation(scale="none")


def test_vectors_stay_as_they_are_and_the_rest_is_beside_them():
    table = pd.DataFrame(
        {
            "word": ["a", "a", "b", "b"],
            "v[0]": [0.1, 0.2, 0.3, np.nan],
            "v[1]": [1.0, 0.0, 2.0, 1.0],
            "year": [1990, 1991, 1992, 1990],
        }
    )
    dataset = Dataset("v", table, vectors=Vectors("v", ("v[0]", "v[1]")))
    prepared = prepare(dataset)
    assert prepared.points.tolist() == [[0.1, 1.0], [0.2, 0.0], [0.3, 2.0]]
    assert prepared.report.n_rows_dropped == 1  # 0 in its place would be an outlier
    reasons = {item.column: item.reason for item in prepared.report.left_out}
    assert reasons == {"word": "beside the vectors", "year": "beside the vectors"}
    beside = prepare(dataset, VECTORS.with_role("year", "feature"))
    assert beside.feature_names == ("v[0]", "v[1]", "year")
    assert prepare(dataset, Preparation(include=("year",))).feature_names == ("year",)


def test_principal_components_keep_distances_as_far_as_they_keep_variance():
    wine = load_bundled("wine")
    whole = prepare(wine).points
    fewer = prepare(wine, Preparation(dimensions=12))
    assert fewer.feature_names[0] == "component 1"
    assert fewer.points.shape == (178, 12)
    assert 0.98 < fewer.report.variance_kept < 1.0
    lost = np.square(whole - whole.mean(axis=0)).sum() * (1.0 - fewer.report.variance_kept)
    _, _, directions = np.linalg.svd(whole - whole.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(lost, np.square(whole @ directions[12:].T).sum(), rtol=1e-6)
    np.testing.assert_allclose(
        np.abs(fewer.points), np.abs((whole - whole.mean(axis=0)) @ directions[:12].T), atol=1e-9
    )
    assert "principal components, which keep" in " ".join(fewer.report.sentences())
    all_of_them = prepare(wine, Preparation(dimensions=13))
    assert all_of_them.fingerprint == prepare(wine).fingerprint
    too_many = prepare(wine, Preparation(dimensions=50))
    assert too_many.fingerprint == prepare(wine).fingerprint
    assert "50 principal components were asked for and there are 13 features." in (
        too_many.report.remarks
    )


def test_more_features_than_points_have_as_many_components_as_points():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 40)))
    whole = prepare(Dataset("t", table), Preparation(scale="none")).points
    fewer = prepare(Dataset("t", table), Preparation(scale="none", dimensions=11)).points
    distances = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (whole, fewer)]
    np.testing.assert_allclose(distances[1], distances[0], atol=1e-9)


def test_signs_of_components_do_not_depend_on_the_order_of_rows():
    wine = load_bundled("wine")
    order = np.random.default_rng(1).permutation(wine.n_rows)
    shuffled = Dataset("w", wine.table.iloc[order].reset_index(drop=True))
    choice = Preparation(dimensions=3)
    np.testing.assert_allclose(
        prepare(shuffled, choice).points, prepare(wine, choice).points[order], atol=1e-9
    )


def test_the_protocol_has_a_name_until_it_is_changed():
    assert PAPER.protocol == "paper" == Preparation(n_rows=9, exclude=("x",)).protocol
    assert SENSIBLE.protocol == "sensible" == Preparation.sensible(metric="cosine").protocol
    assert Preparation(scale="robust").protocol == "changed"
    changed = Preparation(scale="robust", exclude=("x",))
    assert changed.in_protocol("sensible") == Preparation.sensible(exclude=("x",))
    assert len({p.protocol_sentence for p in (PAPER, SENSIBLE, changed, VECTORS)}) == 4
    with pytest.raises(DataError, match="protocol must be 'paper' or 'sensible', got 'best'"):
        PAPER.in_protocol("best")
