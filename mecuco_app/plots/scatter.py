"""Point clouds: the map, in two or three dimensions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from mecuco_app.data.classes import Classes
from mecuco_app.plots.backdrop import add_backdrop
from mecuco_app.plots.marks import flat
from mecuco_app.plots.point_colours import colours, grey_out, legend
from mecuco_app.plots.space import to_scale
from mecuco_app.plots.theme import room, template
from mecuco_app.scene.colours import Ramp
from mecuco_app.scene.look import LIGHT, Camera, Look, Ticks
from mecuco_app.scene.raster import Raster, Window
from mecuco_app.text.escape import plotly
from mecuco_core.types import FloatArray, IntArray

# From a little further away than Plotly's own: names and numbers of the axes stay in view.
_USUAL: Camera = ((1.55, 1.55, 1.35), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))

HEIGHT = 560


@dataclass(frozen=True, eq=False)
class Focus:
    """One point and its neighbours, as positions among the drawn points."""

    position: int
    neighbors: IntArray


def point_map(
    coordinates: npt.NDArray[np.floating],
    colour: Ramp | Classes | None,
    *,
    title: str = "",
    hover: Sequence[FloatArray] = (),
    hover_names: Sequence[str] = (),
    texts: Sequence[Sequence[str]] = (),
    selected: IntArray | None = None,
    focus: Focus | None = None,
    axes: Sequence[str] = (),
    ticks: Sequence[Ticks | None] = (),
    every_label: bool = False,
    dimmed: bool = False,
    drag: str = "pan",
    revision: str = "map",
    window: Window | None = None,
    camera: Camera | None = None,
    scaled: bool = False,
    density: Raster | None = None,
    look: Look = LIGHT,
) -> go.Figure:
    """Draw points where a map puts them.

    Parameters
    ----------
    coordinates : ndarray of shape (n_points, 2) or (n_points, 3)
    colour : Ramp, Classes or None
        A continuous colour, a colour for each class, or one colour for all.
    title : str
        Of the colour bar, trusted.
    hover : sequence of ndarray of shape (n_points,)
        Numbers shown with a point.
    hover_names : sequence of str
        What each of them is, trusted.
    texts : sequence of sequence of str
        Lines shown with each point, (n_lines, n_points); untrusted.
    selected : ndarray of int or None
        Positions of the bright points, the others turn grey; None for all bright.
    focus : Focus or None
        A point to be ringed and tied to its neighbours.
    axes : sequence of str
        Titles of the axes, untrusted; none for maps whose axes mean nothing.
    ticks : sequence of (places, texts) or None
        Of the axes that have other texts than numbers, untrusted.
    every_label : bool
        Whether classes beyond the twentieth are drawn with colours that repeat and other shapes;
        else, and on a density, which has no shapes, they are drawn as one, "other".
    dimmed : bool
        Whether this picture waits for a better one.
    drag : {"pan", "lasso", "select"}
    revision : str
        While it stays, zoom and pan stay.
    window : ((x, x), (y, y)) or None
        The part of a flat map to show; None for all of it.
    camera : (eye, centre, up) or None
        Where a spatial map is seen from; None for the usual place.
    scaled : bool
        Whether a spatial map is to scale: a unit is as long on each of its axes.
    density : Raster or None
        All points of a flat map as a picture: the points given are only pointed at, and seen where
        they are selected.
    look : Look
    """
    n_points, dimension = coordinates.shape
    trace = go.Scatter3d if dimension == 3 else flat(n_points)
    every_label = every_label and density is None
    marker = {
        "size": (0.6 if dimension == 3 else 1.0) * _size(n_points) * look.scale,
        # Not a little less than 1: a browser would draw every single point by itself.
        "opacity": 0.25 if dimmed else 1.0,
        **colours(colour, title, every_label, look),
    }
    bars: list[go.Scatter | go.Scatter3d] = []
    if dimension == 3 and selected is not None:
        bars = grey_out(marker, selected, n_points, look)
    points = trace(
        **dict(zip("xyz", coordinates.astype(np.float32).T, strict=False)),
        mode="markers",
        marker=marker,
        showlegend=False,
        **(_written_hover if trace is go.Scatter else _hover)(hover, hover_names, texts),
    )
    if dimension == 2 and selected is None:  # what a click marks is ringed, the others stay
        points.selected = points.unselected = {"marker": {"opacity": marker["opacity"]}}
    elif dimension == 2:
        points.selectedpoints = np.asarray(selected, dtype=np.int64)
        points.selected = {"marker": {"opacity": 1.0}}
        points.unselected = {"marker": {"color": look.muted, "opacity": 0.35}}
    if density is not None:
        bars = _hide(points, marker)
    around = [] if focus is None or dimension == 2 else _focus_traces(coordinates, focus, look)
    figure = go.Figure(
        [points, *bars, *legend(colour, every_label, dimension, look), *around],
        {
            "template": template(look),
            "height": HEIGHT,
            "dragmode": drag if dimension == 2 else "orbit",
            "uirevision": revision,
            "legend": {"orientation": "h", "y": 1.01, "yanchor": "bottom", "itemclick": False},
            **_axes(axes, ticks, dimension, camera, isinstance(colour, Classes), look),
        },
    )
    if focus is not None and dimension == 2:
        figure.update_layout(shapes=_focus_shapes(coordinates, focus, look))
    if scaled and dimension == 3:
        figure.update_layout(scene=to_scale(coordinates))
    if density is not None:
        add_backdrop(figure, density, colour, look, grey=selected is not None)
    elif window is not None and dimension == 2:
        figure.update_layout(xaxis_range=window[0], yaxis_range=window[1])
    return figure


def _hide(points: go.Scatter | go.Scattergl, marker: dict[str, Any]) -> list[go.Scatter]:
    """Make points invisible unless selected; return a trace that carries the colour bar."""
    points.marker.opacity = 0.0
    points.unselected = {"marker": {"opacity": 0.0}}
    points.selected = {"marker": {"opacity": 0.9}}
    if "colorbar" not in marker:
        return []
    points.marker.showscale = False
    kept = ("colorscale", "cmin", "cmax", "colorbar")
    bar = {"color": [marker["cmin"]], "showscale": True, **{name: marker[name] for name in kept}}
    nowhere = {"x": [None], "y": [None]}
    return [go.Scatter(**nowhere, mode="markers", marker=bar, hoverinfo="skip", showlegend=False)]


def _size(n_points: int) -> float:
    for most, size in ((300, 10.0), (2500, 7.0), (8000, 5.0), (25_000, 3.5)):
        if n_points <= most:
            return size
    return 2.5


def _written_hover(
    hover: Sequence[FloatArray], names: Sequence[str], texts: Sequence[Sequence[str]]
) -> dict[str, object]:
    """Return what a pointer shows, written out.

    Plotly marks every point that has numbers of its own, which takes a tenth of the drawing. Of
    many points the texts would weigh more.
    """
    formats = {"row": ".0f"}
    columns = [
        [f"{name} {value:{formats.get(name, '.4g')}}" for value in values.tolist()]
        for name, values in zip(names, hover, strict=True)
    ]
    columns += [_literal(lines) for lines in texts]
    if not columns:
        return {"hovertemplate": "<extra></extra>"}
    return {"hovertext": _joined(columns), "hovertemplate": "%{hovertext}<extra></extra>"}


def _literal(texts: Sequence[str]) -> list[str]:
    literal = {text: plotly(text) for text in set(texts)}
    return [literal[text] for text in texts]


def _joined(columns: Sequence[Sequence[str]]) -> npt.NDArray[np.object_]:
    return np.array(["<br>".join(lines) for lines in zip(*columns, strict=True)], dtype=object)


def _hover(
    hover: Sequence[FloatArray], names: Sequence[str], texts: Sequence[Sequence[str]]
) -> dict[str, object]:
    formats = {"row": "d"}
    lines = [
        f"{name} %{{customdata[{i}]:{formats.get(name, '.4~g')}}}" for i, name in enumerate(names)
    ]
    built: dict[str, object] = {}
    if hover:
        built["customdata"] = np.column_stack(hover).astype(np.float32)
    if texts:
        built["text"] = _joined([_literal(one) for one in texts])
        lines.append("%{text}")
    built["hovertemplate"] = "<br>".join(lines) + "<extra></extra>"
    return built


def _focus_shapes(
    coordinates: npt.NDArray[np.floating], focus: Focus, look: Look
) -> list[dict[str, Any]]:
    """Return the ring and the lines of a flat map: shapes lie above all points, WebGL's too."""
    x, y = coordinates[focus.position].tolist()
    near = coordinates[focus.neighbors]
    ends = near[np.isfinite(near).all(axis=1)].tolist()
    if not np.isfinite([x, y]).all():
        return []
    line, radius = {"color": look.emphasis}, 9 * look.scale
    around = {"x0": -radius, "x1": radius, "y0": -radius, "y1": radius}
    pixels = {"xsizemode": "pixel", "ysizemode": "pixel", "xanchor": x, "yanchor": y}
    star = "".join(f"M{x!r},{y!r}L{there!r},{up!r}" for there, up in ends)
    lines = [{"type": "path", "path": star, "line": {**line, "width": 1.5}}] if ends else []
    return [*lines, {"type": "circle", **around, **pixels, "line": {**line, "width": 3}}]


def _focus_traces(
    coordinates: npt.NDArray[np.floating], focus: Focus, look: Look
) -> list[go.Scatter3d]:
    own = coordinates[focus.position]
    lines = np.full((3 * len(focus.neighbors), 3), np.nan, dtype=np.float32)
    lines[0::3], lines[1::3] = own, coordinates[focus.neighbors]
    shared = {"hoverinfo": "skip", "showlegend": False}
    ring = {
        "size": 18 * look.scale,
        "symbol": "circle-open",
        "color": look.emphasis,
        "line": {"width": 3},
    }
    return [
        go.Scatter3d(
            **dict(zip("xyz", lines.T, strict=True)),
            mode="lines",
            line={"color": look.emphasis, "width": 1.5},
            **shared,
        ),
        go.Scatter3d(
            **dict(zip("xyz", own[:, np.newaxis], strict=True)),
            mode="markers",
            marker=ring,
            **shared,
        ),
    ]


def _axes(
    axes: Sequence[str],
    ticks: Sequence[Ticks | None],
    dimension: int,
    camera: Camera | None,
    named: bool,
    look: Look,
) -> dict[str, object]:
    titles = [plotly(axis) for axis in axes] or [""] * dimension
    bare = {} if axes else {"showticklabels": False, "ticks": ""}
    settings: dict[str, dict[str, object]] = {
        f"{letter}axis": {"title": {"text": title}, **bare}
        for letter, title in zip("xyz", titles, strict=False)
    }
    for axis, marks in zip(settings.values(), ticks, strict=False):
        if marks is not None:
            axis |= {
                "tickvals": list(marks[0]),
                "ticktext": [plotly(text, 20) for text in marks[1]],
            }
    if dimension == 2:
        for axis in settings.values():
            axis["automargin"] = bool(axes)
        return {**settings, "margin": room(look, numbers=bool(axes), legend=named)}
    for axis in settings.values():
        axis |= {"nticks": 4, "tickfont": {"size": 13 * look.scale}}
    places = dict(zip(("eye", "center", "up"), camera or _USUAL, strict=True))
    seen_from = {name: dict(zip("xyz", place, strict=True)) for name, place in places.items()}
    return {"scene": {**settings, "camera": seen_from}}
