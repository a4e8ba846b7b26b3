"""Colours by role, and how figures are to look."""

from collections.abc import Sequence
from dataclasses import dataclass

Camera = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""Where a spatial map is seen from: eye, centre and up, three numbers each."""

Ticks = tuple[Sequence[float], Sequence[str]]
"""Places on an axis, and what stands there."""

SCORE_SCALE = "Cividis"
"""Sequential, even to the eye and safe for the colour-blind; dark is low."""

DIFFERENCE_SCALE = [
    (0.0, "#0b4f8a"),
    (0.25, "#5b9bd0"),
    (0.5, "#e8e6e1"),
    (0.75, "#e39a4d"),
    (1.0, "#9a4a00"),
]
"""Diverging, blue to orange; centre it on zero."""

OKABE_ITO = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000",
)  # fmt: skip
# With Okabe and Ito's, twenty colours for classes. Any two differ by more than 12 in CIELAB for the
# colour-blind too (tests/app/test_map_plots.py); every eight have a shape of their own besides.
_MORE_ON_LIGHT = (
    "#550088", "#993344", "#bb77ff", "#441144", "#003311", "#99aa66", "#00ddee", "#664400",
    "#88dd66", "#aa0077", "#0055cc", "#dd1133",
)  # fmt: skip
_MORE_ON_DARK = (
    "#33ff88", "#aaaa55", "#995533", "#99ffbb", "#8888ee", "#ff5577", "#88cccc", "#775577",
    "#6644cc", "#eeccff", "#99dd55", "#aa2299",
)  # fmt: skip
# Those that flat and spatial traces both know.
SYMBOLS = (
    "circle", "diamond", "square", "cross", "x", "circle-open", "diamond-open", "square-open",
)  # fmt: skip

TRUTH = "#D55E00"
PAPER = "#0072B2"
OURS = "#009E73"
"""One accent each, everywhere: what is known, what is published, what is ours."""

LECTURE = 1.35
"""How much larger everything is in lecture mode."""


@dataclass(frozen=True)
class Look:
    """How figures are to look; `dark` follows the browser, `lecture` a switch."""

    dark: bool = False
    lecture: bool = False

    @property
    def scale(self) -> float:
        """Factor of letters and marks."""
        return LECTURE if self.lecture else 1.0

    @property
    def text(self) -> str:
        """Colour of letters."""
        return "#f2f0ec" if self.dark else "#26241f"

    @property
    def muted(self) -> str:
        """Colour of what is not selected, and of lines behind the data."""
        return "#5d5a54" if self.dark else "#c9c6bf"

    @property
    def other(self) -> str:
        """Colour of classes beyond those that have one: no selection makes it grey."""
        return "#a8a49c" if self.dark else "#86827a"

    @property
    def grid(self) -> str:
        """Colour of grid lines, hardly seen."""
        return "#2c2a27" if self.dark else "#eeece7"

    @property
    def paper(self) -> str:
        """Colour behind the figure."""
        return "#171614" if self.dark else "#ffffff"

    @property
    def emphasis(self) -> str:
        """Colour of what is selected, on histograms."""
        return "#f0b429" if self.dark else "#b35c00"

    @property
    def labels(self) -> tuple[str, ...]:
        """Colours of a few things: Okabe and Ito's, their black turned white on dark ground."""
        return OKABE_ITO[:-1] + (("#f2f0ec",) if self.dark else OKABE_ITO[-1:])

    @property
    def classes(self) -> tuple[str, ...]:
        """Colours of up to twenty classes."""
        return self.labels + (_MORE_ON_DARK if self.dark else _MORE_ON_LIGHT)


LIGHT = Look()
