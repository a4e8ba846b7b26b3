"""The report of a preparation, as facts and as sentences."""

import json

import numpy as np
import pandas as pd

from mecuco_core.datasets.base import Dataset, Truth
from mecuco_core.preparation.prepare import Preparation, prepare
from mecuco_core.preparation.report import Counted, Encoded, Filled, LeftOut, Note

N = 40
TABLE = pd.DataFrame(
    {
        "x": [np.nan, np.inf, *([2.0] * (N - 3)), 5.0],
        "mixed": [*(str(i % 5) for i in range(N - 1)), "n/a"],
        "colour": ["red", "green", None, "green"] * (N // 4),
        "constant": [3.5] * N,
        "empty": [None] * N,
        "name": [f"person {i}" for i in range(N)],
        "when": pd.date_range("2024", periods=N),
    }
)
TARGET = pd.Series(["yes"] * 30 + ["no"] * 10)


def report_of(**choices):
    return prepare(Dataset("table", TABLE, TARGET), Preparation(**choices)).report


def test_the_facts_of_the_paper_protocol_by_hand():
    report = report_of()
    assert (report.n_rows, report.n_columns, report.n_points, report.n_features) == (N, 7, N, 5)
    assert report.used == ("x", "mixed", "colour", "constant", "empty")
    assert report.left_out == (
        LeftOut("name", "identifier: every value is different"),
        LeftOut("when", "dates"),
    )
    assert report.encoded == (Encoded("colour", "codes", 2),)
    note = "numbers written as text, and 1 word counted as missing: 'n/a'"
    assert report.notes == (Note("mixed", note),)
    assert report.infinite == (Counted("x", 1),)
    assert report.filled == (
        Filled("x", 2, "zero", 0.0),
        Filled("mixed", 1, "zero", 0.0),
        Filled("colour", 10, "code", -1.0),
        Filled("empty", N, "zero", 0.0),
    )
    assert report.empty == ("empty",)
    assert report.constant == ("constant", "empty")
    # Rows 2 to 38 hold each of 5 numbers with each of 3 colours; rows 0, 1 and 39 differ in x.
    assert report.duplicate_rows == N - 5 * 3 - 3


def test_the_sentences_of_the_paper_protocol():
    assert report_of().sentences() == [
        "40 points with 5 features, from 40 of 40 rows and 5 of 7 columns.",
        "Prepared as in the paper.",
        "Left out 1 column (dates): 'when'.",
        "Left out 1 column (identifier: every value is different): 'name'.",
        "Column 'mixed': numbers written as text, and 1 word counted as missing: 'n/a'.",
        "Categories became integer codes in 'colour' (2).",
        "1 infinite value counted as missing in 'x' (1).",
        "Filled 43 missing values with 0 in 'x' (2), 'mixed' (1), 'empty' (40).",
        "Filled 10 missing values with the code -1 in 'colour' (10).",
        "Every value is missing in 'empty': kept as constant, so that the number of features "
        "stays that of the table.",
        "Scaled every feature to mean 0 and standard deviation 1.",
        "2 features constant, and became 0: 'constant', 'empty'.",
        "22 points repeat an earlier one.",
    ]


def test_what_else_was_done_is_said():
    report = report_of(missing="median", scale="robust", categories="one-hot")
    said = report.sentences()
    assert "Categories became one 0/1 feature each in 'colour' (2)." in said
    assert "Filled 3 missing values with the median of the column in 'x' (2), 'mixed' (1)." in said
    assert (
        "Filled 10 missing values with the most frequent category of the column in 'colour' (10)."
        in said
    )
    assert "The interquartile range is 0 in 'x': divided by the standard deviation instead." in said
    assert Filled("colour", 10, "most frequent", "green") in report.filled
    assert Filled("x", 2, "median", 2.0) in report.filled


def test_rows_that_go_are_said():
    report = report_of(missing="drop rows", n_rows=10, stratify=True, seed=5, scale="none")
    said = report.sentences()
    # Rows 0, 1 and 39, and every fourth from 2 on.
    assert (
        "Dropped 13 rows with missing values, found in 'x' (2), 'mixed' (1), 'colour' (10)." in said
    )
    assert "Kept a random sample of 10 of 27 rows, each class with its share (seed 5)." in said
    assert "Features keep the scale they came with." in said
    assert LeftOut("empty", "every value is missing") in report.left_out
    assert report.n_rows_sampled == report.n_points == 10


def test_a_sample_larger_than_the_table_is_said():
    report = report_of(n_rows=100)
    assert "All rows are kept: 100 were asked for and there are 40." in report.sentences()
    assert report.n_rows_sampled is None


def test_a_sample_too_small_for_the_classes_is_said():
    target = pd.Series(np.arange(N) // 2)
    report = prepare(Dataset("table", TABLE, target), Preparation(n_rows=5, stratify=True)).report
    said = report.sentences()
    assert "The sample of 5 rows cannot hold a row of each of the 20 classes." in said


def test_repeated_names_are_said():
    table = pd.DataFrame([[1, 2]] * 3, columns=["a", "a"])
    said = prepare(Dataset("a", table)).report.sentences()
    assert "Names that occur more than once were numbered: 'a (2)'." in said


def test_truth_and_scaling_do_not_go_together_unsaid():
    known = Dataset("torus", pd.DataFrame(np.eye(3)), truth=Truth(np.ones(3)))
    assert any("known curvature" in said for said in prepare(known).report.sentences())
    assert not any(
        "known curvature" in said
        for said in prepare(known, Preparation(scale="none")).report.sentences()
    )


def test_many_columns_make_short_sentences():
    table = pd.DataFrame({f"d{i}": [f"{i % 9 + 1}", "2", "3"] for i in range(1000)})
    report = prepare(Dataset("wide", table.assign(**{"x" * 10_000: [1, 1, 1]}))).report
    assert len(report.notes) == 1000
    assert "And 995 more columns not read as they stand." in report.sentences()
    assert max(len(sentence) for sentence in report.sentences()) < 300


def test_the_facts_survive_a_trip_through_json():
    report = report_of(missing="median")
    facts = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert facts == report.as_dict() | {"left_out": facts["left_out"]}
    assert facts["left_out"][1] == {"column": "when", "reason": "dates"}
    assert facts["filled"][0] == {"column": "x", "n_values": 2, "how": "median", "value": 2.0}
