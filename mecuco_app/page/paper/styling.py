"""Differences in colour and by a sign, so that neither is needed alone; no Streamlit."""

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from mecuco_app.page.paper.comparison import DIFFERENCE, is_equal
from mecuco_app.text.numbers import THIN, number

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

HIGHER, LOWER = "230, 126, 0", "0, 114, 178"
"""Orange and blue, which the colour-blind distinguish; laid thinly over light and dark alike."""

_FAINT, _STRONG = 0.12, 0.5
_LARGEST = 0.25


def styled(frame: pd.DataFrame, *, decimals: int = 4) -> "Styler":
    """Return a comparison with numbers written out and differences coloured.

    Parameters
    ----------
    frame : DataFrame
        Columns "Δ mean" and "Δ new mean" are differences from "mean, paper".
    decimals : int
    """

    def difference(value: Any) -> str:
        return signed(float(value), decimals)

    def short(value: Any) -> str:
        return number(float(value))

    drawn = frame.style
    for column in frame.columns:
        if frame[column].dtype.kind != "f":
            continue
        if column.startswith(DIFFERENCE):
            name = column.removeprefix(DIFFERENCE).removeprefix("new ")
            scale = frame[f"{name}, paper"].abs()
            colours = [
                difference_css(value, size)
                for value, size in zip(frame[column], scale, strict=True)
            ]
            drawn = drawn.format(difference, subset=[column])
            drawn = drawn.apply(lambda _, shades=colours: shades, subset=[column])
        elif decimals:
            drawn = drawn.format(f"{{:.{decimals}f}}", na_rep="–", subset=[column])
        else:
            drawn = drawn.format(short, subset=[column])
    return drawn


def signed(difference: float, decimals: int = 4) -> str:
    """Return "▲ 0.0012", "▼ 0.0012" or "= 0.0000"; shortly for no decimals."""
    if math.isnan(difference):
        return "–"
    size = number(abs(difference)) if not decimals else f"{abs(difference):.{decimals}f}"
    if decimals and is_equal(difference):
        return f"={THIN}{size}"
    return f"{'▲' if difference > 0 else '▼'}{THIN}{size}"


def difference_css(difference: float, scale: float) -> str:
    """Return the ground of a difference: stronger the larger it is against the printed figure."""
    if math.isnan(difference) or is_equal(difference):
        return ""
    share = abs(difference) / max(scale, 1e-4)
    # By the logarithm: differences run from the fourth decimal to the first digit.
    depth = 1 + math.log10(min(max(share, 1e-3), _LARGEST) / _LARGEST) / 2.4
    opacity = _FAINT + (_STRONG - _FAINT) * min(max(depth, 0.0), 1.0)
    return f"background-color: rgba({HIGHER if difference > 0 else LOWER}, {opacity:.2f})"
