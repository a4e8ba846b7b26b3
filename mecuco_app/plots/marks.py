"""What flat points are drawn with, and on."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mecuco_core.types import FloatArray

MOST_VECTORS = 2500
"""Points drawn as vector graphics. More of them would be slow to drag and to lasso."""


def flat(n_points: int) -> Any:
    """Return the kind of trace for a figure of so many points.

    Few points are drawn as vectors: a figure of WebGL needs three contexts of a browser that
    has sixteen, and without a graphics card each takes a tenth of a second to make, again whenever
    the figure changes.
    """
    return go.Scatter if n_points <= MOST_VECTORS else go.Scattergl


def log_axis(values: FloatArray) -> dict[str, object]:
    """Return a logarithmic axis for positive values, every number on it written out."""
    decades = float(np.log10(values.max() / values.min()))
    step = "D2" if decades < 3 else float(np.ceil(decades / 8))
    return {"type": "log", "dtick": step, "tickformat": "~g"}
