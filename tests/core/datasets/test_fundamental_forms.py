"""The forms and the shape operator of a surface at one point."""

import numpy as np
import pytest

from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.datasets.manifolds.fundamental_forms import fundamental_forms

SMOOTH = [
    name
    for name, manifold in MANIFOLDS.items()
    if issubclass(manifold.kind, ParametricSurface) and name != "s-curve"
]


def places(surface, n=5):
    for a in np.linspace(0.04, 0.96, n):
        for b in np.linspace(0.04, 0.96, n):
            yield [
                low + share * (high - low)
                for share, (low, high) in zip((a, b), surface.domain, strict=True)
            ]


@pytest.mark.parametrize("name", SMOOTH)
def test_eigenvalues_of_the_operator_are_the_known_principal_curvatures(name):
    surface = MANIFOLDS[name].shape()
    for u, v in places(surface):
        forms = fundamental_forms(surface, u, v)
        known = np.array(surface.principal_curvatures(np.asarray(u), np.asarray(v)))
        np.testing.assert_allclose(forms.principal, known, atol=1e-8)
        assert forms.mean == pytest.approx(known.mean(), abs=1e-8)
        assert forms.gaussian == pytest.approx(known.prod(), abs=1e-8)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_operator_turns_principal_directions_into_multiples_of_themselves(name):
    surface = MANIFOLDS[name].shape()
    for u, v in places(surface, 3):
        forms = fundamental_forms(surface, u, v)
        e1, e2 = forms.directions
        np.testing.assert_allclose(forms.directions @ forms.directions.T, np.eye(2), atol=1e-9)
        np.testing.assert_allclose(np.cross(e1, e2), forms.normal, atol=1e-9)
        for kappa, e in zip(forms.principal, forms.directions, strict=True):
            np.testing.assert_allclose(forms.shape(e), kappa * e, atol=1e-6)


def test_the_normal_changes_by_minus_the_operator():
    surface = MANIFOLDS["torus"].shape()
    forms = fundamental_forms(surface, 0.4, 1.1)
    t, h = forms.direction(0.6), 1e-6
    du, dv = forms.coordinates(t)
    ends = [surface.normal(np.asarray(0.4 + s * du), np.asarray(1.1 + s * dv)) for s in (-h, h)]
    np.testing.assert_allclose((ends[1] - ends[0]) / (2 * h), -forms.shape(t), atol=1e-8)
    assert forms.normal_curvature(t) == pytest.approx(
        forms.principal @ np.array([np.cos(0.6) ** 2, np.sin(0.6) ** 2]), abs=1e-9
    )


def test_the_outer_rim_of_a_torus_by_hand():
    # R = 2, r = 3/4, v = 0: G = diag((R + r)², r²), n outward, L = -diag(R + r, r),
    # and so S = -diag(1 / (R + r), 1 / r).
    forms = fundamental_forms(MANIFOLDS["torus"].shape(), 0.3, 0.0)
    np.testing.assert_allclose(forms.first, np.diag([2.75**2, 0.75**2]), atol=1e-12)
    np.testing.assert_allclose(forms.second, -np.diag([2.75, 0.75]), atol=1e-9)
    np.testing.assert_allclose(forms.operator, -np.diag([1 / 2.75, 1 / 0.75]), atol=1e-9)


def test_every_direction_of_a_sphere_is_principal():
    forms = fundamental_forms(MANIFOLDS["sphere"].shape(R=2.0), 1.0, 0.5)
    assert forms.umbilic
    assert forms.mean == pytest.approx(-0.5)
    along = forms.tangents[0] / np.linalg.norm(forms.tangents[0])
    np.testing.assert_allclose(forms.directions[0], along, atol=1e-12)
