"""Columns of pictures: their bytes, as PNG, JPEG and so on, kept to be shown and never decoded."""

import re

import pandas as pd

MOST_BYTES = 16_000_000
"""Of one picture; of all together the limit of a table holds."""

_PICTURE = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|BM.{4}\0{4}|II\*\0|MM\0\*", re.DOTALL
)


_NAMES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")


def has_picture_name(name: str) -> bool:
    """Whether a file is named as pictures are."""
    return name.lower().endswith(_NAMES)


def is_picture(content: object) -> bool:
    """Whether some bytes begin as pictures do."""
    return isinstance(content, bytes) and _PICTURE.match(content) is not None


def is_pictures(column: pd.Series) -> bool:
    """Whether every value of a column of objects is a picture, missing ones aside."""
    present = column.dropna()
    if not len(present) or not is_picture(present.iloc[0]):
        return False
    return all(map(is_picture, present))
