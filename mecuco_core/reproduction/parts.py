"""One finished dataset, one file: what makes a reproduction resumable."""

import hashlib
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mecuco_core import __version__
from mecuco_core.reproduction.protocol import Settings
from mecuco_core.reproduction.sources import letters
from mecuco_core.runtime.writing import write_text

FORMAT = 1
"""To be raised when parts hold other things, so that older ones are made anew."""


def part_key(dataset: str, digest: str, settings: Settings) -> str:
    """Return what must be equal for a finished part to be used again."""
    decisive = [FORMAT, __version__, dataset, digest, asdict(settings)]
    return hashlib.sha256(json.dumps(decisive).encode()).hexdigest()


def read_part(folder: Path, dataset: str, key: str) -> dict[str, Any] | None:
    """Return a finished part with this key, None where there is none."""
    try:
        part = json.loads(_path(folder, dataset, key).read_text("utf-8"))
    except (FileNotFoundError, ValueError):  # a damaged part is made anew
        return None
    return part if isinstance(part, dict) and part.get("key") == key else None


def write_part(folder: Path, dataset: str, key: str, measured: dict[str, Any]) -> dict[str, Any]:
    """Write a part, whole or not at all, and return it as it will be read."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_plain({"key": key, "dataset": dataset} | measured), indent=1)
    write_text(text + "\n", _path(folder, dataset, key))
    part: dict[str, Any] = json.loads(text)
    return part


def _path(folder: Path, dataset: str, key: str) -> Path:
    return folder / f"{letters(dataset)}-{key[:12]}.json"


def _plain(value: Any) -> Any:
    """Return the same with None for what JSON has no number for."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
