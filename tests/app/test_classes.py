import numpy as np
import pandas as pd

from mecuco_app.data.classes import classes_of, label_of


def test_classes_are_named_the_largest_first_and_in_order():
    labels = pd.Series(["b"] * 3 + ["10"] * 5 + ["9"] * 5)
    found = classes_of(labels)
    assert found.names == ("9", "10", "b")
    assert found.sizes.tolist() == [5, 5, 3]
    assert found.at(0) == "b"


def test_small_classes_come_after_the_twenty_that_have_a_colour():
    labels = pd.Series([str(i) for i in range(22) for _ in range(3 if i in (0, 1) else 9)])
    assert classes_of(labels).names[-2:] == ("0", "1")


def test_a_measurement_has_no_classes():
    assert classes_of(pd.Series(np.linspace(0, 1, 50))) is None
    assert classes_of(None) is None


def test_a_missing_label_is_a_class_of_its_own():
    found = classes_of(pd.Series(pd.Categorical(["a", None, "a", "b"])))
    assert "missing" in found.names


def test_a_measured_target_is_shown_with_few_digits():
    assert label_of(0.09337940530378495) == "0.09338"
    assert label_of(3.0) == "3"
    assert label_of(float("nan")) == label_of(None) == "missing"
