"""Which tables are pictures, by the names of their columns or of the dataset."""

import re
from collections.abc import Sequence
from math import isqrt

# Pixels in columns with names that do not say so; (height, width).
KNOWN_SHAPES = {
    "coil-20": (32, 32),
    "fashion-mnist": (28, 28),
    "kuzushiji-mnist": (28, 28),
    "mnist_784": (28, 28),
    "olivetti_faces": (64, 64),
    "optdigits": (8, 8),
    "umist_faces_cropped": (112, 92),
    "usps": (16, 16),
}


def image_shape(dataset_name: str, columns: Sequence[str]) -> tuple[int, int] | None:
    """Return (height, width) when the columns are the pixels of a picture, row by row.

    Parameters
    ----------
    dataset_name : str
    columns : sequence of str
        Names of all features, in order.
    """
    height, width = KNOWN_SHAPES.get(dataset_name.casefold(), (0, 0))
    if height * width == len(columns) > 0:
        return height, width
    return _from_positions(columns) or _from_numbers(columns)


def _from_positions(columns: Sequence[str]) -> tuple[int, int] | None:
    """Shape by the names pixel_0_0, pixel_0_1, ..., or 1x1, 1x2, ..., in this order."""
    pattern = r"(?:(?:pixel|px)_?(?P<a>\d+)[_x](?P<b>\d+)|(?P<c>\d+)x(?P<d>\d+))"
    places = [re.fullmatch(pattern, name, re.I) for name in columns]
    found = [
        (int(place["a"] or place["c"]), int(place["b"] or place["d"]))
        for place in places
        if place is not None
    ]
    if not found or len(found) < len(columns):
        return None
    (top, left), (bottom, right) = found[0], found[-1]
    grid = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    return (bottom - top + 1, right - left + 1) if found == grid else None


def _from_numbers(columns: Sequence[str]) -> tuple[int, int] | None:
    """Shape by the names pixel1, pixel2, ..., a square number of them, counted from 0 or 1."""
    side = isqrt(len(columns))
    if side < 2 or side * side != len(columns):
        return None
    matches = [re.fullmatch(r"(?:pixel|px)_?(\d+)", name, re.I) for name in columns]
    numbers = [int(match[1]) for match in matches if match is not None]
    counted = any(numbers == list(range(start, start + side * side)) for start in (0, 1))
    return (side, side) if counted else None
