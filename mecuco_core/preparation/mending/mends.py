"""Mends: small changes of a table that a person asks for, as values, as words, and both ways."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from mecuco_core.errors import DataError
from mecuco_core.preparation.mending.roles import ROLES

MendKind = Literal["missing", "numbers", "join", "first", "role", "cosine"]
MEND_KINDS: tuple[MendKind, ...] = get_args(MendKind)

FIRST = "keep the first of repeated rows"
COSINE = "compare rows by direction"
_NUMBERS, _JOIN = "read as numbers", "join spellings"
_MISSING = " is missing"
_OF_COLUMN = re.compile(
    rf"(?P<column>.+): ?(?:(?P<value>[^:]+?){_MISSING}|(?P<what>{_NUMBERS}|{_JOIN})"
    rf"|role (?P<role>{'|'.join(ROLES)}))",
    re.DOTALL,
)


@dataclass(frozen=True)
class Mend:
    """One change of a table before it becomes points.

    Parameters
    ----------
    kind : {"missing", "numbers", "join", "first", "role", "cosine"}
        "missing": `value` stands for a missing value in `column`. "numbers": percent and money
        texts of `column` are read as numbers. "join": texts of `column` that differ only by case
        or blanks are one. "first": of rows that are equal in every column the first is kept.
        "role": `column` is used as `value` says, a role. "cosine": rows are compared by direction.
    column : str
        Empty where the mend is of the whole table.
    value : str
        As it is written in the table, or a role; else empty.

    See Also
    --------
    Preparation : Holds mends, see `Preparation.with_mend`.
    suspicions : Finds what is to be mended.

    Examples
    --------
    >>> import mecuco as mc
    >>> mend = mc.datasets.Mend.parse("age: -999 is missing")
    >>> mend
    Mend(kind='missing', column='age', value='-999')
    >>> mend.words
    'age: -999 is missing'
    """

    kind: MendKind
    column: str = ""
    value: str = ""

    def __post_init__(self) -> None:
        for name in ("kind", "column", "value"):
            if not isinstance(getattr(self, name), str):
                raise DataError(f"{name} of a mend must be text, got {getattr(self, name)!r}")
        if self.kind not in MEND_KINDS:
            raise DataError(f"kind must be one of {', '.join(MEND_KINDS)}, got {self.kind!r}")
        object.__setattr__(self, "value", self.value.strip())
        needs = self.kind not in ("first", "cosine"), self.kind in ("missing", "role")
        if needs != (self.column != "", self.value != ""):
            raise DataError(
                f"a mend of kind {self.kind!r} {'needs a' if needs[0] else 'has no'} column and "
                f"{'needs a' if needs[1] else 'has no'} value, got {self.column!r}, {self.value!r}"
            )
        if self.kind == "role" and self.value not in ROLES:
            raise DataError(f"a role must be one of {', '.join(ROLES)}, got {self.value!r}")
        if self.kind == "missing" and ":" in self.value:
            raise DataError(f"a value that is missing cannot hold a colon, got {self.value!r}")

    @property
    def words(self) -> str:
        """The mend as one plain line, for links, commands and reports; see `parse`."""
        if self.kind == "first":
            return FIRST
        if self.kind == "cosine":
            return COSINE
        said = {
            "missing": f"{self.value}{_MISSING}",
            "numbers": _NUMBERS,
            "join": _JOIN,
            "role": f"role {self.value}",
        }[self.kind]
        return f"{self.column}: {said}"

    @property
    def title(self) -> str:
        """What a button that does it says."""
        return {
            "missing": f"Take {self.value} as missing",
            "numbers": "Read as numbers",
            "join": "Join the spellings",
            "first": "Keep the first of each",
            "role": "Leave out" if self.value == "leave out" else f"Use as {self.value}",
            "cosine": "Compare by direction (cosine)",
        }[self.kind]

    @classmethod
    def parse(cls, words: str) -> "Mend":
        """Return the mend that `words` describe.

        Raises
        ------
        DataError
            When they describe none.
        """
        if words.strip() in (FIRST, COSINE):
            return cls("first" if words.strip() == FIRST else "cosine")
        match = _OF_COLUMN.fullmatch(words.rstrip())
        if match is None:
            raise DataError(
                f"a mend is written 'COLUMN: VALUE{_MISSING}', 'COLUMN: {_NUMBERS}', "
                f"'COLUMN: {_JOIN}', 'COLUMN: role ROLE', '{FIRST}' or '{COSINE}', got {words!r}"
            )
        column = match["column"]
        if match["value"] is not None:
            return cls("missing", column, match["value"])
        if match["role"] is not None:
            return cls("role", column, match["role"])
        return cls("numbers" if match["what"] == _NUMBERS else "join", column)
