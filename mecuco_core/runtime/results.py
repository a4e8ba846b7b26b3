"""What every result has in common: its arrays cannot be written to."""

from typing import Any

import numpy as np


class ReadOnly:
    """A frozen dataclass whose arrays are read-only, after pickling too."""

    def __post_init__(self) -> None:
        _lock(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        _lock(self)


def _lock(result: Any) -> None:
    """Put read-only views in place of the arrays: those of the caller stay as they are."""
    for name, value in vars(result).items():
        if isinstance(value, np.ndarray):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(result, name, view)
