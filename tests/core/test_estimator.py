"""The scikit-learn estimator."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import mecuco as mc
from mecuco_core.datasets.manifolds import sample_manifold
from tests.core import oracles, samples


@parametrize_with_checks([mc.MeanCurvature()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@parametrize_with_checks(
    [
        mc.MeanCurvature(n_neighbors=3, mode="haar"),
        mc.MeanCurvature(n_neighbors=5, mode="quadric", dimension=1),
    ]
)
def test_scikit_learns_own_checks_with_other_settings(estimator, check):
    check(estimator)


def test_fitted_rows_are_scored_as_by_the_function():
    points = samples.gaussian(0, 120, 7)
    estimator = mc.MeanCurvature(n_neighbors=9, mode="haar").fit(points)
    expected = mc.curvature(points, 9, "haar")
    np.testing.assert_array_equal(estimator.curvature_.values, expected.values)
    np.testing.assert_array_equal(estimator.score_samples(points), expected.values)
    assert (estimator.n_neighbors_, estimator.mode_) == (9, "haar")


def test_repeated_rows_are_scored_alike_in_both_ways():
    points = samples.repeated(3, 60, 5)
    estimator = mc.MeanCurvature(n_neighbors=6, mode="haar")
    np.testing.assert_allclose(
        estimator.fit_transform(points), estimator.transform(points), rtol=1e-12
    )


def test_an_unseen_row_is_scored_by_its_neighbours_in_the_fitted_data():
    points, new = samples.gaussian(1, 80, 6), samples.gaussian(2, 5, 6)
    scores = mc.MeanCurvature(n_neighbors=7, mode="haar").fit(points).score_samples(new)
    for row, score in zip(new, scores, strict=True):
        nearest = np.argsort(np.linalg.norm(points - row, axis=1))[:7]
        assert score == pytest.approx(oracles.haar_with_projector(points[nearest]), rel=1e-9)


def test_quadric_rows_are_scored_as_by_the_shape_operator():
    points = sample_manifold("torus", 600).points
    estimator = mc.MeanCurvature(mode="quadric", dimension=2).fit(points)
    expected = mc.shape_operator(points, dimension=2)
    np.testing.assert_array_equal(estimator.curvature_.values, expected.mean_curvature)
    np.testing.assert_array_equal(estimator.score_samples(points), expected.mean_curvature)
    assert (estimator.n_neighbors_, estimator.mode_) == (expected.n_neighbors, "quadric")
    assert mc.MeanCurvature(20, "quadric", dimension="auto").fit(points).dimension_ == 2


def test_a_new_point_of_a_sphere_has_its_mean_curvature():
    points = sample_manifold("sphere", 1000, R=2.0).points
    new = sample_manifold("sphere", 20, R=2.0, seed=1).points
    scores = mc.MeanCurvature(mode="quadric", dimension=2).fit(points).score_samples(new)
    np.testing.assert_allclose(scores, 0.5, rtol=1e-4)


def test_the_estimator_can_be_pickled_and_cloned():
    points = samples.gaussian(0, 40, 4)
    estimator = mc.MeanCurvature(n_neighbors=5, mode="exact").fit(points)
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.transform(points), estimator.transform(points))
    assert clone(estimator).get_params() == estimator.get_params()


def test_pipelines_and_frames_work():
    frame = pd.DataFrame(samples.gaussian(0, 60, 3), columns=["a", "b", "c"])
    scored = make_pipeline(
        StandardScaler(), make_union(FunctionTransformer(), mc.MeanCurvature(4)), LinearRegression()
    )
    scored.fit(frame, frame["a"])
    assert scored.predict(frame).shape == (60,)
    out = mc.MeanCurvature(4).set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == ["meancurvature0"]
    assert out.index.equals(frame.index)


def test_what_follows_in_a_pipeline_may_change_the_scores_in_place():
    points = samples.gaussian(0, 40, 4)
    estimator = mc.MeanCurvature(5)
    make_pipeline(estimator, StandardScaler(copy=False)).fit_transform(points)
    np.testing.assert_array_equal(estimator.curvature_.values, mc.curvature(points, 5).values)


def test_sparse_rows_are_scored_as_dense_ones():
    rows = sparse.random_array((60, 8), density=0.4, rng=np.random.default_rng(0))
    estimator = mc.MeanCurvature(5, mode="haar").fit(rows.tocsr())
    expected = mc.curvature(rows.toarray(), 5, "haar").values
    np.testing.assert_array_equal(estimator.curvature_.values, expected)
    np.testing.assert_array_equal(estimator.score_samples(rows.tocoo()), expected)


def test_bad_parameters_are_named_at_fit():
    points = samples.gaussian(0, 20, 3)
    with pytest.raises(ValueError, match=r"n_neighbors must be in \[2, 19\].*got 30"):
        mc.MeanCurvature(n_neighbors=30).fit(points)
    with pytest.raises(ValueError, match=r"dimension must be in \[1, 2\].*got 3"):
        mc.MeanCurvature(mode="quadric", dimension=3).fit(points)
    with pytest.raises(ValueError, match=r"mode must be one of.*quadric"):
        mc.MeanCurvature(mode="best").fit(points)
