"""Samples of the rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mecuco_core.preparation.sampling import class_sizes, sample_rows

SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=8).map(np.array)


@settings(deadline=None)
@given(SIZES, st.data())
def test_every_class_gets_its_share_and_at_least_one_row(sizes, data):
    n_rows = data.draw(st.integers(1, int(sizes.sum())))
    wanted = class_sizes(sizes, n_rows)
    share = sizes * n_rows / sizes.sum()
    assert wanted.sum() == n_rows
    assert (wanted <= sizes).all()
    if n_rows >= len(sizes):
        assert (wanted >= 1).all()
        # Only what small classes get beyond their share is taken from large ones.
        extra = np.maximum(1.0 - share, 0.0).sum()
        assert (wanted > share - 1.0 - extra).all()
    if (share >= 1).all():
        assert (np.abs(wanted - share) < 1.0).all()


@settings(deadline=None)
@given(SIZES, st.integers(0, 5), st.data())
def test_a_sample_is_ascending_seeded_and_has_the_sizes_of_its_classes(sizes, seed, data):
    classes = pd.Series(np.repeat(np.arange(len(sizes)), sizes)).sample(frac=1.0, random_state=1)
    n_rows = data.draw(st.integers(1, len(classes)))
    rows = np.arange(len(classes)) * 3
    drawn = sample_rows(rows, n_rows, seed, classes)
    assert (np.diff(drawn) > 0).all()
    assert np.isin(drawn, rows).all()
    order = classes.drop_duplicates()
    counts = classes.iloc[drawn // 3].value_counts().reindex(order, fill_value=0)
    assert counts.tolist() == class_sizes(sizes[order], n_rows).tolist()
    np.testing.assert_array_equal(drawn, sample_rows(rows, n_rows, seed, classes))


def test_every_row_is_as_likely_as_any_other():
    rows, classes = np.arange(10), pd.Series([0] * 4 + [1] * 6)
    for given_classes in (None, classes):
        counts = np.zeros(10)
        for seed in range(2000):
            counts[sample_rows(rows, 5, seed, given_classes)] += 1
        # Half of 2000, standard deviation sqrt(2000) / 2 = 22.
        assert np.abs(counts - 1000).max() < 5 * 22


def test_another_seed_draws_another_sample():
    rows = np.arange(1000)
    assert sample_rows(rows, 10, 0).tolist() != sample_rows(rows, 10, 1).tolist()


# Shares of 10 rows: 8, 1.9, 0.1. Rounded down with at least one: 8, 1, 1.
# Shares of 5 rows: 4, 0.95, 0.05: 4, 1, 1 is one too many, and the largest gives it.
@pytest.mark.parametrize(
    ("sizes", "n_rows", "expected"),
    [
        ([80, 19, 1], 10, [8, 1, 1]),
        ([80, 19, 1], 5, [3, 1, 1]),
        ([80, 19, 1], 2, [2, 0, 0]),
        ([1, 1, 1, 9], 4, [1, 1, 1, 1]),
        ([5, 5], 3, [2, 1]),
        ([3, 3, 3], 9, [3, 3, 3]),
    ],
)
def test_sizes_by_hand(sizes, n_rows, expected):
    assert class_sizes(np.array(sizes), n_rows).tolist() == expected


def test_missing_classes_are_a_class():
    classes = pd.Series(["a"] * 8 + [None] * 2)
    drawn = sample_rows(np.arange(10), 5, 0, classes)
    assert classes.iloc[drawn].isna().sum() == 1
