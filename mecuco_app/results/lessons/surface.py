"""The shape operator at the chosen point, estimated from a sample of the surface; no Streamlit."""

from dataclasses import dataclass, replace

import numpy as np

from mecuco_app.results.lessons.surface_geometry import forms_of
from mecuco_app.results.making import task
from mecuco_app.view.lessons import SurfaceSettings
from mecuco_app.work.execution import counting
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.manifolds import sample_manifold
from mecuco_core.surface.shape_operator import shape_operator
from mecuco_core.types import FloatArray

SECONDS_PER_POINT = 5e-5


@dataclass(frozen=True, eq=False)
class Estimate:
    """What the neighbours of the point say, on the side of the exact normal.

    Attributes
    ----------
    mean : float
        H with its sign; |H| has the error bar.
    error : float
        One standard error of |H|.
    principal : ndarray of shape (2,)
        Descending.
    directions : ndarray of shape (2, 3)
    normal : ndarray of shape (3,)
    neighbors : ndarray of shape (k, 3)
        The points that were used.
    goodness : float
    poor : bool
    n_points, n_neighbors, degree : int
    radius : float
        Distance to the farthest of the neighbours.
    """

    mean: float
    error: float
    principal: FloatArray
    directions: FloatArray
    normal: FloatArray
    neighbors: FloatArray
    goodness: float
    poor: bool
    n_points: int
    n_neighbors: int
    degree: int
    radius: float

    @property
    def gaussian(self) -> float:
        """K, the product of the principal curvatures."""
        return float(self.principal.prod())

    def normal_curvature(self, tangents: FloatArray) -> FloatArray:
        """Return II(t, t) of unit tangents (n, 3), laid into the estimated tangent plane, (n,)."""
        inside = tangents @ self.directions.T  # (n, 2)
        return np.asarray((inside**2 @ self.principal) / (inside**2).sum(axis=1))


def estimate_task(settings: SurfaceSettings) -> Task[Estimate]:
    """Draw points evenly from the surface, put the point among them, and fit."""

    def work(*, report: Report) -> Estimate:
        forms = forms_of(settings)[1]
        sample = sample_manifold(
            settings.name, settings.n_points, noise=settings.noise, seed=settings.seed
        )
        # The point is one of the data: it has noise as the others do.
        noise = np.random.default_rng([settings.seed, 1]).normal(scale=settings.noise, size=3)
        points = np.vstack([forms.point + noise, sample.points])
        found = shape_operator(points, dimension=2, progress=counting(report, "Fitting quadrics"))
        if (
            found.normals is None
            or found.principal_curvatures is None
            or found.principal_directions is None
        ):
            raise ValueError("the points must lie in three dimensions")
        side = 1.0 if found.normals[0] @ forms.normal >= 0 else -1.0
        order = slice(None) if side > 0 else slice(None, None, -1)
        graph = found.graph
        return Estimate(
            mean=side * float(found.principal_curvatures[0].mean()),
            error=float(found.error[0]),
            principal=side * found.principal_curvatures[0][order],
            directions=found.principal_directions[0][order],
            normal=side * found.normals[0],
            neighbors=points[graph.indices[0]],
            goodness=float(found.fit[0]),
            poor=bool(found.poor[0]),
            n_points=len(points),
            n_neighbors=found.n_neighbors,
            degree=found.degree,
            radius=float(graph.distances[0, -1]),
        )

    seconds = 0.2 + SECONDS_PER_POINT * settings.n_points
    key = (replace(settings, angle=0.0, step=0.01),)  # the walk does not change the estimate
    return task("surface", "Estimate from a sample", seconds, key, work, here=True)
