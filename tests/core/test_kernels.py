"""The readable kernels: laws, the paper's identities, values by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.kernels.score.exact import eigenbasis, exact_score, score_in_basis
from mecuco_core.kernels.score.fast import fast_score
from mecuco_core.kernels.score.haar import haar_score
from mecuco_core.kernels.score.original import original_score, trace_with_products
from mecuco_core.kernels.score.patch import centred
from tests.core import oracles, samples

KERNELS = {
    "original": original_score,
    "exact": exact_score,
    "fast": fast_score,
    "haar": haar_score,
}
BOUNDED = ["original", "exact", "haar"]
seeds = st.integers(0, 2**32 - 1)


def value(split):
    return split.scatter + split.shape


@pytest.fixture(params=KERNELS)
def kernel(request):
    return KERNELS[request.param]


@given(seed=seeds, scale=st.floats(1e-3, 1e3))
def test_scaling_by_s_multiplies_the_score_by_s_squared(seed, scale):
    points = samples.gaussian(seed, 8, 5)
    for kernel in KERNELS.values():
        assert value(kernel(scale * points)) == pytest.approx(
            scale**2 * value(kernel(points)), rel=1e-9
        )


@given(seed=seeds)
def test_translation_permutation_and_inversion_change_nothing(seed):
    rng = np.random.default_rng(seed)
    points = samples.gaussian(seed, 8, 5)
    moved = (rng.standard_normal(5) - points[rng.permutation(8)])[:, rng.permutation(5)]
    for kernel in KERNELS.values():
        assert value(kernel(moved)) == pytest.approx(value(kernel(points)), rel=1e-9)


@pytest.mark.parametrize("name", KERNELS)
def test_a_rotation_or_one_mirrored_axis_changes_the_score(name):
    # Not a law but its absence, which docs/method.md section 7 states and users are told.
    points = samples.gaussian(0, 8, 5)
    mirrored = points * [-1.0, 1.0, 1.0, 1.0, 1.0]
    rotated = points @ oracles.random_orthogonal(np.random.default_rng(1), 5)
    for moved in (mirrored, rotated):
        assert abs(value(KERNELS[name](moved)) / value(KERNELS[name](points)) - 1) > 0.001
        assert KERNELS[name](moved).scatter == pytest.approx(KERNELS[name](points).scatter)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("kind", samples.EVERY_KIND)
def test_score_lies_between_half_the_scatter_and_the_scatter(name, kind):
    m_limit = 80  # `original` is O(m⁴)
    for seed in range(20):
        points = samples.EVERY_KIND[kind](seed)[:7, :m_limit]
        split = KERNELS[name](points)
        slack = 1e-12 * split.scatter
        assert -slack <= split.shape <= split.scatter + slack
        trace = np.trace(oracles.covariance(points))
        assert 2 * split.scatter == pytest.approx(trace, rel=1e-9 if kind != "offset" else 1e-6)


@given(seed=seeds, k=st.integers(2, 9), m=st.integers(1, 7))
def test_products_of_eigenvectors_obey_the_identity(seed, k, m):
    A, _ = centred(samples.gaussian(seed, k, m))
    _, W, _ = eigenbasis(A)
    j, l = np.triu_indices(m, k=1)
    H = np.hstack([W**2, W[:, j] * W[:, l]])
    np.testing.assert_allclose(H @ H.T, 0.5 * W**2 @ (W**2).T + 0.5 * np.eye(m), atol=1e-13)


@given(seed=seeds, k=st.integers(2, 9), m=st.integers(1, 9))
def test_original_and_exact_are_one_number_in_one_basis(seed, k, m):
    A, _ = centred(samples.gaussian(seed, k, m))
    lam, W, _ = eigenbasis(A)
    exact = 0.5 * (score_in_basis(lam, W) + lam.sum())
    assert trace_with_products(lam, W) == pytest.approx(exact, rel=1e-12)


@given(seed=seeds, m=st.integers(1, 6), extra=st.integers(0, 6))
def test_modes_agree_where_neighbours_span_the_space(seed, m, extra):
    points = samples.gaussian(seed, m + 1 + extra, m)
    expected = value(exact_score(points))
    assert value(original_score(points)) == pytest.approx(expected, rel=1e-10)
    assert value(haar_score(points)) == pytest.approx(expected, rel=1e-10)
    assert expected == pytest.approx(oracles.score_with_loops(points), rel=1e-8)


@given(seed=seeds, k=st.integers(2, 12), m=st.integers(1, 40))
def test_fast_is_algorithm_1_term_by_term(seed, k, m):
    points = samples.gaussian(seed, k, m)
    assert value(fast_score(points)) == pytest.approx(
        oracles.algorithm_1(points), rel=1e-9, abs=1e-12
    )


@given(seed=seeds, k=st.integers(2, 9), m=st.integers(1, 30))
def test_haar_equals_the_expectation_with_the_projector_written_out(seed, k, m):
    points = samples.gaussian(seed, k, m)
    assert value(haar_score(points)) == pytest.approx(
        oracles.haar_with_projector(points), rel=1e-10
    )


@pytest.mark.parametrize(
    ("k", "m", "n_repeats"),
    [(4, 10, 0), (6, 7, 0), (9, 60, 0), (8, 12, 3), (3, 4, 0), (2, 5, 0), (7, 5, 4)],
)
def test_haar_is_the_mean_over_random_null_bases(k, m, n_repeats):
    rng = np.random.default_rng(k * m)
    points = rng.standard_normal((k, m))
    points[k - n_repeats :] = points[0]
    lam, V, N = oracles.range_and_null(points)
    draws = np.array(
        [
            oracles.score_in_null_basis(lam, V, N @ oracles.random_orthogonal(rng, N.shape[1]))
            for _ in range(2500)
        ]
    )
    standard_error = draws.std() / np.sqrt(len(draws))
    assert abs(draws.mean() - value(haar_score(points))) <= 4 * standard_error + 1e-12


def test_haar_has_no_bias_over_many_neighbourhoods():
    rng = np.random.default_rng(5)
    deviations = []
    for _ in range(150):
        points = rng.standard_normal((6, 14))
        lam, V, N = oracles.range_and_null(points)
        draws = [
            oracles.score_in_null_basis(lam, V, N @ oracles.random_orthogonal(rng, N.shape[1]))
            for _ in range(40)
        ]
        error = np.std(draws) / np.sqrt(len(draws))
        deviations.append((np.mean(draws) - value(haar_score(points))) / error)
    # Standardised deviations: their mean has a standard error of about 1 / sqrt(150).
    assert abs(np.mean(deviations)) < 4 / np.sqrt(150)


@pytest.mark.parametrize("name", KERNELS)
def test_rectangle_by_hand(name):
    # Corners (±2, ±1): lam = (16/3, 4/3) and W = I, so C = I and the score is (20/3 + 20/3) / 2.
    rectangle = np.array([[2, 1], [2, -1], [-2, 1], [-2, -1]], dtype=float)
    split = KERNELS[name](rectangle)
    assert value(split) == pytest.approx(20 / 3, rel=1e-14)
    assert split.scatter == pytest.approx(10 / 3, rel=1e-14)
    assert split.rank == 2


def test_two_neighbours_on_the_diagonal_by_hand():
    # (1, 1) and (-1, -1): lam = 4 along V = (1, 1)/√2, one null direction (1, -1)/√2.
    # T = 2/(2√2) = 1/√2, so t_range = lam/2. Leverages are ½, so a = lam/2 and
    # b = lam (1 - 1 + ½) = lam/2: the null share is (½ + 1) lam / (1 + 2) = lam/2 and the score
    # ½ (lam/2 + lam/2) + lam/2 = lam = 4, as the one null basis there is also gives.
    # Algorithm 1 has t_B = lam/2 - lam and divides by 1: ½ (lam/2 - lam/2) + lam/2 = 2.
    pair = np.array([[1.0, 1.0], [-1.0, -1.0]])
    assert value(haar_score(pair)) == pytest.approx(4.0, rel=1e-14)
    assert value(exact_score(pair)) == pytest.approx(4.0, rel=1e-14)
    assert value(fast_score(pair)) == pytest.approx(2.0, rel=1e-14)


def test_equal_neighbours_score_zero(kernel):
    split = kernel(np.full((5, 3), 1.7))
    assert split == (0.0, 0.0, 0)


def test_an_offset_costs_no_more_than_the_input_has_lost(kernel):
    points = np.round(samples.gaussian(3, 9, 4) * 2**20) / 2**20  # exact also after the shift
    assert value(kernel(points + 2.0**26)) == pytest.approx(value(kernel(points)), rel=1e-13)


@settings(max_examples=25)
@given(seed=seeds, exponent=st.integers(-500, 480))
def test_powers_of_two_are_exact(seed, exponent):
    points = samples.gaussian(seed, 6, 9)
    for kernel in KERNELS.values():
        scaled = kernel(np.ldexp(points, exponent))
        plain = kernel(points)
        assert scaled.shape == np.ldexp(plain.shape, 2 * exponent)
        assert scaled.scatter == np.ldexp(plain.scatter, 2 * exponent)
