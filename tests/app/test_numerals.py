import math

import pytest

from mecuco_app.text.numbers import count, number, percent, plural, seconds


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (9.1, "9.10"), (31.24, "31.2"), (1234.5, "1 230"), (0.00123, "0.00123"),
        (-2.5, "−2.50"), (1e7, "1 × 10⁷"), (1.234e-9, "1.23 × 10⁻⁹"), (999.96, "1 000"),
        (math.nan, "–"), (math.inf, "∞"), (-math.inf, "−∞"),
    ],
)  # fmt: skip
def test_numbers_have_three_digits_and_thin_spaces(value, text):
    assert number(value).replace("\u202f", " ") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.001, "under 0.01 s"), (0.04, "0.04 s"), (0.84, "0.8 s"), (9.96, "10 s"), (59.6, "1 min"),
     (130, "2 min 10 s"), (3600, "1 h"), (11_100, "3 h 5 min")],
)  # fmt: skip
def test_times_are_spoken(value, text):
    assert seconds(value).replace("\u202f", " ") == text


def test_counts_shares_and_plurals():
    assert count(70_000) == "70\u202f000"
    assert percent(0.123) == "12\u202f%"
    assert (plural(1, "point"), plural(2, "point")) == ("1 point", "2 points")
    assert plural(1, "class", "classes") == "1 class"
    assert plural(0, "class", "classes") == "0 classes"
