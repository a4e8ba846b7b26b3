"""What is drawn around a point of a surface, as arrays; no Streamlit."""

from dataclasses import dataclass
from math import pi

import numpy as np

from mecuco_app.view.lessons import SurfaceSettings
from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.datasets.manifolds.fundamental_forms import FundamentalForms, fundamental_forms
from mecuco_core.datasets.manifolds.geodesic import geodesic
from mecuco_core.types import FloatArray

MESH = 61
_MARGIN = 0.02  # of a parameter with ends: at a pole a parametrisation is not regular
_FLAT = 1e-6


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk from the point in a tangent direction, along a geodesic.

    Attributes
    ----------
    tangent : ndarray of shape (3,)
        The unit direction t.
    path, normals : ndarray of shape (n, 3)
        α(s) from s = 0 to the step, and the unit normal there.
    step : float
        Length of the path.
    to_edge : bool
        Whether the surface ends there, before the length that was asked for.
    change : ndarray of shape (3,)
        (n(α(step)) - n(p)) / step.
    shape : ndarray of shape (3,)
        S(t), whose negative the change tends to.
    """

    tangent: FloatArray
    path: FloatArray
    normals: FloatArray
    step: float
    to_edge: bool
    change: FloatArray
    shape: FloatArray


def surface_of(settings: SurfaceSettings) -> ParametricSurface:
    """Return the surface, at its default sizes."""
    shape = MANIFOLDS[settings.name].shape()
    if not isinstance(shape, ParametricSurface):
        raise ValueError(f"name must be a surface, got {settings.name!r}")
    return shape


def place(surface: ParametricSurface, shares: tuple[float, float]) -> tuple[float, float]:
    """Return (u, v) at shares of their ranges, kept a little off the ends that do not meet."""
    found = []
    for share, (low, high), periodic in zip(shares, surface.domain, surface.periodic, strict=True):
        inside = share if periodic else min(1 - _MARGIN, max(_MARGIN, share))
        found.append(low + inside * (high - low))
    return found[0], found[1]


def forms_of(settings: SurfaceSettings) -> tuple[ParametricSurface, FundamentalForms]:
    """Return the surface and its forms at the chosen point."""
    surface = surface_of(settings)
    return surface, fundamental_forms(surface, *place(surface, (settings.u, settings.v)))


def mesh(surface: ParametricSurface, n: int = MESH) -> tuple[FloatArray, FloatArray]:
    """Return points (n, n, 3) of the surface and the exact |H| there, (n, n)."""
    axes = []
    for (low, high), periodic in zip(surface.domain, surface.periodic, strict=True):
        trim = 0.0 if periodic else 1e-3 * (high - low)  # formulas may divide by zero at a pole
        axes.append(np.linspace(low + trim, high - trim, n))
    u, v = np.meshgrid(*axes, indexing="ij")
    return surface.point(u, v), np.abs(surface.signed_mean(u, v))


def walk(surface: ParametricSurface, forms: FundamentalForms, settings: SurfaceSettings) -> Walk:
    """Return the walk along the geodesic that starts as t does."""
    tangent = forms.direction(np.deg2rad(settings.angle))
    start = (forms.u, forms.v)
    way = geodesic(surface, start, forms.coordinates(tangent), settings.step)
    u, v = way.parameters.T
    normals = surface.normal(u, v)
    return Walk(
        tangent=tangent,
        path=surface.point(u, v),
        normals=normals,
        step=way.length,
        to_edge=way.length < settings.step,
        change=(normals[-1] - normals[0]) / way.length,
        shape=forms.shape(tangent),
    )


def asymptotic(forms: FundamentalForms, angle: float) -> float | None:
    """Return the angle (degrees) nearest to `angle` at which II(t, t) = 0; None but on a saddle."""
    if forms.asymptotic is None:
        return None
    first = float(np.rad2deg(forms.asymptotic))
    zeros = [first, 180.0 - first, 180.0 + first, 360.0 - first]
    nearest: float = min(zeros, key=lambda zero: abs(zero - angle))
    return round(nearest, 10)


def plane_patch(forms: FundamentalForms, radius: float) -> FloatArray:
    """Return the corners of a square of the tangent plane, (2, 2, 3)."""
    x, y = np.meshgrid([-radius, radius], [-radius, radius], indexing="ij")
    flat = x[..., None] * forms.directions[0] + y[..., None] * forms.directions[1]
    return np.asarray(forms.point + flat)


def paraboloid_patch(forms: FundamentalForms, radius: float, n: int = 21) -> FloatArray:
    """Return p + x e1 + y e2 + ½ (κ1 x² + κ2 y²) n on a disc, (n, n, 3)."""
    r, a = np.meshgrid(np.linspace(0.0, radius, n), np.linspace(0.0, 2 * pi, n), indexing="ij")
    x, y = r * np.cos(a), r * np.sin(a)
    height = (forms.principal[0] * x**2 + forms.principal[1] * y**2) / 2
    flat = x[..., None] * forms.directions[0] + y[..., None] * forms.directions[1]
    return np.asarray(forms.point + flat + height[..., None] * forms.normal)


def circle(forms: FundamentalForms, which: int, longest: float) -> FloatArray:
    """Return the circle of curvature of a principal direction, (n, 3).

    Of one much larger than the surface only the arc of length `longest` around the point; a
    straight piece where the curvature is zero.
    """
    kappa, tangent = float(forms.principal[which]), forms.directions[which]
    if abs(kappa) * longest < _FLAT:
        reach = np.linspace(-longest / 2, longest / 2, 2)
        return np.asarray(forms.point + reach[:, None] * tangent)
    turn = min(pi, abs(kappa) * longest / 2)
    angle = np.linspace(-turn, turn, 97)
    across = np.sin(angle)[:, None] * tangent / abs(kappa)
    lift = (1 - np.cos(angle))[:, None] * forms.normal / kappa
    return np.asarray(forms.point + across + lift)


def extent(points: FloatArray) -> float:
    """Return the length of the longest side of the box around points (..., 3)."""
    flat = points.reshape(-1, 3)
    return float((flat.max(axis=0) - flat.min(axis=0)).max())
