"""A folder with the finished stages of a long run, so that it can be resumed."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mecuco_core.errors import DataError
from mecuco_core.runtime.files import write_whole

VERSION = 2
OURS = "mecuco score_rows"


class WorkFolder:
    """The arrays and finished stages of one run; emptied first if they are of another run.

    Parameters
    ----------
    path : Path
    key : object
        Everything the results depend on, as JSON.
    """

    def __init__(self, path: Path, key: Any) -> None:
        self.path = path
        manifest = json.dumps([OURS, VERSION, key], sort_keys=True)
        manifest_file = path / "run.json"
        if path.exists() and any(path.iterdir()):
            found = (
                manifest_file.read_text("utf-8", errors="replace")
                if manifest_file.is_file()
                else ""
            )
            if not found.startswith(json.dumps([OURS])[:-1]):  # never empty what is not ours
                raise DataError(f"{str(path)!r} is not a work folder of ours: give another one")
            if found != manifest:
                shutil.rmtree(path)
        path.mkdir(parents=True, exist_ok=True)
        write_whole(manifest.encode(), manifest_file)

    def done(self, stage: str) -> Any:
        """Return the note of a finished stage, None for an unfinished one."""
        note = self.path / f"{stage}.json"
        if not note.is_file():
            return None
        try:
            return json.loads(note.read_text("utf-8"))
        except ValueError:  # damaged: the stage is done again
            return None

    def finish(self, stage: str, note: Any) -> None:
        """Note that a stage is finished; call it once its arrays are on disk."""
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
