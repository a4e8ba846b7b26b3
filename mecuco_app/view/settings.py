"""The choices a visitor can make, as frozen values: keys of caches, links and recipes."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from mecuco_app.view.lessons import (
    GaugeSettings,
    NullSettings,
    SurfaceSettings,
    TruthSettings,
    XraySettings,
)
from mecuco_core.datasets.files.options import ReadOptions
from mecuco_core.measures import Scale
from mecuco_core.preparation.prepare import PAPER, Preparation
from mecuco_core.types import Mode

K_MAX = 60
"""Neighbours searched once; every smaller k is a prefix of that graph."""

LARGE, K_MAX_LARGE = 50_000, 30
"""Of more points than `LARGE` fewer are searched: twice as many take three times as long."""

Source = Literal["bundled", "openml", "manifold", "file", "unknown"]
SOURCES: tuple[Source, ...] = ("bundled", "openml", "manifold", "file")
"""Those an address can name; "unknown" is what it names in words that cannot be read."""

MapKind = Literal["umap", "pca", "columns"]
MAP_KINDS: tuple[MapKind, ...] = get_args(MapKind)

LABEL, COLUMN = "label", "column"
"""What points can be coloured by besides the measures: their target, or a column as it came."""

COLOUR_SCALES: tuple[Scale, ...] = get_args(Scale)

RuleKind = Literal["none", "top", "range", "rows"]
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)

PERCENTILES = (1.0, 99.0)
"""Between which a split of the points can be."""

BoundaryLines = Literal["spread", "highest", "unstable"]
BOUNDARY_LINES: tuple[BoundaryLines, ...] = get_args(BoundaryLines)

PaperColumns = Literal["scores", "quartiles", "agreement", "time"]
PAPER_COLUMNS: tuple[PaperColumns, ...] = get_args(PaperColumns)


@dataclass(frozen=True)
class DataChoice:
    """Where a dataset comes from, enough to load it again (a file excepted).

    Parameters
    ----------
    source : {"bundled", "openml", "manifold", "file", "unknown"}
    identifier : str
        Name of a bundled set or manifold, number on OpenML, name of a file, words of an address.
    options : tuple of (str, float)
        Of a manifold: arguments of `load_manifold`.
    target : str or None
        Column taken as target, where it is not the declared one.
    asked : ReadOptions or None
        Of a file: how the visitor wanted it to be read.
    content : str
        Of a file: the first letters of the SHA-256 of its bytes, to know it again.
    reading : ReadOptions or None
        Of a file: how it was read, with what was found out.
    fingerprint : str
        Of a file: the dataset it became.
    """

    source: Source = "bundled"
    identifier: str = "digits"
    options: tuple[tuple[str, float], ...] = ()
    target: str | None = None
    asked: ReadOptions | None = None
    content: str = ""
    reading: ReadOptions | None = None
    fingerprint: str = ""


@dataclass(frozen=True)
class ScoreSettings:
    """Mode and neighbours; `None` neighbours means the paper's round(log2 n)."""

    mode: Mode = "haar"
    n_neighbors: int | None = None


@dataclass(frozen=True)
class MapSettings:
    """How points are laid out; `columns` are the two or three of kind "columns"."""

    kind: MapKind = "umap"
    dimension: Literal[2, 3] = 2
    n_neighbors: int = 15
    min_dist: float = 0.1
    seed: int = 0
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ColourSettings:
    """What colours the points, and how values become colours.

    Parameters
    ----------
    by : str
        Name of a measure, `LABEL` or `COLUMN`.
    column : str or None
    scale : {"auto", "robust", "log", "rank", "full"}
        "auto" is the scale the measure opens with.
    every_label : bool
    """

    by: str = "score"
    column: str | None = None
    scale: Scale = "auto"
    every_label: bool = False


@dataclass(frozen=True)
class SelectionRule:
    """Which points are selected, in words that outlive a change of k or of the map.

    Parameters
    ----------
    kind : {"none", "top", "range", "rows"}
    low, high : float
        "top": the highest `low` percent of the scores. "range": scores from `low` to `high`.
    rows : tuple of int, ascending
        "rows": positions in the table of the dataset.
    """

    kind: RuleKind = "none"
    low: float = 0.0
    high: float = 0.0
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class AgreementSettings:
    """The two modes compared on the Agreement page; the first is the reference."""

    first: Mode = "exact"
    second: Mode = "fast"
    normalised: bool = False


@dataclass(frozen=True)
class BoundarySettings:
    """The split of the Boundary points page: scores above `percentile` are boundary."""

    percentile: float = 75.0
    clustering: Literal["k-means", "hdbscan", "spectral"] = "k-means"
    n_clusters: int | None = None
    lines: BoundaryLines = "spread"


@dataclass(frozen=True)
class PaperSettings:
    """The Paper page: the table, what is shown of it, and the dataset looked at."""

    table: int = 2
    columns: PaperColumns = "scores"
    dataset: str = "iris"


@dataclass(frozen=True)
class View:
    """Everything the address bar holds."""

    data: DataChoice = DataChoice()
    preparation: Preparation = PAPER
    score: ScoreSettings = ScoreSettings()
    map: MapSettings = MapSettings()
    colour: ColourSettings = ColourSettings()
    rule: SelectionRule = SelectionRule()
    focus: int | None = None
    agreement: AgreementSettings = AgreementSettings()
    boundary: BoundarySettings = BoundarySettings()
    surface: SurfaceSettings = field(default_factory=SurfaceSettings)
    truth: TruthSettings = field(default_factory=TruthSettings)
    xray: XraySettings = field(default_factory=XraySettings)
    null: NullSettings = field(default_factory=NullSettings)
    gauge: GaugeSettings = field(default_factory=GaugeSettings)
    paper: PaperSettings = PaperSettings()


def starting_preparation(source: Source) -> Preparation:
    """Return the preparation a dataset of that source starts with.

    The paper's, but for points of known curvature, which scaling would bend.
    """
    return Preparation(scale="none") if source == "manifold" else PAPER


def changed(view: View, path: str, value: Any) -> View:
    """Return `view` with one choice changed, for example `changed(view, "score.mode", "haar")`."""
    part, _, name = path.partition(".")
    if not name:
        return replace(view, **{part: value})
    return replace(view, **{part: replace(getattr(view, part), **{name: value})})


def chosen(view: View, path: str) -> Any:
    """Return one choice of `view`, by the path `changed` takes."""
    part, _, name = path.partition(".")
    found = getattr(view, part)
    return getattr(found, name) if name else found
