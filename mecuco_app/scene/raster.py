"""Many points as a picture: how many lie in each cell of a grid, and their common colour."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mecuco_app.data.classes import Classes
from mecuco_app.results.embedding import Coordinates
from mecuco_app.scene.colours import Ramp
from mecuco_core.types import FloatArray, IntArray

Window = tuple[tuple[float, float], tuple[float, float]]
"""A part of a flat map, ((x, x), (y, y))."""

SHAPE = (200, 320)
"""Rows and columns of the grid: a cell is about three pixels wide on a screen."""


@dataclass(frozen=True, eq=False)
class Raster:
    """Points counted in the cells of a grid.

    Attributes
    ----------
    counts : ndarray of shape (n_rows, n_columns)
        Row 0 is the lowest.
    values : ndarray of shape (n_rows, n_columns)
        The mean of the values on the scale of the colours, or the code of the most frequent class;
        NaN where there is none.
    window : ((x, x), (y, y))
    """

    counts: IntArray
    values: FloatArray
    window: Window


def raster(
    coordinates: Coordinates,
    colour: Ramp | Classes | None,
    window: Window | None = None,
    shape: tuple[int, int] = SHAPE,
) -> Raster:
    """Count points in the cells of a grid.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2)
        Those outside the window, and those without a place, are left out.
    colour : Ramp, Classes or None
    window : ((x, x), (y, y)) or None
        None for all of the map.
    shape : (int, int)
    """
    window = window or extent(coordinates)
    cells, at = _cells(coordinates, window, shape)
    size = shape[0] * shape[1]
    counts = np.bincount(cells, minlength=size)
    values = np.full(size, np.nan)
    if isinstance(colour, Ramp):
        known = np.isfinite(colour.values[at])
        cells, clipped = cells[known], np.clip(colour.values[at][known], colour.low, colour.high)
        n_known = np.bincount(cells, minlength=size)
        filled = n_known > 0
        sums = np.bincount(cells, weights=clipped, minlength=size)
        values[filled] = sums[filled] / n_known[filled]
    elif isinstance(colour, Classes):
        n_classes = len(colour.names)
        pairs, n_pairs = np.unique(cells * n_classes + colour.codes[at], return_counts=True)
        order = np.argsort(n_pairs, kind="stable")  # the last one of a cell is its most frequent
        values[pairs[order] // n_classes] = pairs[order] % n_classes
    return Raster(counts.reshape(shape), values.reshape(shape), window)


def extent(coordinates: Coordinates) -> Window:
    """Return the part of the map that holds every point, with a narrow edge."""
    low, high = np.nanmin(coordinates, axis=0), np.nanmax(coordinates, axis=0)
    edge = np.maximum(0.02 * (high - low), 1e-6 * np.maximum(1.0, np.abs(high)))
    x, y = zip((low - edge).tolist(), (high + edge).tolist(), strict=True)
    return x, y


def inside(coordinates: Coordinates, window: Window) -> IntArray:
    """Return the positions of the points in a part of a flat map."""
    (left, right), (low, high) = window
    x, y = coordinates.T
    return np.flatnonzero((x >= left) & (x <= right) & (y >= low) & (y <= high))


def in_regions(coordinates: Coordinates, regions: dict[str, Any]) -> IntArray:
    """Return the positions of the points in the boxes and lassos that were drawn on a flat map.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2)
    regions : dict
        A selection as Streamlit tells it: "box" and "lasso" hold lists of {"x": …, "y": …}.
    """
    chosen = np.zeros(len(coordinates), dtype=bool)
    for box in regions.get("box", []):
        x, y = sorted(map(float, box["x"])), sorted(map(float, box["y"]))
        chosen[inside(coordinates, ((x[0], x[-1]), (y[0], y[-1])))] = True
    for lasso in regions.get("lasso", []):
        chosen |= _in_polygon(coordinates, np.array([lasso["x"], lasso["y"]], dtype=np.float64).T)
    return np.flatnonzero(chosen)


def _in_polygon(coordinates: Coordinates, corners: FloatArray) -> "np.ndarray[Any, Any]":
    """Say which points lie in a polygon: a ray from them crosses its sides an odd number of times.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2)
    corners : ndarray of shape (n_corners, 2)
    """
    odd = np.zeros(len(coordinates), dtype=bool)
    x, y = coordinates.T.astype(np.float64)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if ay == by:
            continue
        crossed = (ay > y) != (by > y)
        odd[crossed] ^= x[crossed] < ax + (y[crossed] - ay) * (bx - ax) / (by - ay)
    return odd


def _cells(
    coordinates: Coordinates, window: Window, shape: tuple[int, int]
) -> tuple[IntArray, IntArray]:
    """Return the cell of every point in the window, and the positions of these points."""
    at = inside(coordinates, window)
    n_rows, n_columns = shape
    (left, right), (low, high) = window
    x, y = coordinates[at].T.astype(np.float64)
    columns = np.minimum((x - left) / (right - left) * n_columns, n_columns - 1).astype(np.int64)
    rows = np.minimum((y - low) / (high - low) * n_rows, n_rows - 1).astype(np.int64)
    return rows * n_columns + columns, at
