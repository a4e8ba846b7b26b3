"""A sample of the rows: seeded, in the order of the table, and fair to every class when asked."""

import numpy as np
import pandas as pd

from mecuco_core.types import IntArray


def sample_rows(
    rows: IntArray, n_rows: int, seed: int, classes: "pd.Series | None" = None
) -> IntArray:
    """Draw `n_rows` of `rows` without replacement.

    Parameters
    ----------
    rows : ndarray of shape (n_available,), ascending
    n_rows : int
        At most n_available.
    seed : int
    classes : Series of shape (n_available,) or None
        Each class keeps its share (missing values are one class); see `class_sizes`.

    Returns
    -------
    ndarray of shape (n_rows,), ascending
    """
    generator = np.random.default_rng(seed)
    if classes is None:
        return np.sort(generator.choice(rows, size=n_rows, replace=False))
    codes, _ = pd.factorize(classes.array, use_na_sentinel=False)
    sizes = np.bincount(codes)
    shuffled = generator.permutation(len(rows))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    drawn = by_class[rank < np.repeat(class_sizes(sizes, n_rows), sizes)]
    return rows[np.sort(drawn)]


def class_sizes(sizes: IntArray, n_rows: int) -> IntArray:
    """Share `n_rows` among classes by largest remainder.

    Every class gets its share rounded down or up, and at least one row wherever there are rows
    enough for all classes; what small classes get beyond their share, large ones give.

    Parameters
    ----------
    sizes : ndarray of shape (n_classes,)
        Rows of each class, all positive.
    n_rows : int
        Rows wanted in all, at most the sum of `sizes`.

    Returns
    -------
    ndarray of shape (n_classes,)
    """
    total = int(sizes.sum())
    share = sizes * n_rows  # in units of 1 / total, so that all is whole numbers
    least = 1 if n_rows >= len(sizes) else 0
    wanted = np.maximum(share // total, least)
    while wanted.sum() > n_rows:
        excess = wanted * total - share
        wanted[np.argmax(np.where(wanted > least, excess, -total * n_rows - 1))] -= 1
    short = n_rows - int(wanted.sum())
    wanted[np.argsort(wanted * total - share, kind="stable")[:short]] += 1
    return wanted
