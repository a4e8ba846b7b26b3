"""A folder that holds what is finished of a long run, so that it can go on after any end."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mecuco_core.errors import DataError
from mecuco_core.runtime.files import write_whole

VERSION = 2
MARK = "mecuco score_rows"


class WorkFolder:
    """Arrays and marks of one run; of another run it is emptied first.

    Parameters
    ----------
    path : Path
    key : object
        Everything the results depend on, as JSON.
    """

    def __init__(self, path: Path, key: Any) -> None:
        self.path = path
        manifest = json.dumps([MARK, VERSION, key], sort_keys=True)
        told = path / "run.json"
        if path.exists() and any(path.iterdir()):
            found = told.read_text("utf-8", errors="replace") if told.is_file() else ""
            if not found.startswith(json.dumps([MARK])[:-1]):  # never empty what is not ours
                raise DataError(f"{str(path)!r} is not a work folder of ours: give another one")
            if found != manifest:
                shutil.rmtree(path)
        path.mkdir(parents=True, exist_ok=True)
        write_whole(manifest.encode(), told)

    def done(self, stage: str) -> Any:
        """Return what was noted when a stage was finished, or None."""
        note = self.path / f"{stage}.json"
        if not note.is_file():
            return None
        try:
            return json.loads(note.read_text("utf-8"))
        except ValueError:  # damaged: the stage is done again
            return None

    def finish(self, stage: str, note: Any) -> None:
        """Note that a stage is finished; its arrays are on disk first."""
        write_whole(json.dumps(note).encode(), self.path / f"{stage}.json")

    def new_array(
        self, name: str, shape: tuple[int, ...], dtype: npt.DTypeLike
    ) -> "np.memmap[Any, Any]":
        """Return an array on disk to be filled."""
        return np.lib.format.open_memmap(
            self.path / f"{name}.npy", mode="w+", dtype=np.dtype(dtype), shape=shape
        )

    def array(self, name: str) -> "npt.NDArray[Any]":
        """Return an array that was filled, read-only."""
        stored: npt.NDArray[Any] = np.load(self.path / f"{name}.npy", mmap_mode="r")
        return stored

    def remove(self) -> None:
        """Remove the folder: the run is over."""
        shutil.rmtree(self.path)
