"""The one template of all figures."""

from functools import cache

import plotly.graph_objects as go

from mecuco_app.scene.look import LIGHT, Look


@cache
def template(look: Look = LIGHT) -> go.layout.Template:
    """Return the template of every figure."""
    axis = {
        "automargin": True,
        "gridcolor": look.grid,
        "zeroline": False,
        "linecolor": look.muted,
        "ticks": "outside",
        "tickcolor": look.muted,
        "nticks": 5 if look.lecture else 8,
        "exponentformat": "power",  # no "200f" for 2 × 10⁻¹³
        "minexponent": 5,
        "title": {"standoff": 8},
    }
    return go.layout.Template(
        layout={
            "font": {
                "family": "Source Sans Pro, Source Sans, system-ui, sans-serif",
                "size": 14 * look.scale,
                "color": look.text,
            },
            "separators": ".\u202f",  # thousands as in the text beside the figures
            "paper_bgcolor": look.paper,
            "plot_bgcolor": look.paper,
            # Half a number on the last tick has room above and to the right: else it is left out.
            "margin": {"l": 8, "r": 12 * look.scale, "t": 12 * look.scale, "b": 8},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {"itemsizing": "constant"},
            "hoverlabel": {"font": {"size": 13 * look.scale}},
            "colorway": list(look.labels),
        }
    )


def room(look: Look = LIGHT, *, numbers: bool = True, legend: bool = False) -> dict[str, float]:
    """Return margins for numbers and titles of the usual length, and a legend of one line.

    Looking for that room itself, Plotly would draw every point twice.
    """
    beside, above = (62.0, 24.0) if numbers else (8.0, 12.0)
    sides = {"l": beside, "b": beside, "r": above, "t": 40.0 if legend else above}
    return {side: size * look.scale for side, size in sides.items()}
