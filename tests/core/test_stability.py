"""The ranking over k: one search, overlaps and persistence."""

import numpy as np
import pytest

import mecuco as mc
from mecuco_core.diagnostics.stability import Stability, k_stability
from mecuco_core.score.ranks import rank_percent, top_size


def cloud(n: int = 60, m: int = 4) -> np.ndarray:
    return np.random.default_rng(3).standard_normal((n, m)) ** 3


def by_hand() -> Stability:
    values = np.array([[4.0, 3, 2, 1], [4, 2, 3, 1], [1, 2, 3, 4]])
    percent = np.array([rank_percent(row) for row in values])
    return Stability(np.array([3, 4, 5]), values, percent, "haar")


def test_each_row_is_the_score_for_that_k() -> None:
    points = cloud()
    stability = k_stability(points, k_values=[8, 3, 5], mode="haar")
    assert stability.k_values.tolist() == [3, 5, 8]
    for k, values in zip([3, 5, 8], stability.values, strict=True):
        np.testing.assert_allclose(values, mc.curvature(points, k, mode="haar").values, rtol=1e-12)


def test_a_given_graph_gives_the_same_numbers_as_a_search() -> None:
    points = cloud()
    searched = k_stability(points, k_values=[3, 5], mode="haar")
    given = k_stability(points, k_values=[3, 5], mode="haar", graph=mc.knn_graph(points, 12))
    np.testing.assert_array_equal(given.values, searched.values)


@pytest.mark.parametrize("q", [1, 10, 50, 100])
def test_overlap_is_symmetric_with_ones_on_the_diagonal(q: float) -> None:
    overlap = k_stability(cloud(), k_values=range(3, 9), mode="haar").overlap(q)
    np.testing.assert_allclose(overlap, overlap.T)
    np.testing.assert_allclose(np.diag(overlap), 1.0)
    assert ((overlap >= 0) & (overlap <= 1)).all()
    assert (overlap < 1).any() == (q < 100)


def test_overlap_agrees_with_the_one_of_agreement() -> None:
    stability = k_stability(cloud(), k_values=[3, 9], mode="haar")
    agreement = mc.compare(stability.values[0], stability.values[1])
    for q in (5, 20, 40):
        assert stability.overlap(q)[0, 1] == pytest.approx(agreement.top_overlap(q))


def test_persistence_sums_to_the_size_of_the_list() -> None:
    stability = k_stability(cloud(), k_values=range(3, 9), mode="haar")
    assert stability.persistence(10).sum() == pytest.approx(top_size(60, 10))


def test_overlap_and_persistence_by_hand() -> None:
    # Top halves: {0, 1}, {0, 2}, {3, 2}.
    stability = by_hand()
    np.testing.assert_allclose(stability.overlap(50), [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    np.testing.assert_allclose(stability.persistence(50), [2 / 3, 1 / 3, 2 / 3, 1 / 3])


def test_rank_percent_by_hand() -> None:
    np.testing.assert_allclose(rank_percent([5.0, 1, 9, 1]), [75, 37.5, 100, 37.5])
    # The two 5s share the ranks 2 and 3 of 4: (2 + 3) / 2 / 4 = 62.5 %.
    np.testing.assert_allclose(rank_percent([5.0, 1, 5, 9]), [62.5, 25, 62.5, 100])
    np.testing.assert_allclose(by_hand().percent[1], [100, 50, 75, 25])


def test_what_has_no_value_has_no_rank() -> None:
    np.testing.assert_array_equal(rank_percent([np.nan, 1.0]), [np.nan, 100])
    assert np.isnan(rank_percent([np.nan, np.nan])).all()


def test_auto_is_resolved_once_for_all_k() -> None:
    assert k_stability(cloud(30, 60), k_values=[3, 4], mode="auto").mode == "fast"
    assert k_stability(cloud(30, 4), k_values=[3, 4], mode="auto").mode == "exact"


def test_progress_counts_the_search_and_every_k() -> None:
    seen: list[tuple[int, int]] = []
    k_stability(cloud(), k_values=[3, 4], mode="haar", progress=lambda *step: seen.append(step))
    assert seen[-1] == (180, 180)
    seen.clear()
    graph = mc.knn_graph(cloud(), 4)
    k_stability(
        cloud(), k_values=[3, 4], mode="haar", graph=graph, progress=lambda *step: seen.append(step)
    )
    assert seen[-1] == (120, 120)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize("k_values", [[], [5], [5, 5], [2.5, 3.5]])
def test_fewer_than_two_whole_k_are_refused(k_values: list[int]) -> None:
    with pytest.raises(ValueError, match="k_values must hold two or more different integers"):
        k_stability(cloud(), k_values=k_values)


@pytest.mark.parametrize("k_values", [[1, 5], [5, 60]])
def test_k_out_of_range_is_refused(k_values: list[int]) -> None:
    with pytest.raises(ValueError, match="n_neighbors must be in"):
        k_stability(cloud(), k_values=k_values)


@pytest.mark.parametrize("q", [0, -1, 101])
def test_q_must_be_a_percentage(q: float) -> None:
    with pytest.raises(ValueError, match="q must be a percentage"):
        by_hand().overlap(q)
