"""Numbers as people write them, in delimited text."""

from dataclasses import replace

import numpy as np
import pytest

from mecuco_core.datasets.files import ReadOptions, read, read_with_notes, sniff


def cells(content: str, **options) -> list[list[object]]:
    """Return the table of a text, row by row."""
    return read(content.encode(), ReadOptions(**options)).table.to_numpy(dtype=object).tolist()


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("x;y\n1.234,5;a\n2,5;b\n", 1234.5),
        ("x\ty\n1,234.5\ta\n2.5\tb\n", 1234.5),
        ("x;y\n1 234,5;a\n2,5;b\n", 1234.5),
        ("x;y\n1\u00a0234,5;a\n2,5;b\n", 1234.5),
        ("x;y\n1\u2009234\u2009567;a\n2;b\n", 1234567),
        ("x;y\n1'234.5;a\n2.5;b\n", 1234.5),
        ('x,y\n"1,234,567",a\n12,b\n', 1234567),
        ("x;y\n1,5e3;a\n2,5;b\n", 1500.0),
        ("x;y\n-,5;a\n2,5;b\n", -0.5),
    ],
)
def test_decimal_marks_and_thousands_are_understood(content, value):
    assert cells(content)[0][0] == value


@pytest.mark.parametrize("content", ["x;y\n1.234;a\n5.678;b\n", "x;y\n1,234;a\n5,678;b\n"])
def test_a_mark_that_could_be_either_is_said_and_correctable(content):
    sniffed = sniff(content.encode())
    assert any("between thousands is not certain" in note for note in sniffed.notes)
    assert sniffed.preview.iloc[0, 0] == 1.234
    mark = content[5]
    other = replace(sniffed.options, decimal="," if mark == "." else ".", thousands=mark)
    assert read(content.encode(), other).table.iloc[0, 0] == 1234


@pytest.mark.parametrize("text", ["192.168.1.1", "2020.01.05", "1.2.3", "12.34.567"])
def test_marks_between_other_groups_make_no_number(text):
    assert cells(f"x;y\n{text};1.234.567\n{text};1.234.568\n")[0][0] == text


def test_leading_zeros_are_kept_unless_they_are_everywhere():
    sniffed = sniff(b"zip,n\n01234,1\n90210,2\n")
    assert sniffed.options.text == ("zip",)
    assert sniffed.preview["zip"].tolist() == ["01234", "90210"]
    assert cells("zip,n\n01234,1\n90210,2\n", text=()) == [[1234, 1], [90210, 2]]
    assert cells("a,b,c,d\n001,002,003,004\n005,006,007,008\n")[0] == [1, 2, 3, 4]


def test_numbers_too_large_are_infinite_and_said():
    found = read_with_notes(b"x,y\n1e400,1\n5,2\n")
    assert found.dataset.table["x"].tolist() == [np.inf, 5.0]
    assert any("Infinite values" in note and "x" in note for note in found.notes)


def test_whole_numbers_beyond_64_bits_are_rounded_and_said():
    found = read_with_notes(b"x,y\n123456789012345678901234,1\n5,2\n")
    assert found.dataset.table["x"].tolist() == [123456789012345678901234.0, 5.0]
    assert any("beyond 64 bits" in note for note in found.notes)
