"""The public door: what goes in, what comes out, how it stops, what it refuses."""

import inspect
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_digits, load_iris
from sklearn.preprocessing import StandardScaler

import mecuco as mc
from mecuco_core.cluster import curvature_at, curvature_of
from mecuco_core.diagnostics.ground_truth import convergence
from mecuco_core.diagnostics.stability import k_stability
from mecuco_core.types import MODES
from tests.core import samples

SCORED = [mode for mode in MODES if mode != "auto"]


def normalised(values):
    return (values - values.min()) / np.ptp(values)


def test_digits_and_iris_by_the_papers_protocol():
    digits = mc.curvature(StandardScaler().fit_transform(load_digits().data), mode="auto")
    assert (digits.mode, digits.n_neighbors) == ("fast", 11)
    assert digits.values.mean() == pytest.approx(8.0227, abs=1e-4)
    assert digits.values.std() == pytest.approx(9.2083, abs=1e-4)
    assert normalised(digits.values).mean() == pytest.approx(0.0427, abs=5e-5)
    assert normalised(digits.values).std() == pytest.approx(0.0622, abs=5e-5)
    iris = mc.curvature(StandardScaler().fit_transform(load_iris().data), mode="auto")
    assert (iris.mode, iris.n_neighbors) == ("exact", 7)
    assert normalised(iris.values).mean() == pytest.approx(0.1588, abs=5e-5)
    assert normalised(iris.values).std() == pytest.approx(0.1571, abs=5e-5)


@pytest.mark.parametrize("mode", SCORED)
def test_values_are_the_sum_of_their_halves_for_every_mode(mode):
    points = samples.gaussian(0, 60, 12)
    result = mc.curvature(points, 6, mode=mode)
    np.testing.assert_array_equal(result.values, result.scatter + result.alignment)
    assert result.values.shape == result.covariance_rank.shape == (60,)
    assert (result.covariance_rank == 5).all()
    assert (result.mode, result.n_neighbors) == (mode, 6)
    trace = [np.trace(np.cov(points[row], rowvar=False)) for row in result.graph.indices]
    np.testing.assert_allclose(2 * result.scatter, trace, rtol=1e-12)


def test_auto_is_exact_below_fifty_features_and_fast_from_there():
    assert mc.curvature(samples.gaussian(0, 20, 49), mode="auto").mode == "exact"
    assert mc.curvature(samples.gaussian(0, 20, 50), mode="auto").mode == "fast"


@pytest.mark.parametrize(
    "door",
    [
        mc.curvature, mc.score_rows, k_stability, mc.CurvatureScore, curvature_of, curvature_at,
        convergence,
    ],
)  # fmt: skip
def test_every_door_scores_by_haar_unless_told_otherwise(door):
    assert inspect.signature(door).parameters["mode"].default == "haar"


@given(st.sampled_from(sorted(samples.EVERY_KIND)), st.integers(0, 2**32 - 1), st.integers(2, 13))
def test_by_default_no_score_leaves_its_bounds(kind, seed, k):
    result = mc.curvature(samples.EVERY_KIND[kind](seed), k, n_jobs=1)
    assert result.mode == "haar"
    assert (result.alignment >= 0).all()
    assert (result.scatter <= result.values).all()
    assert (result.values <= 2 * result.scatter).all()


def test_where_auto_leaves_the_bounds_at_nearly_every_point_the_default_does_not():
    points = samples.gaussian(0, 400, 128)
    assert (mc.curvature(points, mode="auto").alignment < 0).mean() > 0.9
    assert (mc.curvature(points).alignment >= 0).all()


@pytest.mark.parametrize("m", [1, 4, 8])
def test_haar_is_exact_to_the_last_bit_where_neighbours_span_the_space(m):
    points = samples.gaussian(3, 80, m)
    haar, exact = mc.curvature(points, 12, mode="haar"), mc.curvature(points, 12, mode="exact")
    np.testing.assert_array_equal(haar.values, exact.values)
    np.testing.assert_array_equal(haar.in_mode("fast").values, exact.values)


def test_default_number_of_neighbours_is_the_rounded_binary_logarithm():
    for n in (3, 5, 6, 46, 90, 91, 200):
        expected = max(2, round(np.log2(n)))
        points = samples.gaussian(n, n, 2)
        assert mc.curvature(points).n_neighbors == expected
        assert mc.curvature(points, "log2").n_neighbors == expected


@pytest.mark.parametrize("mode", SCORED)
@pytest.mark.parametrize(
    ("n", "m", "k"),
    [(3, 1, 2), (10, 1, 9), (10, 2, 2), (12, 5, 5), (12, 5, 6), (12, 5, 11), (6, 30, 5), (9, 3, 4)],
)
def test_every_small_shape_works(mode, n, m, k):
    result = mc.curvature(samples.gaussian(n * m, n, m), k, mode=mode)
    assert np.isfinite(result.values).all()
    assert (result.values > 0).all()
    assert (result.covariance_rank == min(k - 1, m)).all()


def test_one_feature_scores_the_variance_of_the_neighbours():
    # m = 1: W = 1, so shape and scatter are both half the variance.
    points = np.array([[0.0], [1.0], [3.0], [7.0]])
    result = mc.curvature(points, 2, mode="exact")
    # Neighbours of 0 are 1 and 3 (variance 2), of 1: 0 and 3 (4.5), of 3: 1 and 0, of 7: 3 and 1.
    np.testing.assert_allclose(result.values, [2.0, 4.5, 0.5, 2.0])


@pytest.mark.parametrize(
    "convert",
    [
        lambda x: x.astype(np.float32).astype(float),
        np.asfortranarray,
        lambda x: x.tolist(),
        pd.DataFrame,
        sparse.csr_array,
        lambda x: x.astype(object),
        lambda x: np.ma.masked_array(x),
        lambda x: np.stack([x, x])[1],
    ],
    ids=["float32", "fortran", "list", "frame", "sparse", "object", "masked", "view"],
)
def test_input_of_any_kind_gives_the_same_scores(convert):
    points = samples.gaussian(1, 30, 4).astype(np.float32).astype(float)
    before = points.copy()
    expected = mc.curvature(points, 5, mode="haar").values
    np.testing.assert_array_equal(mc.curvature(convert(points), 5, mode="haar").values, expected)
    np.testing.assert_array_equal(points, before)


def test_integers_booleans_and_read_only_arrays_are_points():
    whole = np.random.default_rng(0).integers(0, 50, (30, 4))
    expected = mc.curvature(whole.astype(float), 5).values
    np.testing.assert_array_equal(mc.curvature(whole, 5).values, expected)
    locked = whole.astype(float)
    locked.flags.writeable = False
    np.testing.assert_array_equal(mc.curvature(locked, 5).values, expected)
    assert np.isfinite(mc.curvature(whole > 25, 5).values).all()


def test_equal_points_score_zero_and_not_nan():
    for mode in SCORED:
        result = mc.curvature(np.ones((8, 3)), 4, mode=mode)
        assert (result.values == 0).all()
        assert (result.covariance_rank == 0).all()


def test_a_given_graph_is_used_and_cut_to_the_nearest():
    points = samples.gaussian(2, 50, 6)
    graph = mc.knn_graph(points, 12)
    for k in (4, 12):
        expected = mc.curvature(points, k, mode="haar")
        given = mc.curvature(points, k, mode="haar", graph=graph)
        np.testing.assert_array_equal(given.values, expected.values)
        shuffled = np.random.default_rng(0).permuted(graph.indices, axis=1)
        as_array = mc.curvature(points, k, mode="haar", graph=shuffled)
        np.testing.assert_array_equal(as_array.values, expected.values)
        assert as_array.graph.method == "given"
        np.testing.assert_allclose(as_array.graph.distances, expected.graph.distances)
    assert mc.curvature(points, graph=graph).n_neighbors == 12


@pytest.mark.parametrize(("m", "k"), [(30, 8), (3, 8)])
def test_a_score_by_fast_is_turned_into_haar_and_back_to_the_last_bit(m, k):
    points = samples.gaussian(4, 60, m)
    fast, haar = mc.curvature(points, k, mode="fast"), mc.curvature(points, k, mode="haar")
    for one, other in ((fast, haar), (haar, fast)):
        turned = one.in_mode(other.mode)
        for name in ("values", "scatter", "alignment", "covariance_rank"):
            np.testing.assert_array_equal(getattr(turned, name), getattr(other, name))
        assert (turned.mode, turned.n_neighbors) == (other.mode, k)
        assert turned.graph is one.graph


@pytest.mark.parametrize(("of", "to"), [("exact", "haar"), ("haar", "exact"), ("fast", "auto")])
def test_scores_that_share_no_terms_are_not_turned(of, to):
    with pytest.raises(ValueError, match=f"{of}.*{to}.*call curvature"):
        mc.curvature(samples.gaussian(4, 60, 5), 8, mode=of).in_mode(to)


def test_progress_reaches_the_end_in_order():
    calls = []
    points = samples.gaussian(0, 3000, 40)
    mc.curvature(points, 8, mode="exact", progress=lambda *call: calls.append(call))
    done = [d for d, _ in calls]
    assert done == sorted(done)
    assert calls[-1] == (6000, 6000)
    assert len({total for _, total in calls}) == 1
    assert len(calls) > 4


def test_progress_may_stop_the_work_at_any_call_and_nothing_keeps_running():
    class Stopped(Exception):  # noqa: N818
        pass

    points = samples.gaussian(0, 4000, 30)
    graph = mc.knn_graph(points, 12)
    for last in (1, 3):
        calls = []

        def stop(done, total, last=last, calls=calls):
            calls.append(done)
            if len(calls) == last:
                raise Stopped

        with pytest.raises(Stopped):
            mc.curvature(points, mode="exact", graph=graph, progress=stop)
        assert len(calls) == last
        assert not [t for t in threading.enumerate() if t.name.startswith("mecuco")]


def test_a_curvature_is_the_array_of_its_values_where_one_is_wanted():
    result = mc.curvature(samples.gaussian(0, 20, 3), 4)
    np.testing.assert_array_equal(np.asarray(result), result.values)
    assert len(result) == 20
    assert result[3] == result.values[3]
    assert np.asarray(result, dtype=np.float32).dtype == np.float32


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([[0.0, 1.0], [np.nan, 2.0], [1.0, 1.0]], ValueError, "nan in row 1, column 0"),
        ([[0.0, np.inf], [0.0, 2.0], [1.0, 1.0]], ValueError, "inf in row 0, column 1"),
        ([["a", "b"], ["c", "d"], ["e", "f"]], TypeError, "points must be real numbers.*dtype <U1"),
        (np.array([["a", 1], [2, 3], [4, 5]], dtype=object), TypeError, "points must be real"),
        (
            np.array([["1", "2"], ["3", "4"], ["5", "6"]], dtype=object),
            TypeError,
            "points must be real numbers, got '1' in row 0, column 0",
        ),
        (
            pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Categorical(["4", "5", "4"])}),
            TypeError,
            "points must be real numbers, got '4' in row 0, column 1",
        ),
        (
            np.array([[1, 2], [3, pd.NA], [5, 6]], dtype=object),
            ValueError,
            "points must be real numbers, got <NA> in row 1, column 1",
        ),
        ([[10**400, 1], [2, 3], [4, 5]], TypeError, "points must be real numbers.*too large"),
        (sparse.coo_array(np.arange(5.0)), ValueError, "points must be a 2-D array.*got 1-D"),
        ([1.0, 2.0, 3.0], ValueError, "points must be a 2-D array.*got 1-D"),
        (np.zeros((2, 2, 2)), ValueError, "got 3-D"),
        (np.zeros((0, 3)), ValueError, "points must have at least 3 rows, got 0"),
        (np.zeros((2, 3)), ValueError, "points must have at least 3 rows, got 2"),
        (np.zeros((5, 0)), ValueError, r"at least 1 feature, got shape \(5, 0\)"),
        ([[1j, 0], [0, 1], [1, 1]], TypeError, "points must be real numbers, got complex"),
        ([[1, 2], [3], [4, 5]], ValueError, "points must be a 2-D array of numbers"),
        (np.full((4, 2), 1e200), ValueError, r"within ±1e\+150.*got 1e\+200: rescale"),
        (sparse.csr_array((10**6, 10**6)), ValueError, "sparse and would need .* GiB"),
        (np.ma.masked_less(np.arange(8.0).reshape(4, 2), 2), ValueError, "masked"),
        (np.zeros((4, 2), dtype="datetime64[s]"), TypeError, "got dtype datetime64"),
        (None, ValueError, "got 0-D"),
    ],
)
def test_bad_points_are_refused_in_one_sentence(points, error, message):
    with pytest.raises(error, match=message):
        mc.curvature(points, 2)
    with pytest.raises(error, match=message):
        mc.knn_graph(points, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_neighbors": 1}, ValueError, r"n_neighbors must be in \[2, 19\].*got 1"),
        ({"n_neighbors": 20}, ValueError, r"n_neighbors must be in \[2, 19\].*got 20"),
        ({"n_neighbors": -3}, ValueError, "got -3"),
        ({"n_neighbors": 2.5}, TypeError, "n_neighbors must be an integer.*got 2.5"),
        ({"n_neighbors": "many"}, TypeError, "n_neighbors must be an integer.*got 'many'"),
        ({"n_neighbors": True}, TypeError, "n_neighbors must be an integer.*got True"),
        ({"mode": "quick"}, ValueError, "mode must be one of original, exact.*got 'quick'"),
        ({"mode": None}, ValueError, "mode must be one of .* got None"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be .* got 0"),
        ({"graph": [[1, 2]]}, ValueError, r"graph must have shape \(20, n_neighbors\)"),
        ({"graph": np.zeros((20, 1), int)}, ValueError, "between 2 and 19 columns, got 1"),
        ({"graph": np.full((20, 3), 20)}, ValueError, r"indices in \[0, 19\], got 20"),
        ({"graph": np.full((20, 3), -1)}, ValueError, r"indices in \[0, 19\], got -1"),
        ({"graph": np.full((20, 3), 7)}, ValueError, "the point itself, row 7 does"),
        ({"graph": [[1, 2], [3]]}, ValueError, "graph must be an array of numbers"),
        ({"graph": np.ma.masked_equal(np.ones((20, 3), int), 1)}, ValueError, "masked"),
        ({"progress": 1}, TypeError, "progress must be callable or None, got 1"),
        ({"graph": np.ones((20, 3))}, TypeError, "integer indices, got dtype float64"),
        (
            {"n_neighbors": 5, "graph": (np.arange(20)[:, None] + [1, 2, 3]) % 20},
            ValueError,
            "n_neighbors must be at most 3, the columns of graph, got 5",
        ),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(arguments, error, message):
    with pytest.raises(error, match=message):
        mc.curvature(samples.gaussian(0, 20, 3), **arguments)


def test_a_graph_may_be_made_of_lists_and_its_distances_must_fit_it():
    points = samples.gaussian(0, 20, 3)
    graph = mc.knn_graph(points, 4)
    listed = mc.KnnGraph(graph.indices.tolist(), graph.distances.tolist(), "given")
    np.testing.assert_array_equal(
        mc.curvature(points, graph=listed).values, mc.curvature(points, graph=graph).values
    )
    broken = mc.KnnGraph(graph.indices, graph.distances[:, :2], "given")
    with pytest.raises(ValueError, match=r"graph\.distances must have the shape"):
        mc.curvature(points, graph=broken)


def test_a_graph_of_other_points_is_refused():
    graph = mc.knn_graph(samples.gaussian(0, 30, 3), 4)
    with pytest.raises(ValueError, match=r"graph must have shape \(20, n_neighbors\)"):
        mc.curvature(samples.gaussian(0, 20, 3), graph=graph)


def test_original_is_refused_where_it_would_not_fit_in_memory():
    with pytest.raises(ValueError, match=r"'original' would need .* GiB for each point"):
        mc.curvature(np.zeros((5, 2000)), 3, mode="original")


def test_a_slow_mode_warns_with_its_estimate(monkeypatch):
    monkeypatch.setattr(sys.modules["mecuco_core.score.curvature"], "SLOW_SECONDS", 1e-9)
    points = samples.gaussian(0, 20, 3)
    with pytest.warns(mc.SlowModeWarning, match="mode 'exact' will take about .* minutes"):
        mc.curvature(points, 4, mode="exact")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mc.curvature(points, 4, mode="haar")
