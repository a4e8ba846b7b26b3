"""What is suspicious in a column of numbers or dates: sentinels, far values, names of things."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mecuco_core.preparation.findings.profiles import Profile
from mecuco_core.types import FloatArray

_NINES = tuple(
    float(sign + digits)
    for sign in ("-", "")
    for digits in ("99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999",
                   "99.9", "99.99", "999.9", "999.99", "9999.9", "9999.99")
)  # fmt: skip
SENTINELS = np.array([-1.0, *_NINES])
SENTINEL_DAYS = {
    (pd.Timestamp(text) - pd.Timestamp("1970-01-01")).days: text
    for text in ("1899-12-30", "1899-12-31", "1900-01-01", "1901-01-01", "1970-01-01", "2099-12-31")
} | {-719162: "0001-01-01", 2932896: "9999-12-31"}

_MIN_VALUES = 8
_MIN_DISTINCT = 5  # values beside a sentinel


@dataclass(frozen=True)
class Odd:
    """A value at one end of a column, and how often it occurs."""

    value: float
    count: int
    low: float
    high: float

    @property
    def is_below(self) -> bool:
        """Whether it is below the others, which are from `low` to `high`."""
        return self.value < self.low


def number_sentinels(profile: Profile) -> Iterator[Odd]:
    """Yield the numbers of a column that seem to mean a missing value."""
    values = profile.values
    if len(values) < _MIN_VALUES:
        return
    left = np.searchsorted(values, SENTINELS, side="left")
    right = np.searchsorted(values, SENTINELS, side="right")
    if not (right > left).any():
        return
    is_other = np.ones(len(values), dtype=bool)
    for start, stop in zip(left.tolist(), right.tolist(), strict=True):
        is_other[start:stop] = False
    others = values[is_other]
    for place in np.flatnonzero(right > left).tolist():
        value, count = float(SENTINELS[place]), int(right[place] - left[place])
        rest = others if value != -1.0 else values[values != -1.0]
        if value == -1.0:
            if _is_minus_one(rest, count, len(values)):
                yield Odd(value, count, float(rest[0]), float(rest[-1]))
        elif _is_far_outside(rest, value, count):
            yield Odd(value, count, float(rest[0]), float(rest[-1]))


def date_sentinels(profile: Profile) -> Iterator[tuple[str, Odd]]:
    """Yield the dates of a column, in days, that seem to mean a missing one."""
    values = profile.values
    days = np.floor(values)
    is_other = ~np.isin(days, list(SENTINEL_DAYS))
    others = values[is_other]
    if len(others) < _MIN_DISTINCT or len(others) == len(values):
        return
    for day, text in SENTINEL_DAYS.items():
        count = int((days == float(day)).sum())
        outside = day < others[0] or day > others[-1]
        often = count >= 3 and count > 5 * len(others) / max(1, len(np.unique(others)))
        if count and outside and (often or _is_far_outside(others, float(day), 2)):
            yield text, Odd(float(day), count, float(others[0]), float(others[-1]))


def far_values(values: FloatArray) -> Odd | None:
    """Return the far end of ascending values: few of them, further off than all else is wide.

    The value is the one nearest to the others; at most 1 % of the values, and 10, are few.
    """
    for count in range(1, min(10, len(values) // 100) + 1):
        for end, rest in ((values[count - 1], values[count:]), (values[-count], values[:-count])):
            gap = max(rest[0] - end, end - rest[-1])
            if gap > rest[-1] - rest[0] and _n_distinct(rest) >= 2 * _MIN_DISTINCT:
                return Odd(float(end), count, float(rest[0]), float(rest[-1]))
    return None


def _is_minus_one(rest: FloatArray, count: int, n_values: int) -> bool:
    """Whether -1 stands alone below values that are never negative."""
    if count < 2 or len(rest) < _MIN_VALUES or rest[0] < 0.0:
        return False
    return _n_distinct(rest) > _MIN_DISTINCT and count >= 0.002 * n_values


def _is_far_outside(rest: FloatArray, value: float, count: int) -> bool:
    """Whether a value is well outside of the others."""
    if len(rest) < _MIN_DISTINCT or _n_distinct(rest) < _MIN_DISTINCT:
        return False
    gap = max(rest[0] - value, value - rest[-1])
    lower, upper = np.quantile(rest, [0.05, 0.95])
    wide = 0.5 * (upper - lower) if count > 1 else rest[-1] - rest[0]
    return bool(gap > 0.0 and gap >= wide)


def _n_distinct(values: FloatArray) -> int:
    """Return the distinct ones of ascending values."""
    return int((values[1:] != values[:-1]).sum()) + 1 if len(values) else 0
