"""Drawing points from a manifold, evenly or along a gradient, with their true curvature."""

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset, Provenance, Truth
from mecuco_core.datasets.manifolds.catalogue import MANIFOLDS
from mecuco_core.datasets.manifolds.shape import Shape
from mecuco_core.errors import DataError
from mecuco_core.runtime.haar import random_frame
from mecuco_core.types import FloatArray

MAX_VALUES = 250_000_000  # 2 GB of coordinates
MAX_NOISE = 1000.0  # far above any use, far below overflow
_BATCH = 4096


@dataclass(frozen=True, eq=False)
class ManifoldSample:
    """Points of a manifold, where on it they lie, and the settings that made them."""

    name: str
    shape: Shape
    points: FloatArray  # (n_points, ambient_dimension)  with noise, turned
    parameters: FloatArray  # (n_points, n_parameters)  intrinsic, of the noise-free points
    truth: Truth  # of the noise-free points
    noise: float
    density: float
    seed: int

    @cached_property
    def edge_distance(self) -> FloatArray:
        """Distance of the noise-free points to the edge, (n_points,); see `Shape`."""
        return self.shape.edge_distance(self.parameters)

    @property
    def identifier(self) -> str:
        """The call that draws this sample again, without the word `load_manifold`."""
        n_points, ambient_dimension = self.points.shape
        settings: dict[str, float] = {"n_points": n_points}
        if self.noise:
            settings["noise"] = self.noise
        if self.density:
            settings["density"] = self.density
        if ambient_dimension != self.shape.ambient_dimension:
            settings["ambient_dimension"] = ambient_dimension
        settings |= {"seed": self.seed} | self.shape.sizes()
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in settings.items())})"


def sample_manifold(
    name: str,
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    density: float = 0.0,
    ambient_dimension: int | None = None,
    seed: int = 0,
    **shape_parameters: float,
) -> ManifoldSample:
    """Draw points from a manifold; the parameters are those of `load_manifold`."""
    if name not in MANIFOLDS:
        raise DataError(f"name must be one of {', '.join(MANIFOLDS)}, got {name!r}")
    shape = MANIFOLDS[name].shape(**shape_parameters)
    own = shape.ambient_dimension
    m = own if ambient_dimension is None else ambient_dimension
    _check_settings(n_points, noise, density, m, own, seed)

    # One stream for each purpose, so that noise or rotation do not move the points below.
    for_points, for_rotation, for_noise = (
        np.random.default_rng(stream) for stream in np.random.SeedSequence(seed).spawn(3)
    )
    parameters = _draw(shape, n_points, density, for_points)
    points = shape.points(parameters)
    truth = Truth(shape.mean_curvature(parameters), shape.gaussian_curvature(parameters))
    if m > own:
        points = points @ random_frame(m, own, for_rotation).T
    if noise > 0:
        points = points + for_noise.normal(scale=noise, size=points.shape)
    return ManifoldSample(
        name=name,
        shape=shape,
        points=points,
        parameters=parameters,
        truth=truth,
        noise=float(noise),
        density=float(density),
        seed=int(seed),
    )


def load_manifold(
    name: str,
    n_points: int = 2000,
    *,
    noise: float = 0.0,
    density: float = 0.0,
    ambient_dimension: int | None = None,
    seed: int = 0,
    **shape_parameters: float,
) -> Dataset:
    """Draw points from a manifold, as a dataset that knows its curvature.

    Parameters
    ----------
    name : str
        "plane", "sphere", "d-sphere", "ellipsoid", "cylinder", "torus", "saddle", "paraboloid",
        "catenoid", "helicoid", "swiss-roll", "s-curve", "moebius", "monkey-saddle" or "helix".
    n_points : int, default=2000
        With the same other settings, fewer points are the first of more.
    noise : float in [0, 1000], default=0.0
        Standard deviation of Gaussian noise added to every coordinate, after the rotation.
    density : float in [0, 1), default=0.0
        Points per area are proportional to 1 + density * s, where s in [-1, 1] is the place
        along the first intrinsic direction as given by `Shape.gradient`: linear in the first
        parameter, or minus its cosine where that is periodic. The densest place has
        (1 + density) / (1 - density) times the points of the sparsest; 0 is uniform by area.
    ambient_dimension : int or None, default=None
        Where larger than the manifold's own, the points are padded with zeros and turned by a
        random orthogonal matrix. None, or the manifold's own, leaves them as they are.
    seed : int, default=0
    **shape_parameters : float
        Sizes of the manifold, as in `MANIFOLDS[name].parameters`.

    Returns
    -------
    Dataset
        Columns x, y, z (x1, x2, ... from four dimensions on), no target, and in `truth` the
        curvature of the noise-free point of every row.

    Raises
    ------
    DataError
        If the name, a setting or a size is unknown or out of range.

    See Also
    --------
    Truth : The curvature at every point.
    shape_operator : Estimates it.

    Examples
    --------
    >>> import mecuco as mc
    >>> torus = mc.datasets.load_manifold("torus", n_points=500, noise=0.01, R=3.0, r=1.0)
    >>> torus
    Dataset('torus', 500 rows, 3 features, target=None)
    >>> torus.truth.mean.shape
    (500,)
    """
    sample = sample_manifold(
        name,
        n_points,
        noise=noise,
        density=density,
        ambient_dimension=ambient_dimension,
        seed=seed,
        **shape_parameters,
    )
    m = sample.points.shape[1]
    columns = list("xyz"[:m]) if m <= 3 else [f"x{i + 1}" for i in range(m)]
    return Dataset(
        name=name,
        table=pd.DataFrame(sample.points, columns=columns),
        provenance=Provenance("manifold", identifier=sample.identifier),
        truth=sample.truth,
    )


def _draw(
    shape: Shape, n_points: int, density: float, generator: np.random.Generator
) -> FloatArray:
    """Draw intrinsic parameters by rejection, (n_points, n_parameters)."""
    kept: list[FloatArray] = []
    n_kept = 0
    while n_kept < n_points:
        # Batches of one size: the stream, and so the first points, do not depend on n_points.
        parameters, chances = shape.proposals(generator, _BATCH)
        chances = chances * (1 + density * shape.gradient(parameters)) / (1 + density)
        kept.append(parameters[generator.random(_BATCH) < chances])
        n_kept += len(kept[-1])
    return np.concatenate(kept)[:n_points]


def _check_settings(
    n_points: int, noise: float, density: float, m: int, own: int, seed: int
) -> None:
    for argument, whole, lowest in (
        ("n_points", n_points, 1),
        ("ambient_dimension", m, own),
        ("seed", seed, 0),
    ):
        if isinstance(whole, bool) or not isinstance(whole, Integral) or whole < lowest:
            raise DataError(
                f"{argument} must be a whole number of at least {lowest}, got {whole!r}"
            )
    if int(n_points) * int(m) > MAX_VALUES:
        raise DataError(
            f"n_points times ambient_dimension must be at most {MAX_VALUES}, "
            f"got {n_points} x {m}; ask for fewer of either"
        )
    if isinstance(noise, bool) or not isinstance(noise, Real) or not 0 <= noise <= MAX_NOISE:
        raise DataError(f"noise must be a number in [0, {MAX_NOISE}], got {noise!r}")
    if isinstance(density, bool) or not isinstance(density, Real) or not 0 <= density < 1:
        raise DataError(f"density must be a number in [0, 1), got {density!r}")
