"""The closed formulas of every manifold, against sympy's derivatives of its parametrisation."""

from functools import cache

import numpy as np
import pytest
import sympy as sp

from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.datasets.manifolds.surface import distance_to_polylines

U, V = sp.symbols("u v", real=True)
a, b, c, R, r, w, pitch = sp.symbols("a b c R r w pitch", positive=True)
side = sp.Symbol("side", real=True)  # of the S-curve: the sign of u

PARAMETRISATIONS = {
    "plane": (U, V, 0),
    "sphere": (R * sp.sin(U) * sp.cos(V), R * sp.sin(U) * sp.sin(V), R * sp.cos(U)),
    "ellipsoid": (a * sp.sin(U) * sp.cos(V), b * sp.sin(U) * sp.sin(V), c * sp.cos(U)),
    "cylinder": (R * sp.cos(U), V, R * sp.sin(U)),
    "torus": (
        (R + r * sp.cos(V)) * sp.cos(U),
        (R + r * sp.cos(V)) * sp.sin(U),
        r * sp.sin(V),
    ),
    "saddle": (U, V, a * (U**2 - V**2)),
    "paraboloid": (U * sp.cos(V), U * sp.sin(V), a * U**2),
    "catenoid": (c * sp.cosh(V) * sp.cos(U), c * sp.cosh(V) * sp.sin(U), c * V),
    "helicoid": (V * sp.cos(U), V * sp.sin(U), pitch * U / (2 * sp.pi)),
    "swiss-roll": (a * U * sp.cos(U), V, a * U * sp.sin(U)),
    "s-curve": (R * sp.sin(U), V, R * side * (sp.cos(U) - 1)),
    "moebius": (
        (R + V * sp.cos(U / 2)) * sp.cos(U),
        (R + V * sp.cos(U / 2)) * sp.sin(U),
        V * sp.sin(U / 2),
    ),
    "monkey-saddle": (U, V, a * (U**3 - 3 * U * V**2)),
}
OTHER_SIZES = {
    "plane": {"width": 0.5, "height": 3.0},
    "sphere": {"R": 2.5},
    "ellipsoid": {"a": 0.3, "b": 2.0, "c": 5.0},
    "cylinder": {"R": 0.4, "height": 1.0},
    "torus": {"R": 3.0, "r": 2.5},
    "saddle": {"a": 0.3, "w": 2.0},
    "paraboloid": {"a": 2.0, "w": 0.7},
    "catenoid": {"c": 0.5, "w": 2.0},
    "helicoid": {"pitch": 0.7, "w": 2.0, "turns": 2.0},
    "swiss-roll": {"a": 0.2, "turns": 2.0, "height": 3.0},
    "s-curve": {"R": 3.0, "height": 0.5},
    "moebius": {"R": 2.0, "w": 1.9},
    "monkey-saddle": {"a": 0.4, "w": 1.5},
}
SURFACES = [
    pytest.param(name, sizes, id=f"{name}-{label}")
    for name in PARAMETRISATIONS
    for label, sizes in (("default", {}), ("other", OTHER_SIZES[name]))
]


@cache
def derived(name):
    """Point, derivatives, |p_u x p_v|, normal, H and K of a surface, as numerical functions."""
    point = sp.Matrix([sp.sympify(part) for part in PARAMETRISATIONS[name]])
    p_u, p_v = point.diff(U), point.diff(V)
    cross = p_u.cross(p_v)
    area = sp.sqrt(cross.dot(cross))
    normal = cross / area
    E, F, G = p_u.dot(p_u), p_u.dot(p_v), p_v.dot(p_v)
    L, M, N = (normal.dot(second) for second in (p_u.diff(U), p_u.diff(V), p_v.diff(V)))
    H = (E * N - 2 * F * M + G * L) / (2 * (E * G - F**2))
    K = (L * N - M**2) / (E * G - F**2)
    letters = (U, V, a, b, c, R, r, w, pitch, side)
    return {
        key: sp.lambdify(letters, list(value) if isinstance(value, sp.Matrix) else value, cse=True)
        for key, value in {
            "point": point,
            "p_u": p_u,
            "p_v": p_v,
            "area": area,
            "normal": normal,
            "H": H,
            "K": K,
        }.items()
    }


def by_sympy(name, key, shape, u, v):
    sizes = [getattr(shape, letter, 1.0) for letter in ("a", "b", "c", "R", "r", "w", "pitch")]
    value = derived(name)[key](u, v, *sizes, np.sign(u))
    if isinstance(value, list):
        return np.stack([np.broadcast_to(part, u.shape) for part in value], axis=-1)
    return np.broadcast_to(value, u.shape)


def interior(shape, n=200):
    """Random parameters, a little inside the domain."""
    rng = np.random.default_rng(3)
    (u0, u1), (v0, v1) = shape.domain
    return u0 + (u1 - u0) * rng.uniform(0.02, 0.98, n), v0 + (v1 - v0) * rng.uniform(0.02, 0.98, n)


def test_every_manifold_is_either_derived_here_or_no_surface():
    surfaces = {name for name, m in MANIFOLDS.items() if issubclass(m.kind, ParametricSurface)}
    assert surfaces == set(PARAMETRISATIONS)
    assert set(MANIFOLDS) - surfaces == {"d-sphere", "helix"}


@pytest.mark.parametrize(("name", "sizes"), SURFACES)
def test_point_and_its_derivatives_are_those_of_the_parametrisation(name, sizes):
    shape = MANIFOLDS[name].shape(**sizes)
    u, v = interior(shape)
    p_u, p_v = shape.tangents(u, v)
    for key, value in {
        "point": shape.point(u, v),
        "p_u": p_u,
        "p_v": p_v,
        "area": shape.area_element(u, v),
        "normal": shape.normal(u, v),
    }.items():
        expected = by_sympy(name, key, shape, u, v)
        np.testing.assert_allclose(value, expected, rtol=1e-10, atol=1e-12, err_msg=key)


@pytest.mark.parametrize(("name", "sizes"), SURFACES)
def test_curvatures_are_those_of_the_two_fundamental_forms(name, sizes):
    shape = MANIFOLDS[name].shape(**sizes)
    u, v = interior(shape)
    H, K = by_sympy(name, "H", shape, u, v), by_sympy(name, "K", shape, u, v)
    k1, k2 = shape.principal_curvatures(u, v)
    parameters = np.column_stack([u, v])
    for value, expected in (
        (shape.signed_mean(u, v), H),
        (shape.gaussian(u, v), K),
        ((k1 + k2) / 2, H),
        (k1 * k2, K),
        (shape.mean_curvature(parameters), np.abs(H)),
        (shape.gaussian_curvature(parameters), K),
    ):
        np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-11)
    assert (k1 >= k2).all()


@pytest.mark.parametrize(("name", "sizes"), SURFACES)
def test_no_area_element_is_above_its_bound_and_few_proposals_are_wasted(name, sizes):
    shape = MANIFOLDS[name].shape(**sizes)
    u, v = np.meshgrid(*(np.linspace(*ends, 201) for ends in shape.domain), indexing="ij")
    chances = shape.area_element(u, v) / shape.largest_area_element
    assert chances.max() <= 1 + 1e-12
    assert chances.mean() > 0.1


@pytest.mark.parametrize("name", PARAMETRISATIONS)
def test_every_method_takes_meshes_that_broadcast_and_numbers(name):
    shape = MANIFOLDS[name].shape()
    u, v = (np.linspace(*ends, n) for ends, n in zip(shape.domain, (5, 4), strict=True))
    full_u, full_v = np.meshgrid(u, v, indexing="ij")
    for method in ("point", "normal", "area_element", "signed_mean", "gaussian"):
        value = getattr(shape, method)(u[:, None], v[None, :])
        np.testing.assert_array_equal(value, getattr(shape, method)(full_u, full_v))
        assert value.shape[:2] == (5, 4)
        assert np.isfinite(value).all(), method
        np.testing.assert_allclose(getattr(shape, method)(u[2], v[1]), value[2, 1], atol=1e-14)
    for method in ("tangents", "principal_curvatures"):
        for value in getattr(shape, method)(u[:, None], v[None, :]):
            assert value.shape[:2] == (5, 4)


@pytest.mark.parametrize("name", PARAMETRISATIONS)
def test_periodic_parameters_close_and_the_others_do_not(name):
    shape = MANIFOLDS[name].shape()
    (u0, u1), (v0, v1) = shape.domain
    u, v = np.linspace(u0, u1, 9), np.linspace(v0, v1, 9)
    flip = -1 if name == "moebius" else 1
    gap_u = shape.point(np.full(9, u0), v) - shape.point(np.full(9, u1), flip * v)
    gap_v = shape.point(u, np.full(9, v0)) - shape.point(u, np.full(9, v1))
    assert shape.periodic == (np.abs(gap_u).max() < 1e-12, np.abs(gap_v).max() < 1e-12)


@pytest.mark.parametrize("name", ["catenoid", "helicoid"])
def test_minimal_surfaces_have_no_mean_curvature(name):
    shape = MANIFOLDS[name].shape(**OTHER_SIZES[name])
    u, v = interior(shape)
    assert (shape.signed_mean(u, v) == 0).all()
    assert (shape.gaussian(u, v) < 0).all()


@pytest.mark.parametrize(
    ("name", "total"), [("sphere", 4 * np.pi), ("ellipsoid", 4 * np.pi), ("torus", 0.0)]
)
def test_gauss_bonnet_the_whole_gaussian_curvature_is_a_matter_of_holes(name, total):
    shape = MANIFOLDS[name].shape(**OTHER_SIZES[name])
    nodes, weights = np.polynomial.legendre.leggauss(200)
    halves = [(high - low) / 2 for low, high in shape.domain]
    u, v = (low + half * (nodes + 1) for (low, _), half in zip(shape.domain, halves, strict=True))
    mesh = (u[:, None], v[None, :])
    integral = weights @ (shape.gaussian(*mesh) * shape.area_element(*mesh)) @ weights
    assert integral * halves[0] * halves[1] == pytest.approx(total, abs=1e-8)


def test_helix_has_the_curvature_of_its_derivatives():
    shape = MANIFOLDS["helix"].shape(r=0.7, pitch=3.0)
    curve = sp.Matrix([r * sp.cos(U), r * sp.sin(U), pitch * U / (2 * sp.pi)])
    first, second = curve.diff(U), curve.diff(U, 2)
    curvature = first.cross(second).norm() / first.norm() ** 3
    parameters = np.linspace(0, 5, 7)[:, None]
    expected = [curvature.subs({r: 0.7, pitch: 3.0, U: u}).evalf() for u in parameters[:, 0]]
    np.testing.assert_allclose(shape.mean_curvature(parameters), np.array(expected, float))
    expected = [list(curve.subs({r: 0.7, pitch: 3.0, U: u}).evalf()) for u in parameters[:, 0]]
    np.testing.assert_allclose(shape.points(parameters), np.array(expected, float), atol=1e-12)
    assert shape.gaussian_curvature(parameters) is None


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_d_sphere_has_the_curvature_of_its_great_circles(dimension):
    # The mean curvature vector is the mean of the accelerations, by arc length, of geodesics
    # along an orthonormal basis of the tangent space; here by second differences.
    shape = MANIFOLDS["d-sphere"].shape(dimension=dimension, R=2.5)
    rng = np.random.default_rng(0)
    basis, _ = np.linalg.qr(rng.standard_normal((dimension + 1, dimension + 1)))
    direction, tangents = basis[:, 0], basis[:, 1:].T
    step = 1e-3
    ahead, behind = (
        shape.points(np.cos(t) * direction + np.sin(t) * tangents) for t in (step, -step)
    )
    speed = np.linalg.norm(ahead - behind, axis=1, keepdims=True) / (2 * step)
    here = shape.points(direction[None, :])
    acceleration = (ahead - 2 * here + behind) / step**2 / speed**2
    H = np.linalg.norm(acceleration.mean(axis=0))
    assert shape.mean_curvature(direction[None, :])[0] == pytest.approx(H, rel=1e-5)
    K = shape.gaussian_curvature(direction[None, :])
    if dimension == 2:
        np.testing.assert_allclose(K, H**2, rtol=1e-5)
    else:
        assert K is None


def test_edge_distance_by_hand_where_it_is_plain():
    plane = MANIFOLDS["plane"].shape(width=4.0, height=1.0)
    # 0.3 from the left; 0.2 from the top; in the middle half the height.
    points = np.array([[0.3, 0.5], [2.0, 0.8], [2.0, 0.5]])
    np.testing.assert_allclose(plane.edge_distance(points), [0.3, 0.2, 0.5])
    cylinder = MANIFOLDS["cylinder"].shape(R=3.0, height=2.0)
    # The seam u = 0 is no edge: only the ends count.
    points = np.array([[0.0, 0.7], [1.0, 1.9]])
    np.testing.assert_allclose(cylinder.edge_distance(points), [0.7, 0.1], atol=1e-6)
    helix = MANIFOLDS["helix"].shape(r=1.0, pitch=1.0, turns=3.0)
    # A whole turn from the start is straight above it.
    np.testing.assert_allclose(helix.edge_distance(np.array([[2 * np.pi]])), [1.0])
    np.testing.assert_allclose(helix.edge_distance(np.array([[6 * np.pi]])), [0.0], atol=1e-12)
    for name in ("sphere", "ellipsoid", "torus"):
        assert np.isposinf(MANIFOLDS[name].shape().edge_distance(np.ones((2, 2)))).all()
    assert np.isposinf(MANIFOLDS["d-sphere"].shape().edge_distance(np.eye(4))).all()


@pytest.mark.parametrize("name", [name for name in PARAMETRISATIONS if MANIFOLDS[name].has_edge])
def test_edge_distance_is_the_distance_to_the_sides_of_the_domain_that_do_not_close(name):
    shape = MANIFOLDS[name].shape(**OTHER_SIZES[name])
    (u0, u1), (v0, v1) = shape.domain
    u, v = np.linspace(u0, u1, 40_000), np.linspace(v0, v1, 40_000)
    edge = []
    if not shape.periodic[0]:
        # The lower side of the paraboloid is its bottom point.
        edge += [shape.point(np.full_like(v, end), v) for end in (u0, u1)[name == "paraboloid" :]]
    if not shape.periodic[1]:
        edge += [shape.point(u, np.full_like(u, end)) for end in (v0, v1)]
    parameters = np.column_stack(interior(shape, 20))
    gaps = shape.points(parameters)[:, None, :] - np.concatenate(edge)
    expected = np.sqrt(np.einsum("ijk,ijk->ij", gaps, gaps)).min(axis=1)
    scale = np.ptp(np.concatenate(edge), axis=0).max()
    np.testing.assert_allclose(shape.edge_distance(parameters), expected, atol=1e-4 * scale)
    # Both corners of the domain lie on a side that is an edge, but for a lone bottom point.
    corners = np.array([[u1, v0], [u1, v1]])
    np.testing.assert_allclose(shape.edge_distance(corners), 0, atol=1e-9 * scale)


def test_distance_to_a_polyline_by_hand():
    # A right angle: the foot is inside a segment, at the corner, or past an end.
    corner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    points = np.array([[0.4, 0.2], [2.0, -1.0], [-3.0, 4.0]])
    np.testing.assert_allclose(distance_to_polylines(points, [corner]), [0.2, 2**0.5, 5.0])
    assert np.isposinf(distance_to_polylines(points, [])).all()
