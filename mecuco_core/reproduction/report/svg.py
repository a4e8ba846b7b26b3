"""Small figures as SVG text: points and lines on linear or logarithmic axes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

WIDTH, HEIGHT = 360, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 12, 42


@dataclass(frozen=True)
class Series:
    """Values drawn in one colour.

    Parameters
    ----------
    name : str
        For the legend.
    x, y : sequence of float
    labels : sequence of str
        What a point is; shown when it is pointed at. None for a line.
    colour : int
        Which of the colours of the page.
    is_line : bool
        Joined by a line, without marks and without an entry in the legend.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    labels: Sequence[str] = ()
    colour: int = 0
    is_line: bool = False


@dataclass(frozen=True)
class Axis:
    """One axis: its label, whether it is logarithmic, and a value it always shows."""

    label: str
    log: bool = False
    shows: float | None = None


class _Scale:
    """Values to places between `start` and `stop`."""

    def __init__(self, axis: Axis, values: list[float], start: float, stop: float) -> None:
        self.log, self.start, self.stop = axis.log, start, stop
        if axis.shows is not None:
            values = [*values, axis.shows]
        low, high = min(values), max(values)
        if self.log:
            low, high = math.log10(low), math.log10(high)
        margin = 0.04 * (high - low) or 0.5
        self.low, self.high = low - margin, high + margin

    def __call__(self, value: float) -> float:
        place = math.log10(value) if self.log else value
        return self.start + (place - self.low) / (self.high - self.low) * (self.stop - self.start)

    def ticks(self) -> list[float]:
        """Return three to seven round values within the scale."""
        if self.log and self.high - self.low > 1:
            step = math.ceil((self.high - self.low) / 6)
            first = math.ceil(self.low / step) * step
            return [10.0**p for p in range(first, math.floor(self.high) + 1, step)]
        low, high = (10**self.low, 10**self.high) if self.log else (self.low, self.high)
        rough = (high - low) / 5
        unit = 10.0 ** math.floor(math.log10(rough))
        step_size = next(unit * f for f in (1, 2, 5, 10) if unit * f >= rough)
        first, last = math.ceil(low / step_size), math.floor(high / step_size)
        return [i * step_size for i in range(first, last + 1)]


def figure(title: str, series: Sequence[Series], x_axis: Axis, y_axis: Axis) -> str:
    """Draw series and return an `svg` element; a sentence where there is nothing to draw.

    Points that are not finite, or not positive on a logarithmic axis, are left out.
    """
    kept = [_drawable(one, x_axis, y_axis) for one in series]
    kept = [one for one in kept if len(one.x)]
    if not kept:
        return "<p>This run has nothing to draw here.</p>"
    x = _Scale(x_axis, [v for one in kept for v in one.x], LEFT, WIDTH - RIGHT)
    y = _Scale(y_axis, [v for one in kept for v in one.y], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        *_frame(x, y, x_axis, y_axis),
    ]
    for one in kept:
        parts += _line(one, x, y) if one.is_line else _points(one, x, y)
    return "".join([*parts, "</svg>"])


def legend(series: Sequence[Series]) -> str:
    """Return the names of the series beside their colours."""
    names = [
        f'<span class="key c{one.colour}">● {escape(one.name)}</span>'
        for one in series
        if not one.is_line and len(one.x)
    ]
    return f'<p class="legend">{" ".join(names)}</p>'


def _drawable(one: Series, x_axis: Axis, y_axis: Axis) -> Series:
    x, y = np.asarray(one.x, dtype=float), np.asarray(one.y, dtype=float)
    keep = np.isfinite(x) & np.isfinite(y)
    keep &= (x > 0) | (not x_axis.log)
    keep &= (y > 0) | (not y_axis.log)
    labels = [label for label, kept in zip(one.labels, keep, strict=False) if kept]
    return Series(one.name, x[keep].tolist(), y[keep].tolist(), labels, one.colour, one.is_line)


def _frame(x: _Scale, y: _Scale, x_axis: Axis, y_axis: Axis) -> list[str]:
    base, middle = HEIGHT - BOTTOM, (TOP + HEIGHT - BOTTOM) / 2
    parts = []
    for value in x.ticks():
        place = f"{x(value):.1f}"
        parts.append(f'<line class="grid" x1="{place}" y1="{TOP}" x2="{place}" y2="{base}"/>')
        parts.append(f'<text x="{place}" y="{base + 14}" class="mid">{_number(value)}</text>')
    for value in y.ticks():
        place = f"{y(value):.1f}"
        parts.append(
            f'<line class="grid" x1="{LEFT}" y1="{place}" x2="{WIDTH - RIGHT}" y2="{place}"/>'
            f'<text x="{LEFT - 5}" y="{place}" dy="4" class="end">{_number(value)}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" class="mid">'
        f"{escape(x_axis.label)}</text>"
        f'<text transform="translate(12 {middle}) rotate(-90)" class="mid">'
        f"{escape(y_axis.label)}</text>"
    )
    return parts


def _points(one: Series, x: _Scale, y: _Scale) -> list[str]:
    labels = list(one.labels) or [one.name] * len(one.x)
    return [
        f'<circle class="c{one.colour}" cx="{x(a):.1f}" cy="{y(b):.1f}" r="3.2">'
        f"<title>{escape(label)}</title></circle>"
        for a, b, label in zip(one.x, one.y, labels, strict=True)
    ]


def _line(one: Series, x: _Scale, y: _Scale) -> list[str]:
    places = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(one.x, one.y, strict=True))
    return [f'<polyline class="c{one.colour}" points="{places}"/>']


def _number(value: float) -> str:
    if value != 0 and (abs(value) >= 10_000 or abs(value) < 0.001):
        power = math.floor(math.log10(abs(value)))
        lead = round(value / 10.0**power)
        exponent = f'10<tspan dy="-4" font-size="8">{power}</tspan>'
        return exponent if lead == 1 else f"{lead}·{exponent}"
    return f"{value:.10g}"


def strip(title: str, named: dict[str, float], band: tuple[float, float]) -> str:
    """Draw named values on one line over a band; those named `published …` as upright strokes.

    Parameters
    ----------
    title : str
        Read aloud in place of the drawing.
    named : dict of str to float
        At least one.
    band : (low, high)
    """
    height, base = 74, 50
    values = [*named.values(), *band]
    x = _Scale(Axis(""), values, 16, WIDTH - 16)
    low, high = x(band[0]), x(band[1])
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">',
        f'<line class="grid" x1="8" y1="{base}" x2="{WIDTH - 8}" y2="{base}"/>',
        f'<rect class="band" x="{low:.1f}" y="{base - 6}" width="{max(1, high - low):.1f}" '
        f'height="12"><title>random bases</title></rect>',
    ]
    for value in x.ticks():
        parts.append(f'<text x="{x(value):.1f}" y="{base + 20}" class="mid">{value:.4g}</text>')
    for place, (name, value) in enumerate(sorted(named.items(), key=lambda item: item[1])):
        at = f"{x(value):.1f}"
        hover = f"<title>{escape(name)} {value:.4f}</title>"
        level = 10 + 11 * (place % 3)
        if name.startswith("published"):
            parts.append(
                f'<line class="c3 stroke" x1="{at}" y1="{level}" x2="{at}" y2="{base + 6}">'
                f"{hover}</line>"
            )
            name = name.removeprefix("published ")
        else:
            parts.append(f'<circle class="c0" cx="{at}" cy="{base}" r="3">{hover}</circle>')
        anchor = "end" if x(value) > WIDTH - 60 else "start" if x(value) < 60 else "mid"
        parts.append(f'<text x="{at}" y="{level}" class="{anchor} small">{escape(name)}</text>')
    return "".join([*parts, "</svg>"])
