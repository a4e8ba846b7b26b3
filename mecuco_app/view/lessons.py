"""The choices on the teaching pages, as frozen values; no Streamlit."""

from dataclasses import dataclass
from typing import Literal, get_args

from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.diagnostics.coordinates import Gauge
from mecuco_core.types import Mode

SURFACES: tuple[str, ...] = tuple(
    name
    for name, manifold in MANIFOLDS.items()
    # The curvature of the S jumps in its middle: it has no shape operator there.
    if issubclass(manifold.kind, ParametricSurface) and name != "s-curve"
)

XRAY_STEPS = 7

NullSource = Literal["cloud", "data"]
NULL_SOURCES: tuple[NullSource, ...] = get_args(NullSource)

SCORE_MODES: tuple[Mode, ...] = ("haar", "exact", "fast", "original")


@dataclass(frozen=True)
class SurfaceSettings:
    """Shape operator: the surface, the point, the walk from it, and the sample around it.

    Parameters
    ----------
    name : str
        One of `SURFACES`.
    u, v : float in [0, 1]
        Share of the range of each parameter.
    angle : float in [0, 360]
        Degrees from the first principal direction to the direction of the walk.
    step : float in [0.01, 0.6]
        Length of the walk.
    n_points, noise, seed
        Of the sample that the estimate is made from.
    """

    name: str = "torus"
    u: float = 0.94
    v: float = 0.16
    angle: float = 35.0
    step: float = 0.4
    n_points: int = 3000
    noise: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class TruthSettings:
    """Ground truth: the sample, the neighbours, and the mode of the score that is drawn.

    `ambient` of None is the manifold's own dimension. `inner` leaves points out whose patch
    reaches the edge.
    """

    manifold: str = "torus"
    n_points: int = 3000
    n_neighbors: int = 30
    noise: float = 0.0
    density: float = 0.0
    ambient: int | None = None
    seed: int = 0
    mode: Mode = "haar"
    inner: bool = True


@dataclass(frozen=True)
class XraySettings:
    """Score X-ray: the step shown. The row and k are those of Explore."""

    step: int = 1


@dataclass(frozen=True)
class NullSettings:
    """Null space: a Gaussian cloud in m dimensions or the present data, k, and one point."""

    source: NullSource = "cloud"
    n_features: int = 40
    n_neighbors: int = 10
    seed: int = 0


@dataclass(frozen=True)
class GaugeSettings:
    """Gauge: how the data are changed, and how many top points are watched, in percent."""

    kind: Gauge = "rotation"
    seed: int = 0
    top: float = 5.0
