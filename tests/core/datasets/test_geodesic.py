"""Geodesics: their length, their speed, and those that are known."""

import numpy as np
import pytest

from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.datasets.manifolds.fundamental_forms import fundamental_forms
from mecuco_core.datasets.manifolds.geodesic import geodesic

SMOOTH = [
    name
    for name, manifold in MANIFOLDS.items()
    if issubclass(manifold.kind, ParametricSurface) and name != "s-curve"
]


def walked(name, shares, angle, length, n=801):
    """Walk from a place given as shares of the ranges, at an angle (degrees) from e1."""
    surface = MANIFOLDS[name].shape()
    u, v = (
        low + share * (high - low)
        for share, (low, high) in zip(shares, surface.domain, strict=True)
    )
    forms = fundamental_forms(surface, u, v)
    tangent = forms.direction(np.deg2rad(angle))
    way = geodesic(surface, (u, v), forms.coordinates(tangent), length, n)
    return surface, forms.point, tangent, way, surface.point(*way.parameters.T)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("shares", [(0.06, 0.3), (0.5, 0.62), (0.93, 0.45)])
def test_the_walk_has_its_length_at_unit_speed_and_turns_to_no_side(name, shares):
    for angle in (0.0, 35.0, 160.0, 250.0):
        surface, start, tangent, way, path = walked(name, shares, angle, 0.5)
        h = way.length / (len(path) - 1)
        np.testing.assert_allclose(path[0], start, atol=1e-12)
        np.testing.assert_allclose((path[1] - path[0]) / h, tangent, atol=4 * h)
        # A difference of fourth order is the velocity, and one of second the acceleration.
        velocity = (8 * (path[3:-1] - path[1:-3]) - (path[4:] - path[:-4])) / (12 * h)
        np.testing.assert_allclose(np.linalg.norm(velocity, axis=1), 1.0, atol=1e-6)
        # A chord of a curve of curvature κ is shorter than its arc by κ² h³ / 24.
        bends = (path[2:] - 2 * path[1:-1] + path[:-2]) / h**2
        short = (np.linalg.norm(bends, axis=1) ** 2).mean() * h**2 * way.length / 24
        chords = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
        assert chords + short == pytest.approx(way.length, abs=1e-6)
        normals = surface.normal(*way.parameters[1:-1].T)
        along = bends - (bends * normals).sum(axis=1)[:, None] * normals
        assert np.linalg.norm(along, axis=1).max() < 2e-3


def test_a_walk_on_a_sphere_is_a_great_circle_over_the_pole_too():
    for shares, angle in (((0.3, 0.2), 70.0), ((0.02, 0.0), 180.0), ((0.98, 0.4), 0.0)):
        _, start, tangent, way, path = walked("sphere", shares, angle, 0.6, n=25)
        s = np.linspace(0.0, 0.6, 25)[:, None]
        np.testing.assert_allclose(path, np.cos(s) * start + np.sin(s) * tangent, atol=1e-7)
        assert way.length == 0.6


def test_a_walk_on_a_cylinder_is_straight_once_it_is_unrolled():
    _, _, tangent, way, _ = walked("cylinder", (0.1, 0.2), 30.0, 0.6, n=25)
    steps = np.diff(way.parameters, axis=0)  # R = 1: parameters are lengths
    np.testing.assert_allclose(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-9)
    assert abs(steps[0, 1] / (0.6 / 24)) == pytest.approx(abs(tangent[1]))


def test_a_walk_stops_at_the_edge():
    # From 0.1 below the side at 45° to it the edge is 0.1 √2 away; a plane's e1 lies along u.
    _, _, _, way, path = walked("plane", (0.5, 0.95), 45.0, 0.6)
    assert way.length == pytest.approx(0.1 * 2**0.5, abs=1e-9)
    np.testing.assert_allclose(path[-1], [1.1, 2.0, 0.0], atol=1e-9)
