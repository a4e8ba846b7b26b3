"""Datasets that come with scikit-learn."""

import numpy as np
import pytest
from sklearn import datasets as sklearn_datasets

from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.errors import DataError

SIZES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast-cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
    "diabetes": (442, 10, None),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sets_have_their_sizes_and_origin(name):
    dataset = load_bundled(name)
    n_rows, n_features, n_classes = SIZES[name]
    assert dataset.table.shape == (n_rows, n_features)
    assert dataset.name == name
    assert dataset.provenance.source == "bundled"
    assert dataset.provenance.identifier == name
    assert dataset.provenance.licence
    assert dataset.provenance.citation
    if n_classes:
        assert len(dataset.target.cat.categories) == n_classes
    assert load_bundled(name).fingerprint == dataset.fingerprint


def test_every_bundled_set_is_listed():
    assert BUNDLED.keys() == SIZES.keys()


def test_classes_carry_their_names():
    counts = load_bundled("breast-cancer").target.value_counts()
    assert counts.to_dict() == {"benign": 357, "malignant": 212}


def test_digits_are_images_of_the_digit_they_are_labelled_with():
    dataset, bunch = load_bundled("digits"), sklearn_datasets.load_digits()
    assert dataset.image_shape == (8, 8)
    np.testing.assert_array_equal(
        dataset.table.to_numpy().reshape(-1, *dataset.image_shape), bunch.images
    )
    assert dataset.target.astype(int).tolist() == bunch.target.tolist()


def test_diabetes_comes_as_it_was_measured():
    dataset = load_bundled("diabetes")
    assert dataset.table["age"].between(19, 79).all()  # years, not standard deviations
    assert dataset.target.dtype == np.float64


@pytest.mark.parametrize("name", ["breast_cancer", "Breast Cancer", "BREAST-CANCER"])
def test_a_name_may_be_written_in_several_ways(name):
    assert load_bundled(name).name == "breast-cancer"


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(DataError, match="'irs': there are iris, wine, breast-cancer, digits"):
        load_bundled("irs")
