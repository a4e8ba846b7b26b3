"""Removal of boundary points next to its controls."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import LocalOutlierFactor

import mecuco as mc
from mecuco_core.diagnostics import removal as under_test
from mecuco_core.diagnostics.clusterers import (
    CLUSTERERS,
    MEASURES,
    UNLABELLED,
    Measures,
    clustering,
    joined,
    measures,
)
from mecuco_core.diagnostics.removal import (
    REMOVALS,
    RemovalEffect,
    local_outlier_factor,
    removal_effect,
)


def blobs(n: int = 40, spread: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Three clear blobs with labels, and a few points between them."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0, 0], [10, 0, 0], [0, 10, 0]])
    points = np.vstack([c + spread * rng.standard_normal((n, 3)) for c in centres])
    return points, np.repeat([0, 1, 2], n)


def effect(percentile: float = 80, **options: object) -> RemovalEffect:
    points, labels = blobs()
    score = mc.curvature(points, 8, mode="haar")
    return removal_effect(
        points,
        score,
        graph=score.graph,
        n_clusters=3,
        percentile=percentile,
        labels=labels,
        **options,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def whole() -> RemovalEffect:
    return effect()


def test_every_method_is_tried_with_every_removal(whole: RemovalEffect) -> None:
    pairs = [(result.method, result.removal) for result in whole.results]
    assert pairs == [(method, removal) for method in CLUSTERERS for removal in REMOVALS]


def test_controls_remove_exactly_as_many_points_as_the_score(whole: RemovalEffect) -> None:
    points, _ = blobs()
    size = len(mc.boundary_points(mc.curvature(points, 8, mode="haar"), percentile=80).indices)
    for result in whole.results:
        assert result.n_removed == (0 if result.removal == "nothing" else size)
        assert result.n_points == 120


def test_clear_blobs_are_found_whatever_is_removed(whole: RemovalEffect) -> None:
    for result in whole.results:
        if result.method != "hdbscan":
            assert result.mean.ari == pytest.approx(1.0)
            assert result.mean.nmi == pytest.approx(1.0)
            assert result.mean.ari_all == pytest.approx(1.0)
            assert result.mean.noise == 0.0
        assert result.mean.n_clusters == 3


def test_removing_sparse_points_raises_the_silhouette_by_construction(
    whole: RemovalEffect,
) -> None:
    nothing = whole.of("k-means", "nothing").mean.silhouette
    assert whole.of("k-means", "k-NN distance").mean.silhouette > nothing
    assert whole.of("k-means", "score").mean.silhouette > nothing
    random = whole.of("k-means", "random")
    assert random.sd is not None
    assert abs(random.mean.silhouette - nothing) < 5 * random.sd.silhouette


def test_only_random_removal_has_draws(whole: RemovalEffect) -> None:
    for result in whole.results:
        assert (result.sd is not None) == (result.removal == "random")
        assert result.n_draws == (5 if result.removal == "random" else 1)


def test_mean_and_standard_deviation_are_over_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([1.0, 2.0, 3.0, 5.0, 7.0, 7.0])  # nothing, score, two draws, distance, LOF

    def measured(*_: object) -> Measures:
        return Measures(*[next(answers)] * len(MEASURES))

    monkeypatch.setattr(under_test, "measures", measured)
    random = effect(methods=["k-means"], n_draws=2).of("k-means", "random")
    assert random.mean.silhouette == 4.0
    assert random.sd is not None
    assert random.sd.silhouette == pytest.approx(np.sqrt(2))


def test_the_same_seed_gives_the_same_numbers(whole: RemovalEffect) -> None:
    again = effect(methods=["k-means"])
    assert again.results == whole.results[: len(REMOVALS)]
    other = effect(methods=["k-means"], seed=1)
    assert other.of("k-means", "random") != again.of("k-means", "random")


def test_without_labels_only_inner_measures_are_defined() -> None:
    points, _ = blobs()
    score = mc.curvature(points, 8, mode="haar")
    result = removal_effect(
        points, score, graph=score.graph, n_clusters=3, percentile=80, methods=["k-means"]
    ).results[1]
    assert np.isnan([result.mean.ari, result.mean.nmi, result.mean.ari_all]).all()
    assert result.mean.silhouette > 0.8


def test_a_large_dataset_is_tried_on_the_same_sample_for_every_removal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(under_test.LARGEST_SAMPLE, "spectral", 60)
    tried = effect(methods=["spectral", "k-means"])
    assert {r.n_points for r in tried.results if r.method == "spectral"} == {60}
    assert {r.n_points for r in tried.results if r.method == "k-means"} == {120}
    assert tried.n_points == 120
    assert tried.of("spectral", "score").n_removed == 12


def test_local_outlier_factor_is_the_one_of_scikit_learn() -> None:
    points = np.random.default_rng(2).standard_normal((90, 4)) ** 3
    fitted = LocalOutlierFactor(n_neighbors=7).fit(points)
    ours = local_outlier_factor(mc.knn_graph(points, 7, search="exact"))
    np.testing.assert_allclose(ours, -fitted.negative_outlier_factor_, rtol=1e-9)


def test_a_removed_point_joins_the_nearest_point_kept() -> None:
    points = np.array([[0.0], [1.0], [5.0], [6.0], [4.4]])
    kept, clusters = np.array([0, 1, 2]), np.array([0, 0, 7])
    assert joined(points, kept, clusters).tolist() == [0, 0, 7, 7, 7]


def test_measures_by_hand() -> None:
    # Two pairs at distance 1, ten apart. For the outer points a = 1, b = (10 + 11) / 2 = 10.5;
    # for the inner ones b = (9 + 10) / 2 = 9.5.
    points = np.array([[0.0], [1.0], [10.0], [11.0], [40.0]])
    kept, clusters = np.arange(5), np.array([0, 0, 1, 1, -1])
    labels = np.array([0, 0, 1, 1, 1])
    found = measures(points, kept, clusters, labels, 0)
    assert found.silhouette == pytest.approx((9.5 / 10.5 + 8.5 / 9.5) / 2)
    # Between: 4 · 25 / 1, within: 4 · ¼ / 2.
    assert found.calinski_harabasz == pytest.approx(100 / 0.5)
    # Mean distance to the centre is ½ in both, centres are 10 apart.
    assert found.davies_bouldin == pytest.approx(0.1)
    assert found.noise == pytest.approx(0.2)
    assert found.n_clusters == 2
    assert found.ari == pytest.approx(adjusted_rand_score(labels, clusters))


def test_one_cluster_has_no_inner_measures() -> None:
    points = np.arange(6.0)[:, None]
    found = measures(points, np.arange(6), np.zeros(6, dtype=np.int64), None, 0)
    assert np.isnan([found.silhouette, found.calinski_harabasz, found.davies_bouldin]).all()
    assert found.n_clusters == 1


def test_a_large_silhouette_is_that_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    points, labels = blobs()
    whole = measures(points, np.arange(120), labels, None, 0).silhouette
    monkeypatch.setattr("mecuco_core.diagnostics.clusterers.LARGEST_SILHOUETTE", 50)
    sample = measures(points, np.arange(120), labels, None, 0).silhouette
    assert sample != whole
    assert sample == pytest.approx(whole, abs=0.05)


@pytest.mark.parametrize("method", CLUSTERERS)
def test_points_that_repeat_cluster_without_a_warning(method: str) -> None:
    points = np.repeat(np.array([[0.0, 0], [9, 9]]), 12, axis=0)
    clusters = clustering(points, method, 3, 0)  # type: ignore[arg-type]
    assert len(clusters) == 24
    assert (clusters[:12] == clusters[0]).all() or method == "spectral"


def test_spectral_takes_the_pieces_of_a_graph_in_more_pieces_than_clusters() -> None:
    points, labels = blobs()
    assert adjusted_rand_score(labels, clustering(points, "spectral", 2, 0)) == 1.0
    assert adjusted_rand_score(labels, clustering(points, "spectral", 3, 0)) == 1.0
    assert len(np.unique(clustering(points, "spectral", 5, 0))) == 5


def test_progress_counts_clusterings_and_stops_on_an_exception() -> None:
    seen: list[tuple[int, int]] = []
    effect(methods=["k-means"], n_draws=2, progress=lambda *step: seen.append(step))
    assert seen == [(done, 6) for done in range(7)]

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        effect(methods=["k-means"], progress=stop)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"methods": ["ward"]}, "methods must be among k-means, hdbscan, spectral, got 'ward'"),
        ({"n_draws": 1}, "n_draws must be at least 2, got 1"),
        (
            {"percentile": 5},
            "percentile 5 keeps 6 points, and a clustering needs at least 10: raise it",
        ),
        (
            {"percentile": 5, "methods": ["hdbscan"]},
            "percentile 5 keeps 6 points, and a clustering needs at least 10: raise it",
        ),
        ({"percentile": 105}, "percentile must be in"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        effect(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": np.ones(5)}, "values must score the 120 points, got 5 values"),
        ({"n_clusters": 1}, r"n_clusters must be in \[2, 119\], got 1"),
        ({"labels": [1, 2]}, "labels must have one value for each of the 120 points"),
    ],
)
def test_arguments_that_do_not_fit_are_named(change: dict[str, object], message: str) -> None:
    points, labels = blobs()
    arguments = {"values": np.arange(120.0), "n_clusters": 3, "labels": labels, **change}
    with pytest.raises(ValueError, match=message):
        removal_effect(points, graph=mc.knn_graph(points, 5), **arguments)  # type: ignore[arg-type]


def test_asking_for_a_result_that_is_not_there_is_an_error(whole: RemovalEffect) -> None:
    with pytest.raises(ValueError, match="there is no result of 'ward'"):
        whole.of("ward", "score")  # type: ignore[arg-type]


def test_names_of_measures_are_those_of_the_result(whole: RemovalEffect) -> None:
    assert all(hasattr(whole.results[0].mean, name) for name in MEASURES)
    assert len(MEASURES) == 8


def test_points_without_a_label_count_in_no_comparison_with_labels() -> None:
    points = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    clusters = np.array([0, 0, 1, 1, 1])
    labels = np.array([0, 0, 1, 1, UNLABELLED])
    found = measures(points, np.arange(5), clusters, labels, 0)
    assert (found.ari, found.nmi, found.ari_all) == (1.0, 1.0, 1.0)
    nobody = measures(points, np.arange(5), clusters, np.full(5, UNLABELLED), 0)
    assert np.isnan([nobody.ari, nobody.nmi, nobody.ari_all]).all()


@pytest.mark.parametrize("absent", [None, np.nan])
def test_a_missing_label_is_no_class(absent: object) -> None:
    some = np.array([absent if i % 7 == 0 else "ab"[i % 2] for i in range(60)], dtype=object)
    points = np.random.default_rng(0).normal(size=(60, 2))
    known = points + 20.0 * (some == "a")[:, np.newaxis]
    graph = mc.knn_graph(known, 5)
    found = removal_effect(
        known,
        np.arange(60.0),
        graph=graph,
        n_clusters=2,
        percentile=75,
        labels=some,
        methods=("k-means",),
        n_draws=2,
    )
    assert found.of("k-means", "nothing").mean.ari == 1.0
