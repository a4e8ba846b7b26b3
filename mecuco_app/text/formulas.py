"""Numbers inside formulas: LaTeX, as few digits as on the rest of the screen."""

from collections.abc import Iterable

import numpy as np

from mecuco_app.text.numbers import THIN, number
from mecuco_core.types import FloatArray


def tex(value: float, digits: int = 3) -> str:
    """Return a number as LaTeX."""
    if np.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    # Differences of equal numbers: their digits are rounding.
    text = number(0.0 if abs(value) < 5e-10 else value, digits)
    text = text.replace("−", "-").replace(THIN, r"\,").replace("–", r"\text{–}")
    if "×" in text:
        mantissa, _, power = text.partition(" × 10")
        exponent = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        return rf"{mantissa}\cdot 10^{{{exponent}}}"
    return text


def row(values: Iterable[float], digits: int = 3) -> str:
    """Return numbers as a row in parentheses."""
    return "(" + r",\; ".join(tex(value, digits) for value in values) + ")"


def matrix(values: FloatArray, digits: int = 3) -> str:
    """Return a small matrix (rows, columns)."""
    lines = [" & ".join(tex(value, digits) for value in line) for line in values]
    return r"\begin{pmatrix}" + r"\\".join(lines) + r"\end{pmatrix}"
