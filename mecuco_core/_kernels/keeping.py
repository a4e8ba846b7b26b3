"""Where numba keeps what it compiles: there must be some place, or it refuses to work at all."""

import functools
import logging
import os
import tempfile
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache

_log = logging.getLogger(__name__)


def ensure_place() -> None:
    """Give numba a folder of its own where neither the package nor the home can be written.

    Compiled code then lives as long as the folder for temporary files, and is found by processes
    this one starts. NUMBA_CACHE_DIR names a better place.
    """
    try:
        FunctionCache(ensure_place)  # type: ignore[no-untyped-call]
    except RuntimeError:
        place = tempfile.mkdtemp(prefix="mecuco-compiled-")
        os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = place  # type: ignore[attr-defined]
        _log.warning("compiled code is kept in %s: set NUMBA_CACHE_DIR to keep it longer", place)


def forgive_disk() -> None:
    """Let a full disk or a damaged file cost the copy of compiled code, not the computation.

    numba raises what the disk says out of the compiled function. This holds for all that numba
    keeps in this process: a computation calls functions of several packages.
    """
    save, load = FunctionCache.save_overload, FunctionCache.load_overload
    if hasattr(save, "__wrapped__"):
        return

    @functools.wraps(save)
    def save_or_go_on(cache: Any, *arguments: Any) -> None:
        try:
            save(cache, *arguments)  # type: ignore[no-untyped-call]
        except OSError as error:
            _log.warning("compiled code could not be kept: %s", error)

    @functools.wraps(load)
    def load_or_compile(cache: Any, *arguments: Any) -> Any:
        try:
            return load(cache, *arguments)  # type: ignore[no-untyped-call]
        except Exception as error:  # whatever is in a damaged file
            _log.warning("compiled code on disk is damaged, and compiled anew: %s", error)
            with suppress(OSError):
                cache.flush()
            return None

    FunctionCache.save_overload = save_or_go_on  # type: ignore[method-assign]
    FunctionCache.load_overload = load_or_compile  # type: ignore[method-assign]
