"""Counts, names, lists, sizes and times in sentences."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.runtime.wording import (
    counted,
    named,
    quoted,
    shortened,
    spoken_bytes,
    spoken_seconds,
)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_a_shortened_text_is_one_printable_line_of_at_most_60_characters(text):
    line = shortened(text)
    assert len(line) <= 60
    assert line.isprintable()


def test_a_name_as_long_as_a_book_is_cut():
    assert shortened("x" * 10_000_000) == "x" * 59 + "…"
    assert shortened("a\nb\t c") == "a b c"
    assert quoted("a\x00b") == "'a b'"


def test_counts_and_lists():
    assert (counted(1, "row"), counted(0, "row"), counted(70_000, "row")) == (
        "1 row",
        "0 rows",
        "70,000 rows",
    )
    assert named(["a", "b"]) == "a, b"
    assert named(list("abcdefgh")) == "a, b, c, d, e and 3 more"


@pytest.mark.parametrize(
    ("size", "spoken"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (3449, "3.4 kB"),
        (999_400, "999 kB"),
        (999_600, "1 MB"),
        (439_040_000, "439 MB"),
        (2.5e12, "2500 GB"),
    ],
)
def test_sizes(size, spoken):
    assert spoken_bytes(size) == spoken


@pytest.mark.parametrize(
    ("seconds", "spoken"),
    [
        (0.9, "under 1 s"),
        (1, "1 s"),
        (119, "119 s"),
        (120, "2 min"),
        (7199, "120 min"),
        (7200, "2 h"),
        (86400 * 3, "3 days"),
        (86400 * 365 * 7, "7 years"),
    ],
)
def test_times(seconds, spoken):
    assert spoken_seconds(seconds) == spoken
