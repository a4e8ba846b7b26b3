"""Whether the first row of a sample holds names or values."""

from collections.abc import Sequence

from mecuco_core.datasets.files.options import Findings
from mecuco_core.datasets.files.table.cells import kind_of

_MAX_COLUMNS = 2000  # enough to decide


def find_header(rows: Sequence[Sequence[object]], where: str, findings: Findings) -> bool:
    """Decide whether the first row is a header, and note it where the values do not show it.

    Parameters
    ----------
    rows : sequence of rows
        A sample from the top of the table, cells as text or values.
    where : str
        What to call the first row in a note, e.g. "line 1".
    """
    first, rest = [list(row[:_MAX_COLUMNS]) for row in rows[:1]], rows[1:]
    if not first:
        return True
    names = first[0]
    if not rest:
        return not any(kind_of(cell) == "number" for cell in names)
    votes = [_vote(name, [row[i] for row in rest if i < len(row)]) for i, name in enumerate(names)]
    if _counts_up(names) and not any(_counts_up(row) for row in rest):
        findings.note(
            f"The numbers in {where} count up by one, and were taken as the names of the columns; "
            "correct the header if they are values."
        )
        return True
    if any(vote < 0 for vote in votes):
        if any(vote > 0 for vote in votes):
            findings.note(
                f"{where.capitalize()} looks like names in some columns and like values in others; "
                f"it was taken as {'names' if sum(votes) > 0 else 'values'}. Correct the header if "
                "not."
            )
        return sum(votes) > 0
    if any(vote > 0 for vote in votes):
        return True
    labels = [str(name).strip() for name in names]
    named = len(set(labels)) == len(labels) and not any(kind_of(n) == "missing" for n in names)
    findings.note(
        f"Whether {where} is a header is not certain; it was taken as "
        f"{'one' if named else 'a row of the table'}. Correct the header if not."
    )
    return named


def _vote(name: object, values: Sequence[object]) -> int:
    """Positive when `name` does not belong to `values`, negative when it does, 0 when open."""
    kinds = {kind_of(value) for value in values} - {"missing"}
    if len(kinds) != 1:
        return 0
    kind, own = kinds.pop(), kind_of(name)
    if kind == "text":
        # A category that comes back below says less than a type; words that do not come
        # back are none.
        return -1 if own == "text" and name in values else 0
    if own == "missing":
        return 0
    return -2 if own == kind else 2


def _counts_up(row: Sequence[object]) -> bool:
    """Whether all numbers of a row, three at least, count columns or years."""
    numbers = [str(cell).strip() for cell in row if kind_of(cell) == "number"]
    if len(numbers) < 3 or not all(n.isdecimal() and len(n) < 10 for n in numbers):
        return False
    values = [int(n) for n in numbers]
    begins = values[0] in (0, 1) or 1900 <= values[0] <= 2100
    return begins and values == list(range(values[0], values[0] + len(values)))
