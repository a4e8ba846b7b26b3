"""Points of many kinds for tests: each maker takes a seed and gives (n, m) points."""

import numpy as np


def gaussian(seed, n=40, m=5):
    return np.random.default_rng(seed).standard_normal((n, m))


def sheet(seed, n=40, m=5):
    """Points near a curved sheet of 4 dimensions, as real tables are."""
    rng = np.random.default_rng(seed)
    points = np.sin(rng.standard_normal((n, 4)) @ rng.standard_normal((4, m)) / 2)
    return points + 0.05 * rng.standard_normal((n, m))


def ill_conditioned(seed, n=40, m=6):
    """Columns from 1 down to 1e-10, then rotated: singular values over ten decades."""
    rng = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(rng.standard_normal((m, m)))
    return rng.standard_normal((n, m)) * 10.0 ** -np.linspace(0, 10, m) @ rotation


def offset(seed, n=40, m=5):
    return gaussian(seed, n, m) + 1e8


def tiny(seed, n=40, m=5):
    return gaussian(seed, n, m) * 1e-120


def huge(seed, n=40, m=5):
    return gaussian(seed, n, m) * 1e120


def heavy_tailed(seed, n=40, m=5):
    return np.random.default_rng(seed).standard_t(1, (n, m))


def wide(seed, n=40, m=70):
    return gaussian(seed, n, m)


def wider_than_a_tile(seed, n=14, m=1700):
    return gaussian(seed, n, m)


def flat(seed, n=40, m=30):
    """On a plane of three dimensions in thirty: neighbourhoods of rank three."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 3)) @ rng.standard_normal((3, m))


def repeated(seed, n=40, m=20):
    """Every point two to four times: neighbourhoods of low rank."""
    rng = np.random.default_rng(seed)
    return gaussian(seed, n, m)[rng.integers(0, n // 3, n)]


def integers(seed, n=40, m=5):
    """Small whole numbers: ties in the distances, some equal points."""
    return np.random.default_rng(seed).integers(0, 6, (n, m)).astype(float)


SPANNING = {
    f.__name__: f for f in (gaussian, ill_conditioned, offset, tiny, huge, heavy_tailed, integers)
}
DEFICIENT = {f.__name__: f for f in (wide, wider_than_a_tile, flat, repeated)}
EVERY_KIND = SPANNING | DEFICIENT
