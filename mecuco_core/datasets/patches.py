"""Patches cut from the two photographs that come with scikit-learn.

Prepared as in A. Lee, K. Pedersen and D. Mumford, The nonlinear statistics of high-contrast patches
in natural images, International Journal of Computer Vision 54 (2003) 83-103: the logarithm of the
brightness, of each photograph the fifth of the patches with the most contrast, each minus its mean
and divided by its contrast. What is left of a patch is its pattern: an edge, a line, a texture.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.datasets import load_sample_images
from sklearn.utils import Bunch

from mecuco_core.errors import MissingPackageError
from mecuco_core.types import FloatArray

SIDE = 8
PER_PHOTOGRAPH = 25_000
"""Patches cut from each photograph, at places that differ."""

KEPT = 5
"""One patch in so many is kept: those with the most contrast."""

_SEED = 0
_RED_GREEN_BLUE = (0.299, 0.587, 0.114)
"""What each colour adds to the brightness (ITU-R BT.601)."""


def load_patches(*, as_frame: bool = True) -> Bunch:
    """Return 10,000 patches of 8 by 8 pixels and the photograph each was cut from.

    Returns
    -------
    Bunch
        `data`: table of shape (10000, 64); `target`: numbers (10000,); `target_names`.
    """
    try:
        photographs = load_sample_images()
    except ImportError as error:
        raise MissingPackageError(
            "the photographs need the package pillow; install it with: pip install 'mecuco[app]'"
        ) from error
    generator = np.random.default_rng(_SEED)
    cut = [patterns(_cut(_log_brightness(one), generator)) for one in photographs.images]
    source = np.repeat(np.arange(len(cut)), [len(one) for one in cut])
    columns = [f"pixel_{row}_{column}" for row in range(SIDE) for column in range(SIDE)]
    return Bunch(
        data=pd.DataFrame(np.concatenate(cut), columns=columns),
        target=pd.Series(source, name="photograph"),
        target_names=[name.removesuffix(".jpg") for name in map(_stem, photographs.filenames)],
    )


def contrasts(patches: FloatArray) -> FloatArray:
    """Return the contrast of each patch: the root of its squared steps between adjacent pixels.

    Parameters
    ----------
    patches : ndarray of shape (n_patches, 64)

    Returns
    -------
    ndarray of shape (n_patches,)
    """
    squares = patches.reshape(-1, SIDE, SIDE)
    steps = [np.diff(squares, axis=axis) for axis in (1, 2)]
    total: FloatArray = np.sqrt(sum((step**2).sum(axis=(1, 2)) for step in steps))
    return total


def patterns(patches: FloatArray) -> FloatArray:
    """Return the fifth of the patches with the most contrast, without it and without their mean."""
    contrast = contrasts(patches)
    kept = np.sort(np.argsort(-contrast, kind="stable")[: len(patches) // KEPT])
    patterns = patches[kept] - patches[kept].mean(axis=1, keepdims=True)
    return np.asarray(patterns / contrast[kept, None])


def _log_brightness(image: npt.NDArray[np.uint8]) -> FloatArray:
    """Return log(1 + brightness) of a photograph (height, width, 3)."""
    return np.asarray(np.log1p(image @ np.array(_RED_GREEN_BLUE)))


def _cut(photograph: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Return patches (n_patches, 64) of a photograph (height, width) at random places."""
    windows = np.lib.stride_tricks.sliding_window_view(photograph, (SIDE, SIDE))
    places = generator.choice(windows.shape[0] * windows.shape[1], PER_PHOTOGRAPH, replace=False)
    down, across = np.divmod(np.sort(places), windows.shape[1])
    return windows[down, across].reshape(PER_PHOTOGRAPH, SIDE * SIDE)


def _stem(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
