import pytest

from mecuco_core.datasets.images import image_shape


def numbered(prefix, first, count):
    return [f"{prefix}{number}" for number in range(first, first + count)]


@pytest.mark.parametrize(
    ("name", "columns", "shape"),
    [
        ("any", numbered("pixel", 1, 784), (28, 28)),
        ("any", numbered("Pixel_", 0, 16), (4, 4)),
        ("any", [f"pixel_{row}_{column}" for row in range(3) for column in range(5)], (3, 5)),
        ("USPS", numbered("V", 1, 256), (16, 16)),
        ("UMIST_Faces_Cropped", numbered("V", 1, 112 * 92), (112, 92)),
    ],
)
def test_pixels_are_recognised(name, columns, shape):
    assert image_shape(name, columns) == shape


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("any", []),
        ("any", numbered("V", 1, 256)),  # a square number is not enough
        ("any", numbered("pixel", 1, 15)),
        ("any", numbered("pixel", 5, 16)),
        ("any", ["pixel1"]),
        ("any", [*numbered("pixel", 1, 15), "label"]),
        ("any", [f"pixel_{row}_{column}" for column in range(5) for row in range(3)]),
        ("USPS", numbered("V", 1, 257)),
    ],
)
def test_what_may_be_no_picture_is_none(name, columns):
    assert image_shape(name, columns) is None
