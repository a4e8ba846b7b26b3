"""Numbers as they stand on the screen: few digits, thin spaces, units."""

import math
import re

THIN = "\u202f"
"""Narrow space that does not break: between thousands, and before units."""


def count(number: int) -> str:
    """Return "1 797" with a thin space."""
    return f"{number:,}".replace(",", THIN)


def spaced(sentence: str) -> str:
    """Return a sentence of the engine with thin spaces in its numbers; names in quotes stay."""
    parts = sentence.split("'")
    parts[::2] = [re.sub(r"(?<=\d),(?=\d{3}(?!\d))", THIN, part) for part in parts[::2]]
    return "'".join(parts)


def number(value: float, digits: int = 3) -> str:
    """Return `value` with `digits` significant digits, powers of ten outside 10⁻³ … 10⁶."""
    value = float(value)
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    exponent = int(power)
    if -4 < exponent < 6:
        rounded = float(f"{mantissa}e{power}")
        text = f"{rounded:,.{max(0, digits - 1 - exponent)}f}".replace(",", THIN)
        return text.replace("-", "−")
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa.replace('-', '−')} × 10{power}"


def seconds(value: float) -> str:
    """Return "0.8 s", "12 s", "2 min 10 s", "3 h 5 min"."""
    if value < 0.095:
        return f"{value:.2f}{THIN}s" if value >= 0.01 else f"under 0.01{THIN}s"
    if value < 9.95:
        return f"{value:.1f}{THIN}s"
    whole = round(value)
    if whole < 60:
        return f"{whole}{THIN}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}{THIN}min {rest}{THIN}s" if rest else f"{minutes}{THIN}min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}{THIN}h {minutes}{THIN}min" if minutes else f"{hours}{THIN}h"


def percent(share: float, digits: int = 2) -> str:
    """Return a share between 0 and 1 as "12 %"."""
    return f"{number(100 * share, digits)}{THIN}%"


def measured(value: float, unit: str, *, whole: bool) -> str:
    """Return a finite value of a measure: a share in percent, others with few digits."""
    if whole:
        return count(round(value))
    if unit == "share":
        return percent(value)
    return number(value) + (f"{THIN}%" if unit == "%" else "")


def plural(amount: int, noun: str, several: str = "") -> str:
    """Return "1 point" or "1 797 points"; `several` where an s does not make the plural."""
    return f"{count(amount)} {noun if amount == 1 else several or noun + 's'}"


def correlation(value: float) -> str:
    """Return a correlation with as many digits as tell it from 1; a dash where there is none."""
    if math.isnan(value):
        return "–"
    for digits in (3, 4, 5, 6):
        text = f"{value:.{digits}f}"
        if float(text) < 1.0:
            return text.replace("-", "−")
    return "1"
