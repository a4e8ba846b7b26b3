"""Pictures that stand in a table as the bytes of a file; untrusted."""

import base64
import io

import numpy as np
import numpy.typing as npt
from PIL import Image

from mecuco_core.errors import DataError

MOST_PIXELS = 40_000_000
"""Of a picture that is decoded: a small file can hold a picture that fills the memory."""

MOST_PIXELS_OF_MANY = 1_000_000
"""Of each picture where many are shown at once."""

_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "WEBP")
"""Those of browsers: each format more is a decoder more that reads what a stranger wrote."""


def decoded(content: object, side: int, most_pixels: int = MOST_PIXELS) -> npt.NDArray[np.uint8]:
    """Return a picture with no side longer than `side` pixels, (height, width, 3).

    Parameters
    ----------
    content : object
        Of a cell: the bytes of a file.
    side : int
    most_pixels : int
        That are decoded: fewer where there are many pictures.

    Raises
    ------
    DataError
        When it is none, is damaged, or has too many pixels.
    """
    if not isinstance(content, bytes):
        raise DataError("This is not the file of a picture.")
    try:
        image = Image.open(io.BytesIO(content), formats=_FORMATS)
        width, height = image.size
        if width * height <= MOST_PIXELS:
            image.draft("RGB", (2 * side, 2 * side))  # a JPEG need not be decoded in full
        if image.width * image.height > most_pixels:
            raise DataError(
                f"This picture has {width:,} × {height:,} pixels, more than the "
                f"{most_pixels // 1_000_000} million that are shown."
            )
        small = image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGBA")
        small.thumbnail((side, side))
        small = small.convert("RGBA")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise DataError("This picture has too many pixels to be shown.") from error
    except (OSError, ValueError, SyntaxError) as error:  # what Pillow raises of damaged files
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"This picture cannot be read: it is damaged, or none of {', '.join(_FORMATS)}."
        ) from error
    ground = Image.new("RGBA", small.size, "white")
    return np.asarray(Image.alpha_composite(ground, small).convert("RGB"))


def as_address(pixels: npt.NDArray[np.uint8]) -> str:
    """Return a small picture as an address that holds it, for tables: nothing is fetched."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
