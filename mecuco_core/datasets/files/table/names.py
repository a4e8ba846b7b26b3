"""Names of columns: every one a text of its own, printable, and of a length that can be shown."""

from collections.abc import Iterable, Sequence

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings

_LONGEST = 120  # characters


def unnamed(position: int) -> str:
    """Name of a column that has none; positions count from 0."""
    return f"column_{position + 1}"


def unique_names(raw: Iterable[object], findings: Findings) -> list[str]:
    """Return names fit for columns, in order, and note what was changed about which.

    Empty names become `column_<position>`, long ones are cut, and of equal ones the second and
    later get a number.
    """
    given = ["" if name is None else str(name) for name in raw]
    cut = [shown(name, _LONGEST) if _needs_care(name) else name.strip() for name in given]
    named = [name or unnamed(position) for position, name in enumerate(cut)]
    _note(findings, "empty", "numbered by position", [i for i, name in enumerate(cut) if not name])
    long = [i for i, name in enumerate(given) if len(name) > _LONGEST]
    _note(findings, f"longer than {_LONGEST} characters", "shortened", long)

    taken = set(named)
    seen: set[str] = set()
    repeats: list[int] = []
    counters: dict[str, int] = {}
    for i, name in enumerate(named):
        if name in seen:
            repeats.append(i)
            number = counters.get(name, 2)
            while (fresh := f"{name}_{number}") in taken:
                number += 1
            counters[name] = number + 1
            taken.add(fresh)
            named[i] = fresh
        seen.add(named[i])
    _note(findings, "given to more than one column", "numbered", repeats)
    return named


def _needs_care(name: str) -> bool:
    return len(name) > _LONGEST or not name.isprintable()


def _note(findings: Findings, what: str, done: str, positions: Sequence[int]) -> None:
    if positions:
        n = len(positions)
        where = ", ".join(str(p + 1) for p in positions[:5]) + (", …" if n > 5 else "")
        findings.note(
            f"{n} column name{'s are' if n > 1 else ' is'} {what} and "
            f"{'were' if n > 1 else 'was'} {done} (position {where})."
        )
