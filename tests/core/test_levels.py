"""Right singular vectors found level by level, against matrices made from known ones."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mecuco as mc
from mecuco_core.kernels.linalg.small_eigen import descending_eigh
from mecuco_core.kernels.score.compiled_levels import right_singular
from mecuco_core.kernels.score.fast import fast_score
from mecuco_core.kernels.score.haar import haar_score

EPS = np.finfo(float).eps
TWINS = {"fast": fast_score, "haar": haar_score}


def made(seed, k, w, singular_values):
    """Return A (k, w), centred, with these singular values, and its right singular vectors."""
    rng = np.random.default_rng(seed)
    r = len(singular_values)
    ones = np.ones((k, 1))
    U = np.linalg.qr(np.hstack([ones, rng.standard_normal((k, r))]))[0][:, 1:]
    V = np.linalg.qr(rng.standard_normal((w, r)))[0]
    return (U * singular_values) @ V.T, V.T


def found(A, m=None):
    squares, Ut = descending_eigh(A @ A.T, True)
    return right_singular(A, squares, Ut, m or A.shape[1])


@settings(max_examples=60, deadline=None)
@example(seed=0, k=17, spare=0, fewer=0, decades=11.0)  # on six levels
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(17, 60),
    spare=st.integers(0, 20),
    fewer=st.integers(0, 10),
    decades=st.floats(0, 11),
)
def test_vectors_of_graded_singular_values_are_found(seed, k, spare, fewer, decades):
    r = k - 1 - fewer
    singular_values = 10.0 ** -np.linspace(0, max(decades, 0.02 * r), r)
    A, expected = made(seed, k, k - 1 + spare, singular_values)
    squares, Vt, rank = found(A)
    assert rank == r
    np.testing.assert_allclose(np.sqrt(squares[:r]), singular_values, atol=40 * EPS)
    np.testing.assert_allclose(Vt[:r] @ Vt[:r].T, np.eye(r), atol=1e-10)
    # A direction turns by the rounding over the distance to the next singular value.
    steps = -np.diff(singular_values)
    nearest = np.minimum(np.append(steps, np.inf), np.append(np.inf, steps))
    alike = np.abs(np.sum(Vt[:r] * expected, axis=1))
    assert np.all(np.sqrt(np.maximum(1 - alike**2, 0)) <= 1e-7 + 400 * EPS / nearest)


def test_nothing_is_found_where_singular_values_are_equal():
    A, _ = made(0, 20, 30, np.r_[2.0, 1.0, 1.0, 0.5])
    assert found(A)[2] == -1


@pytest.mark.parametrize("mode", ["fast", "haar"])
@pytest.mark.parametrize("smallest", [1e-3, 1e-6, 1e-9])
def test_scores_of_flat_neighbourhoods_equal_their_readable_twin(mode, smallest):
    clouds = [made(seed, 30, 40, np.geomspace(1, smallest, 29))[0] for seed in (1, 2)]
    others = np.r_[np.tile(np.arange(30, 60), (30, 1)), np.tile(np.arange(30), (30, 1))]
    result = mc.curvature(np.vstack(clouds), mode=mode, graph=others)
    for point, cloud in ((30, clouds[0]), (0, clouds[1])):
        expected = TWINS[mode](cloud)
        assert result.covariance_rank[point] == expected.rank == 29
        assert result.scatter[point] == pytest.approx(expected.scatter, rel=1e-12)
        assert result.alignment[point] == pytest.approx(expected.shape, rel=1e-9 + 1e-15 / smallest)
