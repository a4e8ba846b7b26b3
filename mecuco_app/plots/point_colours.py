"""The colours of the points of a map, the bar or the legend that explains them."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from mecuco_app.data.classes import Classes
from mecuco_app.scene.colours import Ramp
from mecuco_app.scene.look import DIFFERENCE_SCALE, SCORE_SCALE, SYMBOLS, Look
from mecuco_app.text.escape import plotly
from mecuco_core.types import IntArray

OTHER = "other"


def colours(
    colour: Ramp | Classes | None, title: str, every_label: bool, look: Look
) -> dict[str, object]:
    """Return what a marker says of its colours, the bar included."""
    if colour is None:
        return {"color": look.labels[0]}
    if isinstance(colour, Ramp):
        bar: dict[str, object] = {
            "title": {"text": title, "side": "top"},
            "orientation": "h",  # above the map: beside it, it would take a third of a phone
            "y": 0.999,  # at 1 and above Plotly moves the titles of the axes too
            "yanchor": "bottom",
            "ypad": 0,
            "thickness": 12 * look.scale,
            "outlinewidth": 0,
            "nticks": 6,
        }
        if colour.ticks:
            texts = [plotly(text, 20) for text in colour.texts]
            bar |= {"tickvals": list(colour.ticks), "ticktext": texts}
        absent = ~np.isfinite(colour.values)
        return {
            **({"symbol": np.where(absent, "circle-open", "circle")} if absent.any() else {}),
            "color": colour.values.astype(np.float32),
            "colorscale": DIFFERENCE_SCALE if colour.diverging else SCORE_SCALE,
            "cmin": colour.low,
            "cmax": colour.high,
            "colorbar": bar,
        }
    n_colours, shape = len(look.classes), {}
    codes = colour.codes if every_label else np.minimum(colour.codes, n_colours)
    if len(colour.names) > len(look.labels):
        shapes = [_shape(code, every_label, look) for code in range(int(codes.max()) + 1)]
        shape = {"symbol": np.array(shapes)[codes]}
    if every_label:
        codes = codes % n_colours
    shades = [*look.classes, look.other, look.muted]  # the last: what is not selected
    steps = [(end / len(shades), shade) for i, shade in enumerate(shades) for end in (i, i + 1)]
    return {
        "color": codes.astype(np.int16),
        "colorscale": steps,
        "cmin": -0.5,
        "cmax": len(shades) - 0.5,
        "showscale": False,
        **shape,
    }


def legend(
    colour: Ramp | Classes | None, every_label: bool, dimension: int, look: Look
) -> list[go.Scatter | go.Scatter3d]:
    """Return empty traces that name the classes; the points stay one trace and one selection."""
    if not isinstance(colour, Classes):
        return []
    palette = look.classes
    entries = [
        (plotly(name, 24), palette[code % len(palette)], _shape(code, every_label, look))
        for code, name in enumerate(colour.names[: 64 if every_label else len(palette)])
    ]
    if not every_label and len(colour.names) > len(palette):
        entries.append((OTHER, look.other, _shape(len(palette), every_label, look)))
    trace = go.Scatter3d if dimension == 3 else go.Scatter  # else axes of the other kind appear
    return [
        trace(
            **{axis: [None] for axis in "xyz"[:dimension]},
            mode="markers",
            name=name,
            marker={"color": shade, "symbol": symbol, "size": 10 * look.scale},
            hoverinfo="skip",
        )
        for name, shade, symbol in entries
    ]


def _shape(code: int, every_label: bool, look: Look) -> str:
    """Return the shape of a class: another for every eight, and a circle for the others."""
    if not every_label and code >= len(look.classes):
        return SYMBOLS[0]
    return SYMBOLS[code // len(look.labels) % len(SYMBOLS)]


def grey_out(
    marker: dict[str, Any], selected: IntArray, n_points: int, look: Look
) -> list[go.Scatter3d]:
    """Make what is not selected grey and small: spatial traces have no selection of their own.

    The grey lies below the colours of a ramp. Its colour bar must not show that, so an empty trace
    is returned that carries the bar.
    """
    rest = np.ones(n_points, dtype=bool)
    rest[selected] = False
    marker["size"] = (np.where(rest, 0.4, 1.6) * marker["size"]).astype(np.float32)
    marker["line"] = {"width": 0}
    if isinstance(marker["color"], str):
        marker["color"] = np.where(rest, look.muted, marker["color"])
        return []
    if "colorbar" not in marker:  # classes: the last shade is the grey
        marker["color"] = np.where(rest, np.int16(len(look.classes) + 1), marker["color"])
        return []
    ramp = {name: marker[name] for name in ("colorscale", "cmin", "cmax", "colorbar")}
    shades = get_colorscale(SCORE_SCALE) if ramp["colorscale"] == SCORE_SCALE else DIFFERENCE_SCALE
    low, high = ramp["cmin"], ramp["cmax"]
    bent = np.clip(marker["color"], low, high)  # NaN stays without a colour
    marker["color"] = np.where(rest, 2 * low - high, bent).astype(np.float32)
    marker["cmin"] = 2 * low - high
    marker["colorscale"] = [
        (0.0, look.muted),
        (0.49, look.muted),
        (0.49, shades[0][1]),
        *((0.5 + place / 2, shade) for place, shade in shades),
    ]
    marker["showscale"] = False
    del marker["colorbar"]
    nowhere: dict[str, list[None]] = {axis: [None] for axis in "xyz"}
    bar = {"color": [low], "showscale": True, **ramp}
    return [go.Scatter3d(**nowhere, mode="markers", marker=bar, hoverinfo="skip", showlegend=False)]
