"""The choices on the teaching pages, as frozen values; no Streamlit."""

from dataclasses import dataclass
from typing import Literal, get_args

from mecuco_app.view.choices import choice
from mecuco_app.view.link_values import flag, integer, one_of, real, written_flag, written_real
from mecuco_core.datasets.manifolds import MANIFOLDS, ParametricSurface
from mecuco_core.diagnostics.coordinates import CHANGE_KINDS, ChangeKind
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

    name: str = choice("torus", "surface", one_of(SURFACES))
    u: float = choice(0.94, "at-u", real(0.0, 1.0), written_real)
    v: float = choice(0.16, "at-v", real(0.0, 1.0), written_real)
    angle: float = choice(35.0, "angle", real(0.0, 360.0), written_real)
    step: float = choice(0.4, "walk", real(0.01, 0.6), written_real)
    n_points: int = choice(3000, "around", integer(200, 20_000))
    noise: float = choice(0.0, "around-noise", real(0.0, 0.2), written_real)
    seed: int = choice(0, "around-seed", integer(0))


@dataclass(frozen=True)
class TruthSettings:
    """Ground truth: the sample, the neighbours, and the mode of the score that is drawn.

    `ambient` of None is the manifold's own dimension. `inner` leaves points out whose patch
    reaches the edge.
    """

    manifold: str = choice("torus", "manifold", one_of(MANIFOLDS))
    n_points: int = choice(3000, "n", integer(200, 20_000))
    n_neighbors: int = choice(30, "patch", integer(5, 200))
    noise: float = choice(0.0, "noise", real(0.0, 0.2), written_real)
    density: float = choice(0.0, "density", real(0.0, 0.95), written_real)
    ambient: int | None = choice(None, "space", integer(3, 50))
    seed: int = choice(0, "sample", integer(0))
    mode: Mode = choice("haar", "against", one_of(SCORE_MODES))
    inner: bool = choice(True, "inner", flag, written_flag)


@dataclass(frozen=True)
class XraySettings:
    """Score X-ray: the step shown. The row and k are those of Explore."""

    step: int = choice(1, "step", integer(1, XRAY_STEPS))


@dataclass(frozen=True)
class NullSettings:
    """Null space: a Gaussian cloud in m dimensions or the present data, k, and one point."""

    source: NullSource = choice("cloud", "cloud", one_of(NULL_SOURCES))
    n_features: int = choice(40, "m", integer(4, 120))
    n_neighbors: int = choice(10, "null-k", integer(3, 60))
    seed: int = choice(0, "null-seed", integer(0))


@dataclass(frozen=True)
class CoordinateChangeSettings:
    """How the coordinates change, and how many top points are watched, in percent."""

    kind: ChangeKind = choice("rotation", "gauge", one_of(CHANGE_KINDS))
    seed: int = choice(0, "gauge-seed", integer(0))
    top: float = choice(5.0, "top", real(1.0, 50.0), written_real)
