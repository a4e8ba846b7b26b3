"""A first look at a dataset."""

import json

import numpy as np
import pandas as pd
import pytest

from mecuco_core.datasets.base import Dataset
from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.neighbors.cost import estimated_search_seconds
from mecuco_core.preparation.classes import Class, class_counts
from mecuco_core.preparation.prepare import prepare
from mecuco_core.preparation.report import Counted
from mecuco_core.preparation.summary import summarise
from mecuco_core.score.cost import estimated_seconds, scoring_cost
from mecuco_core.types import MODES

MESSY = pd.DataFrame(
    {
        "x": [1.0, np.nan, np.inf, 1.0, 5.0, 1.0],
        "colour": ["red", None, "blue", "red", "red", "red"],
        "one": [7] * 6,
        "half": [1.0, 1.0, 1.0, 1.0, 1.0, np.nan],
        "nothing": [np.nan] * 6,
        "when": pd.to_datetime(["2024-01-01", None, None, "2024-01-02", "2024-01-03", None]),
    }
)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_summary_agrees_with_the_preparation(name):
    dataset = load_bundled(name)
    summary, prepared = summarise(dataset), prepare(dataset)
    assert (summary.n_rows, summary.n_usable) == prepared.points.shape
    assert summary.duplicate_rows == prepared.report.duplicate_rows
    assert summary.constant == prepared.report.constant
    assert summary.points_bytes == prepared.points.nbytes


@pytest.mark.parametrize("name", BUNDLED)
def test_the_suggested_k_is_the_papers_and_the_cost_is_for_it(name):
    summary = summarise(load_bundled(name))
    n, m, k = summary.n_rows, summary.n_usable, summary.suggested_k
    assert k == round(np.log2(n))
    cost = scoring_cost(n, m)
    assert cost.seconds == {mode: estimated_seconds(n, m, k, mode) for mode in MODES}
    assert cost.search_seconds == estimated_search_seconds(n, m)
    assert cost.sentence().startswith("Estimated time: ")
    assert all(mode in cost.sentence() for mode in MODES)


def test_a_messy_table_by_hand():
    summary = summarise(Dataset("messy", MESSY))
    assert summary.kinds == {"number": 4, "category": 1, "date": 1}
    assert (summary.n_rows, summary.n_features, summary.n_usable) == (6, 6, 5)
    assert summary.missing == (
        Counted("x", 1),
        Counted("colour", 1),
        Counted("half", 1),
        Counted("nothing", 6),
        Counted("when", 3),
    )
    assert (summary.n_missing, summary.n_infinite) == (12, 1)
    assert summary.constant == ("one", "nothing")  # half becomes two values when it is filled
    assert summary.duplicate_rows == 1  # row 3 is row 0 but for its date
    assert summary.target is None
    assert summary.suggested_k == 3  # log2 6 = 2.58


def test_rows_are_equal_whatever_marks_what_is_missing():
    other_nan = np.array([0xFFF8000000000123], np.uint64).view(np.float64)[0]
    table = pd.DataFrame({"x": [np.nan, other_nan, np.inf, 1.0], "y": [2.0] * 4})
    assert summarise(Dataset("a", table)).duplicate_rows == 2


def test_words_among_numbers_count_as_missing():
    values = [str(i) for i in range(19)] + ["?"]
    assert summarise(Dataset("a", pd.DataFrame({"x": values}))).missing == (Counted("x", 1),)


CLASSES = {
    "text": (["a", "b", "b", None] * 5, [("b", 10), ("a", 5)]),
    "category": (pd.Categorical(["u"] * 4, ["u", "unused"]), [("u", 4)]),
    "boolean": ([True, False, True] * 3, [("True", 6), ("False", 3)]),
    "whole numbers": ([1, 2, 2, -3] * 5, [("2", 10), ("-3", 5), ("1", 5)]),
    "numbers as text": (["10", "9", "9"] * 5, [("9", 10), ("10", 5)]),
    "measurement": (np.linspace(0, 1, 20).round(1), []),
    "many whole numbers": (np.arange(400) % 101, []),
    "hardly repeating": (np.arange(20) // 2, []),
    "names": ([f"n{i}" for i in range(20)], []),
    "dates": (pd.date_range("2024", periods=20), []),
    "nothing": ([None] * 5, []),
}


@pytest.mark.parametrize(("target", "expected"), CLASSES.values(), ids=CLASSES)
def test_classes_are_counted_where_the_target_has_any(target, expected):
    assert class_counts(pd.Series(target)) == tuple(Class(*one) for one in expected)


def test_the_target_is_described():
    table = pd.DataFrame({"x": range(9)})
    labels = pd.Series(["a"] * 6 + ["b"] * 2 + [None], name="y")
    summary = summarise(Dataset("a", table, labels))
    assert (summary.target, summary.target_kind, summary.n_unlabelled) == ("y", "category", 1)
    assert summary.balance == 2 / 6
    measured = summarise(Dataset("a", table, pd.Series(np.linspace(0, 1, 9))))
    assert (measured.target, measured.classes, measured.balance) == ("target", (), None)
    assert "Target 'target' is a number, not a class." in measured.sentences()


def test_one_class_is_not_compared_with_itself():
    summary = summarise(Dataset("a", pd.DataFrame({"x": range(9)}), pd.Series(["a"] * 9, name="y")))
    assert "Target 'y' has 1 class: 'a' (9)." in summary.sentences()


def test_the_sentences_of_iris():
    said = summarise(load_bundled("iris")).sentences()
    assert said[:6] == [
        "iris: 150 rows and 4 columns, of which 4 can be used.",
        "Columns by kind: numbers 4.",
        "No value is missing.",
        "1 row equal to an earlier one.",
        "Target 'target' has 3 classes, the smallest 100 % of the largest: "
        "'setosa' (50), 'versicolor' (50), 'virginica' (50).",
        "Memory: 4.8 kB for the table, 4.8 kB for the points.",
    ]
    assert said[6] == "Suggested number of neighbours: k = 7, log2 of the rows."


def test_the_sentences_of_a_messy_table():
    said = summarise(Dataset("messy", MESSY)).sentences()
    assert (
        "12 values missing (33.3 % of all), in 'x' (1), 'colour' (1), 'half' (1), 'nothing' (6), "
        "'when' (3)."
    ) in said
    assert "1 value infinite." in said
    assert "2 columns with a single value: 'one', 'nothing'." in said
    assert "There is no target." in said


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(),
        pd.DataFrame({"x": []}),
        pd.DataFrame({"x": [1, 2]}),
        pd.DataFrame({"x": [f"word {i}" for i in range(9)]}),
        pd.DataFrame(index=range(9)),
    ],
)
def test_a_table_that_cannot_be_scored_is_summarised_all_the_same(table):
    summary = summarise(Dataset("small", table))
    assert scoring_cost(summary.n_rows, summary.n_usable) is None
    assert (summary.suggested_k is None) == (len(table) < 3)
    assert len(summary.sentences()) >= 4


def test_the_facts_are_fit_for_json():
    summary = summarise(Dataset("messy", MESSY, pd.Series(list("aabbcc"))))
    facts = json.loads(json.dumps(summary.as_dict(), allow_nan=False))
    assert facts["missing"][0] == {"column": "x", "n_values": 1}
    assert facts["classes"][0] == {"label": "a", "n_rows": 2}
    assert facts["kinds"] == {"number": 4, "category": 1, "date": 1}
