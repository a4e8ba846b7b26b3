"""What a suspicion is: a fault that a table seems to have, in one sentence, with its mend."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from mecuco_core.preparation.mending.mends import Mend

SuspicionKind = Literal[
    "sentinel",
    "percent",
    "money",
    "nearly constant",
    "identifier",
    "code",
    "spelling",
    "far",
    "repeated rows",
    "unit length",
]
SUSPICION_KINDS: tuple[SuspicionKind, ...] = get_args(SuspicionKind)

MOST_ROWS = 100  # that a suspicion names


@dataclass(frozen=True)
class Suspicion:
    """Something in a table that would mislead, with what can be done about it.

    Parameters
    ----------
    kind : str
        "sentinel", "percent", "money", "nearly constant", "identifier", "code", "spelling", "far",
        "repeated rows" or "unit length".
    column : str
        Empty where it is about rows, or about many columns at once.
    sentence : str
        What was found, in plain words and with counts.
    n_values : int
        Values or rows concerned.
    rows : tuple of int
        Positions in the table of the first 100 of them, ascending; may be empty.
    identifiers : tuple of str
        What the table calls these rows; empty where no column names them.
    mend : Mend or None
        What mends it, for `Preparation.with_mend`; None where a person has to decide.

    See Also
    --------
    suspicions : Finds them.

    Examples
    --------
    >>> import mecuco as mc
    >>> import pandas as pd
    >>> ages = [31.0, 45, -999, 52, 28, -999, 39, 61, 33, 47]
    >>> found = mc.datasets.suspicions(mc.datasets.Dataset("people", pd.DataFrame({"age": ages})))
    >>> print(found[0].sentence)
    'age' is -999 in 2 rows, far below the rest (28 to 61): it seems to mean a missing value.
    >>> found[0].mend.words
    'age: -999 is missing'
    """

    kind: SuspicionKind
    column: str
    sentence: str
    n_values: int
    rows: tuple[int, ...] = ()
    identifiers: tuple[str, ...] = ()
    mend: Mend | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return every fact as plain numbers, texts and lists, with the mend in words."""
        return {
            **asdict(self),
            "rows": list(self.rows),
            "identifiers": list(self.identifiers),
            "mend": None if self.mend is None else self.mend.words,
        }
