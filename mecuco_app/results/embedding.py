"""UMAP on a graph that is already there: seeded, one at a time, with progress and a way to stop."""

import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from mecuco_app.results.principal import principal_coordinates
from mecuco_app.work.jobs import Report, silent
from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.types import FloatArray

Coordinates = npt.NDArray[np.float32]
"""A map, (n_points, 2) or (n_points, 3)."""

MIN_POINTS = 5
"""Fewer cannot be laid out by UMAP."""

MANY_POINTS = 20_000
"""More are laid out from PCA, as good a start and a quicker one (docs/scale.md), and shown while
they move."""

_FEW = 12  # points below which the spectral start has too few eigenvectors
_SECONDS = 1.0  # between two pictures of a layout that is not finished
_CALLBACK = "epoch_callback"
_WAIT = 0.2  # seconds between two looks at whether the visitor still waits

# UMAP's compiled parts may abort the process when two threads enter them together.
_lock = threading.Lock()


def umap_coordinates(
    points: FloatArray,
    graph: KnnGraph,
    *,
    dimension: int,
    n_neighbors: int,
    min_dist: float,
    seed: int,
    report: Report = silent,
) -> Coordinates:
    """Lay points out by UMAP.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    graph : KnnGraph of at least n_neighbors - 1 neighbours
        Their nearest neighbours; nothing is searched again.
    dimension : {2, 3}
    n_neighbors : int
        As UMAP counts, the point itself included.
    min_dist : float in [0, 1]
    seed : int
        The same seed gives the same map.
    report : callable
        Called with what is being done; what it raises stops the work. Of more than `MANY_POINTS` it
        is given the layout so far, (n_points, dimension), at the start and every second.

    Returns
    -------
    ndarray of shape (n_points, dimension)
    """
    n_points = len(points)
    if n_points < MIN_POINTS:
        raise ValueError(f"UMAP needs at least {MIN_POINTS} points, got {n_points}: use PCA")
    k = max(2, min(n_neighbors, n_points - 1, graph.n_neighbors + 1))
    _compiler.wait(report)
    with _turn(report):
        start, shown = _start_of(points, dimension), time.monotonic()
        report(0.05, "UMAP: building the graph", **({} if start is None else {"so_far": start}))

        def epoch(layout: Coordinates, done: int, total: int) -> None:
            nonlocal shown
            more = {}
            if start is not None and time.monotonic() - shown > _SECONDS:
                shown, more = time.monotonic(), {"so_far": layout.copy()}
            report(0.1 + 0.9 * done / total, f"UMAP: epoch {done} of {total}", **more)

        return _fitted(
            points,
            with_self(graph, k),
            dimension=dimension,
            n_neighbors=k,
            min_dist=min_dist,
            seed=seed,
            start=start,
            epoch=epoch,
        )


def _start_of(points: FloatArray, dimension: int) -> Coordinates | None:
    """Return where the points start: along their principal directions, or None for spectral."""
    if len(points) <= MANY_POINTS or points.shape[1] < dimension:
        return None
    start = principal_coordinates(points, dimension)
    if np.ptp(start, axis=0).min() == 0.0:
        return None
    return np.ascontiguousarray(10.0 / np.abs(start).max() * start, dtype=np.float32)


def warm_up() -> None:
    """Import and compile UMAP, once per process, and come back when that is done."""
    _compiler.run()


def with_self(
    graph: KnnGraph, n_neighbors: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return indices and distances as UMAP wants them: the point itself first, k columns in all."""
    own = np.arange(len(graph))[:, np.newaxis]
    indices = np.hstack([own, graph.indices[:, : n_neighbors - 1]])
    distances = np.hstack([np.zeros((len(graph), 1)), graph.distances[:, : n_neighbors - 1]])
    return indices, distances


class _turn:  # noqa: N801 - reads as a verb where it is used
    """Wait for the one place at UMAP, and leave when the visitor does."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def __enter__(self) -> None:
        while not _lock.acquire(timeout=_WAIT):
            self.report(0.0, "UMAP: waiting for another map")

    def __exit__(self, *_: object) -> None:
        _lock.release()


class _Compiler:
    """Compiles UMAP once, in a thread of its own, so that who waits for it can leave."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def wait(self, report: Report) -> None:
        """Return when UMAP is compiled; `report` may raise meanwhile."""
        self._start()
        while not self._done.wait(_WAIT):
            report(0.0, "UMAP: compiling, once per server")
        if self._error is not None:
            raise self._error

    def run(self) -> None:
        """Compile UMAP and return."""
        self.wait(silent)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="UMAP", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        try:
            with _lock:
                _compile()
        except Exception as error:  # raised for everyone who waits
            self._error = error
        finally:
            self._done.set()


_compiler = _Compiler()


def _compile() -> None:
    """Import UMAP, make it stoppable and compile it with a small map; the lock is held."""
    with warnings.catch_warnings(), _kept_compiled():
        warnings.simplefilter("ignore")  # umap speaks of packages that are not installed
        import umap.layouts
        import umap.umap_
    if not hasattr(umap.layouts.tqdm, "stoppable"):
        umap.layouts.tqdm = _stoppable(umap.layouts.tqdm)
        umap.umap_.optimize_layout_euclidean = _watched(umap.umap_.optimize_layout_euclidean)
    points = np.random.default_rng(0).standard_normal((60, 4))
    distance = np.linalg.norm(points[:, np.newaxis] - points, axis=2)
    nearest = np.argsort(distance, axis=1)[:, :10]
    knn = (nearest, np.take_along_axis(distance, nearest, axis=1))
    _fitted(points, knn, dimension=2, n_neighbors=10, min_dist=0.1, seed=0, n_epochs=5)


@contextmanager
def _kept_compiled() -> Iterator[None]:
    """Let numba keep on disk what it compiles of UMAP, which by itself asks for that only once."""
    real = numba.njit

    def njit(*arguments: Any, **options: Any) -> Any:
        if arguments and callable(arguments[0]):
            return njit(**options)(arguments[0])

        def decorate(function: Callable[..., Any]) -> Any:
            if function.__module__.startswith("umap."):
                options.setdefault("cache", True)
            return real(*arguments, **options)(function)

        return decorate

    numba.njit = njit
    try:
        yield
    finally:
        numba.njit = real


def _fitted(
    points: FloatArray,
    knn: tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]],
    *,
    dimension: int,
    n_neighbors: int,
    min_dist: float,
    seed: int,
    start: Coordinates | None = None,
    epoch: Callable[[Coordinates, int, int], None] | None = None,
    n_epochs: int | None = None,
) -> Coordinates:
    import umap

    init: Any = start
    if start is None:
        init = "spectral" if len(points) >= _FEW else "random"
    model = umap.UMAP(
        n_components=dimension,
        n_neighbors=n_neighbors,
        min_dist=min_dist,
        random_state=seed,
        n_jobs=1,
        n_epochs=n_epochs,
        init=init,
        precomputed_knn=knn,
        tqdm_kwds=None if epoch is None else {_CALLBACK: epoch},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on how it solves; the map is what counts
        coordinates = model.fit_transform(points)
    return np.ascontiguousarray(coordinates, dtype=np.float32)


def _watched(real: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the layout of UMAP so that the callback is given the layout, which moves in place."""

    def moved(layout: Coordinates, *args: Any, **options: Any) -> Any:
        keywords = options.get("tqdm_kwds") or {}
        if _CALLBACK in keywords:
            options["tqdm_kwds"] = {**keywords, _CALLBACK: partial(keywords[_CALLBACK], layout)}
        return real(layout, *args, **options)

    return moved


def _stoppable(real: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the progress bar of UMAP's epochs so that a callback may raise.

    Raising out of the bar itself would leave its process-wide lock held for ever.
    """

    def bar(steps: Iterable[int], *args: Any, **options: Any) -> Iterable[int]:
        epoch = options.pop(_CALLBACK, None)
        if epoch is None:
            bare: Iterable[int] = real(steps, *args, **options)
            return bare
        return _counted(list(steps), epoch)

    bar.stoppable = True  # type: ignore[attr-defined]
    return bar


def _counted(steps: list[int], epoch: Callable[[int, int], None]) -> Iterator[int]:
    for done, step in enumerate(steps):
        epoch(done, len(steps))
        yield step
