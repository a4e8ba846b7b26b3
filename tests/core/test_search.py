"""The searches: the former exact search is the oracle, the readable twins that of the kernels."""

import hashlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.kernels.search import forest, joins, lanes, sieve
from mecuco_core.neighbors import axes as axes_of
from mecuco_core.neighbors import exact as searches
from mecuco_core.neighbors import search
from mecuco_core.neighbors.approximate import Descent
from mecuco_core.neighbors.single import single_precision
from tests.core import former_search, samples

SHARED = Path(__file__).parents[3] / "shared" / "data"


def low_rank(rng, n, m):
    return rng.standard_normal((n, 3)) @ rng.standard_normal((3, m))


def spheres(rng, n, m):
    """Every point has many at exactly its distance: signs and orders of the same coordinates."""
    base = rng.integers(1, 4, m) * rng.random()
    return np.array([rng.permuted(base) * rng.choice([-1, 1], m) for _ in range(n)])


def clusters(rng, n, m):
    return 1e4 * rng.integers(0, 3, (n, 1)) + 1e-2 * rng.standard_normal((n, m))


def heavy_tails(rng, n, m):
    return rng.standard_t(1, (n, m)) ** 3


def outlier(rng, n, m):
    points = rng.standard_normal((n, m))
    points[n // 2] = 1e120
    return points


KINDS = {
    "gaussian": lambda rng, n, m: rng.standard_normal((n, m)),
    "low rank": low_rank,
    "whole numbers": lambda rng, n, m: rng.integers(0, 3, (n, m)).astype(float),
    "copies": lambda rng, n, m: np.repeat(rng.standard_normal((-(-n // 7), m)), 7, axis=0)[:n],
    "far away": lambda rng, n, m: low_rank(rng, n, m) + 1e8,
    "large": lambda rng, n, m: low_rank(rng, n, m) * 1e148,
    "small": lambda rng, n, m: low_rank(rng, n, m) * 1e-150,
    "spheres": spheres,
    "clusters": clusters,
    "heavy tails": heavy_tails,
    "outlier": outlier,
    "constant": lambda rng, n, m: np.full((n, m), 0.1),
    "mixed scales": lambda rng, n, m: (
        rng.standard_normal((n, m)) * 10.0 ** rng.uniform(-60, 0, (n, 1))
    ),
    "a third tiny": lambda rng, n, m: (
        rng.standard_normal((n, m)) * np.where(np.arange(n) < n // 3, 1e-22, 1.0)[:, np.newaxis]
    ),
    "one large": lambda rng, n, m: np.vstack(
        [1e-170 * rng.standard_normal((n - 1, m)), np.ones((1, m))]
    ),
    "one large, others at the edge": lambda rng, n, m: np.vstack(
        [2.0**-515 * rng.standard_normal((n - 1, m)), np.ones((1, m))]
    ),
}


def assert_same(lists, expected, exponent=0):
    indices, distances = expected
    np.testing.assert_array_equal(lists.indices, indices)
    np.testing.assert_array_equal(search._distances(lists.squares, exponent), distances)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(17))
def test_every_way_of_searching_gives_the_graph_of_the_former_search(kind, seed):
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(30, 600)), int(rng.integers(1, 60)), int(rng.integers(2, 20))
    points = KINDS[kind](rng, n, m)
    own = np.arange(n)
    expected = former_search.nearest(points, points, k, own, 2)
    scaled, _, exponent = search._scaled(points, points)
    single = single_precision(scaled, 2)
    directions = axes_of.leading_axes(single).directions
    ways = [None, *(axes_of.Axes(directions[:, :p]) for p in {1, min(3, m), m})]
    for axes in ways:
        lists = searches.Lists.empty(n, k)
        searches.sieve(scaled, scaled, lists, own, single, axes, 2)
        assert_same(lists, expected, exponent)
    if k + 1 < n:  # begun with what lies near, as for many points
        begun = search._sieved(scaled, single, ways[-1], k, 2, None)
        assert_same(begun, expected, exponent)
    lists = searches.Lists.empty(n, k)
    searches.search_by_tree(scaled, scaled, lists, own, 2)
    assert_same(lists, expected, exponent)
    found = search.exact(points, k, 2)
    np.testing.assert_array_equal(found.indices, expected[0])
    np.testing.assert_array_equal(found.distances, expected[1])


@pytest.mark.parametrize("k", [129, 200, 599])
@pytest.mark.parametrize("kind", ["gaussian", "whole numbers", "copies", "clusters"])
def test_many_neighbours_are_those_of_the_former_search(kind, k):
    points = KINDS[kind](np.random.default_rng(k), 600, 20)
    own = np.arange(600)
    expected = former_search.nearest(points, points, k, own, 2)
    found = search.exact(points, k, 2)
    np.testing.assert_array_equal(found.indices, expected[0])
    np.testing.assert_array_equal(found.distances, expected[1])


@pytest.mark.parametrize("axes", [False, True])
def test_nothing_is_lost_to_rounding_among_thousands_of_equal_distances(axes):
    # Copies of few points, far from the centre: products are wrong by more than they differ.
    rng = np.random.default_rng(0)
    points = np.repeat(40 * rng.random((60, 90)), 40, axis=0)
    points[:, 40:] *= 1e-3
    own = np.arange(len(points))
    expected = former_search.nearest(points, points, 12, own, 2)
    single = single_precision(points, 2)
    along = axes_of.Axes(axes_of.leading_axes(single).directions[:, :40]) if axes else None
    # Begun with the copies of the highest numbers: those of the lowest still have to come in.
    lists = searches.Lists.empty(len(points), 12)
    lists.squares[:], lists.filled[:] = 0.0, 12
    group = own // 40 * 40
    for a in range(12):
        lists.indices[:, a] = group + 27 + a + (group + 27 + a >= own)
    searches.sieve(points, points, lists, own, single, along, 2)
    np.testing.assert_array_equal(lists.indices, expected[0])


def test_the_bound_is_used_to_its_last_part_in_ten_thousand():
    # Rank 6, bounded along 6 axes: the bound is the distance, and a neighbour stands at the very
    # reach its list begins with.
    rng = np.random.default_rng(1)
    points = rng.standard_normal((3000, 6)) @ rng.standard_normal((6, 40))
    own = np.arange(len(points))
    expected = former_search.nearest(points, points, 8, own, 2)
    single = single_precision(points, 2)
    axes = axes_of.Axes(axes_of.leading_axes(single).directions[:, :6])
    lists = searches.Lists.empty(len(points), 8)
    lists.squares[:] = (expected[1][:, -1:] * (1 + 1e-9)) ** 2  # no neighbour is known, only that
    lists.indices[:] = len(points)  # a number no point has
    lists.filled[:] = 8
    searches.sieve(points, points, lists, own, single, axes, 2)
    np.testing.assert_array_equal(lists.indices, expected[0])


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(path.stem for path in SHARED.glob("*.parquet")))
def test_real_sets_have_the_graph_of_the_former_search(name):
    table = mc.datasets.read_table(SHARED / f"{name}.parquet")
    table = mc.datasets.prepare(table.with_target("target")).points[:20_000]
    k = min(12, len(table) - 2)
    expected = former_search.nearest(table, table, k, np.arange(len(table)), 2)
    graph = mc.knn_graph(table, k, search="exact", n_jobs=2)
    np.testing.assert_array_equal(graph.indices, expected[0])
    np.testing.assert_array_equal(graph.distances, expected[1])


@pytest.mark.parametrize("n_blocks", range(1, 12))
def test_every_two_blocks_meet_once_and_none_meets_two_at_a_time(n_blocks):
    rounds = searches.meetings(n_blocks)
    for pairs in rounds[1:]:
        seen = [block for pair in pairs for block in pair]
        assert len(set(seen)) == len(seen)
    met = sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs)
    assert met == [(a, b) for a in range(n_blocks) for b in range(a, n_blocks)]


@pytest.mark.usefixtures("descent")
@pytest.mark.parametrize("kind", KINDS)
def test_an_approximate_search_fills_every_list(kind):
    points = KINDS[kind](np.random.default_rng(5), 1500, 40)
    for k in (5, 40):
        found = search.approximate(points, k, 0, 2)
        assert (found.indices >= 0).all()
        assert (found.indices != np.arange(1500)[:, np.newaxis]).all()
        assert np.isfinite(found.distances).all()
        assert found.recall >= search.LEAST_RECALL


def test_queries_that_are_no_points_are_searched_as_before():
    points, queries = samples.sheet(0, 3000, 30), samples.sheet(1, 70, 30)
    nobody = np.full(len(queries), -1)
    expected = former_search.nearest(points, queries, 9, nobody, 2)
    for some in (slice(None), slice(0, 1)):
        indices, distances = search.nearest(points, queries[some], 9, nobody[some], 2)
        np.testing.assert_array_equal(indices, expected[0][some])
        np.testing.assert_array_equal(distances, expected[1][some])


@pytest.mark.parametrize("m", [1, 15, 16, 50, 784])
def test_squares_are_those_of_the_readable_twin_bit_for_bit(m):
    rng = np.random.default_rng(m)
    rows = np.zeros((40, lanes.padded(m)), dtype=np.float32)
    rows[:, :m] = rng.standard_normal((40, m))
    members = rng.permutation(40)
    for count in (1, 2, 3, 4, 40):
        out = np.empty(40, dtype=np.float32)
        lanes.squares_between(
            rows[7].ctypes.data, rows.ctypes.data, rows.shape[1], members, 0, count, out
        )
        expected = lanes.squares_by_hand(rows[7], rows[members[:count]])
        np.testing.assert_array_equal(out[:count], expected)


def test_what_passes_is_what_the_readable_twin_lets_pass():
    rng = np.random.default_rng(0)
    products, halves = rng.standard_normal((2, 64)).astype(np.float32)
    halves[3] = products[3] - np.float32(0.5)  # exactly at the limit
    places = np.empty(64, dtype=np.int64)
    for size in (1, 5, 63, 64):
        for least in (-np.inf, 0.5, 9.0):
            count = lanes.passing(
                products.ctypes.data, halves.ctypes.data, size, np.float32(least), places
            )
            expected = lanes.passing_by_hand(products[:size], halves[:size], least)
            np.testing.assert_array_equal(places[:count], expected)


def test_a_part_is_halved_by_its_keys():
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 10, 100):
        for top in (1, 3, 10**6):
            keys = rng.integers(0, top, n).astype(np.float32)
            members = np.arange(n)
            before, place = keys.copy(), n // 2
            forest.part_at(keys, members, place)
            np.testing.assert_array_equal(keys, before[members])
            assert (keys[:place] <= keys[place]).all()
            assert (keys[place:] >= keys[place]).all()


def test_runs_of_a_tree_are_those_of_its_halving():
    shadows = samples.gaussian(0, 500, 4).astype(np.float32)
    order = np.empty(500, dtype=np.int32)
    forest.tree_order(shadows, 3, 20, order)
    assert sorted(order) == list(range(500))
    starts = forest.leaf_bounds(500, 20)
    assert (starts[0], starts[-1]) == (0, 500)
    assert (np.diff(starts) <= 20).all()
    # Members of a run lie nearer to one another than points do at large.
    inside = [shadows[order[a:b]].std(axis=0).mean() for a, b in pairwise(starts)]
    assert np.mean(inside) < 0.8 * shadows.std(axis=0).mean()


def test_points_that_are_cut_off_only_come_closer():
    points = np.array([[0.0, 0.0], [1.0, 1e200], [2.0, 1e250], [0.5, 0.5], [0.1, 0.2]])
    single = single_precision(points, 1)
    assert np.isfinite(single.rows).all()
    assert single.rows.max() <= sieve.FARTHEST


def join_by_hand(points, lists, squares, members, n_new):
    """What a set has to tell, as the compiled code finds it, in its order."""
    told = []
    for a in range(n_new):
        for b in range(a + 1, len(members)):
            i, j = members[a], members[b]
            square = lanes.squares_by_hand(points[i], points[[j]])[0]
            for one, other in ((i, j), (j, i)):
                if square < squares[one, -1] and other not in lists[one]:
                    told.append((one, other, square))
    return told


def test_a_join_tells_what_the_readable_twin_tells():
    rng = np.random.default_rng(0)
    points = rng.standard_normal((60, 32)).astype(np.float32)
    lists = np.array([rng.permutation(60)[:6] for _ in range(60)], dtype=np.int32)
    squares = np.sort(40 + 40 * rng.random((60, 6)), axis=1).astype(np.float32)
    order = rng.permutation(60).astype(np.int32)
    starts = np.array([0, 25, 60])
    targets, others, found = joins.join_leaves(points, lists, squares, order, starts, 0, 2)
    expected = [
        one
        for a, b in ((0, 25), (25, 60))
        for one in join_by_hand(points, lists, squares, order[a:b], b - a)
    ]
    assert list(zip(targets, others, found, strict=True)) == expected


def test_lists_take_the_nearest_in_the_order_they_were_told():
    lists = np.full((3, 2), -1, dtype=np.int32)
    squares = np.full((3, 2), np.inf, dtype=np.float32)
    new = np.zeros((3, 2), dtype=bool)
    targets = np.array([0, 1, 0, 0, 0, 2], dtype=np.int32)
    others = np.array([5, 6, 7, 5, 8, 9], dtype=np.int32)
    found = np.array([2.0, 1.0, 2.0, 2.0, 1.0, 4.0], dtype=np.float32)
    assert joins.enter(targets, others, found, 0, 2, lists, squares, new) == 4
    np.testing.assert_array_equal(lists, [[8, 5], [6, -1], [-1, -1]])  # 5 came before 7
    assert new[0].all()
    assert new[1].tolist() == [True, False]


def test_candidates_of_an_approximate_search_are_the_same_on_every_machine():
    # Whole numbers: equal distances everywhere, so that the order of entries shows.
    points = np.random.default_rng(0).integers(0, 4, (3000, 20)).astype(float)
    digests = set()
    for threads in (1, 2, 5):
        descent = Descent(single_precision(points, threads).rows, 16, 1, threads)
        descent.plant()
        descent.round()
        digests.add(hashlib.sha256(descent.candidates_of(slice(None)).tobytes()).hexdigest()[:16])
    assert digests == {"3e79835495054bfd"}


def test_cosine_compares_rows_of_length_one():
    points = samples.gaussian(0, 300, 8) * np.geomspace(1e-140, 1e140, 300)[:, np.newaxis]
    graph = mc.knn_graph(points, 7, metric="cosine")
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    expected = mc.knn_graph(unit, 7)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_allclose(graph.distances, expected.distances, rtol=1e-12)
    assert (graph.metric, graph.prefix(3).metric) == ("cosine", "cosine")


def test_scores_by_cosine_are_those_of_rows_of_length_one():
    points = samples.gaussian(0, 300, 8) * np.geomspace(1e-140, 1e140, 300)[:, np.newaxis]
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    expected = mc.curvature(unit, 7)
    scores = mc.curvature(points, 7, metric="cosine")
    np.testing.assert_allclose(scores.values, expected.values, rtol=1e-9)
    assert scores.graph.metric == "cosine"
    graph = mc.knn_graph(points, 9, metric="cosine")  # says its metric itself
    np.testing.assert_array_equal(mc.curvature(points, 7, graph=graph).values, scores.values)
    given = mc.curvature(points, graph=graph.indices[:, :7], metric="cosine")
    np.testing.assert_array_equal(given.values, scores.values)
    stable = mc.k_stability(points, k_values=[5, 7], metric="cosine")
    np.testing.assert_array_equal(stable.values[1], scores.values)
    model = mc.CurvatureScore(7, metric="cosine").fit(points[:290])
    np.testing.assert_allclose(
        model.transform(points[290:] * 3.0),
        mc.CurvatureScore(7).fit(unit[:290]).transform(unit[290:]),
        rtol=1e-9,
    )


def test_rows_without_a_direction_are_named():
    points = samples.gaussian(0, 20, 3)
    points[[3, 9]] = 0.0
    with pytest.raises(
        ValueError, match="other than 0 in every row, and there is none in rows 3, 9"
    ):
        mc.knn_graph(points, 4, metric="cosine")
    with pytest.raises(ValueError, match="metric must be one of euclidean, cosine, got 'l1'"):
        mc.knn_graph(points, 4, metric="l1")
