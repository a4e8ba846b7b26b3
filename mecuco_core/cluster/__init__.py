"""Scores of a dask array, block by block on the cluster it lives on.

The only folder that imports dask. Tasks are pure: dask may run one again after a worker died, on
any other, and the numbers stay. No task holds more rows than two blocks, or one neighbourhood
where that is more. A distance is compared before its root is taken, as on one machine, so that
the graph is the same to the last tie.
"""

import math
import re
from concurrent.futures import CancelledError
from typing import Any

from mecuco_core.cluster.cells import CellRun
from mecuco_core.cluster.run import Run, rows_of
from mecuco_core.cluster.schedulers import current_work
from mecuco_core.errors import MissingPackageError
from mecuco_core.neighbors.choice import resolved_search
from mecuco_core.score.cost import resolved_mode
from mecuco_core.score.curvature import SCORED_ELSEWHERE, Curvature, check_cost
from mecuco_core.types import FloatArray, Mode, Progress, SearchMethod
from mecuco_core.validation import LARGEST_SEED, check_integer, check_mode, check_n_neighbors

BLOCK_BYTES = 64 * 2**20
"""Largest block a table is cut into for a cluster."""
PAIRS_PER_THREAD = 4
SECONDS_TO_CONNECT = 10
ADDRESS = re.compile(r"((tcp|tls|wss?)://)?([^\s/:\[\]]+|\[[\da-fA-F:]+\]):\d+")
MISSING = "a cluster needs the packages dask and distributed: pip install 'mecuco[cluster]'"


def curvature_of(
    points: Any,
    n_neighbors: int | str | None = None,
    *,
    mode: Mode = "haar",
    search: SearchMethod = "auto",
    seed: int = 0,
    progress: Progress | None = None,
) -> Curvature:
    """Score every row of a dask array where it lies; `curvature` describes the scores.

    The work is done by the current `distributed.Client`, else by dask's local scheduler. The
    exact search compares every block of rows with every other, so blocks of some ten thousand
    rows are best. On a cluster the array is held in the memory of the workers meanwhile; a local
    scheduler reads a block again each time it is needed. The approximate search brings rows that
    lie together into one block first, and compares near blocks only; it says its recall.

    Parameters
    ----------
    points : dask array of shape (n_points, n_features)
        Chunked in any way.
    n_neighbors, mode, search, seed, progress
        As for `curvature`.

    Returns
    -------
    Curvature
    """
    array = rows_of(points)
    used = resolved_mode(check_mode(mode), array.shape[1])
    k = check_n_neighbors(n_neighbors, len(array))
    chosen = resolved_search(search, len(array), array.shape[1], k)
    seed = check_integer(seed, "seed", 0, LARGEST_SEED)
    with current_work() as work:
        check_cost(len(array), array.shape[1], k, used, work.n_threads(), stacklevel=4)
        run = CellRun if chosen == "approximate" else Run
        return run(work, array, k, used, seed, progress).result()


def curvature_at(
    address: str,
    points: FloatArray,
    n_neighbors: int | str | None = None,
    *,
    mode: Mode = "haar",
    search: SearchMethod = "auto",
    seed: int = 0,
    progress: Progress | None = None,
) -> Curvature:
    """Score points (n_points, n_features) on the cluster at an address.

    Raises
    ------
    ConnectionError
        One sentence, if the cluster cannot be used.
    MissingPackageError
        If Dask is not installed.
    """
    try:
        import dask.array
        from distributed import Client, KilledWorker
    except ImportError:
        raise MissingPackageError(MISSING) from None
    if ADDRESS.fullmatch(address) is None:
        raise ConnectionError(f"a cluster has an address like tcp://HOST:PORT, got {address!r}")
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except OSError as error:
        raise ConnectionError(f"no cluster answers at {address!r}: check the address") from error
    with client, client.as_current():
        try:
            client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
        except TimeoutError as error:
            raise ConnectionError(f"the cluster at {address!r} has no workers") from error
        chunk = _block_rows(points, sum(client.nthreads().values()))
        try:
            # The table itself is in the graph: it outlives every worker.
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
                array = dask.array.from_array(points, chunks=(chunk, -1))
                return curvature_of(
                    array, n_neighbors, mode=mode, search=search, seed=seed, progress=progress
                )
        except KilledWorker as error:
            raise ConnectionError(
                f"workers of the cluster at {address!r} died again and again: give them more memory"
            ) from error
        except (OSError, CancelledError) as error:
            raise ConnectionError(f"the cluster at {address!r} was lost") from error


def _block_rows(points: FloatArray, n_threads: int) -> int:
    """Rows of a block: several pairs of blocks for every thread, and no large block."""
    enough = math.ceil(math.sqrt(PAIRS_PER_THREAD * n_threads))
    n_blocks = max(enough, math.ceil(points.nbytes / BLOCK_BYTES))
    return math.ceil(len(points) / n_blocks)


SCORED_ELSEWHERE["dask"] = curvature_of
