"""Texts that are numbers with a unit: percent and money."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from mecuco_core.runtime.wording import counted, quoted
from mecuco_core.types import FloatArray, IntArray

Unit = Literal["percent", "money"]

WORDS_SHARE = 0.1  # of texts that are no numbers in a column that is read as numbers
_LOOKED_AT = 200  # distinct texts before all of them are
_LONGEST = 40  # characters of a number with its unit

_SIGN = "[-+−–]?"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|RUB|TRY"
_MONEY = rf"(?:US\$|[$€£¥₹₽₩₺₫₴₦฿]|{_CODES}|kr\.?|zł)"
_DIGITS = r"(?:\d[\d.,'’\s]*|[.,]\d+)"
_PERCENT_TEXT = re.compile(rf"(?P<sign>{_SIGN})\s*(?P<digits>{_DIGITS})(?P<scale>)\s*(?P<unit>%)")
_MONEY_TEXTS = (
    re.compile(
        rf"(?P<sign>{_SIGN})\s*(?P<unit>{_MONEY})\s*(?P<more>{_SIGN})\s*(?P<digits>{_DIGITS})"
        r"(?P<scale>[kKmMbB]?)"
    ),
    re.compile(
        rf"(?P<sign>{_SIGN})\s*(?P<digits>{_DIGITS})(?P<scale>[kKmMbB]?)\s*(?P<unit>{_MONEY})"
    ),
)
_BARE = re.compile(rf"(?P<sign>{_SIGN})(?P<digits>{_DIGITS})(?P<scale>)(?P<unit>)")
_SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9}


@dataclass(frozen=True, eq=False)
class Units:
    """A column of texts read as numbers.

    Parameters
    ----------
    unit : {"percent", "money"}
    values : ndarray of shape (n_rows,)
        NaN where the text is missing or no number.
    n_read, n_words : int
        Texts that are numbers, and those that are not.
    certain : bool
        Whether all numbers have the same unit and hardly a text is none.
    example : str
        A text, and the number it became.
    doubt : str
        Why it is not certain; empty where it is.
    """

    unit: Unit
    values: FloatArray
    n_read: int
    n_words: int
    certain: bool
    example: str
    doubt: str

    @property
    def note(self) -> str:
        """What is said of a column that is read so."""
        words = f", and {counted(self.n_words, 'word')} counted as missing" if self.n_words else ""
        return f"{self.unit} texts read as numbers, {self.example}{words}"


def units_of(series: "pd.Series") -> Units | None:
    """Return a column of percent or money texts as numbers; None where most texts are neither.

    Parameters
    ----------
    series : Series of shape (n_rows,)
    """
    if not _holds_texts(series):
        return None
    codes, distinct = pd.factorize(series.to_numpy(dtype=object))
    if not len(distinct) or not all(isinstance(text, str) for text in distinct):
        return None
    if _share_with_unit(distinct[:_LOOKED_AT]) < 0.5:
        return None
    matches = [_matched(text) for text in distinct.tolist()]
    return _read(distinct, matches, codes)


def _holds_texts(series: "pd.Series") -> bool:
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    return (
        dtype == np.dtype(object)
        or isinstance(dtype, pd.StringDtype)
        or bool(isinstance(dtype, pd.ArrowDtype) and dtype.kind in "OU")
    )


def _share_with_unit(distinct: npt.NDArray[np.object_]) -> float:
    matches = [_matched(text) for text in distinct.tolist()]
    with_unit = [match for match in matches if match is not None and match["unit"]]
    return len(with_unit) / len(matches)


def _matched(text: str) -> re.Match[str] | None:
    """Match a number with its unit, or a bare number."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if text.startswith("(") and text.endswith(")"):  # a bookkeeper's minus
        text = f"-{text[1:-1].strip()}"
    for pattern in (_PERCENT_TEXT, *_MONEY_TEXTS, _BARE):
        match = pattern.fullmatch(text)
        if match is not None:
            return match
    return None


def _read(
    distinct: npt.NDArray[np.object_], matches: list[re.Match[str] | None], codes: IntArray
) -> Units | None:
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct)).tolist()
    n_of: Counter[str] = Counter()
    for match, count in zip(matches, counts, strict=True):
        n_of["word" if match is None else match["unit"]] += count
    n_percent, n_words, n_bare = n_of["%"], n_of["word"], n_of[""]
    n_money = sum(n_of.values()) - n_percent - n_words - n_bare
    unit: Unit = "percent" if n_percent >= n_money else "money"
    decimal = _decimal([m["digits"] for m in matches if m is not None], unit)
    numbers = np.array([_number(match, decimal, unit) for match in matches])
    values = np.append(numbers, np.nan)[codes]
    is_number = np.isfinite(numbers)
    n_read = int(np.isfinite(values).sum())
    n_present = int((codes >= 0).sum())
    shown = next(
        (i for i, m in enumerate(matches) if m is not None and m["unit"] and is_number[i]), None
    )
    if shown is None:
        return None
    n_zero = sum(
        count
        for match, count, number in zip(matches, counts, numbers.tolist(), strict=True)
        if match is not None and match["unit"] == "" and number == 0.0
    )
    doubt = ""
    if unit == "percent" and n_bare > n_zero:
        doubt = f"{counted(n_bare - n_zero, 'number')} without %"
    elif n_percent and n_money:
        doubt = "percent and money"
    elif unit == "money" and len([u for u in n_of if u not in ("", "word")]) > 1:
        doubt = "several currencies"
    elif n_present - n_read > WORDS_SHARE * n_present:
        doubt = f"{counted(n_present - n_read, 'text')} that are no numbers"
    example = f"{quoted(distinct[shown])} as {numbers[shown]:.12g}"
    return Units(unit, values, n_read, n_present - n_read, not doubt, example, doubt)


def _decimal(digits: list[str], unit: Unit) -> str:
    """Return the decimal mark of numbers, "." where nothing speaks for a comma."""
    marks = [re.sub(r"['’\s]", "", text) for text in digits]
    for text in marks:
        if "," in text and "." in text:
            return "," if text.rindex(",") > text.rindex(".") else "."
    for mark, other in ((",", "."), (".", ",")):
        own = [text for text in marks if mark in text]
        if own and not any(other in text for text in marks):
            groups = all(re.fullmatch(rf"[1-9]\d{{0,2}}(?:\{mark}\d{{3}})+", text) for text in own)
            several = any(text.count(mark) > 1 for text in own)
            thousands = groups and (several or mark == "," or unit == "money")
            return other if thousands else mark
    return "."


def _number(match: re.Match[str] | None, decimal: str, unit: Unit) -> float:
    """Return the number of a text, NaN where it is none of this unit."""
    if match is None or (unit == "percent" and match["unit"] not in ("%", "")):
        return np.nan
    if unit == "money" and match["unit"] == "%":
        return np.nan
    digits = re.sub(r"['’\s]", "", match["digits"])
    digits = digits.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    sign = match["sign"] + (match.groupdict().get("more") or "")
    try:
        value = float(digits) * _SCALES[match["scale"].lower()]
    except ValueError:  # marks where no number has them
        return np.nan
    return -value if sign.strip() in ("-", "−", "–") else value
