"""The computations of the Ground truth page, as tasks; no Streamlit."""

from dataclasses import replace

from mecuco_app.results.making import task
from mecuco_app.view.lessons import TruthSettings
from mecuco_app.work.execution import counting
from mecuco_app.work.jobs import Report
from mecuco_app.work.tasks import Task
from mecuco_core.datasets.manifolds import MANIFOLDS, ManifoldSample, sample_manifold
from mecuco_core.diagnostics.ground_truth import Convergence, GroundTruth, convergence, ground_truth
from mecuco_core.kernels.surface.quadric import fewest_neighbors
from mecuco_core.score.cost import estimated_seconds
from mecuco_core.types import Mode

SIZES = (500, 1000, 2000, 4000, 8000, 16_000)
MOST_FEATURES_OF_ORIGINAL = 12
_SECONDS_PER_POINT = 1e-4


def effective(settings: TruthSettings) -> TruthSettings:
    """Return the settings with what the manifold does not allow put right."""
    manifold = MANIFOLDS[settings.manifold]
    own = manifold.ambient_dimension
    fewest = fewest_neighbors(manifold.dimension)
    ambient = max(own, settings.ambient or own)
    modes = modes_of(ambient)
    return replace(
        settings,
        ambient=ambient,
        n_neighbors=min(max(settings.n_neighbors, fewest), settings.n_points - 1),
        mode=settings.mode if settings.mode in modes else "haar",
    )


def modes_of(n_features: int) -> tuple[Mode, ...]:
    """Return the modes that are quick enough; `original` is the same number as `exact`."""
    three: tuple[Mode, ...] = ("haar", "exact", "fast")
    return (*three, "original") if n_features <= MOST_FEATURES_OF_ORIGINAL else three


def sample_of(settings: TruthSettings, n_points: int | None = None) -> ManifoldSample:
    """Draw the points."""
    return sample_manifold(
        settings.manifold,
        n_points or settings.n_points,
        noise=settings.noise,
        density=settings.density,
        ambient_dimension=settings.ambient,
        seed=settings.seed,
    )


def truth_task(settings: TruthSettings) -> Task[tuple[ManifoldSample, GroundTruth]]:
    """Measure everything on one sample."""
    settings = effective(settings)
    m = settings.ambient or 3

    def work(*, report: Report) -> tuple[ManifoldSample, GroundTruth]:
        sample = sample_of(settings)
        progress = counting(report, "Measuring")
        return sample, ground_truth(sample, settings.n_neighbors, modes_of(m), progress)

    n, k = settings.n_points, settings.n_neighbors
    seconds = n * _SECONDS_PER_POINT + sum(estimated_seconds(n, m, k, o) for o in modes_of(m))
    key = (replace(settings, mode="haar", inner=True),)  # what is drawn changes no number
    return task("truth", "Estimate and scores", seconds, key, work, here=True)


def convergence_task(settings: TruthSettings) -> Task[Convergence]:
    """Measure the error for a growing number of points."""
    settings = effective(settings)
    sizes = [size for size in SIZES if size > settings.n_neighbors]

    def work(*, report: Report) -> Convergence:
        samples = [sample_of(settings, size) for size in sizes]
        progress = counting(report, "Error against n")
        return convergence(samples, settings.n_neighbors, settings.mode, progress)

    seconds = 2 * sum(sizes) * _SECONDS_PER_POINT
    key = (replace(settings, n_points=sizes[0], inner=True),)
    return task("convergence", "Error against n", seconds, key, work, here=True)
