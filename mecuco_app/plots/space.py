"""Axes of space to scale: a unit is equally long in every direction."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mecuco_core.types import FloatArray

_PADDING = 0.04  # of the longest side
_DIAGONAL = 3**0.5  # of the drawn box, as of Plotly's cube: whatever its sides, a camera fits


def to_scale(points: npt.NDArray[np.floating], pad: float = _PADDING) -> dict[str, Any]:
    """Return the part of a scene that sets ranges and sides of its box.

    Plotly's own "data" measures what is drawn, and not the ranges: circles become ellipses.

    Parameters
    ----------
    points : ndarray of shape (..., 3)
        What the box is to hold; what is not finite has no place.
    pad : float
        Room on every side, as a share of the longest.
    """
    flat = points.reshape(-1, 3).astype(np.float64)
    flat = flat[np.isfinite(flat).all(axis=1)]
    low, high = (flat.min(axis=0), flat.max(axis=0)) if len(flat) else (np.zeros(3), np.zeros(3))
    room = pad * float((high - low).max()) or 0.5
    low, high = low - room, high + room
    sides: FloatArray = high - low
    ratio = _DIAGONAL * sides / float(np.linalg.norm(sides))
    return {
        "aspectmode": "manual",
        "aspectratio": dict(zip("xyz", ratio.tolist(), strict=True)),
        **{
            f"{name}axis": {"range": [float(a), float(b)]}
            for name, a, b in zip("xyz", low, high, strict=True)
        },
    }
