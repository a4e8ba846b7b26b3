"""Neighbour graphs on disk, known by the points they belong to; damaged ones are forgotten."""

import hashlib
import io
import json
import logging
import os
from contextlib import suppress
from pathlib import Path

import numpy as np

from mecuco_core.neighbors.graph import KnnGraph
from mecuco_core.runtime.files import remove_parts, too_many, write_whole
from mecuco_core.types import Metric

VERSION = 2
LARGEST = 2 * 2**30
"""Bytes a store may take; the graphs used longest ago go first."""

_log = logging.getLogger(__name__)


class GraphStore:
    """Graphs in a folder.

    Parameters
    ----------
    folder : Path
        Made when the first graph is kept.
    largest : int
        Bytes it may take.
    """

    def __init__(self, folder: Path, largest: int = LARGEST) -> None:
        self.folder, self.largest = folder, largest

    def load(
        self, fingerprint: str, n_neighbors: int, metric: Metric = "euclidean"
    ) -> KnnGraph | None:
        """Return a graph that was kept, or None; what is damaged is removed."""
        path = self._path(fingerprint, n_neighbors, metric)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            graph = _unpacked(content)
        except (ValueError, KeyError, OSError, EOFError):
            path.unlink(missing_ok=True)
            return None
        with suppress(OSError):  # a folder that may only be read serves all the same
            os.utime(path)  # used just now
        return graph

    def save(self, fingerprint: str, graph: KnnGraph) -> bool:
        """Keep a graph; return whether that was possible."""
        content = _packed(graph)
        if len(content) > self.largest:
            return False
        path = self._path(fingerprint, graph.n_neighbors, graph.metric)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(content, path)
            self._make_room(path)
        except OSError as error:  # the disk is full, or may not be written: it is only a copy
            _log.warning("a neighbour graph could not be kept: %s", error)
            return False
        return True

    def _path(self, fingerprint: str, n_neighbors: int, metric: Metric) -> Path:
        suffix = "" if metric == "euclidean" else f"-{metric}"
        return self.folder / f"{fingerprint}-{n_neighbors}{suffix}.graph"

    def _make_room(self, newest: Path) -> None:
        others = [path for path in self.folder.glob("*.graph") if path != newest]
        kept = [(path.stat().st_mtime_ns, path.stat().st_size, path) for path in others]
        for path in too_many(kept, self.largest - newest.stat().st_size):
            path.unlink(missing_ok=True)
        remove_parts(self.folder)


def _packed(graph: KnnGraph) -> bytes:
    """Return a line of JSON, with a checksum of what follows, and the two arrays."""
    arrays = io.BytesIO()
    np.save(arrays, graph.indices.astype(np.int32))
    np.save(arrays, graph.distances)
    body = arrays.getvalue()
    head = {
        "version": VERSION,
        "sha256": hashlib.sha256(body).hexdigest(),
        "method": graph.method,
        "seed": graph.seed,
        "recall": graph.recall,
        "metric": graph.metric,
    }
    return json.dumps(head).encode() + b"\n" + body


def _unpacked(content: bytes) -> KnnGraph:
    line, _, body = content.partition(b"\n")
    head = json.loads(line)
    if head["version"] != VERSION or head["sha256"] != hashlib.sha256(body).hexdigest():
        raise ValueError("of another version, or damaged")
    arrays = io.BytesIO(body)
    indices = np.load(arrays, allow_pickle=False).astype(np.int64)
    distances = np.load(arrays, allow_pickle=False)
    return KnnGraph(
        indices, distances, head["method"], head["seed"], head["recall"], head["metric"]
    )
