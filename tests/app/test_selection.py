import numpy as np
import pandas as pd
import pytest

from mecuco_app.scene.selection import position_of_row, rows_rule, selected, spoken_rule
from mecuco_app.view.settings import SelectionRule
from mecuco_core.datasets.base import Dataset
from mecuco_core.preparation.prepare import Preparation, prepare

VALUES = np.array([3.0, 1.0, 3.0, 0.0, 2.0])


@pytest.fixture
def sampled():
    """Five points drawn from twenty rows."""
    dataset = Dataset("numbers", pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) ** 2}))
    return prepare(dataset, Preparation(n_rows=5, seed=3))


def test_without_a_rule_nothing_is_selected(sampled):
    assert selected(SelectionRule(), sampled, VALUES) is None


def test_the_top_is_taken_by_score_with_ties_by_position(sampled):
    assert selected(SelectionRule("top", low=20), sampled, VALUES).tolist() == [0]
    assert selected(SelectionRule("top", low=60), sampled, VALUES).tolist() == [0, 2, 4]


def test_a_range_has_both_its_ends(sampled):
    rule = SelectionRule("range", low=1.0, high=2.0)
    assert selected(rule, sampled, VALUES).tolist() == [1, 4]


def test_rows_are_those_of_the_table_and_missing_ones_are_left_out(sampled):
    absent = next(row for row in range(20) if row not in sampled.rows)
    rule = SelectionRule("rows", rows=(absent, int(sampled.rows[3]), 10_000))
    assert selected(rule, sampled, None).tolist() == [3]


def test_a_rule_about_scores_waits_for_them(sampled):
    assert selected(SelectionRule("top", low=5), sampled, None) is None


def test_positions_and_rows_lead_to_each_other(sampled):
    rule = rows_rule(np.array([4, 1]), sampled)
    assert rule.rows == tuple(sorted(sampled.rows[[1, 4]].tolist()))
    assert selected(rule, sampled, None).tolist() == [1, 4]
    assert rows_rule(np.array([], dtype=int), sampled) == SelectionRule()
    assert position_of_row(int(sampled.rows[2]), sampled) == 2
    assert position_of_row(10_000, sampled) is None
    assert position_of_row(None, sampled) is None


def test_rules_are_spoken():
    assert spoken_rule(SelectionRule("top", low=5)) == "the highest 5 % of the scores"
    assert spoken_rule(SelectionRule("rows", rows=(1,))) == "1 row picked"
