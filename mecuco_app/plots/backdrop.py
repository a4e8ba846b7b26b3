"""A picture of a density, laid under the points of a map."""

import base64
import io
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from PIL import Image
from plotly.colors import sample_colorscale

from mecuco_app.data.classes import Classes
from mecuco_app.results.embedding import Coordinates
from mecuco_app.scene.colours import Ramp
from mecuco_app.scene.look import DIFFERENCE_SCALE, SCORE_SCALE, Look
from mecuco_app.scene.raster import Raster, raster
from mecuco_app.scene.scene import Scene

_FAINTEST = 0.35  # opacity of a cell with one point
_SHADES = 256

PICTURE = 360
"""Pixels of the side of a layout that is not finished."""
_CELLS = 180


def add_backdrop(
    figure: go.Figure, raster: Raster, colour: Ramp | Classes | None, look: Look, *, grey: bool
) -> None:
    """Lay a density under a map: cells have the colour of their points, stronger where many lie.

    Parameters
    ----------
    figure : Figure
    raster : Raster
    colour : Ramp, Classes or None
        Of all points.
    look : Look
    grey : bool
        Whether all of it is grey, because some points are selected.
    """
    (left, right), (low, high) = raster.window
    figure.add_layout_image(
        source=_png(pixels(raster, None if grey else colour, look, grey=grey)),
        xref="x",
        yref="y",
        x=left,
        y=high,
        sizex=right - left,
        sizey=high - low,
        sizing="stretch",
        layer="below",
    )
    # Points alone would let the axes end at the outermost of a sample.
    for axis, ends in zip((figure.layout.xaxis, figure.layout.yaxis), raster.window, strict=True):
        axis.update(range=ends, showgrid=False, zeroline=False)


def layout_picture(layout: Coordinates, scene: Scene) -> npt.NDArray[np.uint8]:
    """Return a layout that is not finished as a small image in the colours of the map.

    Parameters
    ----------
    layout : ndarray of shape (n_points, 2) or (n_points, 3)
        Of three dimensions the first two are drawn.
    scene : Scene
    """
    colour = scene.colouring.colour
    image = pixels(
        raster(layout[:, :2], colour, shape=(_CELLS, _CELLS)), colour, scene.look, grey=False
    )
    return image.repeat(PICTURE // _CELLS, axis=0).repeat(PICTURE // _CELLS, axis=1)


def pixels(
    raster: Raster, colour: Ramp | Classes | None, look: Look, *, grey: bool
) -> npt.NDArray[np.uint8]:
    """Return a density as an image, (n_rows, n_columns, 4), the highest row first."""
    shades = np.array([_rgb(look.muted if grey else look.labels[0])], dtype=np.float64)
    places = np.zeros(raster.counts.shape, dtype=np.int64)
    known = np.isfinite(raster.values)
    if isinstance(colour, Ramp):
        shades = _shades_of(colour)
        share = (raster.values[known] - colour.low) / (colour.high - colour.low)
        places[known] = np.round(share * (_SHADES - 1)).astype(np.int64)
    elif isinstance(colour, Classes):
        shades = np.array([_rgb(shade) for shade in (*look.classes, look.other)])
        places[known] = np.minimum(raster.values[known].astype(np.int64), len(look.classes))
    image = np.zeros((*raster.counts.shape, 4))
    image[..., :3] = shades[places]
    if colour is not None:
        image[~known, :3] = _rgb(look.muted)
    filled = raster.counts > 0
    most = max(2, int(raster.counts.max(initial=0)))
    strength = np.log(raster.counts[filled]) / np.log(most)
    image[filled, 3] = 255 * (_FAINTEST + (1 - _FAINTEST) * strength)
    return np.round(image).astype(np.uint8)[::-1]


def _shades_of(ramp: Ramp) -> npt.NDArray[np.float64]:
    places = np.linspace(0.0, 1.0, _SHADES).tolist()
    scale = DIFFERENCE_SCALE if ramp.diverging else SCORE_SCALE
    sampled: Any = sample_colorscale(scale, places, colortype="tuple")
    return 255 * np.array(sampled)


def _rgb(shade: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour written as #rrggbb."""
    return int(shade[1:3], 16), int(shade[3:5], 16), int(shade[5:7], 16)


def _png(image: npt.NDArray[np.uint8]) -> str:
    file = io.BytesIO()
    Image.fromarray(image, "RGBA").save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
