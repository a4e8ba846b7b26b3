"""What `exact` can be: laws of the spread over null-space bases."""

import numpy as np
import pytest
from scipy import stats

import mecuco as mc
from mecuco_core.datasets.bundled import load_bundled
from mecuco_core.diagnostics.null_bases.scores import (
    DRIVERS,
    LARGEST_SAMPLE,
    NullBasisSpread,
    affordable_rows,
    estimated_null_basis_seconds,
    null_basis_scores,
)
from mecuco_core.kernels.score.exact import eigenbasis, score_in_basis
from mecuco_core.kernels.score.null_bases import (
    random_rotations,
    range_and_null,
    rotated_shares,
    shape_share,
)
from mecuco_core.kernels.score.patch import centred
from mecuco_core.preparation.prepare import prepare


def cloud(n: int = 40, m: int = 12, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, m)) * np.linspace(0.5, 3.0, m)


@pytest.fixture(scope="module")
def spread() -> NullBasisSpread:
    points = cloud()
    return null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=400)


@pytest.fixture(scope="module")
def wine() -> NullBasisSpread:
    points = prepare(load_bundled("wine")).points
    return null_basis_scores(points, graph=mc.knn_graph(points))


def test_the_mean_over_random_bases_is_the_haar_score(spread: NullBasisSpread) -> None:
    errors = (spread.mean - spread.haar) / (spread.sd / np.sqrt(spread.n_bases))
    assert np.abs(errors).max() < 4.5
    assert spread.sd.min() > 0


def test_every_basis_keeps_the_score_between_scatter_and_twice_scatter(
    spread: NullBasisSpread,
) -> None:
    points = cloud()
    scatter = mc.curvature(points, 6, mode="haar").scatter
    for scores in (*spread.draws.T, *spread.drivers.T, spread.axis_aligned):
        assert (scores >= scatter * (1 - 1e-12)).all()
        assert (scores <= 2 * scatter * (1 + 1e-12)).all()


def test_a_neighbourhood_that_spans_the_space_has_one_score() -> None:
    points = cloud(30, 4)
    graph = mc.knn_graph(points, 9)
    spread = null_basis_scores(points, graph=graph, n_bases=5)
    exact = mc.curvature(points, graph=graph, mode="exact").values
    assert not spread.deficient.any()
    assert spread.share_inside(exact + 1.0) == 1.0
    np.testing.assert_array_equal(spread.exact, exact)
    for scores in (*spread.draws.T, *spread.drivers.T, spread.axis_aligned, spread.haar):
        np.testing.assert_allclose(scores, exact, rtol=1e-11)


def test_a_null_space_of_one_dimension_has_one_basis() -> None:
    points = cloud(30, 5)
    spread = null_basis_scores(points, graph=mc.knn_graph(points, 5), n_bases=5)
    assert (spread.rank == 4).all()
    assert not spread.deficient.any()
    np.testing.assert_allclose(spread.sd, 0, atol=1e-12)
    np.testing.assert_allclose(spread.draws[:, 0], spread.haar, rtol=1e-11)


def test_the_axis_aligned_basis_is_above_nearly_all_random_ones(spread: NullBasisSpread) -> None:
    assert (spread.axis_aligned > spread.band[:, 1]).mean() > 0.9


def test_the_modes_of_the_spread_are_those_of_curvature(spread: NullBasisSpread) -> None:
    points = cloud()
    for mode in ("haar", "fast", "exact"):
        expected = mc.curvature(points, 6, mode=mode).values
        np.testing.assert_array_equal(getattr(spread, mode), expected)


def test_scores_of_a_row_do_not_depend_on_the_other_rows(spread: NullBasisSpread) -> None:
    points = cloud()
    alone = null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=400, rows=[7])
    np.testing.assert_allclose(alone.draws[0], spread.draws[7], rtol=1e-12)
    np.testing.assert_allclose(alone.drivers[0], spread.drivers[7], rtol=1e-12)
    assert alone.is_sample
    assert not spread.is_sample


def test_the_seed_decides_the_draws() -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    first, again, other = (
        null_basis_scores(points, graph=graph, n_bases=10, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.draws, again.draws)
    assert not np.allclose(first.draws, other.draws)


def test_scaling_by_s_multiplies_every_score_by_s_squared(spread: NullBasisSpread) -> None:
    points = 1024.0 * cloud()  # a power of two: no rounding, so the same bases are drawn
    scaled = null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=400)
    np.testing.assert_allclose(scaled.axis_aligned, 2.0**20 * spread.axis_aligned, rtol=1e-12)
    np.testing.assert_allclose(scaled.draws, 2.0**20 * spread.draws, rtol=1e-12)


def test_range_and_null_share_add_up_to_the_readable_kernel() -> None:
    A, _ = centred(cloud(6, 12))
    lam, V, N = range_and_null(A)
    readable_lam, W, rank = eigenbasis(A)
    np.testing.assert_allclose(lam, readable_lam[:rank])
    whole = score_in_basis(readable_lam, np.hstack([W[:, :rank], N]))
    assert shape_share(lam, V, V) + shape_share(lam, V, N) == pytest.approx(whole)


@pytest.mark.parametrize("cached", [1, 200, 10**6])
def test_shares_of_rotated_bases_do_not_depend_on_the_cache(
    cached: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mecuco_core.kernels.score.null_bases.CACHED", cached)
    lam, V, N = range_and_null(centred(cloud(6, 12))[0])
    Q = random_rotations(7, 5, np.random.default_rng(0))
    expected = [shape_share(lam, V, N @ one) for one in Q]
    np.testing.assert_allclose(rotated_shares(lam, V, N, Q), expected)


def test_rotations_are_orthogonal_and_each_entry_has_variance_one_over_n() -> None:
    Q = random_rotations(4, 3000, np.random.default_rng(0))
    np.testing.assert_allclose(
        Q @ Q.transpose(0, 2, 1), np.broadcast_to(np.eye(4), Q.shape), atol=1e-12
    )
    squares = (Q**2).mean(axis=0)
    # E q² = 1/4; var q² = 3 / (4 · 6) - 1/16 = 1/16, so the mean of 3000 has error 0.0046.
    assert np.abs(squares - 0.25).max() < 5 * 0.0046


def test_two_neighbours_by_hand() -> None:
    # Neighbours of point 0 are at (1, 0, 0) and (3, 0, 0): lam = 2, V = e1, and any null basis
    # lies in the other two coordinates, so V . w² = 0 and the shape sum is lam alone:
    # score = (2 + 2) / 2, whatever the basis.
    points = np.array([[0.0, 0, 0], [1, 0, 0], [3, 0, 0], [50, 50, 9], [51, 50, 9]])
    graph = np.array([[1, 2], [0, 2], [1, 0], [4, 2], [3, 2]])
    spread = null_basis_scores(points, graph=graph, n_bases=3, rows=[0])
    np.testing.assert_allclose(spread.draws, 2.0)
    np.testing.assert_allclose(spread.drivers, 2.0)
    np.testing.assert_allclose(spread.axis_aligned, 2.0)
    assert spread.rank.tolist() == [1]


def test_a_diagonal_by_hand() -> None:
    # Neighbours at ±(1, 1): lam = 4, V = (1, 1)/√2, null vector (1, -1)/√2. Both columns have
    # squares (½, ½), and V . (½, ½) = 1/√2, so the shape sum is 4 (½ + ½) = 4: score 4.
    points = np.array([[0.0, 0], [1, 1], [-1, -1]])
    spread = null_basis_scores(
        points, graph=np.array([[1, 2], [0, 2], [0, 1]]), n_bases=2, rows=[0]
    )
    np.testing.assert_allclose([spread.haar[0], spread.axis_aligned[0], *spread.drivers[0]], 4.0)


def test_points_that_repeat_have_score_zero_in_every_basis() -> None:
    points = np.vstack([np.zeros((5, 4)), np.eye(4) * 9])
    spread = null_basis_scores(points, graph=mc.knn_graph(points, 3), n_bases=4, rows=[0])
    assert spread.rank.tolist() == [0]
    assert not spread.draws.any()
    assert spread.relative(spread.draws).tolist() == [[0.0] * 4]


def test_relative_and_share_inside_by_hand(spread: NullBasisSpread) -> None:
    np.testing.assert_allclose(spread.relative(1.1 * spread.haar), 0.1)
    np.testing.assert_allclose(
        spread.relative(spread.drivers)[:, 1], spread.drivers[:, 1] / spread.haar - 1
    )
    assert spread.share_inside(spread.mean) == 1.0
    assert spread.share_inside(spread.axis_aligned * 2) == 0.0
    assert spread.share_inside(0.0 * spread.axis_aligned) == 0.0


def test_the_band_holds_95_percent_of_the_draws(spread: NullBasisSpread) -> None:
    low, high = spread.band.T[:, :, None]
    inside = (low <= spread.draws) & (spread.draws <= high)
    np.testing.assert_allclose(inside.mean(axis=1), 0.95)
    np.testing.assert_allclose((spread.draws > high).mean(axis=1), 0.025)


# The figures below are those of METHOD section 5, as bounds that leave room for another LAPACK.


def test_on_wine_random_bases_scatter_by_one_percent_and_fast_is_18_percent_low(
    wine: NullBasisSpread,
) -> None:
    assert np.median(wine.sd / wine.haar) == pytest.approx(0.0105, abs=0.002)
    assert wine.relative(wine.fast).mean() == pytest.approx(-0.176, abs=0.005)
    assert abs(wine.relative(wine.mean).mean()) < 0.0025


def test_on_wine_lapack_sits_above_haar_and_the_axis_aligned_basis_higher_still(
    wine: NullBasisSpread,
) -> None:
    above = wine.relative(wine.drivers).mean(axis=0)
    assert len(above) == len(DRIVERS)
    assert (above > 0.002).all()
    assert wine.relative(wine.axis_aligned).mean() == pytest.approx(0.063, abs=0.01)
    for driver in wine.drivers.T:
        assert stats.spearmanr(driver, wine.haar).statistic > 0.997


def test_large_work_is_done_on_a_sample_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mecuco_core.diagnostics.null_bases.scores.SAMPLE_SECONDS", 1e-9)
    points = cloud()
    spread = null_basis_scores(points, graph=mc.knn_graph(points, 6), n_bases=2)
    assert spread.is_sample
    assert len(spread.rows) == 4
    assert spread.n_points == 40
    whole = mc.curvature(points, 6, mode="haar").values
    np.testing.assert_allclose(spread.haar, whole[spread.rows])


def test_the_estimate_grows_with_rows_features_and_bases() -> None:
    base = estimated_null_basis_seconds(100, 64, 11, 200)
    assert estimated_null_basis_seconds(200, 64, 11, 200) > base
    assert estimated_null_basis_seconds(100, 128, 11, 200) > 4 * base
    assert estimated_null_basis_seconds(100, 64, 11, 400) > base
    assert affordable_rows(10**6, 5, 10, 200) == LARGEST_SAMPLE
    assert affordable_rows(50, 5, 10, 200) == 50
    assert affordable_rows(10**6, 1500, 10, 200) == 4


def test_progress_counts_to_the_end_and_an_exception_stops_the_work() -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    seen: list[tuple[int, int]] = []
    null_basis_scores(
        points, graph=graph, n_bases=10, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (400, 400)

    repeated = np.vstack([points, points[:1]])  # a neighbourhood of lower rank: a second group
    seen.clear()
    null_basis_scores(
        repeated,
        graph=mc.knn_graph(repeated, 6),
        n_bases=10,
        progress=lambda *step: seen.append(step),
    )
    assert [done for done, _ in seen] == [10 * (i + 1) for i in range(41)]

    def stop(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        null_basis_scores(points, graph=graph, n_bases=10, progress=stop)


def test_bases_drawn_in_chunks_are_the_same_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    whole = null_basis_scores(points, graph=graph, n_bases=7, rows=[3])
    monkeypatch.setattr("mecuco_core.diagnostics.null_bases.scores._CHUNK_BYTES", 8 * 7**2 * 3)
    parts = null_basis_scores(points, graph=graph, n_bases=7, rows=[3])
    np.testing.assert_allclose(parts.draws, whole.draws, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": [40]}, r"rows must be in \[0, 39\], got 40"),
        ({"rows": [-1, 3]}, r"got -1"),
        ({"rows": []}, "rows must be one or more integer positions"),
        ({"rows": [0.5]}, "rows must be one or more integer positions"),
        ({"n_bases": 1}, "n_bases must be at least 2, got 1"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], message: str) -> None:
    points = cloud()
    with pytest.raises(ValueError, match=message):
        null_basis_scores(points, graph=mc.knn_graph(points, 6), **arguments)  # type: ignore[arg-type]


def test_too_many_features_are_refused_in_words() -> None:
    points = np.random.default_rng(0).standard_normal((5, 2001))
    with pytest.raises(ValueError, match="at most 2000 features"):
        null_basis_scores(points, graph=mc.knn_graph(points, 2))
