"""Results kept in memory, for all visitors, within a number of bytes; knows no Streamlit."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd

LEAST = 8
"""Results kept whatever their size: fewer, and one view would never have all it shows."""


class Cache:
    """The results used last. They are shared: nobody may change them.

    Parameters
    ----------
    most_bytes : int
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> Any:
        """Return the result of a key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: Hashable, value: Any) -> None:
        """Keep a result; those not used for longest give way."""
        size = n_bytes(value)
        with self._lock:
            self._drop(key)
            self._kept[key] = (value, size)
            self.n_bytes += size
            while self.n_bytes > self.most_bytes and len(self._kept) > LEAST:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.n_bytes = 0

    def _drop(self, key: Hashable) -> None:
        _, size = self._kept.pop(key, (None, 0))
        self.n_bytes -= size


def n_bytes(value: Any) -> int:
    """Return about how much memory a value takes."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, pd.DataFrame | pd.Series | pd.Index):
        return int(np.sum(value.memory_usage(deep=True)))
    if is_dataclass(value) and not isinstance(value, type):
        return sum(n_bytes(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, Mapping):
        return sum(n_bytes(key) + n_bytes(one) for key, one in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return sum(map(n_bytes, value))
    return sys.getsizeof(value)
