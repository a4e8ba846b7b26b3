"""A surface in space with what belongs to one of its points."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mecuco_app.plots.space import to_scale
from mecuco_app.plots.theme import template
from mecuco_app.scene.look import LIGHT, SCORE_SCALE, Look
from mecuco_core.types import FloatArray

HEIGHT = 640
_FROM = np.array([0.8, -0.9, 0.8]) / 2.09**0.5
_SIGHT = 0.92 * np.tan(np.pi / 8)  # Plotly's cameras see 45° of height; a little is left free
_HEAD = 0.24  # of an arrow, as a share of its length
WALK = "#8f5bd0"
"""Of a direction that is chosen: legible on light and dark ground."""


@dataclass(frozen=True, eq=False)
class Arrow:
    """An arrow from `start` to `end`, (3,) each; `thin` for one of many."""

    name: str
    start: FloatArray
    end: FloatArray
    colour: str
    thin: bool = False


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through points (n, 3)."""

    name: str
    points: FloatArray
    colour: str
    dash: str = "solid"


@dataclass(frozen=True, eq=False)
class Sheet:
    """A piece of a surface, (a, b, 3), in one colour."""

    name: str
    points: FloatArray
    colour: str
    opacity: float = 0.5


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn at a point."""

    point: FloatArray
    arrows: Sequence[Arrow] = ()
    lines: Sequence[Line] = ()
    sheets: Sequence[Sheet] = ()
    dots: FloatArray = field(default_factory=lambda: np.empty((0, 3)))


def surface_scene(
    mesh: FloatArray,
    values: FloatArray,
    drawing: Drawing,
    *,
    title: str,
    revision: str,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw a surface coloured by a value, and a point with all that belongs to it.

    Parameters
    ----------
    mesh : ndarray of shape (a, b, 3)
    values : ndarray of shape (a, b)
    drawing : Drawing
    title : str
        Of the colours, trusted.
    revision : str
        While it stays, the camera stays.
    look : Look
    """
    spread = float(np.ptp(values))
    figure = go.Figure(
        go.Surface(
            **_coordinates(mesh),
            surfacecolor=values.astype(np.float32),
            colorscale=SCORE_SCALE,
            cmin=float(values.min()) - (0.5 if spread < 1e-9 else 0.0),
            cmax=float(values.max()) + (0.5 if spread < 1e-9 else 0.0),
            opacity=0.55,
            name="surface",
            hovertemplate=f"{title} %{{surfacecolor:.3~g}}<extra></extra>",
            showscale=spread >= 1e-9,
            colorbar={
                "title": {"text": title, "side": "right"},
                "orientation": "h",  # beside the surface it would leave a phone no room
                "y": 1.0,
                "yanchor": "bottom",
                "thickness": 12 * look.scale,
                "len": 0.7,
                "nticks": 5,
            },
            lighting={"ambient": 0.75, "diffuse": 0.5, "specular": 0.1},
        )
    )
    for sheet in drawing.sheets:
        figure.add_trace(_sheet(sheet))
    for line in drawing.lines:
        figure.add_trace(_line(line, look))
    for arrow in drawing.arrows:
        figure.add_traces(_arrow(arrow, look))
    if len(drawing.dots):
        figure.add_trace(_dots("neighbours", drawing.dots, look.labels[2], 3.0 * look.scale))
    figure.add_trace(_dots("point", drawing.point[None], look.text, 6.0 * look.scale))
    figure.update_layout(
        template=template(look),
        height=round(HEIGHT * (1.15 if look.lecture else 1.0)),
        uirevision=revision,
        showlegend=True,
        legend={"orientation": "h", "y": 0.0, "yanchor": "top", "itemclick": "toggle"},
        scene=_scene(mesh, drawing),
    )
    return figure


def _scene(mesh: FloatArray, drawing: Drawing) -> dict[str, Any]:
    """Axes without marks, to scale, around the surface with its arrows and sheets."""
    ends = [end for arrow in drawing.arrows for end in (arrow.start, arrow.end)]
    parts = [mesh, drawing.point, *ends, *(sheet.points for sheet in drawing.sheets)]
    points = np.vstack([part.reshape(-1, 3) for part in parts])
    scene = to_scale(points)
    for name in ("xaxis", "yaxis", "zaxis"):
        scene[name] |= {"visible": False, "showspikes": False}
    return {
        **scene,
        "camera": _camera(points, scene),
        "dragmode": "orbit",
    }


def _camera(points: FloatArray, scene: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return where to look from, and at, so that all points (n, 3) are just in view."""
    ends = np.array([scene[f"{name}axis"]["range"] for name in "xyz"])
    sides = np.array(list(scene["aspectratio"].values()))
    drawn = (points - ends.mean(axis=1)) * sides / np.ptp(ends, axis=1)
    right = np.cross([0.0, 0.0, 1.0], _FROM)
    turned = np.stack([right / np.linalg.norm(right), np.cross(_FROM, right), _FROM])
    turned[1] /= np.linalg.norm(turned[1])
    seen = drawn @ turned.T  # to the right, upwards, towards the eye
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    aside = np.abs(seen - middle)[:, :2].max(axis=1)
    distance = float((seen[:, 2] - middle[2] + aside / _SIGHT).max())
    center = middle @ turned
    places = {"center": center, "eye": center + distance * _FROM}
    return {name: dict(zip("xyz", at.tolist(), strict=True)) for name, at in places.items()}


def _coordinates(points: FloatArray) -> dict[str, FloatArray]:
    return {name: points[..., axis].astype(np.float32) for axis, name in enumerate("xyz")}


def _sheet(sheet: Sheet) -> go.Surface:
    return go.Surface(
        **_coordinates(sheet.points),
        surfacecolor=np.zeros(sheet.points.shape[:2], dtype=np.float32),
        colorscale=[[0, sheet.colour], [1, sheet.colour]],
        showscale=False,
        opacity=sheet.opacity,
        name=sheet.name,
        showlegend=True,
        hoverinfo="name",
        lighting={"ambient": 1.0, "diffuse": 0.0, "specular": 0.0},
    )


def _line(line: Line, look: Look) -> go.Scatter3d:
    return go.Scatter3d(
        **_coordinates(line.points),
        mode="lines",
        line={"color": line.colour, "width": 5 * look.scale, "dash": line.dash},
        name=line.name,
        hoverinfo="name",
    )


def _arrow(arrow: Arrow, look: Look) -> list[go.Scatter3d | go.Cone]:
    reach = arrow.end - arrow.start
    # Plotly draws nothing for a cone without length.
    if float(np.linalg.norm(reach)) < 1e-9:
        return []
    shaft = go.Scatter3d(
        **_coordinates(np.stack([arrow.start, arrow.end - 0.5 * _HEAD * reach])),
        mode="lines",
        line={"color": arrow.colour, "width": (2.5 if arrow.thin else 7) * look.scale},
        name=arrow.name,
        legendgroup=arrow.name,
        showlegend=bool(arrow.name),
        hoverinfo="name" if arrow.name else "skip",
    )
    head = go.Cone(
        x=[float(arrow.end[0])], y=[float(arrow.end[1])], z=[float(arrow.end[2])],
        u=[float(_HEAD * reach[0])], v=[float(_HEAD * reach[1])], w=[float(_HEAD * reach[2])],
        anchor="tip", sizemode="raw", sizeref=1.0, showscale=False,
        colorscale=[[0, arrow.colour], [1, arrow.colour]],
        legendgroup=arrow.name, name=arrow.name, hoverinfo="skip",
    )  # fmt: skip
    return [shaft, head]


def _dots(name: str, points: FloatArray, colour: str, size: float) -> go.Scatter3d:
    return go.Scatter3d(
        **_coordinates(points),
        mode="markers",
        marker={"color": colour, "size": size},
        name=name,
        hoverinfo="name",
    )
