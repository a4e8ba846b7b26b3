"""The lower half of an ARFF file: rows, dense or sparse, as numbers.

Every cell becomes one float: a number itself, a nominal value its position among the declared
ones, a string or date its position in a pool of texts. NaN is missing.
"""

import csv
import io
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mecuco_core.datasets.files.damage import shown
from mecuco_core.datasets.files.options import Findings, ReadOptions
from mecuco_core.datasets.files.table.numbers import EXACT
from mecuco_core.datasets.files.text.arff_header import FIELD, WORD, Attribute, unquoted
from mecuco_core.errors import DataError
from mecuco_core.types import FloatArray

_INDEX = re.compile(r"\s*([0-9]{1,9})\s+")
_WEIGHT = re.compile(r",\s*\{\s*[-+0-9.eE]+\s*\}\s*$")


class RowReader:
    """Turns lines of one ARFF file into blocks of numbers.

    Parameters
    ----------
    attributes : sequence of Attribute
    options : ReadOptions
        For its missing marks.

    Attributes
    ----------
    pools : list of dict
        For every string or date attribute, its distinct texts and their positions.
    """

    def __init__(
        self, attributes: Sequence[Attribute], options: ReadOptions, findings: Findings
    ) -> None:
        self._attributes = attributes
        self._missing = set(options.missing)
        self._findings = findings
        self._codes = [
            {value: position for position, value in enumerate(a.values)} for a in attributes
        ]
        self.pools: list[dict[str, int]] = [{} for _ in attributes]
        # What a sparse row means by leaving an attribute out; of texts nothing is known.
        self._defaults = np.array(
            [np.nan if a.kind in ("string", "date") else 0.0 for a in attributes]
        )

    def block(self, lines: Sequence[bytes], first_line: int) -> FloatArray:
        """Read lines; `first_line` is the number of the first of them.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes)
            Blank lines and comments make no rows.
        """
        plain = self._plain_block(lines)
        if plain is not None:
            return plain
        rows = [
            self._row(text, number)
            for number, line in enumerate(lines, start=first_line)
            if (text := line.decode("utf-8").strip()) and not text.startswith("%")
        ]
        return np.array(rows).reshape(len(rows), len(self._attributes))

    def _plain_block(self, lines: Sequence[bytes]) -> FloatArray | None:
        """Read lines without quotes, braces or comments at pandas' speed; None if there are any."""
        raw = b"\n".join(lines)
        n_rows = sum(1 for line in lines if line.strip())
        n_columns = len(self._attributes)
        if re.search(rb"""['"\\{%\t]""", raw) or raw.count(b",") != n_rows * (n_columns - 1):
            return None
        numeric = [a.kind in ("numeric", "integer") for a in self._attributes]
        try:
            table: pd.DataFrame = pd.read_csv(
                io.BytesIO(raw),
                header=None,
                names=range(n_columns),
                dtype={i: "float64" if is_number else "str" for i, is_number in enumerate(numeric)},
                na_values=["?"],
                keep_default_na=False,
                skipinitialspace=True,
                quoting=csv.QUOTE_NONE,
                index_col=False,
                encoding="utf-8",
                **EXACT,
            )
        except ValueError:
            return None  # the slow way names the line
        if len(table) != n_rows:
            return None
        if all(numeric):
            return table.to_numpy()
        values = np.empty((n_rows, n_columns))
        for position, is_number in enumerate(numeric):
            column = table[position]
            if is_number:
                values[:, position] = column
                continue
            coded = [self._text_code(t.strip(), position) if t == t else np.nan for t in column]
            if None in coded:
                return None
            values[:, position] = coded
        return values

    def _row(self, text: str, number: int) -> FloatArray:
        if text.startswith("{"):
            return self._sparse_row(text, number)
        if _WEIGHT.search(text):
            text = _WEIGHT.sub("", text)
            self._findings.note("The weights of rows in the ARFF file are left out.")
        n_columns = len(self._attributes)
        fields = _fields(text) if "," in text or n_columns == 1 else list(WORD.finditer(text))
        if len(fields) != n_columns:
            raise DataError(
                f"Line {number} has {len(fields)} values for {n_columns} declared attributes; "
                "correct that line."
            )
        return np.array([self._cell(m, p, number) for p, m in enumerate(fields)])

    def _sparse_row(self, text: str, number: int) -> FloatArray:
        values = self._defaults.copy()
        inner = _WEIGHT.sub("", text).strip()
        if not inner.endswith("}"):
            raise DataError(f"Line {number} opens a brace and does not close it.")
        inner = inner[1:-1].strip()
        start = 0
        while start < len(inner):
            index = _INDEX.match(inner, start)
            if index is None or int(index[1]) >= len(values):
                raise DataError(
                    f"Line {number} is not of the form {{index value, …}} with indices below "
                    f"{len(values)} at {shown(inner[start : start + 40])!r}."
                )
            cell = FIELD.match(inner, index.end())
            position = int(index[1])
            values[position] = self._cell(cell, position, number)
            start = cell.end() if cell else len(inner)
        return values

    def _cell(self, match: re.Match[str] | None, position: int, number: int) -> float:
        if match is None:
            raise DataError(f"Line {number} has no value behind its last index.")
        text = unquoted(match)
        bare = match[1] is None and match[2] is None
        attribute = self._attributes[position]
        if bare and (text == "?" or (text in self._missing and text not in self._codes[position])):
            return np.nan
        try:
            if attribute.kind in ("numeric", "integer"):
                return float(text.replace("_", "?"))  # Python would read 1_0 as 10
        except ValueError:
            raise DataError(
                f"Line {number} has {shown(text, 40)!r} for the {attribute.kind} attribute "
                f"{shown(attribute.name, 60)!r}; correct it, or write ? for a missing value."
            ) from None
        code = self._text_code(text, position)
        if code is None:
            raise DataError(
                f"Line {number} has {shown(text, 40)!r} for the nominal attribute "
                f"{shown(attribute.name, 60)!r}, which does not declare that value."
            )
        return code

    def _text_code(self, text: str, position: int) -> float | None:
        if self._attributes[position].kind == "nominal":
            code = self._codes[position].get(text)
            if code is None:
                return np.nan if text in self._missing else None
            return code
        pool = self.pools[position]
        return pool.setdefault(text, len(pool))


def _fields(text: str) -> list[re.Match[str]]:
    """Cut a dense row at its commas, but for those in quotes."""
    found = []
    position = 0
    while (match := FIELD.match(text, position)) is not None:
        found.append(match)
        position = match.end()
        if match[4] != ",":
            break
    return found
