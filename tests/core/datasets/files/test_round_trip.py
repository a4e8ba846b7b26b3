"""Delimited tables written by the csv module come back as they were, or the doubt is said."""

import csv
import gzip
import io
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.files import ReadOptions, read, sniff
from mecuco_core.errors import DataError
from tests.core.datasets.files import examples

N_TABLES = 200
WORDS = (
    "alpha", "Beta", "gamma ray", "delta-9", "it's", "naïve", "Müller", "x1", "north west",
    "A/B", "(none)", "50 %", "yes", "no", "v1.2.3", "#5", "señor",
)  # fmt: skip
AWKWARD = ("a, b", "c; d", 'say "hi"', "two\nlines", "e|f", "tab\there", "end,", ";", "'quoted'")
DOUBTS = (  # not among them: the doubt about an 8-bit encoding, which is no excuse for the rest
    "is a header is not certain", "belong to the value is not certain", "No delimiter was found",
    "between thousands is not certain", "could also be", "count up by one", "Correct header if not",
)  # fmt: skip


@dataclass
class Case:
    """A table, the way it was written, and the bytes this gave."""

    table: pd.DataFrame
    header: bool
    delimiter: str
    quote: str
    encoding: str
    decimal: str
    thousands: str
    raw: bytes = b""

    def options(self) -> ReadOptions:
        return ReadOptions(
            format="csv", compression="none", encoding=self.encoding, delimiter=self.delimiter,
            quote=self.quote, skip_space=False, skip_lines=0, header=self.header,
            decimal=self.decimal, thousands=self.thousands, text=(),
        )  # fmt: skip


def number_text(value: float, case: Case, grouped: bool) -> str:
    """Write one number by hand, in the marks of a case; exact for the digits pandas must find."""
    if isinstance(value, (int, np.integer)):
        digits, tail = str(abs(int(value))), ""
    else:
        plain = repr(abs(float(value)))
        if "e" in plain:
            return ("-" if value < 0 else "") + plain.replace(".", case.decimal)
        digits, _, tail = plain.partition(".")
    if grouped and case.thousands:
        groups = []
        while digits:
            groups.insert(0, digits[-3:])
            digits = digits[:-3]
        digits = case.thousands.join(groups)
    return ("-" if value < 0 else "") + digits + (case.decimal + tail if tail else "")


def generated(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(2, 40))
    n_columns = int(rng.integers(1, 9))
    decimal = str(rng.choice([".", ".", ","]))
    delimiter = str(rng.choice([",", ",", ";", "\t", "|", " "]))
    marks = ["", "", "", ",", ".", " ", "\u00a0", "\u2009", "\u202f", "'"]
    thousands = str(rng.choice([m for m in marks if m != decimal]))
    encoding = str(rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]))
    if encoding == "cp1252" and thousands in ("\u2009", "\u202f"):
        thousands = "\u00a0"
    quote = str(rng.choice(['"', '"', '"', "'"]))
    if quote == "'" and thousands == "'":
        thousands = ""
    case = Case(pd.DataFrame(), bool(rng.random() < 0.75), delimiter, quote, encoding, decimal,
                thousands)  # fmt: skip
    columns, cells = {}, []
    for position in range(n_columns):
        column, texts = _column(rng, n_rows, case)
        columns[f"col{position}" if case.header else f"column_{position + 1}"] = column
        cells.append(texts)
    case.table = pd.DataFrame(columns)
    if case.header and rng.random() < 0.3:
        renamed = ["Größe", "n, m", "largo (cm)", "a b", 'the "x"', "q;r", "p|q", "naïve"]
        case.table.columns = pd.Index(renamed[:n_columns])
    out = io.StringIO()
    quoting = [csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL][int(rng.integers(3))]
    writer = csv.writer(out, delimiter=delimiter, quotechar=quote, quoting=quoting,
                        lineterminator=str(rng.choice(["\n", "\r\n"])))  # fmt: skip
    if case.header:
        writer.writerow(case.table.columns)
    writer.writerows(zip(*cells, strict=True))
    text = out.getvalue()
    if rng.random() < 0.3:
        text = text.rstrip("\r\n")
    case.raw = text.encode(encoding)
    return case


def _column(rng: np.random.Generator, n_rows: int, case: Case) -> tuple[pd.Series, list[str]]:
    kind = rng.choice(
        ["int", "float", "big", "bool", "word", "awkward"], p=[0.2, 0.3, 0.1, 0.1, 0.2, 0.1]
    )
    gaps = rng.random(n_rows) < (0.2 if rng.random() < 0.4 else 0.0)
    gaps[0] = False
    mark = str(rng.choice(["", "NA", "NaN", "?", "null"]))
    values: list[object]
    if kind == "int":
        values = [int(v) for v in rng.integers(-50, 50, n_rows)]
    elif kind == "float":
        values = [float(v) for v in np.round(rng.standard_normal(n_rows) * 100, 12)]
    elif kind == "big":
        values = [int(v) for v in rng.integers(1000, 10_000_000, n_rows)]
        if rng.random() < 0.5:
            values = [v + 0.25 for v in values]  # type: ignore[operator]
    elif kind == "bool":
        values = [bool(v) for v in rng.random(n_rows) < 0.5]
    else:
        pool = WORDS if kind == "word" else WORDS + AWKWARD
        values = [str(v) for v in rng.choice(np.array(pool, dtype=object), n_rows)]
    numeric = kind in ("int", "float", "big")
    texts = [
        mark if gap else number_text(v, case, kind == "big") if numeric else str(v)  # type: ignore[arg-type]
        for v, gap in zip(values, gaps, strict=True)
    ]
    column = pd.Series([None if gap else v for v, gap in zip(values, gaps, strict=True)])
    if numeric:
        whole = isinstance(values[0], int) and not gaps.any()
        column = column.astype("int64" if whole else "float64")
    elif kind == "bool":
        column = column.astype("boolean" if gaps.any() else "bool")
    else:
        column = column.astype("str")
    return column, texts


def same(found: pd.DataFrame, case: Case) -> bool:
    try:
        pd.testing.assert_frame_equal(
            found, case.table, check_exact=True, check_dtype=True, check_column_type=False
        )
    except AssertionError:
        return False
    return True


@pytest.fixture(scope="module")
def outcomes():
    """For every case: was the table given back with what was sniffed, and what was said."""
    found = []
    for seed in range(N_TABLES):
        case = generated(seed)
        sniffed = sniff(case.raw)
        try:
            equal = same(read(case.raw, sniffed.options).table, case)
        except DataError:
            equal = False
        doubted = any(doubt in note for note in sniffed.notes for doubt in DOUBTS)
        found.append((seed, case, sniffed, equal, doubted))
    return found


@pytest.mark.thorough
def test_right_settings_give_back_every_table_that_was_written(outcomes):
    for _, case, *_ in outcomes:
        found = read(case.raw, case.options())
        pd.testing.assert_frame_equal(found.table, case.table, check_exact=True)


def test_sniffed_settings_give_back_the_table_or_the_notes_say_what_is_in_doubt(outcomes):
    silent = [seed for seed, _, _, equal, doubted in outcomes if not equal and not doubted]
    assert silent == []


def test_sniffed_settings_give_back_nearly_all_tables(outcomes):
    assert np.mean([equal for *_, equal, _ in outcomes]) > 0.97


def test_doubts_are_rare_where_the_table_came_back(outcomes):
    assert np.mean([doubted for *_, equal, doubted in outcomes if equal]) < 0.25


def test_what_was_sniffed_wrong_can_be_corrected_one_setting_at_a_time(outcomes):
    wrong = [(case, sniffed) for _, case, sniffed, equal, _ in outcomes if not equal]
    assert wrong
    for case, sniffed in wrong:
        corrected = replace(
            sniffed.options,
            header=case.header,
            delimiter=case.delimiter,
            quote=case.quote,
            decimal=case.decimal,
            thousands=case.thousands,
            text=(),
        )
        assert same(read(case.raw, corrected).table, case)


def test_compression_changes_nothing(outcomes):
    for _, case, *_ in outcomes[::25]:
        plain = read(case.raw, case.options()).fingerprint
        for packed in (gzip.compress(case.raw), examples.zip_bytes({"a.csv": case.raw})):
            options = replace(case.options(), compression=None)
            assert read(packed, options).fingerprint == plain


def test_the_preview_is_the_top_of_the_table(outcomes):
    for _, case, sniffed, equal, _ in outcomes[::10]:
        if equal and len(case.table) <= 20:
            pd.testing.assert_frame_equal(sniffed.preview, case.table)
