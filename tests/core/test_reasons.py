"""Why a point has its score: facts and reasons."""

import numpy as np
import pandas as pd

import mecuco as mc
from mecuco_core.measures.reasons import point_facts, reasons
from mecuco_core.measures.table import other_label_share


def test_the_share_of_other_labels_by_hand():
    labels = pd.Series(["a", "a", "b"])
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    np.testing.assert_array_equal(other_label_share(labels, neighbors), [0.5, 0.5, 1.0])


def test_no_label_is_not_another_label():
    labels = pd.Series(["a", "b", None])
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    np.testing.assert_array_equal(other_label_share(labels, neighbors), [0.5, 0.5, np.nan])
    points = np.random.default_rng(0).standard_normal((3, 2))
    facts = point_facts(mc.curvature(points, 2, mode="exact"), labels)
    assert not any("label" in reason for reason in reasons(facts, 2))


def test_a_lonely_point_is_said_to_be_far_away_and_nobody_s_neighbour():
    generator = np.random.default_rng(0)
    points = np.vstack([generator.standard_normal((200, 3)), [[40.0, 0.0, 0.0]]])
    labels = pd.Series(["a"] * 200 + ["b"])
    facts = point_facts(mc.curvature(points, 5, mode="exact"), labels)
    found = reasons(facts, 200)
    assert found[0].startswith("far neighbours (top")
    assert "5 of 5 with another label" in found
    assert "in no other point's neighbour list" in found
    assert facts.distance_percent[200] == 100


def test_every_point_has_a_reason():
    points = np.random.default_rng(1).standard_normal((100, 4))
    facts = point_facts(mc.curvature(points, 6), None)
    assert all(reasons(facts, i) for i in range(100))


def test_points_whose_neighbours_coincide_have_no_ratio():
    points = np.vstack([np.zeros((6, 2)), np.eye(2)])
    facts = point_facts(mc.curvature(points, 3, mode="exact"), None)
    assert np.isnan(facts.ratio[0])
    assert "all its neighbours are one point" in reasons(facts, 0)


def test_a_high_score_is_never_nothing_unusual():
    points = np.random.default_rng(3).uniform(size=(300, 2))
    facts = point_facts(mc.curvature(points, 8, mode="haar"), None)
    for position in np.flatnonzero(facts.percent >= 95):
        assert "nothing unusual about its neighbourhood" not in reasons(facts, position)


def test_shares_have_two_digits():
    points = np.random.default_rng(0).standard_normal((400, 2))
    facts = point_facts(mc.curvature(points, 6, mode="exact"), None)
    highest, tenth = np.argsort(-facts.distance)[[0, 9]]
    assert reasons(facts, highest)[0] == "far neighbours (top 0.25 %)"
    assert reasons(facts, tenth)[0] == "far neighbours (top 2.5 %)"
