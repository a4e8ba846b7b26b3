"""What made a set of results: versions, machine, date and command."""

import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from threadpoolctl import threadpool_info

from mecuco_core import __version__
from mecuco_core.reproduction.protocol import Settings

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")


def about_this_run(command: str, source: str, settings: Settings) -> dict[str, Any]:
    """Return what a reader needs to judge and repeat the results.

    Parameters
    ----------
    command : str
        Without paths of this machine.
    source : str
        Where the data came from, in a word.
    settings : Settings
    """
    blas = sorted(
        {
            f"{library['internal_api']} {library.get('version') or ''}".strip()
            for library in threadpool_info()
            if library["user_api"] == "blas"
        }
    )
    return {
        "command": command,
        "source": source,
        "date": datetime.now(UTC).date().isoformat(),
        "mecuco": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "blas": ", ".join(blas),
        "platform": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "settings": {name: _shown(value) for name, value in asdict(settings).items()},
    }


def _shown(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
