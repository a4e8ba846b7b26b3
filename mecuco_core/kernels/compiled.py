"""Kernels compiled by numba and kept on disk, so that the next process has them at once.

numba's own cache looks only at the file a function stands in: a kernel whose helper or constant
changed in another file would be loaded as it was, and give the numbers of the former version. And
it raises what the disk says out of the computation. So kernels have a cache of their own: it
belongs to all sources of this folder together, and a full disk or a damaged file costs no more
than compiling again.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

SOURCES = Path(__file__).parent

_log = logging.getLogger(__name__)


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function as `numba.njit(**options)` does; it releases the interpreter lock."""

    def compile_it(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(nogil=True, **options)(function)
        dispatcher._cache = KernelCache(function)  # what `cache=True` does, with a cache of numba's
        return dispatcher

    return compile_it


class KernelCache(FunctionCache):
    """Compiled code of one kernel on disk."""

    def __init__(self, function: Callable[..., Any]) -> None:
        _ensure_place()
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=sources_digest(),
        )

    def save_overload(self, *arguments: Any) -> None:
        """Keep compiled code, if the disk lets us."""
        try:
            super().save_overload(*arguments)
        except OSError as error:
            _log.warning("compiled code could not be kept: %s", error)

    def load_overload(self, *arguments: Any) -> Any:
        """Return compiled code, or None where there is none or it is damaged."""
        try:
            return super().load_overload(*arguments)
        except Exception as error:  # whatever is in a damaged file
            _log.warning("compiled code on disk is damaged, and compiled anew: %s", error)
            with suppress(OSError):
                self.flush()
            return None


@cache
def sources_digest() -> str:
    """Return a digest of every file that compiled code may come from."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _ensure_place() -> None:
    """Give numba a folder of its own where neither the package nor the home can be written.

    Compiled code then lives as long as the folder for temporary files, and is found by processes
    this one starts. NUMBA_CACHE_DIR names a better place.
    """
    try:
        FunctionCache(_ensure_place.__wrapped__)
    except RuntimeError:
        place = tempfile.mkdtemp(prefix="mecuco-compiled-")
        os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = place  # type: ignore[attr-defined]
        _log.warning("compiled code is kept in %s: set NUMBA_CACHE_DIR to keep it longer", place)
