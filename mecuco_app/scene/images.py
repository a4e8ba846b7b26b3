"""Rows of pixels as pictures."""

import numpy as np
import numpy.typing as npt

SIDE = 96
"""Pixels of a picture on the screen, at least."""


def picture(pixels: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return an image enlarged without blurring.

    Parameters
    ----------
    pixels : ndarray of shape (height, width) or (height, width, channels), from 0 to 1

    Returns
    -------
    ndarray of shape (larger height, larger width[, 3])
    """
    if pixels.ndim == 3 and pixels.shape[2] not in (3, 4):
        pixels = pixels.mean(axis=2)
    factor = max(1, -(-SIDE // max(pixels.shape[:2])))
    large = pixels.repeat(factor, axis=0).repeat(factor, axis=1)
    return np.asarray(np.round(255 * large[..., :3] if large.ndim == 3 else 255 * large), np.uint8)


def squared(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a picture (height, width, 3) in the middle of a square of `SIDE` pixels."""
    height, width = image.shape[0], image.shape[1]
    square = np.full((SIDE, SIDE, 3), 235, dtype=np.uint8)
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    square[top : top + height, left : left + width] = image
    return square


def gallery(images: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return images (n_images, height, width[, channels]) side by side, with gaps."""
    parts = []
    for image in images:
        shown = picture(image)
        gap = np.full((shown.shape[0], 4, *shown.shape[2:]), 128, dtype=np.uint8)
        parts += [shown, gap]
    return np.concatenate(parts[:-1], axis=1)
