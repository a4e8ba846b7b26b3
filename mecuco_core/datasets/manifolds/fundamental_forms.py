"""The two fundamental forms and the shape operator of a surface at one of its points."""

from dataclasses import dataclass

import numpy as np

from mecuco_core.datasets.manifolds.surface import ParametricSurface
from mecuco_core.types import FloatArray

STEP = 3e-4
"""Of the differences of the normal, as a share of the range of a parameter."""

UMBILIC = 1e-6
"""Principal curvatures this close, relative to the larger, have no directions of their own."""


_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class FundamentalForms:
    """A surface at one point, in the coordinate basis ∂u, ∂v.

    Attributes
    ----------
    u, v : float
    point, normal : ndarray of shape (3,)
    tangents : ndarray of shape (2, 3)
        ∂u and ∂v.
    first : ndarray of shape (2, 2)
        G, the inner products of the tangents.
    second : ndarray of shape (2, 2)
        L, with entries -<∂n/∂u_i, ∂_j>.
    operator : ndarray of shape (2, 2)
        S = G⁻¹ L.
    principal : ndarray of shape (2,)
        Eigenvalues of S, descending. Positive where the surface bends towards the normal.
    directions : ndarray of shape (2, 3)
        Orthonormal tangents e1, e2, right-handed with the normal. At an umbilic, where every
        direction is one, e1 lies along ∂u.
    umbilic : bool
    """

    u: float
    v: float
    point: FloatArray
    normal: FloatArray
    tangents: FloatArray
    first: FloatArray
    second: FloatArray
    operator: FloatArray
    principal: FloatArray
    directions: FloatArray
    umbilic: bool

    @property
    def mean(self) -> float:
        """H, half the trace of S, with its sign; 0 where the two halves cancel to rounding."""
        mean = float(np.trace(self.operator)) / 2
        return 0.0 if abs(mean) < _ROUNDING * np.abs(self.principal).max() else mean

    @property
    def gaussian(self) -> float:
        """K, the determinant of S."""
        return float(np.linalg.det(self.operator))

    @property
    def asymptotic(self) -> float | None:
        """The angle (in radians, below π/2) from e1 at which II(t, t) = 0; None but on a saddle."""
        k1, k2 = self.principal
        tiny = UMBILIC * max(k1, -k2, 1e-3)  # a little more than the differences are off
        return float(np.arctan(np.sqrt(k1 / -k2))) if k1 > tiny and k2 < -tiny else None

    def direction(self, angle: float) -> FloatArray:
        """Return the unit tangent at an angle (in radians) from e1 towards e2, (3,)."""
        return np.asarray(np.cos(angle) * self.directions[0] + np.sin(angle) * self.directions[1])

    def coordinates(self, tangent: FloatArray) -> FloatArray:
        """Return a tangent (3,) in the basis ∂u, ∂v, (2,)."""
        return np.asarray(np.linalg.solve(self.first, self.tangents @ tangent))

    def shape(self, tangent: FloatArray) -> FloatArray:
        """Return S(t) for a tangent t, both (3,)."""
        return np.asarray((self.operator @ self.coordinates(tangent)) @ self.tangents)

    def normal_curvature(self, tangent: FloatArray) -> float:
        """Return II(t, t) for a unit tangent t (3,)."""
        along = self.coordinates(tangent)
        return float(along @ self.second @ along)


def fundamental_forms(surface: ParametricSurface, u: float, v: float) -> FundamentalForms:
    """Return the forms of a surface at a point where its parametrisation is regular.

    Tangents and normal are the formulas of the surface. The derivatives of the normal are
    differences of fourth order, good to some ten digits.

    Parameters
    ----------
    surface : ParametricSurface
    u, v : float
    """
    at = (np.float64(u), np.float64(v))
    tangents = np.stack(surface.tangents(*map(np.asarray, at)))  # (2, 3)
    normal = surface.normal(*map(np.asarray, at))
    first = tangents @ tangents.T
    second = -np.stack([_slope(surface, at, axis) for axis in (0, 1)]) @ tangents.T
    second = (second + second.T) / 2  # equal but for rounding
    half = np.linalg.inv(np.linalg.cholesky(first))  # G = half⁻¹ half⁻ᵀ
    values, vectors = np.linalg.eigh(half @ second @ half.T)
    principal = values[::-1]
    largest = float(np.abs(principal).max())
    umbilic = bool(principal[0] - principal[1] <= UMBILIC * max(largest, UMBILIC))
    # The sign of an eigenvector is the solver's: e1 is turned towards ∂u, else towards ∂v.
    along = tangents[0] if umbilic else (half.T @ vectors[:, 1]) @ tangents
    along = along / np.linalg.norm(along)
    along_uv = tangents @ along / np.sqrt(np.diag(first))
    if (along_uv[0] if abs(along_uv[0]) > 1e-6 else along_uv[1]) < 0:
        along = -along
    return FundamentalForms(
        u=float(u),
        v=float(v),
        point=surface.point(*map(np.asarray, at)),
        normal=normal,
        tangents=tangents,
        first=first,
        second=second,
        operator=np.asarray(np.linalg.solve(first, second)),
        principal=principal,
        directions=np.stack([along, np.cross(normal, along)]),
        umbilic=umbilic,
    )


def _slope(surface: ParametricSurface, at: tuple[np.float64, np.float64], axis: int) -> FloatArray:
    """Return the derivative of the normal by one parameter, (3,)."""
    low, high = surface.domain[axis]
    h = STEP * (high - low)

    def normal(steps: int) -> FloatArray:
        moved = [np.asarray(value) for value in at]
        moved[axis] = moved[axis] + steps * h
        return surface.normal(moved[0], moved[1])

    return (8 * (normal(1) - normal(-1)) - (normal(2) - normal(-2))) / (12 * h)
