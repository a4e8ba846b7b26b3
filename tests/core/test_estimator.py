"""The scikit-learn estimators."""

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


@parametrize_with_checks([mc.CurvatureScore()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@parametrize_with_checks(
    [mc.CurvatureScore(n_neighbors=3, mode="fast"), mc.MeanCurvature(n_neighbors=5, dimension=1)]
)
def test_scikit_learns_own_checks_with_other_settings(estimator, check):
    check(estimator)


def test_fitted_rows_are_scored_as_by_the_function():
    points = samples.gaussian(0, 120, 7)
    estimator = mc.CurvatureScore(n_neighbors=9, mode="haar").fit(points)
    expected = mc.curvature(points, 9, mode="haar")
    np.testing.assert_array_equal(estimator.curvature_.values, expected.values)
    np.testing.assert_array_equal(estimator.transform(points)[:, 0], expected.values)
    assert (estimator.n_neighbors_, estimator.mode_) == (9, "haar")


@pytest.mark.usefixtures("descent")
@pytest.mark.parametrize("search", ["exact", "approximate"])
@pytest.mark.parametrize("mode", ["haar", "exact"])
def test_what_was_fitted_is_transformed_to_the_same_bits(search, mode):
    points = samples.sheet(4, 9000, 40)
    points = np.concatenate([points, points[:50]])
    model = mc.CurvatureScore(6, mode=mode, search=search, seed=3)
    fitted = model.fit_transform(points)
    assert model.curvature_.graph.method == search
    np.testing.assert_array_equal(model.transform(points), fitted)
    some = np.arange(0, 900, 7)
    np.testing.assert_array_equal(model.transform(points[some]), fitted[some])


@pytest.mark.usefixtures("descent")
def test_a_surface_that_was_fitted_by_an_approximate_search_keeps_its_numbers():
    points = samples.sheet(5, 9000, 20)
    model = mc.MeanCurvature(20, dimension=2, search="approximate", seed=1)
    fitted = model.fit_transform(points)
    assert (model.shape_operator_.graph.method, model.shape_operator_.graph.seed) == (
        "approximate", 1,
    )  # fmt: skip
    np.testing.assert_array_equal(model.transform(points), fitted)


def test_known_and_new_rows_may_be_mixed():
    points, new = samples.gaussian(1, 80, 6), samples.gaussian(2, 5, 6)
    model = mc.CurvatureScore(7).fit(points)
    mixed = model.transform(np.vstack([new[:2], points[:3], new[2:]]))
    np.testing.assert_array_equal(mixed[2:5, 0], model.curvature_.values[:3])
    np.testing.assert_array_equal(np.delete(mixed, [2, 3, 4], axis=0), model.transform(new))


def test_repeated_rows_are_scored_alike_in_both_ways():
    points = samples.repeated(3, 60, 5)
    estimator = mc.CurvatureScore(n_neighbors=6, mode="haar")
    np.testing.assert_allclose(
        estimator.fit_transform(points), estimator.transform(points), rtol=1e-12
    )


def test_an_unseen_row_is_scored_by_its_neighbours_in_the_fitted_data():
    points, new = samples.gaussian(1, 80, 6), samples.gaussian(2, 5, 6)
    scores = mc.CurvatureScore(n_neighbors=7, mode="haar").fit(points).transform(new)[:, 0]
    for row, score in zip(new, scores, strict=True):
        nearest = np.argsort(np.linalg.norm(points - row, axis=1))[:7]
        assert score == pytest.approx(oracles.haar_with_projector(points[nearest]), rel=1e-9)


def test_rows_of_a_surface_are_given_as_by_the_shape_operator():
    points = sample_manifold("torus", 600).points
    estimator = mc.MeanCurvature(dimension=2).fit(points)
    expected = mc.shape_operator(points, dimension=2)
    np.testing.assert_array_equal(estimator.shape_operator_.values, expected.mean_curvature)
    np.testing.assert_array_equal(estimator.transform(points)[:, 0], expected.mean_curvature)
    assert estimator.n_neighbors_ == expected.n_neighbors
    assert mc.MeanCurvature(20, dimension="auto").fit(points).dimension_ == 2


def test_a_new_point_of_a_sphere_has_its_mean_curvature():
    points = sample_manifold("sphere", 1000, R=2.0).points
    new = sample_manifold("sphere", 20, R=2.0, seed=1).points
    estimates = mc.MeanCurvature(dimension=2).fit(points).transform(new)
    np.testing.assert_allclose(estimates, 0.5, rtol=1e-4)


@pytest.mark.parametrize("mode", ["haar", "quadric"])
def test_a_mode_of_the_mean_curvature_is_referred_to_the_score(mode):
    with pytest.raises(TypeError, match="unexpected keyword argument 'mode'"):
        mc.MeanCurvature(mode=mode)


@pytest.mark.parametrize("kind", [mc.CurvatureScore, mc.MeanCurvature])
def test_only_the_number_of_neighbours_goes_without_its_name(kind):
    with pytest.raises(TypeError, match="positional argument"):
        kind(5, "haar")
    assert not hasattr(kind, "score_samples")


@pytest.mark.parametrize(
    "estimator", [mc.CurvatureScore(5, mode="exact"), mc.MeanCurvature(12, dimension=1)]
)
def test_the_estimators_can_be_pickled_and_cloned(estimator):
    points = samples.gaussian(0, 40, 4)
    estimator.fit(points)
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.transform(points), estimator.transform(points))
    assert clone(estimator).get_params() == estimator.get_params()


def test_pipelines_and_frames_work():
    frame = pd.DataFrame(samples.gaussian(0, 60, 3), columns=["a", "b", "c"])
    scored = make_pipeline(
        StandardScaler(),
        make_union(FunctionTransformer(), mc.CurvatureScore(4)),
        LinearRegression(),
    )
    scored.fit(frame, frame["a"])
    assert scored.predict(frame).shape == (60,)
    out = mc.CurvatureScore(4).set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == ["curvaturescore0"]
    assert out.index.equals(frame.index)


def test_what_follows_in_a_pipeline_may_change_the_scores_in_place():
    points = samples.gaussian(0, 40, 4)
    model = make_pipeline(mc.CurvatureScore(5), StandardScaler(copy=False))
    for change in (model.fit_transform, model.transform):
        change(points)
        np.testing.assert_array_equal(model[0].curvature_.values, mc.curvature(points, 5).values)


def test_sparse_rows_are_scored_as_dense_ones():
    rows = sparse.random_array((60, 8), density=0.4, rng=np.random.default_rng(0))
    estimator = mc.CurvatureScore(5, mode="haar").fit(rows.tocsr())
    expected = mc.curvature(rows.toarray(), 5, mode="haar").values
    np.testing.assert_array_equal(estimator.curvature_.values, expected)
    np.testing.assert_array_equal(estimator.transform(rows.tocoo())[:, 0], expected)


def test_bad_parameters_are_named_at_fit():
    points = samples.gaussian(0, 20, 3)
    with pytest.raises(ValueError, match=r"n_neighbors must be in \[2, 19\].*got 30"):
        mc.CurvatureScore(n_neighbors=30).fit(points)
    with pytest.raises(ValueError, match=r"dimension must be in \[1, 2\].*got 3"):
        mc.MeanCurvature(dimension=3).fit(points)
    with pytest.raises(ValueError, match=r"mode must be one of.*haar"):
        mc.CurvatureScore(mode="best").fit(points)
    for kind in (mc.CurvatureScore, mc.MeanCurvature):
        with pytest.raises(ValueError, match="search must be one of"):
            kind(search="best").fit(points)
        with pytest.raises(ValueError, match="seed must be in"):
            kind(seed=-1).fit(points)
