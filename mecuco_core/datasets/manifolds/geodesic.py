"""Walking straight on a surface, at unit speed."""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from mecuco_core.datasets.manifolds.surface import ParametricSurface
from mecuco_core.types import FloatArray

_STEP = 3e-4
"""Of the differences of the tangents, as a share of the range of a parameter."""

_FIVE = np.arange(-2.0, 3.0)[:, None]


@dataclass(frozen=True, eq=False)
class Geodesic:
    """A walk along a geodesic, at evenly spaced lengths.

    Attributes
    ----------
    parameters : ndarray of shape (n, 2)
        u and v on the way; where the ends of a parameter meet, also beyond them.
    length : float
        Of the walk, along the surface: as asked for, less where an edge comes first.
    """

    parameters: FloatArray
    length: float


def geodesic(
    surface: ParametricSurface,
    start: tuple[float, float],
    velocity: FloatArray,
    length: float,
    n: int = 25,
) -> Geodesic:
    """Walk along the surface, turning neither left nor right, and stop at its edge.

    With x the coordinates and J the derivatives of the point by them, the acceleration of the
    point has no part along the surface:

        x'' = -(JᵀJ)⁻¹ Jᵀ (dJ/ds) x'

    dJ/ds is a difference of fourth order, good to some ten digits.

    Parameters
    ----------
    surface : ParametricSurface
    start : (u, v)
        Inside the domain, where the parametrisation is regular.
    velocity : ndarray of shape (2,)
        (u', v') of a tangent of length one.
    length : float
    n : int
        Places on the way, both ends among them.
    """
    chart = _chart(surface, start[0])
    reach = _STEP * min(high - low for low, high in surface.domain)

    def change(_: float, state: FloatArray) -> FloatArray:
        x, pace = state[:2], state[2:]
        h = reach / np.abs(pace).max()
        tangents = chart.tangents(x + h * _FIVE * pace)  # (5, 2, 3)
        way = pace @ tangents  # (5, 3): J x' with x' held
        bend = (8 * (way[3] - way[1]) - (way[4] - way[0])) / (12 * h)
        here = tangents[2]
        return np.concatenate([pace, -np.linalg.solve(here @ here.T, here @ bend)])

    def room(_: float, state: FloatArray) -> float:
        """Return how far the nearest edge is in its parameter, negative beyond it."""
        place, left = chart.parameters(state[:2]), [1.0]
        for side in surface.edges:
            axis, high = "uv".index(side[0]), side.endswith("high")
            inside = place[axis] - surface.domain[axis][high]
            left.append(-inside if high else inside)
        return float(min(left))

    room.terminal = True  # type: ignore[attr-defined]  # what makes SciPy stop there
    found = solve_ivp(
        change,
        (0.0, length),
        chart.entered(np.array(start), velocity),
        method="DOP853",
        rtol=1e-9,
        atol=1e-11,
        events=room,
        dense_output=True,
    )
    walked = float(found.t[-1])
    assert found.sol is not None  # what `dense_output` asks for
    return Geodesic(chart.parameters(found.sol(np.linspace(0.0, walked, n))[:2].T), walked)


@dataclass(frozen=True)
class _Chart:
    """The parameters themselves as coordinates."""

    surface: ParametricSurface

    def parameters(self, x: FloatArray) -> FloatArray:
        """Return (u, v) at coordinates, both (..., 2)."""
        return x

    def tangents(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the point by the coordinates, (..., 2, 3)."""
        return np.stack(self.surface.tangents(x[..., 0], x[..., 1]), axis=-2)

    def entered(self, start: FloatArray, velocity: FloatArray) -> FloatArray:
        """Return the coordinates of a place and how they change on the way from it, (4,)."""
        return np.concatenate([start, velocity])


@dataclass(frozen=True)
class _AroundPole(_Chart):
    """r (cos v, sin v), r = |u - pole|: regular at the pole too, where u and v are not."""

    pole: float
    sign: float  # of u - pole

    def parameters(self, x: FloatArray) -> FloatArray:
        r = np.maximum(np.hypot(x[..., 0], x[..., 1]), 1e-12)
        return np.stack([self.pole + self.sign * r, np.arctan2(x[..., 1], x[..., 0])], axis=-1)

    def tangents(self, x: FloatArray) -> FloatArray:
        place = self.parameters(x)
        r, v = np.abs(place[..., 0] - self.pole)[..., None], place[..., 1, None]
        by_u, by_v = self.surface.tangents(place[..., 0], place[..., 1])
        outward, around = self.sign * by_u, by_v / r
        c, s = np.cos(v), np.sin(v)
        return np.stack([c * outward - s * around, s * outward + c * around], axis=-2)

    def entered(self, start: FloatArray, velocity: FloatArray) -> FloatArray:
        r, c, s = abs(start[0] - self.pole), np.cos(start[1]), np.sin(start[1])
        outward, around = self.sign * velocity[0], r * velocity[1]
        return np.array([r * c, r * s, c * outward - s * around, s * outward + c * around])


def _chart(surface: ParametricSurface, u: float) -> _Chart:
    """Return coordinates without a hole near u: an end of u that is no edge is a pole."""
    poles = [] if surface.periodic[0] else [
        end for end, side in zip(surface.domain[0], ("u-low", "u-high"), strict=True)
        if side not in surface.edges
    ]  # fmt: skip
    if not poles:
        return _Chart(surface)
    pole = min(poles, key=lambda end: abs(u - end))
    return _AroundPole(surface, pole, 1.0 if u >= pole else -1.0)
