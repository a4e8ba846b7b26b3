"""Where the server and the cache are, and how long to wait: from the environment, or defaults."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from mecuco_core.errors import DataError

SERVER_VARIABLE = "MECUCO_OPENML_SERVER"
CACHE_VARIABLE = "MECUCO_CACHE_DIR"
DISK_VARIABLE = "MECUCO_DISK_MB"
TIMEOUT_VARIABLE = "MECUCO_OPENML_TIMEOUT"

PUBLIC_SERVER = "https://www.openml.org/api/v1/xml"
API_PATH = "/api/v1/xml"
DISK_MEGABYTES = 8192
PATIENCE = 8.0  # seconds; with the margin of `transport` every fault is reported within 15


@dataclass(frozen=True)
class Settings:
    """What one call needs to know about its surroundings."""

    server: str  # address of the XML API
    folder: Path  # of the cache
    disk: int  # bytes that stored datasets may take
    patience: float  # seconds without an answer

    @property
    def host(self) -> str:
        """Host of the server, with its port when it has one of its own."""
        return urlsplit(self.server).netloc

    @property
    def site(self) -> str:
        """Address of the server's web site."""
        return self.server.split("/api/")[0]


def current_settings() -> Settings:
    """Read the settings from the environment."""
    return Settings(_server(), cache_folder(), disk_bytes(), _patience())


def cache_folder() -> Path:
    """Return the folder for downloads: MECUCO_CACHE_DIR, or the platform's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "mecuco" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mecuco"
    shared = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification says that a relative path is to be ignored.
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".cache") / "mecuco"


def disk_bytes() -> int:
    """Return what stored datasets may take on disk: MECUCO_DISK_MB, or 8 GB."""
    given = os.environ.get(DISK_VARIABLE, "").strip() or str(DISK_MEGABYTES)
    if not given.isdecimal() or int(given) < 1:
        raise DataError(f"{DISK_VARIABLE} must be a whole number of at least 1, got {given!r}")
    return int(given) * 2**20


def _server() -> str:
    address = os.environ.get(SERVER_VARIABLE) or _configured_server() or PUBLIC_SERVER
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise DataError(
            f"{SERVER_VARIABLE} must be an address that starts with http:// or https://, "
            f"got {address!r}"
        )
    return address.rstrip("/") if parts.path.strip("/") else address.rstrip("/") + API_PATH


def _configured_server() -> str | None:
    """Return the server the person's `openml` package is set to, where there is one."""
    try:
        import openml
    except (ImportError, OSError):  # not installed, or it may not make its folders
        return None
    return str(openml.config.server)


def _patience() -> float:
    given = os.environ.get(TIMEOUT_VARIABLE)
    if not given:
        return PATIENCE
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise DataError(f"{TIMEOUT_VARIABLE} must be a number of seconds above 0, got {given!r}")
    return seconds
