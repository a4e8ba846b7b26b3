"""Datasets that come with scikit-learn."""

import numpy as np
import pytest
from sklearn import datasets as sklearn_datasets
from sklearn.datasets import load_sample_images

from mecuco_core.datasets.bundled import BUNDLED, load_bundled
from mecuco_core.datasets.patches import contrasts, patterns
from mecuco_core.errors import DataError

SIZES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast-cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
    "diabetes": (442, 10, None),
    "patches": (10_000, 64, 2),
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


def test_patches_have_no_mean_and_contrast_one():
    values = load_bundled("patches").table.to_numpy()
    np.testing.assert_allclose(values.mean(axis=1), 0.0, atol=1e-12)
    # The contrast, pixel by pixel: over all pairs of pixels that share an edge.
    pixels = values[123].reshape(8, 8)
    pairs = [(pixels[i, j], pixels[i + 1, j]) for i in range(7) for j in range(8)]
    pairs += [(pixels[i, j], pixels[i, j + 1]) for i in range(8) for j in range(7)]
    assert sum((a - b) ** 2 for a, b in pairs) == pytest.approx(1.0)
    np.testing.assert_allclose(contrasts(values), 1.0)


def test_patches_lie_in_the_photograph_they_are_labelled_with():
    dataset = load_bundled("patches")
    assert dataset.image_shape == (8, 8)
    assert dataset.target.value_counts().to_dict() == {"china": 5000, "flower": 5000}
    for name, image in zip(("china", "flower"), load_sample_images().images, strict=True):
        grey = np.log(1.0 + image @ np.array([0.299, 0.587, 0.114]))
        windows = np.lib.stride_tricks.sliding_window_view(grey, (8, 8))
        pattern = dataset.table[dataset.target == name].iloc[7].to_numpy().reshape(8, 8)
        # A window is the patch where the two differ by a factor and a number only.
        inner = np.einsum("abij,ij->ab", windows, pattern)
        spread = np.einsum("abij,abij->ab", windows, windows) - 64 * windows.mean(axis=(2, 3)) ** 2
        likeness = inner / np.sqrt(np.maximum(spread, 1e-9) * (pattern**2).sum())
        assert likeness.max() == pytest.approx(1.0, abs=1e-9)


def test_of_each_photograph_the_patches_of_most_contrast_are_kept():
    generator = np.random.default_rng(1)
    patches = generator.standard_normal((50, 64)) * generator.uniform(1, 9, (50, 1))
    kept = patterns(patches)
    strong = np.sort(np.argsort(contrasts(patches))[-10:])
    means = patches[strong].mean(axis=1, keepdims=True)
    np.testing.assert_allclose(kept, (patches[strong] - means) / contrasts(patches)[strong, None])
