"""What visitors may take of this machine; settings in the environment change it."""

import os
from dataclasses import dataclass, field

from mecuco_core.datasets.openml.settings import disk_bytes

_MEGABYTE = 2**20


def _physical_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not every system tells
        return 8 * 2**30


def _eighth_of_memory() -> int:
    return min(2048, max(256, _physical_bytes() // 8 // _MEGABYTE))


def _processors() -> int:
    return os.cpu_count() or 1


def _setting(name: str, default: int) -> int:
    """Return a whole number of at least 1 from the environment.

    Raises
    ------
    ValueError
        When it is something else: a limit that is silently not kept is worse than no start.
    """
    given = os.environ.get(name, "").strip()
    if not given:
        return default
    if not given.isdecimal() or int(given) < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {given!r}")
    return int(given)


@dataclass(frozen=True)
class Limits:
    """Limits of one server.

    Attributes
    ----------
    jobs : int
        Long computations at once, of all visitors; the others wait. MECUCO_JOBS.
    job_megabytes : int
        Memory of one of them, and at the most of reading a file. MECUCO_JOB_MB.
    upload_megabytes : int
        Size of a file. MECUCO_UPLOAD_MB.
    file_seconds : int
        For looking at a file or reading it, and one more for each megabyte. MECUCO_FILE_SECONDS.
    million_cells : int
        Rows times columns of a table, in millions. MECUCO_MILLION_CELLS.
    cache_megabytes : int
        Results kept in memory, of all visitors. MECUCO_CACHE_MB.
    keep_megabytes : int
        Datasets of visits, of all visitors; those on a screen excepted. MECUCO_KEEP_MB.
    keep_minutes : int
        How long a visit is kept after its last tab was closed. MECUCO_KEEP_MINUTES.
    disk_bytes : int
        What datasets of OpenML may take on disk, and four times what graphs may. MECUCO_DISK_MB.
    """

    jobs: int = field(default_factory=lambda: _setting("MECUCO_JOBS", max(2, _processors() // 2)))
    job_megabytes: int = field(
        default_factory=lambda: _setting(
            "MECUCO_JOB_MB", max(1024, _physical_bytes() // 3 // _MEGABYTE)
        )
    )
    upload_megabytes: int = field(default_factory=lambda: _setting("MECUCO_UPLOAD_MB", 500))
    file_seconds: int = field(default_factory=lambda: _setting("MECUCO_FILE_SECONDS", 30))
    million_cells: int = field(default_factory=lambda: _setting("MECUCO_MILLION_CELLS", 100))
    cache_megabytes: int = field(
        default_factory=lambda: _setting("MECUCO_CACHE_MB", _eighth_of_memory())
    )
    keep_megabytes: int = field(
        default_factory=lambda: _setting("MECUCO_KEEP_MB", _eighth_of_memory())
    )
    keep_minutes: int = field(default_factory=lambda: _setting("MECUCO_KEEP_MINUTES", 240))
    disk_bytes: int = field(default_factory=disk_bytes)

    @property
    def job_bytes(self) -> int:
        """Memory of one long computation, and of reading a file."""
        return self.job_megabytes * _MEGABYTE

    @property
    def cache_bytes(self) -> int:
        """Results kept in memory."""
        return self.cache_megabytes * _MEGABYTE

    @property
    def keep_bytes(self) -> int:
        """Datasets of visits kept in memory."""
        return self.keep_megabytes * _MEGABYTE


LIMITS = Limits()
"""Those of this server, read once when it starts."""
