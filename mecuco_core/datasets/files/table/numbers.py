"""Decimal marks and thousands separators: found from a sample, applied to columns of text."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.cells import (
    CONVENTIONS,
    Convention,
    is_number,
    kind_of,
    number_pattern,
)

# Later versions of pandas round every number right without being asked, and warn when asked.
EXACT: dict[str, Any] = (
    {}
    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
    else {"float_precision": "round_trip"}
)
# A number such as 1.234 or 1,234 reads both ways; each convention with its rival.
_RIVALS: dict[Convention, Convention] = {
    (".", ""): (",", "."),
    (",", ""): (".", ","),
}


def find_convention(
    columns: Sequence[Sequence[str]], options: ReadOptions, findings: Findings
) -> Convention:
    """Choose the decimal mark and thousands separator that make most columns numbers.

    Parameters
    ----------
    columns : sequence of columns of text
        A sample, without the header.
    options : ReadOptions
        Its decimal and thousands are kept where they are not None. A comma that could be both is
        a separator of thousands in a file delimited by commas, and else a decimal mark.
    """
    decimal, thousands = options.decimal, options.thousands
    allowed = [
        convention
        for convention in CONVENTIONS
        if decimal in (None, convention[0]) and thousands in (None, convention[1])
    ]
    samples = [[c.strip() for c in column if kind_of(c) != "missing"] for column in columns]
    explained = {
        convention: [
            position
            for position, sample in enumerate(samples)
            if any(not c.lstrip("+-").isdigit() for c in sample)
            and all(is_number(c, convention) for c in sample)
        ]
        for convention in allowed
    }
    most = max((len(found) for found in explained.values()), default=0)
    if most == 0:
        return decimal or ("," if thousands == "." else "."), thousands or ""
    winners = [convention for convention in allowed if len(explained[convention]) == most]
    # The order of CONVENTIONS puts those with the fewest marks first.
    chosen = winners[0]
    rival = _RIVALS.get(chosen)
    cells = (c for position in explained[chosen] for c in samples[position])
    example = next((c for c in cells if chosen[0] in c), None)
    if rival in winners and rival is not None and example is not None:
        if options.delimiter == "," and rival[1] == ",":
            chosen = rival
        findings.note(
            f"Whether {shown(example)!r} is a fraction or has a mark between thousands is not "
            f"certain; it was taken as {_value(example, chosen):g}. "
            "Correct the decimal mark if that is wrong."
        )
    _note_others(chosen, explained, findings)
    return chosen


def as_numbers(column: pd.Series, decimal: str, thousands: str) -> pd.Series | None:
    """Return a column of text as numbers, or None unless every value of it is one.

    Parameters
    ----------
    column : Series of str of shape (n_rows,)
    decimal, thousands : str
    """
    pattern = number_pattern(decimal, thousands)
    present = column.notna().to_numpy()
    if not present.any() or not all(pattern.fullmatch(cell.strip()) for cell in column[present]):
        return None
    cells = [cell.strip() for cell in column[present]]
    plain = [cell.replace(thousands, "").replace(decimal, ".") for cell in cells]
    if present.all() and all(len(c) < 19 and c.lstrip("+-").isdigit() for c in plain):
        return pd.Series(np.array([int(c) for c in plain], dtype=np.int64), column.index)
    values = np.full(len(column), np.nan)
    values[present] = [float(c) for c in plain]
    return pd.Series(values, column.index)


def _value(cell: str, convention: Convention) -> float:
    decimal, thousands = convention
    return float((cell.replace(thousands, "") if thousands else cell).replace(decimal, "."))


def _note_others(
    chosen: Convention, explained: dict[Convention, list[int]], findings: Findings
) -> None:
    """Say which columns would be numbers in another convention than the chosen one."""
    others = {p for found in explained.values() for p in found} - set(explained[chosen])
    if others:
        findings.note(
            f"{len(others)} column{'s write' if len(others) > 1 else ' writes'} numbers with other "
            "marks than the rest; what decimal and thousands do not fit stays text."
        )
