"""Compiled code on disk that belongs to other sources is thrown away.

numba looks only at the file a function stands in. A kernel whose helper or constant changed in
another file would be loaded as it was, and give the numbers of the former version.
"""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent
MARK = "mecuco-sources.sha256"


def sources_digest() -> str:
    """Return a digest of every file that compiled code may come from."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def forget_stale(cache: Path) -> None:
    """Remove the indexes of our compiled functions from a cache folder made by other sources."""
    mark, digest = cache / MARK, sources_digest()
    # Into a folder that cannot be written numba has put nothing, and will put nothing.
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        if mark.exists() and mark.read_text("ascii") == digest:
            return
        for path in SOURCES.glob("*.py"):
            for index in cache.glob(f"{path.stem}.*.nbi"):
                index.unlink(missing_ok=True)
        mark.write_text(digest, "ascii")


def forget_stale_beside(kernel: Any) -> None:
    """Do so where numba keeps a kernel; all of ours are kept in one folder."""
    forget_stale(Path(kernel.stats.cache_path))
