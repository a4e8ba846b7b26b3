import numpy as np
import pandas as pd

import mecuco_core as mc
from mecuco_app.classes import Classes, classes_of, disagreement, label_of
from mecuco_app.evidence import evidence_of, reasons


def test_classes_are_named_the_largest_first_and_in_order():
    labels = pd.Series(["b"] * 3 + ["10"] * 5 + ["9"] * 5)
    found = classes_of(labels)
    assert found.names == ("9", "10", "b")
    assert found.sizes.tolist() == [5, 5, 3]
    assert found.at(0) == "b"


def test_small_classes_come_after_the_eight_that_have_a_colour():
    labels = pd.Series([str(i) for i in range(10) for _ in range(3 if i in (0, 1) else 9)])
    assert classes_of(labels).names[-2:] == ("0", "1")


def test_a_measurement_has_no_classes():
    assert classes_of(pd.Series(np.linspace(0, 1, 50))) is None
    assert classes_of(None) is None


def test_a_missing_label_is_a_class_of_its_own():
    found = classes_of(pd.Series(pd.Categorical(["a", None, "a", "b"])))
    assert "missing" in found.names


def test_disagreement_by_hand():
    classes = Classes(np.array([0, 0, 1]), ("a", "b"), np.array([2, 1]))
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    np.testing.assert_array_equal(disagreement(classes, neighbors), [0.5, 0.5, 1.0])


def test_no_label_is_not_another_label():
    classes = Classes(np.array([0, 1, 2]), ("a", "b", "missing"), np.ones(3, dtype=int), missing=2)
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    np.testing.assert_array_equal(disagreement(classes, neighbors), [0.5, 0.5, np.nan])
    points = np.random.default_rng(0).standard_normal((3, 2))
    facts = evidence_of(mc.curvature(points, 2, "exact"), classes)
    assert not any("label" in reason for reason in reasons(facts, 2))
    assert label_of(float("nan")) == label_of(None) == "missing"


def test_a_lonely_point_is_said_to_be_far_away_and_nobody_s_neighbour():
    generator = np.random.default_rng(0)
    points = np.vstack([generator.standard_normal((200, 3)), [[40.0, 0.0, 0.0]]])
    labels = Classes(np.r_[np.zeros(200, dtype=int), 1], ("a", "b"), np.array([200, 1]))
    facts = evidence_of(mc.curvature(points, 5, "exact"), labels)
    found = reasons(facts, 200)
    assert found[0].startswith("far neighbours (top")
    assert "5 of 5 with another label" in found
    assert "no point's neighbour" in found
    assert facts.distance_percent[200] == 100


def test_every_point_has_a_reason():
    points = np.random.default_rng(1).standard_normal((100, 4))
    facts = evidence_of(mc.curvature(points, 6), None)
    assert all(reasons(facts, i) for i in range(100))


def test_points_whose_neighbours_coincide_have_no_ratio():
    points = np.vstack([np.zeros((6, 2)), np.eye(2)])
    facts = evidence_of(mc.curvature(points, 3, "exact"), None)
    assert np.isnan(facts.ratio[0])
    assert "all its neighbours are one point" in reasons(facts, 0)


def test_a_high_score_is_never_nothing_unusual():
    points = np.random.default_rng(3).uniform(size=(300, 2))
    facts = evidence_of(mc.curvature(points, 8, "haar"), None)
    for position in np.flatnonzero(facts.percent >= 95):
        assert "nothing unusual about its neighbourhood" not in reasons(facts, position)


def test_a_measured_target_is_shown_with_few_digits():
    assert label_of(0.09337940530378495) == "0.09338"
    assert label_of(3.0) == "3"
    assert label_of(float("nan")) == "missing"
