"""What each column of a table is: a number, a category, a date, an identifier or free text.

Nothing is converted here; `encoding` does that, the way the `reading` of a column says.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from mecuco_core.runtime.wording import counted, quoted
from mecuco_core.types import FloatArray

Kind = Literal[
    "number", "boolean", "category", "date", "duration", "text", "identifier", "complex", "other"
]
Reading = Literal[
    "plain", "nullable", "parsed", "codes", "labels", "dates", "durations", "empty", "none"
]
ObjectArray = npt.NDArray[np.object_]

FEW = 20  # distinct texts that are categories in any table
MANY = 1000  # distinct texts that are not in any
WORDS_SHARE = 0.1  # of words that a column of numbers may hold

_ID_NAME = re.compile(r"(.*[^a-z])?(id|uid|uuid|guid)|.*[a-z]I[Dd]", re.DOTALL)
_COUNTER_NAME = re.compile(
    r"|index|idx|no|nr|num|number|level ?0|obs|observation|unnamed ?\d+"
    r"|row ?(index|no|nr|num|number)?|column 1"  # what a first column without a name is called
)
_DATE = re.compile(
    r"(?P<year>\d{4}[-/.])?\d{1,2}(?P<mark>[-/.])\d{1,2}(?:(?P=mark)(?P<end>\d{4}|\d{2}))?"
    r"(?P<time>[ T]\d{1,2}:\d{2}(?P<seconds>:\d{2})?.*)?"
)
_DATE_NOTE = "dates, as days since 1970-01-01"
_DURATION_NOTE = "durations, in days"
_COMPLEX_REASON = "complex numbers: give real and imaginary part in two columns"


@dataclass(frozen=True)
class Column:
    """One column and what was recognised in it.

    Parameters
    ----------
    position : int
    name : str
    kind : {"number", "boolean", "category", "date", "duration", "text", "identifier", \
"complex", "other"}
    reading : str
        How its values become numbers: "plain" and "nullable" as they are, "parsed" from text or
        objects, "codes" of a pandas category, "labels" by lexical order, "dates" and "durations"
        in days, "empty" when every value is missing, "none" when they cannot.
    reason : str
        Why it is left out unless asked for; empty when it is used.
    note : str
        What a person should know about how it is read; empty when there is nothing to say.
    date_format : str or None
        Of dates written as text.
    n_categories : int
        How many codes there are, 0 where the values are not coded.
    """

    position: int
    name: str
    kind: Kind
    reading: Reading
    reason: str = ""
    note: str = ""
    date_format: str | None = None
    n_categories: int = 0

    @property
    def is_coded(self) -> bool:
        """Whether its numbers are codes of categories."""
        return self.reading in ("codes", "labels")


def recognise(table: pd.DataFrame) -> list[Column]:
    """Return what each column of `table` of shape (n_rows, n_columns) is, in order."""
    return [
        recognise_column(series, position, str(name))
        for position, (name, series) in enumerate(table.items())
    ]


def recognise_column(series: "pd.Series", position: int = 0, name: str | None = None) -> Column:
    """Return what one column is.

    Parameters
    ----------
    series : Series of shape (n_rows,)
    position : int
        Of the column in its table.
    name : str or None
        The name in the table; None for the one of `series`.
    """
    column = partial(Column, position, str(series.name) if name is None else name)
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return column("category", "codes", n_categories=len(dtype.categories))
    if isinstance(dtype, pd.SparseDtype):
        dtype = dtype.subtype
    kind = getattr(dtype, "kind", "O")
    if kind in "biuf":
        reading: Reading = "plain" if isinstance(series.dtype, np.dtype) else "nullable"
        if kind == "b":
            return column("boolean", reading)
        return _number(column, reading, lambda: series.to_numpy(np.float64, na_value=np.nan))
    if kind == "c":
        return column("complex", "none", _COMPLEX_REASON)
    if kind == "M" or isinstance(dtype, pd.PeriodDtype):
        return column("date", "dates", "dates", _DATE_NOTE)
    if kind == "m":
        return column("duration", "durations", note=_DURATION_NOTE)
    return _recognise_objects(column, series.to_numpy(dtype=object))


def is_identifier_name(name: str) -> bool:
    """Whether a name is that of identifiers: id, customer_id, patientId."""
    return bool(_ID_NAME.fullmatch(name.strip()) or _ID_NAME.fullmatch(name.strip().lower()))


def is_category(n_distinct: int, n: int) -> bool:
    """Whether so few distinct texts among `n` are categories rather than names or sentences."""
    return 2 * n_distinct <= n + 1 and n_distinct <= max(FEW, min(n // 10, MANY))


def parsed_numbers(values: ObjectArray) -> FloatArray:
    """Read texts and objects of shape (n,) as numbers, NaN where they are none."""
    try:
        return np.asarray(pd.to_numeric(values, errors="coerce"), dtype=np.float64)
    except OverflowError:  # a whole number beyond any float
        return np.array([_as_float(value) for value in values])


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return np.inf
    except (TypeError, ValueError):
        return np.nan


def _number(
    column: partial[Column], reading: Reading, values: Callable[[], FloatArray], note: str = ""
) -> Column:
    """Tell a number from one that, by name and values, only names rows."""
    name: str = column.args[1]
    is_id = is_identifier_name(name)
    bare = re.sub(r"[\W_]+", " ", name[:100]).strip().lower()
    if is_id or _COUNTER_NAME.fullmatch(bare):
        numbers = values()
        whole = len(numbers) > 0 and bool((np.rint(numbers) == numbers).all())
        if whole and len(np.unique(numbers)) == len(numbers):
            span = numbers.max() - numbers.min()
            if is_id or span == len(numbers) - 1:
                reason = "identifier: counts or names the rows"
                return column("identifier", reading, reason, note)
    return column("number", reading, note=note)


def _recognise_objects(column: partial[Column], values: ObjectArray) -> Column:
    values = values[~pd.isna(values)]
    if len(values) == 0:
        return column("number", "empty")
    inferred = pd.api.types.infer_dtype(values)
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal"):
        return _number(column, "parsed", lambda: parsed_numbers(values))
    if inferred == "boolean":
        return column("boolean", "parsed")
    if inferred in ("datetime64", "datetime", "date"):
        return column("date", "dates", "dates", _DATE_NOTE)
    if inferred in ("timedelta64", "timedelta"):
        return column("duration", "durations", note=_DURATION_NOTE)
    if inferred == "complex":
        return column("complex", "none", _COMPLEX_REASON)
    if inferred != "string":
        if not all(isinstance(value, str | Real) for value in values):
            types = sorted({type(value).__name__ for value in values})
            return column("other", "none", f"objects of type {', '.join(types[:3])}")
        values = np.array([str(value) for value in values], dtype=object)
    return _recognise_texts(column, values)


def _recognise_texts(column: partial[Column], texts: ObjectArray) -> Column:
    """Distinguish numbers, dates, categories, identifiers and free text; none is missing."""
    codes, distinct = pd.factorize(texts)
    n, n_distinct = len(texts), len(distinct)
    numbers = parsed_numbers(distinct)
    is_word = np.isnan(numbers)
    n_words = int(is_word[codes].sum())
    if n_words == 0:
        return _number(column, "parsed", lambda: numbers[codes], "numbers written as text")
    words = distinct[is_word]
    shown = ", ".join([quoted(word) for word in words[:3]] + ["…"] * (len(words) > 3))
    note = f"numbers written as text, and {counted(n_words, 'word')} counted as missing: {shown}"
    if n_words <= WORDS_SHARE * n:
        return column("number", "parsed", note=note)
    date_format = _date_format(distinct)
    if date_format is not None:
        order = {"%d": "day, month, year", "%m": "month, day, year"}
        read_as = order.get(date_format[:2], "year, month, day")
        return column("date", "dates", "dates", f"{_DATE_NOTE}, read as {read_as}", date_format)
    if is_category(n_distinct, n):
        return column("category", "labels", n_categories=n_distinct)
    if n_words <= n / 2:
        reason = f"numbers mixed with words: {n_words:,} of {n:,} values are words, {shown}"
        return column("text", "parsed", reason, note)
    kind: Kind = "text"
    reason = f"free text: {n_distinct:,} different values in {n:,} rows"
    if n_distinct == n and np.mean([len(text.split()) for text in distinct[:1000]]) < 3:
        kind, reason = "identifier", "identifier: every value is different"
    return column(kind, "labels", reason, n_categories=n_distinct)


def _date_format(distinct: ObjectArray) -> str | None:
    """Return the format in which every text is a date; day first where both orders would do."""
    match = _DATE.fullmatch(distinct[0].strip())
    if match is None or (match["year"] is None) == (match["end"] is None):
        return None
    time = "" if match["time"] is None else " %H:%M:%S" if match["seconds"] else " %H:%M"
    mark = match["mark"]
    if match["year"] is not None:
        formats = ["ISO8601"] if mark == "-" else [f"%Y{mark}%m{mark}%d{time}"]
    else:
        year = "%Y" if len(match["end"]) == 4 else "%y"
        formats = [f"%d{mark}%m{mark}{year}{time}", f"%m{mark}%d{mark}{year}{time}"]
    for date_format in formats:
        parsed = pd.to_datetime(pd.Series(distinct), format=date_format, errors="coerce", utc=True)
        if not parsed.isna().any():
            return date_format
    return None
