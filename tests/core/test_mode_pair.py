"""Two modes on the same neighbourhoods."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mecuco as mc
from mecuco_core.diagnostics import mode_pair
from mecuco_core.diagnostics.mode_pair import (
    affordable_sample,
    check_possible,
    min_max,
    overlap_curve,
    timed_scores,
)


def cloud(n: int = 70, m: int = 5) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((n, m))


@pytest.mark.parametrize("mode", ["original", "exact", "fast", "haar", "auto"])
def test_all_rows_are_the_scores_of_curvature(mode: str) -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    timed = timed_scores(points, graph=graph, mode=mode)  # type: ignore[arg-type]
    whole = mc.curvature(points, graph=graph, mode=mode)  # type: ignore[arg-type]
    np.testing.assert_array_equal(timed.values, whole.values)
    assert timed.mode == whole.mode
    assert timed.seconds > 0
    assert not timed.is_sample


@pytest.mark.parametrize(
    ("took", "told"),
    [
        ([1.1, 0.4], 0.4),  # the first was disturbed
        ([0.2, 0.2], 0.2),
        ([0.05, 0.09, 0.02, 0.04, 0.06], 0.02),  # at most five
        ([1.6], 1.6),  # long enough
    ],
)
def test_the_best_of_a_few_runs_is_told(
    took: list[float], told: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    times = iter([time for seconds in took for time in (0.0, seconds)])
    monkeypatch.setattr(mode_pair.time, "perf_counter", lambda: next(times))
    assert timed_scores(points, graph=graph, mode="haar").seconds == told
    assert next(times, None) is None


def test_a_sampled_point_is_scored_by_its_neighbours_among_all_points() -> None:
    points = cloud()
    graph = mc.knn_graph(points, 6)
    timed = timed_scores(points, graph=graph, mode="haar", rows=[40, 3])
    whole = mc.curvature(points, graph=graph, mode="haar").values
    assert timed.rows.tolist() == [3, 40]
    np.testing.assert_array_equal(timed.values, whole[[3, 40]])
    assert timed.is_sample
    assert timed.n_points == 70


@given(st.integers(3, 400), st.integers(0, 5), st.floats(0, 3))
def test_the_overlap_curve_is_top_overlap_for_every_q(n: int, seed: int, noise: float) -> None:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 50, n).astype(float)
    b = a + noise * rng.standard_normal(n)
    agreement = mc.compare(a, b)
    expected = [agreement.top_overlap(q) for q in range(1, 101)]
    np.testing.assert_allclose(overlap_curve(a, b), expected)


def test_the_overlap_curve_by_hand() -> None:
    # Top halves {0, 1} and {0, 3}; top single {0} in both; all four in both.
    curve = overlap_curve([4.0, 3, 2, 1], [4.0, 1, 2, 3])
    assert curve[24] == 1.0
    assert curve[49] == 0.5
    assert curve[74] == pytest.approx(2 / 3)
    assert curve[99] == 1.0


def test_min_max_by_hand_and_of_equal_scores() -> None:
    np.testing.assert_allclose(min_max([2.0, 4, 3]), [0, 1, 0.5])
    np.testing.assert_array_equal(min_max([7.0, 7]), [0, 0])


def test_the_affordable_sample_grows_with_time_and_shrinks_with_cost() -> None:
    few = affordable_sample(10**6, 784, 16, "exact", 5.0)
    assert 8 <= few < affordable_sample(10**6, 784, 16, "exact", 50.0)
    assert few < affordable_sample(10**6, 64, 16, "exact", 5.0)
    assert affordable_sample(30, 4, 16, "exact", 5.0) == 30
    assert affordable_sample(10**6, 2000, 16, "original", 0.1) == 8


def test_progress_counts_rows_and_may_stop() -> None:
    seen: list[tuple[int, int]] = []
    points = cloud()
    graph = mc.knn_graph(points, 6)
    timed_scores(
        points, graph=graph, mode="exact", rows=range(9), progress=lambda *s: seen.append(s)
    )
    assert seen[-1] == (9, 9)


@pytest.mark.parametrize("rows", [[], [-1], [70]])
def test_rows_that_are_not_there_are_refused(rows: list[int]) -> None:
    points = cloud()
    with pytest.raises(ValueError, match=r"rows must be one or more positions in \[0, 69\]"):
        timed_scores(points, graph=mc.knn_graph(points, 6), mode="haar", rows=rows)


def test_a_mode_that_does_not_fit_in_memory_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"'original' would need \d+ GiB for each point of 2000"):
        check_possible("original", 2000)
    check_possible("exact", 2000)
    check_possible("original", 64)


def test_scores_of_different_points_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="a and b must score the same points, got 3 and 2"):
        overlap_curve([1.0, 2, 3], [1.0, 2])
