"""The neighbour graph: the data alone decide it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mecuco as mc
from tests.core import oracles, samples

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=60, deadline=None)
@given(
    seed=seeds,
    n=st.integers(5, 60),
    m=st.integers(1, 20),
    top=st.sampled_from([2, 4, 1000]),
    data=st.data(),
)
def test_exact_graph_is_by_distance_then_index(seed, n, m, top, data):
    # Few distinct whole numbers: ties and equal points everywhere.
    points = np.random.default_rng(seed).integers(0, top, (n, m)).astype(float)
    k = data.draw(st.integers(2, n - 1))
    graph = mc.knn_graph(points, k, search="exact")
    np.testing.assert_array_equal(graph.indices, oracles.brute_force_neighbors(points, k))


@pytest.mark.parametrize("kind", sorted(samples.EVERY_KIND))
def test_exact_graph_equals_brute_force_on_every_kind_of_data(kind):
    points = samples.EVERY_KIND[kind](3)
    graph = mc.knn_graph(points, 6, search="exact")
    np.testing.assert_array_equal(graph.indices, oracles.brute_force_neighbors(points, 6))
    expected = np.linalg.norm(points[:, None] - points[graph.indices], axis=2)
    np.testing.assert_allclose(graph.distances, expected, rtol=1e-9)


def test_a_point_is_never_its_own_neighbour_even_among_many_copies():
    points = np.repeat(samples.gaussian(1, 4, 3), 30, axis=0)
    for method in ("exact", "approximate"):
        graph = mc.knn_graph(points, 10, search=method)
        assert not (graph.indices == np.arange(len(points))[:, None]).any()
        assert (graph.distances == 0).all()
    # Row 35 is one of the copies 30 to 59: its nearest are the first of them, itself left out.
    exact = mc.knn_graph(points, 10, search="exact")
    np.testing.assert_array_equal(exact.indices[35, :7], [30, 31, 32, 33, 34, 36, 37])


def test_distances_are_sorted_and_prefix_equals_a_smaller_search():
    points = samples.gaussian(2, 200, 8)
    graph = mc.knn_graph(points, 20)
    assert (np.diff(graph.distances, axis=1) >= 0).all()
    for k in (2, 7, 20):
        small = mc.knn_graph(points, k)
        np.testing.assert_array_equal(graph.prefix(k).indices, small.indices)
        np.testing.assert_array_equal(graph.prefix(k).distances, small.distances)
    with pytest.raises(ValueError, match=r"n_neighbors must be in \[2, 20\].*got 21"):
        graph.prefix(21)


def test_neighbours_of_far_away_data_are_those_of_the_same_data_at_home():
    points = np.round(samples.gaussian(4, 300, 20) * 2**10) / 2**10
    np.testing.assert_array_equal(
        mc.knn_graph(points + 2.0**30, 9).indices, mc.knn_graph(points, 9).indices
    )


def test_an_outlier_of_any_size_does_not_blur_the_others():
    points = samples.gaussian(5, 200, 20)
    points[17] = 1e120
    graph = mc.knn_graph(points, 5)
    others = np.delete(np.arange(200), 17)
    expected = others[oracles.brute_force_neighbors(points[others], 5)]
    np.testing.assert_array_equal(graph.indices[others], expected)


@pytest.mark.usefixtures("descent")
def test_auto_says_what_it_chose():
    points = samples.gaussian(6, 300, 10)
    assert mc.knn_graph(points, 5).method == "exact"
    assert mc.knn_graph(points, 5).recall == 1.0
    hasty = mc.knn_graph(samples.sheet(6, 9000, 40), 5, search="approximate")
    assert hasty.method == "approximate"
    assert hasty.prefix(3).recall == hasty.recall


@pytest.mark.usefixtures("descent")
def test_approximate_graph_is_seeded_and_nearly_exact():
    points = samples.sheet(7, 9000, 40)
    first = mc.knn_graph(points, 10, search="approximate", seed=3)
    assert (first.method, first.seed) == ("approximate", 3)
    second = mc.knn_graph(points, 10, search="approximate", seed=3)
    np.testing.assert_array_equal(first.indices, second.indices)
    exact = mc.knn_graph(points, 10, search="exact")
    recall = np.mean(
        [np.isin(a, b).mean() for a, b in zip(first.indices, exact.indices, strict=True)]
    )
    assert recall > 0.97
    assert first.recall == pytest.approx(recall, abs=0.02)
    assert (np.diff(first.distances, axis=1) >= 0).all()
    assert (first.indices != np.arange(len(points))[:, np.newaxis]).all()


@pytest.mark.usefixtures("descent")
@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_the_graph_is_the_same_for_any_number_of_threads(method):
    points = samples.sheet(7, 9000, 40)
    graphs = [mc.knn_graph(points, 8, search=method, n_jobs=threads) for threads in (1, 2, 5)]
    assert graphs[0].method == method
    for graph in graphs[1:]:
        np.testing.assert_array_equal(graph.indices, graphs[0].indices)
        np.testing.assert_array_equal(graph.distances, graphs[0].distances)


@pytest.mark.usefixtures("descent")
def test_an_approximate_search_of_hard_points_ends_exactly():
    points = samples.gaussian(3, 9000, 200)  # without structure: no descent finds enough
    graph = mc.knn_graph(points, 6, search="approximate")
    assert (graph.method, graph.recall, graph.seed) == ("exact", 1.0, None)
    np.testing.assert_array_equal(graph.indices, mc.knn_graph(points, 6, search="exact").indices)


@pytest.mark.usefixtures("descent")
def test_a_point_far_away_costs_an_approximate_search_nothing():
    points = samples.gaussian(3, 3000, 10)
    points[17] = 1e12
    graph = mc.knn_graph(points, 10, search="approximate")
    assert graph.method == "approximate"
    assert graph.recall >= 0.98


@pytest.mark.usefixtures("descent")
def test_equal_distances_count_as_found_whichever_point_has_them():
    points = np.random.default_rng(0).integers(0, 2, (2000, 6)).astype(float)
    exact = mc.knn_graph(points, 10, search="exact")
    found = mc.knn_graph(points, 10, search="approximate")
    assert found.method == "approximate"
    assert (found.distances == exact.distances).mean() > 0.98
    assert found.recall > 0.98


@pytest.mark.usefixtures("descent")
@pytest.mark.parametrize(("n_features", "ends"), [(8, "approximate"), (200, "exact")])
def test_the_progress_of_an_approximate_search_never_falls(n_features, ends):
    calls = []
    points = samples.gaussian(0, 3000, n_features)
    graph = mc.knn_graph(points, 4, search="approximate", progress=lambda *call: calls.append(call))
    assert graph.method == ends
    done = [one for one, _ in calls]
    assert done == sorted(done)
    assert calls[-1] == (3000, 3000)


@pytest.mark.usefixtures("descent")
@pytest.mark.parametrize("scale", [1e-200, 1e140])
def test_an_approximate_search_knows_no_scale(scale):
    points = samples.gaussian(7, 800, 6)
    once = mc.knn_graph(points, 8, search="approximate")
    scaled = mc.knn_graph(scale * points + 3.0 * scale, 8, search="approximate")
    assert (once.method, scaled.method) == ("approximate", "approximate")
    assert np.mean(once.indices == scaled.indices) > 0.98


@pytest.mark.usefixtures("descent")
def test_an_approximate_search_finds_the_copies_of_a_point():
    points = np.repeat(samples.gaussian(2, 40, 5), 30, axis=0)
    graph = mc.knn_graph(points, 12, search="approximate")
    assert (graph.distances == 0.0).mean() > 0.98


@pytest.mark.usefixtures("descent")
def test_few_points_and_nearly_all_of_them_as_neighbours():
    points = samples.gaussian(4, 70, 3)
    found = mc.knn_graph(points, 65, search="approximate")
    assert found.recall > 0.98
    assert (found.indices != np.arange(70)[:, np.newaxis]).all()


@pytest.mark.usefixtures("descent")
def test_an_approximate_search_may_be_stopped():
    calls = []

    def stop(done, total):
        calls.append(done)
        if done > 1000:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        mc.knn_graph(samples.gaussian(7, 6000, 8), 8, search="approximate", progress=stop)
    assert calls[-1] < 6000


def test_progress_counts_to_the_end_and_may_stop_the_search():
    points = samples.gaussian(8, 5000, 4)
    calls = []
    mc.knn_graph(points, 5, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (5000, 5000)
    assert calls == sorted(calls)

    class Stopped(Exception):  # noqa: N818
        pass

    def stop(done, total):
        raise Stopped

    with pytest.raises(Stopped):
        mc.knn_graph(points, 5, progress=stop)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_neighbors": 1}, r"n_neighbors must be in \[2, 9\] for 10 points, got 1"),
        ({"n_neighbors": 10}, r"n_neighbors must be in \[2, 9\] for 10 points, got 10"),
        ({"n_neighbors": 3, "seed": -1}, r"seed must be in \[0, 4294967295\], got -1"),
        ({"n_neighbors": 3, "seed": 2**70}, r"seed must be in \[0, 4294967295\]"),
        ({"n_neighbors": 3, "search": ["exact"]}, "search must be one of"),
        ({"n_neighbors": 3, "search": "best"}, "search must be one of .*auto, got 'best'"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        mc.knn_graph(samples.gaussian(0, 10, 2), **arguments)
